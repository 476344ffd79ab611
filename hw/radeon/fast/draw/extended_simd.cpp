// SPDX-License-Identifier: MIT
/// The tile walk for extended draws (docs/r5x.md): coverage as in strict ones, blocks go to the pixel routine of the draw
/// (hw/radeon/fast/extended/pixel.h).
#include <type_traits>

#include "hw/common/simd/doubles.h"
#include "hw/radeon/fast/draw/extended_picture_simd.h"
#include "hw/radeon/fast/draw/sample_coverage_simd.h"
#include "hw/radeon/fast/extended/pixel_block.h"

namespace pumice::hw::fast::PUMICE_SIMD {

namespace {

struct ExtendedWalk {
  Worker& w;
  const Record& r;
  uint32_t samples, sample_mask;
  bool hiz = false;
  float nearer = 0;  ///< what samples of the block may be nearer than its pixel centres

  void rectangle(const output::Rect& rect) const { extended_fill(w, r, rect); }
  /// The depth at a pixel of the block.
  float depth_at(int32_t x, int32_t y, int lane) const {
    const double px = x * r.unit - r.from_x, py = y * r.unit - r.from_y;
    const float z = static_cast<float>((r.z + px * r.z_dx) + py * r.z_dy) + w.offset_z.v[lane];
    return z > 0 ? (z < 1 ? z : 1.0f) : 0.0f;
  }
  bool behind(int32_t x, int32_t y) const {
    const Hiz& h = w.hiz;
    return hiz && depth_at(x, y, h.low) * h.direction - nearer >= h.bound[Hiz::index(x, y)] + r.draw->hiz.slack;
  }
  void draw(int32_t x, int32_t y, const LaneMask* covered, bool whole) const {
    kBlockRoutines.draw(*w.blocks, r, x, y, covered);
    if (hiz && whole) lower(x, y);
  }
  /// What passed is as far as the primitive now, what failed was no farther.
  void lower(int32_t x, int32_t y) const {
    if (!r.draw->hiz.lowers) return;
    float& bound = w.hiz.bound[Hiz::index(x, y)];
    const float farthest = depth_at(x, y, w.hiz.high) * w.hiz.direction + nearer;
    bound = farthest < bound ? farthest : bound;
  }
  static F16 clamped(F16 z) { return min(max(z, splat(0.0f)), splat(1.0f)); }
  /// behind() of `blocks` of a row of the tile: those that are not. Leaves the depth of their first pixels in Worker::z.
  PUMICE_INLINE uint32_t visible(int32_t y, uint32_t blocks) const {
    if (!hiz) return blocks;
    const Hiz& h = w.hiz;
    const double down = (y * r.unit - r.from_y) * r.z_dy;
    const F16 first = narrow_sums(w.hiz.along, down);
    store(w.z, first);
    const F16 nearest = clamped(first + splat(w.offset_z.v[h.low])) * splat(h.direction) - splat(nearer);
    const F16 bound = load_unaligned<F16>(h.bound + Hiz::index(0, y)) + splat(r.draw->hiz.slack);
    return blocks & ~uint32_t{bits_of(ge(nearest, bound))};
  }
  /// lower() of blocks of the row of the last visible().
  PUMICE_INLINE void lower_row(int32_t y, uint32_t blocks) const {
    if (!r.draw->hiz.lowers || !blocks) return;
    Hiz& h = w.hiz;
    float* const at = h.bound + Hiz::index(0, y);
    const F16 farthest = clamped(load(w.z) + splat(w.offset_z.v[h.high])) * splat(h.direction) + splat(nearer);
    const F16 bound = load_unaligned<F16>(at);
    store_unaligned(at, select(mask_from(static_cast<LaneMask>(blocks)), min(farthest, bound), bound));
  }
  /// Blocks of a row of the tile that lie inside all edges and are visible(): a bit for each.
  void row(int32_t x, int32_t y, uint32_t full) const {
    if (const uint32_t all = (1u << samples) - 1, wanted = sample_mask & all; wanted != all) {
      LaneMask covered[kMost];
      for (uint32_t s = 0; s < samples; ++s) covered[s] = static_cast<LaneMask>(-(sample_mask >> s & 1));
      for (full = wanted ? full : 0; full; full &= full - 1) draw(x + 4 * std::countr_zero(full), y, covered, false);
      return;
    }
    if (hiz) lower_row(y, full);
    kBlockRoutines.row(*w.blocks, r, x, y, full);
  }
  /// Decides about HiZ. False: all of the box is hidden.
  bool begin(const TileBox& box) {
    const Draw& d = *r.draw;
    if (!d.hiz.tests || (box.x1 - box.x0) + (box.y1 - box.y0) < kLargeEnough) return true;
    const auto step_x = static_cast<float>(r.z_dx * r.unit), step_y = static_cast<float>(r.z_dy * r.unit);
    const float slope = __builtin_fabsf(step_x) + __builtin_fabsf(step_y);
    if (!(slope < 1e30f)) return true;
    hiz = true;
    if (samples > 1) nearer = slope * 0.5f + 1e-6f;
    store(w.offset_z, offsets(step_x, step_y));
    w.hiz.begin_shape(r.z_dx, r.z_dy);
    for (int i = 0; i < kLanes; ++i) w.hiz.along[i] = r.z + ((box.tile_x + 4 * i) * r.unit - r.from_x) * r.z_dx;
    return !hidden(w, r, box, nearer);
  }
};

struct OneSample : PixelCoverage<ExtendedWalk> {
  PUMICE_INLINE void block(int32_t x, int32_t y, LaneMask mask) const {
    if (mask && !behind(x, y)) draw(x, y, &mask, mask == 0xFFFF);
  }
  PUMICE_INLINE void visible_block(int32_t x, int32_t y, LaneMask mask) const {
    if (mask) draw(x, y, &mask, mask == 0xFFFF);
  }
};

struct ManySamples : SampleCoverage<ExtendedWalk> {
  PUMICE_INLINE void block(int32_t x, int32_t y, Masks& mask) const {
    if (!behind(x, y)) visible_block(x, y, mask);
  }
  PUMICE_INLINE void visible_block(int32_t x, int32_t y, Masks& mask) const {
    if (const uint32_t all = (1u << samples) - 1; (sample_mask & all) != all)
      mask.make(samples, [&](uint32_t s) { return static_cast<LaneMask>(mask.of[s] & -(sample_mask >> s & 1)); });
    if (mask.any) draw(x, y, mask.of, mask.all == 0xFFFF);
  }
};

template <class Variant>
void walk(Variant& variant, Worker& w, const Record& r, int32_t tile_x, int32_t tile_y) {
  const TileBox box(r, tile_x, tile_y);
  Cuts<Variant> cuts;
  if (!cuts.find(variant, r, box) || !variant.begin(box)) return;
  if (r.wide) return walk_wide(variant, r, box);
  const bool all = (variant.sample_mask & ((1u << variant.samples) - 1)) == (1u << variant.samples) - 1;
  if constexpr (std::is_same_v<Variant, OneSample>)
    if (r.draw->by_rows && !box.few_blocks() && pictured(w, r, box.rect(), cuts.of, cuts.count, tile_x, tile_y)) return;
  const bool fill = r.draw->fills && all && (box.x1 - box.x0) + (box.y1 - box.y0) >= kLargeEnough && extended_ready_fill(w, r);
  if (fill && cuts.count == 0) return variant.rectangle(box.rect());
  I16 inside_block[4];  // differences from the first pixel of a block to its pixels
  for (uint32_t e = 0; e < cuts.count; ++e) inside_block[e] = kLaneXi * splat(cuts.of[e].a) + kLaneYi * splat(cuts.of[e].b);
  if (!fill && box.few_blocks()) return walk_few(variant, r, box, cuts, inside_block);
  walk_rows(variant, r, box, cuts, inside_block, fill);
}

/// A primitive whose coverage was computed during setup.
template <class Variant>
void small(const Variant& variant, const Record& r, int32_t tile_x, int32_t tile_y) {
  const auto outside = [&](int32_t x, int32_t y) { return ((x ^ tile_x) | (y ^ tile_y)) & ~(raster::kTile - 1); };
  const int32_t x0 = r.x0 & ~3, y0 = r.y0 & ~3;
  if constexpr (std::is_same_v<Variant, OneSample>)
    if (r.small == 3) {
      static constexpr int8_t kX[9] = {0, 4, 8, 0, 4, 8, 0, 4, 8}, kY[9] = {0, 0, 0, 4, 4, 4, 8, 8, 8};
      const LaneMask* const block = r.blocks();
      for (uint32_t left = r.block[0]; left; left &= left - 1) {
        const int k = std::countr_zero(left);
        if (const int32_t x = x0 + kX[k], y = y0 + kY[k]; !outside(x, y)) variant.block(x, y, block[k]);
      }
      return;
    }
  for (int32_t k = 0; k < 4; ++k) {
    if (r.block[k] == 0) continue;
    const int32_t x = x0 + 4 * (k & 1), y = y0 + 4 * (k >> 1);
    if (outside(x, y)) continue;
    if constexpr (std::is_same_v<Variant, OneSample>) {
      variant.block(x, y, r.block[k]);
    } else {
      Masks mask;
      mask.make(variant.samples, [&](uint32_t s) { return r.sample_blocks()[s][k]; });
      variant.block(x, y, mask);
    }
  }
}

}  // namespace

void extended_shape(Worker& w, const Record& r, int32_t tile_x, int32_t tile_y) {
  const Draw& d = *r.draw;
  if (const uint64_t layer = d.depth_at + r.extended().layer * d.depth_layer_pitch; d.depth_at && w.hiz_layer != layer) {
    w.hiz_layer = layer;
    w.hiz.begin_layer(layer, d.hiz);
  }
  const auto draw = [&](auto variant) {
    if (r.small)
      small(variant, r, tile_x, tile_y);
    else
      walk(variant, w, r, tile_x, tile_y);
    kBlockRoutines.finish(*w.blocks);
  };
  if (d.samples > 1)
    draw(ManySamples{{{w, r, d.samples, d.sample_mask}}});
  else if (d.sample_mask & 1)
    draw(OneSample{{{w, r, 1, 1}}});
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
