// SPDX-License-Identifier: MIT
/// An extended draw (X_CTRL.SHADERS): vertices, clipping, primitives to GA.
#pragma once
#include "hw/radeon/draw/extended.h"

namespace pumice::hw::xv {

void run(DrawContext& ctx, const DrawInput& input);

}  // namespace pumice::hw::xv
