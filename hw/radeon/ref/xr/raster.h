// SPDX-License-Identifier: MIT
/// Rasterization of one shape of an extended draw.
#pragma once
#include "hw/radeon/draw/shape.h"
#include "hw/radeon/ref/xr/fragment.h"

namespace pumice::hw::xr {

void run(DrawContext& ctx, const Shape& shape);

DepthRange depth_range(const ChipState& state, uint32_t viewport);
/// Number and positions of the samples of a pixel.
sc::Samples samples_of(const ChipState& state);
/// The pixels that a primitive of the viewport may touch. `cut_by_viewport`: triangles.
sc::Bounds bounds_of(const ChipState& state, uint32_t viewport, bool cut_by_viewport);

}  // namespace pumice::hw::xr
