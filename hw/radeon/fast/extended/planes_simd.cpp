// SPDX-License-Identifier: MIT
/// See planes.h. Loops over eight are vectorised by the compiler.
#include "hw/radeon/fast/extended/planes.h"

namespace pumice::hw::fast::PUMICE_SIMD {

using extended::PixelArgs;
using extended::Planes;

namespace {

void make(Planes& p, PixelArgs& args, const raster::Record& r, const uint8_t* linear) {
  const double w0 = r.inv_w[0], w1 = r.inv_w[1], w2 = r.inv_w[2], unit = r.unit;
  const double b1x = r.b1x, b1y = r.b1y, b2x = r.b2x, b2y = r.b2y;
  const double dw1 = w1 - w0, dw2 = w2 - w0;
  p.w = w0;
  p.w_dx = dw1 * b1x + dw2 * b2x;
  p.w_dy = dw1 * b1y + dw2 * b2y;
  args.w_step_x = static_cast<float>(p.w_dx * unit);
  args.w_step_y = static_cast<float>(p.w_dy * unit);
  const float* value = r.values();
  const uint32_t stride = r.stride;
  for (uint32_t first = 0; first < stride; first += 8)
    for (uint32_t i = 0; i < 8; ++i) {
      const uint32_t n = first + i;
      const double v0 = value[n], v1 = value[stride + n], v2 = value[2 * stride + n];
      const bool is_linear = linear[n];
      const double s1 = v1 == v0 ? 0.0 : (v1 - v0) * w1, s2 = v2 == v0 ? 0.0 : (v2 - v0) * w2;
      const double d1 = is_linear ? v1 - v0 : s1, d2 = is_linear ? v2 - v0 : s2;
      const double dx = d1 * b1x + d2 * b2x, dy = d1 * b1y + d2 * b2y;
      p.origin[n] = is_linear ? v0 : 0.0;
      p.dx[n] = dx;
      p.dy[n] = dy;
      args.step_x[n] = static_cast<float>(dx * unit);
      args.step_y[n] = static_cast<float>(dy * unit);
    }
}

void at(const Planes& p, PixelArgs& args, uint32_t stride, double x, double y) {
  args.w = static_cast<float>((p.w + x * p.w_dx) + y * p.w_dy);
  for (uint32_t first = 0; first < stride; first += 8)
    for (uint32_t i = 0; i < 8; ++i) {
      const uint32_t n = first + i;
      args.base[n] = static_cast<float>((p.origin[n] + x * p.dx[n]) + y * p.dy[n]);
    }
}

}  // namespace

extern const extended::PlaneRoutines kPlaneRoutines;
const extended::PlaneRoutines kPlaneRoutines{make, at};

}  // namespace pumice::hw::fast::PUMICE_SIMD
