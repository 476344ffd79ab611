// SPDX-License-Identifier: MIT
/// Setup: the sub-pixel grid, facing and culling, plane equations, depth (pipeline s.4). Internal to GA, SU, SC and RS.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "hw/radeon/draw/shape.h"
#include "hw/radeon/ref/su/interpolant.h"

namespace pumice::hw::su {

/// Extended draws have a grid finer by this factor than 1/16 pixel: eight bits below the pixel (docs/r5x.md s.5).
inline constexpr int32_t kExtendedRefinement = 16;

/// Conversion of window coordinates to grid coordinates.
struct Grid {
  int32_t unit = 16;       ///< GB_TILE_CONFIG.SUBPIXEL; 16 * kExtendedRefinement in extended draws
  int32_t refinement = 1;  ///< `unit` / (12 or 16): registers count 1/12 or 1/16 pixel, in extended draws 1/16
  bool nearest = false;    ///< GA_ROUND_MODE.GEOMETRY_ROUND
  uint32_t drop_bits = 0;  ///< GA_ROUND_MODE.GEOMETRY_MASK
  GridPoint offset;        ///< GA_OFFSET
};
Grid grid(const ChipState& state);

/// False when x or y is NaN. Coordinates are clamped to +-2^15 pixels (kGridPixels), so |x|, |y| < (2^15 * 16 + 2^15) * refinement.
bool snap(const Grid& grid, const WindowVertex& v, GridPoint& out);
inline constexpr int32_t kGridPixels = 1 << 15;

/// Twice the area; positive when a, b, c turn clockwise on the screen (y down). Exact: |coordinates| < 2^26.
inline int64_t cross(GridPoint a, GridPoint b, GridPoint c) { return int64_t{b.x - a.x} * (c.y - a.y) - int64_t{c.x - a.x} * (b.y - a.y); }

/// Whether a triangle of that (non-zero) cross product is back facing, and whether such a triangle is culled.
bool back_facing(const ChipState& state, int64_t cross_product);
bool culled(const ChipState& state, bool back);

/// The plane equations of one shape.
class Planes {
 public:
  explicit Planes(const Shape& shape);
  /// False when the three points lie on one line; no plane exists then.
  bool valid() const { return valid_; }
  /// Steps of the weights of points 1 and 2.
  double b1x() const { return b1x_; }
  double b1y() const { return b1y_; }
  double b2x() const { return b2x_; }
  double b2y() const { return b2y_; }
  Plane through(double a0, double a1, double a2) const {
    const double d1 = a1 - a0, d2 = a2 - a0;
    return {a0, d1 * b1x_ + d2 * b2x_, d1 * b1y_ + d2 * b2y_};
  }

 private:
  double b1x_ = 0, b1y_ = 0, b2x_ = 0, b2y_ = 0;
  bool valid_ = false;
};

/// Conversion of a vertex's z to the depth of a plane: clamp((z * scale + offset) / (2^24 - 1), low, high).
struct DepthRange {
  double scale, offset, low, high;
};
DepthRange depth_range(const ChipState& state);

/// Polygon offset: constant + factor * the steeper slope of depth by grid step of the sub-pixel grid, at most (below 0: at least) `clamp`.
struct Bias {
  bool on = false;
  double factor = 0, constant = 0;
  double clamp = 0;       ///< 0: none
  bool relative = false;  ///< `constant` counts units in the last place of the largest |z| of the vertices
  double of(double slope, float z0, float z1, float z2) const {
    const double offset = (relative ? constant * last_place(z0, z1, z2) : constant) + factor * slope;
    return clamp > 0 ? (offset < clamp ? offset : clamp) : clamp < 0 ? (offset > clamp ? offset : clamp) : offset;
  }

 private:
  static double last_place(float z0, float z1, float z2) {
    const auto size = [](float z) { return std::bit_cast<uint32_t>(z) & 0x7FFFFFFFu; };
    const uint32_t largest = std::max({size(z0), size(z1), size(z2)}), exponent = std::max(largest >> 23, 1u);
    return std::ldexp(1.0, static_cast<int>(exponent) - 127 - 23);
  }
};
Bias polygon_offset(const ChipState& state, bool back, bool parallelogram);

/// Depth of a shape: 0..1 over the range of SU_DEPTH_SCALE. The polygon offset is in the plane's origin. With W as depth
/// (GB_SELECT.DEPTH_SELECT) the plane is that of 1/w, and a pixel's depth is scaled from its reciprocal; there is no polygon offset.
struct Depth {
  Interpolant z;
  bool of_w = false;
  double scale = 1, offset = 0;  ///< of W
  bool unlimited = false;        ///< of extended draws: xr limits it behind the program
  /// `base`: z.base() of the block; (i, j): the pixel in it.
  float at(float base, int32_t i, int32_t j) const {
    float v = flushed_sum(base, z.offset(i, j));
    if (of_w) v = narrow(num::flush_denormal(1.0f / v) * scale + offset);
    if (unlimited) return v == v ? v : 0.0f;
    const float low = v > 0 ? v : 0.0f;  // not a number: 0
    return low < 1 ? low : 1.0f;
  }
};
Depth depth(const ChipState& state, const Shape& shape, const Planes& planes);

}  // namespace pumice::hw::su
