// SPDX-License-Identifier: MIT
/// A primitive after setup, as tiles read it: integer edges, the depth plane, inputs of the other planes. Plain data in a batch's
/// arena.
#pragma once
#include <cstddef>
#include <cstdint>

#include "hw/extents.h"
#include "hw/radeon/jit/us/block.h"

namespace pumice::hw::fast {
struct Draw;
}

namespace pumice::hw::fast::raster {

/// What a record of an extended draw (docs/r5x.md) has besides the values: Record::more dwords.
struct Extended {
  uint32_t layer, viewport;
  uint32_t primitive;  ///< its number in the instance
  uint32_t unused;
  uint32_t flat[1];                     ///< raw bits of the provoking vertex, as many as extended::PixelInputs::flat
  static constexpr uint32_t kHead = 4;  ///< dwords
  /// Even, so that what lies behind is aligned.
  static constexpr uint32_t dwords(uint32_t flats) { return (kHead + flats + 1) & ~1u; }
};

inline constexpr int32_t kTileLog2 = 6, kTile = 1 << kTileLog2;  ///< width and height of a screen tile in pixels
inline constexpr int32_t kTilesAcross = kMaxExtent / kTile;
/// From a tile's number to that of the tile below. Larger than the number of tiles across, so that per-tile data of adjacent rows lies in
/// different cache sets.
inline constexpr int32_t kTileStride = kTilesAcross + 4;
constexpr uint32_t tile_number(int32_t x, int32_t y) { return static_cast<uint32_t>(y * kTileStride + x); }
inline constexpr int32_t kUnit = 16;  ///< grid steps per pixel, of plain triangles in strict draws

/// The pixel (x, y) is inside when a*x + b*y + c >= 0. The common factor `unit` of a and b is divided out, c rounded down.
struct Edge {
  int64_t c;
  int32_t a, b;
};

static_assert(kMaxExtent - 1 <= INT16_MAX, "boxes of records");

/// Cache lines in the order of use: a small primitive without interpolants has only the first one.
struct alignas(64) Record {
  const Draw* draw;
  int16_t x0, y0, x1, y1;  ///< pixels that may be covered, inclusive; below kMaxExtent
  uint8_t edges;
  bool wide;  ///< an edge whose values do not fit into 32 bits over a tile
  bool back_facing;
  bool boxed;      ///< the box is smaller than the edges' extent: scissor
  uint8_t small;   ///< the coverage is that of small x small blocks (2 or 3), from (x0 & ~3, y0 & ~3) on; 0: there are edges instead
  uint8_t stride;  ///< interpolants rounded up to 8: length of the arrays below
  bool flat;       ///< interpolants have one value at all points
  uint8_t more;    ///< dwords of Extended; 0 in strict draws
  int32_t from_x, from_y;  ///< grid steps from point 0 to the centre of (x, y): x*unit - from_x
  double z, z_dx, z_dy;    ///< the depth plane
  LaneMask block[4];       ///< of 2x2 blocks, in rows; of 3x3 bit k of the first: blocks()[k] is not 0
  // Inputs of the planes.
  double b1x, b1y, b2x, b2y;  ///< su::Planes
  float inv_w[3];             ///< at the points
  int32_t unit;               ///< grid steps per pixel
  Edge edge[4];

  /// If multisampled: constants of the edges (instead of Edge::c) by sample; in a small record `block` by sample (`block`
  /// itself: of any sample).
  using SampleEdges = int64_t[4];
  using SampleBlocks = LaneMask[4];

  // Records have variable length: after the fixed part (in a small one from the edges on, after blocks()) are the values of the
  // interpolants at the three points, float[3][stride], then Extended, and after them the per-sample data. Tiles compute planes from the
  // values when a pixel needs them (planes_simd.h): pixels that fail the depth test never do.
  size_t values_at() const { return small == 2 ? offsetof(Record, edge) : small ? offsetof(Record, edge) + kBlocksBytes : sizeof(Record); }
  size_t more_at() const { return values_at() + stride * 3 * sizeof(float); }
  size_t samples_at() const { return more_at() + more * sizeof(uint32_t); }
  /// Of a small record, in rows.
  LaneMask* blocks() { return small == 2 ? block : behind<LaneMask>(offsetof(Record, edge)); }
  const LaneMask* blocks() const { return small == 2 ? block : behind<const LaneMask>(offsetof(Record, edge)); }
  float* values() { return behind<float>(values_at()); }
  const float* values() const { return behind<const float>(values_at()); }
  Extended& extended() { return *behind<Extended>(more_at()); }
  const Extended& extended() const { return *behind<const Extended>(more_at()); }
  SampleEdges* sample_edges() { return behind<SampleEdges>(samples_at()); }
  const SampleEdges* sample_edges() const { return behind<const SampleEdges>(samples_at()); }
  SampleBlocks* sample_blocks() { return behind<SampleBlocks>(samples_at()); }
  const SampleBlocks* sample_blocks() const { return behind<const SampleBlocks>(samples_at()); }

  static constexpr size_t bytes(uint32_t stride, uint32_t samples = 1, uint32_t more = 0) {
    return sizeof(Record) + stride * 3 * sizeof(float) + more * sizeof(uint32_t) + (samples > 1 ? samples * sizeof(SampleEdges) : 0);
  }
  /// A small record whose planes are not needed has the first line only, if single-sampled.
  static constexpr size_t small_bytes(uint32_t stride, bool planes, uint32_t samples = 1, uint32_t more = 0);
  /// Of 3x3 blocks, more than small_bytes() with planes.
  static constexpr size_t kBlocksBytes = 32;

 private:
  template <class T>
  T* behind(size_t bytes) {
    return reinterpret_cast<T*>(reinterpret_cast<std::byte*>(this) + bytes);
  }
  template <class T>
  T* behind(size_t bytes) const {
    return reinterpret_cast<T*>(reinterpret_cast<const std::byte*>(this) + bytes);
  }
};
constexpr size_t Record::small_bytes(uint32_t stride, bool planes, uint32_t samples, uint32_t more) {
  static_assert(offsetof(Record, b1x) == 64);
  const size_t whole = offsetof(Record, edge) + stride * 3 * sizeof(float) + more * sizeof(uint32_t);
  if (samples > 1) return whole + samples * sizeof(SampleBlocks);
  return planes || more ? whole : offsetof(Record, b1x);
}

}  // namespace pumice::hw::fast::raster
