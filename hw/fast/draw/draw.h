// SPDX-License-Identifier: MIT
/// A draw as the tiles see it: everything that registers say, looked at once. Immutable once the first shape was binned.
#pragma once
#include <memory>

#include "hw/draw/draw.h"
#include "hw/fast/block.h"
#include "hw/fast/raster/setup.h"

namespace pumice::hw::fast {

struct Worker;

/// A block on its way: w.z is filled, `mask` is what the shape covers and clip rectangles and screen door leave.
using BlockStage = void (*)(Worker& w, const raster::Record& record, int32_t x, int32_t y, LaneMask mask);

struct Draw {
  raster::Routing routing;
  raster::Stencil stencil;
  BlockStage stage = nullptr;      ///< instead of the pipe of tile_simd.cpp
  DrawContext* context = nullptr;  ///< of `stage`
};

}  // namespace pumice::hw::fast
