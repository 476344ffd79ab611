// SPDX-License-Identifier: MIT
/// Blender (docs/reference/rdp.md section 17).
#pragma once
#include "hw/rdp/ref/combiner.h"
#include "hw/rdp/ref/depth.h"
#include "hw/rdp/ref/framebuffer.h"

namespace pumice::hw::rdp {

/// The divider as a table: [4-bit denominator][11-bit numerator].
const uint8_t* divide_table();

using Rgb = std::array<int32_t, 3>;

struct BlendInputs {
  Rgb pixel{};
  int32_t pixel_alpha = 0, shade_alpha = 0;
  MemoryPixel memory;
  int shift_a = 0, shift_b = 0;
};

/// First stage of two-cycle mode: always multiplies and adds.
Rgb blend_first(const State& state, const BlendCycle& cycle, const BlendInputs& in);
/// Final stage, with all its short-cuts.
Rgb blend_last(const State& state, const BlendCycle& cycle, const BlendInputs& in, const DepthResult& depth);

}  // namespace pumice::hw::rdp
