// SPDX-License-Identifier: MIT
/// The blend equation, pipeline s.9.2. All arithmetic is binary32, one rounding an operation:
///   a = src*sf, b = dst*df, result = a + b | a - b | b - a; then the clamp codes clamp.
/// A factor *code* ZERO drops its term (so that unread garbage such as NaN cannot come through); a factor that computes to 0 does not.
#pragma once
#include <cstdint>

#include "hw/rb3d/pixel_format.h"

namespace pumice::hw::rb3d {

/// COMB_FCN, SRCBLEND and DESTBLEND of RB3D_BLENDCNTL or RB3D_ABLENDCNTL.
struct Equation {
  uint32_t function = 0, src = 0, dst = 0;
};

struct BlendInput {
  Components src, dst, constant;
};

/// True for the codes the register lists. DESTBLEND also takes the saturate factors: Vulkan asks for them and nothing forbids them.
bool valid_factor(uint32_t code);

/// Component `c` of the blended pixel; alpha is C3. `kind` is the destination's: the clamp codes clamp to what it holds, to [0,1] for
/// floats.
float blend(const Equation& equation, const BlendInput& in, uint32_t c, Kind kind);

}  // namespace pumice::hw::rb3d
