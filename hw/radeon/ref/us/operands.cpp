// SPDX-License-Identifier: MIT
/// See operands.h.
#include "hw/radeon/ref/us/operands.h"

#include "hw/radeon/ref/us/alu.h"
#include "hw/radeon/ref/us/group.h"

namespace pumice::hw::us {

namespace {

/// What channel `c` of a unit reads as operand n.
template <size_t N>
float read(const alu::Operands<N>& in, const isa::us_r500::Unit& u, uint32_t c, uint32_t n, uint32_t lane) {
  if (u.op != alu::AluOp::XI) return alu::Channel<N>{in, u, c}.operand(n)[lane];
  const isa::us_r500::Operand& o = u.operand[n];
  return from_bits(in.bits_of(o, o.swizzle[c == alu::kAlphaChannel ? 0 : c], info(u.xi()).classes[n], n < 2)[lane]);
}

template <class T>
AluOperands operands(T& t, const Instruction& x, uint32_t lane) {
  alu::Operands<T::kLanes> in;
  in.rgb_srcp = x.rgb.presubtract;
  in.alpha_srcp = x.alpha.presubtract;
  in.fp24 = t.fp24;
  alu::resolve_all(t, in.rgb, x.rgb);
  alu::resolve_all(t, in.alpha, x.alpha);
  AluOperands out;
  for (uint32_t n = 0; n < 3; ++n) {
    for (uint32_t c = 0; c < 3; ++c) out.rgb[n][c] = read(in, x.rgb, c, n, lane);
    out.alpha[n] = read(in, x.alpha, alu::kAlphaChannel, n, lane);
  }
  const auto across = [&](const isa::us_r500::Unit& u, uint32_t channel, uint32_t n) {
    const uint32_t other = u.op == alu::AluOp::MDH ? 1 : 2;
    return in.neighbour(channel, n == 0 ? 0 : other, u.operand[n].modifier)[lane];
  };
  const auto is_derivative = [](alu::AluOp op) { return op == alu::AluOp::MDH || op == alu::AluOp::MDV; };
  for (const uint32_t n : {0u, 2u}) {
    for (uint32_t c = 0; is_derivative(x.rgb.op) && c < 3; ++c) out.rgb[n][c] = across(x.rgb, c, n);
    if (is_derivative(x.alpha.op)) out.alpha[n] = across(x.alpha, alu::kAlphaChannel, n);
  }
  return out;
}

}  // namespace

AluOperands alu_operands(Thread& t, const Instruction& x, uint32_t lane) { return operands(t, x, lane); }
AluOperands alu_operands(GroupThread<4>& t, const Instruction& x, uint32_t lane) { return operands(t, x, lane); }
AluOperands alu_operands(GroupThread<16>& t, const Instruction& x, uint32_t lane) { return operands(t, x, lane); }

}  // namespace pumice::hw::us
