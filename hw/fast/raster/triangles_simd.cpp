// SPDX-License-Identifier: MIT
/// See triangles_simd.h. Loops over 16 that the compiler turns into vectors; integers stay below 2^20 (su::snap), their products are exact
/// in double.
#include "hw/fast/raster/triangles_simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {

using raster::kUnit;
using raster::Lot;

namespace {

constexpr double kLimit = double{1 << 15} * kUnit;  // su::kGridPixels

/// su::snap_one.
void snap(int32_t* __restrict out, const float* __restrict in, bool nearest, int32_t offset) {
  const double bias = nearest ? 0.5 : 0.0;
  for (int i = 0; i < kLanes; ++i) {
    double s = static_cast<double>(in[i]) * kUnit;
    s = s > kLimit ? kLimit : s < -kLimit ? -kLimit : s;
    s += bias;
    const auto whole = static_cast<int32_t>(s);
    out[i] = whole - (static_cast<double>(whole) > s) + offset;
  }
}

}  // namespace

LaneMask snap_triangles(const raster::SnapPlan& plan, const raster::Triangle* t, uint32_t count, Lot& lot) {
  alignas(64) float x[3][kLanes] = {}, y[3][kLanes] = {};
  for (uint32_t i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k) {
      x[k][i] = t[i].vertex[k][0];
      y[k][i] = t[i].vertex[k][1];
    }
  for (int k = 0; k < 3; ++k) {
    snap(lot.x[k], x[k], plan.nearest, plan.offset_x);
    snap(lot.y[k], y[k], plan.nearest, plan.offset_y);
  }
  const int32_t cull_clockwise = plan.culled[1], cull_other = plan.culled[0];
  alignas(64) int32_t alive[kLanes];
  for (int i = 0; i < kLanes; ++i) {
    const int32_t ax = lot.x[0][i], ay = lot.y[0][i], bx = lot.x[1][i], by = lot.y[1][i], cx = lot.x[2][i], cy = lot.y[2][i];
    const double cross =
        static_cast<double>(bx - ax) * static_cast<double>(cy - ay) - static_cast<double>(cx - ax) * static_cast<double>(by - ay);
    const int32_t clockwise = cross > 0 ? 1 : 0;
    lot.clockwise[i] = clockwise;
    const int32_t low_x = ax < bx ? (ax < cx ? ax : cx) : (bx < cx ? bx : cx), high_x = ax > bx ? (ax > cx ? ax : cx) : (bx > cx ? bx : cx);
    const int32_t low_y = ay < by ? (ay < cy ? ay : cy) : (by < cy ? by : cy), high_y = ay > by ? (ay > cy ? ay : cy) : (by > cy ? by : cy);
    // Pixels whose centre lies in the closed box.
    int32_t x0 = (low_x + kUnit / 2 - 1) >> 4, y0 = (low_y + kUnit / 2 - 1) >> 4, x1 = (high_x - kUnit / 2) >> 4,
            y1 = (high_y - kUnit / 2) >> 4;
    x0 = x0 > plan.x0 ? x0 : plan.x0;
    y0 = y0 > plan.y0 ? y0 : plan.y0;
    x1 = x1 < plan.x1 ? x1 : plan.x1;
    y1 = y1 < plan.y1 ? y1 : plan.y1;
    lot.x0[i] = x0, lot.y0[i] = y0, lot.x1[i] = x1, lot.y1[i] = y1;
    alive[i] = (cross != 0) & (x0 <= x1) & (y0 <= y1) & ((clockwise ? cull_clockwise : cull_other) ^ 1);
  }
  uint32_t mask = 0;
  for (uint32_t i = 0; i < count; ++i) mask |= static_cast<uint32_t>(alive[i]) << i;
  return static_cast<LaneMask>(mask);
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
