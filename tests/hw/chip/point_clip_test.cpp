// SPDX-License-Identifier: MIT
/// Points against user clip planes in the four modes of VAP_CLIP_CNTL.PS_UCP_MODE, by packets: which pixels are drawn, and that what is
/// left of a point keeps the coordinates of the whole (pipeline s.2.4).
#include <gtest/gtest.h>

#include "tests/hw/chip/chip.h"

namespace pumice::hw::test {
namespace {

using Clip = regs::VAP_CLIP_CNTL;

constexpr uint32_t kSize = 32, kPlaneBase = 512;  ///< vector of plane 0, counted from the constants
constexpr int kHalf = 5;

/// A point of 10x10 pixels around pixel corner (16, 12), generated coordinates as r, g.
struct Bench {
  Chip chip;
  uint32_t pixels = chip.allocate(kSize * kSize * 4);
  Packets p = plain_state({kSize, kSize, pixels, 0});
  Bench() {
    p.append(float_target(pixels, kSize));
    p.set(regs::GB_ENABLE().POINT_STUFF_ENABLE(1));
    p.set(regs::VAP_OUT_VTX_FMT_1());
    p.set(regs::PS3_TEX_SOURCE().TEX0_SOURCE(1));
    p.set(regs::GA_POINT_SIZE().WIDTH(kHalf * 16).HEIGHT(kHalf * 16));
    p.set_float<regs::GA_POINT_S0>(1), p.set_float<regs::GA_POINT_S1>(2);
    p.set_float<regs::GA_POINT_T0>(1), p.set_float<regs::GA_POINT_T1>(2);
  }
  /// x*a + y*b + c >= 0 in pixels of the picture.
  void plane(uint32_t i, float a, float b, float c) {
    const float half = kSize / 2.0f;
    p.append(pvs_constants(kPlaneBase + i, {{bits(a * half), bits(b * half), bits(0.0f), bits(a * half + b * half + c)}}));
  }
  void draw_point(float w = 1) {
    const TestVertex v[] = {{{(16.0f / (kSize / 2) - 1) * w, (12.0f / (kSize / 2) - 1) * w, 0.5f * w, w}, {0, 0, 0, 1}}};
    p.append(draw(regs::VAP_VF_CNTL::PRIM_TYPE__POINT_LIST, v));
    ASSERT_TRUE(chip.run(p));
    for (const Report& r : chip.reports()) ADD_FAILURE() << r.text;
  }
  float value(uint32_t x, uint32_t y, uint32_t c) { return std::bit_cast<float>(chip.memory(pixels)[(y * kSize + x) * 4 + c]); }
  bool drawn(uint32_t x, uint32_t y) { return value(x, y, 0) != 0; }
};
bool inside_point(int x, int y) { return x >= 16 - kHalf && x < 16 + kHalf && y >= 12 - kHalf && y < 12 + kHalf; }

TEST(PointClip, ModesOfOnePlane) {
  // The plane keeps x >= at: left of the point, in its left half, in its right half, right of it.
  for (const float w : {1.0f, 2.0f})
    for (const int at : {4, 13, 18, 25})
      for (uint32_t mode = 0; mode < 4; ++mode) {
        Bench b;
        b.plane(0, 1, 0, -float(at));
        b.p.set(Clip().UCP_ENA_0(1).PS_UCP_MODE(mode));
        b.draw_point(w);
        for (int y = 0; y < int(kSize); ++y)
          for (int x = 0; x < int(kSize); ++x) {
            const bool whole = mode == 0 ? at <= 16 : at < 16 + kHalf;
            const bool want = inside_point(x, y) && whole && (mode < 2 || x >= at);
            ASSERT_EQ(b.drawn(x, y), want) << mode << " at " << at << ": " << x << ", " << y;
            if (!want) continue;
            EXPECT_NEAR(b.value(x, y, 0), 1 + (x + 0.5 - (16 - kHalf)) / (2.0 * kHalf), 1e-5);
            EXPECT_NEAR(b.value(x, y, 1), 2 - (y + 0.5 - (12 - kHalf)) / (2.0 * kHalf), 1e-5);
          }
      }
}

TEST(PointClip, SlantedPlanesAndCullOnly) {
  for (const bool cull_only : {false, true}) {
    Bench b;
    b.plane(0, 1, 1, -26.25f);    // cuts the corner at the upper left
    b.plane(2, -1, 0.5f, 12.3f);  // and the right side, aslant
    b.p.set(Clip().UCP_ENA_0(1).UCP_ENA_2(1).PS_UCP_MODE(Clip::PS_UCP_MODE__EXPAND_WHEN_CROSSING).UCP_CULL_ONLY_ENA(cull_only));
    b.draw_point();
    uint32_t left = 0;
    for (int y = 0; y < int(kSize); ++y)
      for (int x = 0; x < int(kSize); ++x) {
        const double px = x + 0.5, py = y + 0.5;
        const bool want = inside_point(x, y) && (cull_only || (px + py - 26.25 > 0 && -px + 0.5 * py + 12.3 > 0));
        EXPECT_EQ(b.drawn(x, y), want) << x << ", " << y << (cull_only ? " cull" : "");
        left += want;
      }
    EXPECT_GT(left, 10u);
  }
}

/// A fan takes the edge rule of triangles: "always" differs from "when crossing" where the rules do.
TEST(PointClip, AlwaysExpanded) {
  for (const uint32_t mode : {2u, 3u}) {
    Bench b;
    const auto rule = regs::SC_EDGERULE{0x2DA49525}.ER_TRI(0).ER_POINT(5);  // edges are in for triangles
    b.p.set(rule);
    b.p.set(regs::GA_POINT_SIZE().WIDTH(kHalf * 16 + 8).HEIGHT(kHalf * 16 + 8));  // edges through pixel centres
    b.plane(0, 1, 0, 100);
    b.p.set(Clip().UCP_ENA_0(1).PS_UCP_MODE(mode));
    b.draw_point();
    EXPECT_TRUE(b.drawn(16 - kHalf - 1, 12));  // left: in by both
    EXPECT_EQ(b.drawn(16 + kHalf, 12), mode == 3) << "right";
    EXPECT_EQ(b.drawn(16, 12 + kHalf), mode == 3) << "bottom";
  }
}

}  // namespace
}  // namespace pumice::hw::test
