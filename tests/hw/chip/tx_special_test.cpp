// SPDX-License-Identifier: MIT
/// Anisotropic filter, filter4 kernel and chroma key of TX by packets (pipeline s.6).
#include <gtest/gtest.h>

#include <cmath>

#include "tests/hw/chip/texture_rig.h"

namespace pumice::hw::test {
namespace {

using F0 = regs::TX_FILTER0;
using F1 = regs::TX_FORMAT1;
constexpr uint32_t kSize = TextureBench::kSize;

/// Stripes along t: a picture squeezed 8:1 in t alone is grey with isotropic mips, whose level 3 averages everything in s too; the
/// anisotropic filter keeps the s stripes of level 0.
TEST(TxSpecial, AnisotropyKeepsTheSharpDirection) {
  for (const bool anisotropic : {false, true}) {
    TextureBench b;
    constexpr uint32_t kSide = 128;
    uint32_t at = 0;
    for (uint32_t l = 0; l < 8; ++l) {
      const uint32_t side = kSide >> l, row = std::max(32u, side * 4) / 4;
      for (uint32_t y = 0; y < side; ++y)
        for (uint32_t x = 0; x < side; ++x) b.chip.memory(b.memory)[at / 4 + y * row + x] = l ? 0x80 : x & 1 ? 0xFF : 0;
      at += side * row * 4;
    }
    TextureSetup s(F1::TXFORMAT__N8_8_8_8, kSide, kSide, b.memory);
    s.format0.NUM_LEVELS(7);
    const uint32_t filter = anisotropic ? F0::MIN_FILTER__ANISOTROPIC : F0::MIN_FILTER__LINEAR;
    s.filter0.MAG_FILTER(filter).MIN_FILTER(filter).MIP_FILTER(F0::MIP_FILTER__LINEAR).MAX_ANISO(F0::MAX_ANISO__N16_1);
    ASSERT_TRUE(b.run(s, TextureBench::span(0, 16.0f / kSide, 0, 1)));  // a texel a pixel in s, eight in t
    for (uint32_t y = 0; y < kSize; ++y)
      for (uint32_t x = 0; x < kSize; ++x)
        ASSERT_NEAR(b.at(x, y, 0), !anisotropic ? 128 / 255.0 : x & 1 ? 1 : 0, 0.01) << x << "," << y << (anisotropic ? " aniso" : "");
    EXPECT_TRUE(b.chip.reports().empty());
  }
}

Packets kernel_pair(uint32_t direction, uint32_t phase, uint32_t pair, double w0, double w1) {
  const auto s1_9 = [](double w) { return static_cast<uint32_t>(static_cast<int32_t>(std::lround(w * 512))) & 0x7FFu; };
  Packets p;
  p.set(regs::TX_FILTER4().DIRECTION(direction).PHASE(phase).WEIGHT_PAIR(pair).WEIGHT_0(s1_9(w0)).WEIGHT_1(s1_9(w1)));
  return p;
}

/// Mitchell-like cubic weights of the taps at -1, 0, 1, 2 for a fraction (Catmull-Rom).
std::array<double, 4> cubic(double f) {
  return {((-0.5 * f + 1) * f - 0.5) * f, (1.5 * f - 2.5) * f * f + 1, ((-1.5 * f + 2) * f + 0.5) * f, (0.5 * f - 0.5) * f * f};
}

TEST(TxSpecial, Filter4Bicubic) {
  TextureBench b;
  constexpr int kSide = 8;
  const auto value = [](int x, int y) { return static_cast<uint32_t>((x * 37 + y * 91) % 256); };
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) b.chip.memory(b.memory)[y * kSide + x] = 0x00AA5500 | value(x, y) << 24;
  TextureSetup s(F1::TXFORMAT__N8_8_8_8, kSide, kSide, b.memory);
  s.filter0.MAG_FILTER(F0::MAG_FILTER__FILTER4).MIN_FILTER(F0::MIN_FILTER__FILTER4);
  s.format2.SEL_FILTER4(3);
  Packets kernel;
  for (uint32_t direction = 0; direction < 2; ++direction)
    for (uint32_t phase = 0; phase <= 8; ++phase) {
      const auto w = cubic(phase / 8.0);
      kernel.append(kernel_pair(direction, phase, 0, w[0], w[1]));
      kernel.append(kernel_pair(direction, phase, 1, w[2], w[3]));
    }
  kernel.append(kernel_pair(0, 9, 0, 3, 3));  // no such phase
  ASSERT_TRUE(b.run(s, TextureBench::span(0, 1, 0, 1), {}, kernel));
  // Two pixels per texel: fractions are odd multiples of 1/4, which are phases.
  for (uint32_t py = 0; py < kSize; ++py)
    for (uint32_t px = 0; px < kSize; ++px) {
      const double u = (px + 0.5) / 2 - 0.5, v = (py + 0.5) / 2 - 0.5;
      const auto wx = cubic(u - std::floor(u)), wy = cubic(v - std::floor(v));
      double want = 0;
      for (int j = 0; j < 4; ++j)
        for (int i = 0; i < 4; ++i) {
          const int x = std::clamp(int(std::floor(u)) - 1 + i, 0, kSide - 1), y = std::clamp(int(std::floor(v)) - 1 + j, 0, kSide - 1);
          want += wx[size_t(i)] * wy[size_t(j)] * value(x, y) / 255.0;
        }
      for (uint32_t c = 0; c < 4; ++c) ASSERT_NEAR(b.at(px, py, c), want, 0.01) << px << "," << py;
    }
  EXPECT_TRUE(b.chip.reports().empty());
}

TEST(TxSpecial, ChromaKeyKillsPixelsOrZeroesTexels) {
  for (uint32_t mode = 0; mode < 3; ++mode) {
    TextureBench b;
    for (uint32_t i = 0; i < 64; ++i) b.chip.memory(b.memory)[i] = i % 3 ? 0xFFFFFFFF : 0xFFFF00FF;
    TextureSetup s(F1::TXFORMAT__N8_8_8_8, 8, 8, b.memory);
    s.filter1.CHROMA_KEY_MODE(mode);
    Packets key;
    key.set(regs::TX_CHROMA_KEY().CHROMA_KEY(0xFFFF00FF));
    std::fill_n(b.chip.memory(b.result), kSize * kSize * 4, bits(7.0f));
    ASSERT_TRUE(b.run(s, TextureBench::span(0, 1, 0, 1), {}, key));
    for (uint32_t i = 0; i < kSize * kSize; ++i) {
      const uint32_t x = i % kSize, y = i / kSize;
      const bool keyed = (y / 2 * 8 + x / 2) % 3 == 0;
      const float want = !keyed ? 1.0f : mode == 0 ? 1.0f : mode == 1 ? 7.0f : 0.0f;
      ASSERT_EQ(b.at(x, y, 0), want) << "mode " << mode << " at " << x << "," << y;
      ASSERT_EQ(b.at(x, y, 1), keyed && mode == 0 ? 0.0f : want);
    }
    EXPECT_TRUE(b.chip.reports().empty());
  }
}

}  // namespace
}  // namespace pumice::hw::test
