// SPDX-License-Identifier: MIT
/// See transcendental.h. Everything is evaluated in double with errors near 2^-52, so the only visible rounding is the last one, to float.
#include "hw/numerics/transcendental.h"

#include <array>
#include <cmath>

namespace pumice::hw::num {
namespace {

constexpr double kLn2 = 0x1.62e42fefa39efp-1;
constexpr double kLog2e = 0x1.71547652b82fep+0;
constexpr double kTwoOverLn2 = 0x1.71547652b82fep+1;
constexpr double kTwoPi = 0x1.921fb54442d18p+2;
constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
// pi/2 in three parts; k*high is subtracted exactly by fma while the rest stays below 2.
constexpr double kHalfPiHigh = 0x1.921fb54442d18p+0;
constexpr double kHalfPiMiddle = 0x1.1a62633145c07p-54;
constexpr double kHalfPiLow = -0x1.f1976b7ed8fbcp-110;

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

/// sin and cos of |t| <= pi/4 (a little more does no harm), Taylor.
double sin_series(double t) {
  static constexpr auto kSeries = [] {
    std::array<double, 10> c{};
    for (int i = 0; i < 10; ++i) c[i] = (i & 1 ? -1.0 : 1.0) * reciprocal_factorial(2 * i + 1);
    return c;
  }();
  return t * polynomial(t * t, kSeries);
}
double cos_series(double t) {
  static constexpr auto kSeries = [] {
    std::array<double, 10> c{};
    for (int i = 0; i < 10; ++i) c[i] = (i & 1 ? -1.0 : 1.0) * reciprocal_factorial(2 * i);
    return c;
  }();
  return polynomial(t * t, kSeries);
}

/// An angle as quadrant (0..3) and rest in [-pi/4, pi/4] radians.
struct Angle {
  int quadrant;
  double rest;
};
int quadrant_of(double k) { return int(k - 4.0 * std::floor(k * 0.25)); }

Angle from_cycles(double x) {
  const double k = std::floor(x * 4.0 + 0.5);
  return {quadrant_of(k), (x * 4.0 - k) * (kTwoPi * 0.25)};
}
Angle from_radians(double x) {
  if (std::fabs(x) >= 0x1p48) return {0, 0.0};
  const double k = std::floor(x * kTwoOverPi + 0.5);
  double t = std::fma(-k, kHalfPiHigh, x);
  t = std::fma(-k, kHalfPiMiddle, t);
  return {quadrant_of(k), std::fma(-k, kHalfPiLow, t)};
}
/// sin of quadrant*pi/2 + rest. A zero that is not sin(0) is +0.
double sin_of(Angle a) {
  switch (a.quadrant) {
    case 0: return sin_series(a.rest);
    case 1: return cos_series(a.rest);
    case 2: return 0.0 - sin_series(a.rest);
    default: return -cos_series(a.rest);
  }
}

float to_float(double x) { return canonical(float(x)); }

}  // namespace

float rcp(float x) { return canonical(1.0f / flush_denormal(x)); }

float rsq(float x) {
  x = flush_denormal(x);
  if (x == 0.0f) return from_bits(kInf);
  return to_float(1.0 / std::sqrt(double(x)));
}

float square_root(float x) { return canonical(std::sqrt(flush_denormal(x))); }

float exp2f_(float x) {
  x = flush_denormal(x);
  if (is_nan(x)) return from_bits(kQuietNan);
  if (x >= 128.0f) return from_bits(kInf);
  if (x < -127.0f) return 0.0f;
  return to_float(exp2_double(double(x)));
}

float log2f_(float x) {
  x = flush_denormal(x);
  if (x == 0.0f) return -from_bits(kInf);
  if (is_nan(x) || x < 0.0f) return from_bits(kQuietNan);
  if (!is_finite(x)) return x;
  return to_float(log2_double(double(x)));
}

float expf_(float x) {
  x = flush_denormal(x);
  if (is_nan(x)) return from_bits(kQuietNan);
  if (x >= 89.0f) return from_bits(kInf);
  if (x < -89.0f) return 0.0f;
  return to_float(exp2_double(double(x) * kLog2e));
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
  x = flush_denormal(x);
  if (!is_finite(x)) return from_bits(kQuietNan);
  return to_float(sin_of(from_cycles(double(x))));
}
float cos_cycles(float x) {
  if (!is_finite(x)) return from_bits(kQuietNan);
  Angle a = from_cycles(double(flush_denormal(x)));
  a.quadrant = (a.quadrant + 1) & 3;
  return to_float(sin_of(a));
}
float sin_radians(float x) {
  x = flush_denormal(x);
  if (x == 0.0f) return x;
  if (!is_finite(x)) return from_bits(kQuietNan);
  return to_float(sin_of(from_radians(double(x))));
}
float cos_radians(float x) {
  if (!is_finite(x)) return from_bits(kQuietNan);
  Angle a = from_radians(double(flush_denormal(x)));
  a.quadrant = (a.quadrant + 1) & 3;
  return to_float(sin_of(a));
}

}  // namespace pumice::hw::num
