// SPDX-License-Identifier: MIT
/// The cells of an extended program and which of them a slot reads. Cells are numbered 4 * temp + channel, then the predicates.
#pragma once
#include <cstdint>

#include "hw/db/isa_us_r500.h"
#include "hw/radeon/regfile/chip_state.h"

namespace pumice::hw::fast::extended {

class CellReads {
 public:
  static constexpr uint32_t kPredicates = 4;
  CellReads() = default;
  explicit CellReads(uint32_t temps) : cells_(4 * temps + kPredicates) {}
  uint32_t predicate(uint32_t channel) const { return cells_ - kPredicates + channel; }

 protected:
  using Instruction = isa::us_r500::Instruction;
  enum class Use { number, bits, copy };
  /// Whether a texture slot writes its destination.
  static bool writes_temps(const Instruction& x) {
    using isa::us_r500::TexOp;
    if (x.type != isa::us_r500::Type::TEXTURE) return true;
    return x.tex.inst == TexOp::X ? info(x.tex.x.op).loads : info(x.tex.inst).fetches;
  }
  /// Calls f(cell, use, result channel) for at least the cells that are read, including cells outside the frame.
  template <class F>
  void reads(const Instruction& x, F f) const;

  uint32_t cells_ = 0;

 private:
  template <class F>
  void reads_of_unit(const Instruction& x, uint32_t channel, F f) const;
};

template <class F>
void CellReads::reads_of_unit(const Instruction& x, uint32_t channel, F f) const {
  using namespace isa::us_r500;
  constexpr uint32_t kCopyExactly = regs::US_ALU_RGB_INST::OMOD__COPY_EXACTLY_NO_MODIFIER_OR_CLAMP;
  const bool alpha = channel == 3;
  const Unit& unit = alpha ? x.alpha : x.rgb;
  const bool is_xi = unit.op == AluOp::XI;
  // MDH and MDV take the component of their own channel from the first source.
  if (info(unit.op).derivative && unit.address[0].file == Address::File::temp)
    f(uint32_t{unit.address[0].value} * 4 + channel, Use::number, channel);
  const bool tested = (unit.output && x.type != Type::OUTPUT) || x.result_write;
  for (uint32_t n = 0; n < 3; ++n) {
    const Operand& o = unit.operand[n];
    const uint32_t swizzle = o.swizzle[alpha ? 0 : channel];
    if (swizzle > 3) continue;
    Use use = Use::number;
    if (is_xi) {
      const XiOpInfo& i = info(unit.xi());
      if (n >= i.sources) break;
      if (i.classes[n] != OperandClass::real) {
        const bool copies = n < 2 && (unit.xi() == XiOp::SEL || unit.xi() == XiOp::MOV) && o.modifier == 0;
        use = copies && !tested ? Use::copy : Use::bits;
      }
    } else if (unit.omod == kCopyExactly && n < 2) {
      use = Use::copy;
    }
    const Unit& from = swizzle == 3 ? x.alpha : x.rgb;
    for (uint32_t a = 0; a < 3; ++a) {
      if (o.select == 3 ? a > 1 : a != o.select) continue;
      const Address& address = from.address[a];
      if (address.file == Address::File::temp) f(uint32_t{address.value} * 4 + swizzle, use, channel);
    }
  }
}

template <class F>
void CellReads::reads(const Instruction& x, F f) const {
  using namespace isa::us_r500;
  const auto predicates = [&](uint32_t select, uint32_t channels) {
    if (select == 0 || select > 5) return;
    for (uint32_t c = 0; c < 4; ++c)
      if (select == 1 ? channels >> c & 1u : c == select - 2) f(predicate(c), Use::number, 0u);
  };
  predicates(x.rgb_predicate, 7), predicates(x.alpha_predicate, 8);
  if (x.type == Type::TEXTURE) {
    // KILL and strict slots also use the colour's predicate and each channel's own.
    predicates(x.rgb_predicate, 15), predicates(x.alpha_predicate, 15);
    const auto port = [&](const Port& p) {
      for (uint32_t c = 0; c < 4; ++c) f(uint32_t{p.temp} * 4 + c, Use::bits, 0u);
    };
    const auto used = [&](const Port& p, uint32_t components) {
      for (uint32_t c = 0; c < components; ++c) f(uint32_t{p.temp} * 4 + p.swizzle[c], Use::bits, 0u);
    };
    const Texture& t = x.tex;
    if (t.inst == TexOp::NOP) return;
    if (t.inst == TexOp::X) {
      const uint32_t sources = info(t.x.op).sources;
      switch (t.x.op) {
        case XOp::LDB:
        case XOp::LDC:
        case XOp::LDU:
        case XOp::LDL:
        case XOp::LDP:
        case XOp::LDK:
          if (t.x.descriptor.indirect) port({.temp = t.x.descriptor.temp});
          used(t.source, 1);
          return;
        case XOp::STB:
        case XOp::STL:
        case XOp::STP:
          if (t.x.descriptor.indirect) port({.temp = t.x.descriptor.temp});
          used(t.source, 1), used(t.dx, 4);
          return;
        default: break;
      }
      if (sources > 0) port(t.source);
      if (sources > 1) port(t.dx);
      if (sources > 2 || t.x.offset) port(t.dy);
      // Selectors lie in words that other operations use otherwise: reading too much is safe.
      if (t.x.descriptor.indirect) port({.temp = t.x.descriptor.temp});
      const Selector sampler = selector_of(t.x.immediate);
      if (sampler.indirect && (info(t.x.op).fetches || t.x.op == XOp::QLOD)) port({.temp = sampler.temp});
      return;
    }
    port(t.source), port(t.dx), port(t.dy);
    return;
  }
  if (x.type == Type::FLOW_CONTROL) return;
  const AluOpInfo &rgb = info(x.rgb.op), &alpha = info(x.alpha.op);
  uint32_t channels = x.rgb.write | x.rgb.output | uint32_t(x.result_write && !x.result_alpha);
  const bool alpha_needed = x.alpha.write || x.alpha.output || x.depth_write || (x.result_write && x.result_alpha);
  const bool dots = rgb.dot && (channels || alpha.takes_dot);
  if ((channels && rgb.takes_scalar) || alpha_needed) reads_of_unit(x, 3, f);
  if (dots) channels = 7, reads_of_unit(x, 3, f);
  for (uint32_t c = 0; c < 3; ++c)
    if (channels >> c & 1u) reads_of_unit(x, c, f);
}

}  // namespace pumice::hw::fast::extended
