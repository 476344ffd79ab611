// SPDX-License-Identifier: MIT
/// The transcendental functions as sequences of float operations, written once for every executor (README.md): no branches, no tables.
/// `M` implements each operation on a value type `M::V` (a float, a vector, a node of the lane IR):
///   V constant(float), add, sub, mul, div (V,V), fma (V,V,V), sqrt(V), minimum, maximum (V,V: as MINPS and MAXPS: the second if one is
///   NaN), round_even(V), magnitude(V) (sign bit off), with_sign(V magnitude, V sign), split(V x, V& e): x = returned * 2^e, returned in
///   [sqrt(1/2), sqrt(2)), anything for x <= 0, Inf and NaN; scale(V p, V n): p * 2^n for |n| <= 250 integral or NaN,
///   mask lt, eq, ge (V,V: false for NaN), select(mask, V, V).
/// Operands that are denormal count as zero and tiny results are flushed in all of them but select, magnitude and with_sign.
#pragma once
#include <array>
#include <cmath>
#include <limits>

namespace pumice::hw::num {

template <class M, class V, size_t N>
V horner(M& m, V x, const std::array<float, N>& c) {
  V r = m.constant(c[N - 1]);
  for (size_t i = N - 1; i-- > 0;) r = m.fma(r, x, m.constant(c[i]));
  return r;
}

/// Minimax for 2^f, |f| <= 1/2, relative error 2^-27.2 before rounding; 2^0 is 1.
inline constexpr std::array<float, 7> kExp2 = {0x1.000000p+0f, 0x1.62e432p-1f,  0x1.ebfbe6p-3f, 0x1.c6ad6ep-5f,
                                               0x1.3b2508p-7f, 0x1.5fe1a4p-10f, 0x1.4862dep-13f};
/// Minimax for log2(1+f)/f, 1+f in [sqrt(1/2), sqrt(2)], relative error 2^-24.4.
inline constexpr std::array<float, 9> kLog2 = {0x1.715476p+0f,  -0x1.715470p-1f, 0x1.ec73d6p-2f,  -0x1.715c4ep-2f, 0x1.26d384p-2f,
                                               -0x1.e95be2p-3f, 0x1.b9c916p-3f,  -0x1.a87d1ap-3f, 0x1.01b6eap-3f};
/// sin(2 pi r)/r in r^2, |r| <= 1/4: the minimax moved by some ulps so that no sine is above 1 and sin(1/4) is 1; relative error 2^-23.
inline constexpr std::array<float, 5> kSin = {0x1.921fb6p+2f, -0x1.4abbf0p+5f, 0x1.466f38p+6f, -0x1.32e978p+6f, 0x1.46fe52p+5f};

inline constexpr float kInfinityF = std::numeric_limits<float>::infinity();

/// 1/x, correctly rounded.
template <class M, class V>
V rcp_kernel(M& m, V x) {
  return m.div(m.constant(1.0f), x);
}
/// The sum turns -0 into +0, so that both give +Inf.
template <class M, class V>
V rsq_kernel(M& m, V x) {
  return m.div(m.constant(1.0f), m.sqrt(m.add(x, m.constant(0.0f))));
}
/// Beyond +-200 the result has long been Inf or 0; NaN passes minimum and maximum as their second operand.
template <class M, class V>
V exp2_kernel(M& m, V x) {
  x = m.maximum(m.constant(-200.0f), m.minimum(m.constant(200.0f), x));
  const V n = m.round_even(x);
  return m.scale(horner(m, m.sub(x, n), kExp2), n);
}
/// e^x: x*log2(e) as an integer and a rest, the product in two parts.
template <class M, class V>
V exp_kernel(M& m, V x) {
  x = m.maximum(m.constant(-128.0f), m.minimum(m.constant(128.0f), x));
  const V high = m.constant(0x1.715476p+0f), low = m.constant(0x1.4ae0c0p-26f);
  const V n = m.round_even(m.mul(x, high));
  const V f = m.fma(x, low, m.fma(x, high, m.sub(m.constant(0.0f), n)));
  return m.scale(horner(m, f, kExp2), n);
}
template <class M, class V>
V log2_kernel(M& m, V x) {
  V e;
  const V f = m.sub(m.split(x, e), m.constant(1.0f));
  V r = m.fma(f, horner(m, f, kLog2), e);
  r = m.select(m.lt(x, m.constant(kInfinityF)), r, x);  // Inf and NaN
  r = m.select(m.ge(x, m.constant(0.0f)), r, m.constant(std::numeric_limits<float>::quiet_NaN()));
  return m.select(m.eq(x, m.constant(0.0f)), m.constant(-kInfinityF), r);
}
/// sin(2 pi r), |r| <= 1/4.
template <class M, class V>
V sin_quarter(M& m, V r) {
  return m.mul(r, horner(m, m.mul(r, r), kSin));
}
/// r: x without its whole turns, in [-1/2, 1/2], exact; folded to [-1/4, 1/4], exact. Adding 0 to the turns keeps sin(-0) = -0.
template <class M, class V>
V sin_cycles_kernel(M& m, V x) {
  const V r = m.sub(x, m.add(m.round_even(x), m.constant(0.0f)));
  const V folded = m.sub(m.with_sign(m.constant(0.5f), r), r);
  return sin_quarter(m, m.select(m.lt(m.constant(0.25f), m.magnitude(r)), folded, r));
}
template <class M, class V>
V cos_cycles_kernel(M& m, V x) {
  const V r = m.sub(x, m.round_even(x));
  return sin_quarter(m, m.sub(m.constant(0.25f), m.magnitude(r)));
}
/// Radians become turns with one rounding.
template <class M, class V>
V sin_radians_kernel(M& m, V x) {
  return sin_cycles_kernel(m, m.mul(x, m.constant(0x1.45f306p-3f)));
}
template <class M, class V>
V cos_radians_kernel(M& m, V x) {
  return cos_cycles_kernel(m, m.mul(x, m.constant(0x1.45f306p-3f)));
}

}  // namespace pumice::hw::num
