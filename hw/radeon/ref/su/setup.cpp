// SPDX-License-Identifier: MIT
/// Plane equations and depth (pipeline s.4). All in double from integer grid positions, + - * / only: the same bits on every CPU.
#include <algorithm>
#include <cmath>

#include "hw/radeon/draw/extended.h"
#include "hw/radeon/ref/su/su.h"

namespace pumice::hw::su {

/// Barycentric weights of points 1 and 2 as planes: b1(x,y) = x*b1x + y*b1y and so on, relative to point 0. The determinant is an integer
/// below 2^53 for triangles, so the four quotients carry one rounding each.
Planes::Planes(const Shape& s) {
  const double x1 = s.at[1].x - s.at[0].x, y1 = s.at[1].y - s.at[0].y;
  const double x2 = s.at[2].x - s.at[0].x, y2 = s.at[2].y - s.at[0].y;
  const double det = x1 * y2 - x2 * y1;
  if (det == 0) return;
  valid_ = true;
  b1x_ = y2 / det;
  b1y_ = -x2 / det;
  b2x_ = -y1 / det;
  b2y_ = x1 / det;
}

static constexpr double kFixedOne = 16777215.0;

/// Vertices of extended draws lie anywhere in depth; what is tested is limited (hw/radeon/ref/xr).
static constexpr double kAnyDepth = 3.4e38;

/// Depth in this model is 0..1 = fixed depth / (2^24 - 1), whatever ZB_FORMAT stores. With Mesa's SCALE 16777215 and OFFSET 0 it is the
/// vertex's own z (the product is exact in double).
DepthRange depth_range(const ChipState& state) {
  // Z_EXTENDED is required for depth clamping: vertices keep -2..2 and only pixels are clamped to 0..1 (Depth::at).
  if (x::shaders(state)) return {state.get_float<regs::SU_DEPTH_SCALE>(), state.get_float<regs::SU_DEPTH_OFFSET>(), -kAnyDepth, kAnyDepth};
  const bool extended = state.chip().has_z_extended && state.get<regs::GB_TILE_CONFIG>().Z_EXTENDED();
  return {state.get_float<regs::SU_DEPTH_SCALE>(), state.get_float<regs::SU_DEPTH_OFFSET>(), extended ? -2.0 : 0.0, extended ? 2.0 : 1.0};
}

/// Parallelograms count as front facing and need both enables. Slopes are by sub-pixel, so a driver writes the API's factor times 12 (or
/// 16). The constant counts steps of the 24.1 fixed-point depth (Mesa writes two per unit of a 24-bit buffer); UNCONFIRMED against the
/// register text, which says 0..2^24-1 units.
Bias polygon_offset(const ChipState& state, bool back, bool parallelogram) {
  const auto enable = state.get<regs::SU_POLY_OFFSET_ENABLE>();
  const bool on = parallelogram ? enable.FRONT_ENABLE() && enable.PARA_ENABLE() : back ? enable.BACK_ENABLE() : enable.FRONT_ENABLE();
  const double factor = back ? state.get_float<regs::SU_POLY_OFFSET_BACK_SCALE>() : state.get_float<regs::SU_POLY_OFFSET_FRONT_SCALE>();
  const double constant = back ? state.get_float<regs::SU_POLY_OFFSET_BACK_OFFSET>() : state.get_float<regs::SU_POLY_OFFSET_FRONT_OFFSET>();
  if (!x::shaders(state)) return {on, factor, constant * 0.5 / kFixedOne};
  const bool relative = state.get<regs::r5x::X_RS_BIAS_CTRL>().RELATIVE();
  return {on, factor, relative ? constant * 0.5 : constant * 0.5 / kFixedOne, state.get_float<regs::r5x::X_RS_BIAS_CLAMP>(), relative};
}

/// UNCONFIRMED: W is scaled like Z, behind its interpolation.
static Depth depth_of_w(const ChipState& state, const Shape& shape, const Planes& planes) {
  std::array<double, 3> inv_w{1, 1, 1};
  if (state.get<regs::GB_SELECT>().W_SELECT() == regs::GB_SELECT::W_SELECT__N1_W)
    for (int i = 0; i < 3; ++i) inv_w[i] = num::flush_denormal(shape.vertex[i]->inv_w);
  const DepthRange range = depth_range(state);
  return {Interpolant::along(planes.through(inv_w[0], inv_w[1], inv_w[2]), shape.unit), true, range.scale / kFixedOne,
          range.offset / kFixedOne};
}

Depth depth(const ChipState& state, const Shape& shape, const Planes& planes) {
  if (!x::shaders(state) && state.get<regs::GB_SELECT>().DEPTH_SELECT() == regs::GB_SELECT::DEPTH_SELECT__W)
    return depth_of_w(state, shape, planes);
  const DepthRange range = depth_range(state);
  std::array<double, 3> z;
  for (int i = 0; i < 3; ++i) {
    const double v = (num::flush_denormal(shape.vertex[i]->z) * range.scale + range.offset) / kFixedOne;
    z[i] = v >= range.low ? (v <= range.high ? v : range.high) : (v < range.low ? range.low : 0);  // not a number: 0
  }
  Plane plane = planes.through(z[0], z[1], z[2]);
  const Bias bias = polygon_offset(state, shape.back_facing && !shape.parallelogram, shape.parallelogram);
  if (bias.on) {
    const double slope = std::max(std::fabs(plane.dx), std::fabs(plane.dy)) * shape.refinement;
    plane.origin += bias.of(slope, shape.vertex[0]->z, shape.vertex[1]->z, shape.vertex[2]->z);
  }
  Depth d{Interpolant::along(plane, shape.unit)};
  d.unlimited = x::shaders(state);
  return d;
}

}  // namespace pumice::hw::su
