// SPDX-License-Identifier: MIT
/// See transcendental.h: the kernels on one float. POW alone is evaluated in double, with errors near 2^-52: its only visible rounding is
/// the last one, to float.
#include "hw/common/numerics/transcendental.h"

#include <array>
#include <cmath>

#include "hw/common/numerics/kernels.h"
#include "hw/common/numerics/scalar_math.h"

namespace pumice::hw::num {
namespace {

constexpr double kLn2 = 0x1.62e42fefa39efp-1;
constexpr double kTwoOverLn2 = 0x1.71547652b82fep+1;

/// coefficient[0] + z*(coefficient[1] + z*(...)), Horner, each step rounded twice.
template <size_t N>
double polynomial(double z, const std::array<double, N>& coefficient) {
  double r = coefficient[N - 1];
  for (size_t i = N - 1; i-- > 0;) r = r * z + coefficient[i];
  return r;
}

constexpr double reciprocal_factorial(int n) {
  double f = 1;
  for (int i = 2; i <= n; ++i) f *= i;
  return 1.0 / f;
}

/// 2^n for -1022 <= n <= 1023.
double power_of_two(int n) { return std::bit_cast<double>(uint64_t(n + 1023) << 52); }

/// 2^x for |x| < 1000: n = nearest integer, Taylor series of e^((x-n) ln 2), |argument| <= 0.347.
double exp2_double(double x) {
  static constexpr auto kSeries = [] {
    std::array<double, 15> c{};
    for (int i = 0; i < 15; ++i) c[i] = reciprocal_factorial(i);
    return c;
  }();
  const double n = std::floor(x + 0.5);
  return polynomial((x - n) * kLn2, kSeries) * power_of_two(int(n));
}

/// log2(x) for a normal, positive x: x = m*2^e with m in [0.7, 1.42), log2(m) = 2/ln2 * atanh((m-1)/(m+1)).
double log2_double(double x) {
  static constexpr auto kSeries = [] {
    std::array<double, 13> c{};
    for (int i = 0; i < 13; ++i) c[i] = 1.0 / (2 * i + 1);
    return c;
  }();
  const uint64_t b = std::bit_cast<uint64_t>(x);
  int e = int(b >> 52) - 1023;
  double m = std::bit_cast<double>((b & 0x000FFFFFFFFFFFFFull) | 0x3FF0000000000000ull);
  if (m > 0x1.6a09e667f3bcdp+0) {
    m *= 0.5;
    ++e;
  }
  const double s = (m - 1.0) / (m + 1.0);
  return double(e) + kTwoOverLn2 * (s * polynomial(s * s, kSeries));
}

float to_float(double x) { return canonical(round_exact(x)); }

}  // namespace

float rcp(float x) {
  ScalarMath m;
  return canonical(rcp_kernel(m, x));
}
float rsq(float x) {
  ScalarMath m;
  return canonical(rsq_kernel(m, x));
}

float square_root(float x) { return canonical(num::sqrt(x)); }

float exp2f_(float x) {
  ScalarMath m;
  return canonical(exp2_kernel(m, x));
}
float log2f_(float x) {
  ScalarMath m;
  return canonical(log2_kernel(m, x));
}
float expf_(float x) {
  ScalarMath m;
  return canonical(exp_kernel(m, x));
}

float powf_(float x, float y) {
  x = flush_denormal(x);
  y = flush_denormal(y);
  if (y == 0.0f || x == 1.0f) return 1.0f;
  if (is_nan(x) || is_nan(y) || x < 0.0f) return from_bits(kQuietNan);
  const bool grows = (x > 1.0f) == (y > 0.0f);
  if (x == 0.0f || !is_finite(x) || !is_finite(y)) return grows ? from_bits(kInf) : 0.0f;
  const double e = double(y) * log2_double(double(x));
  if (e >= 128.0) return from_bits(kInf);
  if (e < -127.0) return 0.0f;
  return to_float(exp2_double(e));
}

float sin_cycles(float x) {
  ScalarMath m;
  return canonical(sin_cycles_kernel(m, x));
}
float cos_cycles(float x) {
  ScalarMath m;
  return canonical(cos_cycles_kernel(m, x));
}
float sin_radians(float x) {
  ScalarMath m;
  return canonical(sin_radians_kernel(m, x));
}
float cos_radians(float x) {
  ScalarMath m;
  return canonical(cos_radians_kernel(m, x));
}

}  // namespace pumice::hw::num
