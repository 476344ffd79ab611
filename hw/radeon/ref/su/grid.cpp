// SPDX-License-Identifier: MIT
/// Window coordinates to the sub-pixel grid, facing, culling (pipeline s.4).
#include <cmath>

#include "hw/radeon/draw/extended.h"
#include "hw/radeon/ref/su/su.h"

namespace pumice::hw::su {

Grid grid(const ChipState& state) {
  Grid g;
  g.unit = state.get<regs::GB_TILE_CONFIG>().SUBPIXEL() ? 16 : 12;
  if (x::shaders(state)) g.unit = 16 * kExtendedRefinement, g.refinement = kExtendedRefinement;
  const auto mode = state.get<regs::GA_ROUND_MODE>();
  // The reserved codes 2 and 3 behave like nearest.
  g.nearest = mode.GEOMETRY_ROUND() != regs::GA_ROUND_MODE::GEOMETRY_ROUND__TRUNCATE;
  g.drop_bits = state.chip().has_geometry_mask ? mode.GEOMETRY_MASK() * static_cast<uint32_t>(g.refinement) : 0;
  const auto offset = state.get<regs::GA_OFFSET>();
  g.offset = {static_cast<int16_t>(offset.X_OFFSET()) * g.refinement, static_cast<int16_t>(offset.Y_OFFSET()) * g.refinement};
  return g;
}

/// Truncation goes towards minus infinity: an image translated by whole pixels stays the same (UNCONFIRMED).
static int32_t snap_one(const Grid& g, float v, int32_t offset) {
  const double limit = double{kGridPixels} * g.unit;
  double s = double{v} * g.unit;  // exact: 24 + 8 bits
  s = s > limit ? limit : s < -limit ? -limit : s;
  int32_t i = static_cast<int32_t>(std::floor(g.nearest ? s + 0.5 : s));
  if (g.drop_bits) {
    int32_t fraction = i % g.unit;
    if (fraction < 0) fraction += g.unit;
    i += static_cast<int32_t>(fraction & ~g.drop_bits) - fraction;
  }
  return i + offset;
}

bool snap(const Grid& g, const WindowVertex& v, GridPoint& out) {
  if (std::isnan(v.x) || std::isnan(v.y)) return false;
  out = {snap_one(g, v.x, g.offset.x), snap_one(g, v.y, g.offset.y)};
  return true;
}

/// FACE = 0: triangles that are counter-clockwise as seen on the screen are front facing, i.e. those whose cross product with y down
/// is negative. pipeline s.4 gives the sign the other way round in its text but calls the code CCW; Mesa writes 0 for
/// counter-clockwise on window surfaces (y down) and flips it for y-up ones, which settles it. It is VK_FRONT_FACE_COUNTER_CLOCKWISE.
bool back_facing(const ChipState& state, int64_t cross_product) {
  const bool clockwise = cross_product > 0;
  const bool front_is_clockwise = state.get<regs::SU_CULL_MODE>().FACE() == regs::SU_CULL_MODE::FACE__NEGATIVE_AREA;
  return clockwise != front_is_clockwise;
}

bool culled(const ChipState& state, bool back) {
  const auto mode = state.get<regs::SU_CULL_MODE>();
  return back ? mode.CULL_BACK() != 0 : mode.CULL_FRONT() != 0;
}

}  // namespace pumice::hw::su
