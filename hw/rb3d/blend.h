// SPDX-License-Identifier: MIT
/// The blend equation, pipeline s.9.2. All arithmetic is binary32, one rounding an operation:
///   a = src*sf, b = dst*df, result = a + b | a - b | b - a; then the clamp codes clamp.
/// A factor *code* ZERO drops its term (so that unread garbage such as NaN cannot come through); a factor that computes to 0 does not.
#pragma once
#include <cstdint>

#include "hw/rb3d/pixel_format.h"

namespace pumice::hw::rb3d {

/// What a factor code stands for. `both` codes are resolved, reserved codes are `zero`.
enum class Factor : uint8_t {
  zero,
  one,
  src_color,
  inv_src_color,
  src_alpha,
  inv_src_alpha,
  dst_alpha,
  inv_dst_alpha,
  dst_color,
  inv_dst_color,
  src_alpha_saturate,
  constant_color,
  inv_constant_color,
  constant_alpha,
  inv_constant_alpha,
};

/// COMB_FCN (its codes), SRCBLEND and DESTBLEND of RB3D_BLENDCNTL or RB3D_ABLENDCNTL.
struct Equation {
  uint8_t function = 0;
  Factor src = Factor::zero, dst = Factor::zero;
  bool operator==(const Equation&) const = default;
};

/// From the register codes.
Equation equation(uint32_t function, uint32_t src_code, uint32_t dst_code);

/// True for the codes the register lists. DESTBLEND also takes the saturate factors: Vulkan asks for them and nothing forbids them.
bool valid_factor(uint32_t code);

struct BlendInput {
  Components src, dst, constant;
};

/// Component `c` of the blended pixel; alpha is C3. `kind` is the destination's: the clamp codes clamp to what it holds, to [0,1] for
/// floats.
float blend(const Equation& equation, const BlendInput& in, uint32_t c, Kind kind);

}  // namespace pumice::hw::rb3d
