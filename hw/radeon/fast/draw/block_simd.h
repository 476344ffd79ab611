// SPDX-License-Identifier: MIT
/// The pixel pipe for a block of 4x4 single-sampled pixels (hw/radeon/ref/pipeline/pixel.cpp): run at once, or deferred until adjacent
/// primitives have added their pixels (deferred.h).
#pragma once
#include "hw/radeon/fast/draw/walk_simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

/// The stages after early depth tests, in the order of hw/radeon/ref/pipeline/pixel.cpp; `ready`: see run_program().
template <class Ready>
PUMICE_INLINE void shade(Worker& w, const Draw& d, const void* one, int32_t x, int32_t y, LaneMask mask, const Lanes& z, bool back_facing,
                         Ready ready) {
  const output::State& out = *d.output;
  mask = run_program(w, d, one, x, y, mask, z, back_facing, ready);
  if (mask == 0) return;
  if (!d.early_z) {
    mask = output::depth_stencil(out, x, y, mask, d.shader_depth ? w.args.depth : z, back_facing, w.zpass);
    if (mask == 0) return;
  }
  output::color(out, x, y, mask, w.args.color);
}

/// The planes of the primitive at a block.
void ready_block(const Walk& walk, int32_t x, int32_t y) {
  Worker& w = walk.w;
  if (!w.planes_ready) ready_planes(walk);
  interpolate(w.args, w.planes, walk.r.stride, x * walk.r.unit - walk.r.from_x, y * walk.r.unit - walk.r.from_y);
}

/// Interpolants of a block whose lanes come from several primitives: complete values as offsets, the base is -0, which adds nothing. Takes
/// the first part and those that are like it in what is times w; the others remain in front. Returns the lanes.
LaneMask mix(Worker& w, const Draw& d, Deferred::Part* part, uint32_t parts, int32_t x, int32_t y, uint32_t& left) {
  const raster::Routing& routing = *d.routing;
  const uint32_t count = routing.layout.interpolants;
  uint32_t lanes = 0;
  for (uint32_t i = 0; i < parts; ++i) {
    const Record& r = *part[i].record;
    make_planes(w.planes, r, routing.layout.perspective, routing.linear);
    bool alike = true;
    for (uint32_t n = 0; n < count; ++n) {
      if (i == 0) w.factor[n] = w.planes.factor[n];
      alike &= w.factor[n] == w.planes.factor[n];
    }
    if (!alike) {
      part[left++] = part[i];
      continue;
    }
    interpolate(w.args, w.planes, r.stride, x * r.unit - r.from_x, y * r.unit - r.from_y);
    const Mask mine = mask_from(i == 0 ? LaneMask{0xFFFF} : part[i].mask);  // lanes without a primitive hold finite values
    const auto add = [&](Lanes & value, float base, float step_x, float step_y) __attribute__((always_inline)) {
      store(value, select(mine, splat(base) + offsets(step_x, step_y), load(value)));
    };
    add(w.offset_w, w.args.base_w, w.planes.w_step_x, w.planes.w_step_y);
    for (uint32_t n = 0; n < count; ++n) add(w.offset[n], w.args.base[n], w.planes.step_x[n], w.planes.step_y[n]);
    lanes |= part[i].mask;
  }
  for (uint32_t n = 0; n < count; ++n) w.args.base[n] = -0.0f;
  w.args.base_w = -0.0f;
  w.args.factor = w.factor;
  return static_cast<LaneMask>(lanes);
}

/// Draws the pixels of a deferred block.
[[gnu::noinline]] void draw_deferred(Worker& w, uint32_t index) {
  Deferred& deferred = w.deferred;
  const Draw& d = *w.draw;
  LaneMask mask = deferred.mask[index];
  deferred.mask[index] = 0;
  deferred.any[index / 64] &= ~(uint64_t{1} << index % 64);
  const int32_t x = deferred.tile_x + static_cast<int32_t>(index % Deferred::kAcross) * 4,
                y = deferred.tile_y + static_cast<int32_t>(index / Deferred::kAcross) * 4;
  const Lanes& z = deferred.z[index];
  const bool back = deferred.back_facing[index] != 0;
  if (d.early_z) {
    mask = output::depth_stencil(*d.output, x, y, mask, z, back, w.zpass);
    if (mask == 0) return;
  }
  if (d.colors == Colors::per_draw || !d.shade) return shade(w, d, &d, x, y, mask, z, back, [] {});
  Deferred::Part part[Deferred::kShapes];
  uint32_t parts = 0;
  for (uint32_t i = 0; i < deferred.shapes[index]; ++i) {
    part[parts] = deferred.part[index][i];
    part[parts].mask &= mask;
    parts += part[parts].mask != 0;
  }
  if (d.block_path == BlockPath::deferred && parts > 1) {
    while (parts) {
      uint32_t left = 0;
      const LaneMask visible = mix(w, d, part, parts, x, y, left);
      shade(w, d, nullptr, x, y, visible, z, back, [] {});
      w.args.factor = w.planes.factor;
      parts = left;
    }
  } else {
    for (uint32_t i = 0; i < parts; ++i) {
      const Record& r = *part[i].record;
      w.planes_ready = false;
      shade(w, d, one_color(d, r), x, y, part[i].mask, z, back, [&] { ready_block({w, r, d, false}, x, y); });
    }
  }
  w.planes_ready = false;
}

void draw_all_deferred(Worker& w) {
  for (uint32_t i = 0; i < Deferred::kBlocks / 64; ++i)
    while (const uint64_t any = w.deferred.any[i]) draw_deferred(w, 64 * i + static_cast<uint32_t>(std::countr_zero(any)));
}

/// 0..1, of a block's pixels. `offset`: offsets() of the primitive's depth; `unit`: Record::unit, absent in records of small primitives.
PUMICE_INLINE F16 depth_at(const Record& r, int32_t unit, int32_t x, int32_t y, F16 offset) {
  const double px = x * unit - r.from_x, py = y * unit - r.from_y;
  const auto base = static_cast<float>((r.z + px * r.z_dx) + py * r.z_dy);
  return min(max(splat(base) + offset, splat(0.0f)), splat(1.0f));
}

/// Adds pixels of a primitive to the deferred block they lie in.
PUMICE_INLINE void defer(const Walk& walk, int32_t x, int32_t y, LaneMask mask, F16 z) {
  Worker& w = walk.w;
  Deferred& deferred = w.deferred;
  const Draw& d = walk.d;
  mask &= d.stencil->door;
  if (d.stencil->clip_rule != 0xFFFF) mask = clipped(*d.stencil, x, y, mask);
  if (mask == 0) return;
  const uint32_t i = Deferred::index(x, y);
  const bool by_shape = d.shade && d.colors != Colors::per_draw;
  if (deferred.mask[i] &&
      ((deferred.mask[i] & mask) || deferred.back_facing[i] != walk.r.back_facing || (by_shape && deferred.shapes[i] == Deferred::kShapes)))
    draw_deferred(w, i);
  if (deferred.mask[i] == 0) {
    deferred.any[i / 64] |= uint64_t{1} << i % 64;
    ++deferred.use.begun;
    deferred.back_facing[i] = walk.r.back_facing;
    deferred.shapes[i] = 0;
    if (d.uses_z) store(deferred.z[i], z);
  } else {
    ++deferred.use.joined;
    if (d.uses_z) store(deferred.z[i], select(mask_from(mask), z, load(deferred.z[i])));
  }
  deferred.mask[i] |= mask;
  if (by_shape) deferred.part[i][deferred.shapes[i]++] = {&walk.r, mask};
  if (deferred.mask[i] == 0xFFFF) draw_deferred(w, i);
}

void block(const Walk& walk, int32_t x, int32_t y, LaneMask mask) {
  const Record& r = walk.r;
  const Draw& d = walk.d;
  Worker& w = walk.w;
  mask &= d.stencil->door;
  if (d.stencil->clip_rule != 0xFFFF) mask = clipped(*d.stencil, x, y, mask);
  if (mask == 0) return;
  if (const uint32_t i = Deferred::index(x, y); w.deferred.mask[i]) draw_deferred(w, i);
  if (d.uses_z) store(w.z, depth_at(r, r.unit, x, y, load(w.offset_z)));
  if (d.early_z) {
    if (walk.hiz && w.hiz.behind(d.hiz, x, y, w.z)) return;
    const bool whole = mask == 0xFFFF;
    mask = output::depth_stencil(*d.output, x, y, mask, w.z, r.back_facing, w.zpass);
    if (mask == 0) return;
    if (whole && walk.hiz && d.hiz.lowers && mask == 0xFFFF) w.hiz.passed(x, y, w.z);
  }
  shade(w, d, one_color(d, r), x, y, mask, w.z, r.back_facing, [&] { ready_block(walk, x, y); });
}

/// A block of a primitive that is not small: deferred if adjacent primitives will share it. A primitive larger than a tile has few such
/// blocks, and adjacent ones arrive when its planes are no longer available.
PUMICE_INLINE void block_or_defer(const Walk& walk, int32_t x, int32_t y, LaneMask mask) {
  const Record& r = walk.r;
  const bool large = r.x1 - r.x0 >= raster::kTile || r.y1 - r.y0 >= raster::kTile;
  if (large || mask == 0xFFFF || walk.d.block_path == BlockPath::general || !walk.w.deferred.use.worth()) return block(walk, x, y, mask);
  const F16 z = walk.d.uses_z ? depth_at(r, r.unit, x, y, load(walk.w.offset_z)) : F16{};
  if (walk.hiz) {
    store(walk.w.z, z);
    if (walk.w.hiz.behind(walk.d.hiz, x, y, walk.w.z)) return;
  }
  defer(walk, x, y, mask, z);
}

}  // namespace
}  // namespace pumice::hw::fast::PUMICE_SIMD
