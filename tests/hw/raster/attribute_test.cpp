// SPDX-License-Identifier: MIT
/// What reaches the fragment program's registers and the depth test: interpolation, shading modes, routing, generated coordinates,
/// polygon offset.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hw/db/regs_r5x.h"
#include "hw/radeon/ref/su/su.h"
#include "tests/hw/raster/rig.h"

namespace pumice::hw::test {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

// Random triangles with snapped corners, pixel centres inside and helpers outside, against barycentrics in long double.
TEST(Attribute, PerspectiveAgainstLongDouble) {
  for (uint32_t index = 0; index < 400; ++index) {
    std::mt19937 rng(index);
    auto unit = [&] { return static_cast<float>(rng() % 100000) / 100000; };
    Rig rig;
    const bool affine = index % 5 == 4;
    if (affine) rig.set(regs::GB_SELECT{}.W_SELECT(1));
    std::array<WindowVertex, 3> v;
    for (auto& p : v) {
      p = vertex(std::floor(unit() * 640) / 16, std::floor(unit() * 640) / 16, unit(), 0.02f + unit());
      for (float& c : p.tex[0]) c = unit() * 8 - 4;
    }
    auto cross = [](long double ax, long double ay, long double bx, long double by) { return ax * by - bx * ay; };
    const long double det = cross(v[1].x - v[0].x, v[1].y - v[0].y, v[2].x - v[0].x, v[2].y - v[0].y);
    rig.triangle(v[0], v[1], v[2]);
    for (const Seen& s : rig.seen)
      for (int i = 0; i < 4; ++i) {
        const long double x = s.quad.x + (i & 1) + 0.5L, y = s.quad.y + (i >> 1) + 0.5L;
        auto weights = [&](long double px, long double py) {
          const long double b1 = cross(px - v[0].x, py - v[0].y, v[2].x - v[0].x, v[2].y - v[0].y) / det;
          const long double b2 = cross(v[1].x - v[0].x, v[1].y - v[0].y, px - v[0].x, py - v[0].y) / det;
          return std::array<long double, 3>{1 - b1 - b2, b1, b2};
        };
        // A few units of the largest term's last place: base, step and offset are rounded to float (block = where the base lies).
        const std::array<long double, 3> b = weights(x, y), block = weights((s.quad.x & ~3) + 0.5L, (s.quad.y & ~3) + 0.5L);
        const std::array<long double, 3> right =
            weights((s.quad.x & ~3) + 3.5L, (s.quad.y & ~3) + 0.5L);  // steps are large in thin triangles
        struct Sum {
          long double value = 0, size = 0;
          long double error() const { return size * 0x1p-23L; }
        };
        auto sum = [&](auto&& at) {
          Sum r;
          for (int k = 0; k < 3; ++k) {
            r.value += b[k] * at(k);
            r.size += (std::abs(b[k]) + std::abs(block[k]) + std::abs(right[k])) * std::abs(at(k));
          }
          return r;
        };
        const Sum z = sum([&](int k) { return static_cast<long double>(v[k].z); });
        ASSERT_NEAR(s.quad.z[i], std::min(std::max(z.value, 0.0L), 1.0L), z.error()) << index;
        const Sum w = sum([&](int k) { return affine ? 1.0L : static_cast<long double>(v[k].inv_w); });
        if (w.value < 0.01L) continue;  // a helper behind the eye
        for (int c = 0; c < 4; ++c) {
          const Sum n = sum([&](int k) { return static_cast<long double>(v[k].tex[0][c]) * (affine ? 1 : v[k].inv_w); });
          const long double a = n.value / w.value;
          ASSERT_NEAR(s.temp[0][i][c], a, (n.error() + std::abs(a) * w.error()) / w.value + std::abs(a) * 0x1p-23L)
              << index << " channel " << c;
        }
      }
  }
}

TEST(Attribute, ConstantsStayExact) {
  Rig rig;
  WindowVertex a = vertex(0.3f, 0.1f, 0.1f, 0.9f), b = vertex(30, 1, 0.1f, 0.01f), c = vertex(7, 29, 0.1f, 3);
  for (auto* v : {&a, &b, &c}) v->tex[0] = {0.1f, 16777215.0f, -1e30f, kInf};
  rig.triangle(a, b, c);
  for (const Seen& s : rig.seen)
    for (int i = 0; i < 4; ++i) {
      ASSERT_EQ(s.temp[0][i], a.tex[0]);
      ASSERT_EQ(s.quad.z[i], 0.1f);
    }
}

TEST(Attribute, ShadingModes) {
  struct {
    uint32_t shading;
    float want;
  } const table[] = {{0, 0.25f}, {1, 0.75f}, {2, 0.5f}};  // solid, flat, Gouraud
  for (const auto& t : table) {
    Rig rig;
    rig.set(regs::GA_COLOR_CONTROL{}.RGB0_SHADING(t.shading).ALPHA0_SHADING(t.shading == 2 ? 1 : 2));
    rig.set_float<regs::GA_FILL_R>(0.25f);
    WindowVertex a = vertex(0, 0), b = vertex(17, 0), c = vertex(0, 17), p = vertex(0, 0);
    b.color[0] = {1, 0, 0, 1};
    c.color[0] = {0, 1, 0, 0};
    p.color[0] = {0.75f, 0, 0, 0.75f};
    rig.triangle(a, b, c, &p);
    // Pixel (8, 3): barycentric of b is 8.5/17 = 0.5.
    EXPECT_NEAR(rig.at(8, 3, 1)[0], t.want, 1e-7) << t.shading;
    EXPECT_NEAR(rig.at(8, 3, 1)[3], t.shading == 2 ? 0.75f : 0.5f, 1e-7) << t.shading;
  }
}

TEST(Attribute, FlatTexcoord) {
  for (bool ps3 : {true, false}) {
    Rig rig;
    rig.set(regs::PS3_ENABLE{}.PS3_MODE(ps3));
    rig.set(regs::GA_COLOR_CONTROL_PS3{}.TEX0_SHADING_PS3(1).TEX1_SHADING_PS3(2));
    rig.set(regs::RS_INST_COUNT{}.INST_COUNT(1));
    rig.set(regs::RS_IP{}.TEX_PTR_S(4).TEX_PTR_T(5).TEX_PTR_R(6).TEX_PTR_Q(7), 1);
    rig.set(regs::RS_INST{}.TEX_ID(1).TEX_CN(1).TEX_ADDR(2), 1);
    WindowVertex a = vertex(0, 0), b = vertex(17, 0), c = vertex(0, 17);
    a.tex[0] = a.tex[1] = {1, 2, 3, 4};
    rig.triangle(a, b, c, &a);
    EXPECT_EQ(rig.at(8, 3, 0) == a.tex[0], ps3) << "the R300-compatible mode has no flat texcoords";
    EXPECT_NE(rig.at(8, 3, 2), a.tex[1]);
  }
}

TEST(Attribute, ColorClampAndReplacement) {
  for (bool keep : {false, true})
    for (bool replace : {false, true}) {
      Rig rig;
      rig.set(regs::GA_ROUND_MODE{}.GEOMETRY_ROUND(1).RGB_CLAMP(keep).ALPHA_CLAMP(keep));
      rig.set(regs::GA_COLOR_CONTROL_PS3{rig.state.get<regs::GA_COLOR_CONTROL_PS3>()}.COLOR0_TEX_OVERRIDE(replace ? 2 : 0));
      WindowVertex v = vertex(4.5f, 4.5f);
      v.color[0] = {-1, 2, 0.5f, 3};
      v.tex[1] = {5, 0.25f, -3, 7};
      rig.point(v);
      Vec4 want = replace ? v.tex[1] : v.color[0];
      if (!keep)
        for (float& c : want) c = std::min(std::max(c, 0.0f), 1.0f);
      EXPECT_EQ(rig.at(4, 4, 1), want) << keep << replace;
    }
}

TEST(Attribute, TwoSidedColors) {
  for (bool declared : {false, true})
    for (bool back : {false, true}) {
      Rig rig;
      rig.set(regs::VAP_OUT_VTX_FMT_0{}.VTX_POS_PRESENT(1).VTX_COLOR_0_PRESENT(1).VTX_COLOR_2_PRESENT(declared));
      rig.set(regs::GA_COLOR_CONTROL{0xAAAA});
      WindowVertex a = vertex(0, 0), b = vertex(17, 0), c = vertex(0, 17);
      for (auto* v : {&a, &b, &c}) {
        v->color[0] = {1, 0, 0, 1};
        v->color[2] = {0, 1, 0, 1};
      }
      back ? rig.triangle(a, b, c) : rig.triangle(a, c, b);
      EXPECT_EQ(rig.at(3, 3, 1), back && declared ? a.color[2] : a.color[0]) << declared << back;
    }
}

TEST(Attribute, Routing) {
  Rig rig;
  rig.set(regs::VAP_OUT_VTX_FMT_0{}.VTX_POS_PRESENT(1).VTX_COLOR_0_PRESENT(1).VTX_COLOR_1_PRESENT(1));
  rig.set(regs::GA_COLOR_CONTROL{0xAAAA});
  // Sets 0 (two components), 2 (one, two slots), 5 (three), 9 (four): slots 0-1, 2-3, 4-6, 7-10.
  rig.set(regs::PS3_VTX_FMT{}.TEX_0_COMP_CNT(2).TEX_2_COMP_CNT(1).TEX_5_COMP_CNT(3).TEX_9_COMP_CNT(4));
  WindowVertex v = vertex(5.5f, 3.5f);
  for (uint32_t n = 0; n < kMaxTexcoords; ++n) v.tex[n] = {n * 10 + 1.f, n * 10 + 2.f, n * 10 + 3.f, n * 10 + 4.f};
  v.color[0] = {0.1f, 0.2f, 0.3f, 0.4f};
  v.color[1] = {0.5f, 0.6f, 0.7f, 0.8f};
  struct {
    std::array<uint32_t, 4> pointer;
    uint32_t color, format;
    Vec4 tex, rgba;
  } const table[] = {
      {{0, 1, 62, 63}, 0, 0, {1, 2, 0, 1}, {0.1f, 0.2f, 0.3f, 0.4f}},
      {{2, 3, 4, 5}, 1, 0, {21, 22, 51, 52}, {0.5f, 0.6f, 0.7f, 0.8f}},
      {{6, 7, 10, 11}, 1, 1, {53, 91, 94, 0}, {0.5f, 0.6f, 0.7f, 0}},
      {{63, 63, 62, 61}, 0, 2, {1, 1, 0, 0}, {0.1f, 0.2f, 0.3f, 1}},
      {{10, 9, 8, 7}, 0, 4, {94, 93, 92, 91}, {0, 0, 0, 0.4f}},
      {{1, 1, 1, 1}, 0, 5, {2, 2, 2, 2}, {0, 0, 0, 0}},
      {{1, 1, 1, 1}, 0, 6, {2, 2, 2, 2}, {0, 0, 0, 1}},
      {{1, 1, 1, 1}, 1, 8, {2, 2, 2, 2}, {1, 1, 1, 0.8f}},
      {{1, 1, 1, 1}, 1, 9, {2, 2, 2, 2}, {1, 1, 1, 0}},
      {{1, 1, 1, 1}, 1, 10, {2, 2, 2, 2}, {1, 1, 1, 1}},
      {{1, 1, 1, 1}, 7, 0, {2, 2, 2, 2}, {0, 0, 0, 0}},  // no such colour
  };
  for (const auto& t : table) {
    rig.seen.clear();
    rig.set(regs::RS_IP{}
                .TEX_PTR_S(t.pointer[0])
                .TEX_PTR_T(t.pointer[1])
                .TEX_PTR_R(t.pointer[2])
                .TEX_PTR_Q(t.pointer[3])
                .COL_PTR(t.color)
                .COL_FMT(t.format),
            9);
    rig.set(regs::RS_INST{}.TEX_ID(9).TEX_CN(1).TEX_ADDR(5).COL_ID(9).COL_CN(1).COL_ADDR(6));
    rig.point(v);
    EXPECT_EQ(rig.at(5, 3, 5), t.tex) << t.pointer[0] << " " << t.format;
    EXPECT_EQ(rig.at(5, 3, 6), t.rgba) << t.color << " " << t.format;
    EXPECT_EQ(rig.at(5, 3, 0), Vec4{}) << "no other register is written";
  }
}

TEST(Attribute, RoutingSpecials) {
  Rig rig;
  rig.set(regs::RS_INST_COUNT{}.INST_COUNT(2));
  rig.set(regs::RS_INST{}.COL_CN(2).COL_ADDR(3), 0);
  rig.set(regs::RS_INST{}.COL_CN(3).COL_ADDR(4), 1);
  rig.set(regs::RS_INST{}, 2);
  rig.set(regs::RS_INST{}.TEX_CN(1).TEX_ADDR(5), 3);  // beyond the count
  WindowVertex a = vertex(4, 6), b = vertex(30, 6), c = vertex(4, 30);
  a.tex[0] = b.tex[0] = c.tex[0] = {1, 1, 1, 1};
  rig.triangle(a, b, c);
  EXPECT_EQ(rig.at(7, 11, 3), (Vec4{7, 11, 0, 0}));
  EXPECT_EQ(rig.at(7, 11, 4), (Vec4{1, 0, 0, 0}));
  EXPECT_EQ(rig.at(7, 11, 5), Vec4{});
  rig.seen.clear();
  rig.triangle(a, c, b);
  EXPECT_EQ(rig.at(7, 11, 4), Vec4{});
}

TEST(Attribute, RoutingR300) {
  using Ip = regs::r300::RS_IP;
  using Inst = regs::r300::RS_INST;
  Rig rig;
  rig.state.profile = Profile::r300;
  rig.scissor(1440, 1440, 1440 + 63, 1440 + 63);
  rig.state.reg[Ip::at(3) / 4] = Ip{}.TEX_PTR(3).SEL_S(0).SEL_T(2).SEL_R(4).SEL_Q(5).COL_PTR(0).COL_FMT(2).raw;
  rig.state.reg[Inst::at(0) / 4] = Inst{}.TEX_ID(3).TEX_CN(1).TEX_ADDR(6).COL_ID(3).COL_CN(1).COL_ADDR(7).raw;
  WindowVertex v = vertex(5.5f, 3.5f);
  v.tex[0] = {1, 2, 3, 4};
  v.tex[1] = {5, 6, 7, 8};
  v.color[0] = {0.5f, 0.25f, 0.75f, 0};
  rig.point(v);
  EXPECT_EQ(rig.at(5, 3, 6), (Vec4{4, 6, 0, 1}));
  EXPECT_EQ(rig.at(5, 3, 7), (Vec4{0.5f, 0.25f, 0.75f, 1}));
}

/// X_RS_BIAS_CLAMP limits polygon offset, by its sign, in extended draws only.
TEST(Attribute, PolygonOffsetIsClampedInExtendedDraws) {
  for (const bool extended : {false, true})
    for (const float clamp : {0.0f, 0.25f, -0.25f}) {
      ChipState state{Profile::r5x};
      state.set(regs::r5x::X_CTRL{}.EN(extended).SHADERS(extended));
      state.set(regs::SU_POLY_OFFSET_ENABLE{}.FRONT_ENABLE(1));
      state.reg[regs::SU_POLY_OFFSET_FRONT_SCALE::offset / 4] = std::bit_cast<uint32_t>(1.0f);
      state.reg[regs::r5x::X_RS_BIAS_CLAMP::offset / 4] = std::bit_cast<uint32_t>(clamp);
      const su::Bias bias = su::polygon_offset(state, false, false);
      EXPECT_EQ(bias.of(1.0, 1, 1, 1), extended && clamp > 0 ? 0.25 : 1.0) << clamp;
      EXPECT_EQ(bias.of(-1.0, 1, 1, 1), extended && clamp < 0 ? -0.25 : -1.0) << clamp;
    }
}

/// X_RS_BIAS_CTRL.RELATIVE: units in the last place of the largest depth, in extended draws only.
TEST(Attribute, PolygonOffsetCountsLastPlacesInExtendedDraws) {
  for (const bool extended : {false, true}) {
    ChipState state{Profile::r5x};
    state.set(regs::r5x::X_CTRL{}.EN(extended).SHADERS(extended));
    state.set(regs::r5x::X_RS_BIAS_CTRL{}.RELATIVE(1));
    state.set(regs::SU_POLY_OFFSET_ENABLE{}.FRONT_ENABLE(1));
    state.reg[regs::SU_POLY_OFFSET_FRONT_OFFSET::offset / 4] = std::bit_cast<uint32_t>(6.0f);
    const su::Bias bias = su::polygon_offset(state, false, false);
    const double fixed = 3.0 / 16777215.0;
    EXPECT_EQ(bias.of(0, 0.25f, -0.75f, 0.5f), extended ? 3 * 0x1p-24 : fixed);  // 0.75 is 1.5 * 2^-1
    EXPECT_EQ(bias.of(0, 1.0f, 0, 0), extended ? 3 * 0x1p-23 : fixed);
    EXPECT_EQ(bias.of(0, 0, 0, 0x1.8p-20f), extended ? 3 * 0x1p-43 : fixed);
    EXPECT_EQ(bias.of(0, 0, 0, 0x1p-140f), extended ? 3 * 0x1p-149 : fixed);
  }
}

TEST(Attribute, SolidColoursOfR300) {
  using Ip = regs::r300::RS_IP;
  using Inst = regs::r300::RS_INST;
  Rig rig;
  rig.state.profile = Profile::r300;
  rig.scissor(1440, 1440, 1440 + 63, 1440 + 63);
  rig.state.reg[Ip::at(0) / 4] = Ip{}.COL_PTR(0).COL_FMT(0).raw;
  rig.state.reg[Inst::at(0) / 4] = Inst{}.COL_ID(0).COL_CN(1).COL_ADDR(7).raw;
  rig.set(regs::GA_COLOR_CONTROL{}.RGB0_SHADING(0).ALPHA0_SHADING(0));
  rig.set(regs::GA_SOLID_RG{}.COLOR_RED(0x800).COLOR_GREEN(0x400));  // S3.12
  rig.set(regs::GA_SOLID_BA{}.COLOR_BLUE(0x1000).COLOR_ALPHA(0xC00));
  rig.point(vertex(5.5f, 3.5f));
  EXPECT_EQ(rig.at(5, 3, 7), (Vec4{0.5f, 0.25f, 1, 0.75f}));
}

/// Sets 8 and 9 are colours 2 and 3 as texture coordinates; set 9's bits lie below set 8's.
TEST(Attribute, CylindricalWrapOfTheLastSets) {
  for (const bool wrap : {false, true}) {
    Rig rig;
    rig.set(regs::VAP_OUT_VTX_FMT_0{}.VTX_POS_PRESENT(1).VTX_COLOR_2_PRESENT(1).VTX_COLOR_3_PRESENT(1));
    rig.set(regs::VAP_OUT_VTX_FMT_1{});
    rig.set(regs::VAP_CLIP_CNTL{}.COLOR2_IS_TEXTURE(1).COLOR3_IS_TEXTURE(1));
    rig.set(regs::PS3_ENABLE{}.PS3_MODE(1));
    rig.set(regs::PS3_VTX_FMT{}.TEX_8_COMP_CNT(4).TEX_9_COMP_CNT(4));
    rig.set(regs::SU_TEX_WRAP_PS3{}.T9C1(wrap));
    rig.set(regs::RS_IP{}.TEX_PTR_S(1).TEX_PTR_T(5).TEX_PTR_R(4).TEX_PTR_Q(0));  // 8.y, 9.y, 9.x, 8.x
    WindowVertex a = vertex(0, 0), b = vertex(16, 0), c = vertex(0, 16);
    a.tex[8] = a.tex[9] = c.tex[8] = c.tex[9] = {0.9f, 0.9f, 0, 0};
    b.tex[8] = b.tex[9] = {0.1f, 0.1f, 0, 0};
    rig.triangle(a, b, c);
    const double plain = 0.9 - 0.8 * 7.5 / 16, wrapped = 0.9 + 0.2 * 7.5 / 16;
    EXPECT_NEAR(rig.at(7, 2, 0)[0], plain, 1e-6);
    EXPECT_NEAR(rig.at(7, 2, 0)[1], wrap ? wrapped : plain, 1e-6);
    EXPECT_NEAR(rig.at(7, 2, 0)[2], plain, 1e-6);
  }
}

TEST(Attribute, PointCoordinates) {
  for (bool ps3 : {false, true})
    for (bool stuff : {false, true}) {
      Rig rig;
      rig.set(regs::PS3_ENABLE{}.PS3_MODE(ps3));
      regs::GB_ENABLE enable;
      enable.POINT_STUFF_ENABLE(stuff);
      // Set 0 is claimed by both: VAP wins. Set 3 is generated and follows the eight slots of VAP's sets.
      rig.set(ps3 ? enable : enable.TEX0_SOURCE(1).TEX3_SOURCE(1));
      if (ps3) rig.set(regs::PS3_TEX_SOURCE{}.TEX0_SOURCE(1).TEX3_SOURCE(1));
      rig.set_float<regs::GA_POINT_S1>(1);
      rig.set_float<regs::GA_POINT_T0>(1);  // upper left origin
      rig.set(regs::GA_POINT_SIZE{}.WIDTH(64).HEIGHT(32));
      rig.set(regs::RS_IP{}.TEX_PTR_S(8).TEX_PTR_T(9).TEX_PTR_R(10).TEX_PTR_Q(0));
      WindowVertex v = vertex(10, 20, 0, 0.25f);
      v.tex[0] = {42, 0, 0, 0};
      rig.point(v);
      for (int y = 18; y < 22; ++y)
        for (int x = 6; x < 14; ++x) {
          const Vec4 want = {stuff ? (static_cast<float>(x) + 0.5f - 6) / 8 : 0, stuff ? (static_cast<float>(y) + 0.5f - 18) / 4 : 0, 0,
                             42};
          EXPECT_EQ(rig.at(x, y, 0), want) << x << "," << y << ps3 << stuff;
        }
    }
}

TEST(Attribute, LinesInterpolateAlong) {
  for (uint32_t ends : {2u, 3u}) {
    Rig rig;
    rig.set(regs::GA_LINE_CNTL{}.WIDTH(40).END_TYPE(ends));
    WindowVertex a = vertex(8, 8, 0.25f), b = vertex(24, 16, 0.75f);
    b.tex[0] = {1, 0, 0, 0};
    rig.line(a, b);
    for (const Seen& s : rig.seen)
      for (int i = 0; i < 4; ++i) {
        const double x = s.quad.x + (i & 1) + 0.5 - 8, y = s.quad.y + (i >> 1) + 0.5 - 8;
        const double t = ends == 2 ? x / 16 : (x * 16 + y * 8) / (16 * 16 + 8 * 8);
        ASSERT_NEAR(s.temp[0][i][0], t, 1e-6);
        ASSERT_NEAR(s.quad.z[i], 0.25 + 0.5 * t, 1e-6);
      }
  }
}

TEST(Attribute, LineAndTriangleCoordinates) {
  Rig rig;
  rig.set(regs::GB_ENABLE{}.LINE_STUFF_ENABLE(1).TRIANGLE_STUFF_ENABLE(1));
  rig.set(regs::PS3_TEX_SOURCE{}.TEX3_SOURCE(2));
  rig.set(regs::RS_IP{}.TEX_PTR_S(8).TEX_PTR_T(9).TEX_PTR_R(10).TEX_PTR_Q(11));
  rig.set_float<regs::GA_LINE_S0>(1);
  rig.set_float<regs::GA_LINE_S1>(3);
  rig.line(vertex(2, 4.5f, 0, 1), vertex(10, 4.5f, 0, 0.125f));  // linear on the screen whatever w is
  EXPECT_EQ(rig.at(5, 4, 0), (Vec4{1 + 2 * 3.5f / 8, 0, 0, 0}));
  rig.seen.clear();
  rig.set(regs::GA_TRIANGLE_STIPPLE{}.X_SHIFT(3).Y_SHIFT(2));
  rig.triangle(vertex(0, 0, 0, 1), vertex(32, 0, 0, 0.5f), vertex(0, 32, 0, 0.25f));
  EXPECT_EQ(rig.at(5, 11, 0), (Vec4{5.5f / 8, 11.5f / 4, 0, 0}));
}

TEST(Attribute, CylindricalWrap) {
  Rig rig;
  rig.set(regs::SU_TEX_WRAP{}.T0C0(1));
  WindowVertex a = vertex(0, 0), b = vertex(16, 0), c = vertex(0, 16);
  a.tex[0] = {0.9f, 0.9f, 0, 0};
  b.tex[0] = {0.1f, 0.1f, 0, 0};
  c.tex[0] = {0.9f, 0.9f, 0, 0};
  rig.triangle(a, b, c);
  EXPECT_NEAR(rig.at(7, 2, 0)[0], 0.9 + 0.2 * 7.5 / 16, 1e-6);
  EXPECT_NEAR(rig.at(7, 2, 0)[1], 0.9 - 0.8 * 7.5 / 16, 1e-6);
}

TEST(Attribute, DepthRange) {
  struct {
    float scale, offset, z;
    bool extended;
    float want;
  } const table[] = {
      {16777215.0f, 0, 0.3f, false, 0.3f}, {8388607.5f, 0, 0.5f, false, 0.25f}, {16777215.0f, 8388607.5f, 0.25f, false, 0.75f},
      {16777215.0f, 0, -0.5f, false, 0},   {16777215.0f, 0, 1.5f, true, 1},     {16777215.0f, 0, kNan, true, 0},
      {kInf, 0, 0.5f, false, 1},           {kNan, kNan, 0.5f, true, 0},
  };
  for (const auto& t : table) {
    Rig rig;
    rig.set(regs::GB_TILE_CONFIG{}.SUBPIXEL(1).Z_EXTENDED(t.extended));
    rig.set_float<regs::SU_DEPTH_SCALE>(t.scale);
    rig.set_float<regs::SU_DEPTH_OFFSET>(t.offset);
    rig.triangle(vertex(0, 0, t.z), vertex(9, 0, t.z), vertex(0, 9, t.z));
    EXPECT_EQ(rig.z_at(2, 2), t.want) << t.scale << " " << t.z;
  }
}

// Vertices clamped one by one bend the plane; Z_EXTENDED clamps pixels only.
TEST(Attribute, ExtendedDepthKeepsThePlane) {
  for (bool extended : {false, true}) {
    Rig rig;
    rig.set(regs::GB_TILE_CONFIG{}.SUBPIXEL(1).Z_EXTENDED(extended));
    rig.triangle(vertex(0, 0, -1), vertex(16, 0, 1), vertex(0, 16, -1));
    EXPECT_FLOAT_EQ(rig.z_at(11, 2), extended ? -1 + 2 * 11.5f / 16 : 11.5f / 16);
    EXPECT_EQ(rig.z_at(3, 2), extended ? 0 : 3.5f / 16);
  }
}

TEST(Attribute, PolygonOffset) {
  enum Kind { front, back, parallel };
  struct {
    uint32_t enable;
    Kind kind;
    double scale, offset;  // of what is enabled
    double want;           // added to z, in 24-bit steps
  } const table[] = {
      {1, front, 0, 2, 1},
      {1, front, 0, 200, 100},
      {1, front, 16, 0, 0.01 * 16777215},  // slope by pixel 0.01
      {1, front, 32, 20, 0.02 * 16777215 + 10},
      {1, front, -16, 0, -0.01 * 16777215},
      {2, front, 16, 2, 0},
      {2, back, 0, 6, 3},
      {1, back, 16, 6, 0},
      {4, parallel, 0, 2, 0},
      {1, parallel, 0, 2, 0},
      {5, parallel, 0, 2, 1},
      {6, parallel, 0, 2, 0},
      {0, front, 16, 100, 0},
  };
  for (uint32_t subpixel : {1u, 0u})
    for (const auto& t : table) {
      Rig rig;
      rig.set(regs::GB_TILE_CONFIG{}.SUBPIXEL(subpixel));
      rig.set(regs::SU_POLY_OFFSET_ENABLE{t.enable});
      const float scale = static_cast<float>(t.scale * (subpixel ? 1.0 : 0.75)), other = 1e6f;
      rig.set_float<regs::SU_POLY_OFFSET_FRONT_SCALE>(t.kind == back ? other : scale);
      rig.set_float<regs::SU_POLY_OFFSET_FRONT_OFFSET>(t.kind == back ? other : static_cast<float>(t.offset));
      rig.set_float<regs::SU_POLY_OFFSET_BACK_SCALE>(t.kind == back ? scale : other);
      rig.set_float<regs::SU_POLY_OFFSET_BACK_OFFSET>(t.kind == back ? static_cast<float>(t.offset) : other);
      const WindowVertex a = vertex(0, 0, 0.3f), b = vertex(20, 0, 0.5f), c = vertex(0, 20, 0.2f);  // dz/dx 0.01, dz/dy -0.005
      double z = 0.3 + 0.01 * 4.5 - 0.005 * 4.5;
      if (t.kind == parallel) {
        z = 0.3;
        rig.point(vertex(4.5f, 4.5f, 0.3f));
      } else {
        t.kind == back ? rig.triangle(a, b, c) : rig.triangle(a, c, b);
      }
      EXPECT_NEAR(rig.z_at(4, 4), z + t.want / 16777215, 1.2e-7) << t.enable << " " << t.kind << " " << t.scale << " " << t.offset;
    }
}

// A line's grid is finer; its slopes still count by sub-pixel.
TEST(Attribute, PolygonOffsetOfLines) {
  Rig rig;
  rig.set(regs::SU_POLY_OFFSET_ENABLE{}.FRONT_ENABLE(1).PARA_ENABLE(1));
  rig.set_float<regs::SU_POLY_OFFSET_FRONT_SCALE>(16);
  rig.line(vertex(0, 4.5f, 0.1f), vertex(20, 4.5f, 0.3f));
  EXPECT_NEAR(rig.z_at(4, 4), 0.1 + 0.01 * 4.5 + 0.01, 1.2e-7);
}

}  // namespace pumice::hw::test
