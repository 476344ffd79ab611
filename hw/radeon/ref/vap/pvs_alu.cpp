// SPDX-License-Identifier: MIT
/// Arithmetic of the vector and the math engine (pvs-isa s.4, s.5, s.8). Every operation: operands are free of denormals, each
/// elementary step is rounded to float and flushed (hw/common/numerics/arithmetic.h), results leave through num::canonical.
#include "hw/radeon/ref/vap/pvs_alu.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "hw/common/numerics/arithmetic.h"
#include "hw/common/numerics/transcendental.h"
#include "hw/db/isa_pvs.h"

namespace pumice::hw::vap {
namespace {

using isa::pvs::MathOp;
using isa::pvs::VectorOp;

constexpr float kFloatMax = std::bit_cast<float>(num::kMaxFloat);
constexpr float kInfinity = std::bit_cast<float>(num::kInf);

using num::add;

template <class F>
Vec4 each(F f) {
  return {f(0), f(1), f(2), f(3)};
}
Vec4 replicate(float x) { return {x, x, x, x}; }
float boolean(bool b) { return b ? 1.0f : 0.0f; }

/// Comparison with zero, the four kinds of PRED_SET and COND_*. NaN: only NEQ holds.
enum class Compare { eq, gt, gte, neq };
bool holds(Compare c, float x) {
  switch (c) {
    case Compare::eq: return x == 0.0f;
    case Compare::gt: return x > 0.0f;
    case Compare::gte: return x >= 0.0f;
    default: return x != 0.0f;
  }
}

/// a.w: stack counter, b.w: the value (pvs-isa s.8). Only W is written.
AluResult predicate_push(Compare c, float counter, float x, bool& predicate) {
  predicate = counter == 0.0f && holds(c, x);
  return {replicate(predicate ? 0.0f : add(counter, 1.0f)), 0x8};
}
AluResult predicate_set(Compare c, float x, bool& predicate) {
  predicate = holds(c, x);
  return {replicate(boolean(!predicate)), 0x8};
}

AluResult conditional_write(Compare c, const Vec4& a, const Vec4& b) {
  AluResult r{b, 0};
  for (int i = 0; i < 4; ++i) r.mask |= uint8_t(holds(c, a[i]) << i);
  return r;
}
AluResult conditional_mux(Compare c, const Vec4& a, const Vec4& b, const Vec4& d) {
  return {each([&](int i) { return holds(c, a[i]) ? b[i] : d[i]; })};
}

float multiply_clamp(const Vec4& a, const Vec4& b, const Vec4& c) {
  if (c[3] < num::mul(a[3], b[3])) return c[3];
  const float p = num::mul(a[0], b[0]);
  return c[0] >= p ? c[0] : p;
}

/// POWER_FUNC_FF: a negative base gives -(|base|^exponent).
float power(float base, float exponent) {
  const float r = num::powf_(std::fabs(base), exponent);
  return base < 0.0f ? -r : r;
}

/// (2^floor a, a - floor a, 2^a, 1).
Vec4 exp_dx(float a) {
  const float whole = std::floor(a);
  return {num::exp2f_(whole), a > 128.0f ? 0.0f : add(a, -whole), num::exp2f_(a), 1.0f};
}

/// |a| = m*2^e: (e, m, log2|a|, 1). Inf: (Inf, 1, Inf, 1).
Vec4 log_dx(float a) {
  a = std::fabs(a);
  if (a == 0.0f) return {-kFloatMax, 1.0f, -kFloatMax, 1.0f};
  if (num::is_nan(a)) return {a, a, a, 1.0f};
  if (!num::is_finite(a)) return {a, 1.0f, a, 1.0f};
  const uint32_t bits = num::bits(a);
  return {float(int(bits >> 23) - 127), num::from_bits((bits & 0x7FFFFFu) | 0x3F800000u), num::log2f_(a), 1.0f};
}

/// (1, max(n.l,0), n.l > 0 ? max(n.h,0)^power : 0, 1); NaN in a max gives 0.
Vec4 light(float a, float b, float c) {
  const float diffuse = b > 0.0f ? b : 0.0f;
  const float exponent = c < -128.0f ? -128.0f : c > 128.0f ? 128.0f : c;
  return {1.0f, diffuse, b > 0.0f ? num::powf_(a > 0.0f ? a : 0.0f, exponent) : 0.0f, 1.0f};
}

float log_with(float a, float at_zero) { return a == 0.0f ? at_zero : num::log2f_(std::fabs(a)); }
float rcp_with(float a, float at_zero) { return a == 0.0f ? at_zero : num::rcp(a); }
float rsq_with(float a, float at_zero) { return a == 0.0f ? at_zero : num::rsq(std::fabs(a)); }

const float kPi = 0x1.921fb6p+1f;
bool within_pi(float a) { return std::fabs(a) <= kPi; }

AluResult finish(AluResult r) {
  for (float& x : r.value) x = num::canonical(x);
  return r;
}

AluResult vector_operation(uint32_t opcode, const Vec4& a, const Vec4& b, const Vec4& c, bool& predicate) {
  switch (VectorOp(opcode)) {
    case VectorOp::DOT_PRODUCT: return {replicate(num::dot(a, b))};
    case VectorOp::MULTIPLY: return {each([&](int i) { return num::mul(a[i], b[i]); })};
    case VectorOp::ADD: return {each([&](int i) { return add(a[i], b[i]); })};
    case VectorOp::MULTIPLY_ADD: return {each([&](int i) { return num::fma(a[i], b[i], c[i]); })};
    case VectorOp::DISTANCE_VECTOR: return {{1.0f, num::mul(a[1], b[1]), a[2], b[3]}};
    case VectorOp::FRACTION: return {each([&](int i) { return add(a[i], -std::floor(a[i])); })};
    case VectorOp::MAXIMUM: return {each([&](int i) { return a[i] >= b[i] ? a[i] : b[i]; })};
    case VectorOp::MINIMUM: return {each([&](int i) { return a[i] < b[i] ? a[i] : b[i]; })};
    case VectorOp::SET_GREATER_THAN_EQUAL: return {each([&](int i) { return boolean(a[i] >= b[i]); })};
    case VectorOp::SET_LESS_THAN: return {each([&](int i) { return boolean(a[i] < b[i]); })};
    case VectorOp::MULTIPLYX2_ADD: return {each([&](int i) { return num::fma(add(a[i], a[i]), b[i], c[i]); })};
    case VectorOp::MULTIPLY_CLAMP: return {replicate(multiply_clamp(a, b, c))};
    case VectorOp::FLT2FIX_DX: return {each([&](int i) { return std::floor(a[i]); }), 0xF, true};
    case VectorOp::FLT2FIX_DX_RND: return {each([&](int i) { return std::floor(add(a[i], 0.5f)); }), 0xF, true};
    case VectorOp::PRED_SET_EQ_PUSH: return predicate_push(Compare::eq, a[3], b[3], predicate);
    case VectorOp::PRED_SET_GT_PUSH: return predicate_push(Compare::gt, a[3], b[3], predicate);
    case VectorOp::PRED_SET_GTE_PUSH: return predicate_push(Compare::gte, a[3], b[3], predicate);
    case VectorOp::PRED_SET_NEQ_PUSH: return predicate_push(Compare::neq, a[3], b[3], predicate);
    case VectorOp::COND_WRITE_EQ: return conditional_write(Compare::eq, a, b);
    case VectorOp::COND_WRITE_GT: return conditional_write(Compare::gt, a, b);
    case VectorOp::COND_WRITE_GTE: return conditional_write(Compare::gte, a, b);
    case VectorOp::COND_WRITE_NEQ: return conditional_write(Compare::neq, a, b);
    case VectorOp::COND_MUX_EQ: return conditional_mux(Compare::eq, a, b, c);
    case VectorOp::COND_MUX_GT: return conditional_mux(Compare::gt, a, b, c);
    case VectorOp::COND_MUX_GTE: return conditional_mux(Compare::gte, a, b, c);
    case VectorOp::SET_GREATER_THAN: return {each([&](int i) { return boolean(a[i] > b[i]); })};
    case VectorOp::SET_EQUAL: return {each([&](int i) { return boolean(a[i] == b[i]); })};
    case VectorOp::SET_NOT_EQUAL: return {each([&](int i) { return boolean(a[i] != b[i]); })};
    case VectorOp::NOP: break;
  }
  return {Vec4{}, 0};
}

AluResult math_operation(uint32_t opcode, float a, float b, float c, bool& predicate) {
  switch (MathOp(opcode)) {
    case MathOp::EXP_BASE2_DX: return {exp_dx(a)};
    case MathOp::LOG_BASE2_DX: return {log_dx(a)};
    case MathOp::EXP_BASEE_FF: return {replicate(num::expf_(a))};
    case MathOp::LIGHT_COEFF_DX: return {light(a, b, c)};
    case MathOp::POWER_FUNC_FF: return {replicate(power(a, c))};
    case MathOp::RECIP_DX: return {replicate(rcp_with(a, kFloatMax))};
    case MathOp::RECIP_FF: return {replicate(rcp_with(a, 0.0f))};
    case MathOp::RECIP_SQRT_DX: return {replicate(rsq_with(a, kFloatMax))};
    case MathOp::RECIP_SQRT_FF: return {replicate(rsq_with(a, 0.0f))};
    case MathOp::MULTIPLY: return {replicate(num::mul(a, b))};
    case MathOp::EXP_BASE2_FULL_DX: return {replicate(num::exp2f_(a))};
    case MathOp::LOG_BASE2_FULL_DX: return {replicate(log_with(a, -kFloatMax))};
    case MathOp::POWER_FUNC_FF_CLAMP_B: return {replicate(a < b ? 0.0f : power(a, c))};
    case MathOp::POWER_FUNC_FF_CLAMP_B1: return {replicate(a < b ? 0.0f : a > 1.0f ? 1.0f : power(a, c))};
    case MathOp::POWER_FUNC_FF_CLAMP_01: return {replicate(a <= 0.0f ? 0.0f : a > 1.0f ? 1.0f : power(a, c))};
    case MathOp::SIN: return {replicate(num::is_nan(a) ? a : within_pi(a) ? num::sin_radians(a) : 0.0f)};
    case MathOp::COS: return {replicate(num::is_nan(a) ? a : within_pi(a) ? num::cos_radians(a) : -1.0f)};
    case MathOp::LOG_BASE2_IEEE: return {replicate(log_with(a, -kInfinity))};
    case MathOp::RECIP_IEEE: return {replicate(num::rcp(a))};
    case MathOp::RECIP_SQRT_IEEE: return {replicate(rsq_with(a, kInfinity))};
    case MathOp::PRED_SET_EQ: return predicate_set(Compare::eq, a, predicate);
    case MathOp::PRED_SET_GT: return predicate_set(Compare::gt, a, predicate);
    case MathOp::PRED_SET_GTE: return predicate_set(Compare::gte, a, predicate);
    case MathOp::PRED_SET_NEQ: return predicate_set(Compare::neq, a, predicate);
    case MathOp::PRED_SET_CLR: predicate = false; return {replicate(kFloatMax)};
    case MathOp::PRED_SET_INV: predicate = a == 1.0f; return {replicate(predicate ? 0.0f : a == 0.0f ? 1.0f : a), 0x8};
    case MathOp::PRED_SET_POP: predicate = a <= 1.0f; return {replicate(predicate ? 0.0f : add(a, -1.0f)), 0x8};
    case MathOp::PRED_SET_RESTORE: predicate = a == 0.0f; return {replicate(a)};
    case MathOp::NOP: break;
  }
  return {Vec4{}, 0};
}

}  // namespace

AluResult vector_engine(uint32_t opcode, const Vec4& a, const Vec4& b, const Vec4& c, bool& predicate) {
  return finish(vector_operation(opcode, a, b, c, predicate));
}
AluResult math_engine(uint32_t opcode, float a, float b, float c, bool& predicate) {
  return finish(math_operation(opcode, a, b, c, predicate));
}

float saturate(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

int32_t to_address(float x) {
  if (num::is_nan(x)) return 0;
  return int32_t(std::clamp(std::floor(x), -256.0f, 255.0f));
}

}  // namespace pumice::hw::vap
