// SPDX-License-Identifier: MIT
/// Inputs and outputs of the routine for blocks of pixels (pixel_code.h). One object per thread.
#pragma once
#include "hw/radeon/draw/extended.h"
#include "hw/radeon/fast/raster/record.h"
#include "hw/radeon/jit/x/args.h"

namespace pumice::hw::fast::extended {

inline constexpr uint32_t kMostSamples = 8, kColorTargets = 8;
inline constexpr uint32_t kMostPlanes = 4 * hw::x::kVaryings + 8;  ///< point coordinates; a multiple of 8

inline constexpr uint32_t kMostBlocks = 16;  ///< of one call

/// Addressing of a target in one draw.
struct alignas(64) TargetConstants {
  Lanes offset;                      ///< bytes from the block's first pixel, of sample 0
  uint32_t of_sample[kMostSamples];  ///< bytes from sample 0
  lane::BlockRows rows[kMostSamples];
};

/// Constant during a draw.
struct PixelConstants {
  TargetConstants depth;
  TargetConstants color[kColorTargets];
  float blend[4] = {};
  float bounds_min = 0, bounds_max = 1;
  float sample_x[kMostSamples] = {}, sample_y[kMostSamples] = {};  ///< from the centre, in pixels
};

/// By lane, for routines of collected pixels (PixelKey::collected): what another routine computes from planes, at most kMost components.
template <uint32_t kMost>
struct InputLanes {
  Lanes z, w;          ///< not limited; 1/w
  Lanes value[kMost];  ///< the varyings by plane, then the flat components
};
inline constexpr uint32_t kMostCollected = 16, kMostPacked = 48;
/// Of a block of several primitives (collected.h).
using CollectedLanes = InputLanes<kMostCollected>;
/// Of four quads from anywhere in a layer (packed.h).
struct PackedLanes {
  InputLanes<kMostPacked> inputs;
  Lanes x, y;  ///< the pixel's, whole numbers
};

struct alignas(64) PixelArgs {
  GroupArgs group;
  // Of the draw.
  const PixelConstants* constants = nullptr;
  // Of the primitive.
  const raster::Extended* extended = nullptr;
  const float* values = nullptr;  ///< of point 0, by plane
  const void* lanes = nullptr;    ///< CollectedLanes or PackedLanes
  float z_step_x = 0, z_step_y = 0, w_step_x = 0, w_step_y = 0;
  float z_low = 0, z_high = 1;
  uint32_t front = 0;                              ///< ~0: front facing
  uint32_t reference = 0, compare = 0, write = 0;  ///< stencil, of the facing
  float step_x[kMostPlanes], step_y[kMostPlanes];
  uint32_t count = 0;  ///< blocks
  // By block, at the centre of its first pixel. The routine has a pointer for rows of dwords and one for views, which move from block to
  // block.
  template <class T>
  using ByBlock = T[kMostBlocks];
  /// Rows of blocks are added by whole vectors: what is behind the last block is not read.
  using Views = lane::BufferView[kMostBlocks + 4];
  alignas(64) ByBlock<float> x = {}, y = {};
  ByBlock<float> w = {};
  ByBlock<float> z[kMostSamples] = {};  ///< at the samples
  ByBlock<float> base[kMostPlanes];
  Views depth;                                   ///< from its first pixel on
  Views color[kColorTargets];                    ///< likewise
  ByBlock<uint32_t> covered[kMostSamples] = {};  ///< LaneMask
  uint32_t quads[2 * kMostBlocks] = {};          ///< LaneMask of all pixels of quads with a covered one
  // Results.
  ByBlock<uint32_t> passed[kMostSamples] = {};  ///< LaneMask of those that passed the tests
  Lanes passed_bits;                            ///< of the loop over samples with late tests, of one block: bits by sample
};
static_assert(offsetof(PixelArgs, group) == 0);

}  // namespace pumice::hw::fast::extended
