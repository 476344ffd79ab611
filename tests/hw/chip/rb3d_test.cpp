// SPDX-License-Identifier: MIT
/// Colour by packets: every blend factor and equation on random destinations, every target format, logic operations, channel masks, four
/// targets, multiwrite, dithering, tiled surfaces. Expected values in double from pipeline s.9, s.10 and us-isa A11.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/hw/chip/chip.h"
#include "tests/hw/chip/edge_values.h"
#include "tests/hw/chip/us_slot.h"

namespace pumice::hw::test {
namespace {

using Blend = regs::RB3D_BLENDCNTL;
using Out = regs::US_OUT_FMT;
using Pitch = regs::RB3D_COLORPITCH;
using Double4 = std::array<double, 4>;  // r, g, b, a

constexpr uint32_t kSize = 8, kPixels = kSize * kSize;

Double4 unpack(uint32_t argb) {
  return {(argb >> 16 & 255) / 255.0, (argb >> 8 & 255) / 255.0, (argb & 255) / 255.0, (argb >> 24) / 255.0};
}

constexpr Double4 kConstant = {200 / 1023.0, 900 / 1023.0, 0, 511 / 1023.0};

double factor(uint32_t code, const Double4& s, const Double4& d, int c) {
  const double saturate = c == 3 ? 1 : std::min(s[3], 1 - d[3]);
  switch (code) {
    case 2:
    case 33: return 1;
    case 3:
    case 34: return s[c];
    case 4:
    case 35: return 1 - s[c];
    case 5:
    case 38: return s[3];
    case 6:
    case 39: return 1 - s[3];
    case 7:
    case 40: return d[3];
    case 8:
    case 41: return 1 - d[3];
    case 9:
    case 36: return d[c];
    case 10:
    case 37: return 1 - d[c];
    case 11:
    case 42: return saturate;
    case 43: return kConstant[c];
    case 44: return 1 - kConstant[c];
    case 45: return kConstant[3];
    case 46: return 1 - kConstant[3];
    default: return 0;
  }
}
double combine(uint32_t function, double s, double sf, double d, double df) {
  switch (function) {
    case 0:
    case 1: return s * sf + d * df;
    case 2:
    case 3: return s * sf - d * df;
    case 4: return std::min(s, d);
    case 5: return std::max(s, d);
    default: return d * df - s * sf;
  }
}

class Blending : public testing::Test {
 protected:
  void run(uint32_t src, uint32_t dst, uint32_t function, bool separate = false, uint32_t alpha_src = 33, uint32_t alpha_dst = 33,
           uint32_t alpha_function = 0) {
    std::uniform_real_distribution<float> unit(0, 1);
    std::vector<uint32_t> before(kPixels);
    for (uint32_t i = 0; i < kPixels; ++i)
      before[i] = chip_.memory(t_.color)[i] = i == 0 ? 0u : i == 1 ? ~0u : static_cast<uint32_t>(random_());
    const std::array<float, 4> source = {unit(random_), unit(random_), unit(random_), unit(random_)};
    Packets p;
    p.set(Blend().ALPHA_BLEND_ENABLE(1).READ_ENABLE(1).COMB_FCN(function).SRCBLEND(src).DESTBLEND(dst).SEPARATE_ALPHA_ENABLE(separate));
    p.set(regs::RB3D_ABLENDCNTL().COMB_FCN(alpha_function).SRCBLEND(alpha_src).DESTBLEND(alpha_dst));
    if (first_) {
      Packets all = plain_state(t_);
      all.set(regs::RB3D_CONSTANT_COLOR_AR().RED(200).ALPHA(511));
      all.set(regs::RB3D_CONSTANT_COLOR_GB().GREEN(900).BLUE(0));
      all.append(p);
      p = all;
      first_ = false;
    }
    p.append(full_quad(source));
    ASSERT_TRUE(chip_.run(p));
    const Double4 s = {source[0], source[1], source[2], source[3]};
    for (uint32_t i = 0; i < kPixels; ++i) {
      const Double4 d = unpack(before[i]), got = unpack(chip_.memory(t_.color)[i]);
      for (int c = 0; c < 4; ++c) {
        uint32_t sc = src, dc = dst, f = function;
        if (c == 3 && separate) sc = alpha_src, dc = alpha_dst, f = alpha_function;
        if (sc == 12) sc = 5, dc = 6;
        if (sc == 13) sc = 6, dc = 5;
        const double want = combine(f, s[c], factor(sc, s, d, c), d[c], factor(dc, s, d, c));
        // Nearest code: half a step, and the roundings of binary32 on the way.
        ASSERT_NEAR(got[c] * 255, std::clamp(want, 0.0, 1.0) * 255, 0.5 + 1e-4)
            << "factors " << sc << ", " << dc << " function " << f << " channel " << c << " source " << s[c] << " destination " << d[c];
      }
    }
  }
  Chip chip_;
  Target t_ = make_target(chip_, kSize, kSize);
  std::mt19937 random_{3};
  bool first_ = true;
};

std::vector<uint32_t> factors(bool source) {
  std::vector<uint32_t> f;
  for (uint32_t i = 1; i <= (source ? 13u : 10u); ++i) f.push_back(i);
  for (uint32_t i = 32; i <= 46; ++i)
    if (source || i != 42) f.push_back(i);
  return f;
}

TEST_F(Blending, EveryPairOfFactors) {
  for (const uint32_t src : factors(true))
    for (const uint32_t dst : factors(false)) {
      run(src, dst, 0);
      if (HasFatalFailure()) return;
    }
}
TEST_F(Blending, EveryEquationWithEveryFactor) {
  for (uint32_t function = 0; function < 8; ++function) {
    for (const uint32_t src : factors(true)) run(src, 36, function);
    for (const uint32_t dst : factors(false)) run(34, dst, function);
    if (HasFatalFailure()) return;
  }
}
TEST_F(Blending, SeparateAlpha) {
  for (uint32_t function = 0; function < 8; ++function)
    for (const uint32_t src : factors(true)) run(38, 39, 0, true, src, 40, function);
}

TEST(Rb3d, AQuadBlendedOverAnother) {
  Chip chip;
  const Target t = make_target(chip, kSize, kSize);
  Packets p = plain_state(t);
  p.append(full_quad({1, 0, 0, 1}));
  p.set(Blend()
            .ALPHA_BLEND_ENABLE(1)
            .READ_ENABLE(1)
            .SRCBLEND(Blend::SRCBLEND__GL_SRC_ALPHA)
            .DESTBLEND(Blend::DESTBLEND__GL_ONE_MINUS_SRC_ALPHA));
  p.set(regs::SC_SCISSOR0().XS0(2).YS0(2));
  p.append(full_quad({0, 0, 1, 0.25f}));
  ASSERT_TRUE(chip.run(p));
  // 191.25 red, 63.75 blue, alpha 1/16 + 3/4
  for (uint32_t i = 0; i < kPixels; ++i)
    EXPECT_EQ(chip.memory(t.color)[i], i % kSize >= 2 && i / kSize >= 2 ? 0xCFBF0040u : 0xFFFF0000u) << i;
}

/// Where each component of the shader's r, g, b, a ends up: bit position and width in the pixel, in the natural order of selects.
struct Format {
  const char* name;
  uint32_t color, out, bytes;
  enum { kUnorm, kHalf, kSingle } kind;
  std::vector<std::array<uint32_t, 3>> fields;  ///< {channel 0..3 = r g b a, shift, width}
  std::array<uint32_t, 4> select;               ///< C0..C3: 1 r, 2 g, 3 b, 0 a
};
constexpr std::array<uint32_t, 4> kBgra = {3, 2, 1, 0}, kRgba = {1, 2, 3, 0};
const Format kFormats[] = {
    {"ARGB8888",
     Pitch::COLORFORMAT__ARGB8888,
     Out::OUT_FMT__C4_8,
     4,
     Format::kUnorm,
     {{2, 0, 8}, {1, 8, 8}, {0, 16, 8}, {3, 24, 8}},
     kBgra},
    {"ABGR8888",
     Pitch::COLORFORMAT__ARGB8888,
     Out::OUT_FMT__C4_8,
     4,
     Format::kUnorm,
     {{0, 0, 8}, {1, 8, 8}, {2, 16, 8}, {3, 24, 8}},
     kRgba},
    {"RGB565", Pitch::COLORFORMAT__RGB565, Out::OUT_FMT__C4_8, 2, Format::kUnorm, {{2, 0, 5}, {1, 5, 6}, {0, 11, 5}}, kBgra},
    {"ARGB1555",
     Pitch::COLORFORMAT__ARGB1555,
     Out::OUT_FMT__C4_8,
     2,
     Format::kUnorm,
     {{2, 0, 5}, {1, 5, 5}, {0, 10, 5}, {3, 15, 1}},
     kBgra},
    {"ARGB4444", Pitch::COLORFORMAT__ARGB4444, Out::OUT_FMT__C4_8, 2, Format::kUnorm, {{2, 0, 4}, {1, 4, 4}, {0, 8, 4}, {3, 12, 4}}, kBgra},
    {"ARGB2101010",
     Pitch::COLORFORMAT__ARGB2101010,
     Out::OUT_FMT__C4_10,
     4,
     Format::kUnorm,
     {{2, 0, 10}, {1, 10, 10}, {0, 20, 10}, {3, 30, 2}},
     kBgra},
    {"I8", Pitch::COLORFORMAT__I8, Out::OUT_FMT__C4_8, 1, Format::kUnorm, {{0, 0, 8}}, {1, 1, 1, 0}},
    {"UV88", Pitch::COLORFORMAT__UV88, Out::OUT_FMT__C4_8, 2, Format::kUnorm, {{0, 0, 8}, {1, 8, 8}}, {2, 1, 1, 0}},
    {"16 unorm x4",
     Pitch::COLORFORMAT__ARGB16161616,
     Out::OUT_FMT__C4_16,
     8,
     Format::kUnorm,
     {{0, 0, 16}, {1, 16, 16}, {2, 32, 16}, {3, 48, 16}},
     kRgba},
    {"16 unorm x2", Pitch::COLORFORMAT__ARGB8888, Out::OUT_FMT__C2_16, 4, Format::kUnorm, {{0, 0, 16}, {1, 16, 16}}, kRgba},
    {"16 unorm", Pitch::COLORFORMAT__UV88, Out::OUT_FMT__C_16, 2, Format::kUnorm, {{0, 0, 16}}, kRgba},
    {"half x4",
     Pitch::COLORFORMAT__ARGB16161616,
     Out::OUT_FMT__C4_16_FP,
     8,
     Format::kHalf,
     {{0, 0, 16}, {1, 16, 16}, {2, 32, 16}, {3, 48, 16}},
     kRgba},
    {"half x2", Pitch::COLORFORMAT__ARGB8888, Out::OUT_FMT__C2_16_FP, 4, Format::kHalf, {{0, 0, 16}, {1, 16, 16}}, kRgba},
    {"half", Pitch::COLORFORMAT__UV88, Out::OUT_FMT__C_16_FP, 2, Format::kHalf, {{0, 0, 16}}, kRgba},
    {"float x4",
     Pitch::COLORFORMAT__ARGB32323232,
     Out::OUT_FMT__C4_32_FP,
     16,
     Format::kSingle,
     {{0, 0, 32}, {1, 32, 32}, {2, 64, 32}, {3, 96, 32}},
     kRgba},
    {"float x2", Pitch::COLORFORMAT__ARGB16161616, Out::OUT_FMT__C2_32_FP, 8, Format::kSingle, {{0, 0, 32}, {1, 32, 32}}, {1, 1, 2, 0}},
    {"float", Pitch::COLORFORMAT__ARGB8888, Out::OUT_FMT__C_32_FP, 4, Format::kSingle, {{0, 0, 32}}, kRgba},
};
uint64_t field(const uint8_t* pixel, uint32_t shift, uint32_t width) {
  uint64_t v = 0;
  for (uint32_t i = 0; i < width; ++i) v |= uint64_t(pixel[(shift + i) / 8] >> (shift + i) % 8 & 1) << i;
  return v;
}
double half_value(uint32_t h) {
  const int e = h >> 10 & 31;
  const double m = h & 1023, v = e == 31 ? (m != 0 ? NAN : HUGE_VAL) : e ? std::ldexp(1024 + m, e - 25) : std::ldexp(m, -24);
  return h >> 15 ? -v : v;
}

TEST(Rb3d, EveryTargetFormat) {
  const std::array<float, 4> values[] = {
      {0, 1, 0.5f, 0.25f}, {0.1f, 0.2f, 0.3f, 0.9f}, {-1, 2, 1.0f / 3, 0.999f}, {1, 0, 1, 0}, {65504, -0.0009765625f, 1e-7f, 3.0f}};
  for (const Format& f : kFormats)
    for (const auto& value : values) {
      Chip chip;
      Target t = make_target(chip, 32, 8);
      t.color = chip.allocate(32 * 8 * 4 + 1);
      std::fill_n(chip.memory(t.color), 32 * 8 * 4, 0xA5A5A5A5u);
      Packets p = plain_state(t);
      p.set(Pitch{32}.COLORFORMAT(f.color));
      p.set(Out().OUT_FMT(f.out).C0_SEL(f.select[0]).C1_SEL(f.select[1]).C2_SEL(f.select[2]).C3_SEL(f.select[3]));
      p.append(full_quad(value));
      ASSERT_TRUE(chip.run(p));
      EXPECT_TRUE(chip.reports().empty()) << f.name;
      const auto* bytes = reinterpret_cast<const uint8_t*>(chip.memory(t.color));
      for (uint32_t pixel = 0; pixel < 32 * 8; ++pixel)
        for (const auto& [channel, shift, width] : f.fields) {
          const uint64_t got = field(bytes + size_t{pixel} * f.bytes, shift, width);
          const float v = value[channel];
          if (f.kind == Format::kSingle)
            ASSERT_EQ(got, bits(v)) << f.name;
          else if (f.kind == Format::kHalf)
            ASSERT_NEAR(half_value(static_cast<uint32_t>(got)), v, std::max(std::fabs(v) / 2048.0, 0x1p-25)) << f.name;
          else
            ASSERT_NEAR(double(got), std::clamp(double(v), 0.0, 1.0) * double((uint64_t{1} << width) - 1), 0.5 + 1e-3)
                << f.name << " channel " << channel;
        }
      EXPECT_EQ(bytes[32 * 8 * f.bytes], f.bytes == 16 ? 0 : 0xA5) << f.name << ": written behind the surface";
    }
}

TEST(Rb3d, SignedComponentsAndSrgb) {
  Chip chip;
  const Target t = make_target(chip, kSize, kSize);
  const std::array<float, 4> value = {-1, -0.5f, 0.25f, 2};
  Packets p = plain_state(t);
  p.set(Out().OUT_FMT(Out::OUT_FMT__C4_8).C0_SEL(1).C1_SEL(2).C2_SEL(3).C3_SEL(0).OUT_SIGN(15));
  p.append(full_quad(value));
  ASSERT_TRUE(chip.run(p));
  for (uint32_t c = 0; c < 4; ++c)
    EXPECT_NEAR(double(static_cast<int8_t>(chip.memory(t.color)[9] >> 8 * c)), std::clamp(double(value[c]), -1.0, 1.0) * 127, 0.501);
  p = plain_state(t);
  p.set(Out().OUT_FMT(Out::OUT_FMT__C4_10_GAMMA).C0_SEL(1).C1_SEL(2).C2_SEL(3).C3_SEL(0));
  const std::array<float, 4> linear = {0.5f, 0.002f, 0.8f, 0.5f};
  p.append(full_quad(linear));
  ASSERT_TRUE(chip.run(p));
  for (uint32_t c = 0; c < 4; ++c) {
    const double v = linear[c], encoded = c == 3 ? v : v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
    EXPECT_NEAR(double(chip.memory(t.color)[9] >> 8 * c & 255), encoded * 255, 0.501);
  }
}

TEST(Rb3d, EveryLogicOperationAndChannelMask) {
  Chip chip;
  const Target t = make_target(chip, kSize, kSize);
  std::mt19937 random(5);
  const uint32_t source = 0x40C08020;  // a r g b
  const std::array<float, 4> value = {0xC0 / 255.0f, 0x80 / 255.0f, 0x20 / 255.0f, 0x40 / 255.0f};
  for (uint32_t rop = 0; rop < 16; ++rop)
    for (uint32_t mask = 0; mask < 16; ++mask) {
      std::vector<uint32_t> before(kPixels);
      for (uint32_t i = 0; i < kPixels; ++i) before[i] = chip.memory(t.color)[i] = static_cast<uint32_t>(random());
      Packets p = plain_state(t);
      p.set(regs::RB3D_ROPCNTL().ROP_ENABLE(1).ROP(rop));
      p.set(regs::RB3D_COLOR_CHANNEL_MASK().BLUE_MASK(mask & 1).GREEN_MASK(mask >> 1 & 1).RED_MASK(mask >> 2 & 1).ALPHA_MASK(mask >> 3));
      p.append(full_quad(value));
      ASSERT_TRUE(chip.run(p));
      uint32_t keep = 0;
      for (uint32_t c = 0; c < 4; ++c) keep |= mask >> c & 1 ? 0 : 0xFFu << 8 * c;
      for (uint32_t i = 0; i < kPixels; ++i) {
        uint32_t result = 0;
        for (uint32_t b = 0; b < 32; ++b) result |= (rop >> ((source >> b & 1) << 1 | (before[i] >> b & 1)) & 1) << b;
        ASSERT_EQ(chip.memory(t.color)[i], (result & ~keep) | (before[i] & keep)) << rop << " " << mask;
      }
    }
}

TEST(Rb3d, DiscardThresholds) {
  Chip chip;
  const Target t = make_target(chip, kSize, kSize);
  for (uint32_t code = 0; code < 7; ++code)
    for (uint32_t low = 0; low < 4; ++low) {  // bit 0: alpha beyond, bit 1: colours beyond
      Packets p = plain_state(t);
      p.set(Blend().ALPHA_BLEND_ENABLE(1).READ_ENABLE(1).SRCBLEND(33).DESTBLEND(32).DISCARD_SRC_PIXELS(code));
      p.set(regs::RB3D_DISCARD_SRC_PIXEL_LTE_THRESHOLD().BLUE(64).GREEN(64).RED(64).ALPHA(64));
      p.set(regs::RB3D_DISCARD_SRC_PIXEL_GTE_THRESHOLD().BLUE(192).GREEN(192).RED(192).ALPHA(192));
      std::fill_n(chip.memory(t.color), kPixels, 0x12345678u);
      const float beyond = code <= 3 ? 0.125f : 0.875f;
      const float colour = low & 2 ? beyond : 0.5f, alpha = low & 1 ? beyond : 0.5f;
      p.append(full_quad({colour, colour, colour, alpha}));
      ASSERT_TRUE(chip.run(p));
      const bool by_alpha = low & 1, by_colour = low & 2;
      const bool gone[] = {false, by_alpha, by_colour, by_alpha && by_colour, by_alpha, by_colour, by_alpha && by_colour};
      EXPECT_EQ(chip.memory(t.color)[20] == 0x12345678u, gone[code]) << code << " " << low;
    }
}

/// Four outputs of the shader in four formats, then one output replicated.
TEST(Rb3d, FourTargetsAndMultiwrite) {
  Chip chip;
  const Target t = make_target(chip, kSize, kSize);
  uint32_t address[4];
  Packets p = plain_state(t);
  for (uint32_t i = 0; i < 4; ++i) {
    address[i] = chip.allocate(kPixels * 4);
    p.write(regs::RB3D_COLOROFFSET::at(i), {&address[i], 1});
    p.set(Pitch{kSize}.COLORFORMAT(i == 2 ? Pitch::COLORFORMAT__ARGB32323232 : Pitch::COLORFORMAT__ARGB8888), i);
    p.set(Out().OUT_FMT(i == 2 ? Out::OUT_FMT__C4_32_FP : Out::OUT_FMT__C4_8).C0_SEL(3).C1_SEL(2).C2_SEL(1).C3_SEL(0), i);
  }
  p.set(regs::RB3D_CCTL().INDEPENDENT_COLORFORMAT_ENABLE(1).INDEPENDENT_COLOR_CHANNEL_MASK_ENABLE(1));
  const uint32_t mask = 0xF7FF;  // target 2: all but alpha
  p.write(regs::RB3D_COLOR_CHANNEL_MASK::offset, {&mask, 1});
  std::vector<std::array<uint32_t, 6>> slots;
  std::vector<std::array<uint32_t, 4>> constants;
  for (uint32_t i = 0; i < 4; ++i) {
    AluSlot s = constants_slot(regs::US_ALU_RGBA_INST::RGB_OP__MAX, regs::US_ALU_ALPHA_INST::ALPHA_OP__MAX);
    s.cmn.LAST(i == 3);
    s.rgb_addr.ADDR0(i);
    s.alpha_addr.ADDR0(i);
    s.rgb.RGB_SEL_B(0).TARGET(i);
    s.alpha.ALPHA_SEL_B(0).TARGET(i);
    slots.push_back(s.words());
    constants.push_back(as_bits({(10.0f + i) / 255, (20.0f + i) / 255, (30.0f + i) / 255, (40.0f + i) / 255}));
  }
  p.append(fragment_program(slots, 1));
  p.append(us_constants(0, constants));
  p.append(full_quad({0, 0, 0, 0}));
  ASSERT_TRUE(chip.run(p));
  for (uint32_t i = 0; i < kPixels; ++i) {
    for (const uint32_t n : {0u, 1u, 3u}) ASSERT_EQ(chip.memory(address[n])[i], 0x280A141Eu + 0x01010101u * n);
    const uint32_t* f = chip.memory(address[2]) + 4 * i;
    EXPECT_EQ(f[0], bits(32 / 255.0f));
    EXPECT_EQ(f[1], bits(22 / 255.0f));
    EXPECT_EQ(f[2], bits(12 / 255.0f));
    EXPECT_EQ(f[3], 0u);
  }
  p.set(regs::RB3D_CCTL().NUM_MULTIWRITES(3));
  p.set(regs::RB3D_COLOR_CHANNEL_MASK().BLUE_MASK(1).GREEN_MASK(1).RED_MASK(1).ALPHA_MASK(1));
  p.append(full_quad({0, 0, 0, 0}));
  ASSERT_TRUE(chip.run(p));
  for (uint32_t n = 0; n < 4; ++n) EXPECT_EQ(chip.memory(address[n])[5], 0x280A141Eu);
}

TEST(Rb3d, Dithering) {
  using Dither = regs::RB3D_DITHER_CTL;
  Chip chip;
  const Target t = make_target(chip, kSize, kSize);
  const float v = 100.375f / 255;
  for (uint32_t mode = 0; mode < 3; ++mode) {
    Packets p = plain_state(t);
    p.set(Dither().DITHER_MODE(mode).ALPHA_DITHER_MODE(0));
    p.append(full_quad({v, 100.75f / 255, v, 100.75f / 255}));
    ASSERT_TRUE(chip.run(p));
    double sum = 0;
    for (uint32_t i = 0; i < kPixels; ++i) {
      const uint32_t c = chip.memory(t.color)[i];
      sum += c & 255;
      EXPECT_EQ(c >> 24, 100u) << "alpha is truncated";
      EXPECT_TRUE(mode == 2 || (c >> 8 & 255) == 100 + mode);
    }
    EXPECT_NEAR(sum / kPixels, mode == 2 ? 100.375 : 100, 0.07);
  }
}

/// pipeline s.10 for 4-byte pixels, then the same picture read back linearly.
TEST(Rb3d, TiledSurfaces) {
  constexpr uint32_t kWide = 64;
  for (uint32_t macro = 0; macro < 2; ++macro)
    for (uint32_t micro = 0; micro < 2; ++micro) {
      Chip chip;
      const Target t = make_target(chip, kWide, 32);
      Packets p = plain_state(t);
      p.set(Pitch{kWide}.COLORFORMAT(Pitch::COLORFORMAT__ARGB8888).COLORTILE(macro).COLORMICROTILE(micro));
      // blue = x * 4, green = y * 4
      const auto corner = [](float x, float y) { return std::array<float, 4>{0, y * 4 / 255, x * 4 / 255, 1}; };
      p.append(gradient_quad({corner(-0.5f, -0.5f), corner(63.5f, -0.5f), corner(63.5f, 31.5f), corner(-0.5f, 31.5f)}));
      ASSERT_TRUE(chip.run(p));
      for (uint32_t y = 0; y < 32; ++y)
        for (uint32_t x = 0; x < kWide; ++x) {
          const auto bit = [](uint32_t v, uint32_t n) { return v >> n & 1; };
          uint32_t offset = (y * kWide + x) * 4;
          const uint32_t mx = x / 4, my = y / 2, in32 = ((y % 2) * 4 + x % 4) * 4;
          if (macro) {
            const uint32_t ux = micro ? mx >> 1 : x * 4 >> 6, uy = micro ? my : y, inner = micro ? (mx & 1) * 32 + in32 : x * 4 & 63;
            const uint32_t per_row = kWide / (micro ? 32 : 64);
            offset = ((uy >> 3) * per_row + (ux >> 2)) * 2048 + ((bit(uy, 2) ^ bit(ux, 2)) << 10 | (bit(uy, 3) ^ bit(ux, 1)) << 9 |
                                                                 (bit(uy, 1) ^ bit(ux, 1)) << 8 | (bit(uy, 2) ^ bit(ux, 0)) << 7 |
                                                                 bit(uy, 0) << 6 | inner);
          } else if (micro) {
            offset = (my * (kWide / 4) + mx) * 32 + in32;
          }
          ASSERT_EQ(chip.memory(t.color)[offset / 4], 0xFF000000u | y * 4 << 8 | x * 4) << macro << micro << " " << x << " " << y;
        }
    }
}

/// YUV422 targets: luma in each pixel, U in even columns, V in odd ones; masks by component; blending takes them back.
TEST(Rb3d, YuvTargets) {
  constexpr uint32_t kSide = 16;
  for (const uint32_t format : {Pitch::COLORFORMAT__YUV422_VYUY, Pitch::COLORFORMAT__YUV422_YVYU}) {
    Chip chip;
    const Target t = make_target(chip, kSide, kSide);
    const auto* const bytes = reinterpret_cast<const uint8_t*>(chip.memory(t.color));
    const auto expect = [&](uint32_t y, uint32_t u, uint32_t v) {
      for (uint32_t x = 0; x < kSide; ++x) {
        const uint32_t chroma = x % 2 ? v : u, at = (3 * kSide + x) * 2;
        const bool luma_first = format == Pitch::COLORFORMAT__YUV422_VYUY;
        EXPECT_EQ(bytes[at], luma_first ? y : chroma) << x << " of " << y << ' ' << u << ' ' << v;
        EXPECT_EQ(bytes[at + 1], luma_first ? chroma : y) << x;
      }
    };
    Packets p = plain_state(t);
    // C0 = blue is U, C1 = green Y, C2 = red V.
    p.set(Pitch{kSide}.COLORFORMAT(format));
    p.append(full_quad({64 / 255.0f, 100 / 255.0f, 200 / 255.0f, 1}));
    ASSERT_TRUE(chip.run(p));
    expect(100, 200, 64);
    Packets masked;
    masked.set(regs::RB3D_COLOR_CHANNEL_MASK{0}.BLUE_MASK(1));
    masked.append(full_quad({0, 0, 10 / 255.0f, 1}));
    ASSERT_TRUE(chip.run(masked));
    expect(100, 10, 64);
    Packets sum;
    sum.set(regs::RB3D_COLOR_CHANNEL_MASK{0}.BLUE_MASK(1).GREEN_MASK(1).RED_MASK(1));
    sum.set(Blend().ALPHA_BLEND_ENABLE(1).READ_ENABLE(1).SRCBLEND(Blend::SRCBLEND__GL_ONE).DESTBLEND(Blend::DESTBLEND__GL_ONE));
    sum.append(full_quad({1 / 255.0f, 2 / 255.0f, 3 / 255.0f, 1}));
    ASSERT_TRUE(chip.run(sum));
    expect(102, 13, 65);
    for (const Report& r : chip.reports()) ADD_FAILURE() << r.text;
  }
}

/// MPEG outputs are signed 16-bit components, and TX reads back what was written.
TEST(Rb3d, MpegTargets) {
  constexpr uint32_t kSide = 16;
  for (const bool two : {false, true})
    for (const float v : {-2.0f, -1.0f, -0.25f, 0.0f, 0.5f, 1.0f, 3.0f}) {
      Chip chip;
      const Target t = make_target(chip, kSide, kSide);
      Packets p = plain_state(t);
      p.set(Out().OUT_FMT(two ? Out::OUT_FMT__C2_16_MPEG : Out::OUT_FMT__C_16_MPEG).C0_SEL(Out::C0_SEL__RED).C1_SEL(Out::C0_SEL__GREEN));
      p.set(Pitch{kSide}.COLORFORMAT(two ? Pitch::COLORFORMAT__ARGB8888 : Pitch::COLORFORMAT__UV88));
      p.append(full_quad({v, -v, 0, 1}));
      ASSERT_TRUE(chip.run(p));
      for (const Report& r : chip.reports()) ADD_FAILURE() << r.text;
      const auto code = [](float f) { return static_cast<int16_t>(std::lrint(std::clamp(f, -1.0f, 1.0f) * 32767.0)); };
      const auto* const words = reinterpret_cast<const int16_t*>(chip.memory(t.color));
      EXPECT_EQ(words[(5 * kSide + 3) * (two ? 2 : 1)], code(v)) << v;
      if (two) {
        EXPECT_EQ(words[(5 * kSide + 3) * 2 + 1], code(-v)) << v;
      }
    }
}

/// RB3D_CLRCMP_*: a pixel that is about to be stored and equals the key under the mask is flipped.
TEST(Rb3d, ColourCompare) {
  constexpr uint32_t kSide = 16, kKey = 0x00FF0000, kMask = 0x00FFFFFF, kFlip = 0x010203;
  for (const bool enabled : {false, true})
    for (const bool matches : {false, true}) {
      Chip chip;
      const Target t = make_target(chip, kSide, kSide);
      Packets p = plain_state(t);
      p.set(regs::RB3D_CCTL().CLRCMP_FLIPE_ENABLE(enabled));
      p.set(regs::RB3D_CLRCMP_CLR{kKey});
      p.set(regs::RB3D_CLRCMP_MSK{kMask});
      p.set(regs::RB3D_CLRCMP_FLIPE{kFlip});
      p.append(full_quad({1, 0, matches ? 0.0f : 1.0f, 0.5f}));
      ASSERT_TRUE(chip.run(p));
      const uint32_t plain = 0x80FF0000u | (matches ? 0 : 0xFF);
      EXPECT_EQ(chip.memory(t.color)[5], enabled && matches ? plain ^ kFlip : plain) << enabled << matches;
    }
}

}  // namespace
}  // namespace pumice::hw::test
