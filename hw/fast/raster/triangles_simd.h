// SPDX-License-Identifier: MIT
/// Sixteen triangles at a time: sub-pixel grid, facing, culling, the box of pixels (hw/su/grid.cpp, hw/ga/primitive.cpp, hw/sc/scan.cpp).
/// Plain data.
#pragma once
#include <cstdint>

#include "hw/fast/block.h"
#include "hw/fast/simd/cpu.h"

namespace pumice::hw::fast::raster {

/// Pointers to the floats of a WindowVertex.
struct Triangle {
  const float* vertex[3];
  const float* provoking;
};

struct SnapPlan {
  bool nearest = false;  ///< GA_ROUND_MODE.GEOMETRY_ROUND
  int32_t offset_x = 0, offset_y = 0;
  bool culled[2] = {};                     ///< by: turns clockwise on the screen (y down)
  int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;  ///< pixels that may be covered, inclusive
};

inline constexpr int32_t kUnit = 16;  ///< grid steps a pixel

struct alignas(64) Lot {
  int32_t x[3][kLanes], y[3][kLanes];                      ///< on the grid
  int32_t x0[kLanes], y0[kLanes], x1[kLanes], y1[kLanes];  ///< pixels, inclusive
  int32_t clockwise[kLanes];                               ///< 0 or 1
};

/// Fills the lot; bit i: triangle i is not culled and has a pixel's centre in its box. Called without FTZ and DAZ.
using SnapRoutine = LaneMask (*)(const SnapPlan& plan, const Triangle* triangles, uint32_t count, Lot& lot);
SnapRoutine snap_routine(Cpu cpu);

}  // namespace pumice::hw::fast::raster
