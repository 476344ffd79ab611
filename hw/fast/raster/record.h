// SPDX-License-Identifier: MIT
/// A shape after setup, as tiles read it: integer edges, planes of depth, 1/w and interpolants. Plain data in a batch's arena.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>

namespace pumice::hw::fast {
struct Draw;
}

namespace pumice::hw::fast::raster {

inline constexpr int32_t kTileLog2 = 6, kTile = 1 << kTileLog2;  ///< pixels of a screen tile, both ways
inline constexpr int32_t kTilesAcross = 8192 / kTile;

/// The pixel (x, y) is inside when a*x + b*y + c >= 0. The common factor `unit` of a and b is divided out, c rounded down.
struct Edge {
  int64_t c;
  int32_t a, b;
};

/// A plane in double with the steps of a pixel in float (hw/su/interpolant.h). Constants have steps of -0.
struct PlaneRecord {
  double origin, dx, dy;
  float step_x, step_y;
};

struct alignas(64) Record {
  const Draw* draw;
  int16_t x0, y0, x1, y1;  ///< pixels that may be covered, inclusive
  uint8_t edges;
  bool wide;  ///< an edge whose values do not fit into 32 bits over a tile
  bool back_facing;
  bool same_w;         ///< 1/w is the same at all points (or not interpolated)
  bool negative_zero;  ///< an interpolant is the constant -0
  uint8_t interpolants;
  uint8_t stride;  ///< interpolants rounded up to 8: length of the arrays below
  Edge edge[4];
  int32_t unit, from_x, from_y;  ///< grid steps from point 0 to the centre of (x, y): x*unit - from_x
  PlaneRecord z, w;

  // Behind the record: double origin[stride], dx[stride], dy[stride]; float step_x[stride], step_y[stride]; uint32_t factor[stride].
  const double* planes() const { return reinterpret_cast<const double*>(this + 1); }
  const float* steps() const { return reinterpret_cast<const float*>(planes() + 3 * size_t{stride}); }
  const uint32_t* factors() const { return reinterpret_cast<const uint32_t*>(steps() + 2 * size_t{stride}); }
  double* planes() { return const_cast<double*>(std::as_const(*this).planes()); }
  float* steps() { return const_cast<float*>(std::as_const(*this).steps()); }
  uint32_t* factors() { return const_cast<uint32_t*>(std::as_const(*this).factors()); }
  static constexpr size_t bytes(uint32_t stride) {
    return sizeof(Record) + stride * (3 * sizeof(double) + 2 * sizeof(float) + sizeof(uint32_t));
  }
};

}  // namespace pumice::hw::fast::raster
