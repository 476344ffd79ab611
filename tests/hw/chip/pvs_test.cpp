// SPDX-License-Identifier: MIT
/// Every operation of the vertex shader with edge values, by packets: operands in the constant file, the result leaves as a texcoord that
/// is the same at all corners, and lands in an FP32 pixel. Expected values from pvs-isa s.4..s.9 in double; NaN is canonical on the way.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "tests/hw/chip/chip.h"
#include "tests/hw/chip/edge_values.h"

namespace pumice::hw::test {
namespace {

using D = regs::PVS_INST_DST;
using M = regs::PVS_INST_DST_MATH;
using S = regs::PVS_INST_SRC;
using Vector = std::array<float, 4>;
using Instruction = std::array<uint32_t, 4>;

constexpr uint32_t kTemp = 0, kA0 = 1, kOutput = 2, kAlternate = 4, kConstant = 2;
const float kMax = std::numeric_limits<float>::max(), kInf = HUGE_VALF, kNan = from_bits(0x7FC00000);

S source(uint32_t file, uint32_t index) {
  return S().PVS_SRC_REG_TYPE(file).PVS_SRC_OFFSET(index).PVS_SRC_SWIZZLE_X(0).PVS_SRC_SWIZZLE_Y(1).PVS_SRC_SWIZZLE_Z(2).PVS_SRC_SWIZZLE_W(
      3);
}
D destination(uint32_t file, uint32_t index) {
  return D().PVS_DST_REG_TYPE(file).PVS_DST_OFFSET(index).PVS_DST_WE_X(1).PVS_DST_WE_Y(1).PVS_DST_WE_Z(1).PVS_DST_WE_W(1);
}
Instruction encode(D d, S a, S b, S c) { return {d.raw, a.raw, b.raw, c.raw}; }
/// MAX(x, x): an ADD of 0 would lose the sign of -0.
Instruction move(uint32_t file, uint32_t index, S from) {
  return encode(destination(file, index).PVS_DST_OPCODE(D::PVS_DST_OPCODE__MAXIMUM), from, from, from);
}

/// Constants 0..2 to temps 0..2, the operation on the temps to temp 3 (which held `before` = constant 3), temp 3 to the texcoord.
Packets operation(D d) {
  std::vector<Instruction> p = {move_instruction(kOutput, 0, 1, 0)};
  for (uint32_t i = 0; i < 4; ++i) p.push_back(move(kTemp, i, source(kConstant, i)));
  p.push_back(encode(d, source(kTemp, 0), source(kTemp, 1), source(kTemp, 2)));
  p.push_back(move(kOutput, 1, source(kTemp, 3)));
  Packets packets = vertex_program(p);
  packets.set(regs::VAP_PVS_CONST_CNTL().PVS_MAX_CONST_ADDR(255));
  return packets;
}
D vector_op(uint32_t opcode) { return destination(kTemp, 3).PVS_DST_OPCODE(opcode); }
D math_op(uint32_t opcode) { return destination(kTemp, 3).PVS_DST_OPCODE(opcode).PVS_DST_MATH_INST(1); }

float number(double v) { return flush(static_cast<float>(v)); }
float canonical(float v) { return std::isnan(v) ? kNan : flush(v); }
float times(float a, float b) { return number(double(a) * b); }
float plus(float a, float b) { return number(double(a) + b); }
float truth(bool b) { return b ? 1.0f : 0.0f; }

struct Componentwise {
  const char* name;
  uint32_t opcode;
  float (*f)(float a, float b, float c, float before);
};
class PvsVector : public testing::TestWithParam<Componentwise> {};
#define ROW(name, ...)                                                                                                                                  \
  Componentwise {                                                                                                                                       \
#name, D::PVS_DST_OPCODE__##name, [](float a, float b, float c, float before) -> float { (void)a, (void)b, (void)c, (void)before; return __VA_ARGS__; } \
  }
INSTANTIATE_TEST_SUITE_P(Pvs, PvsVector,
                         testing::Values(ROW(NOP, before), ROW(MULTIPLY, times(a, b)), ROW(ADD, plus(a, b)),
                                         ROW(MULTIPLY_ADD, number(std::fma(a, b, c))),
                                         ROW(FRACTION, number(double(a) - std::floor(double(a)))), ROW(MAXIMUM, a >= b ? a : b),
                                         ROW(MINIMUM, a < b ? a : b), ROW(SET_GREATER_THAN_EQUAL, truth(a >= b)),
                                         ROW(SET_LESS_THAN, truth(a < b)), ROW(MULTIPLYX2_ADD, number(std::fma(2 * a, b, c))),
                                         ROW(COND_WRITE_EQ, a == 0 ? b : before), ROW(COND_WRITE_GT, a > 0 ? b : before),
                                         ROW(COND_WRITE_GTE, a >= 0 ? b : before), ROW(COND_WRITE_NEQ, a != 0 ? b : before),
                                         ROW(COND_MUX_EQ, a == 0 ? b : c), ROW(COND_MUX_GT, a > 0 ? b : c),
                                         ROW(COND_MUX_GTE, a >= 0 ? b : c), ROW(SET_GREATER_THAN, truth(a > b)),
                                         ROW(SET_EQUAL, truth(a == b)), ROW(SET_NOT_EQUAL, truth(a != b))),
                         [](const auto& test) { return std::string(test.param.name); });
#undef ROW

TEST_P(PvsVector, EdgeValues) {
  Chip chip;
  Sheet sheet(chip);
  sheet.packets.append(operation(vector_op(GetParam().opcode)));
  const auto values = edge_values();
  std::vector<std::array<float, 3>> triples;
  for (const float a : values)
    for (const float b : values)
      for (const float c : {1.0f, -2.5f, 0.0f, kInf, 1e-38f}) triples.push_back({a, b, c});
  while (triples.size() % 4) triples.push_back({1, 2, 3});
  constexpr float kBefore = 42;
  for (size_t i = 0; i < triples.size(); i += 4) {
    std::array<std::array<uint32_t, 4>, 4> constants;
    for (size_t s = 0; s < 3; ++s)
      for (size_t c = 0; c < 4; ++c) constants[s][c] = bits(triples[i + c][s]);
    constants[3].fill(bits(kBefore));
    sheet.add(pvs_constants(0, constants));
  }
  ASSERT_TRUE(sheet.run());
  int wrong = 0;
  for (size_t i = 0; i < triples.size() && wrong < 10; ++i) {
    const auto [a, b, c] = triples[i];
    const float got = sheet.value(static_cast<uint32_t>(i / 4), i % 4);
    const float want = canonical(GetParam().f(flush(a), flush(b), flush(c), kBefore));
    if (bits(got) != bits(want)) {
      ++wrong;
      ADD_FAILURE() << "(" << a << ", " << b << ", " << c << "): " << got << ", not " << want;
    }
  }
  EXPECT_TRUE(chip.reports().empty());
}

struct WholeVector {
  const char* name;
  D d;
  Vector a, b, c, want;
};
void PrintTo(const WholeVector& w, std::ostream* os) { *os << w.name; }
class PvsWhole : public testing::TestWithParam<WholeVector> {};
constexpr float kB = 42;  // what the destination held before

WholeVector vec(const char* name, uint32_t opcode, Vector a, Vector b, Vector c, Vector want) {
  return {name, vector_op(opcode), a, b, c, want};
}
WholeVector macro(const char* name, uint32_t opcode, Vector a, Vector b, Vector c, Vector want) {
  return {name, vector_op(opcode).PVS_DST_MACRO_INST(1), a, b, c, want};
}
/// Scalars arrive in the w lanes.
WholeVector math(const char* name, uint32_t opcode, float a, float b, float c, Vector want) {
  return {name, math_op(opcode), {9, 9, 9, a}, {9, 9, 9, b}, {9, 9, 9, c}, want};
}
Vector all(float v) { return {v, v, v, v}; }
Vector only_w(float v) { return {kB, kB, kB, v}; }

INSTANTIATE_TEST_SUITE_P(
    Pvs, PvsWhole,
    testing::Values(vec("DOT", D::PVS_DST_OPCODE__DOT_PRODUCT, {1, 2, 3, 4}, {5, 6, 7, -8}, all(0), all(6)),
                    vec("DOT inf-inf", D::PVS_DST_OPCODE__DOT_PRODUCT, {kInf, kInf, 0, 0}, {1, -1, 0, 0}, all(0), all(kNan)),
                    vec("DISTANCE", D::PVS_DST_OPCODE__DISTANCE_VECTOR, {9, 2, 3, 9}, {9, 5, 9, 7}, all(0), {1, 10, 3, 7}),
                    vec("MULTIPLY_CLAMP low", D::PVS_DST_OPCODE__MULTIPLY_CLAMP, {1, 0, 0, 1}, {2, 0, 0, 2}, {5, 0, 0, 8}, all(5)),
                    vec("MULTIPLY_CLAMP high", D::PVS_DST_OPCODE__MULTIPLY_CLAMP, {10, 0, 0, 10}, {2, 0, 0, 2}, {5, 0, 0, 8}, all(8)),
                    vec("MULTIPLY_CLAMP inside", D::PVS_DST_OPCODE__MULTIPLY_CLAMP, {3, 0, 0, 3}, {2, 0, 0, 2}, {5, 0, 0, 8}, all(6)),
                    vec("PRED_SET_EQ_PUSH true", D::PVS_DST_OPCODE__PRED_SET_EQ_PUSH, all(0), all(0), all(0), only_w(0)),
                    vec("PRED_SET_EQ_PUSH false", D::PVS_DST_OPCODE__PRED_SET_EQ_PUSH, all(0), all(1), all(0), only_w(1)),
                    vec("PRED_SET_GT_PUSH nested", D::PVS_DST_OPCODE__PRED_SET_GT_PUSH, all(2), all(1), all(0), only_w(3)),
                    vec("PRED_SET_GT_PUSH true", D::PVS_DST_OPCODE__PRED_SET_GT_PUSH, all(0), all(1), all(0), only_w(0)),
                    vec("PRED_SET_GTE_PUSH", D::PVS_DST_OPCODE__PRED_SET_GTE_PUSH, all(0), all(-0.0f), all(0), only_w(0)),
                    vec("PRED_SET_NEQ_PUSH", D::PVS_DST_OPCODE__PRED_SET_NEQ_PUSH, all(0), all(0), all(0), only_w(1)),
                    macro("MADD", regs::PVS_INST_DST_MACRO::PVS_DST_OPCODE__N2CLK_MADD, {1, 2, 3, 4}, {5, 6, 7, 8}, all(0.5f),
                          {5.5f, 12.5f, 21.5f, 32.5f}),
                    macro("M2X_ADD", regs::PVS_INST_DST_MACRO::PVS_DST_OPCODE__N2CLK_M2X_ADD, {1, 2, 3, 4}, {5, 6, 7, 8}, all(0.5f),
                          {10.5f, 24.5f, 42.5f, 64.5f}),
                    math("EXP_BASE2_DX", M::PVS_DST_OPCODE__EXP_BASE2_DX, 2.5f, 0, 0, {4, 0.5f, 5.656854249f, 1}),
                    math("EXP_BASE2_DX neg", M::PVS_DST_OPCODE__EXP_BASE2_DX, -1.25f, 0, 0, {0.25f, 0.75f, 0.42044821f, 1}),
                    math("EXP_BASE2_DX big", M::PVS_DST_OPCODE__EXP_BASE2_DX, 129.5f, 0, 0, {kInf, 0, kInf, 1}),
                    math("LOG_BASE2_DX", M::PVS_DST_OPCODE__LOG_BASE2_DX, -12, 0, 0, {3, 1.5f, 3.5849625007f, 1}),
                    math("LOG_BASE2_DX 0", M::PVS_DST_OPCODE__LOG_BASE2_DX, 0, 0, 0, {-kMax, 1, -kMax, 1}),
                    math("EXP_BASEE_FF", M::PVS_DST_OPCODE__EXP_BASEE_FF, 1.5f, 0, 0, all(4.48168907f)),
                    math("LIGHT lit", M::PVS_DST_OPCODE__LIGHT_COEFF_DX, 0.5f, 0.75f, 3, {1, 0.75f, 0.125f, 1}),
                    math("LIGHT behind", M::PVS_DST_OPCODE__LIGHT_COEFF_DX, 0.5f, -0.75f, 3, {1, 0, 0, 1}),
                    math("LIGHT clamp", M::PVS_DST_OPCODE__LIGHT_COEFF_DX, 2, 1, 1000, {1, 1, kInf, 1}),
                    math("POWER", M::PVS_DST_OPCODE__POWER_FUNC_FF, 3, 0, 4, all(81)),
                    math("POWER neg", M::PVS_DST_OPCODE__POWER_FUNC_FF, -3, 0, 4, all(-81)),
                    math("POWER 0^-1", M::PVS_DST_OPCODE__POWER_FUNC_FF, 0, 0, -1, all(kInf)),
                    math("POWER 0^0", M::PVS_DST_OPCODE__POWER_FUNC_FF, 0, 0, 0, all(1)),
                    math("POWER 0^1", M::PVS_DST_OPCODE__POWER_FUNC_FF, 0, 0, 1, all(0)),
                    math("RECIP_DX", M::PVS_DST_OPCODE__RECIP_DX, -4, 0, 0, all(-0.25f)),
                    math("RECIP_DX 0", M::PVS_DST_OPCODE__RECIP_DX, 0, 0, 0, all(kMax)),
                    math("RECIP_FF", M::PVS_DST_OPCODE__RECIP_FF, -4, 0, 0, all(-0.25f)),
                    math("RECIP_FF 0", M::PVS_DST_OPCODE__RECIP_FF, 0, 0, 0, all(0)),
                    math("RSQ_DX", M::PVS_DST_OPCODE__RECIP_SQRT_DX, -4, 0, 0, all(0.5f)),
                    math("RSQ_DX 0", M::PVS_DST_OPCODE__RECIP_SQRT_DX, 0, 0, 0, all(kMax)),
                    math("RSQ_FF", M::PVS_DST_OPCODE__RECIP_SQRT_FF, 16, 0, 0, all(0.25f)),
                    math("RSQ_FF 0", M::PVS_DST_OPCODE__RECIP_SQRT_FF, 0, 0, 0, all(0)),
                    math("MULTIPLY", M::PVS_DST_OPCODE__MULTIPLY, 3, -5, 0, all(-15)),
                    math("EXP_FULL", M::PVS_DST_OPCODE__EXP_BASE2_FULL_DX, 3.5f, 0, 0, all(11.3137085f)),
                    math("EXP_FULL -inf", M::PVS_DST_OPCODE__EXP_BASE2_FULL_DX, -kInf, 0, 0, all(0))),
    [](const auto& test) {
      std::string name = test.param.name;
      std::replace_if(
          name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
      return name + "_" + std::to_string(test.index);
    });
INSTANTIATE_TEST_SUITE_P(
    PvsMore, PvsWhole,
    testing::Values(
        math("LOG_FULL", M::PVS_DST_OPCODE__LOG_BASE2_FULL_DX, 12, 0, 0, all(3.5849625007f)),
        math("LOG_FULL 0", M::PVS_DST_OPCODE__LOG_BASE2_FULL_DX, 0, 0, 0, all(-kMax)),
        math("POWER_CLAMP_B below", M::PVS_DST_OPCODE__POWER_FUNC_FF_CLAMP_B, 2, 3, 2, all(0)),
        math("POWER_CLAMP_B", M::PVS_DST_OPCODE__POWER_FUNC_FF_CLAMP_B, 3, 3, 2, all(9)),
        math("POWER_CLAMP_B1 below", M::PVS_DST_OPCODE__POWER_FUNC_FF_CLAMP_B1, 0.25f, 0.5f, 2, all(0)),
        math("POWER_CLAMP_B1 above", M::PVS_DST_OPCODE__POWER_FUNC_FF_CLAMP_B1, 2, 0.5f, 2, all(1)),
        math("POWER_CLAMP_B1", M::PVS_DST_OPCODE__POWER_FUNC_FF_CLAMP_B1, 0.5f, 0.5f, 2, all(0.25f)),
        math("POWER_CLAMP_01 0", M::PVS_DST_OPCODE__POWER_FUNC_FF_CLAMP_01, -2, 0, 2, all(0)),
        math("POWER_CLAMP_01 1", M::PVS_DST_OPCODE__POWER_FUNC_FF_CLAMP_01, 3, 0, 2, all(1)),
        math("POWER_CLAMP_01", M::PVS_DST_OPCODE__POWER_FUNC_FF_CLAMP_01, 0.5f, 0, 3, all(0.125f)),
        math("SIN", M::PVS_DST_OPCODE__SIN, 1, 0, 0, all(0.841470985f)), math("SIN out", M::PVS_DST_OPCODE__SIN, 4, 0, 0, all(0)),
        math("COS", M::PVS_DST_OPCODE__COS, 1, 0, 0, all(0.540302306f)), math("COS out", M::PVS_DST_OPCODE__COS, -4, 0, 0, all(-1)),
        math("LOG_IEEE", M::PVS_DST_OPCODE__LOG_BASE2_IEEE, 0.125f, 0, 0, all(-3)),
        math("LOG_IEEE 0", M::PVS_DST_OPCODE__LOG_BASE2_IEEE, 0, 0, 0, all(-kInf)),
        math("RECIP_IEEE 0", M::PVS_DST_OPCODE__RECIP_IEEE, 0, 0, 0, all(kInf)),
        math("RECIP_IEEE -0", M::PVS_DST_OPCODE__RECIP_IEEE, -0.0f, 0, 0, all(-kInf)),
        math("RECIP_IEEE", M::PVS_DST_OPCODE__RECIP_IEEE, 8, 0, 0, all(0.125f)),
        math("RSQ_IEEE 0", M::PVS_DST_OPCODE__RECIP_SQRT_IEEE, 0, 0, 0, all(kInf)),
        math("RSQ_IEEE", M::PVS_DST_OPCODE__RECIP_SQRT_IEEE, 64, 0, 0, all(0.125f)),
        math("PRED_SET_EQ", M::PVS_DST_OPCODE__PRED_SET_EQ, 0, 0, 0, only_w(0)),
        math("PRED_SET_EQ no", M::PVS_DST_OPCODE__PRED_SET_EQ, 1, 0, 0, only_w(1)),
        math("PRED_SET_GT", M::PVS_DST_OPCODE__PRED_SET_GT, 1, 0, 0, only_w(0)),
        math("PRED_SET_GT no", M::PVS_DST_OPCODE__PRED_SET_GT, 0, 0, 0, only_w(1)),
        math("PRED_SET_GTE", M::PVS_DST_OPCODE__PRED_SET_GTE, 0, 0, 0, only_w(0)),
        math("PRED_SET_GTE no", M::PVS_DST_OPCODE__PRED_SET_GTE, -1, 0, 0, only_w(1)),
        math("PRED_SET_NEQ", M::PVS_DST_OPCODE__PRED_SET_NEQ, 3, 0, 0, only_w(0)),
        math("PRED_SET_NEQ no", M::PVS_DST_OPCODE__PRED_SET_NEQ, 0, 0, 0, only_w(1)),
        math("PRED_SET_CLR", M::PVS_DST_OPCODE__PRED_SET_CLR, 3, 0, 0, all(kMax)),
        math("PRED_SET_INV 1", M::PVS_DST_OPCODE__PRED_SET_INV, 1, 0, 0, only_w(0)),
        math("PRED_SET_INV 0", M::PVS_DST_OPCODE__PRED_SET_INV, 0, 0, 0, only_w(1)),
        math("PRED_SET_INV 3", M::PVS_DST_OPCODE__PRED_SET_INV, 3, 0, 0, only_w(3)),
        math("PRED_SET_POP 1", M::PVS_DST_OPCODE__PRED_SET_POP, 1, 0, 0, only_w(0)),
        math("PRED_SET_POP 3", M::PVS_DST_OPCODE__PRED_SET_POP, 3, 0, 0, only_w(2)),
        math("PRED_SET_RESTORE", M::PVS_DST_OPCODE__PRED_SET_RESTORE, 5, 0, 0, all(5)),
        math("ME NOP", M::PVS_DST_OPCODE__NOP, 5, 0, 0, all(kB)),
        WholeVector{"VE_SAT", vector_op(D::PVS_DST_OPCODE__ADD).PVS_DST_VE_SAT(1), {-1, 0.5f, 2, kNan}, all(0), all(0), {0, 0.5f, 1, 0}},
        WholeVector{"ME_SAT", math_op(M::PVS_DST_OPCODE__MULTIPLY).PVS_DST_ME_SAT(1), all(3), all(2), all(0), all(1)}),
    [](const auto& test) {
      std::string name = test.param.name;
      std::replace_if(
          name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
      return name + "_" + std::to_string(test.index);
    });

TEST_P(PvsWhole, Gives) {
  const WholeVector& w = GetParam();
  Chip chip;
  Sheet sheet(chip);
  Packets p = operation(w.d);
  p.append(pvs_constants(0, {as_bits(w.a), as_bits(w.b), as_bits(w.c), as_bits(all(kB))}));
  sheet.add(p);
  ASSERT_TRUE(sheet.run());
  for (uint32_t c = 0; c < 4; ++c)
    EXPECT_TRUE(same(sheet.value(0, c), w.want[c], 2)) << w.name << " " << c << ": " << sheet.value(0, c) << ", not " << w.want[c];
  EXPECT_TRUE(chip.reports().empty());
}

struct Scalar {
  const char* name;
  uint32_t opcode;
  double (*f)(double a, double b, double c);
  double absolute;  ///< error allowed beside two steps
};
double at_zero(double a, double there, double elsewhere) { return a == 0 ? there : elsewhere; }
class PvsScalar : public testing::TestWithParam<Scalar> {};
INSTANTIATE_TEST_SUITE_P(
    Pvs, PvsScalar,
    testing::Values(Scalar{"RECIP_DX", M::PVS_DST_OPCODE__RECIP_DX, [](double a, double, double) { return at_zero(a, kMax, 1 / a); }, 0},
                    Scalar{"RECIP_FF", M::PVS_DST_OPCODE__RECIP_FF, [](double a, double, double) { return at_zero(a, 0, 1 / a); }, 0},
                    Scalar{"RECIP_IEEE", M::PVS_DST_OPCODE__RECIP_IEEE, [](double a, double, double) { return 1 / a; }, 0},
                    Scalar{"RSQ_DX", M::PVS_DST_OPCODE__RECIP_SQRT_DX,
                           [](double a, double, double) { return at_zero(a, kMax, 1 / std::sqrt(std::fabs(a))); }, 0},
                    Scalar{"RSQ_FF", M::PVS_DST_OPCODE__RECIP_SQRT_FF,
                           [](double a, double, double) { return at_zero(a, 0, 1 / std::sqrt(std::fabs(a))); }, 0},
                    Scalar{"RSQ_IEEE", M::PVS_DST_OPCODE__RECIP_SQRT_IEEE,
                           [](double a, double, double) { return at_zero(a, kInf, 1 / std::sqrt(std::fabs(a))); }, 0},
                    Scalar{"EXP_FULL", M::PVS_DST_OPCODE__EXP_BASE2_FULL_DX, [](double a, double, double) { return std::exp2(a); }, 0},
                    Scalar{"EXP_E", M::PVS_DST_OPCODE__EXP_BASEE_FF, [](double a, double, double) { return std::exp(a); }, 0},
                    Scalar{"LOG_FULL", M::PVS_DST_OPCODE__LOG_BASE2_FULL_DX,
                           [](double a, double, double) { return at_zero(a, -kMax, std::log2(std::fabs(a))); }, 1e-6},
                    Scalar{"LOG_IEEE", M::PVS_DST_OPCODE__LOG_BASE2_IEEE, [](double a, double, double) { return std::log2(std::fabs(a)); },
                           1e-6},
                    Scalar{"MULTIPLY", M::PVS_DST_OPCODE__MULTIPLY, [](double a, double b, double) { return a * b; }, 0}),
    [](const auto& test) { return std::string(test.param.name); });

/// All pairs of edge values, in all four components.
TEST_P(PvsScalar, EdgeValues) {
  Chip chip;
  Sheet sheet(chip);
  sheet.packets.append(operation(math_op(GetParam().opcode)));
  const auto values = edge_values();
  std::vector<std::array<float, 2>> pairs;
  for (const float a : values)
    for (const float b : values) pairs.push_back({a, b});
  for (const auto& [a, b] : pairs)
    sheet.add(pvs_constants(0, {as_bits({9, 9, 9, a}), as_bits({9, 9, 9, b}), as_bits(all(7)), as_bits(all(42))}));
  ASSERT_TRUE(sheet.run());
  for (uint32_t i = 0; i < pairs.size(); ++i) {
    const auto& [a, b] = pairs[i];
    const float want = canonical(static_cast<float>(GetParam().f(flush(a), flush(b), 7)));
    for (uint32_t c = 0; c < 4; ++c)
      EXPECT_TRUE(same(sheet.value(i, c), want, 2, GetParam().absolute))
          << "(" << a << ", " << b << "): " << sheet.value(i, c) << ", not " << want;
  }
  EXPECT_TRUE(chip.reports().empty());
}

/// Runs `program` behind the position move with constants 0.. = {1,2,3,4}, {10,..,40}, {100,..}, ... ; the texcoord is output 1.
Vector run(std::vector<Instruction> program, const Packets& extra = {}) {
  Chip chip;
  Sheet sheet(chip);
  program.insert(program.begin(), move_instruction(kOutput, 0, 1, 0));
  Packets p = vertex_program(program);
  p.set(regs::VAP_PVS_CONST_CNTL().PVS_MAX_CONST_ADDR(15));
  std::vector<std::array<uint32_t, 4>> constants;
  for (int i = 0; i < 20; ++i) constants.push_back(as_bits({10.0f * i + 1, 10.0f * i + 2, 10.0f * i + 3, 10.0f * i + 4}));
  p.append(pvs_constants(0, constants));
  p.append(extra);
  sheet.add(p);
  EXPECT_TRUE(sheet.run());
  for (const Report& r : chip.reports()) ADD_FAILURE() << r.text;
  return {sheet.value(0, 0), sheet.value(0, 1), sheet.value(0, 2), sheet.value(0, 3)};
}

TEST(Pvs, SwizzlesNegationAbsoluteValue) {
  S s = source(kConstant, 1)
            .PVS_SRC_SWIZZLE_X(3)
            .PVS_SRC_SWIZZLE_Y(2)
            .PVS_SRC_SWIZZLE_Z(5)
            .PVS_SRC_SWIZZLE_W(4)
            .PVS_SRC_MODIFIER_Y(1)
            .PVS_SRC_MODIFIER_Z(1);
  EXPECT_EQ(run({move(kOutput, 1, s)}), (Vector{14, -13, -1, 0}));
  EXPECT_EQ(run({move(kTemp, 0, s), move(kOutput, 1, source(kTemp, 0).PVS_SRC_ABS_XYZW(1).PVS_SRC_MODIFIER_X(1))}),
            (Vector{-14, 13, 1, 0}));
  // Alternate temps, output with x replicated, write masks.
  EXPECT_EQ(run({move(kAlternate, 2, source(kConstant, 3)), move(kOutput, 1, source(3, 2))}), (Vector{31, 32, 33, 34}));
  EXPECT_EQ(run({move(3, 1, source(kConstant, 3))}), all(31));
  Instruction masked = move(kOutput, 1, source(kConstant, 1));
  masked[0] = D{masked[0]}.PVS_DST_WE_Y(0).PVS_DST_WE_W(0).raw;
  EXPECT_EQ(run({move(kOutput, 1, source(kConstant, 0)), masked}), (Vector{11, 2, 13, 4}));
}

/// FLT2FIX floors (or rounds) into A0; constants outside 0..MAX read as zero.
TEST(Pvs, RelativeConstants) {
  const struct {
    uint32_t op;
    float index;
    float want;
  } cases[] = {{D::PVS_DST_OPCODE__FLT2FIX_DX, 2.9f, 41},     {D::PVS_DST_OPCODE__FLT2FIX_DX, -1.5f, 1},
               {D::PVS_DST_OPCODE__FLT2FIX_DX_RND, 2.9f, 51}, {D::PVS_DST_OPCODE__FLT2FIX_DX_RND, 2.4f, 41},
               {D::PVS_DST_OPCODE__FLT2FIX_DX, 13, 151},      {D::PVS_DST_OPCODE__FLT2FIX_DX, 14, 0},
               {D::PVS_DST_OPCODE__FLT2FIX_DX, -3, 0},        {D::PVS_DST_OPCODE__FLT2FIX_DX, 1e30f, 0},
               {D::PVS_DST_OPCODE__FLT2FIX_DX, -1e30f, 0},    {D::PVS_DST_OPCODE__FLT2FIX_DX, kNan, 21}};
  for (const auto& c : cases) {
    const S index = source(kConstant, 15);
    const Instruction fix = encode(destination(kA0, 0).PVS_DST_OPCODE(c.op), index, index, index);
    S relative = source(kConstant, 2).PVS_SRC_ADDR_MODE_0(1).PVS_SRC_ADDR_SEL(2);
    Packets set = pvs_constants(15, {as_bits({151, 0, c.index, 0})});
    EXPECT_EQ(run({fix, move(kOutput, 1, relative)}, set)[0], c.want) << c.index;
  }
}

TEST(Pvs, PredicatedWrites) {
  for (const bool value : {false, true})
    for (const bool sense : {false, true}) {
      S x = source(kConstant, value ? 0 : 15);  // w != 0 or, out of MAX by the base below, 0
      x.PVS_SRC_SWIZZLE_W(value ? 3 : 4);
      const Instruction set = encode(destination(kTemp, 5).PVS_DST_OPCODE(M::PVS_DST_OPCODE__PRED_SET_NEQ).PVS_DST_MATH_INST(1), x, x, x);
      Instruction write = move(kOutput, 1, source(kConstant, 2));
      write[0] = D{write[0]}.PVS_DST_PRED_ENABLE(1).PVS_DST_PRED_SENSE(sense).raw;
      EXPECT_EQ(run({move(kOutput, 1, source(kConstant, 1)), set, write})[0], value == sense ? 21.0f : 11.0f);
    }
}

/// Slot 0 is the position; 1: out = 0 or so; flow entries act on slot numbers.
TEST(Pvs, LoopsJumpsAndSubroutines) {
  using Opc = regs::VAP_PVS_FLOW_CNTL_OPC;
  using Lw = regs::VAP_PVS_FLOW_CNTL_ADDRS_LW;
  using Uw = regs::VAP_PVS_FLOW_CNTL_ADDRS_UW;
  using Index = regs::VAP_PVS_FLOW_CNTL_LOOP_INDEX;
  const auto entry = [](Packets& p, uint32_t i, uint32_t act, uint32_t count, uint32_t last, uint32_t back) {
    const uint32_t words[] = {act | count << 16, last | back << 16};
    static_assert(Lw::offset + 4 == Uw::offset);
    p.write(Lw::offset + 8 * i, words);
  };
  const Instruction sum = encode(destination(kTemp, 0).PVS_DST_OPCODE(D::PVS_DST_OPCODE__ADD), source(kTemp, 0),
                                 source(kConstant, 1).PVS_SRC_ADDR_MODE_1(1), source(kTemp, 0));  // += constant 1 + aL
  const Instruction plain =
      encode(destination(kTemp, 0).PVS_DST_OPCODE(D::PVS_DST_OPCODE__ADD), source(kTemp, 0), source(kConstant, 2), source(kTemp, 0));
  const std::vector<Instruction> program = {move(kTemp, 0, source(kConstant, 0)), sum, plain, move(kOutput, 1, source(kTemp, 0))};
  Packets loop;  // slot 2 three times with aL = 1, 3, 5: constants 2, 4, 6
  entry(loop, 0, 1, 3, 2, 2);
  loop.set(Index().PVS_FC_LOOP_INIT_VAL_0(1).PVS_FC_LOOP_STEP_VAL_0(2));
  loop.set(Opc().PVS_FC_OPC_0(2));
  EXPECT_EQ(run(program, loop)[0], 1 + (21 + 41 + 61) + 21.0f);
  loop.set(Index().PVS_FC_LOOP_INIT_VAL_0(5).PVS_FC_LOOP_STEP_VAL_0(0xFE));
  EXPECT_EQ(run(program, loop)[0], 1 + (61 + 41 + 21) + 21.0f);
  Packets nested;  // inner: slot 2 twice; outer: slots 2..3 three times
  entry(nested, 0, 1, 3, 3, 2);
  nested.set(Index());
  EXPECT_EQ(run(program,
                [&] {
                  Packets p = nested;
                  p.set(Opc().PVS_FC_OPC_0(2));
                  return p;
                }())[0],
            1 + 3 * (11 + 21.0f));
  Packets jump;  // slot 1 -> 3
  entry(jump, 0, 1, 3, 0, 0);
  jump.set(Opc().PVS_FC_OPC_0(1));
  EXPECT_EQ(run(program, jump)[0], 1 + 21.0f);
  // The subroutine is slots 5..5; called behind slot 1, returns to 2; the program ends at slot 4.
  std::vector<Instruction> with_subroutine = program;
  with_subroutine.push_back(plain);
  Packets call;
  entry(call, 3, 1, 5, 5, 2);
  call.set(Opc().PVS_FC_OPC_3(3));
  call.set(regs::VAP_PVS_CODE_CNTL_0().PVS_FIRST_INST(0).PVS_XYZW_VALID_INST(4).PVS_LAST_INST(4));
  EXPECT_EQ(run(with_subroutine, call)[0], 1 + 21 + 11 + 21.0f);
}

}  // namespace
}  // namespace pumice::hw::test
