// SPDX-License-Identifier: MIT
/// Packed quads: quads of blocks that primitives of one draw covered in part, four of which, from anywhere in a layer, are one call of a
/// routine. For programs that see other lanes of their quad, which blocks of several primitives (collected.h) would mix. They are drawn
/// in the order in which they came, at the latest before another primitive covers one of their pixels, the facing, layer or viewport
/// changes, or the draw or the tile ends.
#pragma once
#include "hw/radeon/fast/extended/collected_use.h"
#include "hw/radeon/fast/extended/pixel_args.h"

namespace pumice::hw::fast::extended {

struct Packed {
  static constexpr uint32_t kQuads = 4;  ///< of a call
  struct Quad {
    int32_t x, y;      ///< its first pixel
    uint32_t covered;  ///< pixels, of 4 bits
  };
  Quad quad[kQuads] = {};
  uint32_t count = 0;                          ///< that wait
  bool back_facing = false;                    ///< of all
  uint32_t layer = ~0u, viewport = ~0u;        ///< of all
  const raster::Extended* extended = nullptr;  ///< of a primitive with that layer and viewport
  PackedLanes lanes;                           ///< four for each quad
  CollectedUses uses;

  /// Nothing waits.
  void begin(uint64_t job) {
    uses.begin(job);
    layer = viewport = ~0u;
  }
};

}  // namespace pumice::hw::fast::extended
