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
  /// The change of a position's x (y) in clip space with one pixel in the window, for a vertex of that 1/w; 0 where the window does not
  /// depend on it.
  double clip_per_pixel(uint32_t axis, float inv_w) const {
    const Axis& a = axis_[axis];
    const double pixels = (a.scale_enabled ? double{a.scale} : 1.0) * (a.divided ? 1.0 : double{inv_w});
    return pixels == 0 ? 0.0 : 1 / pixels;
  }

 private:
  struct Axis {
    float scale, offset;
    bool scale_enabled, offset_enabled, divided;
  };
  std::array<Axis, 3> axis_;
  bool invert_w_;
};

}  // namespace pumice::hw::vap
