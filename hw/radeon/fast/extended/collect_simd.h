// SPDX-License-Identifier: MIT
/// Collects blocks (collected.h), whose inputs are computed by lane when a primitive adds its pixels, as the routine for one primitive
/// computes them (pixel_code.cpp), and draws them.
#pragma once
#include "hw/common/simd/doubles.h"
#include "hw/radeon/fast/extended/block_simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {

using extended::Collected;
using extended::CollectedLanes;

namespace {

static_assert(8 % kDoubles == 0);  // Record::stride

constexpr F16 kLaneX = {0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3};
constexpr F16 kLaneY = {0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3};

[[gnu::noinline]] void draw_collected(BlockState& s, uint32_t i) {
  Collected& c = *s.collected;
  const BlockDraw& d = *s.draw;
  PixelArgs& a = s.collected_args;
  const LaneMask mask = c.mask[i];
  c.mask[i] = 0;
  c.any[i / 64] &= ~(uint64_t{1} << i % 64);
  const bool back = c.back_facing[i];
  const int32_t x = c.tile_x + static_cast<int32_t>(i % Collected::kAcross) * 4,
                y = c.tile_y + static_cast<int32_t>(i / Collected::kAcross) * 4;
  const BlockState::Code& code = s.code[back];
  a.group.views = code.views, a.group.textures = code.textures, a.group.images = code.images;
  a.front = back ? 0 : ~0u;
  const BlockDraw::Face& face = d.face[back];
  a.reference = face.reference, a.compare = face.compare, a.write = face.write;
  a.extended = c.extended;
  a.lanes = &c.lanes[i];
  const BlockDraw::Range& range = d.z_range[c.viewport & 15];
  a.z_low = range.low, a.z_high = range.high;
  a.x[0] = static_cast<float>(x) + 0.5f, a.y[0] = static_cast<float>(y) + 0.5f;
  a.covered[0][0] = mask, a.passed[0][0] = 0;
  a.quads[0] = with_helpers(mask);
  if (d.depth) a.depth[0] = view(s.depth, d.depth_surface, x, y, d.whole_blocks);
  for (uint32_t t = 0; t < d.colors; ++t) a.color[d.color_number[t]][0] = view(s.color[t], d.color[t], x, y, d.whole_blocks);
  charge(s, 1);
  GroupArgs& g = s.args.group;
  if (!g.stop) {
    if (code.collected)
      code.collected(&a);
    else
      s.call_collected(s, back);
  }
  if (g.stop || g.stopped) s.stopped(s);
  const uint32_t passed = d.counts_covered ? mask : a.passed[0][0] & 0xFFFF;
  if (s.counts_runs) s.runs += ones(d.runs_passed ? passed : mask);
  c.use->hidden += passed == 0;
  s.zpass += ones(passed);
}

void settle(BlockState& s) {
  if (!s.collected) return;
  for (uint32_t i = 0; i < Collected::kBlocks / 64; ++i)
    while (const uint64_t any = s.collected->any[i]) draw_collected(s, 64 * i + static_cast<uint32_t>(__builtin_ctzll(any)));
}

/// Draws the blocks of other layers and viewports.
void settle_others(BlockState& s, const raster::Extended& e) {
  if (!s.collected || (s.collected->layer == e.layer && s.collected->viewport == e.viewport)) return;
  settle(s);
  s.collected->layer = e.layer, s.collected->viewport = e.viewport;
  s.collected->extended = &e;
}

/// Draws what is collected of the blocks of a row: bit i: the block at 4*i of the tile.
void draw_collected_of(BlockState& s, int32_t y, uint32_t blocks) {
  const uint32_t row = Collected::row_of(y);
  for (uint32_t left = static_cast<uint32_t>(s.collected->any[row / 64] >> row % 64) & blocks; left; left &= left - 1)
    draw_collected(s, row + static_cast<uint32_t>(__builtin_ctz(left)));
}

/// The inputs of the lanes of `mask`; with kAll of all.
template <bool kAll>
void evaluate(const BlockState& s, const raster::Record& r, int32_t x, int32_t y, Mask mask, CollectedLanes& out) {
  const BlockDraw& d = *s.draw;
  const PixelArgs& a = s.args;
  const Planes& p = s.planes;
  const auto put = [&](Lanes & to, F16 v) __attribute__((always_inline)) { store(to, kAll ? v : select(mask, v, load(to))); };
  const double px = x * r.unit - r.from_x, py = y * r.unit - r.from_y;
  if (d.uses_z) {
    const auto base = static_cast<float>((r.z + px * r.z_dx) + py * r.z_dy);
    put(out.z, splat(base) + (kLaneX * splat(a.z_step_x) + kLaneY * splat(a.z_step_y)));
  }
  if (d.uses_w) {
    const auto at = [&](float base, float step_x, float step_y) __attribute__((always_inline)) {
      return fma(kLaneX, splat(step_x), fma(kLaneY, splat(step_y), splat(base)));
    };
    const auto base_w = static_cast<float>((p.w + px * p.w_dx) + py * p.w_dy);
    F16 w = splat(base_w), one_by_w = splat(1.0f / base_w);
    if (a.w_step_x != 0 || a.w_step_y != 0 || base_w == 0) {
      w = at(base_w, a.w_step_x, a.w_step_y);
      one_by_w = splat(1.0f) / w;
    }
    put(out.w, w);
    for (uint32_t first = 0; first < s.plane_count; first += 8) {
      alignas(64) float base[8];
      for (uint32_t i = 0; i < 8; i += kDoubles) {
        D origin, dx, dy;
        __builtin_memcpy(&origin, p.origin + first + i, sizeof origin);
        __builtin_memcpy(&dx, p.dx + first + i, sizeof dx);
        __builtin_memcpy(&dy, p.dy + first + i, sizeof dy);
        store_unaligned(base + i, narrow((origin + px * dx) + py * dy));
      }
      for (uint32_t i = 0; i < 8 && first + i < s.plane_count; ++i) {
        const uint32_t n = first + i;
        const F16 v = at(base[i], a.step_x[n], a.step_y[n]);
        put(out.value[n], d.linear[n] ? v : fma(v, one_by_w, splat(a.values[n])));
      }
    }
  }
  for (uint32_t n = 0; n < s.flat_count; ++n) {
    const F16 v = splat(__builtin_bit_cast(float, a.extended->flat[n]));
    put(out.value[s.plane_count + n], v);
  }
}

/// Whether blocks of the primitive are collected: one larger than a tile has few that other ones complete.
bool is_small(const raster::Record& r) { return r.x1 - r.x0 < raster::kTile && r.y1 - r.y0 < raster::kTile; }

/// Adds the pixels of a primitive to a collected block. False: the block is to be drawn alone, and now.
[[gnu::noinline]] bool collect(BlockState& s, const raster::Record& r, int32_t x, int32_t y, LaneMask mask) {
  Collected& c = *s.collected;
  const uint32_t i = Collected::index(x, y);
  LaneMask there = c.mask[i];
  if (mask == 0xFFFF || !is_small(r) || !c.use->worth()) {
    if (there) draw_collected(s, i);
    return false;
  }
  if (there && ((there & mask) || c.back_facing[i] != r.back_facing)) draw_collected(s, i), there = 0;
  if (!there) {
    c.any[i / 64] |= uint64_t{1} << i % 64;
    c.back_facing[i] = r.back_facing;
    c.tile_x = x & ~(raster::kTile - 1), c.tile_y = y & ~(raster::kTile - 1);
    ++c.use->begun;
  } else {
    ++c.use->joined;
  }
  if (there)
    evaluate<false>(s, r, x, y, mask_from(mask), c.lanes[i]);
  else
    evaluate<true>(s, r, x, y, Mask{}, c.lanes[i]);  // lanes without a primitive hold values of one
  c.mask[i] = there | mask;
  if (c.mask[i] == 0xFFFF) draw_collected(s, i);
  return true;
}

}  // namespace
}  // namespace pumice::hw::fast::PUMICE_SIMD
