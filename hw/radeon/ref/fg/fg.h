// SPDX-License-Identifier: MIT
/// Fog and alpha test of one quad with registers already decoded.
#pragma once
#include "hw/radeon/decode/fg/setup.h"
#include "hw/radeon/draw/draw.h"

namespace pumice::hw::fg {

/// One quad: changes r,g,b of target 0's `color` by the fog of `source`, returns the mask of the surviving pixels.
uint8_t run_quad(const Setup& setup, const std::array<float, 4>& source, std::array<Vec4, 4>& color, uint8_t mask);

}  // namespace pumice::hw::fg
