// SPDX-License-Identifier: MIT
/// Clipping through vap::run: volume, guard band, user planes, edge flags, shared edges, unusable positions.
#include <algorithm>
#include <cmath>
#include <random>

#include "tests/hw/vap/fixture.h"

namespace pumice::hw::test {
namespace {

class Clip : public VapTest {
 protected:
  Clip() {
    // Colour 0 = clip position: interpolation can be checked.
    state.set(regs::VAP_OUT_VTX_FMT_0{}.VTX_POS_PRESENT(1).VTX_COLOR_0_PRESENT(1));
    program({mov(to_output(0), input(0)), mov(to_output(1), input(0))});
  }
  const std::vector<Collected>& clip(uint32_t type, const std::vector<Vec4>& v) {
    collector.primitives.clear();
    vertices(v);
    run(draw(type, uint32_t(v.size())));
    return collector.primitives;
  }
  const std::vector<Collected>& triangle(Vec4 a, Vec4 b, Vec4 c) { return clip(Vf::PRIM_TYPE__TRIANGLE_LIST, {a, b, c}); }
  static double area(const std::vector<Collected>& p) {
    double sum = 0;
    for (const auto& c : p)
      sum += 0.5 * ((double(c.v[1].x) - c.v[0].x) * (double(c.v[2].y) - c.v[0].y) -
                    (double(c.v[2].x) - c.v[0].x) * (double(c.v[1].y) - c.v[0].y));
    return sum;
  }
  void user_plane(uint32_t i, Vec4 n) {
    for (int c = 0; c < 4; ++c) state.pvs[1536 + i][c] = num::bits(n[c]);
  }
};

TEST_F(Clip, InsideIsUntouched) {
  const auto& p = triangle({-1, -1, 0, 1}, {1, -1, 1, 1}, {0, 1, 0.5f, 1});
  ASSERT_EQ(p.size(), 1u);
  EXPECT_EQ(p[0].provoking_slot, 0);
  EXPECT_EQ(p[0].edge_flags, 7);
  EXPECT_EQ(p[0].v[1].x, 1.0f);
}

TEST_F(Clip, OutsideEachPlaneIsDropped) {
  const Vec4 away[] = {{3, 0, 0.5f, 1}, {-3, 0, 0.5f, 1}, {0, 3, 0.5f, 1}, {0, -3, 0.5f, 1}, {0, 0, 3, 1}, {0, 0, -3, 1}, {0, 0, 0.5f, -1}};
  for (const Vec4& a : away) {
    const auto off = [&](float x, float y) { return Vec4{a[0] + x, a[1] + y, a[2], a[3]}; };
    EXPECT_EQ(triangle(off(0, 0), off(0.1f, 0), off(0, 0.1f)).size(), 0u) << a[0] << a[1] << a[2] << a[3];
    EXPECT_EQ(clip(Vf::PRIM_TYPE__LINE_LIST, {off(0, 0), off(0.1f, 0)}).size(), 0u);
    EXPECT_EQ(clip(Vf::PRIM_TYPE__POINT_LIST, {a}).size(), 0u);
  }
}

TEST_F(Clip, CornerCutMakesExactCoordinates) {
  // The right corner sticks out at x = 3: cut at x = 1 exactly, half way along both edges.
  const auto& p = triangle({-1, -1, 0.5f, 1}, {3, 0, 0.5f, 1}, {-1, 1, 0.5f, 1});
  ASSERT_EQ(p.size(), 2u);
  EXPECT_DOUBLE_EQ(area(p), 0.5 * 2 * 4 - 0.5 * 1 * 2);
  EXPECT_EQ(p[0].v[1].x, 1.0f);
  EXPECT_EQ(p[0].v[1].y, -0.5f);
  EXPECT_EQ(p[0].v[1].color[0][1], -0.5f);
  EXPECT_EQ(p[0].provoking_slot, -1);
  EXPECT_EQ(p[0].provoking.color[0][0], -1.0f);  // the original vertex
  // Polygon v0, cut, cut, v2: drawn are v0-cut, cut-v2 and v2-v0, neither the cut nor the diagonal.
  EXPECT_EQ(p[0].edge_flags, 0b001);
  EXPECT_EQ(p[1].edge_flags, 0b110);
  state.set(regs::VAP_CLIP_CNTL{}.BOUNDARY_EDGE_FLAG_ENA(1));
  const auto& q = triangle({-1, -1, 0.5f, 1}, {3, 0, 0.5f, 1}, {-1, 1, 0.5f, 1});
  EXPECT_EQ(q[0].edge_flags, 0b011);
}

TEST_F(Clip, DepthRanges) {
  const auto z_range = [&](bool dx) {
    state.set(regs::VAP_CNTL{}.DX_CLIP_SPACE_DEF(dx));
    float low = 9, high = -9;
    for (const auto& c : triangle({-0.5f, 0, -4, 1}, {0.5f, 0, 4, 1}, {0, 0.5f, 4, 1}))
      for (const auto& v : c.v) low = std::min(low, v.z), high = std::max(high, v.z);
    return std::pair(low, high);
  };
  EXPECT_EQ(z_range(true), std::pair(0.0f, 1.0f));
  EXPECT_EQ(z_range(false), std::pair(-1.0f, 1.0f));
}

TEST_F(Clip, GuardBandKeepsAndDiscards) {
  set_clip(8.0f);
  // Sticks out of the frustum but not of the guard band: untouched.
  EXPECT_EQ(triangle({-0.5f, 0, 0.5f, 1}, {5, 0, 0.5f, 1}, {0, 5, 0.5f, 1})[0].v[1].x, 5.0f);
  // Inside the guard band, outside the view as a whole: discarded.
  EXPECT_EQ(triangle({2, 0, 0.5f, 1}, {5, 0, 0.5f, 1}, {3, 5, 0.5f, 1}).size(), 0u);
  EXPECT_EQ(clip(Vf::PRIM_TYPE__POINT_LIST, {{2, 0, 0.5f, 1}}).size(), 0u);
  set_discard(4.0f);  // wide points: their centre may lie outside
  EXPECT_EQ(clip(Vf::PRIM_TYPE__POINT_LIST, {{2, 0, 0.5f, 1}}).size(), 1u);
  // Beyond the guard band: cut there.
  float high = 0;
  for (const auto& c : triangle({-0.5f, 0, 0.5f, 1}, {50, 0, 0.5f, 1}, {0, 5, 0.5f, 1}))
    for (const auto& v : c.v) high = std::max(high, v.x);
  EXPECT_EQ(high, 8.0f);
  // Horizontal and vertical are separate registers.
  set_float<regs::VAP_GB_VERT_CLIP_ADJ>(2.0f);
  for (const auto& c : triangle({0, -0.5f, 0.5f, 1}, {0.5f, 50, 0.5f, 1}, {5, 0, 0.5f, 1}))
    for (const auto& v : c.v) EXPECT_LE(v.y, 2.0f);
}

TEST_F(Clip, BehindTheEye) {
  // One vertex with negative w: a quad reaching the horizon, all finite, inside the volume.
  const auto& p = triangle({-1, -1, 0.5f, 1}, {1, -1, 0.5f, 1}, {0, -1, -1, -1});
  ASSERT_GT(p.size(), 0u);
  for (const auto& c : p)
    for (const auto& v : c.v) {
      EXPECT_GE(v.z, 0.0f);
      EXPECT_LE(std::fabs(v.x), 1.0001f);
      EXPECT_LE(std::fabs(v.y), 1.0001f);
      EXPECT_TRUE(std::isfinite(v.inv_w));
    }
  // All vertices at the origin of clip space: nothing can be drawn.
  EXPECT_EQ(triangle({0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}).size(), 0u);
  EXPECT_EQ(clip(Vf::PRIM_TYPE__POINT_LIST, {{0, 0, 0, 0}}).size(), 0u);
}

TEST_F(Clip, UserPlanes) {
  user_plane(2, {1, 0, 0, 0});  // keep x >= 0
  state.set(regs::VAP_CLIP_CNTL{}.UCP_ENA_2(1));
  const auto& p = triangle({-1, -1, 0.5f, 1}, {1, -1, 0.5f, 1}, {0, 1, 0.5f, 1});
  EXPECT_NEAR(area(p), 1.0, 1e-6);
  for (const auto& c : p)
    for (const auto& v : c.v) EXPECT_GE(v.x, -1e-7f);
  const auto line = clip(Vf::PRIM_TYPE__LINE_LIST, {{-0.5f, 0, 0.5f, 1}, {0.5f, 0, 0.5f, 1}});
  ASSERT_EQ(line.size(), 1u);
  EXPECT_EQ(line[0].v[0].x, 0.0f);
  EXPECT_EQ(line[0].v[1].x, 0.5f);
  EXPECT_EQ(line[0].provoking_slot, -1);
  EXPECT_EQ(line[0].provoking.color[0][0], -0.5f);
  EXPECT_EQ(clip(Vf::PRIM_TYPE__POINT_LIST, {{-0.5f, 0, 0.5f, 1}, {0.5f, 0, 0.5f, 1}}).size(), 1u);

  state.set(regs::VAP_CLIP_CNTL{}.UCP_ENA_2(1).UCP_CULL_ONLY_ENA(1));
  EXPECT_EQ(triangle({-1, -1, 0.5f, 1}, {1, -1, 0.5f, 1}, {0, 1, 0.5f, 1}).size(), 1u);          // whole
  EXPECT_EQ(triangle({-1, -1, 0.5f, 1}, {-0.5f, -1, 0.5f, 1}, {-0.1f, 1, 0.5f, 1}).size(), 0u);  // culled
}

TEST_F(Clip, AllPlanesAtOnce) {
  for (uint32_t i = 0; i < 6; ++i) user_plane(i, {std::cos(float(i)), std::sin(float(i)), 0, 0.8f});
  state.set(regs::VAP_CLIP_CNTL{0x3F});
  const auto& p = triangle({-9, -9, -3, 1}, {9, -9, 4, 1}, {0, 9, 0.5f, 1});
  ASSERT_GE(p.size(), 3u);
  EXPECT_GT(area(p), 0);
  for (const auto& c : p) {
    EXPECT_EQ(c.provoking.color[0][0], -9.0f);
    for (const auto& v : c.v)
      for (int i = 0; i < 6; ++i) EXPECT_GE(std::cos(float(i)) * v.x + std::sin(float(i)) * v.y + 0.8f, -1e-5f);
  }
}

/// Modes other than "by centre" leave user planes to GA, and the view volume to the centre as before.
TEST_F(Clip, PointModesOtherThanCentreKeepPointsBeyondUserPlanes) {
  user_plane(0, {1, 0, 0, -0.5f});
  for (const uint32_t mode : {0u, 1u, 2u, 3u}) {
    state.set(regs::VAP_CLIP_CNTL{}.UCP_ENA_0(1).PS_UCP_MODE(mode));
    EXPECT_EQ(clip(Vf::PRIM_TYPE__POINT_LIST, {{0, 0, 0.5f, 1}}).size(), mode == 0 ? 0u : 1u);
    EXPECT_EQ(clip(Vf::PRIM_TYPE__POINT_LIST, {{0.75f, 0, 0.5f, 1}}).size(), 1u);
    EXPECT_EQ(clip(Vf::PRIM_TYPE__POINT_LIST, {{0.75f, 2, 0.5f, 1}}).size(), 0u);
  }
  EXPECT_TRUE(reports.empty());
}

TEST_F(Clip, DisabledPassesEverythingFinite) {
  state.set(regs::VAP_CLIP_CNTL{0x3F}.CLIP_DISABLE(1));
  EXPECT_EQ(triangle({-9, -9, -3, 1}, {9, -9, 4, 1}, {0, 9, 0.5f, 1}).size(), 1u);
  EXPECT_EQ(triangle({-9, -9, -3, 1}, {9, -9, 4, 0}, {0, 9, 0.5f, 1}).size(), 0u);  // 1/0
}

TEST_F(Clip, NonFinitePositionsDropThePrimitive) {
  for (float bad : {f(num::kQuietNan), f(num::kInf), -f(num::kInf)})
    for (int component = 0; component < 4; ++component)
      for (bool disabled : {false, true}) {
        state.set(regs::VAP_CLIP_CNTL{}.CLIP_DISABLE(disabled));
        Vec4 v = {0.25f, 0.25f, 0.5f, 1};
        v[component] = bad;
        EXPECT_EQ(triangle({0, 0, 0.5f, 1}, v, {0, 0.5f, 0.5f, 1}).size(), 0u);
        EXPECT_EQ(clip(Vf::PRIM_TYPE__LINE_LIST, {{0, 0, 0.5f, 1}, v}).size(), 0u);
        EXPECT_EQ(clip(Vf::PRIM_TYPE__POINT_LIST, {v}).size(), 0u);
      }
  // The neighbours in the same draw are drawn.
  EXPECT_EQ(clip(Vf::PRIM_TYPE__POINT_LIST, {{f(num::kInf), 0, 0, 1}, {0, 0, 0.5f, 1}}).size(), 1u);
}

TEST_F(Clip, SharedEdgesAreCutAlike) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> d(-3, 3);
  const auto vertex = [&] { return Vec4{d(random), d(random), d(random), d(random)}; };
  for (int i = 0; i < 3000; ++i) {
    const Vec4 a = vertex(), b = vertex(), c = vertex(), e = vertex();
    // Cut vertices on the edge a-b, found by their colour (the position) lying where only that edge is: compare both triangles' sets.
    const auto on_edge = [&](const std::vector<Collected>& p) {
      std::vector<std::array<uint32_t, 3>> r;
      for (const auto& t : p)
        for (const auto& v : t.v) r.push_back({num::bits(v.x), num::bits(v.y), num::bits(v.z)});
      std::sort(r.begin(), r.end());
      r.erase(std::unique(r.begin(), r.end()), r.end());
      return r;
    };
    const auto left = on_edge(triangle(a, b, c)), right = on_edge(triangle(b, a, e));
    const auto line = clip(Vf::PRIM_TYPE__LINE_LIST, {a, b});
    // What is left of the edge itself (clipped as a line) must be a vertex of both.
    for (const auto& t : line)
      for (int k = 0; k < 2; ++k) {
        const std::array<uint32_t, 3> v = {num::bits(t.v[k].x), num::bits(t.v[k].y), num::bits(t.v[k].z)};
        EXPECT_TRUE(left.empty() || std::binary_search(left.begin(), left.end(), v)) << i;
        EXPECT_TRUE(right.empty() || std::binary_search(right.begin(), right.end(), v)) << i;
      }
  }
}

}  // namespace
}  // namespace pumice::hw::test
