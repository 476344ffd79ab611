// SPDX-License-Identifier: MIT
/// The arithmetic of one US lane (us-isa A5, R5xx): FP32, denormals count as signed zero, round to nearest even, MAD is fused.
/// Choices that the documents leave open are listed in hw/radeon/ref/us/README.md.
#pragma once
#include <cmath>
#include <cstdint>

#include "hw/common/numerics/arithmetic.h"
#include "hw/common/numerics/fp24.h"

namespace pumice::hw::us {

using num::bits;
using num::flush_denormal;
using num::from_bits;
using num::is_nan;

/// The NaN of the output modifier stage.
inline constexpr uint32_t kUsNan = 0x7FFFFFFFu;

inline float canonical(float x) { return is_nan(x) ? from_bits(kUsNan) : flush_denormal(x); }

/// US_CONFIG bit 1: zero times Inf or NaN is +0. Products of finite numbers keep IEEE's sign either way.
inline bool product_is_zero(float a, float b, bool zero_wins) {
  return zero_wins && (flush_denormal(a) == 0.0f || flush_denormal(b) == 0.0f) && !(num::is_finite(a) && num::is_finite(b));
}
inline float multiply(float a, float b, bool zero_wins) { return product_is_zero(a, b, zero_wins) ? 0.0f : num::mul(a, b); }
inline float multiply_add(float a, float b, float c, bool zero_wins) {
  return product_is_zero(a, b, zero_wins) ? num::add(0.0f, c) : num::fma(a, b, c);
}
inline float mad(float a, float b, float c, bool zero_wins) { return canonical(multiply_add(a, b, c, zero_wins)); }

/// Both return B for any NaN and for two zeros of whatever sign; the operand itself comes back, denormal or not.
inline float minimum(float a, float b) { return flush_denormal(a) < flush_denormal(b) ? a : b; }
inline float maximum(float a, float b) { return flush_denormal(a) > flush_denormal(b) ? a : b; }
inline float select_cnd(float a, float b, float c) { return c > 0.5f ? a : b; }
inline float select_cmp(float a, float b, float c) { return flush_denormal(c) >= 0.0f ? a : b; }

inline float fraction(float a) {
  a = flush_denormal(a);
  return canonical(num::sub(a, std::floor(a)));
}

/// What the R3xx keeps of a result: 24 bits, its NaN as any other of arithmetic.
inline float fp24(float x) { return is_nan(x) ? from_bits(kUsNan) : num::to_fp24(x); }

/// Input modifier: absolute value first, then the sign.
inline float modify(float x, uint32_t modifier) { return from_bits((bits(x) & ~(modifier << 30 & 0x80000000u)) ^ modifier << 31); }

/// Presubtract (us-isa A3).
inline float presubtract(uint32_t op, float s0, float s1) {
  switch (op & 3u) {
    case 0: return canonical(num::fma(-2.0f, s0, 1.0f));
    case 1: return canonical(num::sub(s1, s0));
    case 2: return canonical(num::add(s1, s0));
    default: return canonical(num::sub(1.0f, s0));
  }
}

/// [0,1] by the rules of MAX(x,0) and MIN(x,1): NaN and -0 become +0.
inline float clamp_unit(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

/// OMOD 7 passes the bits through and skips the clamp. All others canonicalise.
inline float output_modifier(float x, uint32_t omod, bool clamp) {
  static constexpr float kScale[7] = {1.0f, 2.0f, 4.0f, 8.0f, 0.5f, 0.25f, 0.125f};
  if (omod >= 7) return x;
  x = canonical(omod == 0 ? x : num::mul(x, kScale[omod]));
  return clamp ? clamp_unit(x) : x;
}

/// Predicate and ALU result test against zero: 0 EQ, 1 LT, 2 GE, 3 NE. NaN is neither equal nor less: GE = !LT, NE = !EQ.
inline bool test(uint32_t op, float x) {
  x = flush_denormal(x);
  switch (op & 3u) {
    case 0: return x == 0.0f;
    case 1: return x < 0.0f;
    case 2: return !(x < 0.0f);
    default: return !(x == 0.0f);
  }
}

}  // namespace pumice::hw::us
