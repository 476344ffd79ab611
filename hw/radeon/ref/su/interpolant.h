// SPDX-License-Identifier: MIT
/// Evaluates a plane at pixels: in double at the first pixel of a 4x4 block, in float inside the block (hw/radeon/fast/README.md,
/// Numerics). The fast executor does the same 16 pixels at a time with FTZ and DAZ set; here flushing is written out.
#pragma once
#include <cmath>
#include <cstdint>

#include "hw/common/numerics/float_bits.h"

namespace pumice::hw::su {

/// value(x, y) = (origin + x*dx) + y*dy in double, in exactly this order; x, y in grid steps from the shape's point 0.
struct Plane {
  double origin, dx, dy;
  double at(double x, double y) const { return (origin + x * dx) + y * dy; }
};

/// v rounded to float; results that are tiny after rounding to 24 bits with unbounded exponent become zero of the same sign, as with FTZ.
inline float narrow(double v) {
  constexpr double kTiny = 0x1p-126 - 0x1p-151;  // from here on 24 bits round up to the smallest normal number (the tie to even, too)
  return std::fabs(v) < kTiny ? static_cast<float>(std::copysign(0.0, v)) : static_cast<float>(v);
}
inline float flushed_sum(float a, float b) { return num::flush_denormal(a + b); }  // tiny sums are exact: nothing was rounded before
inline float flushed_product(float a, float b) { return narrow(double{a} * b); }   // the product is exact in double

struct Interpolant {
  Plane plane{};
  float step_x = 0, step_y = 0;  ///< per pixel
  bool constant = false;         ///< plane.origin everywhere, exactly (denormals flushed)

  static Interpolant fixed(float v) { return {{double{v}, 0, 0}, 0, 0, true}; }
  static Interpolant along(const Plane& p, int32_t unit) { return {p, narrow(p.dx * unit), narrow(p.dy * unit), false}; }

  /// At the centre of a block's first pixel, x and y grid steps from point 0.
  float base(double x, double y) const { return narrow(constant ? plane.origin : plane.at(x, y)); }
  /// Of pixel (i, j) of the block. -0 changes no number it is added to.
  float offset(int32_t i, int32_t j) const {
    return constant ? -0.0f : flushed_sum(static_cast<float>(i) * step_x, static_cast<float>(j) * step_y);
  }
};

}  // namespace pumice::hw::su
