// SPDX-License-Identifier: MIT
/// The numbers of hw/radeon/ref/tx/README.md to the bit (exact codes, log2) and the special filters: anisotropic, filter4, chroma key.
#include <cmath>
#include <limits>
#include <random>

#include "hw/radeon/decode/tx/lod.h"
#include "hw/radeon/decode/tx/mip_layout.h"
#include "hw/radeon/decode/xt/lod.h"
#include "tests/hw/tx/tx_rig.h"

namespace pumice::hw::tx_test {
namespace {

TEST(TxNumbers, CoarseLog2) {
  for (int e = -64; e < 128; ++e) EXPECT_EQ(tx::log2_coarse(std::ldexp(1.0f, e)), float(e));
  EXPECT_EQ(tx::log2_coarse(INFINITY), 128.0f);
  float before = -1;
  for (uint32_t m = 0; m < 1u << 23; ++m) {  // every mantissa between 1 and 2
    const float x = flt(0x3F800000u + m), y = tx::log2_coarse(x);
    ASSERT_GE(y, before) << x;
    if (m % 61 == 0) {
      ASSERT_NEAR(y, std::log2(double(x)), 1.2e-4);
    }
    before = y;
  }
  EXPECT_LE(before, 1.0f);
}

class TxSpecial : public TxRig {
 protected:
  /// A square RGBA8 image of random texels with its mips.
  void noise(uint32_t side, uint32_t levels) {
    size(side, side, levels);
    std::mt19937 rng(5);
    for (uint32_t i = 0; i < 0x20000; i += 4) store(i, rng());
  }
  Vec4 texel(uint32_t side, int x, int y) {
    Vec4 out;
    const uint32_t at = (uint32_t(y) & (side - 1)) * side * 4 + (uint32_t(x) & (side - 1)) * 4;
    for (uint32_t c = 0; c < 4; ++c) out[c] = float(memory->load<uint8_t>(kBase + at + c));
    return out;
  }
};

TEST_F(TxSpecial, LinearFilterOfCodesIsTheCorrectlyRoundedExactSum) {
  noise(16, 0);
  filter(2, 2, 0);
  std::mt19937 rng(8);
  for (uint32_t n = 0; n < 4000; ++n) {
    const uint32_t u = rng() % 4096, v = rng() % 4096;  // in 1/256 texel
    const Vec4 got = at(float(u) / 4096, float(v) / 4096);
    const int x = (int(u) - 128) >> 8, y = (int(v) - 128) >> 8;
    const double wx = (int(u) - 128) & 255, wy = (int(v) - 128) & 255;
    for (uint32_t c = 0; c < 4; ++c) {
      const auto t = [&](int dx, int dy) { return double(texel(16, x + dx, y + dy)[c]); };
      const double sum = (256 - wy) * ((256 - wx) * t(0, 0) + wx * t(1, 0)) + wy * ((256 - wx) * t(0, 1) + wx * t(1, 1));
      ASSERT_EQ(got[c], float(sum / (255.0 * 65536))) << u << " " << v;
    }
  }
}

/// What the fast executor computes instead of a division; for every sum that can come.
TEST(TxNumbers, TwoMultiplicationsDivideEverySum) {
  for (double d : {255.0 * 65536, 127.0 * 65536, 65535.0, 255.0, 127.0}) {
    const float high = float(1 / d), low = float(1 / d - double(high));
    for (uint32_t v = 0; v <= uint32_t(d); ++v)
      ASSERT_EQ(std::fma(float(v), high, float(v) * low), float(v) / float(d)) << v << " of " << d;
  }
}

TEST_F(TxSpecial, AnisotropicProbesAlongTheLongerStep) {
  noise(64, 6);
  std::mt19937 rng(3);
  const auto real = [&] { return float(int(rng() % 4000) - 2000) / 1000; };
  for (uint32_t code = 0; code < 5; ++code)
    for (uint32_t n = 0; n < 300; ++n) {
      tx::Request r{.unit = kUnit, .lookup = tx::Lookup::dxdy};
      const float dx[2] = {4 * real(), 4 * real()}, dy[2] = {real(), real()}, s = real(), t = real();
      r.coord.fill({s, t, 0, 0});
      r.dx.fill({dx[0] / 64, dx[1] / 64, 0, 0}), r.dy.fill({dy[0] / 64, dy[1] / 64, 0, 0});
      filter(3, 3, 2);
      edit<Filter0>([&](Filter0& f) { f.MAX_ANISO(code); });
      const Vec4 got = sample(r)[0];

      const double px = std::hypot(dx[0], dx[1]), py = std::hypot(dy[0], dy[1]), longer = std::max(px, py), shorter = std::min(px, py);
      const double ratio = longer / shorter;
      if (std::fabs(ratio - std::round(ratio)) < 1e-4) continue;
      const double probes = std::min(std::ceil(ratio), double(1u << code));
      // Each probe is an isotropic sample at the level of the shortened step.
      const float lod = float(std::log2(longer / probes));
      filter(2, 2, 2);
      Vec4 want{};
      for (double i = 1; i <= probes; ++i) {
        const double o = i / (probes + 1) - 0.5;
        const float* along = px > py ? dx : dy;
        const Vec4 c = at(float(s + o * along[0] / 64), float(t + o * along[1] / 64), 0, lod, tx::Lookup::lod);
        for (uint32_t k = 0; k < 4; ++k) want[k] += c[k] / float(probes);
      }
      for (uint32_t k = 0; k < 4; ++k) ASSERT_NEAR(got[k], want[k], 0.02) << "limit " << (1 << code) << " probes " << probes;
    }
}

TEST_F(TxSpecial, AnisotropyLimits) {
  // Level l has red = 51 l: the level gives the number of probes.
  size(16, 16, 4);
  for (uint32_t l = 0; l < 5; ++l) {
    const tx::MipLevel m = tx::mip_level({.width = 16, .height = 16, .has_mips = true}, l);
    for (uint32_t i = 0; i < m.layer_bytes; i += 4) store(uint32_t(m.offset) + i, 51 * l);
  }
  const auto level = [&](float dx, float dy) {
    tx::Request r{.unit = kUnit, .lookup = tx::Lookup::dxdy};
    r.dx.fill({dx / 16, 0, 0, 0}), r.dy.fill({0, dy / 16, 0, 0});
    return sample(r)[0][0] * 5;
  };
  filter(3, 3, 1);
  const float expected[5] = {4, 3, 2, 1, 0};  // step of 16 texels: 16/1 .. 16/16
  for (uint32_t code = 0; code < 5; ++code) {
    edit<Filter0>([&](Filter0& f) { f.MAX_ANISO(code); });
    EXPECT_NEAR(level(16, 1), expected[code], 1e-5) << code;
    EXPECT_NEAR(level(1, 16), expected[code], 1e-5) << code;
    EXPECT_EQ(level(16, 16), 4);
  }
  EXPECT_EQ(level(16, 0), 0);  // no ratio above the limit
  EXPECT_EQ(level(16, 8), 3);
  // FILTER1's six bits as Mesa writes them.
  edit<Filter0>([&](Filter0& f) { f.MAX_ANISO(0); });
  for (uint32_t limit = 1; limit <= 16; ++limit) {
    edit<regs::TX_FILTER1>([&](regs::TX_FILTER1& r) { r.ANISO_HIGH_QUALITY(1).MAX_ANISO(uint32_t((limit - 1) * 4.2001)); });
    filter(3, 3, 2);
    EXPECT_NEAR(level(16, 0), std::log2(16.0 / limit), 1.0 / 256 + 1e-4) << limit;
  }
  // Float texels stay point sampled.
  format(F1::TXFORMAT__N32F);
  EXPECT_EQ(level(16, 0), flt(51 * 4) * 5);
}

TEST_F(TxSpecial, Filter4IsASeparableKernelOfNinePhases) {
  noise(8, 0);
  filter(0, 0, 0);
  std::mt19937 rng(4);
  for (auto& direction : state->filter4)
    for (auto& phase : direction)
      for (int16_t& w : phase) w = int16_t(int(rng() % 2048) - 1024);
  for (uint32_t component = 0; component < 4; ++component) {
    edit<regs::TX_FORMAT2>([&](regs::TX_FORMAT2& r) { r.SEL_FILTER4(component); });
    for (uint32_t n = 0; n < 500; ++n) {
      const uint32_t u = rng() % 2048, v = rng() % 2048;
      const Vec4 got = at(float(u) / 2048, float(v) / 2048);
      const auto weights = [&](uint32_t d, int fixed, double(&w)[4]) {
        const uint32_t f = uint32_t(fixed & 255);
        for (uint32_t k = 0; k < 4; ++k) {
          const double low = state->filter4[d][f / 32][k], high = state->filter4[d][f / 32 + 1][k];
          w[k] = (low + (high - low) * (f % 32) / 32.0) / 512;
        }
      };
      const int fx = int(u) - 128, fy = int(v) - 128;
      double wx[4], wy[4], want = 0;
      weights(0, fx, wx), weights(1, fy, wy);
      for (int j = 0; j < 4; ++j)
        for (int i = 0; i < 4; ++i) want += wx[i] * wy[j] * double(texel(8, (fx >> 8) - 1 + i, (fy >> 8) - 1 + j)[component]) / 255;
      for (uint32_t c = 0; c < 4; ++c) ASSERT_NEAR(got[c], want, 2e-5);
    }
  }
  state->filter4 = {};
  EXPECT_EQ(at(0.3f, 0.3f), (Vec4{}));  // no kernel loaded
}

TEST_F(TxSpecial, ChromaKeyZeroesOrKillsMatchingTexels) {
  size(2, 1);
  clamp(2, 2, 2);
  const struct {
    uint32_t format, texel, key;
    bool matches;
  } rows[] = {{F1::TXFORMAT__N8_8_8_8, 0x80FF00FF, 0x80FF00FF, true},
              {F1::TXFORMAT__N8_8_8_8, 0x80FF00FF, 0x00FF00FF, false},
              {F1::TXFORMAT__N5_6_5, 0xABCD, 0xFFFFABCD, true},
              {F1::TXFORMAT__N8, 0x12, 0x12, true},
              {F1::TXFORMAT__N8, 0x12, 0x13, false},
              {F1::TXFORMAT__VYUY422, 0x281E140A, 0x00280A14, true},
              {F1::TXFORMAT__N1, 1, 1, true},
              {F1::TXFORMAT__N32F, 0x3F800000, 0x3F800000, true},
              {F1::TXFORMAT__DXT1, 0xFFFFFFFF, 0xFFFFFFFF, true}};
  for (const auto& row : rows)
    for (uint32_t mode = 0; mode < 3; ++mode) {
      format(row.format);
      store(0, row.texel), store(4, 0);
      state->set(regs::TX_CHROMA_KEY{row.key}, kUnit);
      edit<regs::TX_FILTER1>([&](regs::TX_FILTER1& r) { r.CHROMA_KEY_MODE(mode); });
      const Vec4 c = at(0.01f);
      EXPECT_EQ(killed, mode == 1 && row.matches ? 15 : 0) << row.format;
      EXPECT_EQ(c == (Vec4{}), mode == 2 && row.matches) << row.format << " " << mode;
      EXPECT_TRUE(reports.empty());
    }
  // A filter sees the key in every texel it reads, and in none of weight zero. Per pixel.
  format(F1::TXFORMAT__N8_8_8_8);
  filter(2, 2, 0);
  store(0, 0xFFFFFFFF), store(4, 0x01010101);
  state->set(regs::TX_CHROMA_KEY{0x01010101}, kUnit);
  edit<regs::TX_FILTER1>([&](regs::TX_FILTER1& r) { r.CHROMA_KEY_MODE(1); });
  tx::Request r{.unit = kUnit};
  r.coord = {Vec4{0.25f}, Vec4{0.26f}, Vec4{0.75f}, Vec4{0.2f}};
  sample(r);
  EXPECT_EQ(killed, 6);
  edit<regs::TX_FILTER1>([&](regs::TX_FILTER1& f) { f.CHROMA_KEY_MODE(2); });
  EXPECT_EQ(at(0.5f)[0], 0.5f);
  // The border colour is not keyed.
  clamp(6, 6, 6);
  state->set(regs::TX_BORDER_COLOR{0x01010101}, kUnit);
  EXPECT_EQ(at(-3.0f)[0], 1 / 255.0f);
  // Wide texels have no key.
  format(F1::TXFORMAT__N32F_32F_32F_32F);
  at(0);
  EXPECT_EQ(reports.size(), 1u);
}

/// The strict rule counts a second probe for any difference; r5x's not for what rounding leaves of equal steps.
TEST(TxNumbers, IsotropicStepsThatAreRoundedTakeOneProbeOnR5x) {
  const float one = 1.0f, more = std::nextafter(one, 2.0f);
  EXPECT_EQ(tx::probe_count({more, one}, 16), 2u);
  EXPECT_EQ(tx::probe_count({more, one}, 16, xt::kProbeSlack), 1u);
  EXPECT_EQ(tx::probe_count({one, more}, 16, xt::kProbeSlack), 1u);
  EXPECT_EQ(tx::probe_count({1.1f, one}, 16, xt::kProbeSlack), 2u);
  for (const uint32_t n : {2u, 3u, 8u}) {
    const auto squared = float(n * n);
    EXPECT_EQ(tx::probe_count({squared, one}, 16, xt::kProbeSlack), n);
    EXPECT_EQ(tx::probe_count({one, squared * 1.1f}, 16, xt::kProbeSlack), n + 1);
  }
  EXPECT_EQ(tx::probe_count({1000.0f, one}, 16, xt::kProbeSlack), 16u);
}

}  // namespace
}  // namespace pumice::hw::tx_test
