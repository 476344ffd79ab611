// SPDX-License-Identifier: MIT
/// The tile walk for multisampled draws: edges differ by sample in their constant only. A block inside all edges for all samples needs no
/// per-sample tests; in others each sample has a mask. The program runs once per block, the stages before and after it for
/// each sample (hw/radeon/ref/pipeline/pixel.cpp).
#include "hw/radeon/fast/draw/sample_coverage_simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {

namespace {

/// A primitive in a tile.
struct SampleWalk : Walk {
  uint32_t samples;
  const double *x, *y;  ///< from the pixel centre to the samples, in grid steps
};

/// Depth and stencil of all samples; clears the samples that fail from `mask`.
void test(const SampleWalk& walk, int32_t x, int32_t y, Masks& mask, const Lanes (&z)[kMost]) {
  Worker& w = walk.w;
  const output::State& out = *walk.d.output;
  // All samples are in one tile of the Z mask: if it is expanded, it need not be read again.
  const zb::Setup& zb = out.zb;
  const bool expanded =
      out.depth_expanded && !zb.fast_fill.cleared(static_cast<uint32_t>(x + zb.x_offset), static_cast<uint32_t>(y + zb.y_offset));
  mask.make(walk.samples, [&](uint32_t s) {
    LaneMask m = mask.of[s];
    if (!m) return m;
    const output::State& one = *out.of_sample[s];
    const output::DepthRoutine depth = expanded ? one.depth_expanded : one.depth;
    if (depth) m = depth(one, x, y, m, walk.d.shader_depth ? w.args.depth : z[s], walk.r.back_facing);
    w.zpass += static_cast<uint64_t>(std::popcount(m));
    return out.zero_output ? LaneMask{0} : m;
  });
}

/// Worker::hiz has one bound per block for all samples: the nearest and the farthest of them are compared.
bool behind(const SampleWalk& walk, int32_t x, int32_t y, const Lanes (&z)[kMost]) {
  for (uint32_t s = 0; s < walk.samples; ++s)
    if (!walk.w.hiz.behind(walk.d.hiz, x, y, z[s])) return false;
  return true;
}
void passed(const SampleWalk& walk, int32_t x, int32_t y, const Lanes (&z)[kMost]) {
  Hiz& hiz = walk.w.hiz;
  uint32_t farthest = 0;
  for (uint32_t s = 1; s < walk.samples; ++s)
    if (z[s].v[hiz.high] * hiz.direction > z[farthest].v[hiz.high] * hiz.direction) farthest = s;
  hiz.passed(x, y, z[farthest]);
}

/// Changes `mask` in place: copying data that was just stored in halves is slow (store forwarding).
void block(const SampleWalk& walk, int32_t x, int32_t y, Masks& mask) {
  const Record& r = walk.r;
  const Draw& d = walk.d;
  Worker& w = walk.w;
  const uint32_t n = walk.samples <= kMost ? walk.samples : kMost;  // a bound for the compiler
  mask.make(n, [&](uint32_t s) { return static_cast<LaneMask>(mask.of[s] & d.stencil->sample_door[s]); });
  LaneMask pixels = mask.any;
  if (pixels == 0) return;
  if (d.stencil->clip_rule != 0xFFFF) {
    pixels = clipped(*d.stencil, x, y, pixels);
    if (pixels == 0) return;
    mask.keep(n, pixels);
  }
  const double px = x * r.unit - r.from_x, py = y * r.unit - r.from_y;
  const F16 offset_z = load(w.offset_z);
  const auto depth_at = [&](double at_x, double at_y) {
    const auto base = static_cast<float>((r.z + at_x * r.z_dx) + at_y * r.z_dy);
    return min(max(splat(base) + offset_z, splat(0.0f)), splat(1.0f));
  };
  const output::State& out = *d.output;
  Lanes z[kMost];
  if (out.depth)
    for (uint32_t s = 0; s < n; ++s) store(z[s], depth_at(px + walk.x[s], py + walk.y[s]));
  store(w.z, depth_at(px, py));  // fog

  if (d.early_z) {
    if (walk.hiz && behind(walk, x, y, z)) return;
    const bool whole = mask.all == 0xFFFF;
    test(walk, x, y, mask, z);
    pixels = mask.any;
    if (pixels == 0) return;
    if (whole && walk.hiz && d.hiz.lowers && mask.all == 0xFFFF) passed(walk, x, y, z);
  }
  pixels = run_program(w, d, one_color(d, r), x, y, pixels, w.z, r.back_facing, [&] {
    if (!w.planes_ready) ready_planes(walk);
    interpolate(w.args, w.planes, r.stride, px, py);
  });
  if (pixels == 0) return;
  mask.keep(n, pixels);
  if (out.sample_mask)
    for (uint32_t s = 0; s < n; ++s) mask.of[s] &= out.sample_mask(out, w.args.color[0], s);
  if (!d.early_z) test(walk, x, y, mask, z);
  output::color_of_samples(out, x, y, mask.of, w.args.color);
}

/// A primitive whose coverage was computed during setup.
void small_shape(Worker& w, const Record& r, int32_t tile_x, int32_t tile_y) {
  const raster::Stencil& stencil = *r.draw->stencil;
  const SampleWalk walk{{w, r, *r.draw, false}, stencil.samples, stencil.x, stencil.y};
  store(w.offset_z, offsets(static_cast<float>(r.z_dx * raster::kUnit), static_cast<float>(r.z_dy * raster::kUnit)));
  w.planes_ready = false;
  for (int32_t k = 0; k < 4; ++k) {
    if (r.block[k] == 0) continue;
    const int32_t x = (r.x0 & ~3) + 4 * (k & 1), y = (r.y0 & ~3) + 4 * (k >> 1);
    if (((x ^ tile_x) | (y ^ tile_y)) & ~(raster::kTile - 1)) continue;
    Masks mask;
    mask.make(walk.samples, [&](uint32_t s) { return r.sample_blocks()[s][k]; });
    block(walk, x, y, mask);
  }
}

/// tile_walk_simd.h with several samples per pixel.
struct ManySamples : SampleCoverage<SampleWalk> {
  PUMICE_INLINE void block(int32_t at_x, int32_t at_y, Masks& mask) const { PUMICE_SIMD::block(*this, at_x, at_y, mask); }
  void begin() const {}
  void rectangle(const output::Rect& rect) const { fill_rectangle(w, r, d, rect); }
  bool fill(const TileBox& box, const Cuts<ManySamples>& cuts) const {
    if (cuts.count == 0) fill_rectangle(w, r, d, box.rect());
    return cuts.count == 0;
  }
  static bool hidden(const TileBox&) { return false; }
  static bool picture(const TileBox&, const Cuts<ManySamples>&) { return false; }
};

}  // namespace

void shape_of_samples(Worker& w, const Record& r, int32_t tile_x, int32_t tile_y) {
  if (r.small) return small_shape(w, r, tile_x, tile_y);
  const raster::Stencil& stencil = *r.draw->stencil;
  double at_x[kMost], at_y[kMost];
  ManySamples variant{{{{w, r, *r.draw, false}, stencil.samples, stencil.x, stencil.y}}};
  if (r.unit != raster::kUnit) {
    for (uint32_t s = 0; s < stencil.samples; ++s)
      at_x[s] = sc::offset_of(stencil.at[s].x, r.unit), at_y[s] = sc::offset_of(stencil.at[s].y, r.unit);
    variant.x = at_x, variant.y = at_y;
  }
  walk_shape(variant, w, r, tile_x, tile_y);
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
