// SPDX-License-Identifier: MIT
/// Address modes, filters, mip selection, cube and volume textures (pipeline s.6.1, s.6.5, s.6.6) against plain evaluations in double.
#include "tests/hw/tx/tx_rig.h"

#include <random>

#include "hw/radeon/decode/surface/surface.h"
#include "hw/radeon/decode/tx/mip_layout.h"
#include "hw/radeon/decode/tx/texture.h"

namespace pumice::hw::tx_test {
namespace {

/// The texel that a point sample of a coordinate (in texels, size n) sees: written from the meaning of the modes, on coordinates.
/// -1: border.
int mode_texel(uint32_t mode, double u, int n) {
  if (mode == 0) return int(std::floor(u - n * std::floor(u / n)));
  if (mode == 1) {
    double m = u - 2 * n * std::floor(u / (2 * n));
    if (m >= n) m = 2 * n - m;
    const double f = u - 2 * n * std::floor(u / (2 * n)) >= n ? std::ceil(m) - 1 : std::floor(m);
    return int(f);
  }
  const bool once = mode & 1;
  double m = once && u < 0 ? -u : u;
  const double f = once && u < 0 ? std::ceil(m) - 1 : std::floor(m);
  if (mode >= 6 && (f < 0 || f >= n)) return -1;
  return int(f < 0 ? 0 : f >= n ? n - 1 : f);
}

class TxSample : public TxRig {
 protected:
  /// Row 0 holds red = 16 * (x + 1) / 255, green the row.
  void ramp(uint32_t w, uint32_t h) {
    size(w, h);
    const uint32_t pitch = (w + 7) / 8 * 8;
    for (uint32_t y = 0; y < h; ++y)
      for (uint32_t x = 0; x < w; ++x) store((y * pitch + x) * 4, 16 * (x + 1) | 16 * (y + 1) << 8);
  }
  static double ramp_value(int i) { return i < 0 ? 255.0 : 16.0 * (i + 1); }  // border: 255
};

TEST_F(TxSample, PointAddressModes) {
  ramp(4, 8);
  state->set(regs::TX_BORDER_COLOR{0xFFFF}, kUnit);
  for (uint32_t mode = 0; mode < 8; ++mode) {
    clamp(mode, mode, 0);
    for (int i = -100; i <= 100; ++i) {
      const double u = i / 8.0 + 1 / 64.0;
      EXPECT_EQ(at(float(u / 4), 0.0625f)[0] * 255, ramp_value(mode_texel(mode, u, 4))) << "mode " << mode << " s " << u;
      EXPECT_EQ(at(0.125f, float(u / 8))[1] * 255, ramp_value(mode_texel(mode, u, 8))) << "mode " << mode << " t " << u;
    }
  }
}

TEST_F(TxSample, LinearAddressModes) {
  ramp(4, 4);
  filter(2, 2, 0);
  state->set(regs::TX_BORDER_COLOR{0xFFFF}, kUnit);
  for (uint32_t mode = 0; mode < 8; ++mode) {
    clamp(mode, 2, 0);
    for (int i = -1200; i <= 1200; ++i) {
      double u = i / 100.0;
      const Vec4 c = at_texel(float(u));
      double v = std::floor(double(float(u)) * 256 + 0.5) / 256;
      if (mode == 4) v = std::min(std::max(v, 0.0), 4.0);
      if (mode == 5) v = std::min(std::fabs(v), 4.0);
      v -= 0.5;
      const double left = std::floor(v), w = v - left;
      // Half way to the border: outside texels are the border; otherwise the mode says which texel.
      const auto texel = [&](double centre) {
        if (mode == 4) return centre < 0 || centre > 4 ? -1 : int(centre);
        if (mode == 5) return centre > 4 ? -1 : int(std::fabs(centre));
        return mode_texel(mode, centre, 4);
      };
      const double e = ramp_value(texel(left + 0.5)) * (1 - w) + ramp_value(texel(left + 1.5)) * w;
      EXPECT_NEAR(c[0] * 255, e, 1e-3) << "mode " << mode << " u " << u;
    }
  }
}

TEST_F(TxSample, BilinearAgainstDouble) {
  std::mt19937 rng(7);
  size(8, 8);
  filter(2, 2, 0);
  uint8_t red[8][8];
  for (auto& row : red)
    for (uint8_t& v : row) v = uint8_t(rng());
  for (uint32_t y = 0; y < 8; ++y)
    for (uint32_t x = 0; x < 8; ++x) store((y * 8 + x) * 4, red[y][x]);
  for (int n = 0; n < 5000; ++n) {
    const float s = float(rng() % 100000) / 50000 - 0.5f, t = float(rng() % 100000) / 50000 - 0.5f;
    const auto split = [](float c, int& i, double& w) {
      const double v = std::floor(double(c * 8.0f) * 256 + 0.5) / 256 - 0.5;
      i = int(std::floor(v));
      w = v - i;
    };
    int x, y;
    double wx, wy;
    split(s, x, wx), split(t, y, wy);
    const auto r = [&](int dx, int dy) { return double(red[(y + dy) & 7][(x + dx) & 7]); };
    const double e = (r(0, 0) * (1 - wx) + r(1, 0) * wx) * (1 - wy) + (r(0, 1) * (1 - wx) + r(1, 1) * wx) * wy;
    ASSERT_NEAR(at(s, t)[0] * 255, e, 2e-4) << s << " " << t;
  }
  // A texel's centre is that texel, exactly.
  for (uint32_t i = 0; i < 64; ++i)
    EXPECT_EQ(at((float(i % 8) + 0.5f) / 8, (float(i / 8) + 0.5f) / 8)[0], float(red[i / 8][i % 8]) / 255.0f);
}

TEST_F(TxSample, TexelCentresOfOddSizesAreExact) {
  filter(2, 2, 0);
  clamp(2, 2, 0);
  for (uint32_t w = 1; w < 120; ++w) {
    size(w, 1);
    for (uint32_t x = 0; x < w; ++x) store(x * 4, 2 * x);
    for (uint32_t x = 0; x < w; ++x) ASSERT_EQ(at((float(x) + 0.5f) / float(w))[0], float(2 * x) / 255.0f) << x << " of " << w;
  }
}

TEST_F(TxSample, NonPowerOfTwoWrapMasksThenClamps) {
  ramp(5, 1);
  const int wrap[] = {0, 1, 2, 3, 4, 4, 4, 4, 0, 1}, mirror[] = {0, 1, 2, 3, 4, 4, 4, 4, 4, 4, 4, 4, 3, 2, 1, 0, 0, 1};
  for (int i = 0; i < 10; ++i) EXPECT_EQ(at_texel(float(i) + 0.5f)[0] * 255, ramp_value(wrap[i])) << i;
  clamp(1, 0, 0);
  for (int i = 0; i < 18; ++i) EXPECT_EQ(at_texel(float(i) + 0.5f)[0] * 255, ramp_value(mirror[i])) << i;
}

TEST_F(TxSample, WildCoordinatesAreHarmless) {
  ramp(4, 4);
  for (uint32_t linear = 1; linear < 3; ++linear)
    for (uint32_t mode = 0; mode < 8; ++mode) {
      filter(linear, linear, 0);
      clamp(mode, mode, mode);
      for (float v : {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e-40f, 1e10f}) {
        for (float c : at(v, 0.5f)) EXPECT_TRUE(std::isfinite(c));
        for (float c : at(0.5f, v)) EXPECT_TRUE(std::isfinite(c));
      }
    }
  EXPECT_EQ(memory->take_fault().count, 0u);
}

TEST_F(TxSample, FloatsAreNotFiltered) {
  format(F1::TXFORMAT__N32F);
  size(2, 1);
  filter(2, 2, 2);
  store(0, bits(1.0f)), store(4, bits(3.0f));
  EXPECT_EQ(at(0.49f)[0], 1);
  EXPECT_EQ(at(0.51f)[0], 3);
}

/// A 16x16 image with 5 levels; every texel of level l has red = l.
class TxMip : public TxRig {
 protected:
  TxMip() {
    size(16, 16, 4);
    tx::MipInput in{.width = 16, .height = 16, .has_mips = true};
    for (uint32_t l = 0; l < 5; ++l) {
      const tx::MipLevel m = tx::mip_level(in, l);
      for (uint32_t y = 0; y < m.rows; ++y)
        for (uint32_t x = 0; x < m.pitch; ++x) store(uint32_t(m.offset) + (y * m.pitch + x) * 4, 51 * l);
    }
  }
  /// Level seen when one pixel step right is dx texels and one down is dy texels.
  float step(float dx, float dy, tx::Lookup lookup = tx::Lookup::ld, float q = 0) {
    tx::Request r{.unit = kUnit, .lookup = lookup};
    for (uint32_t p = 0; p < 4; ++p) r.coord[p] = {0.1f + float(p & 1) * dx / 16, 0.1f + float(p >> 1) * dy / 16, 0, q};
    return sample(r)[0][0] * 5;
  }
};

TEST_F(TxMip, PointAndNone) {
  EXPECT_EQ(step(8, 8), 0);
  filter(1, 1, 1);
  const struct {
    float dx, dy, level;
  } rows[] = {{1, 1, 0}, {0.1f, 0.2f, 0}, {1.4f, 0, 0}, {1.5f, 0, 1}, {2, 0, 1},    {0, 2, 1},
              {2, 4, 2}, {-8, 1, 3},      {3, 3, 2},    {2.8f, 0, 1}, {1000, 0, 4}, {0, 0, 0}};
  for (const auto& row : rows) EXPECT_EQ(step(row.dx, row.dy), row.level) << row.dx << " " << row.dy;
}

TEST_F(TxMip, TrilinearFollowsLog2) {
  filter(1, 1, 2);
  for (int i = 0; i < 200; ++i) {
    const float d = 0.5f + float(i) * 0.11f;
    const double lambda = std::min(std::max(std::log2(double(float(0.1f + d / 16) - 0.1f) * 16), 0.0), 4.0);
    EXPECT_NEAR(step(d, 0), lambda, 1.0 / 256 + 1e-4) << d;
  }
}

TEST_F(TxMip, ObliqueDifferencesCountByTheirLength) {
  filter(1, 1, 2);
  tx::Request r{.unit = kUnit};
  // Right: (3, 4) texels, five long. Down: (0, 2), shorter.
  for (uint32_t p = 0; p < 4; ++p) r.coord[p] = {float(p & 1) * 3 / 16, float(p & 1) * 4 / 16 + float(p >> 1) * 2 / 16, 0, 0};
  EXPECT_NEAR(sample(r)[0][0] * 5, std::log2(5.0), 1.0 / 256 + 1e-4);
}

TEST_F(TxMip, EveryPixelUsesItsOwnRowAndColumn) {
  filter(1, 1, 1);
  tx::Request r{.unit = kUnit};
  // The upper row is 2 texels per pixel, the lower 8; columns are 1 and 7 apart (in s, by the rows' difference) and equal in t.
  r.coord[0] = {0, 0, 0, 0}, r.coord[1] = {2.0f / 16, 0, 0, 0}, r.coord[2] = {1.0f / 16, 0, 0, 0}, r.coord[3] = {9.0f / 16, 0, 0, 0};
  const auto out = sample(r);
  EXPECT_EQ(out[0][0] * 5, 1);  // max(2, 1)
  EXPECT_EQ(out[1][0] * 5, 3);  // max(2, 7): log2 7 = 2.81
  EXPECT_EQ(out[2][0] * 5, 3);  // max(8, 1)
  EXPECT_EQ(out[3][0] * 5, 3);  // max(8, 7)
}

TEST_F(TxMip, TriPerfCurves) {
  filter(1, 1, 2);
  for (uint32_t perf = 0; perf < 4; ++perf) {
    edit<regs::TX_FILTER1>([&](regs::TX_FILTER1& r) { r.TRI_PERF(perf); });
    for (int i = 0; i < 64; ++i) {
      const double f = i / 64.0;
      const double e = perf == 0 ? f : perf == 1 ? 4.0 / 3 * f - 1.0 / 6 : perf == 2 ? 2 * f - 0.5 : 4 * f - 1.5;
      EXPECT_NEAR(step(1, 1, tx::Lookup::lod, 1.0f + float(f)), 1 + std::min(std::max(e, 0.0), 1.0), 1.0 / 256 + 1e-4) << perf << " " << f;
    }
  }
}

TEST_F(TxMip, ExplicitBiasAndLimits) {
  filter(1, 1, 1);
  EXPECT_EQ(step(1, 1, tx::Lookup::lod, 2), 2);
  EXPECT_EQ(step(8, 8, tx::Lookup::lod, 0), 0);
  EXPECT_EQ(step(1, 1, tx::Lookup::lod, 99), 4);
  EXPECT_EQ(step(1, 1, tx::Lookup::lod, -99), 0);
  EXPECT_EQ(step(1, 1, tx::Lookup::lod, NAN), 0);
  EXPECT_EQ(step(2, 2, tx::Lookup::lod_bias, 2), 3);
  EXPECT_EQ(step(4, 4, tx::Lookup::lod_bias, -1), 1);
  for (int bias : {-64, -32, 32, 64}) {  // 1/32
    edit<regs::TX_FILTER1>([&](regs::TX_FILTER1& r) { r.LOD_BIAS(uint32_t(bias) & 1023); });
    EXPECT_EQ(step(4, 4), float(2 + bias / 32)) << bias;
    EXPECT_EQ(step(1, 1, tx::Lookup::lod, 2), float(2 + bias / 32)) << bias;
  }
  edit<regs::TX_FILTER1>([&](regs::TX_FILTER1& r) { r.LOD_BIAS(0); });
  edit<Filter0>([&](Filter0& r) { r.MAX_MIP_LEVEL(2); });
  EXPECT_EQ(step(1, 1), 2);
  EXPECT_EQ(step(2, 2), 2);
  EXPECT_EQ(step(8, 8), 3);
  filter(1, 1, 0);
  EXPECT_EQ(step(8, 8), 2);  // no mip filter: the finest level allowed
  edit<Filter0>([&](Filter0& r) { r.MAX_MIP_LEVEL(9).MIP_FILTER(1); });
  EXPECT_EQ(step(1, 1), 4);
}

TEST_F(TxMip, GradientsProjectionAndUnscaled) {
  filter(1, 1, 1);
  tx::Request r{.unit = kUnit, .lookup = tx::Lookup::dxdy};
  r.dx.fill({4.0f / 16, 0, 0, 0}), r.dy.fill({0, 1.0f / 16, 0, 0});
  EXPECT_EQ(sample(r)[3][0] * 5, 2);
  r.dy.fill({0, -8.0f / 16, 0, 0});
  EXPECT_EQ(sample(r)[3][0] * 5, 3);
  tx::Request proj{.unit = kUnit, .lookup = tx::Lookup::proj};
  for (uint32_t p = 0; p < 4; ++p) proj.coord[p] = {float(p & 1) * 4 / 16 * 2, 0, 0, 2};
  EXPECT_EQ(sample(proj)[0][0] * 5, 2);
  tx::Request texels{.unit = kUnit, .unscaled = true};
  for (uint32_t p = 0; p < 4; ++p) texels.coord[p] = {float(p & 1) * 4, 0, 0, 1};
  EXPECT_EQ(sample(texels)[0][0] * 5, 2);
}

TEST_F(TxMip, MagnificationSwitchesFilters) {
  size(16, 16, 0);
  for (uint32_t x = 0; x < 16; ++x) store(x * 4, x & 1 ? 255 : 0);
  clamp(2, 2, 2);
  filter(2, 1, 0);  // magnify linear, minify point
  tx::Request r{.unit = kUnit};
  for (float d : {0.5f, 2.0f}) {
    for (uint32_t p = 0; p < 4; ++p) r.coord[p] = {(1.0f + float(p & 1) * d) / 16, 0, 0, 1};
    EXPECT_EQ(sample(r)[0][0], d < 1 ? 0.5f : 1.0f) << d;
  }
}

class TxShapes : public TxRig {};

TEST_F(TxShapes, VolumeSlicesAndFilter) {
  type(F1::TEX_COORD_TYPE__N3D);
  size(4, 4, 0, 2);
  for (uint32_t z = 0; z < 4; ++z)
    for (uint32_t i = 0; i < 32; ++i) store(z * 4 * 32 + i * 4, 40 * z);
  for (uint32_t z = 0; z < 4; ++z) EXPECT_EQ(at(0.3f, 0.3f, (float(z) + 0.3f) / 4)[0] * 255, 40.0f * float(z));
  edit<Filter0>([&](Filter0& r) { r.VOL_FILTER(2); });
  EXPECT_NEAR(at(0.3f, 0.3f, 0.5f)[0] * 255, 60, 1e-4);
  EXPECT_NEAR(at(0.3f, 0.3f, 0)[0] * 255, 60, 1e-4);  // wraps: slices 3 and 0
  clamp(0, 0, 6);
  state->set(regs::TX_BORDER_COLOR{200}, kUnit);
  EXPECT_NEAR(at(0.3f, 0.3f, 0)[0] * 255, 100, 1e-4);
  filter(2, 2, 0);
  edit<Filter0>([&](Filter0& r) { r.VOL_FILTER(1); });
  EXPECT_EQ(at(0.3f, 0.3f, 0.3f)[0] * 255, 40);
  edit<Filter0>([&](Filter0& r) { r.VOL_FILTER(0); });
  EXPECT_NEAR(at(0.3f, 0.3f, 0.5f)[0] * 255, 60, 1e-4);
}

TEST_F(TxShapes, CubeFacesAndTheirAxes) {
  type(F1::TEX_COORD_TYPE__CUBE);
  size(2, 2);
  for (uint32_t face = 0; face < 6; ++face)
    for (uint32_t y = 0; y < 2; ++y)
      for (uint32_t x = 0; x < 2; ++x) store(face * 64 + y * 32 + x * 4, face * 10 + 2 * y + x);
  // Rows of the GL/DX table: major axis, direction of s and t.
  const struct {
    float axis[3], s[3], t[3];
  } rows[6] = {{{1, 0, 0}, {0, 0, -1}, {0, -1, 0}}, {{-1, 0, 0}, {0, 0, 1}, {0, -1, 0}}, {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},
               {{0, -1, 0}, {1, 0, 0}, {0, 0, -1}}, {{0, 0, 1}, {1, 0, 0}, {0, -1, 0}},  {{0, 0, -1}, {-1, 0, 0}, {0, -1, 0}}};
  for (uint32_t face = 0; face < 6; ++face)
    for (uint32_t i = 0; i < 4; ++i)
      for (float length : {1.0f, 0.01f, 300.0f}) {
        float d[3];
        for (uint32_t c = 0; c < 3; ++c)
          d[c] = length * (rows[face].axis[c] + 0.5f * (i & 1 ? rows[face].s[c] : -rows[face].s[c]) +
                           0.5f * (i & 2 ? rows[face].t[c] : -rows[face].t[c]));
        EXPECT_EQ(std::lround(at(d[0], d[1], d[2])[0] * 255), int(face * 10 + i)) << face;
      }
  for (float v : at(0, 0, 0)) EXPECT_TRUE(std::isfinite(v));
}

TEST_F(TxShapes, CubeMipsComeFromTheFacePlane) {
  type(F1::TEX_COORD_TYPE__CUBE);
  size(16, 16, 4);
  filter(1, 1, 1);
  tx::MipInput in{.width = 16, .height = 16, .is_cube = true, .has_mips = true};
  for (uint32_t l = 0; l < 5; ++l) {
    const tx::MipLevel m = tx::mip_level(in, l);
    for (uint32_t i = 0; i < 6 * m.layer_bytes; i += 4) store(uint32_t(m.offset) + i, 51 * l);
  }
  tx::Request r{.unit = kUnit};
  for (uint32_t p = 0; p < 4; ++p) r.coord[p] = {3, 3 * (float(p & 1) * 4 / 8), 0, 1};  // +X: 4 texels of 16 apart
  EXPECT_EQ(sample(r)[0][0] * 5, 2);
}

class TxLayout : public TxRig {};

TEST_F(TxLayout, PitchTilingAndSizes) {
  // Explicit pitch of 24 texels for a 5 texel wide image.
  size(5, 3);
  edit<F0>([&](F0& r) { r.TXPITCH_EN(1); });
  edit<regs::TX_FORMAT2>([&](regs::TX_FORMAT2& r) { r.TXPITCH(23); });
  store((2 * 24 + 4) * 4, 77);
  EXPECT_EQ(at_texel(4.5f, 2.5f)[0] * 255, 77);
  // Every tiling of a 64x64 image, texel by texel, through the shared address function.
  edit<F0>([&](F0& r) { r.TXPITCH_EN(0); });
  size(64, 64);
  for (uint32_t macro = 0; macro < 2; ++macro)
    for (uint32_t micro = 0; micro < 2; ++micro) {
      edit<regs::TX_OFFSET>([&](regs::TX_OFFSET& r) { r.MACRO_TILE(macro).MICRO_TILE(micro); });
      const surface::Layout layout{.pitch_px = 64, .bytes_per_pixel = 4, .macro_tiled = macro == 1, .micro = uint8_t(micro)};
      for (uint32_t i = 0; i < 4096; ++i) store(uint32_t(surface::offset(layout, i % 64, i / 64)), i);
      for (uint32_t i = 0; i < 4096; i += 37) {
        const Vec4 c = at_texel(float(i % 64) + 0.5f, float(i / 64) + 0.5f);
        EXPECT_EQ(std::lround(c[0] * 255) | std::lround(c[1] * 255) << 8, long(i));
      }
    }
  // 4096 wide with the eleventh bits.
  edit<regs::TX_OFFSET>([&](regs::TX_OFFSET& r) { r.MACRO_TILE(0).MICRO_TILE(0); });
  size(4096, 1);
  store(4095 * 4, 99);
  EXPECT_EQ(at_texel(4095.5f)[0] * 255, 99);
}

TEST(MipLayout, BeyondFourGiB) {
  constexpr uint64_t kGiB = uint64_t{1} << 30;
  tx::MipInput in{.width = 16384, .height = 16384, .has_mips = true, .bits_per_unit = 128};
  EXPECT_EQ(tx::mip_level(in, 0).layer_bytes, 4 * kGiB);
  EXPECT_EQ(tx::mip_level(in, 1).offset, 4 * kGiB);
  EXPECT_EQ(tx::mip_level(in, 2).offset, 5 * kGiB);
  in.is_cube = true;
  EXPECT_EQ(tx::mip_level(in, 1).offset, 24 * kGiB);
  const tx::MipLevel last = tx::mip_level(in, 14);
  EXPECT_EQ(last.width, 1u);
  EXPECT_GT(last.offset, 31 * kGiB);
}

// The last texels of the last face of such a texture.
TEST(MipLayout, TexelsBeyondFourGiB) {
  auto memory = Memory::create(36);
  ASSERT_TRUE(memory);
  tx::Complaints complaints = 0;
  const auto state = std::make_unique<ChipState>(Profile::r500);
  state->set(regs::TX_FORMAT1{}.TXFORMAT(regs::TX_FORMAT1::TXFORMAT__N8_8_8_8), 0);
  tx::Texture t = tx::read_registers(*state, 0, complaints);
  t.base = uint64_t{5} << 30;
  t.mips = {.width = 16384, .height = 16384, .is_cube = true, .bits_per_unit = 32};
  const tx::MipLevel level = tx::mip_level(t.mips, 0);
  const uint64_t end = t.base + 6 * level.layer_bytes;
  EXPECT_EQ(end, uint64_t{11} << 30);
  ASSERT_TRUE(memory->map(end - kPageBytes, kPageBytes));
  memory->store<uint32_t>(end - 4, 0xFF00FFFF);
  memory->store<uint32_t>(end - 8, 0x00FF0000);
  const tx::Texel texel = tx::fetch(*memory, t, t.decoding, level, 16383, 16383, 5);
  EXPECT_EQ(texel.c, (Vec4{1, 1, 0, 1}));
  EXPECT_EQ(tx::fetch(*memory, t, t.decoding, level, 16382, 16383, 5).c, (Vec4{0, 0, 1, 0}));
  EXPECT_EQ(memory->take_fault().count, 0u);
  tx::fetch(*memory, t, t.decoding, level, 16383, 16383, 4);
  EXPECT_EQ(memory->take_fault().address, end - level.layer_bytes - 4);
}

TEST(MipLayout, Numbers) {
  using tx::mip_level;
  // 16x16 RGBA8: rows of 16, then 8 texels (32 bytes) for all smaller levels.
  tx::MipInput in{.width = 16, .height = 16, .has_mips = true};
  const struct { uint32_t offset, pitch, rows; } rgba[] = {{0, 16, 16}, {1024, 8, 8}, {1280, 8, 4}, {1408, 8, 2}, {1472, 8, 1}};
  for (uint32_t l = 0; l < 5; ++l) {
    const auto m = mip_level(in, l);
    EXPECT_EQ(m.offset, rgba[l].offset);
    EXPECT_EQ(m.pitch, rgba[l].pitch);
    EXPECT_EQ(m.rows, rgba[l].rows);
  }
  // Cube: six layers a level. Volume: slices shrink.
  in.is_cube = true;
  EXPECT_EQ(mip_level(in, 1).offset, 6u * 1024);
  EXPECT_EQ(mip_level(in, 2).offset, 6u * (1024 + 256));
  in.is_cube = false, in.is_3d = true, in.depth = 4;
  EXPECT_EQ(mip_level(in, 2).offset, 4u * 1024 + 2 * 256);
  EXPECT_EQ(mip_level(in, 2).layers, 1u);
  // Not a power of two: level 0 as it is, then padded widths; rows padded once there are mips.
  in = {.width = 20, .height = 5, .has_mips = true};
  EXPECT_EQ(mip_level(in, 0).pitch, 24u);
  EXPECT_EQ(mip_level(in, 0).rows, 8u);
  EXPECT_EQ(mip_level(in, 1).width, 10u);
  EXPECT_EQ(mip_level(in, 1).pitch, 16u);
  EXPECT_EQ(mip_level(in, 1).rows, 2u);
  EXPECT_EQ(mip_level(in, 1).offset, 24u * 4 * 8);
  in.has_mips = false;
  EXPECT_EQ(mip_level(in, 0).rows, 5u);
  // DXT1 8x8: two block rows of 2 blocks padded to 4.
  in = {.width = 8, .height = 8, .has_mips = true, .bits_per_unit = 64, .block = 4, .macro_tiled = true, .micro = 1};
  EXPECT_EQ(mip_level(in, 0).pitch, 4u);
  EXPECT_EQ(mip_level(in, 1).offset, 64u);
  EXPECT_EQ(mip_level(in, 3).offset, 64u + 32 + 32);
  EXPECT_FALSE(mip_level(in, 0).macro_tiled);
  // Macro tiling stops below the tile: 64x8 texels with linear micro.
  in = {.width = 128, .height = 32, .has_mips = true, .macro_tiled = true};
  EXPECT_TRUE(mip_level(in, 1).macro_tiled);
  EXPECT_FALSE(mip_level(in, 2).macro_tiled);
  in.macro_switch = true;
  EXPECT_TRUE(mip_level(in, 0).macro_tiled);
  EXPECT_FALSE(mip_level(in, 1).macro_tiled);
}

TEST_F(TxLayout, UnbackedMemoryReadsZeroAndFaults) {
  edit<regs::TX_OFFSET>([&](regs::TX_OFFSET& r) { r.TXOFFSET(0x80000000u >> 5); });
  EXPECT_EQ(at(0.5f, 0.5f), (Vec4{}));
  EXPECT_GT(memory->take_fault().count, 0u);
  edit<regs::TX_OFFSET>([&](regs::TX_OFFSET& r) { r.TXOFFSET(0x7FFFFFF); });
  EXPECT_EQ(at(0.9f, 0.9f), (Vec4{}));
}

TEST_F(TxLayout, RandomRegistersAreHarmless) {
  std::mt19937 rng(3);
  for (uint32_t i = 0; i < 0x100000; i += 4) store(i, rng());
  for (uint32_t n = 0; n < 20000; ++n) {
    for (uint32_t r = 0x4400; r < 0x4600; r += 0x40) state->reg[r / 4 + kUnit] = rng();
    if (n % 2) edit<regs::TX_OFFSET>([&](regs::TX_OFFSET& r) { r.TXOFFSET((kBase + (rng() & 0x7FFE0)) >> 5); });
    tx::Request r{.unit = kUnit, .lookup = tx::Lookup(rng() % 5), .unscaled = rng() % 2 == 0};
    for (auto* set : {&r.coord, &r.dx, &r.dy})
      for (Vec4& v : *set)
        for (float& c : v) c = rng() % 4 ? float(int32_t(rng())) * 0x1p-30f : flt(rng());
    const auto first = sample(r), second = sample(r);
    for (uint32_t p = 0; p < 4; ++p)
      for (uint32_t c = 0; c < 4; ++c) ASSERT_EQ(bits(first[p][c]), bits(second[p][c])) << n;
    ASSERT_LE(reports.size(), 5u);
  }
}

TEST_F(TxLayout, ReservedValuesAreSaid) {
  edit<regs::TX_FILTER1>([&](regs::TX_FILTER1& r) { r.CHROMA_KEY_MODE(3); });
  at(0);
  EXPECT_EQ(reports.size(), 1u);
  filter(3, 3, 3);
  edit<Filter0>([&](Filter0& r) { r.MAX_ANISO(5); });
  type(3);
  at(0);
  EXPECT_EQ(reports.size(), 4u);
  state->profile = Profile::r300;
  filter(0, 0, 0);
  type(0);
  at(0);
  EXPECT_EQ(reports.size(), 2u);  // the key mode and filter code 0
}

}  // namespace
}  // namespace pumice::hw::tx_test
