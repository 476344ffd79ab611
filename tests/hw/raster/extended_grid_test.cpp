// SPDX-License-Identifier: MIT
/// The sub-pixel grid of extended draws (docs/r5x.md s.5): 256 steps per pixel, strict draws keep 1/16 or 1/12, and coverage is exact up to
/// the ends of the grid on the largest targets.
#include <gtest/gtest.h>

#include <random>

#include "hw/extents.h"
#include "hw/radeon/draw/extended.h"
#include "hw/radeon/ref/sc/sc.h"
#include "hw/radeon/ref/su/su.h"
#include "tests/hw/raster/rig.h"

namespace pumice::hw::test {
namespace {

__extension__ using Exact = __int128;

struct Shapes final : ShapeSink {
  std::vector<Shape> list;
  void shape(DrawContext&, const Shape& shape) override { list.push_back(shape); }
};

/// A chip that draws extended, and the shapes of what it draws.
struct Extended {
  Rig rig;
  Shapes shapes;
  Extended() {
    rig.state = ChipState{Profile::r5x};
    rig.set(regs::r5x::X_CTRL{}.EN(1).SHADERS(1));
    rig.set(regs::GA_ROUND_MODE{}.GEOMETRY_ROUND(1));
    rig.set(regs::SC_EDGERULE{}.ER_TRI(5).ER_POINT(5).ER_LINE_LR(25).ER_LINE_RL(26).ER_LINE_TB(26).ER_LINE_BT(22));
    rig.set(regs::GA_POINT_MINMAX{}.MIN_SIZE(1).MAX_SIZE(65535));
    rig.ctx.sink = &shapes;
  }
};

TEST(ExtendedGrid, StrictDrawsKeepTheirs) {
  for (const Profile profile : {Profile::r300, Profile::r500, Profile::r5x})
    for (const bool fine : {false, true}) {
      ChipState state{profile};
      state.set(regs::GB_TILE_CONFIG{}.SUBPIXEL(fine));
      state.set(regs::GA_OFFSET{}.X_OFFSET(static_cast<uint16_t>(-3)).Y_OFFSET(5));
      const su::Grid strict = su::grid(state);
      EXPECT_EQ(strict.unit, fine ? 16 : 12);
      EXPECT_EQ(strict.refinement, 1);
      state.set(regs::r5x::X_CTRL{}.EN(1).SHADERS(1));
      const su::Grid grid = su::grid(state);
      if (profile != Profile::r5x) {
        EXPECT_EQ(grid.unit, fine ? 16 : 12);  // writes to X registers mean nothing there
        continue;
      }
      EXPECT_EQ(grid.unit, 256);
      EXPECT_EQ(grid.offset.x, -3 * 16);
      EXPECT_EQ(grid.offset.y, 5 * 16);
    }
}

TEST(ExtendedGrid, EveryStepCounts) {
  Extended chip;
  for (int32_t step = -300; step <= 300; ++step) {
    chip.shapes.list.clear();
    const float x = 20.0f + static_cast<float>(step) / 256;
    WindowVertex point = vertex(x, 7.5f);
    point.point_size = 1;
    chip.rig.point(point);
    chip.rig.line(vertex(x, 3), vertex(x + 8, 5));
    chip.rig.triangle(vertex(x, 2), vertex(x, 9), vertex(x + 6, 4));
    ASSERT_EQ(chip.shapes.list.size(), 3u);
    for (const Shape& s : chip.shapes.list) EXPECT_EQ(s.unit, 256);
    EXPECT_EQ(chip.shapes.list[0].corner[0].x, 20 * 256 + step - 128);
    EXPECT_EQ(chip.shapes.list[1].at[0].x, 20 * 256 + step);
    EXPECT_EQ(chip.shapes.list[2].corner[0].x, 20 * 256 + step);
  }
}

/// A point's own size is rounded to 1/256 as well; the registers count 1/16.
TEST(ExtendedGrid, SizesOfPoints) {
  Extended chip;
  for (const auto& [size, low, high, wanted] : std::initializer_list<std::array<float, 4>>{
           {3, 1, 900, 384}, {3 + 1.0f / 128, 1, 900, 385}, {0.01f, 4, 900, 64}, {500, 1, 100, 1600}}) {
    chip.shapes.list.clear();
    chip.rig.set(regs::GA_POINT_MINMAX{}.MIN_SIZE(static_cast<uint32_t>(low)).MAX_SIZE(static_cast<uint32_t>(high)));
    WindowVertex point = vertex(100, 100);
    point.point_size = size;
    chip.rig.point(point);
    ASSERT_EQ(chip.shapes.list.size(), 1u);
    EXPECT_EQ(chip.shapes.list[0].corner[2].x - 100 * 256, static_cast<int32_t>(wanted)) << size;
  }
}

/// Whether the sample at (16*x + sx, 16*y + sy) / 16 pixels is inside, in integers that cannot overflow.
bool inside(const Shape& s, Exact sx, Exact sy) {
  const auto twice_area = [](GridPoint a, GridPoint b, Exact x, Exact y) {  // of a, b, (x, y)
    return (Exact{b.x} - a.x) * (y - a.y) - (Exact{b.y} - a.y) * (x - a.x);
  };
  const Exact area = twice_area(s.corner[0], s.corner[1], s.corner[2].x, s.corner[2].y);
  const Exact x = sx * s.unit / 16, y = sy * s.unit / 16;  // samples lie on the grid
  for (uint32_t i = 0; i < s.corners; ++i) {
    GridPoint a = s.corner[i], b = s.corner[(i + 1) % s.corners];
    if (area < 0) std::swap(a, b);
    const Exact e = twice_area(a, b, x, y);
    const int64_t dx = int64_t{b.x} - a.x, dy = int64_t{b.y} - a.y;
    if (e < 0 || (e == 0 && sc::edge_is_out(s.edge_rule, dx, dy))) return false;
  }
  return true;
}

TEST(ExtendedGrid, ExactAtTheEndsOfTheLargestTargets) {
  std::mt19937 rng(1);
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(rng() % n); };
  constexpr sc::Samples::Position kAt[] = {{9, 5}, {7, 11}, {13, 9}, {5, 3}, {3, 13}, {1, 7}, {11, 15}, {15, 1}};
  constexpr float kEnds[] = {-1e9f, -32768, -16384, 0, 0.5f, 8192.25f, 16383.5f, 16384, 32767.996f, 1e9f};
  uint32_t in = 0, out = 0, on_edge = 0;
  for (uint32_t index = 0; index < 4000; ++index) {
    Extended chip;
    const auto offset = [&] { return static_cast<uint16_t>(below(4) ? 0 : below(2) ? 0x7FFF : 0x8000); };
    chip.rig.set(regs::GA_OFFSET{}.X_OFFSET(offset()).Y_OFFSET(offset()));
    chip.rig.set(regs::GA_LINE_CNTL{}.WIDTH(below(3) ? 8 + below(100) : 65535).END_TYPE(2 + below(2)));
    chip.rig.set(regs::r5x::X_RS_CTRL{}.LINE_FRACTION(below(16)));
    WindowVertex v[3];
    for (WindowVertex& to : v) {
      const auto coordinate = [&] {
        const float end = kEnds[below(std::size(kEnds))];
        return below(2) ? end : end + static_cast<float>(static_cast<int32_t>(below(200000)) - 100000) / 256;
      };
      to = vertex(coordinate(), coordinate());
      to.point_size = below(2) ? 8192 : 3;
    }
    switch (below(4)) {
      case 0: chip.rig.point(v[0]); break;
      case 1: chip.rig.line(v[0], v[1]); break;
      default: chip.rig.triangle(v[0], v[1], v[2]);
    }
    for (const Shape& s : chip.shapes.list) {
      sc::Scan scan;
      scan.samples.count = below(2) ? 1 : 8;
      scan.samples.steps = 16;
      if (scan.samples.count > 1) std::copy_n(kAt, 8, scan.samples.at.begin());
      std::array<uint8_t, sc::Samples::kMost> doors;
      doors.fill(0xF);
      const bool any = sc::prepare(s, {{0, 0, kMaxExtent - 1, kMaxExtent - 1}, 0xFFFF}, doors, scan);
      // Quads at the ends of the target, along the edges, anywhere.
      for (uint32_t n = 0; n < 60; ++n) {
        int64_t x = below(2) ? below(kMaxExtent) : (kMaxExtent - 2) * below(2),
                y = below(2) ? below(kMaxExtent) : (kMaxExtent - 2) * below(2);
        if (below(2)) {
          const GridPoint a = s.corner[below(s.corners)], b = s.corner[below(s.corners)];
          const int64_t t = below(1025);
          x = (a.x + (int64_t{b.x} - a.x) * t / 1024) / 256 + below(3) - 1,
          y = (a.y + (int64_t{b.y} - a.y) * t / 1024) / 256 + below(3) - 1;
        }
        x = std::clamp<int64_t>(x, 0, kMaxExtent - 2) & ~1, y = std::clamp<int64_t>(y, 0, kMaxExtent - 2) & ~1;
        int32_t first = 0, last = -1;
        const bool row = any && sc::row_span(scan, static_cast<int32_t>(y), first, last);
        for (uint32_t k = 0; k < scan.samples.count; ++k) {
          const bool one = scan.samples.count == 1;
          const uint8_t got = !any  ? 0
                              : one ? sc::coverage(scan, static_cast<int32_t>(x), static_cast<int32_t>(y))
                                    : sc::coverage(scan, static_cast<int32_t>(x), static_cast<int32_t>(y), k);
          for (int32_t p = 0; p < 4; ++p) {
            const Exact sx = Exact{16} * (x + (p & 1)) + (one ? 8 : kAt[k].x), sy = Exact{16} * (y + (p >> 1)) + (one ? 8 : kAt[k].y);
            const bool wanted = su::cross(s.corner[0], s.corner[1], s.corner[2]) != 0 && inside(s, sx, sy);
            ASSERT_EQ((got >> p & 1) != 0, wanted) << index << ": " << x << ", " << y << " pixel " << p << " sample " << k;
            (wanted ? in : out) += 1;
            if (wanted) {
              ASSERT_TRUE(row && first <= x && x <= last) << index << ": " << x << ", " << y;
            }
          }
          on_edge += got != 0 && got != 0xF;
        }
      }
    }
  }
  EXPECT_GT(in, 50000u);
  EXPECT_GT(out, 50000u);
  EXPECT_GT(on_edge, 1000u);
}

}  // namespace
}  // namespace pumice::hw::test
