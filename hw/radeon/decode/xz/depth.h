// SPDX-License-Identifier: MIT
/// X_ZB: the depth and stencil target of extended draws (docs/r5x.md, section 8), as plain data.
#pragma once
#include <array>
#include <cstdint>

#include "hw/radeon/decode/xt/descriptor.h"
#include "hw/radeon/regfile/chip_state.h"

namespace pumice::hw::xz {

/// Compare functions and stencil operations by their codes (never, less, ...; keep, zero, replace, increment and clamp, decrement and
/// clamp, invert, increment and wrap, decrement and wrap).
struct StencilFace {
  uint8_t func = 7, fail = 0, pass = 0, depth_fail = 0, reference = 0, compare_mask = 0, write_mask = 0;
  bool operator==(const StencilFace&) const = default;
};

struct DepthTarget {
  bool enabled = false;
  xt::Image image;
  bool has_depth = false, has_stencil = false;
  bool depth_test = false, depth_write = false, stencil_test = false, bounds_test = false;
  uint8_t depth_func = 7;
  std::array<StencilFace, 2> face{};  ///< front, back
  float bounds_min = 0, bounds_max = 1;
  bool operator==(const DepthTarget&) const = default;
  /// Nothing is read or written, and every sample passes.
  bool passes_all() const { return !enabled || !(depth_test || stencil_test || bounds_test); }
};

DepthTarget decode(const ChipState& state);

}  // namespace pumice::hw::xz
