// SPDX-License-Identifier: MIT
/// The tile walk for extended draws (docs/r5x.md): coverage as in strict ones, blocks go to the pixel routine of the draw
/// (hw/radeon/fast/extended/pixel.h).
#include <type_traits>

#include "hw/radeon/fast/draw/sample_coverage_simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {

namespace {

struct ExtendedWalk {
  Worker& w;
  const Record& r;
  uint32_t samples, sample_mask;
};

struct OneSample : PixelCoverage<ExtendedWalk> {
  PUMICE_INLINE void block(int32_t x, int32_t y, LaneMask mask) const {
    if (mask) extended_block(w, r, x, y, &mask);
  }
};

struct ManySamples : SampleCoverage<ExtendedWalk> {
  PUMICE_INLINE void block(int32_t x, int32_t y, Masks& mask) const {
    for (uint32_t s = 0; s < samples; ++s) mask.of[s] &= static_cast<LaneMask>(-(sample_mask >> s & 1));
    if (mask.any(samples)) extended_block(w, r, x, y, mask.of);
  }
};

template <class Variant>
void walk(const Variant& variant, Worker& w, const Record& r, int32_t tile_x, int32_t tile_y) {
  const TileBox box(r, tile_x, tile_y);
  Cuts<Variant> cuts;
  if (!cuts.find(variant, r, box)) return;
  if (r.wide) return walk_wide(variant, r, box);
  I16 inside_block[4];  // differences from the first pixel of a block to its pixels
  for (uint32_t e = 0; e < cuts.count; ++e) inside_block[e] = kLaneXi * splat(cuts.of[e].a) + kLaneYi * splat(cuts.of[e].b);
  if (box.few_blocks()) return walk_few(variant, r, box, cuts, inside_block);
  walk_rows(variant, w, r, box, cuts, inside_block, false);
}

/// A primitive whose coverage was computed during setup.
template <class Variant>
void small(const Variant& variant, const Record& r, int32_t tile_x, int32_t tile_y) {
  for (int32_t k = 0; k < 4; ++k) {
    if (r.block[k] == 0) continue;
    const int32_t x = (r.x0 & ~3) + 4 * (k & 1), y = (r.y0 & ~3) + 4 * (k >> 1);
    if (((x ^ tile_x) | (y ^ tile_y)) & ~(raster::kTile - 1)) continue;
    if constexpr (std::is_same_v<Variant, OneSample>) {
      variant.block(x, y, r.block[k]);
    } else {
      Masks mask;
      for (uint32_t s = 0; s < variant.samples; ++s) mask.of[s] = r.sample_blocks()[s][k];
      variant.block(x, y, mask);
    }
  }
}

}  // namespace

void extended_shape(Worker& w, const Record& r, int32_t tile_x, int32_t tile_y) {
  const Draw& d = *r.draw;
  const auto draw = [&](const auto& variant) {
    if (r.small) return small(variant, r, tile_x, tile_y);
    walk(variant, w, r, tile_x, tile_y);
  };
  if (d.samples > 1)
    draw(ManySamples{{{w, r, d.samples, d.sample_mask}}});
  else if (d.sample_mask & 1)
    draw(OneSample{{{w, r, 1, 1}}});
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
