// SPDX-License-Identifier: MIT
/// Resolving one quad, pipeline s.9.4; numerics: README.md, "Multisampling".
#pragma once
#include "hw/radeon/decode/rb3d/resolve.h"

namespace pumice::hw::rb3d {

/// Of `samples` stored pixels, one behind the other.
PixelBits average(const Resolve& resolve, const PixelBits* sample);

/// Resolves `mask` of the quad at (x, y); a pixel of which a sample or the destination is not in memory is dropped.
void resolve_quad(const Resolve& resolve, Memory& memory, int32_t x, int32_t y, uint8_t mask);

}  // namespace pumice::hw::rb3d
