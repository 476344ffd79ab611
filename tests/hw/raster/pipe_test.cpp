// SPDX-License-Identifier: MIT
/// Order of the blocks for a quad, whole draws, and what random registers and vertices may do: nothing but quads inside the limits, the
/// same ones each time.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "tests/hw/raster/rig.h"

namespace pumice::hw::test {

using Calls = std::vector<std::string>;

TEST(Pipe, Order) {
  struct {
    bool early;
    uint8_t depth, kill, alpha;  // masks that pass, are killed, pass
    Calls want;
    uint8_t written;
  } const table[] = {
      {false, 15, 0, 15, {"us", "fg", "zb", "rb3d"}, 15},
      {true, 15, 0, 15, {"zb", "us", "fg", "rb3d"}, 15},
      {true, 0, 0, 15, {"zb"}, 0},
      {true, 6, 2, 15, {"zb", "us", "fg", "rb3d"}, 4},
      {false, 0, 0, 15, {"us", "fg", "zb"}, 0},
      {false, 15, 15, 15, {"us"}, 0},
      {false, 15, 1, 3, {"us", "fg", "zb", "rb3d"}, 2},
      {false, 15, 0, 0, {"us", "fg"}, 0},
      {true, 15, 0, 0, {"zb", "us", "fg"}, 0},
  };
  for (const auto& t : table) {
    Rig rig;
    rig.log_calls = true;
    rig.set(regs::ZB_ZTOP{}.ZTOP(t.early));
    rig.depth_test = [&](uint8_t m) { return static_cast<uint8_t>(m & t.depth); };
    rig.alpha_test = [&](uint8_t m) { return static_cast<uint8_t>(m & t.alpha); };
    rig.shader = [&](PixelQuad& q) { q.killed |= t.kill; };
    PixelQuad q;
    q.quad.coverage = 15;
    q.killed = 15;  // left over from the previous quad
    pixel::quad(rig.ctx, q);
    EXPECT_EQ(rig.calls, t.want);
    EXPECT_EQ(rig.written, t.written);
  }
}

TEST(Pipe, DepthSource) {
  for (bool from_shader : {false, true}) {
    Rig rig;
    rig.set(regs::FG_DEPTH_SRC{}.DEPTH_SRC(from_shader));
    rig.set(regs::US_W_FMT{}.W_FMT(regs::US_W_FMT::W_FMT__N24_BIT_FIXED));
    rig.shader = [](PixelQuad& q) { q.depth = {0.5f, -1, 2, std::bit_cast<float>(0x7FC00000u)}; };
    PixelQuad q;
    q.quad.coverage = 15;
    q.quad.z = {0.1f, 0.2f, 0.3f, 0.4f};
    pixel::quad(rig.ctx, q);
    EXPECT_EQ(rig.tested_z, from_shader ? (std::array<float, 4>{0.5f, 0, 1, 0}) : q.quad.z);
  }
}

TEST(Pipe, HungStops) {
  Rig rig;
  rig.log_calls = true;
  int quads = 0;
  rig.shader = [&](PixelQuad&) {
    if (++quads == 3) rig.counters.hung = true;
  };
  rig.triangle(vertex(0, 0), vertex(90, 0), vertex(0, 90));
  rig.triangle(vertex(0, 0), vertex(90, 0), vertex(0, 90));
  EXPECT_EQ(quads, 3);
  EXPECT_EQ(rig.calls.back(), "us");
  DrawInput input{};
  execute_draw(rig.ctx, input);
  EXPECT_EQ(rig.calls.back(), "us");
}

TEST(Pipe, ExecuteDraw) {
  Rig rig;
  rig.log_calls = true;
  const WindowVertex a = vertex(0, 0), b = vertex(9, 0), c = vertex(0, 9);
  rig.vertices = [&](DrawContext& ctx) { ga::primitive(ctx, {PrimitiveKind::triangle, {&a, &b, &c}, &a, 7}); };
  DrawInput input{};
  execute_draw(rig.ctx, input);
  EXPECT_EQ(rig.calls.front(), "vap");
  EXPECT_EQ(rig.calls.back(), "rb3d");
  EXPECT_TRUE(rig.reports.empty());

  rig.calls.clear();
  rig.set(regs::VAP_CNTL{}.VAP_NO_RENDER(1));
  execute_draw(rig.ctx, input);
  EXPECT_TRUE(rig.calls.empty());

  rig.set(regs::VAP_CNTL{});
  rig.set(regs::GA_POLY_MODE{}.POLY_MODE(3));
  execute_draw(rig.ctx, input);
  ASSERT_EQ(rig.reports.size(), 1u) << "once per draw, not once per triangle";
  EXPECT_EQ(rig.reports[0].first, ReportKind::bad_register);
  EXPECT_NE(rig.reports[0].second.find("GA_POLY_MODE"), std::string::npos);
}

static uint64_t digest(const std::vector<Seen>& seen) {
  uint64_t h = 0xCBF29CE484222325u;
  auto add = [&](const void* p, size_t n) {
    for (size_t i = 0; i < n; ++i) h = (h ^ static_cast<const unsigned char*>(p)[i]) * 0x100000001B3u;
  };
  for (const Seen& s : seen) {
    const int32_t fixed[] = {s.quad.x, s.quad.y, s.quad.coverage, s.quad.back_facing, s.quad.parallelogram};
    add(fixed, sizeof fixed);
    add(s.quad.z.data(), sizeof s.quad.z);
    add(s.temp.data(), sizeof s.temp);
  }
  return h;
}

/// Registers of GA, GB, SU, SC and RS and the vertex format at random, primitives with every kind of float.
static uint64_t random_draws(uint32_t index, Profile profile) {
  std::mt19937 rng(index);
  Rig rig;
  rig.state.profile = profile;
  for (uint32_t a = 0x4000; a < 0x4400; a += 4)
    if (rng() % 2) rig.state.reg[a / 4] = rng() & (rng() | rng());
  for (uint32_t a : {regs::VAP_OUT_VTX_FMT_0::offset, regs::VAP_OUT_VTX_FMT_1::offset, regs::VAP_CLIP_CNTL::offset})
    rig.state.reg[a / 4] = rng();
  // Keep something visible most of the time, and the walk short.
  if (rng() % 4) rig.set(regs::SU_CULL_MODE{});
  if (rng() % 4) rig.set(regs::SC_CLIP_RULE{}.CLIP_RULE(0xFFFF));
  if (rng() % 4) rig.set(regs::SC_SCREENDOOR{}.SCREENDOOR(0xFFFFFF));
  const uint32_t bias = capabilities(profile).scissor_bias, x = rng() % 4000, y = rng() % 4000;
  rig.scissor(bias + x, bias + y, bias + x + rng() % 24, bias + y + rng() % 24);

  auto value = [&](float around) {
    switch (rng() % 12) {
      case 0: return std::bit_cast<float>(static_cast<uint32_t>(rng()));
      case 1: return std::bit_cast<float>(0x7F800000u | (static_cast<uint32_t>(rng()) & 0x80000000u));
      case 2: return std::bit_cast<float>(0x7F800001u);
      case 3: return std::bit_cast<float>(static_cast<uint32_t>(rng()) & 0x807FFFFFu);
      case 4: return around + static_cast<float>(rng() % 200000) - 100000;
      default: return around + static_cast<float>(rng() % 4096) / 64 - 32;
    }
  };
  for (int n = 0; n < 6; ++n) {
    std::array<WindowVertex, 3> v;
    for (auto& p : v) {
      p = vertex(value(static_cast<float>(x)), value(static_cast<float>(y)), value(0), value(0));
      p.point_size = value(8);
      for (auto& t : p.tex) t = {value(0), value(0), value(0), value(0)};
      for (auto& t : p.color) t = {value(0), value(0), value(0), value(0)};
    }
    rig.draw({static_cast<PrimitiveKind>(rng() % 3), {&v[0], &v[1], &v[2]}, rng() % 2 ? &v[2] : nullptr, static_cast<uint8_t>(rng())});
  }
  for (const Seen& s : rig.seen) {
    EXPECT_TRUE(s.quad.x >= 0 && s.quad.x < 8192 && s.quad.y >= 0 && s.quad.y < 8192 && !(s.quad.x & 1) && !(s.quad.y & 1)) << index;
    EXPECT_TRUE(s.quad.coverage >= 1 && s.quad.coverage <= 15) << index;
    for (float z : s.quad.z) EXPECT_TRUE(z >= 0 && z <= 1) << index;
    for (const auto& reg : s.temp)
      for (const Vec4& pixel : reg)
        for (float c : pixel)
          if (std::isnan(c)) {
            EXPECT_EQ(std::bit_cast<uint32_t>(c), 0x7FC00000u) << index << ": one NaN on every CPU";
          }
    for (int i = 0; i < 4; ++i)
      if ((s.quad.coverage >> i) & 1) {
        const int px = s.quad.x + (i & 1), py = s.quad.y + (i >> 1);
        EXPECT_TRUE(px >= static_cast<int>(x) && px < static_cast<int>(x) + 24 && py >= static_cast<int>(y) &&
                    py < static_cast<int>(y) + 24)
            << index;
      }
  }
  return digest(rig.seen);
}

TEST(Pipe, RandomRegistersAndVerticesAreHarmlessAndRepeatable) {
  size_t different = 0;
  uint64_t last = 0;
  for (uint32_t index = 0; index < 4000; ++index) {
    const Profile profile = index % 4 == 3 ? Profile::r300 : Profile::r500;
    const uint64_t d = random_draws(index, profile);
    ASSERT_EQ(d, random_draws(index, profile)) << index;
    different += d != last;
    last = d;
    if (HasFailure()) break;
  }
  EXPECT_GT(different, 2000u) << "most cases must draw something";
}

}  // namespace pumice::hw::test
