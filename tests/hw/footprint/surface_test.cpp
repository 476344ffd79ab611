// SPDX-License-Identifier: MIT
/// Footprints of surfaces: nothing is left out, and both views say no more than they must; up to 16384 x 16384 and beyond 4 GiB.
#include <gtest/gtest.h>

#include <random>

#include "hw/extents.h"
#include "hw/radeon/decode/surface/span.h"
#include "hw/radeon/footprint/copy.h"
#include "hw/radeon/footprint/draw.h"

namespace pumice::hw::footprint {
namespace {

struct Random {
  std::mt19937 engine;
  uint32_t below(uint32_t n) { return std::uniform_int_distribution<uint32_t>(0, n - 1)(engine); }
  bool one_in(uint32_t n) { return below(n) == 0; }
};

/// Anything that registers can say and rows do not run into each other; large ones lie beyond 4 GiB.
Surface random_surface(Random& r, bool large) {
  const uint32_t extent = large ? kMaxExtent : 96;
  Surface s;
  s.samples = r.one_in(4) ? 1 + r.below(6) : 1;
  s.pixels.layout = {.pitch_px = 0, .bytes_per_pixel = 1u << r.below(5)};
  if (s.samples == 1) s.pixels.layout.macro_tiled = r.one_in(3), s.pixels.layout.micro = static_cast<uint8_t>(r.below(4));
  s.pixels.base = (large ? uint64_t{5} << 30 : 0x100000) + 32 * r.below(100);
  s.box = {static_cast<int32_t>(r.below(extent)), static_cast<int32_t>(r.below(extent)), 0, 0};
  const auto size = [&](int32_t from) { return static_cast<int32_t>(std::min(extent, static_cast<uint32_t>(from) + 1 + r.below(40))); };
  s.box.x1 = large && r.one_in(2) ? kMaxExtent : size(s.box.x0), s.box.y1 = large && r.one_in(2) ? kMaxExtent : size(s.box.y0);
  s.pixels.layout.pitch_px = static_cast<uint32_t>(s.box.x1) + r.below(9);
  return s;
}

/// First byte of a pixel's sample, by the addresses that pixels are read and written at.
uint64_t address(const Surface& s, int32_t x, int32_t y, uint32_t sample) {
  const surface::PixelAccess p = s.pixels.sample(sample, s.samples);
  return p.base + surface::offset(p.layout, static_cast<uint32_t>(x), static_cast<uint32_t>(y));
}

bool holds(const Rows& rows, uint64_t begin, uint64_t end) {
  if (begin < rows.address) return false;
  const uint64_t row = rows.pitch ? std::min((begin - rows.address) / rows.pitch, rows.count - 1) : 0;
  for (uint64_t i = row > 0 ? row - 1 : 0; i <= row; ++i)
    if (begin >= rows.address + i * rows.pitch && end <= rows.address + i * rows.pitch + rows.bytes) return true;
  return false;
}

TEST(FootprintOfSurface, HoldsEveryPixel) {
  Random r{std::mt19937(1)};
  for (int i = 0; i < 3000; ++i) {
    const Surface s = random_surface(r, i % 2 != 0);
    const Rows rows = s.rows();
    const ByteRange bytes = s.bytes();
    EXPECT_LE(rows.hull().begin, bytes.begin);
    for (int k = 0; k < 60; ++k) {
      // Corners, edges and others.
      const auto any = [&](int32_t from, int32_t to) {
        const uint32_t how = r.below(3);
        return how == 0 ? from : how == 1 ? to - 1 : from + static_cast<int32_t>(r.below(static_cast<uint32_t>(to - from)));
      };
      const int32_t x = any(s.box.x0, s.box.x1), y = any(s.box.y0, s.box.y1);
      const uint64_t at = address(s, x, y, r.below(s.samples)), end = at + s.pixels.layout.bytes_per_pixel;
      ASSERT_TRUE(bytes.begin <= (at & ~3ull) && ((end + 3) & ~3ull) <= bytes.end) << i << ": " << x << ',' << y;
      ASSERT_TRUE(holds(rows, at & ~3ull, (end + 3) & ~3ull)) << i << ": " << x << ',' << y;
    }
  }
}

TEST(FootprintOfSurface, IsAsTightAsTiles) {
  Random r{std::mt19937(2)};
  for (int i = 0; i < 2000; ++i) {
    const Surface s = random_surface(r, i % 2 != 0);
    const uint64_t slack = surface::tile_bytes(s.pixels.layout) - 1 + 3, bpp = s.pixels.layout.bytes_per_pixel;
    const ByteRange bytes = s.bytes();
    EXPECT_LE(address(s, s.box.x0, s.box.y0, 0) - bytes.begin, slack) << i;
    EXPECT_LE(bytes.end - (address(s, s.box.x1 - 1, s.box.y1 - 1, s.samples - 1) + bpp), slack) << i;
    if (s.pixels.layout.tiled()) continue;
    const uint64_t wanted = static_cast<uint64_t>(s.box.x1 - s.box.x0) * bpp;
    EXPECT_LE(s.rows().bytes - wanted, 6u) << i << ": rounded to dwords";
    EXPECT_EQ(s.rows().count, static_cast<uint64_t>(s.box.y1 - s.box.y0) * s.samples) << i;
  }
}

TEST(FootprintOfSurface, TheLargestOne) {
  Surface s{.pixels = {.base = uint64_t{6} << 30, .layout = {.pitch_px = kMaxExtent, .bytes_per_pixel = 16}},
            .box = {0, 0, kMaxExtent, kMaxExtent}};
  constexpr uint64_t kSize = uint64_t{4} << 30;
  EXPECT_EQ(s.bytes(), (ByteRange{uint64_t{6} << 30, (uint64_t{6} << 30) + kSize}));
  EXPECT_EQ(s.rows().hull(), s.bytes());
  s.pixels.layout.macro_tiled = true;
  EXPECT_EQ(s.bytes().size(), kSize);
  s.samples = 6, s.pixels.layout.macro_tiled = false;
  EXPECT_EQ(s.bytes().size(), 6 * kSize);
  EXPECT_EQ(s.rows().count, 6u * kMaxExtent);
}

// A base that is no multiple of a macrotile: tiles count from the base, not from address 0.
TEST(FootprintOfSurface, MacrotilesCountFromTheBase) {
  const Surface s{.pixels = {.base = 0x100000 + 1024, .layout = {.pitch_px = 64, .bytes_per_pixel = 4, .macro_tiled = true}},
                  .box = {0, 0, 1, 1}};
  EXPECT_EQ(s.bytes(), (ByteRange{0x100000 + 1024, 0x100000 + 1024 + 2048}));
  EXPECT_EQ(s.rows().hull(), s.bytes());
}

TEST(FootprintOfSurface, NegativePositionsLeave) {
  const Surface s{.pixels = {.base = 0x100000, .layout = {.pitch_px = 64, .bytes_per_pixel = 4}}, .box = {-4, -4, 4, 4}};
  EXPECT_TRUE(s.leaves());
  EXPECT_EQ(s.rows(), (Rows{0x100000, 16, 256, 4}));
  const Surface outside{.pixels = s.pixels, .box = {-8, -8, -4, -4}};
  EXPECT_EQ(outside.rows().bytes, 0u);
  EXPECT_EQ(outside.bytes().size(), 0u);
}

TEST(FootprintOfSurface, SamePixels) {
  const Surface a{.pixels = {.base = 0x100000, .layout = {.pitch_px = 64, .bytes_per_pixel = 4}}, .box = {0, 0, 8, 8}};
  Surface b = a;
  b.box = {4, 4, 64, 64}, b.what = What::depth, b.writes = true;
  EXPECT_TRUE(a.same_pixels(b)) << "where, not how much";
  b.pixels.base = a.pixels.base + (uint64_t{1} << 32);
  EXPECT_FALSE(a.same_pixels(b)) << "the high half of the address counts";
  for (const auto& change : {+[](Surface& s) { s.pixels.layout.pitch_px = 32; }, +[](Surface& s) { s.pixels.layout.micro = 1; },
                             +[](Surface& s) { s.pixels.layout.macro_tiled = true; }, +[](Surface& s) { s.samples = 2; },
                             +[](Surface& s) { s.pixels.layout.bytes_per_pixel = 2; }, +[](Surface& s) { s.x_offset = 32; },
                             +[](Surface& s) { s.y_offset = 32; }, +[](Surface& s) { s.pixels.endian = 1; }}) {
    b = a;
    change(b);
    EXPECT_FALSE(a.same_pixels(b));
  }
}

TEST(FootprintOfCopy, Rows) {
  const Linear s{.base = uint64_t{1} << 33, .pitch = 65536, .bytes = 4};
  EXPECT_EQ(rows(s, 3, 100000, 16381, 2), (Rows{(uint64_t{1} << 33) + 100000ull * 65536 + 12, 65524, 65536, 2}));
  EXPECT_EQ(rows(s, 0, 1, 5, 3, 7), (Rows{(uint64_t{1} << 33) + 65536, 20, 7 * 65536, 3}));
  EXPECT_EQ(rows(s, 0, 1, 5, 3, 7).hull(), (ByteRange{(uint64_t{1} << 33) + 65536, (uint64_t{1} << 33) + 15 * 65536 + 20}));
}

}  // namespace
}  // namespace pumice::hw::footprint
