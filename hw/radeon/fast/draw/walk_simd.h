// SPDX-License-Identifier: MIT
/// Code shared by the variants of the tile walk (tile_simd.cpp: single-sampled; samples_simd.cpp: multisampled).
#pragma once
#include <bit>

#include "hw/common/simd/simd.h"
#include "hw/radeon/fast/draw/worker.h"

namespace pumice::hw::fast::PUMICE_SIMD {

/// A primitive of a multisampled draw, in a tile. The draw is the worker's current one.
void shape_of_samples(Worker& worker, const raster::Record& record, int32_t tile_x, int32_t tile_y);
/// A primitive of an extended draw, in a tile; likewise.
void extended_shape(Worker& worker, const raster::Record& record, int32_t tile_x, int32_t tile_y);

namespace {

using raster::Record;

constexpr F16 kLaneX = {0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3};
constexpr F16 kLaneY = {0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3};
constexpr I16 kLaneXi = {0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3};
constexpr I16 kLaneYi = {0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3};

struct MaskTables {
  LaneMask from_x[4], to_x[4], from_y[4], to_y[4];  ///< lanes with x >= n, x <= n and so on
};
constexpr MaskTables make_tables() {
  MaskTables t{};
  for (int n = 0; n < 4; ++n)
    for (int lane = 0; lane < kLanes; ++lane) {
      const auto bit = static_cast<LaneMask>(1u << lane);
      if (lane_x(lane) >= n) t.from_x[n] |= bit;
      if (lane_x(lane) <= n) t.to_x[n] |= bit;
      if (lane_y(lane) >= n) t.from_y[n] |= bit;
      if (lane_y(lane) <= n) t.to_y[n] |= bit;
    }
  return t;
}
constexpr MaskTables kMasks = make_tables();

inline F16 offsets(float step_x, float step_y) { return kLaneX * splat(step_x) + kLaneY * splat(step_y); }

/// Minimum box size in the tile (width + height) for which HiZ is used: for smaller primitives it costs more than it saves.
constexpr int32_t kLargeEnough = 24;

/// Primitives with at most this many blocks in both directions are walked with one block per lane, others by rows of 16 blocks.
constexpr int32_t kFewBlocks = 4;

/// The largest and least difference between an edge's value at the pixels of a block and at its first pixel.
inline int32_t best_of(int32_t a, int32_t b) { return (a > 0 ? 3 * a : 0) + (b > 0 ? 3 * b : 0); }
inline int32_t worst_of(int32_t a, int32_t b) { return (a < 0 ? 3 * a : 0) + (b < 0 ? 3 * b : 0); }

/// A primitive in a tile.
struct Walk {
  Worker& w;
  const Record& r;
  const Draw& d;
  bool hiz;  ///< Worker::hiz is tested and updated
};

/// Computes the primitive's planes when its first block needs them.
inline void ready_planes(const Walk& walk) {
  Worker& w = walk.w;
  const Record& r = walk.r;
  const raster::Routing& routing = *walk.d.routing;
  make_planes(w.planes, r, routing.layout.perspective, routing.linear);
  store(w.offset_w, offsets(w.planes.w_step_x, w.planes.w_step_y));
  for (uint32_t n = 0; n < routing.layout.interpolants; ++n) store(w.offset[n], offsets(w.planes.step_x[n], w.planes.step_y[n]));
  w.planes_ready = true;
}

/// Pixels of `mask` that pass the clip rectangles.
inline LaneMask clipped(const raster::Stencil& stencil, int32_t x, int32_t y, LaneMask mask) {
  for (uint32_t left = mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const int32_t lx = x + lane_x(lane), ly = y + lane_y(lane);
    uint32_t code = 0;
    for (int n = 0; n < 4; ++n) {
      const sc::Rectangle& c = stencil.clip.data()[n];
      code |= (lx >= c.x0 && lx <= c.x1 && ly >= c.y0 && ly <= c.y1 ? 1u : 0) << n;
    }
    if (!(stencil.clip_rule >> code & 1)) mask &= static_cast<LaneMask>(~(1u << lane));
  }
  return mask;
}

/// Pixels of a block that are inside the primitive's box.
inline LaneMask box_mask(const Record& r, int32_t x, int32_t y) {
  LaneMask m = 0xFFFF;
  if (r.x0 > x) m &= kMasks.from_x[r.x0 - x];
  if (r.y0 > y) m &= kMasks.from_y[r.y0 - y];
  if (r.x1 < x + 3) m &= kMasks.to_x[r.x1 - x];
  if (r.y1 < y + 3) m &= kMasks.to_y[r.y1 - y];
  return m;
}

/// Interpolants of a flat primitive: constant, equal to their values at its points. They do not depend on 1/w (block.h).
inline void ready_flat(Worker& w, const Record& r, const Draw& d) {
  const float* const value = r.values();
  for (uint32_t n = 0; n < r.stride; n += 8)
    for (uint32_t i = n; i < n + 8; ++i) {
      const auto bits = std::bit_cast<uint32_t>(value[i]);
      w.args.base[i] = std::bit_cast<float>(bits & 0x7F800000 ? bits : bits & 0x80000000);
      w.factor[i] = 0;
    }
  for (uint32_t n = 0; n < d.routing->layout.interpolants; ++n) store(w.offset[n], splat(-0.0f));
  store(w.offset_w, splat(-0.0f));
  w.args.base_w = 1;
  w.args.factor = w.factor;
}

/// The `one` argument of run_program().
inline const void* one_color(const Draw& d, const Record& r) {
  switch (d.colors) {
    case Colors::per_draw: return &d;
    case Colors::per_shape: return r.flat ? &r : nullptr;
    case Colors::per_pixel: break;
  }
  return nullptr;
}

/// Whether covered rectangles can be filled: one colour, one depth, no test can fail, no blending.
inline bool fills(Worker& w, const Record& r, const Draw& d) {
  if (d.whole_path != WholePath::fill && d.whole_path != WholePath::expand) return false;
  const bool per_shape = d.colors == Colors::per_shape;
  if (per_shape && !r.flat) return false;
  if (d.whole_path == WholePath::expand) return true;
  if (d.output->depth && (r.z_dx != 0 || r.z_dy != 0)) return false;
  if (!d.fills_depth[r.back_facing]) return false;
  if (!per_shape) return ready_fill(w);
  ready_flat(w, r, d);
  const bool ready = ready_fill(w, r);
  w.args.factor = w.planes.factor;
  return ready;
}

/// Pixels x0 <= x < x1, y0 <= y < y1, all covered.
inline void fill_rectangle(Worker& w, const Record& r, const Draw& d, const output::Rect& rect) {
  if (d.whole_path == WholePath::expand) return output::expand(*d.output, rect);
  const auto z = static_cast<float>(r.z);
  output::fill_depth(*d.output, rect, z > 0 ? (z < 1 ? z : 1.0f) : 0.0f, r.back_facing, w.zpass);
  if (!d.output->zero_output) output::fill(*d.output, w.fill, rect);
}

}  // namespace

/// Runs the program, fog and alpha test for a block; returns the remaining pixels. `ready` sets up interpolation if the program must run.
/// `one`: the draw or primitive of this block if it has one colour everywhere, else null.
template <class Ready>
PUMICE_INLINE LaneMask run_program(Worker& w, const Draw& d, const void* one, int32_t x, int32_t y, LaneMask mask, const Lanes& z,
                                   bool back_facing, Ready ready) {
  if (d.shade && (!one || w.colors_of != one)) {
    w.colors_of = nullptr;
    if (d.colors != Colors::per_draw) ready();
    w.args.x = x;
    w.args.y = y;
    w.args.back_facing = back_facing;
    w.args.covered = one ? LaneMask{0xFFFF} : mask;
    w.args.killed = 0;
    w.args.sample.killed = 0;
    w.args.stopped = 0;
    d.shade(w.args);
    if (w.args.stopped) {
      stop_draw(w);
      return 0;
    }
    w.colors_of = one;
    mask &= static_cast<LaneMask>(~(w.args.killed | w.args.sample.killed));  // TEXKILL, chroma keys
    if (mask == 0) return 0;
  }
  if (d.fog_on_nothing)
    for (Lanes& channel : w.args.color[0]) store(channel, splat(0.0f));
  return output::fog_alpha(*d.output, mask, z, w.args.color);
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
