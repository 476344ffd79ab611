// SPDX-License-Identifier: MIT
/// Collects blocks (collected.h), whose inputs are computed by lane when a primitive adds its pixels, as the routine for one primitive
/// computes them (pixel_code.cpp), and draws them.
#pragma once
#include "hw/common/simd/doubles.h"
#include "hw/radeon/fast/extended/hidden_simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {

using extended::Collected;
using extended::CollectedLanes;
using extended::CollectedUse;

namespace {

static_assert(8 % kDoubles == 0);  // Record::stride

/// Arguments of a call for pixels of several primitives of that facing.
PixelArgs& begin_call(BlockState& s, bool back, const raster::Extended* e, uint32_t viewport, const void* lanes) {
  const BlockDraw& d = *s.draw;
  PixelArgs& a = s.collected_args;
  const BlockState::Code& code = s.code[back];
  a.group.views = code.views, a.group.textures = code.textures, a.group.images = code.images;
  a.front = back ? 0 : ~0u;
  const BlockDraw::Face& face = d.face[back];
  a.reference = face.reference, a.compare = face.compare, a.write = face.write;
  a.extended = e;
  a.lanes = lanes;
  const BlockDraw::Range& range = d.z_range[viewport & 15];
  a.z_low = range.low, a.z_high = range.high;
  return a;
}

/// The call, for the pixels of `mask`. `kCounts`: programs with loops count their budget.
template <bool kCounts>
void end_call(BlockState& s, bool back, LaneMask mask, CollectedUse& use) {
  const BlockDraw& d = *s.draw;
  PixelArgs& a = s.collected_args;
  a.covered[0][0] = mask, a.passed[0][0] = 0;
  a.quads[0] = with_helpers(mask);
  charge(s, 1);
  GroupArgs &g = s.args.group, &own = a.group;
  if (!g.stop) {
    if (kCounts) own.left = g.left, own.stop = own.stopped = 0;
    if (const auto native = s.code[back].collected)
      native(&a);
    else
      s.call_collected(s, back);
    if (kCounts) g.left = own.left, g.stop = own.stop, g.stopped |= own.stopped;
  }
  if (g.stop || g.stopped) s.stopped(s);
  const uint32_t passed = d.counts_covered ? mask : a.passed[0][0] & 0xFFFF;
  if (s.counts_runs) s.runs += ones(d.runs_passed ? passed : mask);
  use.hidden += passed == 0;
  s.zpass += ones(passed);
}

[[gnu::noinline]] void draw_collected(BlockState& s, uint32_t i) {
  Collected& c = *s.collected;
  const BlockDraw& d = *s.draw;
  const LaneMask mask = c.mask[i];
  c.mask[i] = 0;
  c.any[i / 64] &= ~(uint64_t{1} << i % 64);
  const int32_t x = c.tile_x + static_cast<int32_t>(i % Collected::kAcross) * 4,
                y = c.tile_y + static_cast<int32_t>(i / Collected::kAcross) * 4;
  PixelArgs& a = begin_call(s, c.back_facing[i], c.extended, c.viewport, &c.lanes[i]);
  a.x[0] = static_cast<float>(x) + 0.5f, a.y[0] = static_cast<float>(y) + 0.5f;
  if (d.depth) a.depth[0] = view(s.depth, d.depth_surface, x, y, d.whole_blocks);
  for (uint32_t t = 0; t < d.colors; ++t) a.color[d.color_number[t]][0] = view(s.color[t], d.color[t], x, y, d.whole_blocks);
  end_call<false>(s, c.back_facing[i], mask, *c.uses.now);
}

void settle_collected(BlockState& s) {
  for (uint32_t i = 0; i < Collected::kBlocks / 64; ++i)
    while (const uint64_t any = s.collected->any[i]) draw_collected(s, 64 * i + static_cast<uint32_t>(__builtin_ctzll(any)));
}

/// Draws what is collected of the blocks of a row: bit i: the block at 4*i of the tile.
void draw_collected_of(BlockState& s, int32_t y, uint32_t blocks) {
  const uint32_t row = Collected::row_of(y);
  for (uint32_t left = static_cast<uint32_t>(s.collected->any[row / 64] >> row % 64) & blocks; left; left &= left - 1)
    draw_collected(s, row + static_cast<uint32_t>(__builtin_ctz(left)));
}

/// put(row of InputLanes, value) for the inputs of the pixels (in_x, in_y) of a block.
template <class F>
[[gnu::always_inline]] inline void evaluate(const BlockState& s, const raster::Record& r, int32_t x, int32_t y, F16 in_x, F16 in_y, F put) {
  const BlockDraw& d = *s.draw;
  const PixelArgs& a = s.args;
  const Planes& p = s.planes;
  constexpr uint32_t kZ = 0, kW = 1, kValues = 2;
  const double px = x * r.unit - r.from_x, py = y * r.unit - r.from_y;
  if (d.uses_z) put(kZ, depth_of(a, r, px, py, in_x, in_y));
  if (d.uses_w) {
    const auto at = [&](float base, float step_x, float step_y) __attribute__((always_inline)) {
      return fma(in_x, splat(step_x), fma(in_y, splat(step_y), splat(base)));
    };
    const auto base_w = static_cast<float>((p.w + px * p.w_dx) + py * p.w_dy);
    F16 w = splat(base_w), one_by_w = splat(1.0f / base_w);
    if (a.w_step_x != 0 || a.w_step_y != 0 || base_w == 0) {
      w = at(base_w, a.w_step_x, a.w_step_y);
      one_by_w = splat(1.0f) / w;
    }
    put(kW, w);
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
        put(kValues + n, d.linear[n] ? v : fma(v, one_by_w, splat(a.values[n])));
      }
    }
  }
  for (uint32_t n = 0; n < s.flat_count; ++n) {
    const F16 v = splat(__builtin_bit_cast(float, a.extended->flat[n]));
    put(kValues + s.plane_count + n, v);
  }
}

/// Whether blocks of the primitive are collected: one larger than a tile has few that other ones complete.
bool is_small(const raster::Record& r) { return r.x1 - r.x0 < raster::kTile && r.y1 - r.y0 < raster::kTile; }

/// Row n of InputLanes.
template <uint32_t kMost>
Lanes& row_of(extended::InputLanes<kMost>& lanes, uint32_t n) {
  static_assert(sizeof lanes == (2 + kMost) * sizeof(Lanes));
  return *(reinterpret_cast<Lanes*>(&lanes) + n);
}

/// Adds the pixels of a primitive to a collected block. False: the block is to be drawn alone, and now.
[[gnu::noinline]] bool collect(BlockState& s, const raster::Record& r, int32_t x, int32_t y, LaneMask mask) {
  Collected& c = *s.collected;
  const uint32_t i = Collected::index(x, y);
  LaneMask there = c.mask[i];
  if (mask == 0xFFFF || !is_small(r) || !c.uses.now->worth()) {
    if (there) draw_collected(s, i);
    return false;
  }
  if (there && ((there & mask) || (s.draw->by_facing && c.back_facing[i] != r.back_facing))) draw_collected(s, i), there = 0;
  if (!there) {
    c.any[i / 64] |= uint64_t{1} << i % 64;
    c.back_facing[i] = r.back_facing;
    c.tile_x = x & ~(raster::kTile - 1), c.tile_y = y & ~(raster::kTile - 1);
    ++c.uses.now->begun;
  } else {
    ++c.uses.now->joined;
  }
  const Mask lanes = mask_from(mask);
  CollectedLanes& to = c.lanes[i];
  if (there)
    evaluate(s, r, x, y, kLaneX, kLaneY, [&](uint32_t n, F16 v) { store(row_of(to, n), select(lanes, v, load(row_of(to, n)))); });
  else
    evaluate(s, r, x, y, kLaneX, kLaneY,
             [&](uint32_t n, F16 v) { store(row_of(to, n), v); });  // lanes without a primitive hold values of one
  c.mask[i] = there | mask;
  if (c.mask[i] == 0xFFFF) draw_collected(s, i);
  return true;
}

}  // namespace
}  // namespace pumice::hw::fast::PUMICE_SIMD
