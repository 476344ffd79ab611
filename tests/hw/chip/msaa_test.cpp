// SPDX-License-Identifier: MIT
/// Multisampling by packets: coverage, depth, stencil, screen door, alpha-to-mask, occlusion and colour by sample against plain counts, and
/// the resolve of every kind of format (pipeline s.4, s.7 to s.9; hw/radeon/ref/rb3d/README.md, "Multisampling").
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/hw/chip/chip.h"

namespace pumice::hw::test {
namespace {

using Position = std::array<uint32_t, 2>;
using Pitch = regs::RB3D_COLORPITCH;
using Out = regs::US_OUT_FMT;

constexpr uint32_t kCounts[] = {2, 3, 4, 6};
constexpr uint32_t kSize = 16, kPixels = kSize * kSize, kGrid = 16;

/// Mesa's patterns, and none where every sample is at its own random place.
std::vector<Position> pattern(uint32_t n) {
  if (n == 2) return {{3, 9}, {9, 3}};
  if (n == 3) return {{3, 1}, {7, 3}, {11, 5}};
  if (n == 4) return {{4, 4}, {8, 8}, {2, 10}, {10, 2}};
  return {{3, 1}, {7, 3}, {11, 5}, {1, 7}, {5, 9}, {9, 10}};
}

/// A multisampled picture of the chip, 32-bit colour and depth.
struct Bench {
  Chip chip;
  uint32_t n;
  std::vector<Position> at;
  Target t;
  Packets p;
  explicit Bench(uint32_t samples) : n(samples), at(pattern(samples)), t{kSize, kSize, 0, 0} {
    t.color = chip.allocate(size_t{kPixels} * 16 * 6);
    t.depth = chip.allocate(size_t{kPixels} * 6);
    p = plain_state(t);
    enable();
  }
  void enable(bool on = true) {
    p.set(regs::GB_AA_CONFIG().AA_ENABLE(on).NUM_AA_SUBSAMPLES(static_cast<uint32_t>(std::find(kCounts, kCounts + 4, n) - kCounts)));
    std::vector<Position> a = at;
    a.resize(6);
    p.set(regs::GB_MSPOS0().MS_X0(a[0][0]).MS_Y0(a[0][1]).MS_X1(a[1][0]).MS_Y1(a[1][1]).MS_X2(a[2][0]).MS_Y2(a[2][1]));
    p.set(regs::GB_MSPOS1().MS_X3(a[3][0]).MS_Y3(a[3][1]).MS_X4(a[4][0]).MS_Y4(a[4][1]).MS_X5(a[5][0]).MS_Y5(a[5][1]));
  }
  uint32_t& color(uint32_t x, uint32_t y, uint32_t s) { return chip.memory(t.color)[(y * n + s) * kSize + x]; }
  uint32_t& depth(uint32_t x, uint32_t y, uint32_t s) { return chip.memory(t.depth)[(y * n + s) * kSize + x]; }
  void run(size_t reports = 0) {
    ASSERT_TRUE(chip.run(p));
    EXPECT_EQ(chip.reports().size(), reports);
    for (const Report& r : chip.reports()) {
      if (!reports) ADD_FAILURE() << r.text;
    }
    p.words.clear();
  }
};

std::array<float, 4> clip(double x, double y, double z = 0) {
  return {static_cast<float>(x / kGrid * 2 / kSize - 1), static_cast<float>(y / kGrid * 2 / kSize - 1), static_cast<float>(z), 1};
}

TEST(Msaa, CoverageOfTrianglesBySample) {
  std::mt19937 random(1);
  for (const uint32_t n : kCounts)
    for (int round = 0; round < 12; ++round) {
      Bench b(n);
      if (round >= 4) {
        for (Position& s : b.at) s = {static_cast<uint32_t>(random() % 12), static_cast<uint32_t>(random() % 12)};
        b.enable();
      }
      std::array<std::array<int64_t, 2>, 3> v;  // 1/16 pixel
      for (auto& c : v) c = {static_cast<int64_t>(random() % (kSize * kGrid)), static_cast<int64_t>(random() % (kSize * kGrid))};
      std::vector<TestVertex> vertices;
      for (const auto& c : v) vertices.push_back({clip(static_cast<double>(c[0]), static_cast<double>(c[1])), {1, 1, 1, 1}});
      b.p.append(draw(regs::VAP_VF_CNTL::PRIM_TYPE__TRIANGLE_LIST, vertices));
      b.run();
      int64_t area = (v[1][0] - v[0][0]) * (v[2][1] - v[0][1]) - (v[2][0] - v[0][0]) * (v[1][1] - v[0][1]);
      if (area < 0) std::swap(v[1], v[2]);
      for (uint32_t y = 0; y < kSize; ++y)
        for (uint32_t x = 0; x < kSize; ++x)
          for (uint32_t s = 0; s < n; ++s) {
            // Everything times 12: sample at x*16*12 + n*16.
            const int64_t sx = (x * 12 + b.at[s][0]) * int64_t{kGrid}, sy = (y * 12 + b.at[s][1]) * int64_t{kGrid};
            bool inside = area != 0;
            for (uint32_t i = 0; i < 3; ++i) {
              const auto &p = v[i], &q = v[(i + 1) % 3];
              const int64_t dx = q[0] - p[0], dy = q[1] - p[1];
              const int64_t e = dx * (sy - 12 * p[1]) - dy * (sx - 12 * p[0]);
              const bool in = dy < 0 || (dy == 0 && dx > 0);  // left and top edges
              inside &= in ? e >= 0 : e > 0;
            }
            ASSERT_EQ(b.color(x, y, s) != 0, inside) << n << " samples, sample " << s << " of " << x << ", " << y;
          }
    }
}

TEST(Msaa, DepthBySampleOfASlantedPlane) {
  for (const uint32_t n : kCounts) {
    Bench b(n);
    b.p.set(regs::ZB_CNTL().Z_ENABLE(1).ZWRITEENABLE(1));
    b.p.set(regs::ZB_ZSTENCILCNTL().ZFUNC(7));
    const double edge = kSize * kGrid;
    const auto z = [](double x, double y) { return 0.125 + x / kSize * 0.5 + y / kSize * 0.25; };
    const TestVertex v[] = {{clip(0, 0, z(0, 0)), {1, 1, 1, 1}},
                            {clip(edge, 0, z(kSize, 0)), {1, 1, 1, 1}},
                            {clip(edge, edge, z(kSize, kSize)), {1, 1, 1, 1}},
                            {clip(0, edge, z(0, kSize)), {1, 1, 1, 1}}};
    b.p.append(draw(regs::VAP_VF_CNTL::PRIM_TYPE__QUAD_LIST, v));
    b.run();
    for (uint32_t y = 0; y < kSize; ++y)
      for (uint32_t x = 0; x < kSize; ++x)
        for (uint32_t s = 0; s < n; ++s)
          ASSERT_NEAR(b.depth(x, y, s) >> 8, z(x + b.at[s][0] / 12.0, y + b.at[s][1] / 12.0) * 16777215, 2) << n << ' ' << s;
    // A second plane at one depth: only the samples behind it are hidden; early and late ZB agree.
    for (const uint32_t early : {1u, 0u}) {
      Bench c(n);
      std::copy_n(b.chip.memory(b.t.depth), kPixels * n, c.chip.memory(c.t.depth));
      c.p.set(regs::ZB_CNTL().Z_ENABLE(1));
      c.p.set(regs::ZB_ZSTENCILCNTL().ZFUNC(1));
      c.p.set(regs::ZB_ZTOP().ZTOP(early));
      c.p.append(full_quad({1, 1, 1, 1}, 0.5f));
      c.run();
      for (uint32_t y = 0; y < kSize; ++y)
        for (uint32_t x = 0; x < kSize; ++x)
          for (uint32_t s = 0; s < n; ++s) ASSERT_EQ(c.color(x, y, s) != 0, 0x800000 < b.depth(x, y, s) >> 8);
    }
  }
}

TEST(Msaa, StencilAndBlendingBySample) {
  for (const uint32_t n : kCounts) {
    Bench b(n);
    std::mt19937 random(n);
    std::vector<uint32_t> stencil(kPixels * n), before(kPixels * n);
    for (uint32_t i = 0; i < kPixels * n; ++i) {
      stencil[i] = b.chip.memory(b.t.depth)[i] = static_cast<uint32_t>(random() % 4);
      before[i] = b.chip.memory(b.t.color)[i] = static_cast<uint32_t>(random());
    }
    b.p.set(regs::ZB_CNTL().STENCIL_ENABLE(1));
    b.p.set(regs::ZB_STENCILREFMASK().STENCILREF(2).STENCILMASK(0xFF).STENCILWRITEMASK(0xFF));
    b.p.set(regs::ZB_ZSTENCILCNTL().STENCILFUNC(1).STENCILZPASS(3).STENCILFAIL(1).ZFUNC(7));  // 2 < stored: count up, else zero
    b.p.set(regs::RB3D_ROPCNTL().ROP_ENABLE(1).ROP(6));                                       // exclusive or: reads what is there
    b.p.append(full_quad({1, 0, 1, 0}));
    b.run();
    for (uint32_t i = 0; i < kPixels * n; ++i) {
      const bool pass = 2 < stencil[i];
      ASSERT_EQ(b.chip.memory(b.t.depth)[i], pass ? stencil[i] + 1 : 0);
      ASSERT_EQ(b.chip.memory(b.t.color)[i], pass ? before[i] ^ 0x00FF00FF : before[i]);
    }
  }
}

TEST(Msaa, ScreenDoorAndOcclusionCount) {
  std::mt19937 random(3);
  for (const uint32_t n : kCounts) {
    Bench b(n);
    const uint32_t door = static_cast<uint32_t>(random()) & 0xFFFFFF;
    b.p.write(regs::SC_SCREENDOOR::offset, {&door, 1});
    b.p.set(regs::ZB_ZPASS_DATA());
    b.p.append(full_quad({1, 1, 1, 1}));
    const uint32_t result = b.chip.allocate(1);
    b.p.write(regs::ZB_ZPASS_ADDR::offset, {&result, 1});
    b.run();
    uint32_t count = 0;
    for (uint32_t y = 0; y < kSize; ++y)
      for (uint32_t x = 0; x < kSize; ++x)
        for (uint32_t s = 0; s < n; ++s) {
          const bool open = door >> (6 * (x % 2 + 2 * (y % 2)) + s) & 1;
          ASSERT_EQ(b.color(x, y, s), open ? ~0u : 0u);
          count += open;
        }
    EXPECT_EQ(*b.chip.memory(result), count) << "samples are counted";
  }
}

TEST(Msaa, AlphaToMask) {
  for (const uint32_t n : kCounts)
    for (const float alpha : {-1.0f, 0.0f, 0.1f, 0.24f, 0.26f, 0.4f, 0.5f, 0.6f, 0.8f, 0.95f, 1.0f, 7.0f}) {
      Bench b(n);
      b.p.set(regs::FG_ALPHA_FUNC().AM_EN(1).AM_CFG(n == 3 || n == 6));
      b.p.append(full_quad({1, 1, 1, alpha}));
      b.run();
      const uint32_t k = static_cast<uint32_t>(std::floor(std::clamp(alpha, 0.0f, 1.0f) * static_cast<float>(n) + 0.5f));
      for (uint32_t s = 0; s < n; ++s) EXPECT_EQ(b.color(5, 5, s) != 0, s < k) << n << ' ' << alpha;
    }
}

/// The thresholds are AM_CFG's, whatever number of samples there is: more samples than thresholds repeat them.
TEST(Msaa, AlphaToMaskThresholds) {
  for (const uint32_t n : kCounts)
    for (const bool threes : {false, true})
      for (const float alpha : {0.2f, 0.5f, 0.7f, 1.0f}) {
        Bench b(n);
        b.p.set(regs::FG_ALPHA_FUNC().AM_EN(1).AM_CFG(threes));
        b.p.append(full_quad({1, 1, 1, alpha}));
        b.run();
        const uint32_t steps = (n > 3 ? 2 : 1) * (threes ? 3 : 2);
        const auto k = static_cast<uint32_t>(std::floor(alpha * static_cast<float>(steps) + 0.5f));
        for (uint32_t s = 0; s < n; ++s) EXPECT_EQ(b.color(5, 5, s) != 0, s % steps < k) << n << ' ' << threes << ' ' << alpha;
      }
}

/// RS_INST.TEX_ADJ: coordinates of partly covered pixels are taken at the covered sample with the lowest number.
TEST(Msaa, AdjustedCentres) {
  for (const uint32_t n : kCounts)
    for (const bool adjusted : {false, true}) {
      Bench b(n);
      b.p.append(float_target(b.t.color, kSize));
      b.p.set(regs::RS_INST().TEX_ID(0).TEX_CN(1).TEX_ADDR(0).TEX_ADJ(adjusted));
      // Left of x = 9.375; r = x, g = y in pixels, with and without perspective the same at w = 1.
      const double kEdge = 9.375;  // on the grid
      const TestVertex v[] = {{clip(0, 0), {0, 0, 0, 1}},
                              {clip(kEdge * kGrid, 0), {float(kEdge), 0, 0, 1}},
                              {clip(kEdge * kGrid, kSize * kGrid), {float(kEdge), kSize, 0, 1}},
                              {clip(0, kSize * kGrid), {0, kSize, 0, 1}}};
      b.p.append(draw(regs::VAP_VF_CNTL::PRIM_TYPE__QUAD_LIST, v));
      b.run();
      const double snapped = std::floor(kEdge * kGrid + 0.5) / kGrid;
      for (uint32_t x = 7; x < 11; ++x) {
        uint32_t covered = 0, first = n;
        for (uint32_t s = n; s-- > 0;)
          if (x + b.at[s][0] / 12.0 < snapped) ++covered, first = s;
        const double dx = adjusted && covered && covered < n ? b.at[first][0] / 12.0 - 0.5 : 0,
                     dy = adjusted && covered && covered < n ? b.at[first][1] / 12.0 - 0.5 : 0;
        for (uint32_t s = 0; s < n; ++s) {
          const uint32_t* const pixel = b.chip.memory(b.t.color) + ((5 * n + s) * kSize + x) * 4;
          const bool in = x + b.at[s][0] / 12.0 < snapped;
          EXPECT_NEAR(std::bit_cast<float>(pixel[0]), in ? x + 0.5 + dx : 0, 0.01) << n << ' ' << x << ' ' << s;
          EXPECT_NEAR(std::bit_cast<float>(pixel[1]), in ? 5.5 + dy : 0, 0.01);
        }
      }
    }
}

TEST(Msaa, LinesAndPointsBySample) {
  for (const uint32_t n : kCounts) {
    Bench b(n);
    b.p.set(regs::GA_POINT_SIZE().WIDTH(13).HEIGHT(13));
    const TestVertex v[] = {{clip(8 * kGrid, 8 * kGrid), {1, 1, 1, 1}}};
    b.p.append(draw(regs::VAP_VF_CNTL::PRIM_TYPE__POINT_LIST, v));
    b.run();
    for (uint32_t y = 0; y < kSize; ++y)
      for (uint32_t x = 0; x < kSize; ++x)
        for (uint32_t s = 0; s < n; ++s) {
          const double dx = x + b.at[s][0] / 12.0 - 8, dy = y + b.at[s][1] / 12.0 - 8;
          EXPECT_EQ(b.color(x, y, s) != 0, std::fabs(dx) < 13 / 16.0 && std::fabs(dy) < 13 / 16.0) << x << ' ' << y << ' ' << s;
        }
  }
}

TEST(Msaa, TiledSurfacesAreRefused) {
  Bench b(4);
  b.p.set(Pitch{kSize}.COLORFORMAT(Pitch::COLORFORMAT__ARGB8888).COLORMICROTILE(1));
  b.p.append(full_quad({1, 1, 1, 1}));
  b.run(1);
  EXPECT_EQ(b.color(3, 3, 0), 0u);
  b.p.set(Pitch{kSize}.COLORFORMAT(Pitch::COLORFORMAT__ARGB8888));
  b.p.set(regs::ZB_CNTL().Z_ENABLE(1));
  b.p.set(regs::ZB_ZSTENCILCNTL().ZFUNC(7));
  b.p.set(regs::ZB_DEPTHPITCH().DEPTHPITCH(kSize / 4).DEPTHMACROTILE(1));
  b.p.append(full_quad({1, 1, 1, 1}));
  b.run(2);
  EXPECT_EQ(b.color(3, 3, 0), 0u);
}

double half_value(uint32_t h) {
  const int e = h >> 10 & 31;
  const double m = h & 1023, v = e ? std::ldexp(1024 + m, e - 25) : std::ldexp(m, -24);
  return h >> 15 ? -v : v;
}

struct Field {
  uint32_t shift, width;
  bool alpha = false;
};
struct Format {
  const char* name;
  uint32_t color, out, sign, bytes;
  enum { kUnorm, kSnorm, kHalf, kSingle } kind;
  std::vector<Field> fields;
};
const Format kFormats[] = {
    {"8888", Pitch::COLORFORMAT__ARGB8888, Out::OUT_FMT__C4_8, 0, 4, Format::kUnorm, {{0, 8}, {8, 8}, {16, 8}, {24, 8, true}}},
    {"8888 signed", Pitch::COLORFORMAT__ARGB8888, Out::OUT_FMT__C4_8, 15, 4, Format::kSnorm, {{0, 8}, {8, 8}, {16, 8}, {24, 8, true}}},
    {"2101010", Pitch::COLORFORMAT__ARGB2101010, Out::OUT_FMT__C4_10, 0, 4, Format::kUnorm, {{0, 10}, {10, 10}, {20, 10}, {30, 2, true}}},
    {"565", Pitch::COLORFORMAT__RGB565, Out::OUT_FMT__C4_8, 0, 2, Format::kUnorm, {{0, 5}, {5, 6}, {11, 5}}},
    {"half x4",
     Pitch::COLORFORMAT__ARGB16161616,
     Out::OUT_FMT__C4_16_FP,
     0,
     8,
     Format::kHalf,
     {{0, 16}, {16, 16}, {32, 16}, {48, 16, true}}},
    {"float", Pitch::COLORFORMAT__ARGB8888, Out::OUT_FMT__C_32_FP, 0, 4, Format::kSingle, {{0, 32}}},
};
uint64_t field(const uint8_t* pixel, const Field& f) {
  uint64_t v = 0;
  for (uint32_t i = 0; i < f.width; ++i) v |= uint64_t(pixel[(f.shift + i) / 8] >> (f.shift + i) % 8 & 1) << i;
  return v;
}

/// Packets that resolve the pixels from (3, 2) to (12, 13).
Packets resolve(const Target& t, uint32_t to, const Format& f, uint32_t gamma, uint32_t alpha) {
  Packets p;
  p.set(Pitch{kSize}.COLORFORMAT(f.color));
  p.set(Out().OUT_FMT(f.out).OUT_SIGN(f.sign).C0_SEL(1).C1_SEL(2).C2_SEL(3).C3_SEL(0));
  p.set(regs::RB3D_AARESOLVE_CTL().AARESOLVE_MODE(1).AARESOLVE_GAMMA(gamma).AARESOLVE_ALPHA(alpha));
  p.write(regs::RB3D_AARESOLVE_OFFSET::offset, {&to, 1});
  p.set(regs::RB3D_AARESOLVE_PITCH().AARESOLVE_PITCH(kSize / 2 + 2));
  p.set(regs::RB3D_COLOR_CHANNEL_MASK());
  p.set(regs::SC_SCISSOR0().XS0(3).YS0(2));
  p.set(regs::SC_SCISSOR1().XS1(12).YS1(13));
  p.append(full_quad({0, 1, 0, 1}));
  static_cast<void>(t);
  return p;
}

TEST(Msaa, Resolve) {
  std::mt19937 random(9);
  for (const uint32_t n : kCounts)
    for (const Format& f : kFormats)
      for (const uint32_t average_alpha : {1u, 0u}) {
        Bench b(n);
        auto* from = reinterpret_cast<uint8_t*>(b.chip.memory(b.t.color));
        for (uint32_t i = 0; i < kPixels * n * f.bytes; ++i) from[i] = static_cast<uint8_t>(random());
        if (f.kind == Format::kHalf)
          for (uint32_t i = 1; i < kPixels * n * f.bytes; i += 2) from[i] &= 0xBF;  // below 2
        if (f.kind == Format::kSingle)
          for (uint32_t i = 3; i < kPixels * n * f.bytes; i += 4) from[i] = (from[i] & 0x80) | 0x3E;
        const uint32_t to = b.chip.allocate(kPixels * 8);
        const auto* result = reinterpret_cast<const uint8_t*>(b.chip.memory(to));
        b.p.append(resolve(b.t, to, f, 0, average_alpha));
        b.run();
        for (uint32_t y = 0; y < kSize; ++y)
          for (uint32_t x = 0; x < kSize; ++x)
            for (const Field& c : f.fields) {
              const uint64_t got = field(result + (y * (kSize + 4) + x) * f.bytes, c);
              if (x < 3 || x > 12 || y < 2 || y > 13) {
                ASSERT_EQ(got, 0u) << "outside the rectangle";
                continue;
              }
              std::array<uint64_t, 6> code{};
              for (uint32_t s = 0; s < n; ++s) code[s] = field(from + ((y * n + s) * kSize + x) * f.bytes, c);
              if (c.alpha && !average_alpha) {
                ASSERT_EQ(got, code[0]) << f.name;
                continue;
              }
              double sum = 0, all = 0;
              for (uint32_t s = 0; s < n; ++s) {
                double v = double(code[s]);
                if (f.kind == Format::kSnorm) v = std::max(double(static_cast<int8_t>(code[s])), -127.0);
                if (f.kind == Format::kHalf) v = half_value(static_cast<uint32_t>(code[s]));
                if (f.kind == Format::kSingle) v = double(std::bit_cast<float>(static_cast<uint32_t>(code[s])));
                sum += v;
                all += std::fabs(v);
              }
              switch (f.kind) {
                case Format::kUnorm: ASSERT_EQ(got, (uint64_t(sum) + n / 2) / n) << f.name; break;
                case Format::kSnorm: ASSERT_EQ(static_cast<int8_t>(got), std::floor(sum / n + 0.5)) << f.name; break;
                case Format::kHalf:
                  ASSERT_NEAR(half_value(static_cast<uint32_t>(got)), sum / n, std::fabs(sum / n) / 2048 + all * 1e-6 + 0x1p-25) << f.name;
                  break;
                case Format::kSingle: ASSERT_NEAR(std::bit_cast<float>(static_cast<uint32_t>(got)), sum / n, all * 1e-6) << f.name; break;
              }
            }
      }
}

TEST(Msaa, ResolveWithGamma) {
  for (const uint32_t n : kCounts) {
    Bench b(n);
    std::mt19937 random(n);
    for (uint32_t i = 0; i < kPixels * n; ++i) b.chip.memory(b.t.color)[i] = static_cast<uint32_t>(random());
    const uint32_t to = b.chip.allocate(kPixels * 8);
    b.p.append(resolve(b.t, to, kFormats[0], 1, 1));
    b.run();
    for (uint32_t y = 2; y <= 13; ++y)
      for (uint32_t x = 3; x <= 12; ++x)
        for (uint32_t c = 0; c < 4; ++c) {
          double sum = 0;
          for (uint32_t s = 0; s < n; ++s) {
            const double v = (b.color(x, y, s) >> 8 * c & 255) / 255.0;
            sum += c == 3 ? v : v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
          }
          const double v = sum / n, encoded = c == 3 ? v : v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
          ASSERT_NEAR(double(b.chip.memory(to)[y * (kSize + 4) + x] >> 8 * c & 255), encoded * 255, 0.502) << c;
        }
    // There is no table for halves.
    b.p.append(resolve(b.t, to, kFormats[4], 1, 1));
    b.run(1);
  }
}

/// The tile bits of COLORPITCH0 are the destination's; one sample is a copy.
TEST(Msaa, ResolveIntoTilesAndOfOneSample) {
  for (const uint32_t n : {1u, 4u}) {
    Bench b(4);
    b.n = n;
    if (n == 1) b.p.set(regs::GB_AA_CONFIG());
    for (uint32_t i = 0; i < kPixels * n; ++i) b.chip.memory(b.t.color)[i] = i;
    const uint32_t to = b.chip.allocate(kPixels * 8);
    Packets r = resolve(b.t, to, kFormats[0], 0, 1);
    b.p.append(r);
    const uint32_t pitch = Pitch{kSize}.COLORFORMAT(Pitch::COLORFORMAT__ARGB8888).COLORMICROTILE(1).raw;
    b.p.write(Pitch::at(0), {&pitch, 1});
    b.p.append(full_quad({0, 0, 0, 0}));
    const uint32_t tiled = b.chip.allocate(kPixels * 8);
    b.p.words.clear();
    b.p = plain_state(b.t);
    if (n > 1) b.enable();
    b.p.append(r);
    b.p.write(Pitch::at(0), {&pitch, 1});
    b.p.write(regs::RB3D_AARESOLVE_OFFSET::offset, {&tiled, 1});
    b.p.append(full_quad({0, 0, 0, 0}));
    b.run();
    for (uint32_t y = 2; y <= 13; ++y)
      for (uint32_t x = 3; x <= 12; ++x) {
        const uint32_t v = b.chip.memory(to)[y * (kSize + 4) + x];
        if (n == 1) {
          ASSERT_EQ(v, y * kSize + x);
        }
        ASSERT_EQ(v, b.chip.memory(tiled)[((y / 2) * ((kSize + 4) / 4) + x / 4) * 8 + y % 2 * 4 + x % 4]);
      }
  }
}

/// A target with a colour mask from dword 16 of the RAM on, all of it cleared to kClear; memory holds kNoise.
struct MaskBench : Bench {
  static constexpr uint32_t kClear = 0x11223344, kNoise = 0xDEADBEEF;
  explicit MaskBench(uint32_t samples, uint32_t expands = 0) : Bench(samples) {
    std::fill_n(chip.memory(t.color), kPixels * n, kNoise);
    const uint32_t clear[] = {16, 16, 0};
    p.command(pm4::Op::N3D_CLEAR_CMASK, clear);
    p.set(regs::RB3D_CMASK_OFFSET{regs::ZB_ZMASK_OFFSET().ZMASK_OFFSET(1).raw});
    p.set(regs::RB3D_CMASK_PITCH{regs::ZB_HIZ_PITCH().HIZ_PITCH(kSize / 16).raw});
    p.set(regs::RB3D_COLOR_CLEAR_VALUE{kClear});
    p.set(regs::RB3D_CCTL().CMASK_ENABLE(1).AA_COMPRESSION_ENABLE(1).WRITE_COMPRESSION_DISABLE(expands));
  }
  uint32_t code(uint32_t x, uint32_t y) {
    chip.gpu->mmio_write(regs::RB3D_CMASK_RDINDEX::offset, 16 << 2);
    return chip.gpu->mmio_read(regs::RB3D_CMASK_DWORD::offset) >> ((y / 4 * 4 + x / 4) * 2) & 3;
  }
  void box(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1) {
    p.set(regs::SC_SCISSOR0().XS0(x0).YS0(y0));
    p.set(regs::SC_SCISSOR1().XS1(x1).YS1(y1));
  }
};

/// The half of the target above its diagonal, as one triangle: between two some pixels would be partly covered.
Packets half(const std::array<float, 4>& attribute) {
  const TestVertex v[] = {{{-1, -1, 0, 1}, attribute}, {{1, -1, 0, 1}, attribute}, {{-1, 1, 0, 1}, attribute}};
  return draw(regs::VAP_VF_CNTL::PRIM_TYPE__TRIANGLE_LIST, v);
}

TEST(ColorMask, WholePixelsAreStoredOncePartialOnesExpand) {
  for (const uint32_t n : kCounts)
    for (const uint32_t expands : {0u, 1u}) {
      MaskBench b(n, expands);
      b.box(2, 0, 9, 5);  // blocks (0..2, 0..1)
      b.p.append(half({1, 1, 1, 1}));
      b.run();
      for (uint32_t y = 0; y < kSize; ++y)
        for (uint32_t x = 0; x < kSize; ++x) {
          const bool reached = x < 12 && y < 8, drawn = x >= 2 && x <= 9 && y <= 5;
          EXPECT_EQ(b.code(x, y), reached ? (expands ? 3u : 1u) : 0u);
          for (uint32_t s = 0; s < n; ++s)
            ASSERT_EQ(b.color(x, y, s), !reached || (s && !expands) ? MaskBench::kNoise : drawn ? ~0u : MaskBench::kClear);
        }
      // One sample of one pixel: its block is expanded, with what it held.
      b.box(5, 5, 5, 5);
      const uint32_t door = 1u << (6 * 3 + 1);
      b.p.write(regs::SC_SCREENDOOR::offset, {&door, 1});
      b.p.append(half({0, 0, 0, 0}));
      b.run();
      EXPECT_EQ(b.code(5, 5), 3u);
      for (uint32_t y = 4; y < 8; ++y)
        for (uint32_t x = 4; x < 8; ++x)
          for (uint32_t s = 0; s < n; ++s) ASSERT_EQ(b.color(x, y, s), x == 5 && y == 5 && s == 1 ? 0u : y <= 5 ? ~0u : MaskBench::kClear);
    }
}

/// Cleared tiles of depth with several samples: their pixels read as the clear value, the first sample that changes brings all of them into
/// memory.
TEST(Msaa, FastFillExpandsAllSamples) {
  constexpr uint32_t kNoise = 0xDEADBE00, kClear = 0x80000005;
  for (const uint32_t n : kCounts) {
    MaskBench b(n);  // for its scissor
    std::fill_n(b.chip.memory(b.t.depth), kPixels * n, kNoise);
    b.p.set(regs::ZB_DEPTHCLEARVALUE().DEPTHCLEARVALUE(kClear));
    b.p.set(regs::ZB_ZMASK_PITCH{regs::ZB_HIZ_PITCH().HIZ_PITCH(kSize / 16).raw});
    b.p.set(regs::ZB_BW_CNTL().FAST_FILL(1).RD_COMP_ENABLE(1).WR_COMP_ENABLE(1));
    const uint32_t clear[] = {0, 16, 0};
    b.p.command(pm4::Op::N3D_CLEAR_ZMASK, clear);
    b.p.set(regs::ZB_CNTL().Z_ENABLE(1).ZWRITEENABLE(1));
    // Behind the clear value nothing changes.
    b.p.set(regs::ZB_ZSTENCILCNTL().ZFUNC(regs::ZB_ZSTENCILCNTL::ZFUNC__GREATER));
    b.p.append(half({1, 1, 1, 1}));
    b.run();
    EXPECT_TRUE(std::all_of(b.chip.memory(b.t.depth), b.chip.memory(b.t.depth) + kPixels * n, [](uint32_t v) { return v == kNoise; }));
    // One sample of one pixel in front of it.
    b.p.set(regs::ZB_ZSTENCILCNTL().ZFUNC(regs::ZB_ZSTENCILCNTL::ZFUNC__LESS));
    b.box(5, 5, 5, 5);
    const uint32_t door = 1u << (6 * 3 + 1), all = 0xFFFFFF;
    b.p.write(regs::SC_SCREENDOOR::offset, {&door, 1});
    b.p.append(half({1, 1, 1, 1}));
    b.run();
    for (uint32_t y = 0; y < kSize; ++y)
      for (uint32_t x = 0; x < kSize; ++x)
        for (uint32_t s = 0; s < n; ++s) {
          const bool inside = x / 4 == 1 && y / 4 == 1;
          ASSERT_EQ(b.depth(x, y, s), !inside ? kNoise : x == 5 && y == 5 && s == 1 ? kClear & 0xFF : kClear);
        }
    // The documented way to get the rest into memory.
    b.box(0, 0, kSize - 1, kSize - 1);
    b.p.write(regs::SC_SCREENDOOR::offset, {&all, 1});
    b.p.set(regs::ZB_BW_CNTL().FAST_FILL(1).RD_COMP_ENABLE(1));
    b.p.set(regs::ZB_ZSTENCILCNTL().ZFUNC(regs::ZB_ZSTENCILCNTL::ZFUNC__NEVER));
    b.p.append(full_quad({1, 1, 1, 1}));
    b.run();
    for (uint32_t y = 2; y <= 13; ++y)
      for (uint32_t x = 3; x <= 12; ++x)
        for (uint32_t s = 0; s < n; ++s) ASSERT_EQ(b.depth(x, y, s), x == 5 && y == 5 && s == 1 ? kClear & 0xFF : kClear);
  }
}

TEST(ColorMask, BlendingAndResolveSeeWhatTheMaskSays) {
  for (const uint32_t n : kCounts) {
    MaskBench b(n);
    b.box(0, 0, 7, 15);
    b.p.set(regs::RB3D_ROPCNTL().ROP_ENABLE(1).ROP(6));  // exclusive or
    b.p.append(full_quad({1, 1, 1, 1}));
    b.box(0, 8, 3, 11);
    const uint32_t door = 0x41041;  // sample 0 of every pixel
    b.p.write(regs::SC_SCREENDOOR::offset, {&door, 1});
    b.p.append(full_quad({1, 1, 1, 1}));
    const uint32_t all = 0xFFFFFF;
    b.p.write(regs::SC_SCREENDOOR::offset, {&all, 1});
    const uint32_t to = b.chip.allocate(kPixels * 8);
    b.p.append(resolve(b.t, to, kFormats[0], 0, 1));
    b.run();
    for (uint32_t y = 2; y <= 13; ++y)
      for (uint32_t x = 3; x <= 12; ++x)
        for (uint32_t c = 0; c < 4; ++c) {
          const uint32_t clear = MaskBench::kClear >> 8 * c & 255, flipped = 255 - clear;
          const bool mixed = x < 4 && y >= 8 && y < 12;
          const uint32_t want = x >= 8 ? clear : mixed ? (clear + (n - 1) * flipped + n / 2) / n : flipped;
          ASSERT_EQ(b.chip.memory(to)[y * (kSize + 4) + x] >> 8 * c & 255, want) << x << ' ' << y;
        }
    EXPECT_EQ(b.code(8, 8), 0u);
    EXPECT_EQ(b.code(4, 8), 1u);
    EXPECT_EQ(b.code(0, 8), 3u);
  }
}

}  // namespace
}  // namespace pumice::hw::test
