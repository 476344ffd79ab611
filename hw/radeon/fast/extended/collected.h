// SPDX-License-Identifier: MIT
/// Collected blocks: blocks of a tile that small primitives of one draw covered in part, until one call of the routine draws them
/// together. They are drawn when they are complete, a pixel is covered a second time, the facing, layer or viewport changes, or the draw
/// or the tile ends. Each pixel of a block comes from exactly one primitive, so the order does not matter.
#pragma once
#include "hw/radeon/fast/extended/collected_use.h"
#include "hw/radeon/fast/extended/pixel_args.h"

namespace pumice::hw::fast::extended {

struct Collected {
  static constexpr uint32_t kAcross = raster::kTile / kBlockSize, kBlocks = kAcross * kAcross;

  uint64_t any[kBlocks / 64] = {};             ///< blocks with pixels
  LaneMask mask[kBlocks] = {};                 ///< by block: pixels that wait
  bool back_facing[kBlocks] = {};              ///< by block: facing of all its pixels
  uint32_t layer = ~0u, viewport = ~0u;        ///< of all
  const raster::Extended* extended = nullptr;  ///< of a primitive with that layer and viewport
  int32_t tile_x = 0, tile_y = 0;              ///< of all
  CollectedLanes lanes[kBlocks];

  CollectedUses uses;

  /// Nothing is collected.
  void begin(uint64_t job) {
    uses.begin(job);
    layer = viewport = ~0u;
  }
  static constexpr uint32_t row_of(int32_t y) { return static_cast<uint32_t>(y >> 2 & int32_t{kAcross - 1}) * kAcross; }
  static constexpr uint32_t index(int32_t x, int32_t y) { return row_of(y) + static_cast<uint32_t>(x >> 2 & int32_t{kAcross - 1}); }
};

}  // namespace pumice::hw::fast::extended
