// SPDX-License-Identifier: MIT
/// Depth bounds, stencil and depth test of one sample of an extended draw (docs/r5x.md, section 8), scalar reference.
#pragma once
#include "hw/radeon/decode/xz/depth.h"
#include "hw/radeon/memory/memory.h"

namespace pumice::hw::xz {

struct Sample {
  uint32_t x = 0, y = 0, layer = 0, sample = 0;
  float z = 0;
  bool back_facing = false;
  uint8_t reference = 0;  ///< of the stencil test, where the program exports one
  bool own_reference = false;
};
/// Whether the sample passes; updates memory. Outside of the target: false.
bool test(Memory& memory, const DepthTarget& target, const Sample& sample);

}  // namespace pumice::hw::xz
