// SPDX-License-Identifier: MIT
/// Scalar meaning of the IR operations, see scalar.h. The transcendental ones compute in double by short series whose error is far below
/// half an ulp of float, then round once.
#include "compiler/ir/scalar.h"

#include <bit>
#include <cmath>
#include <limits>

namespace pumice::compiler::ir {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr double kLn2 = 0.693147180559945309417;
constexpr double kTwoPi = 6.283185307179586476925;

double power_of_two(int e) { return std::bit_cast<double>(uint64_t(e + 1023) << 52); }

float exp2_of(float x) {
  if (std::isnan(x)) return kNan;
  if (x >= 128.0f) return kInf;
  if (x < -126.0f) return 0.0f;  // would be denormal
  const double n = std::floor(double(x) + 0.5), t = (double(x) - n) * kLn2;
  double sum = 1.0, term = 1.0;
  for (int i = 1; i < 16; ++i) {
    term = term * t / i;
    sum = sum + term;
  }
  return flush(float(sum * power_of_two(int(n))));
}

float log2_of(float x) {
  if (std::isnan(x) || x < 0.0f) return kNan;
  if (x == 0.0f) return -kInf;
  if (std::isinf(x)) return kInf;
  int e = int(std::bit_cast<uint32_t>(x) >> 23 & 0xFF) - 127;
  double m = std::bit_cast<float>((std::bit_cast<uint32_t>(x) & 0x7FFFFF) | 0x3F800000);
  if (m > 1.41421356237) m = m * 0.5, ++e;
  const double s = (m - 1.0) / (m + 1.0), s2 = s * s;
  double sum = 0.0;
  for (int i = 25; i >= 1; i -= 2) sum = sum * s2 + 1.0 / i;
  return float(double(e) + 2.0 * s * sum / kLn2);
}

/// sin(2 pi x) for any finite x.
double sine_of_cycles(double x) {
  double r = x - std::floor(x + 0.5);  // -0.5 .. 0.5
  if (r > 0.25) r = 0.5 - r;
  if (r < -0.25) r = -0.5 - r;
  const double t = r * kTwoPi, t2 = t * t;
  double sum = 0.0;
  for (int i = 21; i >= 3; i -= 2) sum = (sum + 1.0) * -t2 / double(i * (i - 1));
  return t * (sum + 1.0);
}
float periodic(double cycles) { return std::isfinite(cycles) ? float(sine_of_cycles(cycles)) : kNan; }

float round_to_even(float x) {
  if (!(std::fabs(x) < 8388608.0f)) return x;
  const float f = std::floor(x), d = x - f;
  const float r = d > 0.5f || (d == 0.5f && f - 2.0f * std::floor(f * 0.5f) != 0.0f) ? f + 1.0f : f;
  return std::copysign(r, x);
}
float truncate(float x) { return std::copysign(std::floor(std::fabs(x)), x); }

float compute(Op op, float a, float b, float c) {
  switch (op) {
    case Op::mov: return a;
    case Op::add: return a + b;
    case Op::mul: return a * b;
    case Op::mad: return std::fma(a, b, c);
    case Op::min: return a < b ? a : b;
    case Op::max: return a >= b ? a : b;
    case Op::floor: return std::floor(a);
    case Op::fract: return a - std::floor(a);
    case Op::rcp: return 1.0f / a;
    case Op::rsq: return float(1.0 / std::sqrt(double(std::fabs(a))));
    case Op::exp2: return exp2_of(a);
    case Op::log2: return log2_of(a);
    case Op::sin: return periodic(double(a) / kTwoPi);
    case Op::cos: return periodic(double(a) / kTwoPi + 0.25);
    case Op::sin_cycles: return periodic(a);
    case Op::cos_cycles: return periodic(double(a) + 0.25);
    case Op::slt: return a < b ? 1.0f : 0.0f;
    case Op::sge: return a >= b ? 1.0f : 0.0f;
    case Op::seq: return a == b ? 1.0f : 0.0f;
    case Op::sne: return a != b ? 1.0f : 0.0f;
    case Op::sel: return a != 0.0f ? b : c;
    case Op::div: return a / b;
    case Op::sqrt: return std::sqrt(a);
    case Op::ceil: return std::ceil(a);
    case Op::trunc: return truncate(a);
    case Op::round_even: return round_to_even(a);
    case Op::sign: return a > 0.0f ? 1.0f : a < 0.0f ? -1.0f : 0.0f;
    case Op::whole_div: return b == 0.0f ? 0.0f : truncate(float(double(a) / double(b)));
    case Op::whole_mod: return b == 0.0f ? 0.0f : float(double(a) - double(b) * std::floor(double(a) / double(b)));
    case Op::whole_rem: return b == 0.0f ? 0.0f : std::fmod(a, b);
    case Op::pow: return std::pow(a, b);
    case Op::exp: return std::exp(a);
    case Op::log: return std::log(a);
    case Op::tan: return std::tan(a);
    case Op::asin: return std::asin(a);
    case Op::acos: return std::acos(a);
    case Op::atan: return std::atan(a);
    case Op::atan2: return std::atan2(a, b);
    case Op::sinh: return std::sinh(a);
    case Op::cosh: return std::cosh(a);
    case Op::tanh: return std::tanh(a);
    case Op::asinh: return std::asinh(a);
    case Op::acosh: return std::acosh(a);
    case Op::atanh: return std::atanh(a);
    default: return kNan;
  }
}

}  // namespace

float flush(float x) { return std::fabs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0f, x) : x; }

float modify(float x, const Source& source) {
  if (source.abs) x = std::fabs(x);
  return source.negate ? -x : x;
}

float saturate(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

float eval_scalar(Op op, float a, float b, float c) { return flush(compute(op, flush(a), flush(b), flush(c))); }

bool is_exactly_foldable(Op op) {
  const OpInfo& o = info(op);
  if (is_typed(op) || (op >= Op::nmin && op <= Op::frexp_exp)) return true;
  if (o.shape != OpInfo::Shape::cw || op == Op::ddx || op == Op::ddy) return false;
  return o.level == OpInfo::Level::core || op == Op::div || op == Op::sqrt || (op >= Op::ceil && op <= Op::whole_rem);
}

float eval_dot(const float* a, const float* b, unsigned n) {
  float sum = flush(flush(a[0]) * flush(b[0]));
  for (unsigned i = 1; i < n; ++i) sum = flush(std::fma(flush(a[i]), flush(b[i]), sum));
  return sum;
}

}  // namespace pumice::compiler::ir
