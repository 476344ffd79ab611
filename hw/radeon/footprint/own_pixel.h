// SPDX-License-Identifier: MIT
/// Which lookups of a fragment program read the texel at their own pixel's coordinates: programs that blend by themselves.
#pragma once
#include <span>
#include <vector>

#include "hw/db/isa_us_r500.h"

namespace pumice::hw::footprint {

/// By slot: whether it is a FETCH whose x and y are the fragment coordinate's, rounded down. False where that is not obvious: behind
/// arithmetic, predicates, calls, or flow control between the coordinate and the lookup.
std::vector<bool> own_pixel_fetches(std::span<const isa::us_r500::Instruction> code);

}  // namespace pumice::hw::footprint
