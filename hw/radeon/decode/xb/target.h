// SPDX-License-Identifier: MIT
/// X_CB: colour targets of extended draws (docs/r5x.md, section 7), as plain data.
#pragma once
#include <array>
#include <cstdint>

#include "hw/radeon/decode/xt/descriptor.h"
#include "hw/radeon/regfile/chip_state.h"

namespace pumice::hw::xb {

inline constexpr uint32_t kTargets = most::x_targets;

/// Blend factors and operations by their codes in X_CB_BLEND.
struct BlendEquation {
  uint8_t source = 1, destination = 0, operation = 0;
  bool operator==(const BlendEquation&) const = default;
};

struct Target {
  bool enabled = false;
  xt::Image image;  ///< one level, layers from the first one of the view
  uint8_t write_mask = 0;
  bool blend = false, logic = false;
  uint8_t logic_op = 0;
  BlendEquation color, alpha;
  std::array<float, 4> constant{};  ///< of target 0, for all
  bool operator==(const Target&) const = default;
};

/// A target that is off, or whose format is no plain one, is not enabled.
Target decode(const ChipState& state, uint32_t n);

}  // namespace pumice::hw::xb
