// SPDX-License-Identifier: MIT
/// Which pixels are covered: adjacency, edge rules, facing, clipping rectangles, points, lines, polygon mode.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/hw/raster/rig.h"

namespace pumice::hw::test {

using Pixels = std::set<std::pair<int, int>>;

static Pixels covered(Rig& rig) {
  Pixels out;
  for (const auto& [p, n] : rig.take_coverage()) out.insert(p);
  return out;
}
static Pixels block(int x0, int y0, int x1, int y1) {
  Pixels out;
  for (int y = y0; y <= y1; ++y)
    for (int x = x0; x <= x1; ++x) out.insert({x, y});
  return out;
}

// Random meshes of 4x4 cells that fill a rectangle whose border misses all pixel centres: every pixel exactly once. Corners lie on
// coarse fractions, so edges and corners hit pixel centres often.
TEST(Coverage, MeshesCoverEachPixelOnce) {
  for (uint32_t index = 0; index < 1500; ++index) {
    std::mt19937 rng(index);
    Rig rig;
    const uint32_t complementary[] = {5, 6, 9, 10, 16 + 5, 16 + 6, 16 + 9, 16 + 10};
    rig.set(regs::SC_EDGERULE{}.ER_TRI(complementary[index % 8]));
    rig.set(regs::GB_TILE_CONFIG{}.SUBPIXEL((index / 8) & 1));
    rig.set(regs::GA_ROUND_MODE{}.GEOMETRY_ROUND((index / 16) & 1));
    const float step = (index % 3) == 0 ? 0.5f : 1.0f / 16;
    const int cells = 4, cell = 4 + static_cast<int>(rng() % 5);
    std::vector<WindowVertex> v;
    for (int j = 0; j <= cells; ++j)
      for (int i = 0; i <= cells; ++i) {
        // Below a quarter of a cell: no triangle turns over.
        auto jitter = [&](int k) { return k == 0 || k == cells ? 0.0f : (static_cast<float>(rng() % 401) / 1000 - 0.2f) * cell; };
        const float x = static_cast<float>(2 + i * cell) + jitter(i), y = static_cast<float>(3 + j * cell) + jitter(j);
        v.push_back(vertex(std::round(x / step) * step, std::round(y / step) * step));
      }
    for (int j = 0; j < cells; ++j)
      for (int i = 0; i < cells; ++i) {
        const WindowVertex &a = v[j * 5 + i], &b = v[j * 5 + i + 1], &c = v[(j + 1) * 5 + i], &d = v[(j + 1) * 5 + i + 1];
        const bool diagonal = rng() & 1, flip = rng() & 1;
        auto tri = [&](const WindowVertex& p, const WindowVertex& q, const WindowVertex& r) {
          flip ? rig.triangle(p, r, q) : rig.triangle(p, q, r);
        };
        diagonal ? (tri(a, b, d), tri(d, c, a)) : (tri(b, d, c), tri(c, a, b));
      }
    const auto got = rig.take_coverage();
    const int size = cells * cell;
    ASSERT_EQ(got.size(), static_cast<size_t>(size * size)) << "index " << index;
    for (const auto& [p, n] : got) {
      ASSERT_EQ(n, 1) << "index " << index << " pixel " << p.first << "," << p.second;
      ASSERT_TRUE(p.first >= 2 && p.first < 2 + size && p.second >= 3 && p.second < 3 + size) << "index " << index;
    }
  }
}

// Fans around a pixel centre: it belongs to exactly one triangle.
TEST(Coverage, FanAroundPixelCentre) {
  for (uint32_t index = 0; index < 500; ++index) {
    std::mt19937 rng(index);
    Rig rig;
    const WindowVertex hub = vertex(20.5f, 20.5f);
    const int n = 3 + static_cast<int>(rng() % 9);
    std::vector<WindowVertex> rim;
    for (int i = 0; i < n; ++i) {
      const double a = (i + 0.4 * static_cast<double>(rng() % 100) / 100) * 2 * 3.14159265358979 / n, r = 4 + rng() % 12;
      rim.push_back(vertex(static_cast<float>(20.5 + r * std::cos(a)), static_cast<float>(20.5 + r * std::sin(a))));
    }
    for (int i = 0; i < n; ++i) rig.triangle(hub, rim[i], rim[(i + 1) % n]);
    const auto got = rig.take_coverage();
    EXPECT_EQ(got.at({20, 20}), 1) << index;
    if (n == 3) continue;  // a sector may exceed half a turn and overlap
    for (const auto& [p, c] : got) ASSERT_EQ(c, 1) << index << " " << p.first << "," << p.second;
  }
}

// All codes: a sample in the middle of a top, left, right, bottom and a slanted edge of either side.
TEST(Coverage, EdgeRuleTable) {
  struct Case {
    bool lower;             // which of the two triangles of the square (2.5,2.5)-(6.5,6.5)
    int x, y;               // pixel whose centre lies on the edge
    int bit_low, bit_high;  // bit that excludes it in codes 0..15 and 16..31
  };
  const Case cases[] = {
      {false, 4, 2, 1, 2},  // horizontal top
      {false, 2, 4, 3, 1},  // vertical left
      {false, 4, 4, 2, 3},  // slanted, right and bottom
      {true, 4, 6, 0, 3},   // horizontal bottom
      {true, 6, 4, 2, 0},   // vertical right
      {true, 4, 4, 3, 2},   // slanted, left and top
  };
  for (uint32_t code = 0; code < 32; ++code)
    for (const Case& c : cases) {
      Rig rig;
      rig.set(regs::SC_EDGERULE{}.ER_TRI(code));
      if (c.lower)
        rig.triangle(vertex(6.5f, 6.5f), vertex(2.5f, 6.5f), vertex(6.5f, 2.5f));
      else
        rig.triangle(vertex(2.5f, 2.5f), vertex(6.5f, 2.5f), vertex(2.5f, 6.5f));
      const bool in = covered(rig).contains({c.x, c.y});
      EXPECT_EQ(in, !((code >> (code < 16 ? c.bit_low : c.bit_high)) & 1))
          << "code " << code << " pixel " << c.x << "," << c.y << " lower " << c.lower;
    }
}

TEST(Coverage, TopLeftRule) {
  Rig rig;
  rig.triangle(vertex(2.5f, 2.5f), vertex(6.5f, 2.5f), vertex(6.5f, 6.5f));
  rig.triangle(vertex(2.5f, 2.5f), vertex(6.5f, 6.5f), vertex(2.5f, 6.5f));
  EXPECT_EQ(covered(rig), block(2, 2, 5, 5));
}

TEST(Coverage, FacingAndCulling) {
  for (uint32_t mode = 0; mode < 8; ++mode)
    for (bool clockwise : {false, true}) {
      Rig rig;
      rig.set(regs::SU_CULL_MODE{mode});
      const WindowVertex a = vertex(1, 1), b = vertex(9, 1), c = vertex(1, 9);  // a b c: clockwise as seen
      clockwise ? rig.triangle(a, b, c) : rig.triangle(a, c, b);
      const bool back = clockwise != ((mode >> 2) & 1);
      const bool drawn = !((mode >> (back ? 1 : 0)) & 1);
      ASSERT_EQ(!rig.seen.empty(), drawn) << mode << clockwise;
      if (drawn) {
        EXPECT_EQ(rig.seen[0].quad.back_facing, back) << mode << clockwise;
        EXPECT_FALSE(rig.seen[0].quad.parallelogram);
      }
      rig.seen.clear();
      rig.point(vertex(20.5f, 20.5f));
      rig.line(a, b);
      ASSERT_EQ(covered(rig).size(), 9u) << "points and lines are not culled";
    }
}

TEST(Coverage, Scissor) {
  const WindowVertex a = vertex(-10, -10), b = vertex(100, -10), c = vertex(-10, 100);
  struct {
    uint32_t x0, y0, x1, y1;
    Pixels want;
  } const table[] = {
      {3, 5, 6, 7, block(3, 5, 6, 7)}, {0, 0, 0, 0, block(0, 0, 0, 0)}, {7, 3, 7, 4, block(7, 3, 7, 4)}, {5, 5, 4, 9, {}}, {5, 9, 8, 8, {}},
  };
  for (const auto& t : table) {
    Rig rig;
    rig.scissor(t.x0, t.y0, t.x1, t.y1);
    rig.triangle(a, b, c);
    EXPECT_EQ(covered(rig), t.want) << t.x0;
  }
}

TEST(Coverage, ScissorOfR300IsBiased) {
  Rig rig;
  rig.state.profile = Profile::r300;
  rig.scissor(1440 + 2, 1440 + 3, 1440 + 4, 1440 + 5);
  rig.triangle(vertex(0, 0), vertex(50, 0), vertex(0, 50));
  EXPECT_EQ(covered(rig), block(2, 3, 4, 5));
}

TEST(Coverage, ClipRectangles) {
  const std::array<std::array<int, 4>, 4> r = {{{0, 0, 7, 7}, {4, 4, 11, 11}, {2, 0, 3, 15}, {0, 9, 15, 9}}};
  for (uint32_t rule : {0x0000u, 0xFFFFu, 0xAAAAu, 0xCCCCu, 0x8888u, 0xEEEEu, 0x5555u, 0x0001u, 0xFF00u, 0xF0F0u, 0x6996u}) {
    Rig rig;
    rig.scissor(0, 0, 15, 15);
    rig.set(regs::SC_CLIP_RULE{}.CLIP_RULE(rule));
    for (uint32_t n = 0; n < 4; ++n) {
      rig.state.reg[(regs::SC_CLIP_0_A::offset + 8 * n) / 4] = regs::SC_CLIP_0_A{}.XS0(r[n][0]).YS0(r[n][1]).raw;
      rig.state.reg[(regs::SC_CLIP_0_B::offset + 8 * n) / 4] = regs::SC_CLIP_0_B{}.XS1(r[n][2]).YS1(r[n][3]).raw;
    }
    rig.triangle(vertex(0, 0), vertex(64, 0), vertex(0, 64));
    Pixels want;
    for (const auto& [x, y] : block(0, 0, 15, 15)) {
      uint32_t code = 0;
      for (uint32_t n = 0; n < 4; ++n) code |= (x >= r[n][0] && x <= r[n][2] && y >= r[n][1] && y <= r[n][3] ? 1u : 0) << n;
      if ((rule >> code) & 1) want.insert({x, y});
    }
    EXPECT_EQ(covered(rig), want) << std::hex << rule;
  }
}

TEST(Coverage, ScreenDoor) {
  for (uint32_t pixel = 0; pixel < 4; ++pixel) {
    Rig rig;
    rig.scissor(0, 0, 1, 1);
    rig.set(regs::SC_SCREENDOOR{}.SCREENDOOR(1u << (6 * pixel)));
    rig.triangle(vertex(0, 0), vertex(9, 0), vertex(0, 9));
    EXPECT_EQ(covered(rig), (Pixels{{pixel & 1, pixel >> 1}}));
  }
}

TEST(Coverage, HugeTrianglesAndLimits) {
  Rig rig;
  rig.scissor(8190, 8190, 8191, 8191);
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  rig.triangle(vertex(-1e30f, -1e30f), vertex(inf, -1e30f), vertex(inf, inf));
  EXPECT_EQ(covered(rig), (Pixels{{8190, 8190}, {8191, 8190}, {8191, 8191}}));  // the diagonal is a left edge: in
  rig.triangle(vertex(nan, 0), vertex(9e3f, 0), vertex(9e3f, 9e3f));
  rig.point(vertex(0, nan));
  rig.line(vertex(0, 0), vertex(nan, 0));
  EXPECT_TRUE(rig.seen.empty());
}

TEST(Coverage, Points) {
  struct {
    float x, y;
    uint32_t half;  // sixteenths
    Pixels want;
  } const table[] = {
      {3.5f, 4.5f, 8, block(3, 4, 3, 4)},  // one pixel
      {3.0625f, 4.9375f, 8, block(3, 4, 3, 4)},
      {3.5f, 4.5f, 24, block(2, 3, 4, 5)},  // three pixels
      {4, 4, 16, block(3, 3, 4, 4)},        // two pixels
      {3.5f, 4.5f, 0, {}},
      {0, 0, 16, block(0, 0, 0, 0)},  // three quarters off screen
      {4, 4, 8, block(4, 3, 4, 3)},   // edges through pixel centres: rule 9 keeps top and right
  };
  for (const auto& t : table) {
    Rig rig;
    rig.set(regs::GA_POINT_SIZE{}.WIDTH(t.half).HEIGHT(t.half));
    rig.point(vertex(t.x, t.y));
    for (const Seen& s : rig.seen) EXPECT_TRUE(s.quad.parallelogram);
    EXPECT_EQ(covered(rig), t.want) << t.x << "," << t.y << " " << t.half;
  }
}

TEST(Coverage, PointSizeFromVertex) {
  struct {
    float size;
    uint32_t pixels;
  } const table[] = {{1, 1}, {3, 9}, {5, 25}, {100, 49}, {0.01f, 1}, {-1, 1}, {std::numeric_limits<float>::quiet_NaN(), 1}};
  for (const auto& t : table) {
    Rig rig;
    rig.set(regs::VAP_OUT_VTX_FMT_0{}.VTX_POS_PRESENT(1).VTX_PT_SIZE_PRESENT(1));
    rig.set(regs::GA_POINT_MINMAX{}.MIN_SIZE(8).MAX_SIZE(7 * 8));
    WindowVertex v = vertex(20.5f, 20.5f);
    v.point_size = t.size;
    rig.point(v);
    EXPECT_EQ(covered(rig).size(), t.pixels) << t.size;
  }
}

TEST(Coverage, OnePixelLines) {
  auto row = [](int x0, int x1, int y) { return block(x0, y, x1, y); };
  struct {
    float x0, y0, x1, y1;
    Pixels want;
  } const table[] = {
      {2.5f, 4.5f, 7.5f, 4.5f, row(2, 6, 4)},                      // right: keeps its start, loses its end
      {7.5f, 4.5f, 2.5f, 4.5f, row(3, 7, 4)},                      // left
      {4.5f, 2.5f, 4.5f, 7.5f, block(4, 2, 4, 6)},                 // down
      {4.5f, 7.5f, 4.5f, 2.5f, block(4, 3, 4, 7)},                 // up
      {2, 4.25f, 6, 4.25f, row(2, 5, 4)},                          // between centres
      {1.5f, 1.5f, 5.5f, 5.5f, {{1, 1}, {2, 2}, {3, 3}, {4, 4}}},  // diagonal
      {1.5f, 5.5f, 5.5f, 1.5f, {{1, 5}, {2, 4}, {3, 3}, {4, 2}}},
      {3.5f, 3.5f, 3.5f, 3.5f, {}},
  };
  for (uint32_t ends : {2u, 3u})
    for (const auto& t : table) {
      if (ends == 3 && t.x0 != t.x1 && t.y0 != t.y1) continue;  // a rectangle's slanted ends: compared with an evaluation below
      Rig rig;
      rig.set(regs::GA_LINE_CNTL{}.WIDTH(8).END_TYPE(ends));
      rig.line(vertex(t.x0, t.y0), vertex(t.x1, t.y1));
      EXPECT_EQ(covered(rig), t.want) << ends << ": " << t.x0 << "," << t.y0 << " " << t.x1 << "," << t.y1;
    }
}

// Non-strict one-pixel lines have one pixel a column (or row), and a strip of them no gap and no doubled corner.
TEST(Coverage, LineStripsAreContinuous) {
  for (uint32_t index = 0; index < 300; ++index) {
    std::mt19937 rng(index);
    auto u = [&](int n) { return static_cast<int>(rng() % static_cast<uint32_t>(n)); };
    Rig rig;
    rig.set(regs::GA_LINE_CNTL{}.WIDTH(8).END_TYPE(2));
    WindowVertex a = vertex(1 + static_cast<float>(u(16)) / 16, 40);
    int columns = 0;
    const float start = a.x;
    for (int i = 0; i < 4; ++i) {
      const float dx = 3 + static_cast<float>(u(160)) / 16, dy = dx * (static_cast<float>(u(200)) / 100 - 1);
      const WindowVertex b = vertex(a.x + dx, std::round((a.y + dy) * 16) / 16);
      if (std::abs(b.y - a.y) > dx) continue;
      rig.line(a, b);
      a = b;
    }
    std::map<int, int> by_column;
    for (const auto& [p, n] : rig.take_coverage()) by_column[p.first] += n;
    columns = static_cast<int>(std::ceil(a.x - 0.5f) - std::ceil(start - 0.5f));
    EXPECT_EQ(static_cast<int>(by_column.size()), columns) << index;
    for (const auto& [x, n] : by_column) EXPECT_EQ(n, 1) << index << " column " << x;
  }
}

// Wide lines with perpendicular ends against the definition of a rectangle, samples nearer than 1/64 pixel to a side left out.
TEST(Coverage, RectangularLines) {
  for (uint32_t index = 0; index < 200; ++index) {
    std::mt19937 rng(index);
    auto u = [&] { return static_cast<float>(8 + rng() % 400) / 16; };
    Rig rig;
    const uint32_t half = 4 + rng() % 64;
    rig.set(regs::GA_LINE_CNTL{}.WIDTH(half).END_TYPE(3));
    const WindowVertex a = vertex(u(), u()), b = vertex(u(), u());
    if (a.x == b.x && a.y == b.y) continue;
    rig.line(a, b);
    const Pixels got = covered(rig);
    const double dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy);
    for (int y = 0; y < 40; ++y)
      for (int x = 0; x < 40; ++x) {
        const double px = x + 0.5 - a.x, py = y + 0.5 - a.y;
        const double along = (px * dx + py * dy) / length, off = std::abs(px * dy - py * dx) / length;
        const double margin = std::min({along, length - along, half / 16.0 - off});
        if (std::abs(margin) < 1.0 / 64) continue;
        ASSERT_EQ(got.contains({x, y}), margin > 0) << index << " " << x << "," << y;
      }
  }
}

TEST(Coverage, LineSortKeepsTheSamePixels) {
  for (bool sort : {false, true}) {
    Rig rig;
    rig.set(regs::GA_LINE_CNTL{}.WIDTH(8).END_TYPE(2).SORT(sort));
    rig.line(vertex(7.5f, 4.5f), vertex(2.5f, 4.5f));
    EXPECT_EQ(covered(rig), sort ? block(2, 4, 6, 4) : block(3, 4, 7, 4));
  }
}

TEST(Coverage, PolygonMode) {
  using Mode = regs::GA_POLY_MODE;
  const WindowVertex a = vertex(2.5f, 2.5f), b = vertex(10.5f, 2.5f), c = vertex(2.5f, 10.5f);  // a b c is a back face
  for (uint32_t flags = 0; flags < 8; ++flags)
    for (bool back : {false, true}) {
      Rig rig;
      rig.set(regs::GA_LINE_CNTL{}.WIDTH(8).END_TYPE(2));
      rig.set(Mode{}.POLY_MODE(1).FRONT_PTYPE(back ? 2 : 0).BACK_PTYPE(back ? 0 : 2));
      auto draw = [&] { back ? rig.triangle(a, b, c, nullptr, flags) : rig.triangle(a, c, b, nullptr, flags); };
      draw();
      for (const Seen& s : rig.seen) EXPECT_EQ(s.quad.back_facing, back);
      const std::array<std::pair<int, int>, 3> at = {
          {{2, 2}, back ? std::pair{10, 2} : std::pair{2, 10}, back ? std::pair{2, 10} : std::pair{10, 2}}};
      Pixels want;
      for (int i = 0; i < 3; ++i)
        if ((flags >> i) & 1) want.insert(at[i]);
      EXPECT_EQ(covered(rig), want) << flags << back;

      rig.set(Mode{}.POLY_MODE(1).FRONT_PTYPE(1).BACK_PTYPE(1));
      draw();
      const Pixels lines = covered(rig);
      auto edge = [&](int i) { return ((flags >> i) & 1) != 0; };
      EXPECT_EQ(lines.contains({6, 2}), edge(back ? 0 : 2));
      EXPECT_EQ(lines.contains({2, 6}), edge(back ? 2 : 0));
      EXPECT_EQ(lines.contains({6, 6}), edge(1));
      EXPECT_FALSE(lines.contains({4, 4}));
    }
}

TEST(Coverage, OffsetRoundingAndMask) {
  struct {
    uint32_t round, mask;
    int offset_x;  // sixteenths
    float x;       // left edge of a rectangle
    int first;     // first column covered
  } const table[] = {
      {1, 0, 0, 2.5f, 2},   {1, 0, 0, 2.53f, 2},   {1, 0, 0, 2.54f, 3}, {0, 0, 0, 2.56f, 2},  {0, 0, 0, 2.57f, 3}, {1, 0xF, 0, 2.9f, 2},
      {1, 0x7, 0, 2.9f, 2}, {1, 0x1, 0, 2.56f, 2}, {1, 0, 16, 2.5f, 3}, {1, 0, -16, 2.5f, 1}, {1, 0, 1, 2.5f, 3},
  };
  for (const auto& t : table) {
    Rig rig;
    rig.set(regs::GA_ROUND_MODE{}.GEOMETRY_ROUND(t.round).GEOMETRY_MASK(t.mask));
    rig.set(regs::GA_OFFSET{}.X_OFFSET(static_cast<uint16_t>(t.offset_x)));
    rig.triangle(vertex(t.x, 0), vertex(60, 0), vertex(t.x, 60));
    EXPECT_EQ(covered(rig).begin()->first, t.first) << t.x << " " << t.round << t.mask << t.offset_x;
  }
}

}  // namespace pumice::hw::test
