// SPDX-License-Identifier: MIT
/// A shape after setup, as tiles read it: integer edges, the plane of depth, what the other planes are made of. Plain data in a batch's
/// arena.
#pragma once
#include <cstddef>
#include <cstdint>

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

struct alignas(64) Record {
  const Draw* draw;
  int16_t x0, y0, x1, y1;  ///< pixels that may be covered, inclusive
  uint8_t edges;
  bool wide;  ///< an edge whose values do not fit into 32 bits over a tile
  bool back_facing;
  bool boxed;      ///< the box is smaller than the edges say: scissor
  uint8_t stride;  ///< interpolants rounded up to 8: length of the arrays below
  float inv_w[3];  ///< at the points
  Edge edge[4];
  int32_t unit, from_x, from_y;  ///< grid steps from point 0 to the centre of (x, y): x*unit - from_x
  double b1x, b1y, b2x, b2y;     ///< su::Planes
  double z, z_dx, z_dy;          ///< the plane of depth

  // Behind the record: values of the interpolants at the three points, float[3][stride]. Tiles make planes of them when a pixel needs them
  // (planes_simd.h): what fails the depth test never does.
  float* values() { return reinterpret_cast<float*>(this + 1); }
  const float* values() const { return reinterpret_cast<const float*>(this + 1); }
  /// With several samples a pixel, behind the values: constants of the edges (in place of Edge::c) by sample.
  using SampleEdges = int64_t[4];
  SampleEdges* sample_edges() { return reinterpret_cast<SampleEdges*>(values() + stride * 3); }
  const SampleEdges* sample_edges() const { return reinterpret_cast<const SampleEdges*>(values() + stride * 3); }
  static constexpr size_t bytes(uint32_t stride, uint32_t samples = 1) {
    return sizeof(Record) + stride * 3 * sizeof(float) + (samples > 1 ? samples * sizeof(SampleEdges) : 0);
  }
};

}  // namespace pumice::hw::fast::raster
