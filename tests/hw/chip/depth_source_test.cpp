// SPDX-License-Identifier: MIT
/// Where depth and fog come from, by packets: colours, W and Z as fog (GB_SELECT, GA_FOG_*, FG_FOG_BLEND), fog in a texture coordinate, W
/// as depth, depth of the program as a 24-bit float, W of the rasterizer, and the facing flag of stencil.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/hw/chip/chip.h"

namespace pumice::hw::test {
namespace {

using Select = regs::GB_SELECT;
using Cntl = regs::ZB_CNTL;
using Func = regs::ZB_ZSTENCILCNTL;
using Vf = regs::VAP_VF_CNTL;

constexpr uint32_t kSize = 16, kPixels = kSize * kSize;

/// A picture of FP32 pixels and a depth buffer, state of a triangle over everything.
struct Bench {
  Chip chip;
  Target t{kSize, kSize, chip.allocate(kPixels * 4), chip.allocate(kPixels)};
  Packets p = plain_state(t);
  Bench() { p.append(float_target(t.color, kSize)); }
  float value(uint32_t x, uint32_t y, uint32_t channel) {
    return std::bit_cast<float>(chip.memory(t.color)[(y * kSize + x) * 4 + channel]);
  }
  uint32_t depth(uint32_t x, uint32_t y) { return chip.memory(t.depth)[y * kSize + x] >> 8; }
  /// w[i] of the corners (0, 0), (2*kSize, 0), (0, 2*kSize) in pixels, with these attributes.
  void triangle(const std::array<float, 3>& w, const std::array<std::array<float, 4>, 3>& attribute, float z = 0.5f) {
    const float at[3][2] = {{-1, -1}, {3, -1}, {-1, 3}};
    std::vector<TestVertex> v;
    for (uint32_t i = 0; i < 3; ++i) v.push_back({{at[i][0] * w[i], at[i][1] * w[i], z * w[i], w[i]}, attribute[i]});
    p.append(draw(Vf::PRIM_TYPE__TRIANGLE_LIST, v));
  }
  void run() {
    ASSERT_TRUE(chip.run(p));
    for (const Report& r : chip.reports()) ADD_FAILURE() << r.text;
    p.words.clear();
  }
  static double across(uint32_t x) { return (x + 0.5) / (2 * kSize); }
  /// Linear on the screen, between values at the corners.
  static double screen(const std::array<double, 3>& v, uint32_t x, uint32_t y) {
    return v[0] + (v[1] - v[0]) * across(x) + (v[2] - v[0]) * across(y);
  }
};

constexpr std::array<float, 3> kW = {1, 3, 2}, kAlpha = {0.25f, 1, 0.5f};
constexpr std::array<std::array<float, 4>, 3> kAttributes = {
    {{0.5f, 0.5f, 0.5f, kAlpha[0]}, {0.5f, 0.5f, 0.5f, kAlpha[1]}, {0.5f, 0.5f, 0.5f, kAlpha[2]}}};

double w_at(uint32_t x, uint32_t y) { return 1 / Bench::screen({1, 1 / 3.0, 0.5}, x, y); }
double alpha_at(uint32_t x, uint32_t y) { return Bench::screen({0.25, 1 / 3.0, 0.25}, x, y) * w_at(x, y); }

TEST(FogSource, EachColourAndW) {
  for (uint32_t source = 0; source < 6; ++source) {
    Bench b;
    // Colours 0 to `source` are there, and get the attribute; the texture coordinate behind them too.
    const uint32_t colors = source < 4 ? source + 1 : 0;
    regs::VAP_OUT_VTX_FMT_0 present;
    present.VTX_POS_PRESENT(1)
        .VTX_COLOR_0_PRESENT(colors > 0)
        .VTX_COLOR_1_PRESENT(colors > 1)
        .VTX_COLOR_2_PRESENT(colors > 2)
        .VTX_COLOR_3_PRESENT(colors > 3);
    b.p.set(present);
    std::vector<std::array<uint32_t, 4>> program;
    program.push_back(move_instruction(2, 0, 1, 0));
    for (uint32_t i = 0; i <= colors; ++i) program.push_back(move_instruction(2, 1 + i, 1, i + 1 == colors || i == colors ? 1 : 0));
    b.p.append(vertex_program(program));
    b.p.set(regs::GA_ROUND_MODE().GEOMETRY_ROUND(1).RGB_CLAMP(1).ALPHA_CLAMP(1));
    b.p.set(regs::GA_COLOR_CONTROL{0xAAAA});
    b.p.set(Select().FOG_SELECT(source));
    b.p.set(regs::FG_FOG_BLEND().ENABLE(1).FN(regs::FG_FOG_BLEND::FN__LINEAR));
    b.p.set(regs::FG_FOG_COLOR_R().RED(0)), b.p.set(regs::FG_FOG_COLOR_G().GREEN(1023)), b.p.set(regs::FG_FOG_COLOR_B().BLUE(0));
    b.p.set_float<regs::GA_FOG_SCALE>(0.25f);
    b.p.set_float<regs::GA_FOG_OFFSET>(0.125f);
    b.triangle(kW, kAttributes, 0.75f);
    b.run();
    for (const auto& [x, y] : {std::pair{0u, 0u}, std::pair{13u, 2u}, std::pair{3u, 14u}}) {
      const double f = 0.125 + 0.25 * (source < 4 ? alpha_at(x, y) : source == 4 ? w_at(x, y) : 0.75);
      EXPECT_NEAR(b.value(x, y, 0), f * 0.5, 1e-5) << source;
      EXPECT_NEAR(b.value(x, y, 1), 1 + f * (0.5 - 1), 1e-5) << source;
      EXPECT_NEAR(b.value(x, y, 3), alpha_at(x, y), 1e-5);
    }
  }
}

TEST(FogSource, WIsOneWithoutPerspective) {
  Bench b;
  b.p.set(regs::VAP_CLIP_CNTL().CLIP_DISABLE(1));  // each piece of a clipped triangle is affine for itself
  b.p.set(Select().FOG_SELECT(Select::FOG_SELECT__W).W_SELECT(Select::W_SELECT__N1_0));
  b.p.set(regs::FG_FOG_BLEND().ENABLE(1).FN(regs::FG_FOG_BLEND::FN__LINEAR));
  b.p.set(regs::FG_FOG_COLOR_R().RED(0));
  b.p.set_float<regs::GA_FOG_SCALE>(0.25f);
  b.p.set_float<regs::GA_FOG_OFFSET>(0);
  b.triangle(kW, kAttributes);
  b.run();
  EXPECT_EQ(b.value(3, 5, 0), 0.125f);
  EXPECT_NEAR(b.value(3, 5, 3), Bench::screen({0.25, 1, 0.5}, 3, 5), 1e-6);
}

TEST(FogSource, StuffedIntoATextureCoordinate) {
  for (const uint32_t source : {4u, 5u})
    for (const uint32_t component : {0u, 2u, 3u}) {
      Bench b;
      b.p.set(Select().FOG_SELECT(source).FOG_STUFF_ENABLE(1).FOG_STUFF_TEX(0).FOG_STUFF_COMP(component));
      b.p.set_float<regs::GA_FOG_SCALE>(2);
      b.p.set_float<regs::GA_FOG_OFFSET>(-1);
      b.triangle(kW, kAttributes, 0.75f);
      b.run();
      // Interpolated like the coordinate whose place it takes.
      const double fog = source == 4 ? Bench::screen({1, 5 / 3.0, 3 * 0.5}, 9, 4) * w_at(9, 4) : 0.5;
      for (uint32_t c = 0; c < 4; ++c)
        EXPECT_NEAR(b.value(9, 4, c), c == component ? fog : c == 3 ? alpha_at(9, 4) : 0.5, 2e-6) << source << component << c;
    }
  Bench other;  // another set
  other.p.set(Select().FOG_SELECT(5).FOG_STUFF_ENABLE(1).FOG_STUFF_TEX(1).FOG_STUFF_COMP(0));
  other.triangle(kW, kAttributes, 0.75f);
  other.run();
  EXPECT_NEAR(other.value(9, 4, 0), 0.5, 1e-6);
}

TEST(DepthSource, W) {
  Bench b;
  b.p.set(Cntl().Z_ENABLE(1).ZWRITEENABLE(1));
  b.p.set(Func().ZFUNC(7));
  b.p.set(Select().DEPTH_SELECT(Select::DEPTH_SELECT__W));
  b.p.set_float<regs::SU_DEPTH_SCALE>(16777215.0f / 4);
  b.triangle(kW, kAttributes);
  b.run();
  for (uint32_t y = 0; y < kSize; y += 5)
    for (uint32_t x = 0; x < kSize; x += 3) EXPECT_NEAR(b.depth(x, y), w_at(x, y) / 4 * 16777215, 4);
  // The same at all corners is exact, and is compared: 2 is not nearer than 1 to 2.0.
  b.p.set(Func().ZFUNC(1));
  b.triangle({2, 2, 2}, kAttributes);
  b.triangle({0.5f, 0.5f, 0.5f}, kAttributes);
  b.triangle({1, 1, 1}, kAttributes);
  b.run();
  EXPECT_EQ(b.depth(2, 2), 2097152u);
  EXPECT_EQ(b.depth(15, 3), 2097152u);
  // W of 1.0 for all
  b.p.set(Func().ZFUNC(7));
  b.p.set(Select().DEPTH_SELECT(Select::DEPTH_SELECT__W).W_SELECT(Select::W_SELECT__N1_0));
  b.triangle(kW, kAttributes);
  b.run();
  EXPECT_EQ(b.depth(7, 7), 4194304u);
}

/// 24 bits of a float: sign, 7 bits of exponent with bias 63, 16 of mantissa, in the order of the numbers.
uint32_t sortable(double v) {
  if (v == 0) return 0x800000;
  int e;
  const double m = std::frexp(std::fabs(v), &e) * 2;
  const auto code = static_cast<uint32_t>((e - 1 + 63) << 16 | static_cast<int>((m - 1) * 65536));
  return v < 0 ? 0x7FFFFF & ~code : code | 0x800000;
}

/// The program's slot writes alpha as depth.
std::array<uint32_t, 6> depth_slot() {
  std::array<uint32_t, 6> slot = out_slot(0);
  slot[4] |= regs::US_ALU_ALPHA_INST{0}.W_OMASK(1).raw;
  return slot;
}

TEST(DepthSource, ProgramAsFloat) {
  uint32_t last = 0;
  for (const float v : {-3.0e5f, -2.0f, -0.3f, 0.0f, 1e-6f, 0.3f, 0.75f, 1.0f, 100.25f, 7.0e8f}) {
    Bench b;
    b.p.append(fragment_program({depth_slot()}, 1));
    b.p.set(Cntl().Z_ENABLE(1).ZWRITEENABLE(1));
    b.p.set(Func().ZFUNC(7));
    b.p.set(regs::FG_DEPTH_SRC().DEPTH_SRC(1));
    b.p.set(regs::US_W_FMT().W_FMT(regs::US_W_FMT::W_FMT__N24_BIT_FLOAT));
    b.triangle({1, 1, 1}, {{{0, 0, 0, v}, {0, 0, 0, v}, {0, 0, 0, v}}});
    b.run();
    EXPECT_EQ(b.depth(5, 5), sortable(v)) << v;
    EXPECT_GT(b.depth(5, 5), last) << "codes order like the numbers";
    last = b.depth(5, 5);
    // Fixed point for comparison
    b.p.set(regs::US_W_FMT().W_FMT(regs::US_W_FMT::W_FMT__N24_BIT_FIXED));
    b.triangle({1, 1, 1}, {{{0, 0, 0, v}, {0, 0, 0, v}, {0, 0, 0, v}}});
    b.run();
    EXPECT_EQ(b.depth(5, 5), static_cast<uint32_t>(std::floor(std::min(std::max(double{v}, 0.0), 1.0) * 16777215 + 0.5)));
  }
}

TEST(DepthSource, WOfTheRasterizer) {
  using Format = regs::US_W_FMT;
  for (const bool produced : {true, false}) {
    Bench b;
    b.p.append(fragment_program({depth_slot()}, 1));
    b.p.set(Cntl().Z_ENABLE(1).ZWRITEENABLE(1));
    b.p.set(Func().ZFUNC(7));
    b.p.set(regs::FG_DEPTH_SRC().DEPTH_SRC(1));
    b.p.set(regs::RS_INST().TEX_ID(0).TEX_CN(1).TEX_ADDR(0).W_CN(produced));
    b.p.set(Format().W_FMT(Format::W_FMT__N24_BIT_FLOAT).W_SRC(Format::W_SRC__RASTERIZER));
    b.triangle({2.5f, 2.5f, 2.5f}, kAttributes);
    b.run();
    EXPECT_EQ(b.depth(4, 9), sortable(produced ? 2.5 : 0)) << "RS makes W where a step says so";
    b.p.set(Format().W_FMT(Format::W_FMT__N24_BIT_FIXED).W_SRC(Format::W_SRC__RASTERIZER));
    b.triangle({0.25f, 0.25f, 0.25f}, kAttributes);
    b.run();
    EXPECT_EQ(b.depth(4, 9), produced ? 4194304u : 0u);
  }
}

/// GB_ENABLE.STENCIL_AUTO = 2 holds the flag that picks the stencil face at "front".
TEST(StencilFacing, CanBeForcedToTheFront) {
  for (const uint32_t automatic : {0u, 1u, 2u}) {
    Bench b;
    b.p.set(Cntl().STENCIL_ENABLE(1).STENCIL_FRONT_BACK(1));
    b.p.set(Func().STENCILFUNC(7).STENCILZPASS(3).STENCILFUNC_BF(7).STENCILZPASS_BF(5));  // increment in front, invert behind
    b.p.set(regs::ZB_STENCILREFMASK().STENCILMASK(255).STENCILWRITEMASK(255));
    b.p.set(regs::GB_ENABLE().STENCIL_AUTO(automatic));
    b.triangle({1, 1, 1}, kAttributes);  // clockwise: a back face
    b.run();
    EXPECT_EQ(b.chip.memory(b.t.depth)[5] & 255, automatic == 2 ? 1u : 255u) << automatic;
  }
}

}  // namespace
}  // namespace pumice::hw::test
