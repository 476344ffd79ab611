// SPDX-License-Identifier: MIT
/// Decoded register state of depth and stencil: the reference decodes it per quad, the fast executor once per draw.
#pragma once
#include <array>
#include <cstdint>

#include "hw/radeon/decode/surface/pixel_access.h"
#include "hw/radeon/decode/zb/depth_format.h"
#include "hw/radeon/decode/zb/fast_fill.h"
#include "hw/radeon/decode/zb/hiz.h"
#include "hw/radeon/regfile/chip_state.h"

namespace pumice::hw::zb {

inline constexpr char kSampleTilesText[] = "ZB_DEPTHPITCH: a multisampled depth buffer must be linear, nothing is drawn";
inline constexpr char kFormatText[] = "ZB_FORMAT: reserved DEPTHFORMAT, nothing is drawn";

struct StencilFace {
  uint32_t func = 7, fail = 0, zfail = 0, zpass = 0;
  uint32_t reference = 0, mask = 0, write_mask = 0;
};

struct Setup {
  bool cb_clear = false;         ///< whole microtiles that a pixel reaches become `clear`; there are no tests
  bool enabled = false;          ///< a test is on, or cb_clear; otherwise memory is not touched and everything passes
  bool reserved_format = false;  ///< while enabled: nothing is drawn
  bool sample_tiles = false;     ///< while enabled: multisampled and tiled, nothing is drawn
  bool zero_output = false;      ///< pixels are counted and written to depth, but none goes on to colour
  bool z_test = false, z_write = false, stencil = false, signed_compare = false, sign_magnitude = false, invert_13e3 = false;
  uint32_t z_func = 7;
  DepthFormat format = DepthFormat::z24s8;
  StencilFace face[2];   ///< front, back
  uint32_t samples = 1;  ///< per pixel
  surface::PixelAccess depth;
  int32_t x_offset = 0, y_offset = 0;
  FastFill fast_fill;
  Hiz hiz;
  uint32_t clear = 0;  ///< ZB_DEPTHCLEARVALUE as a pixel
};

Setup decode(const ChipState& state);

/// The pixels of a microtile of the surface; 1x1 when it has none.
struct Microtile {
  uint32_t width = 1, height = 1;
};
Microtile microtile(const surface::Layout& layout);

/// Extends the pixels x0 <= x < x1, y0 <= y < y1 of the surface to whole tiles: the area that a draw of these pixels may read and write.
void grow_to_tiles(const FastFill& fill, int64_t& x0, int64_t& y0, int64_t& x1, int64_t& y1);

}  // namespace pumice::hw::zb
