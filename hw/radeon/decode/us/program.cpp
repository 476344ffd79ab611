// SPDX-License-Identifier: MIT
/// See program.h.
#include "hw/radeon/decode/us/program.h"

#include <bit>
#include <cstring>

#include "hw/common/numerics/hash.h"
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

Code::Code(std::vector<us::Words> from) : words(std::move(from)), instructions(words.size()) {
  for (size_t i = 0; i < words.size(); ++i) {
    us::Instruction& x = instructions[i];
    unpack(words[i], x);
    const auto illegal = us::find_illegal(words[i], x, us::Level::r5x);
    const bool far_jump = x.type == us::Type::FLOW_CONTROL && x.flow.target > words.size();
    if ((!illegal && !far_jump) || !problem.empty()) continue;
    problem = "slot " + std::to_string(i) + ": ";
    problem += far_jump ? "jumps behind its end" : std::string("illegal ") + illegal->name + " " + decode::hex(illegal->value);
  }
}

Code::Code(std::vector<us::Instruction> from) : instructions(std::move(from)) {
  for (const us::Instruction& x : instructions) words.push_back(pack(x));
}

std::shared_ptr<const Code> Programs::code_of(const std::vector<us::Words>& words) {
  static_assert(sizeof(us::Words) % sizeof(uint32_t) == 0);
  const uint64_t hash = num::hash_words({words.front().data(), words.size() * words.front().size()});
  const auto found = codes_.find(hash);
  if (found != codes_.end() && found->second->words == words) return found->second;
  if (codes_.size() >= kMostCodes) codes_.clear();
  return codes_[hash] = std::make_shared<const Code>(words);
}

std::shared_ptr<const Program> Programs::read(const Memory& memory, const Key& key) {
  const X_CS_CODE_SIZE size{key.size};
  const uint64_t at = key.address;
  const uint64_t code_bytes = uint64_t{size.SLOTS()} * sizeof(us::Words), literals_at = at + (code_bytes + 15) / 16 * 16;
  const uint64_t bytes = literals_at - at + uint64_t{size.LITERALS()} * sizeof(Bits4);
  const auto name = [at] { return "program at " + decode::hex(at); };
  const auto refuse = [&](const std::string& why) {
    auto p = std::make_shared<Program>();
    p->address = at, p->problem = name() + ": " + why;
    return p;
  };
  if (at % 16) return refuse("the address is no multiple of 16");
  if (size.SLOTS() == 0) return refuse("no slots");
  if (!memory.backed(at, bytes)) return refuse("its " + std::to_string(bytes) + " bytes are not backed");
  words_.resize(size.SLOTS());
  memory.read(at, words_.data(), code_bytes);
  auto p = std::make_shared<Program>(code_of(words_));
  p->address = at;
  if (!p->shared->problem.empty()) p->problem = name() + ", " + p->shared->problem;
  p->literals.resize(size.LITERALS());
  if (!p->literals.empty()) memory.read(literals_at, p->literals.data(), p->literals.size() * sizeof(Bits4));
  return p;
}

std::shared_ptr<const Program> Programs::find(const ChipState& state, const Memory& memory, Stage stage) {
  const StageRegisters at = stage_registers(stage);
  const Key key{address(state, at.code), state.raw(at.code + kCodeSize)};
  if (stage == Stage::fragment && X_CS_CODE_SIZE{key.size}.SLOTS() == 0) return none_;
  const auto found = programs_.find(key);
  if (found != programs_.end()) return found->second;
  if (programs_.size() >= kMost) invalidate();
  return programs_.emplace(key, read(memory, key)).first->second;
}

}  // namespace pumice::hw::x
