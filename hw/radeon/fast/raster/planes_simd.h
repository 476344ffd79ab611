// SPDX-License-Identifier: MIT
/// Computes planes of 1/w and the interpolants from a Record, and block values from planes (hw/radeon/ref/su/interpolant.h), vectorised
/// across interpolants. Loops over eight are vectorised by the compiler. Called with FTZ and DAZ set: conversions flush
/// (hw/radeon/ref/su/interpolant.h, narrow()).
#pragma once
#include <cstdint>

#include "hw/radeon/fast/raster/record.h"
#include "hw/radeon/jit/us/block.h"

namespace pumice::hw::fast::raster {

/// Of one primitive: value = (origin + x*dx) + y*dy, the steps per pixel rounded to float. Constants have steps of -0.
struct alignas(64) Planes {
  double origin[kMaxInterpolants], dx[kMaxInterpolants], dy[kMaxInterpolants];
  float step_x[kMaxInterpolants], step_y[kMaxInterpolants];
  uint32_t factor[kMaxInterpolants];  ///< ShadeArgs::factor
  double w, w_dx, w_dy;
  float w_step_x, w_step_y;
  bool same_w;         ///< 1/w is the same at all points, or not interpolated
  bool negative_zero;  ///< an interpolant is the constant -0
};

}  // namespace pumice::hw::fast::raster

#ifdef PUMICE_SIMD
namespace pumice::hw::fast::PUMICE_SIMD {

/// `perspective`: GB_SELECT.W_SELECT; `linear`: Routing::linear.
inline void make_planes(raster::Planes& p, const raster::Record& r, bool perspective, uint64_t linear) {
  const double w0 = r.inv_w[0], w1 = r.inv_w[1], w2 = r.inv_w[2], unit = r.unit;
  const double b1x = r.b1x, b1y = r.b1y, b2x = r.b2x, b2y = r.b2y;
  p.same_w = !perspective || (w0 == w1 && w0 == w2);
  p.w = p.same_w ? 1.0 : w0;
  p.w_dx = p.same_w ? -0.0 : (w1 - w0) * b1x + (w2 - w0) * b2x;
  p.w_dy = p.same_w ? -0.0 : (w1 - w0) * b1y + (w2 - w0) * b2y;
  p.w_step_x = static_cast<float>(p.w_dx * unit);
  p.w_step_y = static_cast<float>(p.w_dy * unit);
  const float* value = r.values();
  const uint32_t stride = r.stride;
  uint32_t negative_zero = 0;
  for (uint32_t first = 0; first < stride; first += 8) {
    const uint32_t multiply = p.same_w ? 0 : ~static_cast<uint32_t>(linear >> first);
    for (uint32_t i = 0; i < 8; ++i) {
      const uint32_t n = first + i;
      const double v0 = value[n], v1 = value[stride + n], v2 = value[2 * stride + n];
      const bool constant = v0 == v1 && v0 == v2;
      const bool times_w = !constant && (multiply >> i & 1);
      const double a0 = times_w ? v0 * w0 : v0, a1 = times_w ? v1 * w1 : v1, a2 = times_w ? v2 * w2 : v2;
      const double d1 = a1 - a0, d2 = a2 - a0;
      const double dx = constant ? -0.0 : d1 * b1x + d2 * b2x, dy = constant ? -0.0 : d1 * b1y + d2 * b2y;
      p.origin[n] = a0;
      p.dx[n] = dx;
      p.dy[n] = dy;
      p.step_x[n] = static_cast<float>(dx * unit);
      p.step_y[n] = static_cast<float>(dy * unit);
      p.factor[n] = times_w;
      negative_zero |= constant && v0 == 0 && __builtin_signbit(v0);
    }
  }
  p.negative_zero = negative_zero != 0;
}

/// base and base_w of the block whose first pixel's centre is (px, py) grid steps from point 0.
inline void interpolate(ShadeArgs& args, const raster::Planes& p, uint32_t stride, double px, double py) {
  for (uint32_t first = 0; first < stride; first += 8)
    for (uint32_t i = 0; i < 8; ++i) {
      const uint32_t n = first + i;
      args.base[n] = static_cast<float>((p.origin[n] + px * p.dx[n]) + py * p.dy[n]);
    }
  if (p.negative_zero)  // 0 * -0 would lose the sign
    for (uint32_t n = 0; n < stride; ++n)
      if (p.origin[n] == 0 && p.dx[n] == 0 && p.dy[n] == 0) args.base[n] = static_cast<float>(p.origin[n]);
  args.base_w = p.same_w ? 1.0f : static_cast<float>((p.w + px * p.w_dx) + py * p.w_dy);
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
#endif
