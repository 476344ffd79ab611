// SPDX-License-Identifier: MIT
/// The depth and stencil tests of one quad with registers already decoded; the fast executor uses it for cases its routines do not cover.
#pragma once
#include "hw/radeon/decode/zb/setup.h"
#include "hw/radeon/draw/draw.h"

namespace pumice::hw::zb {

/// The tests and writes of one quad's sample: mask of the pixels that pass, before ZERO_OUTPUT_MASK and without counting.
uint8_t run_tests(const Setup& setup, Memory& memory, const Quad& q, uint8_t mask, const std::array<float, 4>& z, uint32_t sample = 0);

}  // namespace pumice::hw::zb
