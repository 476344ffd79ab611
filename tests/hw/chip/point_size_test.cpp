// SPDX-License-Identifier: MIT
/// Sizes of points by packets: the vertex's, kept between the limits of GA_POINT_MINMAX (pipeline s.2.4); the register's, which has none.
#include <gtest/gtest.h>

#include "tests/hw/chip/chip.h"

namespace pumice::hw::test {
namespace {

constexpr uint32_t kSize = 64;
constexpr int kCentre = 32;  ///< a corner of pixels

/// A point of `size` pixels from its vertex, half sizes between `least` and `most` pixels.
struct Drawn {
  int columns = 0, rows = 0;
  Drawn(bool from_vertex, float size, uint32_t least, uint32_t most) {
    Chip chip;
    const uint32_t pixels = chip.allocate(kSize * kSize * 4);
    Packets p = plain_state({kSize, kSize, pixels, 0});
    p.append(float_target(pixels, kSize));
    // What the vertex program makes of the attribute is the size, the colour is the point's own coordinates.
    p.set(regs::VAP_OUT_VTX_FMT_0().VTX_POS_PRESENT(1).VTX_PT_SIZE_PRESENT(from_vertex));
    p.set(regs::VAP_OUT_VTX_FMT_1());
    p.set(regs::GB_ENABLE().POINT_STUFF_ENABLE(1));
    p.set(regs::PS3_TEX_SOURCE().TEX0_SOURCE(1));
    p.set_float<regs::GA_POINT_S0>(1), p.set_float<regs::GA_POINT_S1>(2);
    p.set_float<regs::GA_POINT_T0>(1), p.set_float<regs::GA_POINT_T1>(2);
    p.set(regs::GA_POINT_SIZE().WIDTH(10 * 16).HEIGHT(10 * 16));
    p.set(regs::GA_POINT_MINMAX().MIN_SIZE(least * 16).MAX_SIZE(most * 16));
    const float at = kCentre / (kSize / 2.0f) - 1;
    const TestVertex v[] = {{{at, at, 0.5f, 1}, {size, 0, 0, 1}}};
    p.append(draw(regs::VAP_VF_CNTL::PRIM_TYPE__POINT_LIST, v));
    EXPECT_TRUE(chip.run(p));
    for (const Report& r : chip.reports()) ADD_FAILURE() << r.text;
    const auto drawn = [&](uint32_t x, uint32_t y) { return std::bit_cast<float>(chip.memory(pixels)[(y * kSize + x) * 4]) != 0; };
    for (uint32_t i = 0; i < kSize; ++i) columns += drawn(i, kCentre), rows += drawn(kCentre, i);
  }
};

TEST(PointSize, VerticesSizesStayBetweenTheLimits) {
  const struct {
    float size;
    int pixels;
  } cases[] = {{0, 6}, {2, 6}, {6, 6}, {8, 8}, {14, 14}, {24, 24}, {26, 24}, {1000, 24}, {-4, 6}};
  for (const auto& c : cases) {
    const Drawn d(true, c.size, 3, 12);
    EXPECT_EQ(d.columns, c.pixels) << c.size;
    EXPECT_EQ(d.rows, c.pixels) << c.size;
  }
}

TEST(PointSize, OtherLimits) {
  EXPECT_EQ(Drawn(true, 8, 0, 2).columns, 4);
  EXPECT_EQ(Drawn(true, 8, 7, 20).columns, 14);
}

TEST(PointSize, TheRegistersSizeHasNoLimits) { EXPECT_EQ(Drawn(false, 8, 0, 2).columns, 20); }

}  // namespace
}  // namespace pumice::hw::test
