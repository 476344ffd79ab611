// SPDX-License-Identifier: MIT
#include "hw/radeon/decode/surface/surface.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "hw/extents.h"
#include "hw/radeon/decode/surface/pixel_access.h"

namespace pumice::hw::surface {
namespace {

TEST(Surface, EveryLayoutIsABijection) {
  for (uint32_t bpp : {1u, 2u, 4u, 8u, 16u})
    for (bool macro : {false, true})
      for (uint8_t micro = 0; micro < 4; ++micro) {
        const Layout layout{.pitch_px = 512, .bytes_per_pixel = bpp, .macro_tiled = macro, .micro = micro};
        const uint32_t height = 64;
        std::vector<bool> used(layout.pitch_px * height);
        for (uint32_t y = 0; y < height; ++y)
          for (uint32_t x = 0; x < layout.pitch_px; ++x) {
            const uint64_t at = offset(layout, x, y);
            ASSERT_EQ(at % bpp, 0u);
            ASSERT_LT(at / bpp, used.size()) << bpp << ' ' << macro << ' ' << int(micro) << ' ' << x << ' ' << y;
            ASSERT_FALSE(used[at / bpp]) << bpp << ' ' << macro << ' ' << int(micro) << ' ' << x << ' ' << y;
            used[at / bpp] = true;
          }
      }
}

struct Known {
  uint32_t bpp;
  bool macro;
  uint8_t micro;
  uint32_t x, y;
  uint64_t at;
};

TEST(Surface, KnownOffsets) {
  // Pitch 256. Worked out by hand from the formulas of pipeline s.10.
  const Known table[] = {
      {4, false, 0, 3, 2, 2 * 1024 + 12},
      {2, false, 1, 8, 0, 32},  // 8x2 microtiles
      {2, false, 1, 3, 1, 16 + 6},
      {2, false, 1, 0, 2, 256 / 8 * 32},
      {2, false, 2, 1, 1, 8 + 2},  // square 4x4
      {2, false, 2, 4, 0, 32},
      {4, false, 1, 5, 3, (64 + 1) * 32 + 16 + 4},  // 4x2
      {1, false, 1, 7, 3, 31},                      // 8x4
      {8, false, 1, 1, 1, 24},                      // 2x2
      {16, false, 1, 3, 5, 5 * 4096 + 48},          // none: linear
      {4, true, 1, 4, 0, 32},                       // second microtile of the unit
      {4, true, 1, 8, 0, 1 << 7},                   // ux[0]
      {4, true, 1, 16, 0, 1 << 9 | 1 << 8},         // ux[1]
      {4, true, 1, 0, 2, 1 << 6},                   // uy[0]
      {4, true, 1, 0, 4, 1 << 8},                   // uy[1]
      {4, true, 1, 0, 8, 1 << 10 | 1 << 7},         // uy[2]
      {4, true, 1, 32, 0, 2048 | 1 << 10},          // ux[2]: odd macrotile column
      {4, true, 1, 0, 16, 8 * 2048 | 1 << 9},       // uy[3]: odd macrotile row, 8 macrotiles a row
      {4, true, 0, 16, 0, 1 << 7},                  // macro only: 64 linear bytes per unit
      {4, true, 0, 15, 1, 60 | 1 << 6},
      {4, true, 0, 64, 8, (4 + 1) * 2048 | 1 << 10 | 1 << 9},
      {2, true, 1, 16, 2, 1 << 7 | 1 << 6},
      {2, true, 2, 8, 4, 1 << 7 | 1 << 6},
      {8, true, 1, 4, 0, 1 << 7},
      {16, true, 0, 4, 1, 1 << 7 | 1 << 6},
  };
  for (const Known& k : table)
    EXPECT_EQ(offset({.pitch_px = 256, .bytes_per_pixel = k.bpp, .macro_tiled = k.macro, .micro = k.micro}, k.x, k.y), k.at)
        << k.bpp << " bytes, macro " << k.macro << " micro " << int(k.micro) << " at " << k.x << ',' << k.y;
}

TEST(Surface, MacrotileKeepsItsPixelsTogether) {
  const Layout layout{.pitch_px = 128, .bytes_per_pixel = 4, .macro_tiled = true, .micro = 1};
  for (uint32_t y = 0; y < 64; ++y)
    for (uint32_t x = 0; x < 128; ++x) ASSERT_EQ(offset(layout, x, y) / 2048, (y / 16) * 4 + x / 32);
}

TEST(Surface, EndianSwaps) {
  auto memory = Memory::create();
  memory->map(0x10000, 4096);
  const struct {
    uint8_t endian;
    uint32_t swapped;
  } table[] = {{0, 0xAABBCCDD}, {1, 0xBBAADDCC}, {2, 0xDDCCBBAA}, {3, 0xCCDDAABB}};
  for (auto [endian, swapped] : table) {
    PixelAccess access{.base = 0x10000, .layout = {.pitch_px = 8, .bytes_per_pixel = 4}, .endian = endian};
    const uint32_t value = 0xAABBCCDD;
    ASSERT_TRUE(access.write(*memory, 1, 0, &value));
    EXPECT_EQ(memory->load<uint32_t>(0x10004), swapped);
    uint32_t back = 0;
    ASSERT_TRUE(access.read(*memory, 1, 0, &back));
    EXPECT_EQ(back, value);
    // 16-bit pixels under a 32-bit swap change places with their neighbour.
    access.layout.bytes_per_pixel = 2;
    const uint16_t half = 0x1234;
    ASSERT_TRUE(access.write(*memory, 4, 0, &half));
    EXPECT_EQ(memory->load<uint16_t>(0x10008 + (endian >= 2 ? 2 : 0)), endian == 1 || endian == 2 ? 0x3412 : 0x1234);
  }
}

// Far tiles are as many tiles behind the near ones as there are between them, in 64 bits; both lie at the same parities of the swizzle.
TEST(Surface, OffsetsUpTo16384AndBeyond4GiB) {
  for (const uint32_t bpp : {1u, 2u, 4u, 8u, 16u})
    for (const bool macro : {false, true})
      for (const uint8_t micro : {0, 1, 2}) {
        const Layout layout{.pitch_px = kMaxExtent, .bytes_per_pixel = bpp, .macro_tiled = macro, .micro = micro};
        constexpr uint32_t kStep = 512, kLast = kMaxExtent - kStep;  // whole pairs of macrotiles of every kind
        const uint64_t across = offset(layout, kStep, 0) - offset(layout, 0, 0), down = uint64_t{kStep} * kMaxExtent * bpp;
        for (const uint32_t x : {0u, 1u, 37u, 511u})
          for (const uint32_t y : {0u, 1u, 100u, 511u}) {
            const uint64_t near = offset(layout, x, y);
            ASSERT_EQ(offset(layout, x + kLast, y), near + across * (kLast / kStep)) << bpp << macro << int{micro};
            ASSERT_EQ(offset(layout, x, y + kLast), near + down * (kLast / kStep)) << bpp << macro << int{micro};
            ASSERT_EQ(offset(layout, x + kLast, y + kLast), near + (across + down) * (kLast / kStep)) << bpp << macro << int{micro};
          }
      }
  // Rows of six samples each: 24 GiB.
  const PixelAccess samples = PixelAccess{.base = 1ull << 34, .layout = {.pitch_px = kMaxExtent, .bytes_per_pixel = 16}}.sample(5, 6);
  EXPECT_EQ(samples.base + offset(samples.layout, kMaxExtent - 1, kMaxExtent - 1) + 16, (1ull << 34) + 6 * (4ull << 30));
}

TEST(Surface, PixelsBeyond4GiB) {
  auto memory = Memory::create(36);
  ASSERT_TRUE(memory);
  for (const bool macro : {false, true}) {
    const PixelAccess access{
        .base = 5ull << 30, .layout = {.pitch_px = kMaxExtent, .bytes_per_pixel = 16, .macro_tiled = macro}, .endian = 2};
    const uint64_t at = access.base + offset(access.layout, kMaxExtent - 1, kMaxExtent - 1);
    ASSERT_GT(at, 1ull << 33);
    ASSERT_TRUE(memory->map(at & ~(kPageBytes - 1), kPageBytes) || macro);  // the last page of both
    const uint32_t value[4] = {0x01020304, 2, 3, macro};
    uint32_t back[4] = {};
    ASSERT_TRUE(access.write(*memory, kMaxExtent - 1, kMaxExtent - 1, value));
    ASSERT_TRUE(access.read(*memory, kMaxExtent - 1, kMaxExtent - 1, back));
    EXPECT_EQ(std::memcmp(value, back, sizeof value), 0);
    EXPECT_EQ(memory->load<uint32_t>(at), 0x04030201u);
    EXPECT_FALSE(access.read(*memory, 0, 0, back)) << "not backed";
  }
}

}  // namespace
}  // namespace pumice::hw::surface
