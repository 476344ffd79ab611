// SPDX-License-Identifier: MIT
/// The blend equation, pipeline s.9.2. All arithmetic is binary32, one rounding per operation:
///   a = src*sf, b = dst*df, result = a + b | a - b | b - a; then the clamp codes clamp.
/// A factor *code* ZERO drops its term (so that values such as NaN in unread memory have no effect); a factor that computes to 0 does not.
#pragma once
#include "hw/radeon/decode/rb3d/blend.h"

namespace pumice::hw::rb3d {

struct BlendInput {
  Components src, dst, constant;
};

/// Component `c` of the blended pixel; alpha is C3. `kind` is the destination's: the clamp codes clamp to what it holds, to [0,1] for
/// floats.
float blend(const Equation& equation, const BlendInput& in, uint32_t c, Kind kind);

}  // namespace pumice::hw::rb3d
