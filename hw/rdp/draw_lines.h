// SPDX-License-Identifier: MIT
/// Draws one primitive, scanline after scanline, with the SIMD path or the scalar reference.
#pragma once
#include "hw/rdp/fast/painter.h"
#include "hw/rdp/ref/draw.h"

namespace pumice::hw::rdp {

/// Draws the lines of a range. The state must have passed check_draw.
void draw_lines(const DrawTarget& target, const Primitive& primitive, Execution execution, LineRange lines, fast::Painter& painter);

}  // namespace pumice::hw::rdp
