// SPDX-License-Identifier: MIT
/// Rasterization of one shape of an extended draw.
#pragma once
#include "hw/radeon/draw/extended.h"
#include "hw/radeon/draw/shape.h"

namespace pumice::hw::xr {

void run(DrawContext& ctx, const Shape& shape);

}  // namespace pumice::hw::xr
