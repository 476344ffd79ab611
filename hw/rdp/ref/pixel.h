// SPDX-License-Identifier: MIT
/// What one- and two-cycle mode share: from the combined pixel to memory (docs/reference/rdp.md section 9.1, steps 5 to 7).
#pragma once
#include "hw/rdp/ref/blender.h"
#include "hw/rdp/ref/combiner.h"
#include "hw/rdp/ref/dither.h"
#include "hw/rdp/ref/draw.h"
#include "hw/rdp/ref/span.h"

namespace pumice::hw::rdp {

/// A pixel on its way to memory.
struct PixelOut {
  int x = 0, y = 0;
  int coverage = 0;  // count, after the alpha fix-up
  bool coverage_bit = false;
  uint32_t z = 0;
  CombinedPixel combined;
  int32_t compare_alpha = 0;     // what alpha compare looks at
  int32_t last_shade_alpha = 0;  // shade alpha of the final blender stage
  Dither dither;
  int32_t noise_threshold = 0;
};

/// Depth, alpha compare, blender, dither, write. `cycles` is the number of blender stages.
void finish_pixel(const DrawTarget& target, const SpanSetup& setup, PixelOut& p, int cycles);

/// TEXEL0, TEXEL1 and LOD_FRAC of pixel k in combiner cycle 0, for the SIMD path.
void two_cycle_texels(const DrawTarget& target, const Primitive& primitive, const SpanSetup& setup, const Span& span, const Span& next,
                      int k, CombineInputs& in);

}  // namespace pumice::hw::rdp
