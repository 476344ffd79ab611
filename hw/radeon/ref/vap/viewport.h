// SPDX-License-Identifier: MIT
/// VTE: perspective divide and viewport transform (pipeline s.2.3).
#pragma once
#include "hw/radeon/ref/vap/outputs.h"

namespace pumice::hw::vap {

class Viewport {
 public:
  explicit Viewport(const ChipState& state);
  /// Fills window.x, y, z, inv_w. False when one of them is not finite: the primitive is dropped.
  bool transform(ClipVertex& v) const;

 private:
  struct Axis {
    float scale, offset;
    bool scale_enabled, offset_enabled, divided;
  };
  std::array<Axis, 3> axis_;
  bool invert_w_;
};

}  // namespace pumice::hw::vap
