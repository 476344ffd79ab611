// SPDX-License-Identifier: MIT
/// See literals.h.
#include "hw/radeon/jit/x/literals.h"

#include <algorithm>
#include <array>

namespace pumice::hw::fast::extended {

using namespace isa::us_r500;

namespace {

constexpr uint32_t kAlphaChannel = 3;

/// Components that are read, by literal.
struct Reads {
  explicit Reads(bool copied) : copies(copied) {}
  std::array<uint8_t, 256> open{}, known{};
  size_t literals = 0;  ///< up to the last one that is read
  const bool copies;    ///< what copies read may be open
};

/// Operands of the result in `channel`.
void look(const Instruction& x, uint32_t channel, Reads& reads) {
  constexpr uint32_t kCopyExactly = regs::US_ALU_RGB_INST::OMOD__COPY_EXACTLY_NO_MODIFIER_OR_CLAMP;
  const bool alpha = channel == kAlphaChannel;
  const Unit& unit = alpha ? x.alpha : x.rgb;
  const AluOpInfo& op = info(unit.op);
  struct Read {
    uint8_t literal, component;
  };
  std::array<Read, 9> read;
  uint32_t count = 0;
  bool varies = false;
  for (uint32_t n = 0; n < 3; ++n) {
    const Operand& o = unit.operand[n];
    const uint32_t swizzle = o.swizzle[alpha ? 0 : channel];
    if (swizzle > kAlphaChannel) continue;
    const Unit& from = swizzle == kAlphaChannel ? x.alpha : x.rgb;
    for (uint32_t a = 0; a < 3; ++a) {
      if (o.select == 3 ? a > 1 : a != o.select) continue;  // the presubtracted value is made of the first two
      const Address& address = from.address[a];
      varies |= address.file == Address::File::temp;
      if (address.file == Address::File::constant) read[count++] = {address.value, uint8_t(swizzle)};
    }
  }
  const bool copies = unit.op == AluOp::XI && unit.xi() == XiOp::MOV;
  const bool computes = !op.extended && !op.exact && unit.omod != kCopyExactly && (op.componentwise || op.dot || op.takes_dot);
  const bool open = copies ? reads.copies : computes && varies;
  for (const Read& r : std::span(read).first(count)) {
    (open ? reads.open : reads.known)[r.literal] |= uint8_t(1u << r.component);
    reads.literals = std::max(reads.literals, size_t{r.literal} + 1);
  }
}

}  // namespace

bool is_ordinary(uint32_t bits) {
  constexpr uint32_t kMantissa = 0x7FFFFF, kLeast = 127 - 60, kMost = 127 + 60;
  const uint32_t exponent = bits >> 23 & 0xFF;
  return (bits & kMantissa) != 0 && exponent >= kLeast && exponent <= kMost;
}

LiteralUses::LiteralUses(std::span<const Instruction> code) {
  // A copy may be a level of detail.
  const bool fetches = std::any_of(code.begin(), code.end(), [](const Instruction& x) {
    return x.type == Type::TEXTURE && (x.tex.inst == TexOp::X ? info(x.tex.x.op).fetches : info(x.tex.inst).fetches);
  });
  Reads reads(!fetches);
  for (const Instruction& x : code) {
    if (x.type == Type::FLOW_CONTROL) continue;
    if (x.type == Type::TEXTURE) {
      if (x.tex.inst == TexOp::X && x.tex.x.op == XOp::LDK) return;
      continue;
    }
    for (uint32_t c = 0; c <= kAlphaChannel; ++c) look(x, c, reads);
  }
  may_be_open_.resize(reads.literals);
  for (size_t i = 0; i < may_be_open_.size(); ++i) may_be_open_[i] = reads.open[i] & uint8_t(~reads.known[i]);
}

std::vector<uint8_t> LiteralUses::open(std::span<const hw::x::Bits4> literals) const {
  std::vector<uint8_t> out(literals.size());
  for (size_t i = 0; i < std::min(out.size(), may_be_open_.size()); ++i)
    for (uint32_t c = 0; c < 4; ++c)
      if (is_ordinary(literals[i][c])) out[i] |= uint8_t(may_be_open_[i] & (1u << c));
  return out;
}

std::vector<uint8_t> open_literals(const hw::x::Program& program) { return LiteralUses(program.code).open(program.literals); }

}  // namespace pumice::hw::fast::extended
