// SPDX-License-Identifier: MIT
/// Every PVS opcode with edge values: bits in, bits out.
#include "hw/radeon/ref/vap/pvs_alu.h"

#include "tests/hw/vap/fixture.h"

namespace pumice::hw::test {
namespace {

constexpr uint32_t k0 = 0, kN0 = 0x80000000, k1 = 0x3F800000, kN1 = 0xBF800000, k2 = 0x40000000, k3 = 0x40400000, kHalf = 0x3F000000,
                   kInf = num::kInf, kNInf = 0xFF800000, kNan = num::kQuietNan, kMax = num::kMaxFloat, kNMax = 0xFF7FFFFF, k4 = 0x40800000,
                   kMinNormal = 0x00800000;

struct Row {
  uint32_t opcode;
  std::array<uint32_t, 4> a, b, c, result;
  bool predicate_before = false, predicate_after = false;
  uint32_t mask = 0xF;
};
std::array<uint32_t, 4> all(uint32_t x) { return {x, x, x, x}; }
Vec4 floats(const std::array<uint32_t, 4>& u) { return {f(u[0]), f(u[1]), f(u[2]), f(u[3])}; }

TEST(PvsAlu, VectorEngine) {
  using D = Dst;
  const Row rows[] = {
      {D::PVS_DST_OPCODE__NOP, all(k1), all(k1), all(k1), all(0), true, true, 0},
      {D::PVS_DST_OPCODE__DOT_PRODUCT, {k1, k2, k3, k1}, {k1, k1, k1, k2}, {}, all(0x41000000)},
      // Order x, y, z, w: (2^24 + 1) + -2^24 loses the 1. Terms after the first are fused: (1+2^-12)^2 - (1+2^-11) leaves 2^-24.
      {D::PVS_DST_OPCODE__DOT_PRODUCT, {0xBF801000, 0x3F800800, k0, k0}, {k1, 0x3F800800, k0, k0}, {}, all(0x33800000)},
      {D::PVS_DST_OPCODE__DOT_PRODUCT, {0x4B800000, k1, 0xCB800000, k0}, all(k1), {}, all(k0)},
      {D::PVS_DST_OPCODE__MULTIPLY, {k2, k0, kMax, kMinNormal}, {k3, kInf, k2, kHalf}, {}, {0x40C00000, kNan, kInf, k0}},
      {D::PVS_DST_OPCODE__MULTIPLY, {kN1, 0x80800000, kN0, kInf}, {k0, kHalf, kN1, kN1}, {}, {kN0, kN0, k0, kNInf}},
      {D::PVS_DST_OPCODE__ADD, {k1, kInf, kN0, kN0}, {k1, kNInf, kN0, k0}, {}, {k2, kNan, kN0, k0}},
      // 1 + 2^-24 rounds to even, 1 + 3*2^-24 up.
      {D::PVS_DST_OPCODE__ADD, {k1, k1, 0x00800001, k1}, {0x33800000, 0x34400000, 0x80800000, kN1}, {}, {k1, 0x3F800002, k0, k0}},
      // One rounding: (1+2^-12)^2 - (1+2^-11) is 2^-24, with two it would be 0.
      {D::PVS_DST_OPCODE__MULTIPLY_ADD, all(0x3F800800), all(0x3F800800), all(0xBF801000), all(0x33800000)},
      {D::PVS_DST_OPCODE__MULTIPLYX2_ADD, all(0x3F000800), all(0x3F800800), all(0xBF801000), all(0x33800000)},
      // Tiny after rounding to 24 bits: the largest denormal and a half rounds up to 2^-126 but in 24 bits stays below.
      {D::PVS_DST_OPCODE__MULTIPLY, {0x00FFFFFF, k0, k0, k0}, {kHalf, k0, k0, k0}, {}, {k0, k0, k0, k0}},
      {D::PVS_DST_OPCODE__MULTIPLY_ADD, all(k2), all(k3), all(k1), all(0x40E00000)},
      {D::PVS_DST_OPCODE__DISTANCE_VECTOR, {k2, k3, k4, kHalf}, {k3, k2, k1, kN1}, {}, {k1, 0x40C00000, k4, kN1}},
      {D::PVS_DST_OPCODE__FRACTION, {0x3FC00000, 0xBF400000, k3, kInf}, {}, {}, {kHalf, 0x3E800000, k0, kNan}},
      {D::PVS_DST_OPCODE__MAXIMUM, {k1, kNan, k1, kN0}, {k2, k1, kNan, k0}, {}, {k2, k1, kNan, kN0}},
      {D::PVS_DST_OPCODE__MINIMUM, {k1, kNan, k1, kN0}, {k2, k1, kNan, k0}, {}, {k1, k1, kNan, k0}},
      {D::PVS_DST_OPCODE__SET_GREATER_THAN_EQUAL, {k1, k1, k0, kNan}, {k1, k2, kN0, kNan}, {}, {k1, k0, k1, k0}},
      {D::PVS_DST_OPCODE__SET_LESS_THAN, {k1, k1, k0, kNan}, {k1, k2, kN0, k1}, {}, {k0, k1, k0, k0}},
      {D::PVS_DST_OPCODE__MULTIPLYX2_ADD, all(k2), all(k3), all(k1), all(0x41500000)},
      {D::PVS_DST_OPCODE__MULTIPLY_CLAMP, {k2, k0, k0, k2}, {k2, k0, k0, k2}, {k1, k0, k0, k3}, all(k3)},  // above c.w
      {D::PVS_DST_OPCODE__MULTIPLY_CLAMP, {k1, k0, k0, k1}, {k1, k0, k0, k1}, {k2, k0, k0, k3}, all(k2)},  // below c.x
      {D::PVS_DST_OPCODE__MULTIPLY_CLAMP, {k2, k0, k0, k2}, {k1, k0, k0, k1}, {k1, k0, k0, k3}, all(k2)},  // between
      {D::PVS_DST_OPCODE__FLT2FIX_DX, {0x3FC00000, 0xBFC00000, k3, kN0}, {}, {}, {k1, 0xC0000000, k3, kN0}},
      {D::PVS_DST_OPCODE__FLT2FIX_DX_RND, {0x3FC00000, 0xBFC00000, 0x3F7FFFFF, 0x3E800000}, {}, {}, {k2, kN1, k1, k0}},
      {D::PVS_DST_OPCODE__PRED_SET_EQ_PUSH, all(k0), all(k0), {}, all(k0), false, true, 8},
      {D::PVS_DST_OPCODE__PRED_SET_EQ_PUSH, all(k1), all(k0), {}, all(k2), true, false, 8},
      {D::PVS_DST_OPCODE__PRED_SET_GT_PUSH, all(k0), all(k1), {}, all(k0), false, true, 8},
      {D::PVS_DST_OPCODE__PRED_SET_GT_PUSH, all(k0), all(k0), {}, all(k1), true, false, 8},
      {D::PVS_DST_OPCODE__PRED_SET_GTE_PUSH, all(k0), all(kN0), {}, all(k0), false, true, 8},
      {D::PVS_DST_OPCODE__PRED_SET_NEQ_PUSH, all(k0), all(kNan), {}, all(k0), false, true, 8},
      {D::PVS_DST_OPCODE__PRED_SET_NEQ_PUSH, all(k0), all(k0), {}, all(k1), true, false, 8},
      {D::PVS_DST_OPCODE__COND_WRITE_EQ, {k0, kN0, k1, kNan}, all(k2), {}, all(k2), false, false, 3},
      {D::PVS_DST_OPCODE__COND_WRITE_GT, {k0, kN1, k1, kInf}, all(k2), {}, all(k2), false, false, 12},
      {D::PVS_DST_OPCODE__COND_WRITE_GTE, {kN0, kN1, k1, kNan}, all(k2), {}, all(k2), false, false, 5},
      {D::PVS_DST_OPCODE__COND_WRITE_NEQ, {kN0, kN1, k1, kNan}, all(k2), {}, all(k2), false, false, 14},
      {D::PVS_DST_OPCODE__COND_MUX_EQ, {kN0, kN1, k1, kNan}, all(k2), all(k3), {k2, k3, k3, k3}},
      {D::PVS_DST_OPCODE__COND_MUX_GT, {kN0, kN1, k1, kNan}, all(k2), all(k3), {k3, k3, k2, k3}},
      {D::PVS_DST_OPCODE__COND_MUX_GTE, {kN0, kN1, k1, kNan}, all(k2), all(k3), {k2, k3, k2, k3}},
      {D::PVS_DST_OPCODE__SET_GREATER_THAN, {k1, k2, k0, kNan}, {k1, k1, kN0, k1}, {}, {k0, k1, k0, k0}},
      {D::PVS_DST_OPCODE__SET_EQUAL, {k1, k2, k0, kNan}, {k1, k1, kN0, kNan}, {}, {k1, k0, k1, k0}},
      {D::PVS_DST_OPCODE__SET_NOT_EQUAL, {k1, k2, k0, kNan}, {k1, k1, kN0, kNan}, {}, {k0, k1, k0, k1}},
  };
  uint32_t seen = 0;
  for (const Row& r : rows) {
    bool predicate = r.predicate_before;
    const vap::AluResult got = vap::vector_engine(r.opcode, floats(r.a), floats(r.b), floats(r.c), predicate);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(num::bits(got.value[i]), r.result[i]) << "row " << &r - rows << " component " << i;
    EXPECT_EQ(got.mask, r.mask) << "row " << &r - rows;
    EXPECT_EQ(predicate, r.predicate_after) << "row " << &r - rows;
    seen |= 1u << r.opcode;
  }
  EXPECT_EQ(seen, (2u << Dst::PVS_DST_OPCODE__SET_NOT_EQUAL) - 1);  // no opcode without a row
}

struct MathRow {
  uint32_t opcode, a, b, c;
  std::array<uint32_t, 4> result;
  bool predicate_before = false, predicate_after = false;
  uint32_t mask = 0xF;
};

TEST(PvsAlu, MathEngine) {
  using M = Math;
  constexpr uint32_t kMinus2 = 0xC0000000, k8 = 0x41000000, kE = 0x402DF854, kQuarter = 0x3E800000;
  const MathRow rows[] = {
      {M::PVS_DST_OPCODE__NOP, k1, k1, k1, all(0), true, true, 0},
      {M::PVS_DST_OPCODE__EXP_BASE2_DX, 0x40200000, 0, 0, {k4, kHalf, 0x40B504F3, k1}},        // 2.5
      {M::PVS_DST_OPCODE__EXP_BASE2_DX, 0xBFC00000, 0, 0, {kQuarter, kHalf, 0x3EB504F3, k1}},  // -1.5
      {M::PVS_DST_OPCODE__EXP_BASE2_DX, 0x43010000, 0, 0, {kInf, k0, kInf, k1}},               // 129
      {M::PVS_DST_OPCODE__LOG_BASE2_DX, k0, 0, 0, {kNMax, k1, kNMax, k1}},
      {M::PVS_DST_OPCODE__LOG_BASE2_DX, 0xC0C00000, 0, 0, {k2, 0x3FC00000, 0x40257006, k1}},  // -6
      {M::PVS_DST_OPCODE__LOG_BASE2_DX, kNInf, 0, 0, {kInf, k1, kInf, k1}},
      {M::PVS_DST_OPCODE__EXP_BASEE_FF, k1, 0, 0, all(kE)},
      {M::PVS_DST_OPCODE__EXP_BASEE_FF, kNInf, 0, 0, all(k0)},
      {M::PVS_DST_OPCODE__LIGHT_COEFF_DX, k2, kHalf, k3, {k1, kHalf, k8, k1}},
      {M::PVS_DST_OPCODE__LIGHT_COEFF_DX, k2, kN1, k3, {k1, k0, k0, k1}},
      {M::PVS_DST_OPCODE__LIGHT_COEFF_DX, kN1, k1, k0, {k1, k1, k1, k1}},           // 0^0 = 1
      {M::PVS_DST_OPCODE__LIGHT_COEFF_DX, k2, k1, 0x43800000, {k1, k1, kInf, k1}},  // power limited to 128
      {M::PVS_DST_OPCODE__LIGHT_COEFF_DX, kNan, kNan, k1, {k1, k0, k0, k1}},
      {M::PVS_DST_OPCODE__POWER_FUNC_FF, k2, k1, k3, all(k8)},
      {M::PVS_DST_OPCODE__POWER_FUNC_FF, kMinus2, k1, k2, all(0xC0800000)},
      {M::PVS_DST_OPCODE__POWER_FUNC_FF, k0, 0, kN1, all(kInf)},
      {M::PVS_DST_OPCODE__POWER_FUNC_FF, k0, 0, k0, all(k1)},
      {M::PVS_DST_OPCODE__POWER_FUNC_FF, k0, 0, k1, all(k0)},
      {M::PVS_DST_OPCODE__RECIP_DX, k4, 0, 0, all(kQuarter)},
      {M::PVS_DST_OPCODE__RECIP_DX, k0, 0, 0, all(kMax)},
      {M::PVS_DST_OPCODE__RECIP_DX, kInf, 0, 0, all(k0)},
      {M::PVS_DST_OPCODE__RECIP_FF, kN0, 0, 0, all(k0)},
      {M::PVS_DST_OPCODE__RECIP_SQRT_DX, 0xC0800000, 0, 0, all(kHalf)},
      {M::PVS_DST_OPCODE__RECIP_SQRT_DX, k0, 0, 0, all(kMax)},
      {M::PVS_DST_OPCODE__RECIP_SQRT_FF, k0, 0, 0, all(k0)},
      {M::PVS_DST_OPCODE__MULTIPLY, k2, k3, 0, all(0x40C00000)},
      {M::PVS_DST_OPCODE__EXP_BASE2_FULL_DX, k3, 0, 0, all(k8)},
      {M::PVS_DST_OPCODE__LOG_BASE2_FULL_DX, 0xC1000000, 0, 0, all(k3)},
      {M::PVS_DST_OPCODE__LOG_BASE2_FULL_DX, kN0, 0, 0, all(kNMax)},
      {M::PVS_DST_OPCODE__POWER_FUNC_FF_CLAMP_B, k1, k2, k3, all(k0)},
      {M::PVS_DST_OPCODE__POWER_FUNC_FF_CLAMP_B, k2, k1, k3, all(k8)},
      {M::PVS_DST_OPCODE__POWER_FUNC_FF_CLAMP_B1, k2, k1, k3, all(k1)},
      {M::PVS_DST_OPCODE__POWER_FUNC_FF_CLAMP_B1, kHalf, k0, k2, all(kQuarter)},
      {M::PVS_DST_OPCODE__POWER_FUNC_FF_CLAMP_B1, kHalf, k1, k2, all(k0)},
      {M::PVS_DST_OPCODE__POWER_FUNC_FF_CLAMP_01, k0, k0, k0, all(k0)},
      {M::PVS_DST_OPCODE__POWER_FUNC_FF_CLAMP_01, k2, k0, k2, all(k1)},
      {M::PVS_DST_OPCODE__POWER_FUNC_FF_CLAMP_01, kHalf, k0, k2, all(kQuarter)},
      {M::PVS_DST_OPCODE__SIN, 0x3FC90FDB, 0, 0, all(k1)},
      {M::PVS_DST_OPCODE__SIN, 0x40490FDB, 0, 0, all(k0)},  // half a turn
      {M::PVS_DST_OPCODE__SIN, 0x40490FDC, 0, 0, all(k0)},  // beyond pi
      {M::PVS_DST_OPCODE__COS, 0x40490FDB, 0, 0, all(kN1)},
      {M::PVS_DST_OPCODE__COS, kN0, 0, 0, all(k1)},
      {M::PVS_DST_OPCODE__COS, kInf, 0, 0, all(kN1)},
      {M::PVS_DST_OPCODE__LOG_BASE2_IEEE, k8, 0, 0, all(k3)},
      {M::PVS_DST_OPCODE__LOG_BASE2_IEEE, k0, 0, 0, all(kNInf)},
      {M::PVS_DST_OPCODE__RECIP_IEEE, kN0, 0, 0, all(kNInf)},
      {M::PVS_DST_OPCODE__RECIP_IEEE, kMinus2, 0, 0, all(0xBF000000)},
      {M::PVS_DST_OPCODE__RECIP_SQRT_IEEE, k0, 0, 0, all(kInf)},
      {M::PVS_DST_OPCODE__RECIP_SQRT_IEEE, k4, 0, 0, all(kHalf)},
      {M::PVS_DST_OPCODE__PRED_SET_EQ, k0, 0, 0, all(k0), false, true, 8},
      {M::PVS_DST_OPCODE__PRED_SET_EQ, k1, 0, 0, all(k1), true, false, 8},
      {M::PVS_DST_OPCODE__PRED_SET_GT, k1, 0, 0, all(k0), false, true, 8},
      {M::PVS_DST_OPCODE__PRED_SET_GTE, kN1, 0, 0, all(k1), true, false, 8},
      {M::PVS_DST_OPCODE__PRED_SET_NEQ, k1, 0, 0, all(k0), false, true, 8},
      {M::PVS_DST_OPCODE__PRED_SET_CLR, k1, 0, 0, all(kMax), true, false},
      {M::PVS_DST_OPCODE__PRED_SET_INV, k1, 0, 0, all(k0), false, true, 8},
      {M::PVS_DST_OPCODE__PRED_SET_INV, k0, 0, 0, all(k1), true, false, 8},
      {M::PVS_DST_OPCODE__PRED_SET_INV, k2, 0, 0, all(k2), true, false, 8},
      {M::PVS_DST_OPCODE__PRED_SET_POP, k1, 0, 0, all(k0), false, true, 8},
      {M::PVS_DST_OPCODE__PRED_SET_POP, k2, 0, 0, all(k1), true, false, 8},
      {M::PVS_DST_OPCODE__PRED_SET_RESTORE, k0, 0, 0, all(k0), false, true},
      {M::PVS_DST_OPCODE__PRED_SET_RESTORE, k3, 0, 0, all(k3), true, false},
  };
  uint32_t seen = 0;
  for (const MathRow& r : rows) {
    bool predicate = r.predicate_before;
    const vap::AluResult got = vap::math_engine(r.opcode, f(r.a), f(r.b), f(r.c), predicate);
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(num::bits(got.value[i]), r.result[i])
          << "row " << &r - rows << " component " << i << std::hex << " " << num::bits(got.value[i]);
    EXPECT_EQ(got.mask, r.mask) << "row " << &r - rows;
    EXPECT_EQ(predicate, r.predicate_after) << "row " << &r - rows;
    seen |= 1u << r.opcode;
  }
  EXPECT_EQ(seen, (2u << Math::PVS_DST_OPCODE__PRED_SET_RESTORE) - 1);
}

TEST(PvsAlu, SaturateAndAddress) {
  EXPECT_EQ(vap::saturate(f(kNan)), 0.0f);
  EXPECT_EQ(vap::saturate(2.0f), 1.0f);
  EXPECT_EQ(vap::saturate(0.25f), 0.25f);
  EXPECT_EQ(num::bits(vap::saturate(f(kN0))), 0u);
  EXPECT_EQ(vap::to_address(-1.5f), -2);
  EXPECT_EQ(vap::to_address(1e30f), 255);
  EXPECT_EQ(vap::to_address(f(kNInf)), -256);
  EXPECT_EQ(vap::to_address(f(kNan)), 0);
}

}  // namespace
}  // namespace pumice::hw::test
