// SPDX-License-Identifier: MIT
/// Colour output of extended draws (docs/r5x.md, section 7), scalar reference.
#pragma once
#include "hw/radeon/decode/xb/target.h"
#include "hw/radeon/decode/xt/texel.h"
#include "hw/radeon/memory/memory.h"

namespace pumice::hw::xb {

/// Where a sample lies; `layer` counts from the first layer of the target.
struct Place {
  uint32_t x = 0, y = 0, layer = 0, sample = 0;
};
/// Blends (or combines) `color` with one sample of an enabled target and stores it. Raw bits, floats or integers by the format's class;
/// `second`: the second source of blending. Outside of the target: nothing.
void write(Memory& memory, const Target& target, const Place& place, const xt::Bits4& color, const xt::Bits4& second);

}  // namespace pumice::hw::xb
