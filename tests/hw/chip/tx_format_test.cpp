// SPDX-License-Identifier: MIT
/// Every texture format by packets: random texels in memory, one pixel a texel, compared with a decoder written here from pipeline s.6.4.
#include <gtest/gtest.h>

#include <random>

#include "tests/hw/chip/texture_rig.h"

namespace pumice::hw::test {
namespace {

using F1 = regs::TX_FORMAT1;
using Double4 = std::array<double, 4>;
constexpr uint32_t kSize = TextureBench::kSize;

void randomise(TextureBench& b, uint32_t seed) {
  std::mt19937 random(seed);
  for (uint32_t i = 0; i < 4096; ++i) b.chip.memory(b.memory)[i] = static_cast<uint32_t>(random());
}
uint64_t field(const uint8_t* p, uint32_t shift, uint32_t width) {
  uint64_t v = 0;
  for (uint32_t i = 0; i < width; ++i) v |= uint64_t(p[(shift + i) / 8] >> (shift + i) % 8 & 1) << i;
  return v;
}
double unorm(uint64_t v, uint32_t n) { return double(v) / double((uint64_t{1} << n) - 1); }
double snorm(uint64_t v, uint32_t n) {
  const double s = v >> (n - 1) & 1 ? double(v) - double(uint64_t{1} << n) : double(v);
  return std::max(s / double((uint64_t{1} << (n - 1)) - 1), -1.0);
}
double half(uint64_t h) {
  const int e = h >> 10 & 31;
  const double m = double(h & 1023), v = e == 31 ? (m != 0 ? NAN : HUGE_VAL) : e ? std::ldexp(1024 + m, e - 25) : std::ldexp(m, -24);
  return h >> 15 ? -v : v;
}
double srgb(double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); }

enum class Kind { kFixed, kSignedAlways, kHalf, kSingle };
struct Format {
  const char* name;
  uint32_t code, bytes;
  std::vector<uint32_t> widths;  ///< of C0, C1, ..
  Kind kind = Kind::kFixed;
  uint32_t step = 0;  ///< distance of the fields when it is not the width
};
const Format kFormats[] = {
    {"8", F1::TXFORMAT__N8, 1, {8}},
    {"16", F1::TXFORMAT__N16, 2, {16}},
    {"4_4", F1::TXFORMAT__N4_4, 1, {4, 4}},
    {"8_8", F1::TXFORMAT__N8_8, 2, {8, 8}},
    {"16_16", F1::TXFORMAT__N16_16, 4, {16, 16}},
    {"3_3_2", F1::TXFORMAT__N3_3_2, 1, {2, 3, 3}},
    {"5_6_5", F1::TXFORMAT__N5_6_5, 2, {5, 6, 5}},
    {"6_5_5", F1::TXFORMAT__N6_5_5, 2, {5, 5, 6}},
    {"11_11_10", F1::TXFORMAT__N11_11_10, 4, {10, 11, 11}},
    {"10_11_11", F1::TXFORMAT__N10_11_11, 4, {11, 11, 10}},
    {"4_4_4_4", F1::TXFORMAT__N4_4_4_4, 2, {4, 4, 4, 4}},
    {"1_5_5_5", F1::TXFORMAT__N1_5_5_5, 2, {5, 5, 5, 1}},
    {"8_8_8_8", F1::TXFORMAT__N8_8_8_8, 4, {8, 8, 8, 8}},
    {"2_10_10_10", F1::TXFORMAT__N2_10_10_10, 4, {10, 10, 10, 2}},
    {"16_16_16_16", F1::TXFORMAT__N16_16_16_16, 8, {16, 16, 16, 16}},
    {"16_MPEG", F1::TXFORMAT__N16_MPEG, 2, {16}, Kind::kSignedAlways},
    {"16_16_MPEG", F1::TXFORMAT__N16_16_MPEG, 4, {16, 16}, Kind::kSignedAlways},
    {"16f", F1::TXFORMAT__N16F, 2, {16}, Kind::kHalf},
    {"16f_16f", F1::TXFORMAT__N16F_16F, 4, {16, 16}, Kind::kHalf},
    {"16f x4", F1::TXFORMAT__N16F_16F_16F_16F, 8, {16, 16, 16, 16}, Kind::kHalf},
    {"32f", F1::TXFORMAT__N32F, 4, {32}, Kind::kSingle},
    {"32f_32f", F1::TXFORMAT__N32F_32F, 8, {32, 32}, Kind::kSingle},
    {"32f x4", F1::TXFORMAT__N32F_32F_32F_32F, 16, {32, 32, 32, 32}, Kind::kSingle},
    {"10", F1::TXFORMAT__N10, 2, {10}, Kind::kFixed, 16},
    {"10_10", F1::TXFORMAT__N10_10, 4, {10, 10}, Kind::kFixed, 16},
    {"10_10_10_10", F1::TXFORMAT__N10_10_10_10, 8, {10, 10, 10, 10}, Kind::kFixed, 16},
};

TEST(TxFormat, FixedAndFloatFormats) {
  TextureBench b;
  for (const Format& f : kFormats)
    for (uint32_t mode = 0; mode < 3; ++mode) {  // unsigned, signed, sRGB
      if (mode && f.kind != Kind::kFixed) continue;
      randomise(b, f.code * 3 + mode);
      TextureSetup setup(f.code, kSize, kSize, b.memory);
      if (mode == 1) setup.format1.SIGNED_COMP0(1).SIGNED_COMP1(1).SIGNED_COMP2(1).SIGNED_COMP3(1);
      if (mode == 2) setup.format1.GAMMA(1);
      ASSERT_TRUE(b.run(setup, TextureBench::span(0, 1, 0, 1)));
      const uint32_t row = std::max(32u, kSize * f.bytes);
      for (uint32_t i = 0; i < kSize * kSize; ++i) {
        const uint8_t* texel = b.bytes() + i / kSize * row + i % kSize * f.bytes;
        uint32_t shift = 0;
        for (uint32_t c = 0; c < f.widths.size(); ++c) {
          const uint32_t n = f.widths[c];
          const uint64_t v = field(texel, shift, n);
          shift += f.step ? f.step : n;
          double want;
          if (f.kind == Kind::kHalf)
            want = half(v);
          else if (f.kind == Kind::kSingle)
            want = from_bits(static_cast<uint32_t>(v));
          else if (f.kind == Kind::kSignedAlways || (mode == 1 && n > 1))
            want = snorm(v, n);
          else if (mode == 1)
            want = -double(v);
          else
            want = mode == 2 && n <= 8 && c < 3 ? srgb(unorm(v, n)) : unorm(v, n);
          const bool exact = f.kind == Kind::kHalf || f.kind == Kind::kSingle || mode != 2;
          // Fields of fewer than 8 bits go through the 8-bit sRGB table.
          ASSERT_TRUE(same(b.at(i % kSize, i / kSize, c), static_cast<float>(want), 0,
                           exact   ? 0
                           : n < 8 ? 4e-3
                                   : 1e-6))
              << f.name << " mode " << mode << " texel " << i << " C" << c << ": " << b.at(i % kSize, i / kSize, c) << ", not " << want;
        }
      }
    }
  EXPECT_TRUE(b.chip.reports().empty());
}

TEST(TxFormat, OneBitDepthAndSpecialFormats) {
  TextureBench b;
  randomise(b, 99);
  const auto check = [&](uint32_t code, double tolerance, const std::function<Double4(uint32_t, uint32_t)>& want, uint32_t components,
                         const std::function<void(TextureSetup&)>& change = {}) {
    TextureSetup setup(code, kSize, kSize, b.memory);
    if (change) change(setup);
    ASSERT_TRUE(b.run(setup, TextureBench::span(0, 1, 0, 1)));
    for (uint32_t i = 0; i < kSize * kSize; ++i) {
      const Double4 w = want(i % kSize, i / kSize);
      for (uint32_t c = 0; c < components; ++c)
        ASSERT_NEAR(b.at(i % kSize, i / kSize, c), w[c], tolerance) << "format " << code << " texel " << i << " C" << c;
    }
  };
  const uint8_t* m = b.bytes();
  // One bit a texel: rows of 32 bytes.
  check(
      F1::TXFORMAT__N1, 0, [&](uint32_t x, uint32_t y) { return Double4{double(m[y * 32 + x / 8] >> x % 8 & 1)}; }, 1);
  check(
      F1::TXFORMAT__N1_REVERSE, 0, [&](uint32_t x, uint32_t y) { return Double4{double(m[y * 32 + x / 8] >> (7 - x % 8) & 1)}; }, 1);
  const auto dword = [&](uint32_t x, uint32_t y) { return field(m + (y * kSize + x) * 4, 0, 32); };
  check(
      F1::TXFORMAT__N24_8, 1e-7,
      [&](uint32_t x, uint32_t y) {
        return Double4{double(dword(x, y) >> 8) / 16777215, double(dword(x, y) & 255) / 255};
      },
      2);
  check(
      F1::TXFORMAT__N8_8_8_8, 1e-7,
      [&](uint32_t x, uint32_t y) {
        const uint64_t v = dword(x, y);
        return Double4{double(v & 255) / 256, double(v >> 8 & 255) / 256, double(v >> 16 & 255) / 256, double(v >> 24) / 256};
      },
      4, [](TextureSetup& s) { s.format2.POW2FIX2FLT(1); });
  // C2 completes the unit vector.
  check(
      F1::TXFORMAT__Y8, 1e-6,
      [&](uint32_t x, uint32_t y) {
        const double u = snorm(m[(y * kSize + x) * 2], 8), v = snorm(m[(y * kSize + x) * 2 + 1], 8);
        return Double4{u, v, std::sqrt(std::max(0.0, 1 - u * u - v * v))};
      },
      3, [](TextureSetup& s) { s.format1.SIGNED_COMP0(1).SIGNED_COMP1(1); });
  const auto convert = [](double y, double u, double v) {
    y = 1.164 * (y - 16) / 255, u = (u - 128) / 255, v = (v - 128) / 255;
    const auto clamp = [](double c) { return std::clamp(c, 0.0, 1.0); };
    return Double4{clamp(y + 2.018 * u), clamp(y - 0.813 * v - 0.391 * u), clamp(y + 1.596 * v), 1};
  };
  const auto to_rgb = [](TextureSetup& s) { s.format1.YUV_TO_RGB(1); };
  const auto pair = [&](uint32_t x, uint32_t y) { return m + (y * kSize + (x & ~1u)) * 2; };
  check(
      F1::TXFORMAT__VYUY422, 1e-5, [&](uint32_t x, uint32_t y) { return convert(pair(x, y)[x & 1 ? 2 : 0], pair(x, y)[1], pair(x, y)[3]); },
      4, to_rgb);
  check(
      F1::TXFORMAT__YVYU422, 1e-5, [&](uint32_t x, uint32_t y) { return convert(pair(x, y)[x & 1 ? 3 : 1], pair(x, y)[0], pair(x, y)[2]); },
      4, to_rgb);
  check(
      F1::TXFORMAT__YVYU422, 1e-5,
      [&](uint32_t x, uint32_t y) { return convert(pair(x, y)[x & 1 ? 3 : 1], pair(x, y)[0] ^ 128, pair(x, y)[2] ^ 128); }, 4,
      [](TextureSetup& s) { s.format1.YUV_TO_RGB(1).SWAP_YUV(1); });
  // W24_FP: s1 e7 m16 with the sign turned so that integers sort.
  for (uint32_t i = 0; i < 512; ++i) b.chip.memory(b.memory)[i] = (0xBF0000u + i * 97) << 8;
  check(
      F1::TXFORMAT__W24_FP, 1e-6,
      [&](uint32_t x, uint32_t y) {
        const uint64_t v = dword(x, y) >> 8 & 0x7FFFFF;
        return Double4{std::ldexp(1 + double(v & 0xFFFF) / 65536, int(v >> 16) - 63)};
      },
      1);
}

double bc4(const uint8_t* block, uint32_t x, uint32_t y, bool is_signed) {
  const double a = is_signed ? snorm(block[0], 8) : unorm(block[0], 8), b = is_signed ? snorm(block[1], 8) : unorm(block[1], 8);
  const uint64_t code = field(block + 2, 3 * (4 * y + x), 3);
  if (code == 0) return a;
  if (code == 1) return b;
  const double k = double(code);
  if (a > b) return (a * (8 - k) + b * (k - 1)) / 7;
  if (code < 6) return (a * (6 - k) + b * (k - 1)) / 5;
  return code == 6 ? (is_signed ? -1 : 0) : 1;
}
Double4 dxt_color(const uint8_t* p, uint32_t x, uint32_t y, bool dxt1) {  // b, g, r, a
  const uint64_t c0 = field(p, 0, 16), c1 = field(p, 16, 16), code = field(p + 4, 2 * (4 * y + x), 2);
  const bool four = !dxt1 || c0 > c1;
  if (!four && code == 3) return {0, 0, 0, 0};
  Double4 out{0, 0, 0, 1};
  constexpr uint32_t kShift[] = {0, 5, 11}, kWidth[] = {5, 6, 5};
  for (uint32_t c = 0; c < 3; ++c) {
    const double a = unorm(c0 >> kShift[c] & ((1u << kWidth[c]) - 1), kWidth[c]),
                 b = unorm(c1 >> kShift[c] & ((1u << kWidth[c]) - 1), kWidth[c]);
    out[c] = code == 0 ? a : code == 1 ? b : !four ? (a + b) / 2 : code == 2 ? (2 * a + b) / 3 : (a + 2 * b) / 3;
  }
  return out;
}

TEST(TxFormat, BlockFormats) {
  TextureBench b;
  struct Row {
    uint32_t code, bytes;
    bool is_signed, rgba;
  };
  for (const Row r :
       {Row{F1::TXFORMAT__DXT1, 8, false, false}, Row{F1::TXFORMAT__DXT3, 16, false, false}, Row{F1::TXFORMAT__DXT5, 16, false, false},
        Row{F1::TXFORMAT__DXT5, 16, false, true}, Row{F1::TXFORMAT__ATI1N, 8, false, false}, Row{F1::TXFORMAT__ATI1N, 8, true, false},
        Row{F1::TXFORMAT__ATI2N, 16, false, false}, Row{F1::TXFORMAT__ATI2N, 16, true, false}}) {
    randomise(b, r.code + r.is_signed);
    TextureSetup setup(r.code, kSize, kSize, b.memory);
    if (r.is_signed) setup.format1.SIGNED_COMP0(1).SIGNED_COMP1(1);
    if (r.rgba) setup.filter1.DXTC_SWIZZLE(1);
    ASSERT_TRUE(b.run(setup, TextureBench::span(0, 1, 0, 1)));
    for (uint32_t i = 0; i < kSize * kSize; ++i) {
      const uint32_t x = i % kSize, y = i / kSize;
      const uint8_t* block = b.bytes() + (y / 4 * 4 + x / 4) * r.bytes;
      Double4 want{};
      uint32_t components = 4;
      switch (r.code) {
        case F1::TXFORMAT__DXT1: want = dxt_color(block, x % 4, y % 4, true); break;
        case F1::TXFORMAT__DXT3:
          want = dxt_color(block + 8, x % 4, y % 4, false);
          want[3] = unorm(field(block, 4 * (4 * (y % 4) + x % 4), 4), 4);
          break;
        case F1::TXFORMAT__DXT5:
          want = dxt_color(block + 8, x % 4, y % 4, false);
          want[3] = bc4(block, x % 4, y % 4, false);
          break;
        case F1::TXFORMAT__ATI1N: want[0] = bc4(block, x % 4, y % 4, r.is_signed), components = 1; break;
        default: want[1] = bc4(block, x % 4, y % 4, r.is_signed), want[0] = bc4(block + 8, x % 4, y % 4, r.is_signed), components = 2;
      }
      if (r.rgba) std::swap(want[0], want[2]);
      // Ends are widened to 8 bits by repeating theirs, the interpolation truncates: together less than 1.5 steps.
      for (uint32_t c = 0; c < components; ++c)
        ASSERT_NEAR(b.at(x, y, c), want[c], 1.5 / (r.is_signed ? 127 : 255)) << r.code << " texel " << i << " C" << c;
    }
  }
}

TEST(TxFormat, ChannelSelectsEndianAndDisabledUnit) {
  TextureBench b;
  b.chip.memory(b.memory)[0] = 0x40302010;
  const auto value = [&](const std::function<void(TextureSetup&)>& change, const Packets& extra = {}) {
    TextureSetup setup(F1::TXFORMAT__N8_8_8_8, 1, 1, b.memory);
    change(setup);
    EXPECT_TRUE(b.run(setup, TextureBench::span(0, 1, 0, 1), {}, extra));
    std::array<int, 4> v;
    for (uint32_t c = 0; c < 4; ++c) v[c] = static_cast<int>(std::lround(b.at(3, 3, c) * 255));
    return v;
  };
  using V = std::array<int, 4>;
  EXPECT_EQ(value([](TextureSetup& s) { s.format1.SEL_RED(3).SEL_GREEN(5).SEL_BLUE(4).SEL_ALPHA(0); }), (V{0x40, 255, 0, 0x10}));
  EXPECT_EQ(value([](TextureSetup& s) { s.offset.ENDIAN_SWAP(1); }), (V{0x20, 0x10, 0x40, 0x30}));
  EXPECT_EQ(value([](TextureSetup& s) { s.offset.ENDIAN_SWAP(2); }), (V{0x40, 0x30, 0x20, 0x10}));
  EXPECT_EQ(value([](TextureSetup& s) { s.offset.ENDIAN_SWAP(3); }), (V{0x30, 0x40, 0x10, 0x20}));
  Packets off;
  off.set(regs::TX_ENABLE());
  EXPECT_EQ(value([](TextureSetup&) {}, off), (V{0, 0, 0, 255}));
  EXPECT_TRUE(b.chip.reports().empty());
  // Page 0 is not backed.
  EXPECT_EQ(value([](TextureSetup& s) { s.offset = regs::TX_OFFSET{0}; }), (V{0, 0, 0, 0}));
  ASSERT_FALSE(b.chip.reports().empty());
  EXPECT_EQ(b.chip.reports()[0].kind, ReportKind::vm_fault);
}

}  // namespace
}  // namespace pumice::hw::test
