// SPDX-License-Identifier: MIT
/// Programs that only pass a texel on: what hw/radeon/fast/blit draws by rows.
#pragma once
#include "hw/radeon/jit/lane/ir.h"
#include "hw/radeon/jit/us/block.h"

namespace pumice::hw::fast::us {

/// A program that is one lookup by interpolated coordinates: its only colours are channels of the texel, 0 or 1.
struct TexelCopy {
  static constexpr uint8_t kZero = 4, kOne = 5;
  bool is = false;
  bool unscaled = false;    ///< TEX_INST.UNSCALED
  uint8_t unit = 0;         ///< texture unit, instruction LD
  uint8_t target = 0;       ///< ShadeArgs::color[target]
  uint8_t s = 0, t = 0;     ///< interpolants
  uint8_t channel[4] = {};  ///< of r, g, b, a: channel of the texel, kZero, kOne. Values in 0..1 come out as they are
};

/// Of a program without TEXKILL.
TexelCopy find_texel_copy(const lane::Program& program);

}  // namespace pumice::hw::fast::us
