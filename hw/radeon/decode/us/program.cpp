// SPDX-License-Identifier: MIT
/// See program.h.
#include "hw/radeon/decode/us/program.h"

#include <bit>
#include <cstring>

#include "hw/db/regs_r5x.h"
#include "hw/radeon/regfile/decode.h"

namespace pumice::hw::x {
namespace {

namespace us = isa::us_r500;
using namespace regs::r5x;

/// Addresses of a stage's registers. Those behind them are equally far in all stages.
struct StageRegisters {
  uint32_t code, set_lo, push_lo;
};
constexpr uint32_t kHi = X_CS_CODE_HI::offset - X_CS_CODE_LO::offset;
constexpr uint32_t kCodeSize = X_CS_CODE_SIZE::offset - X_CS_CODE_LO::offset, kCodeRsrc = X_CS_CODE_RSRC::offset - X_CS_CODE_LO::offset;
constexpr uint32_t kPushSize = X_CS_PUSH_SIZE::offset - X_CS_PUSH_LO::offset;
template <class Lo, class Hi, class Size, class Rsrc>
constexpr bool kCodeInARow =
    Hi::offset == Lo::offset + kHi&& Size::offset == Lo::offset + kCodeSize&& Rsrc::offset == Lo::offset + kCodeRsrc;
static_assert(kCodeInARow<X_VS_CODE_LO, X_VS_CODE_HI, X_VS_CODE_SIZE, X_VS_CODE_RSRC> &&
              kCodeInARow<X_FS_CODE_LO, X_FS_CODE_HI, X_FS_CODE_SIZE, X_FS_CODE_RSRC>);
static_assert(X_CS_PUSH_HI::offset == X_CS_PUSH_LO::offset + kHi && X_GFX_PUSH_HI::offset == X_GFX_PUSH_LO::offset + kHi &&
              X_GFX_PUSH_SIZE::offset == X_GFX_PUSH_LO::offset + kPushSize);
StageRegisters stage_registers(Stage stage) {
  switch (stage) {
    case Stage::vertex: return {X_VS_CODE_LO::offset, X_GFX_SET_LO::offset, X_GFX_PUSH_LO::offset};
    case Stage::fragment: return {X_FS_CODE_LO::offset, X_GFX_SET_LO::offset, X_GFX_PUSH_LO::offset};
    case Stage::compute: break;
  }
  return {X_CS_CODE_LO::offset, X_CS_SET_LO::offset, X_CS_PUSH_LO::offset};
}

uint64_t address(const ChipState& state, uint32_t lo) { return uint64_t{state.raw(lo + kHi) & 0xFFFFu} << 32 | state.raw(lo); }

std::shared_ptr<const Program> read(const Memory& memory, uint64_t at, X_CS_CODE_SIZE size) {
  auto p = std::make_shared<Program>();
  p->address = at;
  const uint64_t code_bytes = uint64_t{size.SLOTS()} * sizeof(us::Words), literals_at = at + (code_bytes + 15) / 16 * 16;
  const uint64_t bytes = literals_at - at + uint64_t{size.LITERALS()} * sizeof(Bits4);
  const std::string name = "program at " + decode::hex(at);
  if (size.SLOTS() == 0 || at % 16) {
    p->problem = name + (at % 16 ? ": the address is no multiple of 16" : ": no slots");
    return p;
  }
  if (!memory.backed(at, bytes)) {
    p->problem = name + ": its " + std::to_string(bytes) + " bytes are not backed";
    return p;
  }
  p->code.resize(size.SLOTS());
  for (size_t i = 0; i < p->code.size(); ++i) {
    const auto words = memory.load<us::Words>(at + i * sizeof(us::Words));
    unpack(words, p->code[i]);
    const auto illegal = us::find_illegal(words, us::Level::r5x);
    const bool far_jump = p->code[i].type == us::Type::FLOW_CONTROL && p->code[i].flow.target > p->code.size();
    if ((!illegal && !far_jump) || !p->problem.empty()) continue;
    p->problem = name + ", slot " + std::to_string(i) + ": ";
    p->problem += far_jump ? "jumps behind its end" : std::string("illegal ") + illegal->name + " " + decode::hex(illegal->value);
  }
  p->literals.resize(size.LITERALS());
  if (!p->literals.empty()) memory.read(literals_at, p->literals.data(), p->literals.size() * sizeof(Bits4));
  return p;
}

}  // namespace

Resources resources(const ChipState& state, Stage stage) {
  const StageRegisters at = stage_registers(stage);
  Resources r;
  const X_CS_CODE_RSRC rsrc{state.raw(at.code + kCodeRsrc)};
  r.temps = rsrc.TEMPS() + 1;
  r.scratch = rsrc.SCRATCH() * rsrc.SCRATCH__UNIT;
  const uint32_t* const sets = &state.reg[at.set_lo / 4];
  static_assert(std::endian::native == std::endian::little);
  std::memcpy(r.set.data(), sets, sizeof r.set);  // LO and HI
  for (uint64_t& set : r.set) set &= 0xFFFF'FFFF'FFFFu;
  r.push = address(state, at.push_lo);
  r.push_size = state.raw(at.push_lo + kPushSize);
  return r;
}

CodeRange code_range(const ChipState& state, Stage stage) {
  const StageRegisters at = stage_registers(stage);
  const uint64_t begin = address(state, at.code);
  const X_CS_CODE_SIZE size{state.raw(at.code + kCodeSize)};
  return {begin, begin + uint64_t{size.SLOTS()} * sizeof(us::Words) + 16 + uint64_t{size.LITERALS()} * sizeof(Bits4)};
}

std::string problem(const ChipState& state, const Program& program, const Resources& needs) {
  if (!program.problem.empty()) return "extended " + program.problem;
  const uint32_t most = state.chip().scratch_memory;
  if (needs.scratch <= most) return {};
  return "scratch memory of " + std::to_string(needs.scratch) + " bytes is more than " + std::to_string(most);
}

std::shared_ptr<const Program> Programs::find(const ChipState& state, const Memory& memory, Stage stage) {
  const StageRegisters at = stage_registers(stage);
  const Key key{address(state, at.code), state.raw(at.code + kCodeSize)};
  const auto found = programs_.find(key);
  if (found != programs_.end()) return found->second;
  if (programs_.size() >= kMost) invalidate();
  return programs_.emplace(key, read(memory, key.address, X_CS_CODE_SIZE{key.size})).first->second;
}

}  // namespace pumice::hw::x
