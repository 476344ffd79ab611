// SPDX-License-Identifier: MIT
/// Draws the primitives of a tile: the single-sampled walk, and the choice between the variants. Compiled once per instruction set.
#include "hw/radeon/fast/draw/picture_simd.h"
#include "hw/radeon/fast/draw/sample_coverage_simd.h"
#include "hw/radeon/fast/draw/spans_simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {

namespace {

constexpr uint32_t kAhead = 2;  ///< records that are prefetched ahead of use

void small_shape(Worker& w, const Record& r, int32_t tile_x, int32_t tile_y) {
  const Walk walk{w, r, *r.draw, false};
  const F16 offset = offsets(static_cast<float>(r.z_dx * raster::kUnit), static_cast<float>(r.z_dy * raster::kUnit));
  for (int32_t k = 0; k < 4; ++k) {
    if (r.block[k] == 0) continue;
    const int32_t x = (r.x0 & ~3) + 4 * (k & 1), y = (r.y0 & ~3) + 4 * (k >> 1);
    if (((x ^ tile_x) | (y ^ tile_y)) & ~(raster::kTile - 1)) continue;
    defer(walk, x, y, r.block[k], walk.d.uses_z ? depth_at(r, raster::kUnit, x, y, offset) : F16{});
  }
}

void change_draw(Worker& w, const Draw& draw) {
  if (w.draw) draw_all_deferred(w);
  end_extended(w);
  begin_draw(w, draw);
}

void change_to_extended(Worker& w, const Draw& draw) {
  if (w.draw) draw_all_deferred(w);
  end_draw(w);
  begin_extended(w, draw);
}

/// The single-sampled variant of tile_walk_simd.h.
struct OneSample : PixelCoverage<Walk> {
  PUMICE_INLINE void block(int32_t x, int32_t y, LaneMask mask) const {
    if (mask) block_or_defer(*this, x, y, mask);
  }
  void begin() const {
    if (w.draw != &d) change_draw(w, d);
  }
  void rectangle(const output::Rect& rect) const { fill_rectangle(w, r, d, rect); }
  bool fill(const TileBox& box, const Cuts<OneSample>& cuts) const {
    draw_all_deferred(w);
    if (cuts.count == 0)
      fill_rectangle(w, r, d, box.rect());
    else if (d.rows)
      fill_spans(w, d, box.tile_x, box.tile_y, box.rect(), cuts.of, cuts.count);
    else
      return false;
    return true;
  }
  bool hidden(const TileBox& box) const { return PUMICE_SIMD::hidden(w, r, box, 0); }
  bool picture(const TileBox& box, const Cuts<OneSample>& cuts) const {
    return stretched(*this, box.tile_x, box.tile_y, box.rect(), cuts.of, cuts.count);
  }
};

void shape(Worker& w, const Record& r, int32_t tile_x, int32_t tile_y) {
  if (r.more) {
    if (w.extended_draw != r.draw) change_to_extended(w, *r.draw);
    return extended_shape(w, r, tile_x, tile_y);
  }
  if (r.draw->samples > 1) {
    if (w.draw != r.draw) change_draw(w, *r.draw);
    return shape_of_samples(w, r, tile_x, tile_y);
  }
  if (r.small) {
    if (w.draw != r.draw) change_draw(w, *r.draw);
    return small_shape(w, r, tile_x, tile_y);
  }
  OneSample variant{{{w, r, *r.draw, false}}};
  walk_shape(variant, w, r, tile_x, tile_y);
}

bool fill_tiles(Worker& w, const Record& r, int32_t tile_x, int32_t tile_y, int32_t tiles) {
  if (r.edges || r.wide || r.more) return false;
  begin_draw(w, *r.draw);
  const bool fill = fills(w, r, *r.draw);
  const int32_t right = tile_x + tiles * raster::kTile, below = tile_y + raster::kTile;
  if (fill)
    fill_rectangle(
        w, r, *r.draw,
        {r.x0 > tile_x ? r.x0 : tile_x, r.y0 > tile_y ? r.y0 : tile_y, r.x1 < right ? r.x1 + 1 : right, r.y1 < below ? r.y1 + 1 : below});
  end_draw(w);
  return fill;
}

void run_tile(Worker& w, const Bin& bin, int32_t tile_x, int32_t tile_y, uint32_t done) {
  w.hiz.begin_tile();
  w.deferred.tile_x = tile_x, w.deferred.tile_y = tile_y;
  size_t length = sizeof(Record);  // of the record before: those of a draw are alike
  for (const BinChunk* chunk = bin.first; chunk; chunk = chunk->next)
    for (uint32_t i = chunk == bin.first ? done : 0; i < chunk->count; ++i) {
      if (w.stop->load(std::memory_order_relaxed) || w.lost_draw->load(std::memory_order_relaxed)) break;
      if (i + kAhead < chunk->count)
        for (size_t line = 0; line < length; line += 64)
          __builtin_prefetch(reinterpret_cast<const std::byte*>(chunk->record[i + kAhead]) + line);
      const Record& r = *chunk->record[i];
      shape(w, r, tile_x, tile_y);
      length = r.more ? r.samples_at() : sizeof(Record);
    }
  if (w.draw) draw_all_deferred(w);
  end_draw(w);
  end_extended(w);
}

}  // namespace

extern const TileRoutines kTileRoutines;
const TileRoutines kTileRoutines = {run_tile, fill_tiles};

}  // namespace pumice::hw::fast::PUMICE_SIMD
