// SPDX-License-Identifier: MIT
/// The driver's image layout against the chip's own rule.
#include <gtest/gtest.h>

#include "hw/radeon/decode/tx/mip_layout.h"
#include "icd/image_layout.h"

namespace {

using pumice::icd::LayoutInput;

TEST(Layout, IsTheChipsRule) {
  for (const uint32_t width : {1u, 3u, 8u, 37u, 64u, 1000u, 4096u})
    for (const uint32_t height : {1u, 5u, 16u, 100u, 512u})
      for (const uint32_t bytes : {1u, 2u, 4u, 8u, 16u})
        for (const uint32_t block : {1u, 4u})
          for (int kind = 0; kind < 4; ++kind) {
            if (block == 4 && bytes < 8) continue;
            LayoutInput in;
            in.width = width;
            in.height = kind == 2 ? width : height;
            in.cube = kind == 2;
            in.volume = kind == 3;
            in.depth = kind == 3 ? 8 : 1;
            in.levels = kind == 0 ? 1 : static_cast<uint32_t>(std::bit_width(std::max(in.width, in.height)));
            in.bytes_per_unit = bytes;
            in.block_width = in.block_height = block;
            const auto layout = pumice::icd::make_layout(in);
            pumice::hw::tx::MipInput chip;
            chip.width = in.width;
            chip.height = in.height;
            chip.depth = in.depth;
            chip.is_cube = in.cube;
            chip.is_3d = in.volume;
            chip.has_mips = in.levels > 1;
            chip.bits_per_unit = bytes * 8;
            chip.block = block;
            for (uint32_t l = 0; l < in.levels; ++l) {
              const auto want = pumice::hw::tx::mip_level(chip, l);
              const std::string what = std::to_string(in.width) + "x" + std::to_string(in.height) + " kind " + std::to_string(kind) +
                                       " bytes " + std::to_string(bytes) + " block " + std::to_string(block) + " level " +
                                       std::to_string(l);
              ASSERT_EQ(layout.level[l].offset, want.offset) << what;
              ASSERT_EQ(layout.level[l].pitch_units, want.pitch) << what;
              ASSERT_EQ(layout.level[l].rows, want.rows) << what;
              ASSERT_EQ(layout.level[l].layer_bytes, want.layer_bytes) << what;
            }
          }
}

TEST(Layout, MicrotiledDepthHoldsWholeTiles) {
  for (const uint32_t width : {1u, 16u, 53u, 1280u})
    for (const uint32_t height : {1u, 4u, 38u, 720u})
      for (const uint32_t bytes : {2u, 4u}) {
        const auto layout = pumice::icd::make_layout({.width = width, .height = height, .bytes_per_unit = bytes, .micro_tiled = true});
        EXPECT_EQ(layout.level[0].pitch_units, (width + 15) / 16 * 16);
        EXPECT_EQ(layout.level[0].rows, (height + 3) / 4 * 4);
        EXPECT_EQ(layout.bytes, uint64_t{layout.level[0].pitch_units} * layout.level[0].rows * bytes);
      }
}

/// Samples of a block lie in as many rows: an even number of cache lines apart, 16 rows of a block would share a few sets of the cache.
TEST(Layout, RowsOfSamplesAreAnOddNumberOfCacheLinesApart) {
  for (const uint32_t samples : {1u, 2u, 4u, 8u})
    for (const uint32_t width : {1u, 16u, 53u, 1024u, 1280u}) {
      const auto layout = pumice::icd::make_r5x_layout({.width = width, .height = 16, .bytes_per_unit = 4, .samples = samples});
      EXPECT_GE(layout.level[0].pitch_bytes, width * 4);
      EXPECT_EQ(layout.level[0].pitch_bytes % 64, 0u);
      EXPECT_EQ(layout.level[0].rows, 16 * samples);
      EXPECT_TRUE(samples == 1 || layout.level[0].pitch_bytes / 64 % 2 == 1) << width;
    }
}

/// The same of the 64 rows of a tile, in targets.
TEST(Layout, LongRowsOfTargetsAreAnOddNumberOfCacheLinesApart) {
  for (const uint32_t width : {1u, 240u, 255u, 256u, 1024u, 1280u, 1920u, 4096u, 16384u})
    for (const bool drawn_to : {false, true}) {
      const auto layout =
          pumice::icd::make_r5x_layout({.width = width, .height = 16, .levels = 2, .bytes_per_unit = 4, .drawn_to = drawn_to});
      const uint32_t least = (width * 4 + 63) / 64 * 64;
      EXPECT_EQ(layout.level[0].pitch_bytes, drawn_to && least >= 1024 ? least | 64 : least) << width;
      EXPECT_EQ(layout.level[1].offset, uint64_t{layout.level[0].pitch_bytes} * 16) << "the chip counts so";
      EXPECT_EQ(layout.level[1].pitch_bytes, (std::max(1u, width / 2) * 4 + 63) / 64 * 64) << width;
    }
}

}  // namespace
