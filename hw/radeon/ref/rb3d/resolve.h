// SPDX-License-Identifier: MIT
/// Resolving one quad, pipeline s.9.4; numerics: README.md, "Multisampling".
#pragma once
#include "hw/radeon/decode/rb3d/resolve.h"

namespace pumice::hw::rb3d {

/// Averages `samples` stored pixels, contiguous in memory.
PixelBits average(const Resolve& resolve, const PixelBits* sample);

/// Resolves `mask` of the quad at (x, y); pixels with an unbacked sample or destination are dropped.
void resolve_quad(const Resolve& resolve, Memory& memory, int32_t x, int32_t y, uint8_t mask);

}  // namespace pumice::hw::rb3d
