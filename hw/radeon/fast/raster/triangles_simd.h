// SPDX-License-Identifier: MIT
/// Sixteen triangles at a time: sub-pixel grid, facing, culling, the box of pixels, planes, coverage of small ones (hw/radeon/ref/su,
/// hw/radeon/ref/ga/primitive.cpp, hw/radeon/ref/sc/scan.cpp). Plain data.
#pragma once
#include <cstdint>

#include "hw/common/simd/cpu.h"
#include "hw/radeon/decode/sc/samples.h"
#include "hw/radeon/fast/raster/record.h"
#include "hw/radeon/jit/us/block.h"

namespace pumice::hw::fast::raster {

/// Pointers to the floats of a WindowVertex.
struct Triangle {
  const float* vertex[3];
  const float* provoking;
};

struct SetupPlan {
  int32_t log2 = 4;      ///< of the grid steps per pixel: 4 (kUnit), or 8 in extended draws
  bool nearest = false;  ///< GA_ROUND_MODE.GEOMETRY_ROUND
  int32_t offset_x = 0, offset_y = 0;
  int32_t left = kUnit / 2, top = kUnit / 2, right = kUnit / 2, bottom = kUnit / 2;  ///< of all samples in a pixel, rounded outwards
  uint32_t samples = 1;                                                              ///< of a pixel
  int32_t steps = sc::Samples::kSteps;                                               ///< sample positions count 1/steps pixel: 12 or 16
  sc::Samples::Position at[sc::Samples::kMost];
  int32_t across = 2;  ///< small triangles touch at most so many blocks across and down; 3 if single-sampled only
  int32_t unit() const { return 1 << log2; }
  bool culled[2] = {};                     ///< index: 1 if clockwise on the screen (y down)
  int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;  ///< pixels that may be covered, inclusive
  uint32_t edge_out = 0;                   ///< SC_EDGERULE: samples on an edge are outside, bit 3 * (sign of dx + 1) + sign of dy + 1
  double z_scale = 1, z_offset = 0, z_low = 0, z_high = 1;
  bool z_as_it_is = false;  ///< scale and offset are identities
};

inline constexpr double kFixedOne = 16777215.0;

struct alignas(64) Lot {
  int32_t x[3][kLanes], y[3][kLanes];                      ///< on the grid
  int32_t x0[kLanes], y0[kLanes], x1[kLanes], y1[kLanes];  ///< pixels, inclusive
  int32_t clockwise[kLanes];                               ///< 0 or 1
  /// Of small ones: the pixels between the edges, of the blocks from (x0 & ~3, y0 & ~3) on; the left block's in the low half. The scissor
  /// is not applied.
  struct Covered {
    uint32_t rows[2][kLanes];
  };
  Covered covered[sc::Samples::kMost];  ///< by sample
  /// The rest of 3x3 blocks: the third row's first two as above; of the third column the first two rows', then the third's.
  uint32_t third_row[kLanes], third_column[2][kLanes];
  double b1x[kLanes], b1y[kLanes], b2x[kLanes], b2y[kLanes];  ///< su::Planes
  double z[kLanes], z_dx[kLanes], z_dy[kLanes];               ///< su::depth, without polygon offset
  LaneMask small;                                             ///< the box touches at most SetupPlan::across blocks across and down
  LaneMask larger;                                            ///< of these: more than 2
};

/// Fills the lot; bit i: triangle i is not culled, has a sample in its box, and has coverage if it is small. `count` is not 0.
/// Called without FTZ and DAZ.
using SetupRoutine = LaneMask (*)(const SetupPlan& plan, const Triangle* triangles, uint32_t count, Lot& lot);
SetupRoutine setup_routine(Cpu cpu);

/// The same one triangle at a time, none of them as a small one: faster up to kFew.
inline constexpr uint32_t kFew = 3;
LaneMask set_up_few(const SetupPlan& plan, const Triangle* triangles, uint32_t count, Lot& lot);

}  // namespace pumice::hw::fast::raster
