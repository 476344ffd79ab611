// SPDX-License-Identifier: MIT
/// The blend equation against an evaluation in double without register codes.
#include <gtest/gtest.h>

#include <cmath>

#include "hw/common/numerics/float_bits.h"
#include "tests/hw/pixel/color_chip.h"

namespace pumice::hw::test {
namespace {

using D4 = std::array<double, 4>;

/// What a factor code stands for.
enum class F { zero, one, sc, isc, sa, isa, da, ida, dc, idc, sat, cc, icc, ca, ica };
struct Code {
  uint32_t code;
  F factor;
};
constexpr Code kFactors[] = {{1, F::zero}, {2, F::one}, {3, F::sc},   {4, F::isc},  {5, F::sa},    {6, F::isa},  {7, F::da},
                             {8, F::ida},  {9, F::dc},  {10, F::idc}, {11, F::sat}, {32, F::zero}, {33, F::one}, {34, F::sc},
                             {35, F::isc}, {36, F::dc}, {37, F::idc}, {38, F::sa},  {39, F::isa},  {40, F::da},  {41, F::ida},
                             {42, F::sat}, {43, F::cc}, {44, F::icc}, {45, F::ca},  {46, F::ica}};

double factor(F f, const D4& s, const D4& d, const D4& k, int c) {
  switch (f) {
    case F::zero: return 0;
    case F::one: return 1;
    case F::sc: return s[c];
    case F::isc: return 1 - s[c];
    case F::sa: return s[3];
    case F::isa: return 1 - s[3];
    case F::da: return d[3];
    case F::ida: return 1 - d[3];
    case F::dc: return d[c];
    case F::idc: return 1 - d[c];
    case F::sat: return c == 3 ? 1 : std::min(s[3], 1 - d[3]);
    case F::cc: return k[c];
    case F::icc: return 1 - k[c];
    case F::ca: return k[3];
    default: return 1 - k[3];
  }
}

double combine(uint32_t fn, double s, double sf, double d, double df) {
  switch (fn) {
    case 0:
    case 1: return s * sf + d * df;
    case 2:
    case 3: return s * sf - d * df;
    case 4: return std::min(s, d);
    case 5: return std::max(s, d);
    default: return d * df - s * sf;
  }
}

const D4 kSource[] = {{0.1, 0.6, 0.9, 0.35}, {1.0, 0.0, 0.5, 1.0}, {1.0 / 3, 1.0 / 7, 0.77, 0.0}};
constexpr uint32_t kDest[] = {0x80FF4001, 0xFF123456, 0x00C0FFEE};
constexpr uint32_t kConstant[4] = {100, 511, 800, 300};  // C0..C3, 0.10

void set_constant(ColorChip& chip) {
  chip.set(regs::RB3D_CONSTANT_COLOR_GB{0}.BLUE(kConstant[0]).GREEN(kConstant[1]));
  chip.set(regs::RB3D_CONSTANT_COLOR_AR{0}.RED(kConstant[2]).ALPHA(kConstant[3]));
}

TEST(Blend, EveryEquationAndFactorOnUnorm) {
  ColorChip chip;
  set_constant(chip);
  D4 k;
  for (int c = 0; c < 4; ++c) k[c] = kConstant[c] / 1023.0;
  int compared = 0;
  for (uint32_t fn = 0; fn < 8; ++fn)
    for (const Code& sf : kFactors)
      for (const Code& df : kFactors)
        for (int v = 0; v < 3; ++v) {
          D4 s, d;  // C0..C3 = B,G,R,A
          const int order[4] = {2, 1, 0, 3};
          for (int c = 0; c < 4; ++c) s[c] = float(kSource[v][order[c]]), d[c] = (kDest[v] >> (8 * c) & 0xFF) / 255.0;
          chip.store(kDest[v]);
          chip.set(Blend{0}.ALPHA_BLEND_ENABLE(1).READ_ENABLE(1).COMB_FCN(fn).SRCBLEND(sf.code).DESTBLEND(df.code));
          chip.draw({float(kSource[v][0]), float(kSource[v][1]), float(kSource[v][2]), float(kSource[v][3])});
          for (int c = 0; c < 4; ++c) {
            const double r = combine(fn, s[c], factor(sf.factor, s, d, k, c), d[c], factor(df.factor, s, d, k, c));
            const double scaled = std::clamp(r, 0.0, 1.0) * 255;
            if (std::fabs(scaled - std::floor(scaled) - 0.5) < 1e-4) continue;  // too near a tie to say
            ASSERT_EQ(chip.pixel<uint32_t>() >> (8 * c) & 0xFF, std::lround(scaled))
                << "function " << fn << " factors " << sf.code << ',' << df.code << " component " << c << " case " << v;
            ++compared;
          }
        }
  EXPECT_GT(compared, 50000);
  EXPECT_TRUE(chip.reports.empty());
}

TEST(Blend, EveryEquationAndFactorOnHalfFloat) {
  ColorChip chip;
  chip.target(0, Color::COLORFORMAT__ARGB16161616, Out::OUT_FMT__C4_16_FP, {kR, kG, kB, kA});
  const float constant[4] = {-2.0f, 0.5f, 3.0f, 1.5f};
  chip.set(regs::RB3D_CONSTANT_COLOR_GB{0}.BLUE(num::float_to_half(constant[0])).GREEN(num::float_to_half(constant[1])));
  chip.set(regs::RB3D_CONSTANT_COLOR_AR{0}.RED(num::float_to_half(constant[2])).ALPHA(num::float_to_half(constant[3])));
  const D4 s = {4.0, -0.75, 0.3125, 2.0}, d = {-1.5, 8.0, 0.25, 0.5}, k = {-2, 0.5, 3, 1.5};
  for (uint32_t fn = 0; fn < 8; ++fn)
    for (const Code& sf : kFactors)
      for (const Code& df : kFactors) {
        uint64_t dest = 0;
        for (int c = 0; c < 4; ++c) dest |= uint64_t(num::float_to_half(float(d[c]))) << (16 * c);
        chip.store(dest);
        chip.set(Blend{0}.ALPHA_BLEND_ENABLE(1).READ_ENABLE(1).COMB_FCN(fn).SRCBLEND(sf.code).DESTBLEND(df.code));
        chip.draw({float(s[0]), float(s[1]), float(s[2]), float(s[3])});
        for (int c = 0; c < 4; ++c) {
          double r = combine(fn, s[c], factor(sf.factor, s, d, k, c), d[c], factor(df.factor, s, d, k, c));
          if (fn == 0 || fn == 2 || fn == 6) r = std::clamp(r, 0.0, 1.0);
          const double got = num::half_to_float(uint16_t(chip.pixel<uint64_t>() >> (16 * c)));
          ASSERT_NEAR(got, r, std::fabs(r) / 2048) << fn << ' ' << sf.code << ' ' << df.code << ' ' << c;
        }
      }
}

TEST(Blend, BothCodesSetBothFactors) {
  ColorChip chip;
  chip.store<uint32_t>(0x64646464);
  chip.set(Blend{0}.ALPHA_BLEND_ENABLE(1).READ_ENABLE(1).SRCBLEND(Blend::SRCBLEND__D3D_BOTHSRCALPHA).DESTBLEND(Blend::DESTBLEND__D3D_ONE));
  chip.draw({200 / 255.f, 200 / 255.f, 200 / 255.f, 0.25f});
  EXPECT_EQ(chip.pixel<uint32_t>() & 0xFF, 125u);  // 200/4 + 100*3/4
  chip.store<uint32_t>(0x64646464);
  chip.set(
      Blend{0}.ALPHA_BLEND_ENABLE(1).READ_ENABLE(1).SRCBLEND(Blend::SRCBLEND__D3D_BOTHINVSRCALPHA).DESTBLEND(Blend::DESTBLEND__D3D_ONE));
  chip.draw({200 / 255.f, 200 / 255.f, 200 / 255.f, 0.25f});
  EXPECT_EQ(chip.pixel<uint32_t>() & 0xFF, 175u);
}

TEST(Blend, SeparateAlpha) {
  ColorChip chip;
  auto cntl = Blend{0}.ALPHA_BLEND_ENABLE(1).READ_ENABLE(1).SRCBLEND(Blend::SRCBLEND__GL_ONE).DESTBLEND(Blend::DESTBLEND__GL_ZERO);
  chip.set(regs::RB3D_ABLENDCNTL{0}.SRCBLEND(Blend::SRCBLEND__GL_ZERO).DESTBLEND(Blend::DESTBLEND__GL_ONE));
  chip.store<uint32_t>(0x40404040);
  chip.set(cntl);
  chip.draw({1, 1, 1, 1});
  EXPECT_EQ(chip.pixel<uint32_t>(), 0xFFFFFFFFu);
  chip.store<uint32_t>(0x40404040);
  chip.set(cntl.SEPARATE_ALPHA_ENABLE(1));
  chip.draw({1, 1, 1, 1});
  EXPECT_EQ(chip.pixel<uint32_t>(), 0x40FFFFFFu);
}

TEST(Blend, WithoutReadEnableTheDestinationIsZero) {
  ColorChip chip;
  chip.store<uint32_t>(0xFFFFFFFF);
  chip.set(Blend{0}.ALPHA_BLEND_ENABLE(1).SRCBLEND(Blend::SRCBLEND__GL_ONE).DESTBLEND(Blend::DESTBLEND__GL_ONE));
  chip.draw({0, 0.2f, 0, 0});
  EXPECT_EQ(chip.pixel<uint32_t>(), 0x00003300u);
}

TEST(Blend, R300ConstantIsTheByteRegister) {
  ColorChip chip;
  chip.state.profile = Profile::r300;
  set_constant(chip);
  chip.set(regs::RB3D_CONSTANT_COLOR{0x40302010});
  chip.set(Blend{0}.ALPHA_BLEND_ENABLE(1).SRCBLEND(Blend::SRCBLEND__GL_CONSTANT_COLOR).DESTBLEND(Blend::DESTBLEND__GL_ZERO));
  chip.draw({1, 1, 1, 1});
  EXPECT_EQ(chip.pixel<uint32_t>(), 0x40302010u);
}

TEST(Blend, MissingAlphaReadsAsOneAndIntensityFeedsAll) {
  ColorChip chip;
  chip.set(Blend{0}.ALPHA_BLEND_ENABLE(1).READ_ENABLE(1).SRCBLEND(Blend::SRCBLEND__GL_DST_ALPHA).DESTBLEND(Blend::DESTBLEND__GL_ZERO));
  chip.target(0, Color::COLORFORMAT__RGB565, Out::OUT_FMT__C4_8);
  chip.draw({1, 1, 1, 0});
  EXPECT_EQ(chip.pixel<uint16_t>(), 0xFFFFu);
  chip.target(0, Color::COLORFORMAT__I8, Out::OUT_FMT__C4_8);
  chip.store<uint8_t>(0x33);
  chip.draw({1, 1, 1, 0});
  EXPECT_EQ(chip.pixel<uint8_t>(), 0x33u);
  chip.target(0, Color::COLORFORMAT__UV88, Out::OUT_FMT__C4_8, {kA, kA, kR, kA});  // luminance, alpha in the high byte
  chip.store<uint16_t>(0x4020);
  chip.draw({1, 1, 1, 1});
  EXPECT_EQ(chip.pixel<uint16_t>(), 0x4040u);
}

TEST(Blend, Float32DoesNotBlendAndZeroFactorHidesNaN) {
  ColorChip chip;
  chip.set(Blend{0}.ALPHA_BLEND_ENABLE(1).READ_ENABLE(1).SRCBLEND(Blend::SRCBLEND__GL_ONE).DESTBLEND(Blend::DESTBLEND__GL_ONE));
  chip.target(0, Color::COLORFORMAT__ARGB8888, Out::OUT_FMT__C_32_FP, {kR, kR, kR, kR});
  chip.store<float>(5);
  chip.draw({2.5f, 0, 0, 0});
  EXPECT_EQ(chip.pixel<float>(), 2.5f);
  chip.target(0, Color::COLORFORMAT__ARGB16161616, Out::OUT_FMT__C4_16_FP, {kR, kG, kB, kA});
  chip.set(
      Blend{0}.ALPHA_BLEND_ENABLE(1).READ_ENABLE(1).COMB_FCN(1).SRCBLEND(Blend::SRCBLEND__GL_ONE).DESTBLEND(Blend::DESTBLEND__GL_ZERO));
  chip.store<uint64_t>(~0ull);
  chip.draw({1, 1, 1, 1});
  EXPECT_EQ(chip.pixel<uint64_t>(), 0x3C003C003C003C00u);
}

TEST(Blend, Discard) {
  ColorChip chip;
  // Codes 1..6 with sources (colour, alpha) at: both low, low alpha, low colour, neither; then the same for high.
  chip.set(regs::RB3D_DISCARD_SRC_PIXEL_LTE_THRESHOLD{0x10101010});
  chip.set(regs::RB3D_DISCARD_SRC_PIXEL_GTE_THRESHOLD{0xF0F0F0F0});
  constexpr uint32_t src[][2] = {{0x10, 0x10}, {0x80, 0x10}, {0x10, 0x80}, {0x11, 0x11}, {0xF0, 0xF0}, {0x80, 0xF0}, {0xF0, 0x80}};
  constexpr bool gone[8][7] = {
      {}, {1, 1, 0, 0}, {1, 0, 1, 0}, {1, 0, 0, 0}, {0, 0, 0, 0, 1, 1, 0}, {0, 0, 0, 0, 1, 0, 1}, {0, 0, 0, 0, 1, 0, 0}, {}};
  for (uint32_t code = 0; code < 8; ++code)
    for (int i = 0; i < 7; ++i)
      for (uint32_t blend : {0u, 1u}) {
        chip.store<uint32_t>(0xDEADBEEF);
        chip.set(Blend{0}.ALPHA_BLEND_ENABLE(blend).SRCBLEND(33).DESTBLEND(32).DISCARD_SRC_PIXELS(code));
        const float c = float(src[i][0]) / 255.0f;
        chip.draw({c, c, c, float(src[i][1]) / 255.0f});
        EXPECT_EQ(chip.pixel<uint32_t>() == 0xDEADBEEF, blend && gone[code][i]) << code << ' ' << i;
      }
  // R3xx compares with 0 and 1.
  chip.state.profile = Profile::r300;
  chip.set(Blend{0}.ALPHA_BLEND_ENABLE(1).SRCBLEND(33).DESTBLEND(32).DISCARD_SRC_PIXELS(1));
  chip.store<uint32_t>(0xDEADBEEF);
  chip.draw({1, 1, 1, 0.01f});
  EXPECT_NE(chip.pixel<uint32_t>(), 0xDEADBEEF);
  chip.store<uint32_t>(0xDEADBEEF);
  chip.draw({1, 1, 1, 0});
  EXPECT_EQ(chip.pixel<uint32_t>(), 0xDEADBEEF);
}

TEST(Blend, ReservedFactorIsZeroAndReportedOnce) {
  ColorChip chip;
  chip.set(Blend{0}.ALPHA_BLEND_ENABLE(1).SRCBLEND(20).DESTBLEND(33));
  chip.draw({1, 1, 1, 1});
  chip.draw({1, 1, 1, 1});
  EXPECT_EQ(chip.pixel<uint32_t>(), 0u);
  EXPECT_EQ(chip.reports.size(), 1u);
}

}  // namespace
}  // namespace pumice::hw::test
