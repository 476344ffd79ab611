// SPDX-License-Identifier: MIT
/// Formats, conversion, masks, targets, ROP, colour compare.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hw/radeon/decode/rb3d/pixel_format.h"
#include "tests/hw/pixel/color_chip.h"

namespace pumice::hw::test {
namespace {

struct Layout {
  uint32_t color_format, out_fmt;
  std::array<uint32_t, 4> select;
  uint32_t sign;
  Vec4 rgba;
  uint32_t bytes;
  std::array<uint32_t, 4> expected;
};

TEST(Format, BitLayouts) {
  const Vec4 c8 = {0x11 / 255.f, 0x22 / 255.f, 0x33 / 255.f, 0x44 / 255.f};
  const Vec4 c16 = {0x1111 / 65535.f, 0x2222 / 65535.f, 0x3333 / 65535.f, 0x4444 / 65535.f};
  const Vec4 c10 = {1 / 1023.f, 2 / 1023.f, 4 / 1023.f, 1 / 3.f};
  const Vec4 f = {1.0f, -2.0f, 0.5f, 65504.0f};
  const std::array<uint32_t, 4> bgra = {kB, kG, kR, kA}, rgba = {kR, kG, kB, kA};
  const Layout table[] = {
      // B8G8R8A8, R8G8B8A8 unorm and snorm
      {Color::COLORFORMAT__ARGB8888, Out::OUT_FMT__C4_8, bgra, 0, c8, 4, {0x44112233}},
      {Color::COLORFORMAT__ARGB8888, Out::OUT_FMT__C4_8, rgba, 0, c8, 4, {0x44332211}},
      {Color::COLORFORMAT__ARGB8888, Out::OUT_FMT__C4_8, rgba, 0xF, {1, -1, 0.5f, -2}, 4, {0x8140817F}},
      {Color::COLORFORMAT__ARGB8888, Out::OUT_FMT__C4_8, rgba, 0b0010, {-1, -1, 1, 1}, 4, {0xFFFF8100}},
      // R8: I8 stores C2. R8G8: UV88 stores C2 low, C0 high
      {Color::COLORFORMAT__I8, Out::OUT_FMT__C4_8, {kG, kB, kR, kA}, 0, c8, 1, {0x11}},
      {Color::COLORFORMAT__I8, Out::OUT_FMT__C4_8, {kG, kB, kR, kA}, 0b0100, {-1, 1, 1, 1}, 1, {0x81}},
      {Color::COLORFORMAT__UV88, Out::OUT_FMT__C4_8, {kG, kB, kR, kA}, 0, c8, 2, {0x2211}},
      // packed
      {Color::COLORFORMAT__RGB565, Out::OUT_FMT__C4_8, bgra, 0, {1 / 31.f, 2 / 63.f, 3 / 31.f, 0}, 2, {1 << 11 | 2 << 5 | 3}},
      {Color::COLORFORMAT__ARGB1555, Out::OUT_FMT__C4_8, bgra, 0, {1 / 31.f, 2 / 31.f, 3 / 31.f, 1}, 2, {1 << 15 | 1 << 10 | 2 << 5 | 3}},
      {Color::COLORFORMAT__ARGB4444, Out::OUT_FMT__C4_8, bgra, 0, {1 / 15.f, 2 / 15.f, 3 / 15.f, 4 / 15.f}, 2, {0x4123}},
      {Color::COLORFORMAT__ARGB2101010, Out::OUT_FMT__C4_10, rgba, 0, c10, 4, {1u << 30 | 4 << 20 | 2 << 10 | 1}},
      {Color::COLORFORMAT__ARGB10101010,
       Out::OUT_FMT__C4_10,
       rgba,
       0,
       {1 / 1023.f, 2 / 1023.f, 4 / 1023.f, 1},
       8,
       {0x00800040, 0xFFC00100}},
      {Color::COLORFORMAT__UV1010, Out::OUT_FMT__C4_10, {kG, kB, kR, kA}, 0, c10, 4, {0x00800040}},
      {Color::COLORFORMAT__I10, Out::OUT_FMT__C4_10, {kG, kB, kR, kA}, 0, c10, 2, {0x0040}},
      // 16 bits per component, on the colour format of equal size
      {Color::COLORFORMAT__UV88, Out::OUT_FMT__C_16, rgba, 0, c16, 2, {0x1111}},
      {Color::COLORFORMAT__ARGB8888, Out::OUT_FMT__C2_16, rgba, 0, c16, 4, {0x22221111}},
      {Color::COLORFORMAT__ARGB16161616, Out::OUT_FMT__C4_16, rgba, 0, c16, 8, {0x22221111, 0x44443333}},
      {Color::COLORFORMAT__ARGB16161616, Out::OUT_FMT__C4_16, rgba, 0xF, {1, -1, 0, -0.5f}, 8, {0x80017FFF, 0xC0000000}},
      {Color::COLORFORMAT__ARGB16161616, Out::OUT_FMT__C4_8, rgba, 0, c16, 8, {0x22221111, 0x44443333}},
      {Color::COLORFORMAT__UV88, Out::OUT_FMT__C_16_FP, rgba, 0, f, 2, {0x3C00}},
      {Color::COLORFORMAT__ARGB8888, Out::OUT_FMT__C2_16_FP, rgba, 0, f, 4, {0xC0003C00}},
      {Color::COLORFORMAT__ARGB16161616, Out::OUT_FMT__C4_16_FP, rgba, 0, f, 8, {0xC0003C00, 0x7BFF3800}},
      // 32 bits: RG takes C0 and C2
      {Color::COLORFORMAT__ARGB8888, Out::OUT_FMT__C_32_FP, rgba, 0, f, 4, {0x3F800000}},
      {Color::COLORFORMAT__ARGB16161616, Out::OUT_FMT__C2_32_FP, {kR, kA, kG, kA}, 0, f, 8, {0x3F800000, 0xC0000000}},
      {Color::COLORFORMAT__ARGB32323232, Out::OUT_FMT__C4_32_FP, rgba, 0, f, 16, {0x3F800000, 0xC0000000, 0x3F000000, 0x477FE000}},
      // outputs packed by the shader
      {Color::COLORFORMAT__I8, Out::OUT_FMT__C2_4, rgba, 0, {1 / 15.f, 2 / 15.f, 0, 0}, 1, {0x21}},
      {Color::COLORFORMAT__I8, Out::OUT_FMT__C_3_3_2, rgba, 0, {1 / 3.f, 2 / 7.f, 4 / 7.f, 0}, 1, {4 << 5 | 2 << 2 | 1}},
      {Color::COLORFORMAT__ARGB8888,
       Out::OUT_FMT__C_11_11_10,
       rgba,
       0,
       {1 / 1023.f, 1 / 2047.f, 1 / 2047.f, 0},
       4,
       {1u << 21 | 1 << 10 | 1}},
      {Color::COLORFORMAT__ARGB8888,
       Out::OUT_FMT__C_10_11_11,
       rgba,
       0,
       {1 / 2047.f, 1 / 2047.f, 1 / 1023.f, 0},
       4,
       {1u << 22 | 1 << 11 | 1}},
  };
  ColorChip chip;
  int row = 0;
  for (const Layout& l : table) {
    chip.target(0, l.color_format, l.out_fmt, l.select, l.sign);
    for (uint32_t i = 0; i < 64; i += 4) chip.memory->store<uint32_t>(Chip::kColor + i, 0xEEEEEEEE);
    chip.draw(l.rgba, 0b0010);  // pixel (1,0): the bytes before and after must stay
    std::array<uint8_t, 64> expected;
    expected.fill(0xEE);
    std::memcpy(expected.data() + l.bytes, l.expected.data(), l.bytes);
    std::array<uint8_t, 64> got;
    chip.memory->read(Chip::kColor, got.data(), got.size());
    EXPECT_EQ(got, expected) << "row " << row;
    ++row;
  }
  EXPECT_TRUE(chip.reports.empty());
}

TEST(Format, MisfitsAreReportedAndNotWritten) {
  const uint32_t table[][2] = {
      {8, Out::OUT_FMT__C4_8},  // reserved
      {Color::COLORFORMAT__CI8, Out::OUT_FMT__C4_8},
      {Color::COLORFORMAT__YUV422_VYUY, Out::OUT_FMT__C4_10},
      {Color::COLORFORMAT__ARGB32323232, Out::OUT_FMT__C4_8},
      {Color::COLORFORMAT__ARGB8888, Out::OUT_FMT__C4_16_FP},
      {Color::COLORFORMAT__ARGB8888, Out::OUT_FMT__C_16_MPEG},
      {Color::COLORFORMAT__ARGB8888, 14},
      {Color::COLORFORMAT__ARGB8888, 31},
  };
  for (auto [color_format, out_fmt] : table) {
    ColorChip chip;
    chip.target(0, color_format, out_fmt);
    chip.draw({1, 1, 1, 1});
    chip.draw({1, 1, 1, 1});
    EXPECT_EQ(chip.reports.size(), 1u) << color_format << ' ' << out_fmt;
    EXPECT_EQ(chip.pixel<uint64_t>(), 0u);
  }
  EXPECT_TRUE(rb3d::pixel_format(Profile::r500, Out::OUT_FMT__C4_10, 0, Color::COLORFORMAT__ARGB2101010).valid());
  EXPECT_FALSE(rb3d::pixel_format(Profile::r300, Out::OUT_FMT__C4_10, 0, Color::COLORFORMAT__ARGB2101010).valid());
}

TEST(Convert, EveryCodeComesBackInEveryDitherMode) {
  // A destination that is read and written unchanged must keep its code: blend with ZERO, ONE.
  ColorChip chip;
  chip.target(0, Color::COLORFORMAT__ARGB16161616, Out::OUT_FMT__C4_16, {kR, kG, kB, kA}, 0b1010);
  chip.set(Blend{0}.ALPHA_BLEND_ENABLE(1).READ_ENABLE(1).SRCBLEND(Blend::SRCBLEND__GL_ZERO).DESTBLEND(Blend::DESTBLEND__GL_ONE));
  for (uint32_t mode : {0u, 1u, 2u}) {
    chip.set(regs::RB3D_DITHER_CTL{0}.DITHER_MODE(mode).ALPHA_DITHER_MODE(mode));
    for (uint32_t code = 0; code < 65536; code += 7) {
      const uint64_t pixel = uint64_t(code) * 0x0000000100000001ull | (code == 0x8000 ? 0 : uint64_t(code) * 0x0001000000010000ull);
      chip.store(pixel);
      chip.draw({0.3f, 0.3f, 0.3f, 0.3f});
      ASSERT_EQ(chip.pixel<uint64_t>(), pixel) << mode;
    }
  }
}

TEST(Convert, RoundTruncateDither) {
  const rb3d::Field f{0, 0, 8, rb3d::Kind::unorm};
  const auto enc = [&](double codes, rb3d::Dither d, uint32_t x = 0, uint32_t y = 0) {
    return rb3d::encode(f, float(codes / 255), d, x, y);
  };
  EXPECT_EQ(enc(100.49, rb3d::Dither::round), 100u);
  EXPECT_EQ(enc(100.51, rb3d::Dither::round), 101u);
  EXPECT_EQ(rb3d::encode(f, 0.5f, rb3d::Dither::round, 0, 0), 128u);  // 127.5: to even
  EXPECT_EQ(rb3d::encode({0, 0, 1, rb3d::Kind::unorm}, 0.5f, rb3d::Dither::round, 0, 0), 0u);
  EXPECT_EQ(enc(100.9, rb3d::Dither::truncate), 100u);
  for (float v : {-1.0f, -INFINITY, NAN}) EXPECT_EQ(rb3d::encode(f, v, rb3d::Dither::round, 0, 0), 0u);
  for (float v : {1.0f, 1e30f, INFINITY})
    for (auto d : {rb3d::Dither::round, rb3d::Dither::truncate, rb3d::Dither::lut}) EXPECT_EQ(rb3d::encode(f, v, d, 1, 0), 255u);
  // A 4x4 block of dither averages to the value.
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 16; ++i) sum += enc(100.25, rb3d::Dither::lut, i % 4, i / 4);
  EXPECT_EQ(sum, 16 * 100 + 4u);
  // Alpha has a mode of its own.
  ColorChip chip;
  chip.set(regs::RB3D_DITHER_CTL{0}.DITHER_MODE(0).ALPHA_DITHER_MODE(1));
  chip.draw({10.75f / 255, 10.75f / 255, 10.75f / 255, 10.75f / 255});
  EXPECT_EQ(chip.pixel<uint32_t>(), 0x0B0A0A0Au);
}

TEST(Convert, GammaOutputIsSrgbOnColoursOnly) {
  ColorChip chip;
  chip.target(0, Color::COLORFORMAT__ARGB8888, Out::OUT_FMT__C4_10_GAMMA);
  for (int i = 0; i <= 1000; ++i) {
    const double v = i / 1000.0;
    const double encoded = (v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055) * 255;
    if (std::fabs(encoded - std::floor(encoded) - 0.5) < 1e-3) continue;
    chip.draw({float(v), float(v), float(v), float(v)});
    const uint32_t pixel = chip.pixel<uint32_t>();
    ASSERT_EQ(pixel & 0xFF, std::lround(encoded)) << v;
    ASSERT_EQ(pixel >> 24, std::lround(float(v) * 255.0));
  }
}

TEST(Mask, EachCombinationOnEveryTarget) {
  ColorChip chip;
  for (uint32_t t = 0; t < 4; ++t) chip.target(t, Color::COLORFORMAT__ARGB8888, Out::OUT_FMT__C4_8);
  for (uint32_t independent : {0u, 1u})
    for (uint32_t mask = 0; mask < 16; ++mask) {
      const uint32_t masks[4] = {mask, mask ^ 0xF, mask >> 1 | (mask & 1) << 3, 0xA};
      chip.set(regs::RB3D_COLOR_CHANNEL_MASK{masks[0] | masks[1] << 4 | masks[2] << 8 | masks[3] << 12});
      chip.set(regs::RB3D_CCTL{0}.INDEPENDENT_COLOR_CHANNEL_MASK_ENABLE(independent));
      for (uint32_t t = 0; t < 4; ++t) chip.store<uint32_t>(0x12345678, t);
      chip.draw({1, 1, 1, 1});
      for (uint32_t t = 0; t < 4; ++t) {
        uint32_t expected = 0x12345678;
        for (uint32_t c = 0; c < 4; ++c)
          if (masks[independent ? t : 0] >> c & 1) expected |= 0xFFu << (8 * c);
        EXPECT_EQ(chip.pixel<uint32_t>(t), expected) << mask << ' ' << t;
      }
    }
}

TEST(Mask, FollowsComponentsNotBytes) {
  ColorChip chip;
  chip.target(0, Color::COLORFORMAT__UV88, Out::OUT_FMT__C4_8, {kG, kR, kR, kG});
  chip.set(regs::RB3D_COLOR_CHANNEL_MASK{0b0001});  // C0 only: the high byte
  chip.store<uint16_t>(0x1234);
  chip.draw({1, 1, 1, 1});
  EXPECT_EQ(chip.pixel<uint16_t>(), 0xFF34u);
  chip.target(0, Color::COLORFORMAT__RGB565, Out::OUT_FMT__C4_8);
  chip.set(regs::RB3D_COLOR_CHANNEL_MASK{0b0010});
  chip.store<uint16_t>(0);
  chip.draw({1, 1, 1, 1});
  EXPECT_EQ(chip.pixel<uint16_t>(), 0x07E0u);
}

TEST(Targets, OwnColoursOffsetsAndFormats) {
  ColorChip chip;
  chip.set(regs::RB3D_CCTL{0}.INDEPENDENT_COLORFORMAT_ENABLE(1));
  chip.target(1, Color::COLORFORMAT__RGB565, Out::OUT_FMT__C4_8);
  chip.target(3, Color::COLORFORMAT__ARGB8888, Out::OUT_FMT__C_32_FP, {kR, kR, kR, kR});
  chip.target(2, Color::COLORFORMAT__ARGB8888, Out::OUT_FMT__UNUSED);
  PixelQuad& q = *chip.quad;
  for (uint32_t i = 0; i < 4; ++i) {
    q.color[0][i] = {1, 0, 0, 0};
    q.color[1][i] = {0, 1, 0, 0};
    q.color[2][i] = {1, 1, 1, 1};
    q.color[3][i] = {0.125f * float(i), 0, 0, 0};
  }
  q.quad.x = 2, q.quad.y = 4;
  rb3d::write(chip.ctx, q, 0b1101);
  EXPECT_EQ(chip.pixel<uint32_t>(0, 2, 4), 0x00FF0000u);
  EXPECT_EQ(chip.pixel<uint32_t>(0, 3, 4), 0u);
  EXPECT_EQ(chip.pixel<uint16_t>(1, 3, 5), 0x07E0u);
  EXPECT_EQ(chip.pixel<uint32_t>(2, 2, 4), 0u);
  EXPECT_EQ(chip.pixel<float>(3, 2, 5), 0.25f);
  EXPECT_EQ(chip.pixel<float>(3, 3, 5), 0.375f);
  // Without independent formats target 0's serves all.
  chip.set(regs::RB3D_CCTL{0});
  rb3d::write(chip.ctx, q, 0b0001);
  EXPECT_EQ(chip.pixel<uint32_t>(1, 2, 4), 0x0000FF00u);
}

TEST(Targets, Multiwrite) {
  for (uint32_t n = 1; n <= 4; ++n) {
    ColorChip chip;
    for (uint32_t t = 1; t < 4; ++t) chip.set(Color{0}.COLORPITCH(64 >> 1), t);
    chip.set(regs::RB3D_CCTL{0}.NUM_MULTIWRITES(n - 1));
    chip.draw({1, 1, 1, 1});
    for (uint32_t t = 0; t < 4; ++t) EXPECT_EQ(chip.pixel<uint32_t>(t), t < n ? 0xFFFFFFFFu : 0u) << n << ' ' << t;
  }
}

TEST(Targets, TiledAndSwapped) {
  ColorChip chip;
  chip.set(Color{0}.COLORPITCH(64 >> 1).COLORFORMAT(Color::COLORFORMAT__ARGB8888).COLORTILE(1).COLORMICROTILE(1).COLORENDIAN(2));
  chip.quad->quad.x = 36, chip.quad->quad.y = 2;
  chip.draw({0x11 / 255.f, 0x22 / 255.f, 0x33 / 255.f, 0x44 / 255.f}, 0b0010);
  EXPECT_EQ(chip.memory->load<uint32_t>(Chip::kColor + (2048 | 1024 | 64 | 32) + 4), 0x33221144u);
}

TEST(Targets, FaultingPixelsAreDropped) {
  ColorChip chip;
  chip.quad->quad.y = int32_t(4 * Chip::kTargetStride / 256) - 1;  // the lower row lies behind the mapping
  chip.draw({1, 1, 1, 1});
  EXPECT_EQ(chip.pixel<uint32_t>(0, 0, uint32_t(chip.quad->quad.y)), 0xFFFFFFFFu);
  EXPECT_EQ(chip.memory->take_fault().count, 2u);
  chip.quad->quad.x = -2, chip.quad->quad.y = 0;
  chip.draw({0, 0, 0, 0});
  EXPECT_EQ(chip.memory->take_fault().count, 0u);
}

TEST(Rop, Table) {
  ColorChip chip;
  for (uint32_t rop = 0; rop < 16; ++rop) {
    chip.store<uint32_t>(0x0F0F33AA);
    chip.set(regs::RB3D_ROPCNTL{0}.ROP_ENABLE(1).ROP(rop));
    chip.draw({0xFF / 255.f, 0x55 / 255.f, 0xCC / 255.f, 0x00 / 255.f});
    const uint32_t src = 0x00FF55CC, dst = 0x0F0F33AA;
    uint32_t expected = 0;
    for (uint32_t bit = 0; bit < 32; ++bit) expected |= (rop >> ((src >> bit & 1) << 1 | (dst >> bit & 1)) & 1) << bit;
    EXPECT_EQ(chip.pixel<uint32_t>(), expected) << rop;
  }
  // Named codes are what they are called; disabled is a copy; masked components stay; floats are copied.
  using Rop = regs::RB3D_ROPCNTL;
  chip.store<uint32_t>(0xFFFF0F0F);
  chip.set(regs::RB3D_COLOR_CHANNEL_MASK{0b0011});
  chip.set(Rop{0}.ROP_ENABLE(1).ROP(Rop::ROP__XOR));
  chip.draw({1, 1, 1, 1});
  EXPECT_EQ(chip.pixel<uint32_t>(), 0xFFFFF0F0u);
  chip.set(Rop{0}.ROP(Rop::ROP__XOR));
  chip.draw({1, 1, 1, 1});
  EXPECT_EQ(chip.pixel<uint32_t>(), 0xFFFFFFFFu);
  chip.set(Rop{0}.ROP_ENABLE(1).ROP(Rop::ROP__XOR));
  chip.set(regs::RB3D_COLOR_CHANNEL_MASK{0b1111});
  chip.target(0, Color::COLORFORMAT__ARGB8888, Out::OUT_FMT__C_32_FP, {kR, kR, kR, kR});
  chip.draw({1, 1, 1, 1});
  EXPECT_EQ(chip.pixel<float>(), 1.0f);
}

TEST(ColourCompare, FlipsThePixelThatEqualsTheKey) {
  ColorChip chip;
  chip.set(regs::RB3D_CCTL{0}.CLRCMP_FLIPE_ENABLE(1));
  chip.set(regs::RB3D_CLRCMP_CLR{0x00FF00FF});
  chip.set(regs::RB3D_CLRCMP_MSK{0x00FFFFFF});
  chip.set(regs::RB3D_CLRCMP_FLIPE{0x00000001});
  chip.draw({1, 0, 1, 1});
  EXPECT_EQ(chip.pixel<uint32_t>(), 0xFFFF00FEu);
  chip.draw({1, 0, 0, 1});
  EXPECT_EQ(chip.pixel<uint32_t>(), 0xFFFF0000u);
}

TEST(Resolve, OfAFormatWithoutGammaIsReported) {
  ColorChip chip;
  chip.target(0, Color::COLORFORMAT__RGB565, Out::OUT_FMT__C4_8);
  chip.set(regs::RB3D_AARESOLVE_CTL{0}.AARESOLVE_MODE(1).AARESOLVE_GAMMA(1));
  chip.draw({1, 1, 1, 1});
  EXPECT_EQ(chip.reports.size(), 1u);
  EXPECT_EQ(chip.pixel<uint32_t>(), 0u);
}

}  // namespace
}  // namespace pumice::hw::test
