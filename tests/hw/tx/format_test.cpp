// SPDX-License-Identifier: MIT
/// Every texture format (pipeline s.6.4), border packing (s.6.7), sRGB, endian swaps.
#include "hw/radeon/decode/tx/format.h"
#include "tests/hw/tx/tx_rig.h"

namespace pumice::hw::tx_test {
namespace {

class TxFormat : public TxRig {};

struct Row {
  const char* name;
  uint32_t code;
  std::vector<uint8_t> texel;
  Vec4 expected;
  uint32_t signs = 0;
};

TEST_F(TxFormat, EveryUncompressedFormat) {
  const float n8 = 255, n16 = 65535, n10 = 1023, n11 = 2047, n5 = 31, n6 = 63, n4 = 15;
  const Row rows[] = {
      {"8", F1::TXFORMAT__N8, {0x40}, {0x40 / n8, 0, 0, 0}},
      {"16", F1::TXFORMAT__N16, {0x34, 0x12}, {0x1234 / n16, 0, 0, 0}},
      {"4_4", F1::TXFORMAT__N4_4, {0xA3}, {3 / n4, 10 / n4, 0, 0}},
      {"8_8", F1::TXFORMAT__N8_8, {0x11, 0xFE}, {0x11 / n8, 0xFE / n8, 0, 0}},
      {"16_16", F1::TXFORMAT__N16_16, {0x34, 0x12, 0xFF, 0xFF}, {0x1234 / n16, 1, 0, 0}},
      {"3_3_2", F1::TXFORMAT__N3_3_2, {0b10101101}, {1 / 3.0f, 3 / 7.0f, 5 / 7.0f, 0}},
      {"5_6_5", F1::TXFORMAT__N5_6_5, {0x41, 0x88}, {1 / n5, 2 / n6, 17 / n5, 0}},
      {"6_5_5", F1::TXFORMAT__N6_5_5, {0x41, 0x88}, {1 / n5, 2 / n5, 34 / n6, 0}},
      {"11_11_10", F1::TXFORMAT__N11_11_10, {0x01, 0x08, 0x60, 0x00}, {1 / n10, 2 / n11, 3 / n11, 0}},
      {"10_11_11", F1::TXFORMAT__N10_11_11, {0x01, 0x10, 0xC0, 0x00}, {1 / n11, 2 / n11, 3 / n10, 0}},
      {"4_4_4_4", F1::TXFORMAT__N4_4_4_4, {0x21, 0xF3}, {1 / n4, 2 / n4, 3 / n4, 1}},
      {"1_5_5_5", F1::TXFORMAT__N1_5_5_5, {0x41, 0x8C}, {1 / n5, 2 / n5, 3 / n5, 1}},
      {"8_8_8_8", F1::TXFORMAT__N8_8_8_8, {1, 2, 3, 255}, {1 / n8, 2 / n8, 3 / n8, 1}},
      {"2_10_10_10", F1::TXFORMAT__N2_10_10_10, {0x01, 0x08, 0x30, 0xC0}, {1 / n10, 2 / n10, 3 / n10, 1}},
      {"16x4", F1::TXFORMAT__N16_16_16_16, {1, 0, 2, 0, 3, 0, 0xFF, 0xFF}, {1 / n16, 2 / n16, 3 / n16, 1}},
      {"16_MPEG", F1::TXFORMAT__N16_MPEG, {0x01, 0x80}, {-1, 0, 0, 0}},
      {"16_16_MPEG", F1::TXFORMAT__N16_16_MPEG, {0xFF, 0x7F, 0, 0}, {1, 0, 0, 0}},
      {"16f", F1::TXFORMAT__N16F, {0x00, 0xC0}, {-2, 0, 0, 0}},
      {"16f_16f", F1::TXFORMAT__N16F_16F, {0x00, 0x3C, 0x01, 0x00}, {1, 0x1p-24f, 0, 0}},
      {"16f x4", F1::TXFORMAT__N16F_16F_16F_16F, {0, 0x3C, 0, 0x40, 0, 0x42, 0, 0x44}, {1, 2, 3, 4}},
      {"32f", F1::TXFORMAT__N32F, {0, 0, 0x80, 0xBF}, {-1, 0, 0, 0}},
      {"32f_32f", F1::TXFORMAT__N32F_32F, {0, 0, 0x80, 0x3F, 0, 0, 0, 0x40}, {1, 2, 0, 0}},
      {"32f x4", F1::TXFORMAT__N32F_32F_32F_32F, {0, 0, 0x80, 0x3F, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40, 0, 0, 0x80, 0x40}, {1, 2, 3, 4}},
      {"24_8", F1::TXFORMAT__N24_8, {0x33, 0xFF, 0xFF, 0xFF}, {1, 0x33 / n8, 0, 0}},
      {"24_8", F1::TXFORMAT__N24_8, {0x00, 0x00, 0x00, 0x80}, {0x800000 / 16777215.0f, 0, 0, 0}},
      {"W24 +1", F1::TXFORMAT__W24_FP, {0, 0x00, 0x00, 0x80 | 63}, {1, 0, 0, 0}},
      {"W24 -1.5", F1::TXFORMAT__W24_FP, {0, 0xFF, 0x7F, 0x7F & ~63}, {-1.5f, 0, 0, 0}},
      {"W24 +0", F1::TXFORMAT__W24_FP, {0, 0, 0, 0x80}, {0, 0, 0, 0}},
      {"CxV8U8", F1::TXFORMAT__Y8, {127, 0}, {1, 0, 0, 0}, 3},
      {"CxV8U8", F1::TXFORMAT__Y8, {0, 0}, {0, 0, 1, 0}, 3},
      {"AVYU444", F1::TXFORMAT__AVYU444, {1, 2, 3, 4}, {1 / n8, 2 / n8, 3 / n8, 4 / n8}},
      {"YUYV", F1::TXFORMAT__VYUY422, {10, 20, 30, 40}, {20 / n8, 10 / n8, 40 / n8, 1}},
      {"UYVY", F1::TXFORMAT__YVYU422, {20, 10, 40, 30}, {20 / n8, 10 / n8, 40 / n8, 1}},
      {"1", F1::TXFORMAT__N1, {0x01}, {1, 0, 0, 0}},
      {"1 reverse", F1::TXFORMAT__N1_REVERSE, {0x01}, {0, 0, 0, 0}},
      {"10", F1::TXFORMAT__N10, {0x01, 0xFC}, {1 / n10, 0, 0, 0}},
      {"10_10", F1::TXFORMAT__N10_10, {1, 0, 2, 0}, {1 / n10, 2 / n10, 0, 0}},
      {"10x4", F1::TXFORMAT__N10_10_10_10, {1, 0, 2, 0, 3, 0, 0xFF, 3}, {1 / n10, 2 / n10, 3 / n10, 1}},
      {"8 signed", F1::TXFORMAT__N8_8_8_8, {127, 128, 129, 255}, {1, -1, -1, -1 / 127.0f}, 15},
      {"8 mixed", F1::TXFORMAT__N8_8_8_8, {255, 255, 255, 255}, {1, -1 / 127.0f, 1, 1}, 2},
      {"5_6_5 signed", F1::TXFORMAT__N5_6_5, {0xFF, 0x7F}, {-1 / 15.0f, -1 / 31.0f, 1, 0}, 7},
      {"16 signed", F1::TXFORMAT__N16_16, {0x00, 0x80, 0xFF, 0x7F}, {-1, 1, 0, 0}, 3},
  };
  for (const Row& row : rows) {
    format(row.code);
    edit<F1>([&](F1& r) { r.raw = (r.raw & ~0x1E0u) | row.signs << 5; });
    for (uint32_t i = 0; i < 16; ++i) store8(i, i < row.texel.size() ? row.texel[i] : 0xEE);
    EXPECT_EQ(at(0.01f, 0.01f), row.expected) << row.name;
    EXPECT_TRUE(reports.empty()) << row.name;
  }
}

TEST_F(TxFormat, ReservedCodesReadZeroAndReport) {
  for (uint32_t code = 39; code < 64; ++code) {
    format(code);
    store(0, ~0u);
    EXPECT_EQ(at(0, 0), (Vec4{})) << code;
    EXPECT_EQ(reports.size(), 1u);
  }
}

TEST_F(TxFormat, SecondTexelOfPairsAndBits) {
  store(0, 0x28'1E'14'0A);  // bytes 10 20 30 40
  format(F1::TXFORMAT__VYUY422);
  EXPECT_EQ(at(0.3f), (Vec4{20 / 255.0f, 30 / 255.0f, 40 / 255.0f, 1}));
  format(F1::TXFORMAT__YVYU422);
  EXPECT_EQ(at(0.3f), (Vec4{10 / 255.0f, 40 / 255.0f, 30 / 255.0f, 1}));
  store(0, 0b0010);
  format(F1::TXFORMAT__N1);
  EXPECT_EQ(at(0.3f)[0], 1);
  EXPECT_EQ(at(0.0f)[0], 0);
  store(0, 0b01000000);
  format(F1::TXFORMAT__N1_REVERSE);
  EXPECT_EQ(at(0.3f)[0], 1);
  EXPECT_EQ(at(0.0f)[0], 0);
}

TEST_F(TxFormat, YuvConversion) {
  format(F1::TXFORMAT__AVYU444);
  const struct {
    uint8_t y, u, v;
    Vec4 bgra;
  } rows[] = {{16, 128, 128, {0, 0, 0, 1}}, {235, 128, 128, {0.99969f, 0.99969f, 0.99969f, 1}}, {81, 90, 240, {0, 0, 0.998f, 1}}};
  for (const auto& row : rows) {
    edit<F1>([&](F1& r) { r.YUV_TO_RGB(1).SWAP_YUV(0); });
    store(0, row.u | row.y << 8 | row.v << 16 | 0xFFu << 24);
    for (uint32_t c = 0; c < 4; ++c) EXPECT_NEAR(at(0)[c], row.bgra[c], 0.005f);
    // U and V with their top bits turned, read with SWAP_YUV, are the same.
    const Vec4 plain = at(0);
    edit<F1>([&](F1& r) { r.SWAP_YUV(1); });
    store(0, (row.u ^ 128) | row.y << 8 | (row.v ^ 128) << 16 | 0xFFu << 24);
    EXPECT_EQ(at(0), plain);
  }
  store(0, 0xFF | 0xFF << 8 | 0xFF << 16 | 0xFFu << 24);
  edit<F1>([&](F1& r) { r.YUV_TO_RGB(2).SWAP_YUV(0); });
  EXPECT_GT(at(0)[0], 1.5f);  // without clamp
}

TEST_F(TxFormat, SrgbTable) {
  for (uint32_t i = 0; i < 256; ++i) {
    const double c = i / 255.0, e = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    EXPECT_NEAR(tx::srgb_to_linear(uint8_t(i)), e, 1e-7 * e + 1e-12) << i;
  }
  EXPECT_EQ(tx::srgb_to_linear(0), 0);
  EXPECT_EQ(tx::srgb_to_linear(255), 1);
  edit<F1>([&](F1& r) { r.GAMMA(1); });
  store(0, 0x80'FF'00'80);
  EXPECT_EQ(at(0), (Vec4{tx::srgb_to_linear(128), 0, 1, 128 / 255.0f}));
}

TEST_F(TxFormat, Pow2Fix2Flt) {
  edit<regs::TX_FORMAT2>([&](regs::TX_FORMAT2& r) { r.POW2FIX2FLT(1); });
  store(0, 0xFF'80'40'00);
  EXPECT_EQ(at(0), (Vec4{0, 0.25f, 0.5f, 255 / 256.0f}));
}

TEST_F(TxFormat, ChannelSelects) {
  store(0, 0x04'03'02'01);
  edit<F1>([&](F1& r) { r.SEL_RED(2).SEL_GREEN(4).SEL_BLUE(5).SEL_ALPHA(0); });
  EXPECT_EQ(at(0), (Vec4{3 / 255.0f, 0, 1, 1 / 255.0f}));
  edit<F1>([&](F1& r) { r.SEL_RED(6).SEL_GREEN(7); });
  EXPECT_EQ(at(0)[0], 0);
}

TEST_F(TxFormat, DisabledUnitIsOpaqueBlack) {
  state->set(regs::TX_ENABLE{});
  store(0, ~0u);
  EXPECT_EQ(at(0), (Vec4{0, 0, 0, 1}));
}

TEST_F(TxFormat, EndianSwaps) {
  const struct {
    uint32_t mode, fmt;
    uint32_t raw;
    Vec4 expected;
  } rows[] = {{0, F1::TXFORMAT__N8_8_8_8, 0x04030201, {1, 2, 3, 4}}, {1, F1::TXFORMAT__N8_8_8_8, 0x04030201, {2, 1, 4, 3}},
              {2, F1::TXFORMAT__N8_8_8_8, 0x04030201, {4, 3, 2, 1}}, {3, F1::TXFORMAT__N8_8_8_8, 0x04030201, {3, 4, 1, 2}},
              {1, F1::TXFORMAT__N8_8, 0x04030201, {2, 1, 0, 0}},     {2, F1::TXFORMAT__N8, 0x04030201, {4, 0, 0, 0}}};
  for (const auto& row : rows) {
    format(row.fmt);
    edit<regs::TX_OFFSET>([&](regs::TX_OFFSET& r) { r.ENDIAN_SWAP(row.mode); });
    store(0, row.raw);
    Vec4 e = row.expected;
    for (float& v : e) v /= 255.0f;
    EXPECT_EQ(at(0), e) << row.mode;
  }
}

uint64_t codes_0_to_15(uint32_t bits_each) {
  uint64_t v = 0;
  for (uint32_t i = 0; i < 16; ++i) v |= uint64_t(i & ((1u << bits_each) - 1)) << bits_each * i;
  return v;
}

TEST_F(TxFormat, Dxt1) {
  format(F1::TXFORMAT__DXT1);
  for (const bool opaque : {true, false}) {
    const uint16_t red = 0xF800, blue = 0x001F;
    store(0, opaque ? red | blue << 16 : blue | red << 16);
    store(4, uint32_t(codes_0_to_15(2)));
    const Vec4 r{0, 0, 1, 1}, b{1, 0, 0, 1};
    const Vec4 palette[4] = {opaque ? r : b, opaque ? b : r,
                             opaque ? Vec4{85 / 255.0f, 0, 170 / 255.0f, 1} : Vec4{127 / 255.0f, 0, 127 / 255.0f, 1},
                             opaque ? Vec4{170 / 255.0f, 0, 85 / 255.0f, 1} : Vec4{}};
    for (uint32_t i = 0; i < 16; ++i) EXPECT_EQ(at((i % 4 + 0.5f) / 4, (i / 4 + 0.5f) / 4), palette[i % 4]) << i;
  }
  edit<regs::TX_FILTER1>([&](regs::TX_FILTER1& r) { r.DXTC_SWIZZLE(1); });
  EXPECT_EQ(at(0.1f, 0.1f), (Vec4{0, 0, 1, 1}));  // blue, now in C2
}

TEST_F(TxFormat, Dxt3AndDxt5Alpha) {
  store(8, 0xFFFF | 0xFFFFu << 16), store(12, 0);
  format(F1::TXFORMAT__DXT3);
  const uint64_t nibbles = codes_0_to_15(4);
  store(0, uint32_t(nibbles)), store(4, uint32_t(nibbles >> 32));
  for (uint32_t i = 0; i < 16; ++i) EXPECT_EQ(at((i % 4 + 0.5f) / 4, (i / 4 + 0.5f) / 4), (Vec4{1, 1, 1, float(i) / 15})) << i;
  format(F1::TXFORMAT__DXT5);
  for (const bool eight : {true, false}) {
    const uint32_t a = eight ? 210 : 0, b = eight ? 0 : 210;
    const uint64_t block = a | b << 8 | codes_0_to_15(3) << 16;
    store(0, uint32_t(block)), store(4, uint32_t(block >> 32));
    const float table[2][8] = {{0, 210, 42, 84, 126, 168, 0, 255}, {210, 0, 180, 150, 120, 90, 60, 30}};
    for (uint32_t i = 0; i < 16; ++i) EXPECT_EQ(at((i % 4 + 0.5f) / 4, (i / 4 + 0.5f) / 4)[3], table[eight][i % 8] / 255.0f) << i;
  }
}

TEST_F(TxFormat, Ati1nAndAti2n) {
  const uint64_t first = 255 | 0 << 8, second = 70 | 0 << 8 | uint64_t(2) << 16;  // texel 0: code 0 and code 2
  store(0, uint32_t(first)), store(4, 0), store(8, uint32_t(second)), store(12, 0);
  format(F1::TXFORMAT__ATI1N);
  EXPECT_EQ(at(0.1f, 0.1f), (Vec4{1, 0, 0, 0}));
  format(F1::TXFORMAT__ATI2N);
  EXPECT_EQ(at(0.1f, 0.1f), (Vec4{60 / 255.0f, 1, 0, 0}));
  edit<F1>([&](F1& r) { r.SIGNED_COMP0(1).SIGNED_COMP1(1); });
  store(0, 0x80), store(8, 127);
  EXPECT_EQ(at(0.1f, 0.1f), (Vec4{1, -1, 0, 0}));
}

TEST_F(TxFormat, BorderPacking) {
  clamp(6, 6, 6);
  const struct {
    uint32_t fmt, packed;
    Vec4 expected;
  } rows[] = {
      {F1::TXFORMAT__N8_8_8_8, 0x04030201, {1 / 255.0f, 2 / 255.0f, 3 / 255.0f, 4 / 255.0f}},
      {F1::TXFORMAT__N8, 0x04030201, {1 / 255.0f, 0, 0, 0}},
      {F1::TXFORMAT__N16_16_16_16, 0xFF030201, {1 / 255.0f, 2 / 255.0f, 3 / 255.0f, 1}},
      {F1::TXFORMAT__N32F_32F_32F_32F, 0xFF030201, {1 / 255.0f, 2 / 255.0f, 3 / 255.0f, 1}},
      {F1::TXFORMAT__N5_6_5, 0x8841, {1 / 31.0f, 2 / 63.0f, 17 / 31.0f, 0}},
      {F1::TXFORMAT__N4_4_4_4, 0xF321, {1 / 15.0f, 2 / 15.0f, 3 / 15.0f, 1}},
      {F1::TXFORMAT__N1_5_5_5, 0x8C41, {1 / 31.0f, 2 / 31.0f, 3 / 31.0f, 1}},
      {F1::TXFORMAT__N2_10_10_10, 0xC0300801, {1 / 1023.0f, 2 / 1023.0f, 3 / 1023.0f, 1}},
      {F1::TXFORMAT__N16, 0x1234, {0x1234 / 65535.0f, 0, 0, 0}},
      {F1::TXFORMAT__N16_16, 0xFFFF1234, {0x1234 / 65535.0f, 1, 0, 0}},
      {F1::TXFORMAT__N16F, 0x3C00, {1, 0, 0, 0}},
      {F1::TXFORMAT__N16F_16F, 0x40003C00, {1, 2, 0, 0}},
      {F1::TXFORMAT__N32F, 0x3FC00000, {1.5f, 0, 0, 0}},
      {F1::TXFORMAT__N24_8, 0xFFFFFF00, {1, 0, 0, 0}},
      {F1::TXFORMAT__DXT1, 0x04030201, {1 / 255.0f, 2 / 255.0f, 3 / 255.0f, 4 / 255.0f}},
  };
  for (const auto& row : rows) {
    format(row.fmt);
    state->set(regs::TX_BORDER_COLOR{row.packed}, kUnit);
    EXPECT_EQ(at(-0.5f, 0), row.expected) << row.fmt;
    EXPECT_EQ(at(0, 1.5f), row.expected) << row.fmt;
  }
}

}  // namespace
}  // namespace pumice::hw::tx_test
