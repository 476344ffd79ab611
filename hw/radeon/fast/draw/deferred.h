// SPDX-License-Identifier: MIT
/// Deferred blocks: blocks of a tile that small primitives of one draw covered in part, until the block is complete or something forces
/// them to be drawn. Neighbours in a mesh share blocks, so that depth, program and colour run once for several of them. Each pixel of a
/// block comes from exactly one primitive, so the order does not matter.
#pragma once
#include "hw/radeon/fast/raster/record.h"
#include "hw/radeon/jit/us/block.h"

namespace pumice::hw::fast {

struct Deferred {
  static constexpr uint32_t kAcross = raster::kTile / kBlockSize, kBlocks = kAcross * kAcross;
  static constexpr uint32_t kShapes = 8;  ///< primitives per block; one more forces it to be drawn

  int32_t tile_x = 0, tile_y = 0;
  uint64_t any[kBlocks / 64] = {};    ///< blocks with pixels
  LaneMask mask[kBlocks] = {};        ///< by block: pixels that wait
  uint8_t back_facing[kBlocks] = {};  ///< by block: facing of all its pixels
  /// By primitive, for draws whose shading depends on the primitive; not filled for others.
  uint8_t shapes[kBlocks] = {};
  struct Part {
    const raster::Record* record;
    LaneMask mask;
  } part[kBlocks][kShapes];
  Lanes z[kBlocks];

  /// Whether deferring pays off: blocks that only one primitive touches before they are drawn should not be deferred. Of the last draw.
  struct Use {
    static constexpr uint32_t kTried = 64, kDeclined = 512;
    uint64_t draw = 0;
    uint32_t begun = 0, joined = 0, declined = 0;  ///< blocks deferred, primitives added to a deferred block, refused since
    bool worth() {
      if (begun < kTried || joined * 2 >= begun) return true;
      if (++declined < kDeclined) return false;
      begun = joined = declined = 0;
      return true;
    }
  } use;

  static uint32_t index(int32_t x, int32_t y) {
    return static_cast<uint32_t>(y >> 2 & int32_t{kAcross - 1}) * kAcross + static_cast<uint32_t>(x >> 2 & int32_t{kAcross - 1});
  }
};

}  // namespace pumice::hw::fast
