// SPDX-License-Identifier: MIT
/// Address modes, filters, level of detail, cubes, volumes and tiles by packets, against double arithmetic from pipeline s.6.1, s.6.5,
/// s.6.6.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/hw/chip/texture_rig.h"

namespace pumice::hw::test {
namespace {

using F0 = regs::TX_FILTER0;
using F1 = regs::TX_FORMAT1;
using Tex = regs::US_TEX_INST;
constexpr uint32_t kSize = TextureBench::kSize, kN = 4;  // texels of a side

/// Index of texel i, or -1 for the border.
int address(int i, int n, uint32_t mode) {
  const auto modulo = [](int a, int m) { return (a % m + m) % m; };
  switch (mode) {
    case 0: return modulo(i, n);
    case 1: {
      const int m = modulo(i, 2 * n);
      return m < n ? m : 2 * n - 1 - m;
    }
    case 2: return std::clamp(i, 0, n - 1);
    case 3: return std::min(i < 0 ? -1 - i : i, n - 1);
    default:
      if (mode == 5 || mode == 7) i = i < 0 ? -1 - i : i;
      return i < 0 || i >= n ? -1 : i;
  }
}
/// One axis: two texels and the weight of the second.
struct Axis {
  int a, b;
  double weight;
};
Axis axis(double u, int n, uint32_t mode, bool linear) {
  if (!linear) return {address(int(std::floor(u)), n, mode), 0, 0};
  if (mode == 4) u = std::clamp(u, 0.0, double(n));
  if (mode == 5) u = std::min(std::fabs(u), double(n));
  const double low = std::floor(u - 0.5);
  return {address(int(low), n, mode), address(int(low) + 1, n, mode), u - 0.5 - low};
}

/// Random 4x4(x4) RGBA8 texels, rows of 32 bytes, slices behind one another.
struct Texels {
  std::array<std::array<std::array<std::array<double, 4>, kN>, kN>, kN> v;  // [z][y][x]
  std::array<double, 4> border;
  explicit Texels(TextureBench& b, uint32_t border_word) {
    std::mt19937 random(11);
    for (uint32_t z = 0; z < kN; ++z)
      for (uint32_t y = 0; y < kN; ++y)
        for (uint32_t x = 0; x < kN; ++x)
          for (uint32_t c = 0; c < 4; ++c) {
            const uint8_t byte = uint8_t(random());
            b.bytes()[(z * kN + y) * 32 + x * 4 + c] = byte;
            v[z][y][x][c] = byte / 255.0;
          }
    for (uint32_t c = 0; c < 4; ++c) border[c] = (border_word >> 8 * c & 255) / 255.0;
  }
  double texel(int x, int y, int z, uint32_t c) const {
    return x < 0 || y < 0 || z < 0 ? border[c] : v[size_t(z)][size_t(y)][size_t(x)][c];
  }
  double sample(const Axis& x, const Axis& y, const Axis& z, uint32_t c) const {
    const auto row = [&](int yy, int zz) {
      return texel(x.a, yy, zz, c) * (1 - x.weight) + (x.weight > 0 ? texel(x.b, yy, zz, c) * x.weight : 0);
    };
    const auto slice = [&](int zz) { return row(y.a, zz) * (1 - y.weight) + (y.weight > 0 ? row(y.b, zz) * y.weight : 0); };
    return slice(z.a) * (1 - z.weight) + (z.weight > 0 ? slice(z.b) * z.weight : 0);
  }
};

/// Coordinates -2..3, all eight modes on S and T, point and linear. Steps of 1.25 texels: weights are multiples of 1/8.
TEST(TxFilter, EveryAddressModeAndFilter) {
  TextureBench b;
  const uint32_t border = 0x80FF4020;
  const Texels texels(b, border);
  for (uint32_t mode_s = 0; mode_s < 8; ++mode_s)
    for (uint32_t mode_t = 0; mode_t < 8; ++mode_t)
      for (const bool linear : {false, true}) {
        const bool half = mode_s == 4 || mode_s == 5 || mode_t == 4 || mode_t == 5;
        if (!linear && half) continue;  // wrong on hardware: no driver uses it
        TextureSetup setup(F1::TXFORMAT__N8_8_8_8, kN, kN, b.memory);
        const uint32_t filter = linear ? F0::MAG_FILTER__LINEAR : F0::MAG_FILTER__POINT;
        setup.filter0.CLAMP_S(mode_s).CLAMP_T(mode_t).MAG_FILTER(filter).MIN_FILTER(filter);
        setup.border = border;
        ASSERT_TRUE(b.run(setup, TextureBench::span(-2, 3, -2, 3)));
        for (uint32_t i = 0; i < kSize * kSize; ++i) {
          const double s = -8 + (i % kSize + 0.5) * 1.25, t = -8 + (i / kSize + 0.5) * 1.25;
          for (uint32_t c = 0; c < 4; ++c)
            ASSERT_NEAR(b.at(i % kSize, i / kSize, c),
                        texels.sample(axis(s, kN, mode_s, linear), axis(t, kN, mode_t, linear), {0, 0, 0}, c), 1e-5)
                << "modes " << mode_s << " " << mode_t << (linear ? " linear" : " point") << " at " << s << " " << t;
        }
      }
}

TEST(TxFilter, VolumesAndTheirThirdAxis) {
  TextureBench b;
  const uint32_t border = 0x11223344;
  const Texels texels(b, border);
  for (uint32_t mode = 0; mode < 8; ++mode)
    for (uint32_t vol = 0; vol < 3; ++vol)
      for (const double r : {-1.3125, -0.25, 0.0625, 0.40625, 0.96875, 1.75}) {
        const bool linear_r = vol != 1;
        if (!linear_r && (mode == 4 || mode == 5)) continue;
        TextureSetup setup(F1::TXFORMAT__N8_8_8_8, kN, kN, b.memory);
        setup.format0.TXDEPTH(2);
        setup.format1.TEX_COORD_TYPE(F1::TEX_COORD_TYPE__N3D);
        setup.filter0.CLAMP_R(mode).MAG_FILTER(F0::MAG_FILTER__LINEAR).MIN_FILTER(F0::MIN_FILTER__LINEAR).VOL_FILTER(vol);
        setup.border = border;
        ASSERT_TRUE(b.run(setup, TextureBench::span(0, 1, 0, 1, static_cast<float>(r))));
        for (uint32_t i = 0; i < kSize * kSize; ++i) {
          const double s = (i % kSize + 0.5) / 4, t = (i / kSize + 0.5) / 4;
          for (uint32_t c = 0; c < 4; ++c)
            ASSERT_NEAR(b.at(i % kSize, i / kSize, c),
                        texels.sample(axis(s, kN, 2, true), axis(t, kN, 2, true), axis(r * kN, kN, mode, linear_r), c), 1e-5)
                << "mode " << mode << " vol " << vol << " r " << r;
        }
      }
}

/// Levels of one colour each: level l of a 16x16 texture is l/16 in red.
struct Mips {
  explicit Mips(TextureBench& b) {
    uint32_t at = 0;
    for (uint32_t l = 0; l < 5; ++l) {
      const uint32_t size = 16 >> l, row = std::max(32u, size * 4);
      std::fill_n(b.chip.memory(b.memory + at), row * size / 4, l * 16);
      at += row * size;
    }
  }
  static TextureSetup setup(TextureBench& b, uint32_t mip, uint32_t filter = 1) {
    TextureSetup s(F1::TXFORMAT__N8_8_8_8, 16, 16, b.memory);
    s.format0.NUM_LEVELS(4);
    s.filter0.MAG_FILTER(filter).MIN_FILTER(filter).MIP_FILTER(mip);
    return s;
  }
};

/// TEXLD with an explicit level, mip filters, bias, finest and coarsest level.
TEST(TxFilter, ExplicitLevelOfDetail) {
  TextureBench b;
  const Mips mips(b);
  for (uint32_t mip = 0; mip < 3; ++mip)
    for (const double lod : {-3.0, 0.0, 0.25, 0.75, 1.0, 1.5 + 1 / 64.0, 2.25, 3.0, 3.875, 4.0, 20.0})
      for (const int bias : {0, 16, -40})  // s4.5
        for (const uint32_t finest : {0u, 2u}) {
          TextureSetup s = Mips::setup(b, mip);
          s.filter1.LOD_BIAS(static_cast<uint32_t>(bias) & 0x3FF);
          s.filter0.MAX_MIP_LEVEL(finest);
          ASSERT_TRUE(b.run(s, TextureBench::span(0, 1, 0, 1, 0, static_cast<float>(lod)), {tex_slot(Tex::INST__LOD).words()}));
          double level = std::clamp(lod + bias / 32.0, double(finest), 4.0);
          if (mip == 0) level = finest;
          if (mip == 1) level = std::floor(level + 0.5);
          EXPECT_NEAR(b.at(5, 5, 0) * 255 / 16, level, 1.0 / 128)
              << "mip filter " << mip << " lod " << lod << " bias " << bias << " finest " << finest;
        }
}

/// TRI_PERF makes the blend between levels steeper.
TEST(TxFilter, TrilinearShape) {
  TextureBench b;
  const Mips mips(b);
  for (uint32_t shape = 0; shape < 4; ++shape)
    for (const double f : {0.0625, 0.25, 0.5, 0.75, 0.9375}) {
      TextureSetup s = Mips::setup(b, 2);
      s.filter1.TRI_PERF(shape);
      ASSERT_TRUE(b.run(s, TextureBench::span(0, 1, 0, 1, 0, static_cast<float>(1 + f)), {tex_slot(Tex::INST__LOD).words()}));
      const double steep[] = {f, 4 / 3.0 * f - 1 / 6.0, 2 * f - 0.5, 4 * f - 1.5};
      EXPECT_NEAR(b.at(5, 5, 0) * 255 / 16, 1 + std::clamp(steep[shape], 0.0, 1.0), 1.0 / 128) << shape << " " << f;
    }
}

/// Levels from the differences in a quad, plus LODBIAS, PROJ, DXDY, and coordinates in texels.
TEST(TxFilter, ComputedLevelOfDetail) {
  TextureBench b;
  const Mips mips(b);
  for (int k = 0; k <= 4; ++k) {
    const float range = float(1 << k);  // 2^k texels per pixel in S
    TextureSetup s = Mips::setup(b, 1);
    s.filter0.CLAMP_S(0).CLAMP_T(0);
    ASSERT_TRUE(b.run(s, TextureBench::span(0, range, 0, 1)));
    EXPECT_NEAR(b.at(6, 6, 0) * 255 / 16, k, 1e-4) << "S";
    ASSERT_TRUE(b.run(s, TextureBench::span(0, 1, 0, range)));
    EXPECT_NEAR(b.at(6, 6, 0) * 255 / 16, k, 1e-4) << "T";
    ASSERT_TRUE(b.run(s, TextureBench::span(0, range * 2, 0, 2, 0, -1), {tex_slot(Tex::INST__LODBIAS).words()}));
    EXPECT_NEAR(b.at(6, 6, 0) * 255 / 16, k, 1e-4) << "LODBIAS";
    ASSERT_TRUE(b.run(s, TextureBench::span(0, range * 4, 0, 4, 0, 4), {tex_slot(Tex::INST__PROJ).words()}));
    EXPECT_NEAR(b.at(6, 6, 0) * 255 / 16, k, 1e-4) << "PROJ";
    TexSlot unscaled = tex_slot(Tex::INST__LD);
    unscaled.inst.UNSCALED(1);
    ASSERT_TRUE(b.run(s, TextureBench::span(0, 16 * range, 0, 16), {unscaled.words()}));
    EXPECT_NEAR(b.at(6, 6, 0) * 255 / 16, k, 1e-4) << "UNSCALED";
    // DXDY takes (z, 0, ..) of the coordinate's third component for x and (0, z/2) for y.
    TexSlot gradient = tex_slot(Tex::INST__DXDY);
    gradient.dxdy.DX_ADDR(0)
        .DX_S_SWIZ(2)
        .DX_T_SWIZ(3)
        .DX_R_SWIZ(3)
        .DX_Q_SWIZ(3)
        .DY_ADDR(0)
        .DY_S_SWIZ(3)
        .DY_T_SWIZ(3)
        .DY_R_SWIZ(3)
        .DY_Q_SWIZ(3);
    ASSERT_TRUE(b.run(s, TextureBench::span(0, 1, 0, 1, range / 16, 0), {gradient.words()}));
    EXPECT_NEAR(b.at(6, 6, 0) * 255 / 16, k, 1e-4) << "DXDY";
  }
}

/// Magnification and minification filters are told apart by the sign of lambda.
TEST(TxFilter, MagnificationAndMinification) {
  TextureBench b;
  const Texels texels(b, 0);
  for (const bool minify : {false, true}) {
    TextureSetup s(F1::TXFORMAT__N8_8_8_8, kN, kN, b.memory);
    s.filter0.CLAMP_S(0).CLAMP_T(0).MAG_FILTER(F0::MAG_FILTER__LINEAR).MIN_FILTER(F0::MIN_FILTER__POINT);
    const float range = minify ? 8.125f : 1;
    ASSERT_TRUE(b.run(s, TextureBench::span(0, range, 0, range)));
    for (uint32_t i = 0; i < kSize * kSize; ++i) {
      const double u = (i % kSize + 0.5) / kSize * range * kN, v = (i / kSize + 0.5) / kSize * range * kN;
      for (uint32_t c = 0; c < 4; ++c)
        ASSERT_NEAR(b.at(i % kSize, i / kSize, c), texels.sample(axis(u, kN, 0, !minify), axis(v, kN, 0, !minify), {0, 0, 0}, c), 1e-5)
            << minify << " " << i;
    }
  }
}

/// Every texel of every face, by the direction through its centre (DX and GL agree).
TEST(TxFilter, Cubes) {
  TextureBench b;
  const uint32_t row = 32, face_bytes = row * kN;
  for (uint32_t face = 0; face < 6; ++face)
    for (uint32_t y = 0; y < kN; ++y)
      for (uint32_t x = 0; x < kN; ++x) b.chip.memory(b.memory + face * face_bytes + y * row)[x] = face << 16 | y << 8 | x;
  const auto direction = [](uint32_t face, float s, float t, float length) -> TextureBench::Corner {  // s, t in -1..1
    const TextureBench::Corner v[] = {{1, -t, -s, 1}, {-1, -t, s, 1}, {s, 1, t, 1}, {s, -1, -t, 1}, {s, -t, 1, 1}, {-s, -t, -1, 1}};
    return {v[face][0] * length, v[face][1] * length, v[face][2] * length, 1};
  };
  for (uint32_t face = 0; face < 6; ++face)
    for (const float length : {1.0f, 3.5f}) {
      TextureSetup s(F1::TXFORMAT__N8_8_8_8, kN, kN, b.memory);
      s.format1.TEX_COORD_TYPE(F1::TEX_COORD_TYPE__CUBE);
      ASSERT_TRUE(b.run(s, {direction(face, -1, -1, length), direction(face, 1, -1, length), direction(face, 1, 1, length),
                            direction(face, -1, 1, length)}));
      for (uint32_t i = 0; i < kSize * kSize; ++i) {
        EXPECT_EQ(std::lround(b.at(i % kSize, i / kSize, 0) * 255), long(i % kSize / 4)) << face << " " << i;
        EXPECT_EQ(std::lround(b.at(i % kSize, i / kSize, 1) * 255), long(i / kSize / 4)) << face << " " << i;
        EXPECT_EQ(std::lround(b.at(i % kSize, i / kSize, 2) * 255), long(face)) << i;
      }
    }
}

/// A picture drawn into a tiled surface reads back through a texture of the same tiling.
TEST(TxFilter, TilesMatchRenderTargets) {
  constexpr uint32_t kSide = 64;
  for (uint32_t macro = 0; macro < 2; ++macro)
    for (uint32_t micro = 0; micro < 2; ++micro) {
      TextureBench b;
      Target big{kSide, kSide, b.memory, 0};
      Packets p = plain_state(big);
      p.set(regs::RB3D_COLORPITCH{kSide}.COLORFORMAT(6).COLORTILE(macro).COLORMICROTILE(micro));
      const auto corner = [](float x, float y) { return TextureBench::Corner{x / 255, y / 255, 0, 1}; };
      p.append(gradient_quad({corner(-0.5f, -0.5f), corner(63.5f, -0.5f), corner(63.5f, 63.5f), corner(-0.5f, 63.5f)}));
      ASSERT_TRUE(b.chip.run(p));
      TextureSetup s(F1::TXFORMAT__N8_8_8_8, kSide, kSide, b.memory);
      s.offset.MACRO_TILE(macro).MICRO_TILE(micro);
      s.format1.SEL_RED(2).SEL_GREEN(1).SEL_BLUE(0);
      for (uint32_t part = 0; part < 16; ++part) {
        const float x = part % 4 / 4.0f, y = part / 4 / 4.0f;
        ASSERT_TRUE(b.run(s, TextureBench::span(x, x + 0.25f, y, y + 0.25f)));
        for (uint32_t i = 0; i < kSize * kSize; ++i) {
          ASSERT_EQ(std::lround(b.at(i % kSize, i / kSize, 0) * 255), long(part % 4 * 16 + i % kSize)) << macro << micro;
          ASSERT_EQ(std::lround(b.at(i % kSize, i / kSize, 1) * 255), long(part / 4 * 16 + i / kSize)) << macro << micro;
        }
      }
    }
}

/// An explicit pitch, a width that is no power of two, border colours in the layouts of other formats.
TEST(TxFilter, PitchesAndBorders) {
  TextureBench b;
  for (uint32_t y = 0; y < 11; ++y)
    for (uint32_t x = 0; x < 24; ++x) b.chip.memory(b.memory)[y * 24 + x] = y << 8 | x;
  TextureSetup s(F1::TXFORMAT__N8_8_8_8, 13, 11, b.memory);
  s.format0.TXPITCH_EN(1);
  s.format2.TXPITCH(23);
  ASSERT_TRUE(b.run(s, TextureBench::span(0, 1, 0, 1)));
  for (uint32_t i = 0; i < kSize * kSize; ++i) {
    EXPECT_EQ(std::lround(b.at(i % kSize, i / kSize, 0) * 255), long(std::floor((i % kSize + 0.5) / kSize * 13)));
    EXPECT_EQ(std::lround(b.at(i % kSize, i / kSize, 1) * 255), long(std::floor((i / kSize + 0.5) / kSize * 11)));
  }
  const struct {
    uint32_t format, border;
    std::array<double, 4> want;
    uint32_t components;
  } borders[] = {{F1::TXFORMAT__N5_6_5, 0x1F << 11 | 21 << 5 | 10, {10 / 31.0, 21 / 63.0, 1}, 3},
                 {F1::TXFORMAT__N1_5_5_5, 0x8000 | 7, {7 / 31.0, 0, 0, 1}, 4},
                 {F1::TXFORMAT__N16_16_16_16, 0x40302010, {16 / 255.0, 32 / 255.0, 48 / 255.0, 64 / 255.0}, 4},
                 {F1::TXFORMAT__N32F, bits(-2.5f), {-2.5}, 1},
                 {F1::TXFORMAT__N16F_16F, 0x3800C000, {-2, 0.5}, 2},
                 {F1::TXFORMAT__N16, 0x8000, {0x8000 / 65535.0}, 1},
                 {F1::TXFORMAT__DXT1, 0xFF804020, {32 / 255.0, 64 / 255.0, 128 / 255.0, 1}, 4}};
  for (const auto& c : borders) {
    TextureSetup t(c.format, kN, kN, b.memory);
    t.filter0.CLAMP_S(6).CLAMP_T(6);
    t.border = c.border;
    ASSERT_TRUE(b.run(t, TextureBench::span(2, 3, 0, 1)));
    for (uint32_t k = 0; k < c.components; ++k) EXPECT_NEAR(b.at(3, 3, k), c.want[k], 1e-6) << c.format << " C" << k;
  }
}

/// TX_FILTER1.MC_COORD_TRUNCATE: fractions of 0 or 1/2, and results that are codes again; MC_ROUND says how they are rounded.
TEST(TxFilter, MotionCompensation) {
  using Filter1 = regs::TX_FILTER1;
  for (const bool quarter : {false, true}) {
    TextureBench b;
    const Texels texels(b, 0);
    TextureSetup setup(F1::TXFORMAT__N8_8_8_8, kN, kN, b.memory);
    setup.filter0.MAG_FILTER(F0::MAG_FILTER__LINEAR).MIN_FILTER(F0::MIN_FILTER__LINEAR);
    setup.filter1 = Filter1().MC_COORD_TRUNCATE(1).MC_ROUND(quarter);
    ASSERT_TRUE(b.run(setup, {{{0, 0, 0, 1}, {1, 0, 0, 1}, {1, 1, 0, 1}, {0, 1, 0, 1}}}));
    for (uint32_t py = 0; py < kSize; ++py)
      for (uint32_t px = 0; px < kSize; ++px) {
        Axis x = axis((px + 0.5) / kSize * kN, kN, 2, true), y = axis((py + 0.5) / kSize * kN, kN, 2, true);
        x.weight = x.weight >= 0.5 ? 0.5 : 0, y.weight = y.weight >= 0.5 ? 0.5 : 0;
        for (uint32_t c = 0; c < 4; ++c) {
          const double code = texels.sample(x, y, {0, 0, 0}, c) * 255;
          EXPECT_EQ(b.at(px, py, c), float(std::floor(code + (quarter ? 0.25 : 0.5) + 1e-9)) / 255.0f) << px << ' ' << py << ' ' << c;
        }
      }
  }
}

}  // namespace
}  // namespace pumice::hw::test
