// SPDX-License-Identifier: MIT
/// The walk over the part of a primitive in a tile (pipeline s.4): which 4x4 blocks and pixels are covered, 16 at a time. One source for
/// single-sampled and multisampled draws: a Variant computes the coverage of a block and draws it.
///
/// Integers: an edge that crosses the tile has values below 63 * (|a| + |b|) < 2^30 in it (all others are Record::wide).
#pragma once
#include <bit>

#include "hw/radeon/fast/draw/walk_simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

/// An edge that crosses the tile.
struct Cut {
  int32_t a, b, value;  ///< value: at the tile's first pixel; if multisampled, without the per-sample constants
  /// Per-sample terms of the value.
  static constexpr int32_t least() { return 0; }
  static constexpr int32_t most() { return 0; }
};

/// Bounds of the primitive in the tile; inclusive.
struct TileBox {
  int32_t tile_x, tile_y;
  int32_t x0, y0, x1, y1;
  TileBox(const Record& r, int32_t tx, int32_t ty) : tile_x(tx), tile_y(ty) {
    x0 = r.x0 > tx ? r.x0 : tx, x1 = r.x1 < tx + raster::kTile - 1 ? r.x1 : tx + raster::kTile - 1;
    y0 = r.y0 > ty ? r.y0 : ty, y1 = r.y1 < ty + raster::kTile - 1 ? r.y1 : ty + raster::kTile - 1;
  }
  /// The first block.
  int32_t bx() const { return x0 & ~3; }
  int32_t by() const { return y0 & ~3; }
  output::Rect rect() const { return {x0, y0, x1 + 1, y1 + 1}; }
  bool few_blocks() const { return (x1 >> 2) - (x0 >> 2) < kFewBlocks && (y1 >> 2) - (y0 >> 2) < kFewBlocks; }
};

/// Edges that cross the blocks of the box inside the tile for some sample; any other edge either rejects or contains the whole box.
template <class Variant>
struct Cuts {
  typename Variant::Cut of[4];
  uint32_t count = 0;

  /// False: an edge rejects the box.
  PUMICE_INLINE bool find(const Variant& variant, const Record& r, const TileBox& box) {
    for (uint32_t e = 0; e < r.edges && !r.wide; ++e) {
      const raster::Edge& edge = r.edge[e];
      const auto constants = variant.constants(r, e);
      const int64_t v = int64_t{edge.a} * box.bx() + int64_t{edge.b} * box.by();
      const int64_t across = int64_t{edge.a} * ((box.x1 | 3) - box.bx()), down = int64_t{edge.b} * ((box.y1 | 3) - box.by());
      if (v + constants.most + (across > 0 ? across : 0) + (down > 0 ? down : 0) < 0) return false;
      if (v + constants.least + (across < 0 ? across : 0) + (down < 0 ? down : 0) >= 0) continue;
      of[count++] = variant.cut(r, e, constants, int64_t{edge.a} * box.tile_x + int64_t{edge.b} * box.tile_y);
    }
    return true;
  }
};

/// Whether the primitive lies behind the bounds of all blocks of its box in the tile.
/// `nearer`: what samples may be nearer than pixel centres.
inline bool hidden(const Worker& w, const Record& r, const TileBox& box, float nearer) {
  const int32_t x0 = box.x0, y0 = box.y0, x1 = box.x1, y1 = box.y1;
  const float direction = w.hiz.direction;
  const double px = (r.z_dx * direction >= 0 ? x0 & ~3 : x1 & ~3) * r.unit - r.from_x;
  const double py = (r.z_dy * direction >= 0 ? y0 & ~3 : y1 & ~3) * r.unit - r.from_y;
  const float z = static_cast<float>((r.z + px * r.z_dx) + py * r.z_dy) + w.offset_z.v[w.hiz.low];
  const float nearest = z > 0 ? (z < 1 ? z : 1.0f) : 0.0f;
  const int first = x0 >> 2 & (Hiz::kAcross - 1), last = x1 >> 2 & (Hiz::kAcross - 1);
  const Mask columns = mask_from(static_cast<LaneMask>((2u << last) - (1u << first)));
  F16 bound = splat(-2.0f);
  for (int32_t y = y0 & ~3; y <= y1; y += 4)
    bound = max(bound, select(columns, load_unaligned<F16>(w.hiz.bound + Hiz::index(0, y)), splat(-2.0f)));
  return !any(lt(splat(nearest * direction - nearer), bound + splat(r.draw->hiz.slack)));
}

/// Fills runs of fully covered blocks in one row.
template <class Variant>
PUMICE_INLINE void fill_runs(const Variant& variant, int32_t tile_x, int32_t y, uint32_t full) {
  while (full) {
    const int from = std::countr_zero(full), to = from + std::countr_one(full >> from);
    variant.rectangle({tile_x + 4 * from, y, tile_x + 4 * to, y + 4});
    full &= ~((1u << to) - 1);
  }
}

/// At most 4x4 blocks: all at once, in lane order.
template <class Variant>
PUMICE_INLINE void walk_few(const Variant& variant, const Record& r, const TileBox& box, const Cuts<Variant>& cuts,
                            const I16* inside_block) {
  LaneMask alive = kMasks.to_x[(box.x1 >> 2) - (box.x0 >> 2)] & kMasks.to_y[(box.y1 >> 2) - (box.y0 >> 2)], full = alive;
  alignas(64) int32_t value[4][kLanes];  // of the blocks' first pixels
  for (uint32_t e = 0; e < cuts.count; ++e) {
    const auto& c = cuts.of[e];
    const I16 v = splat(c.value + c.a * (box.bx() - box.tile_x) + c.b * (box.by() - box.tile_y)) + (inside_block[e] << 2);
    store_unaligned(value[e], v);
    alive &= static_cast<LaneMask>(~bits_of(lt(v, splat(-best_of(c.a, c.b) - c.most()))));
    full &= static_cast<LaneMask>(~bits_of(lt(v, splat(-worst_of(c.a, c.b) - c.least()))));
  }
  for (uint32_t left = alive; left; left &= left - 1) {
    const int i = std::countr_zero(left);
    const int32_t x = box.bx() + 4 * lane_x(i), y = box.by() + 4 * lane_y(i);
    const LaneMask in_box = variant.box(r, x, y);
    typename Variant::Mask mask;
    if (full >> i & 1)
      variant.whole(in_box, mask);
    else
      variant.cover(cuts, value, i, inside_block, in_box, mask);
    variant.block(x, y, mask);
  }
}

/// Rows of 16 blocks.
template <class Variant>
PUMICE_INLINE void walk_rows(const Variant& variant, const Record& r, const TileBox& box, const Cuts<Variant>& cuts,
                             const I16* inside_block, bool fill) {
  const int32_t first = (box.x0 - box.tile_x) >> 2, last = (box.x1 - box.tile_x) >> 2;
  const uint32_t in_box = (2u << last) - (1u << first);
  uint32_t whole_in_box = in_box;
  if (box.x0 & 3) whole_in_box &= ~(1u << first);
  if ((box.x1 & 3) != 3) whole_in_box &= ~(1u << last);
  I16 along[4];
  int32_t best[4], worst[4];
  for (uint32_t e = 0; e < cuts.count; ++e) {
    const auto& c = cuts.of[e];
    along[e] = kLaneIndex * (4 * c.a);
    best[e] = best_of(c.a, c.b) + c.most(), worst[e] = worst_of(c.a, c.b) + c.least();
  }
  for (int32_t y = box.by(); y <= box.y1; y += 4) {
    uint32_t alive = in_box, full = y >= box.y0 && y + 3 <= box.y1 ? whole_in_box : 0;
    alignas(64) int32_t value[4][kLanes];  // of the row's 16 blocks, at their first pixels
    for (uint32_t e = 0; e < cuts.count; ++e) {
      const I16 v = splat(cuts.of[e].value + cuts.of[e].b * (y - box.tile_y)) + along[e];
      store_unaligned(value[e], v);
      alive &= ~uint32_t{bits_of(lt(v, splat(-best[e])))};
      full &= ~uint32_t{bits_of(lt(v, splat(-worst[e])))};
    }
    if (fill) {
      alive &= ~full;
      fill_runs(variant, box.tile_x, y, full);
    } else if constexpr (requires { variant.row(box.tile_x, y, full); }) {
      alive = variant.visible(y, alive);
      full &= alive;
      alive &= ~full;
      variant.row(box.tile_x, y, full);
    }
    for (; alive; alive &= alive - 1) {
      const int i = std::countr_zero(alive);
      const int32_t x = box.tile_x + 4 * i;
      typename Variant::Mask mask;
      if (full >> i & 1)
        variant.whole(0xFFFF, mask);
      else
        variant.cover(cuts, value, i, inside_block, variant.box(r, x, y), mask);
      if constexpr (requires { variant.visible_block(x, y, mask); })
        variant.visible_block(x, y, mask);
      else
        variant.block(x, y, mask);
    }
  }
}

/// Values that need more than 32 bits: rare, evaluated pixel by pixel.
template <class Variant>
void walk_wide(const Variant& variant, const Record& r, const TileBox& box) {
  for (int32_t y = box.by(); y <= box.y1; y += 4)
    for (int32_t x = box.bx(); x <= box.x1; x += 4) {
      typename Variant::Mask mask;
      variant.wide(r, x, y, mask);
      variant.block(x, y, mask);
    }
}

/// The lanes of a block inside every edge; constant(e): of edge e.
template <class Constant>
LaneMask wide_mask(const Record& r, int32_t x, int32_t y, Constant constant) {
  LaneMask mask = box_mask(r, x, y);
  for (uint32_t e = 0; e < r.edges; ++e)
    for (int lane = 0; lane < kLanes; ++lane)
      if (int64_t{r.edge[e].a} * (x + lane_x(lane)) + int64_t{r.edge[e].b} * (y + lane_y(lane)) + constant(e) < 0)
        mask &= static_cast<LaneMask>(~(1u << lane));
  return mask;
}

/// Draws the part of the primitive that lies in the tile, along the draw's path (Draw::whole_path, Draw::block_path).
template <class Variant>
PUMICE_INLINE void walk_shape(Variant& variant, Worker& w, const Record& r, int32_t tile_x, int32_t tile_y) {
  const TileBox box(r, tile_x, tile_y);
  Cuts<Variant> cuts;
  if (!cuts.find(variant, r, box)) return;
  variant.begin();
  const Draw& d = *r.draw;
  const bool fill = !r.wide && fills(w, r, d);
  if (fill && variant.fill(box, cuts)) return;
  store(w.offset_z, offsets(static_cast<float>(r.z_dx * r.unit), static_cast<float>(r.z_dy * r.unit)));
  variant.hiz = d.hiz.tests && (box.x1 - box.x0) + (box.y1 - box.y0) >= kLargeEnough;
  if (variant.hiz) {
    w.hiz.begin_shape(r.z_dx, r.z_dy);
    if (variant.hidden(box)) return;
  }
  w.planes_ready = false;
  if (r.wide) return walk_wide(variant, r, box);
  if (d.whole_path == WholePath::picture && variant.picture(box, cuts)) return;
  I16 inside_block[4];  // differences from the first pixel of a block to its pixels
  for (uint32_t e = 0; e < cuts.count; ++e) inside_block[e] = kLaneXi * splat(cuts.of[e].a) + kLaneYi * splat(cuts.of[e].b);
  if (!fill && box.few_blocks()) return walk_few(variant, r, box, cuts, inside_block);
  walk_rows(variant, r, box, cuts, inside_block, fill);
}

}  // namespace
}  // namespace pumice::hw::fast::PUMICE_SIMD
