// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>

#include "hw/common/numerics/float_bits.h"
#include "tests/hw/pixel/chip.h"

namespace pumice::hw::test {
namespace {

using Func = regs::FG_ALPHA_FUNC;

uint8_t run(Chip& chip, float alpha) {
  PixelQuad q = quad_at(0, 0);
  for (auto& pixel : q.color[0]) pixel = {0.25f, 0.5f, 0.75f, alpha};
  return fg::run(chip.ctx, q, 0b0111);
}

TEST(AlphaTest, EveryFunctionInEveryPrecision) {
  // Reference codes around which alpha lies below, at, above.
  constexpr bool pass[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
  Chip chip;
  for (uint32_t func = 0; func < 8; ++func)
    for (int order = 0; order < 3; ++order) {
      const int step = order - 1;
      chip.set(Func{0}.AF_EN(1).AF_FUNC(func).AF_EN_8BIT(1).AF_VAL(100));
      EXPECT_EQ(run(chip, float(100 + step) / 255), pass[func][order] ? 0b0111 : 0) << func << ' ' << order;
      chip.set(Func{0}.AF_EN(1).AF_FUNC(func).AF_VAL(7));
      chip.set(regs::FG_ALPHA_VALUE{0}.AF_VAL(600));
      EXPECT_EQ(run(chip, float(600 + step) / 1023), pass[func][order] ? 0b0111 : 0);
      chip.set(Func{0}.AF_EN(1).AF_FUNC(func).FP16_ENABLE(1));
      chip.set(regs::FG_ALPHA_VALUE{0}.AF_VAL(num::float_to_half(-3.0f)));
      EXPECT_EQ(run(chip, -3.0f + 0.25f * float(step)), pass[func][order] ? 0b0111 : 0);
      chip.state.profile = Profile::r300;  // 8 bits whatever the R5xx fields say
      chip.set(Func{0}.AF_EN(1).AF_FUNC(func).FP16_ENABLE(1).AF_VAL(100));
      EXPECT_EQ(run(chip, float(100 + step) / 255), pass[func][order] ? 0b0111 : 0);
      chip.state.profile = Profile::r500;
    }
}

TEST(AlphaTest, OffReturnsTheMask) {
  Chip chip;
  chip.set(Func{0}.AF_FUNC(0).DITH_EN(1));
  EXPECT_EQ(run(chip, 0.0f), 0b0111);
}

TEST(AlphaTest, OffsetAddsTwoTenBitSteps) {
  Chip chip;
  chip.set(regs::FG_ALPHA_VALUE{0}.AF_VAL(602));
  chip.set(Func{0}.AF_EN(1).AF_FUNC(Func::AF_FUNC__EQUAL).ALP_OFF_EN(1));
  EXPECT_EQ(run(chip, 600.0f / 1023), 0b0111);
  EXPECT_EQ(run(chip, 601.0f / 1023), 0);
}

TEST(AlphaToMask, OneSampleFlipsAtOneHalf) {
  Chip chip;
  for (uint32_t cfg : {0u, 1u}) {
    chip.set(Func{0}.AM_EN(1).AM_CFG(cfg));
    EXPECT_EQ(run(chip, 0.0f), 0);
    EXPECT_EQ(run(chip, 0.499f), 0);
    EXPECT_EQ(run(chip, 0.5f), 0b0111);
    EXPECT_EQ(run(chip, 1.0f), 0b0111);
    EXPECT_EQ(run(chip, NAN), 0);
  }
}

TEST(Fog, MixesTowardsTheFogColourAsFGoesToZero) {
  Chip chip;
  using Fog = regs::FG_FOG_BLEND;
  chip.set(regs::FG_FOG_COLOR_R{0}.RED(1023));
  chip.set(regs::FG_FOG_COLOR_G{0}.GREEN(0));
  chip.set(regs::FG_FOG_COLOR_B{0}.BLUE(1023));
  chip.set(regs::GB_SELECT{0}.FOG_SELECT(regs::GB_SELECT::FOG_SELECT__Z));
  chip.state.reg[regs::GA_FOG_SCALE::offset / 4] = std::bit_cast<uint32_t>(2.0f);
  chip.state.reg[regs::GA_FOG_OFFSET::offset / 4] = std::bit_cast<uint32_t>(-0.25f);
  chip.set(regs::FG_FOG_FACTOR{0}.FACTOR(1023));
  const float z = 0.5f, c = z * 2 - 0.25f;  // 0.75
  const struct {
    uint32_t fn;
    double f;
  } table[] = {{Fog::FN__LINEAR, c}, {Fog::FN__EXP, std::exp(-c)}, {Fog::FN__EXP2, std::exp(-c * c)}, {Fog::FN__CONSTANT_FG_FOG_FACTOR, 1}};
  for (auto [fn, f] : table) {
    chip.set(Fog{0}.ENABLE(1).FN(fn));
    PixelQuad q = quad_at(0, 0);
    q.quad.z = {z, z, z, z};
    for (auto& pixel : q.color[0]) pixel = {0.25f, 0.5f, 0.75f, 0.125f};
    EXPECT_EQ(fg::run(chip.ctx, q, 0b0001), 0b0001);
    EXPECT_NEAR(q.color[0][0][0], 1 + f * (0.25 - 1), 1e-6) << fn;
    EXPECT_NEAR(q.color[0][0][1], f * 0.5, 1e-6);
    EXPECT_NEAR(q.color[0][0][2], 1 + f * (0.75 - 1), 1e-6);
    EXPECT_EQ(q.color[0][0][3], 0.125f);
    EXPECT_EQ(q.color[0][1][0], 0.25f);  // not covered
  }
  chip.set(Fog{0}.ENABLE(1).FN(Fog::FN__LINEAR));
  chip.set(regs::GB_SELECT{0}.FOG_SELECT(regs::GB_SELECT::FOG_SELECT__W));
  PixelQuad q = quad_at(0, 0);
  q.quad.z = {1, 1, 1, 1};
  q.fog = {0.375f, 0.375f, 0.375f, 0.375f};  // from RS; * 2 - 0.25
  q.color[0][0] = {0, 1, 0, 1};
  EXPECT_EQ(fg::run(chip.ctx, q, 1), 1);
  EXPECT_EQ(q.color[0][0], (Vec4{0.5f, 0.5f, 0.5f, 1}));
  EXPECT_TRUE(chip.reports.empty());
  chip.set(regs::GB_SELECT{0}.FOG_SELECT(6));
  fg::run(chip.ctx, q, 0xF);
  fg::run(chip.ctx, q, 0xF);
  EXPECT_EQ(chip.reports.size(), 1u);
}

}  // namespace
}  // namespace pumice::hw::test
