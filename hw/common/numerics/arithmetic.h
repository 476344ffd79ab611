// SPDX-License-Identifier: MIT
/// Float arithmetic of all units, as on x86 with FTZ and DAZ set, without touching MXCSR (hw/radeon/fast/README.md, Numerics):
/// denormal operands count as zero of the same sign; a result that is tiny after rounding to 24 bits with unbounded exponent becomes zero
/// of the same sign. That differs from testing the rounded result only where IEEE rounds up to 2^-126.
#pragma once
#include <array>
#include <cmath>

#include "hw/common/numerics/float_bits.h"

namespace pumice::hw::num {

inline constexpr double kMinNormal = 0x1p-126;
/// Below this an exact value rounds to less than 2^-126 in 24 bits; at it, to even, which is 2^-126.
inline constexpr double kTinyBelow = 0x1.ffffffp-127;

/// A value that is exact in double, rounded to float. NaN stays NaN.
inline float round_exact(double exact) { return std::fabs(exact) < kTinyBelow ? float(exact < 0 ? -0.0 : exact * 0.0) : float(exact); }

/// The product of two floats is exact in double.
inline float mul(float a, float b) { return round_exact(double(flush_denormal(a)) * double(flush_denormal(b))); }

/// A sum below 2^-126 is exact, so testing the rounded result is enough.
inline float add(float a, float b) { return flush_denormal(flush_denormal(a) + flush_denormal(b)); }
inline float sub(float a, float b) { return flush_denormal(flush_denormal(a) - flush_denormal(b)); }

/// a*b + c, one rounding.
inline float fma(float a, float b, float c) {
  a = flush_denormal(a), b = flush_denormal(b), c = flush_denormal(c);
  const float r = std::fma(a, b, c);
  if ((bits(r) & 0x7FFFFFFFu) != 0x00800000u) return flush_denormal(r);
  // Rounded to 2^-126: from below? The error of the double sum decides where the sum itself is the limit.
  const double p = std::copysign(1.0f, r) * (double(a) * double(b)), q = std::copysign(1.0f, r) * double(c);
  const double s = p + q, back = s - p, error = (p - (s - back)) + (q - back);
  return s < kTinyBelow || (s == kTinyBelow && error < 0) ? std::copysign(0.0f, r) : r;
}

/// IEEE rounds one quotient up to 2^-126 that is tiny: all ones divided by a power of two, which is exact in 24 bits.
inline float div(float a, float b) {
  a = flush_denormal(a), b = flush_denormal(b);
  const float r = a / b;
  if ((bits(r) & 0x7FFFFFFFu) == 0x00800000u && std::fabs(double(a) / double(b)) < kTinyBelow) return std::copysign(0.0f, r);
  return flush_denormal(r);
}
/// No root is tiny.
inline float sqrt(float a) { return std::sqrt(flush_denormal(a)); }

/// Dot products: the first product is rounded, the rest is fused, from left to right.
template <size_t N>
float dot(const std::array<float, N>& a, const std::array<float, N>& b) {
  float r = mul(a[0], b[0]);
  for (size_t i = 1; i < N; ++i) r = fma(a[i], b[i], r);
  return r;
}

}  // namespace pumice::hw::num
