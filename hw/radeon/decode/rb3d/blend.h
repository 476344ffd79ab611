// SPDX-License-Identifier: MIT
/// The blend equation that RB3D_BLENDCNTL and RB3D_ABLENDCNTL select, pipeline s.9.2.
#pragma once
#include <cstdint>

#include "hw/radeon/decode/rb3d/pixel_format.h"

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

/// True for the codes the register lists. DESTBLEND also accepts the saturate factors: Vulkan requires them and no document forbids them.
bool valid_factor(uint32_t code);

}  // namespace pumice::hw::rb3d
