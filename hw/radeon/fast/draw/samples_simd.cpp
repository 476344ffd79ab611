// SPDX-License-Identifier: MIT
/// tile_simd.cpp's walk for draws with several samples a pixel: edges differ by sample in their constant only. A block that all edges admit
/// for all samples needs no look at them; in others each sample has a mask. The program runs once a block, what comes before and behind it
/// for each sample (hw/radeon/ref/pipeline/pixel.cpp).
#include "hw/radeon/fast/draw/walk_simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {

namespace {

constexpr uint32_t kMost = sc::Samples::kMost;

/// A shape in a tile.
struct SampleWalk : Walk {
  uint32_t samples;
  const double *x, *y;  ///< from a pixel's centre to the samples, in grid steps
};

/// One pixel's masks by sample.
struct Masks {
  LaneMask of[kMost];
  LaneMask any(uint32_t n) const {
    uint32_t m = 0;
    for (uint32_t s = 0; s < n; ++s) m |= of[s];
    return static_cast<LaneMask>(m);
  }
  LaneMask all(uint32_t n) const {
    uint32_t m = 0xFFFF;
    for (uint32_t s = 0; s < n; ++s) m &= of[s];
    return static_cast<LaneMask>(m);
  }
  void keep(uint32_t n, LaneMask pixels) {
    for (uint32_t s = 0; s < n; ++s) of[s] &= pixels;
  }
};

/// Depth and stencil of all samples; what passes is left in `mask`.
void test(const SampleWalk& walk, int32_t x, int32_t y, Masks& mask, const Lanes (&z)[kMost]) {
  Worker& w = walk.w;
  const output::State& out = *walk.d.output;
  // All samples are in one tile of the Z mask: if it is expanded, no other look at it is needed.
  const zb::Setup& zb = out.zb;
  const bool expanded =
      out.depth_expanded && !zb.fast_fill.cleared(static_cast<uint32_t>(x + zb.x_offset), static_cast<uint32_t>(y + zb.y_offset));
  for (uint32_t s = 0; s < walk.samples; ++s) {
    if (!mask.of[s]) continue;
    const output::State& one = *out.of_sample[s];
    const output::DepthRoutine depth = expanded ? one.depth_expanded : one.depth;
    if (depth) mask.of[s] = depth(one, x, y, mask.of[s], walk.d.shader_depth ? w.args.depth : z[s], walk.r.back_facing);
    w.zpass += static_cast<uint64_t>(std::popcount(mask.of[s]));
    if (out.zero_output) mask.of[s] = 0;
  }
}

/// Worker::hiz knows of blocks, whatever their samples: the nearest and the farthest of them count.
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

/// Changes `mask`: copies of what was just stored in halves are slow.
void block(const SampleWalk& walk, int32_t x, int32_t y, Masks& mask) {
  const Record& r = walk.r;
  const Draw& d = walk.d;
  Worker& w = walk.w;
  const uint32_t n = walk.samples <= kMost ? walk.samples : kMost;  // what compilers do not know
  for (uint32_t s = 0; s < n; ++s) mask.of[s] &= d.stencil->sample_door[s];
  LaneMask pixels = mask.any(n);
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
    const bool whole = mask.all(n) == 0xFFFF;
    test(walk, x, y, mask, z);
    pixels = mask.any(n);
    if (pixels == 0) return;
    if (whole && walk.hiz && d.hiz.lowers && mask.all(n) == 0xFFFF) passed(walk, x, y, z);
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

/// Values beyond 32 bits: rare and pixel by pixel.
void wide_shape(const SampleWalk& walk, int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
  for (int32_t y = y0 & ~3; y <= y1; y += 4)
    for (int32_t x = x0 & ~3; x <= x1; x += 4) {
      Masks mask;
      for (uint32_t s = 0; s < walk.samples; ++s) {
        mask.of[s] = box_mask(walk.r, x, y);
        for (uint32_t e = 0; e < walk.r.edges; ++e) {
          const raster::Edge& edge = walk.r.edge[e];
          for (int lane = 0; lane < kLanes; ++lane)
            if (int64_t{edge.a} * (x + lane_x(lane)) + int64_t{edge.b} * (y + lane_y(lane)) + walk.r.sample_edges()[s][e] < 0)
              mask.of[s] &= static_cast<LaneMask>(~(1u << lane));
        }
      }
      block(walk, x, y, mask);
    }
}

}  // namespace

namespace {

/// Whose coverage was found when it was set up.
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
    for (uint32_t s = 0; s < walk.samples; ++s) mask.of[s] = r.sample_blocks()[s][k];
    block(walk, x, y, mask);
  }
}

}  // namespace

void shape_of_samples(Worker& w, const Record& r, int32_t tile_x, int32_t tile_y) {
  if (r.small) return small_shape(w, r, tile_x, tile_y);
  const int32_t x0 = r.x0 > tile_x ? r.x0 : tile_x, x1 = r.x1 < tile_x + raster::kTile - 1 ? r.x1 : tile_x + raster::kTile - 1;
  const int32_t y0 = r.y0 > tile_y ? r.y0 : tile_y, y1 = r.y1 < tile_y + raster::kTile - 1 ? r.y1 : tile_y + raster::kTile - 1;
  const raster::Stencil& stencil = *r.draw->stencil;
  const uint32_t n = stencil.samples;
  const int32_t bx = x0 & ~3, by = y0 & ~3;

  // Edges that cross the blocks of the box inside the tile for some sample; the others reject it or say nothing.
  struct {
    int32_t a, b, least, most;  ///< of the samples' values
    int32_t value[kMost];       ///< at the tile's first pixel
  } cut[4];
  uint32_t cuts = 0;
  for (uint32_t e = 0; e < r.edges && !r.wide; ++e) {
    const raster::Edge& edge = r.edge[e];
    int64_t least = r.sample_edges()[0][e], most = least;
    for (uint32_t s = 1; s < n; ++s) {
      const int64_t c = r.sample_edges()[s][e];
      least = c < least ? c : least, most = c > most ? c : most;
    }
    const int64_t v = int64_t{edge.a} * bx + int64_t{edge.b} * by;
    const int64_t across = int64_t{edge.a} * ((x1 | 3) - bx), down = int64_t{edge.b} * ((y1 | 3) - by);
    if (v + most + (across > 0 ? across : 0) + (down > 0 ? down : 0) < 0) return;
    if (v + least + (across < 0 ? across : 0) + (down < 0 ? down : 0) >= 0) continue;
    const int64_t first = int64_t{edge.a} * tile_x + int64_t{edge.b} * tile_y;
    auto& c = cut[cuts++];
    c.a = edge.a, c.b = edge.b, c.least = static_cast<int32_t>(first + least), c.most = static_cast<int32_t>(first + most);
    for (uint32_t s = 0; s < n; ++s) c.value[s] = static_cast<int32_t>(first + r.sample_edges()[s][e]);
  }

  const bool fill = !r.wide && fills(w, r, *r.draw);
  if (fill && cuts == 0) return fill_rectangle(w, r, *r.draw, {x0, y0, x1 + 1, y1 + 1});
  store(w.offset_z, offsets(static_cast<float>(r.z_dx * r.unit), static_cast<float>(r.z_dy * r.unit)));
  const bool hiz = r.draw->hiz.tests && (x1 - x0) + (y1 - y0) >= kLargeEnough;
  if (hiz) w.hiz.begin_shape(r.z_dx, r.z_dy);
  double at_x[kMost], at_y[kMost];
  SampleWalk walk{{w, r, *r.draw, hiz}, n, stencil.x, stencil.y};
  if (r.unit != raster::kUnit) {
    for (uint32_t s = 0; s < n; ++s) at_x[s] = sc::offset_of(stencil.at[s].x, r.unit), at_y[s] = sc::offset_of(stencil.at[s].y, r.unit);
    walk.x = at_x, walk.y = at_y;
  }
  w.planes_ready = false;
  if (r.wide) return wide_shape(walk, x0, y0, x1, y1);

  I16 inside_block[4];  // what the pixels of a block add to its first
  for (uint32_t e = 0; e < cuts; ++e) inside_block[e] = kLaneXi * splat(cut[e].a) + kLaneYi * splat(cut[e].b);

  // Of a block in which edges have these values at the first pixel, but for the samples' part.
  const auto cover = [&](const int32_t* value, LaneMask box, Masks& mask) __attribute__((always_inline)) {
    I16 pixel[4];
    for (uint32_t e = 0; e < cuts; ++e) pixel[e] = splat(value[e]) + inside_block[e];
    for (uint32_t s = 0; s < n; ++s) {
      I16 outside = splat(0);  // the sign
      for (uint32_t e = 0; e < cuts; ++e) outside = outside | (pixel[e] + splat(cut[e].value[s]));
      mask.of[s] = static_cast<LaneMask>(box & ~bits_of(lt(outside, splat(0))));
    }
  };

  if (!fill && (x1 >> 2) - (x0 >> 2) < kFewBlocks && (y1 >> 2) - (y0 >> 2) < kFewBlocks) {  // all blocks at once, in the order of lanes
    LaneMask alive = kMasks.to_x[(x1 >> 2) - (x0 >> 2)] & kMasks.to_y[(y1 >> 2) - (y0 >> 2)], full = alive;
    alignas(64) int32_t value[4][kLanes];
    for (uint32_t e = 0; e < cuts; ++e) {
      const I16 v = splat(cut[e].a * (bx - tile_x) + cut[e].b * (by - tile_y)) + (inside_block[e] << 2);
      store_unaligned(value[e], v);
      alive &= static_cast<LaneMask>(~bits_of(lt(v, splat(-best_of(cut[e].a, cut[e].b) - cut[e].most))));
      full &= static_cast<LaneMask>(~bits_of(lt(v, splat(-worst_of(cut[e].a, cut[e].b) - cut[e].least))));
    }
    for (uint32_t left = alive; left; left &= left - 1) {
      const int i = std::countr_zero(left);
      const int32_t x = bx + 4 * lane_x(i), y = by + 4 * lane_y(i);
      const LaneMask box = box_mask(r, x, y);
      Masks mask;
      if (full >> i & 1) {
        for (uint32_t s = 0; s < n; ++s) mask.of[s] = box;
      } else {
        int32_t first_pixel[4];
        for (uint32_t e = 0; e < cuts; ++e) first_pixel[e] = value[e][i];
        cover(first_pixel, box, mask);
      }
      block(walk, x, y, mask);
    }
    return;
  }

  const int32_t first = (x0 - tile_x) >> 2, last = (x1 - tile_x) >> 2;
  const uint32_t in_box = (2u << last) - (1u << first);
  uint32_t whole_in_box = in_box;
  if (x0 & 3) whole_in_box &= ~(1u << first);
  if ((x1 & 3) != 3) whole_in_box &= ~(1u << last);
  I16 along[4];
  int32_t best[4], worst[4];
  for (uint32_t e = 0; e < cuts; ++e) {
    along[e] = kLaneIndex * (4 * cut[e].a);
    best[e] = best_of(cut[e].a, cut[e].b) + cut[e].most, worst[e] = worst_of(cut[e].a, cut[e].b) + cut[e].least;
  }
  for (int32_t y = y0 & ~3; y <= y1; y += 4) {
    uint32_t alive = in_box, full = y >= y0 && y + 3 <= y1 ? whole_in_box : 0;
    for (uint32_t e = 0; e < cuts; ++e) {
      const I16 row = splat(cut[e].b * (y - tile_y)) + along[e];  // of the row's 16 blocks, at their first pixels
      alive &= ~uint32_t{bits_of(lt(row, splat(-best[e])))};
      full &= ~uint32_t{bits_of(lt(row, splat(-worst[e])))};
    }
    if (fill) {
      alive &= ~full;
      while (full) {
        const int from = std::countr_zero(full), to = from + std::countr_one(full >> from);
        fill_rectangle(w, r, *r.draw, {tile_x + 4 * from, y, tile_x + 4 * to, y + 4});
        full &= ~((1u << to) - 1);
      }
    }
    for (; alive; alive &= alive - 1) {
      const int i = std::countr_zero(alive);
      const int32_t x = tile_x + 4 * i;
      Masks mask;
      if (full >> i & 1) {
        for (uint32_t s = 0; s < n; ++s) mask.of[s] = 0xFFFF;
      } else {
        int32_t value[4];
        for (uint32_t e = 0; e < cuts; ++e) value[e] = cut[e].a * (x - tile_x) + cut[e].b * (y - tile_y);
        cover(value, box_mask(r, x, y), mask);
      }
      block(walk, x, y, mask);
    }
  }
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
