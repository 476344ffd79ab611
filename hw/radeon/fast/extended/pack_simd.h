// SPDX-License-Identifier: MIT
/// Packs quads (packed.h), whose inputs are computed by lane when a primitive adds them, as for collected blocks, and draws them.
#pragma once
#include <array>

#include "hw/radeon/fast/extended/collect_simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {

using extended::Packed;
using extended::PackedLanes;

namespace {

/// Those that wait, at most Packed::kQuads.
[[gnu::noinline]] void draw_packed(BlockState& s) {
  Packed& p = *s.packed;
  const BlockDraw& d = *s.draw;
  const uint32_t count = p.count;
  uint32_t mask = 0;
  for (uint32_t i = 0; i < count; ++i) mask |= p.quad[i].covered << 4 * i;
  p.count = 0;
  PixelArgs& a = begin_call(s, p.back_facing, p.extended, p.viewport, &p.lanes);
  const auto layer = [](const std::byte* base, const Surface& of) { return lane::BufferView{base, static_cast<uint32_t>(of.layer_bytes)}; };
  if (d.depth) a.depth[0] = layer(s.depth, d.depth_surface);
  for (uint32_t t = 0; t < d.colors; ++t) a.color[d.color_number[t]][0] = layer(s.color[t], d.color[t]);
  CollectedUse& use = *p.uses.now;
  ++use.begun, ++use.joined;
  end_call<true>(s, p.back_facing, static_cast<LaneMask>(mask), use);
}

void settle_packed(BlockState& s) {
  if (s.packed->count) draw_packed(s);
}

/// Before pixels of the block at (x, y) are drawn: those of it that wait.
void draw_packed_of(BlockState& s, int32_t x, int32_t y, LaneMask mask) {
  const Packed& p = *s.packed;
  for (uint32_t i = 0; i < p.count; ++i) {
    const Packed::Quad& q = p.quad[i];
    const auto dx = static_cast<uint32_t>(q.x - x), dy = static_cast<uint32_t>(q.y - y);
    if (dx < 4 && dy < 4 && (q.covered & mask >> (2 * dx + 4 * dy))) return draw_packed(s);
  }
}

/// Before the blocks of a row are drawn: bit i: the block at x + 4*i.
void draw_packed_of_row(BlockState& s, int32_t x, int32_t y, uint32_t blocks) {
  const Packed& p = *s.packed;
  for (uint32_t i = 0; i < p.count; ++i) {
    const auto n = static_cast<uint32_t>((p.quad[i].x - x) >> 2);
    if ((p.quad[i].y & ~3) == y && n < 16 && (blocks >> n & 1u)) return draw_packed(s);
  }
}

/// Where the pixels of quads are in their block, when the quads of `mask` are put side by side from the lanes of quad `first` on.
struct QuadPlaces {
  Lanes x, y;
};
constexpr auto kQuadPlaces = [] {
  std::array<std::array<QuadPlaces, 16>, Packed::kQuads> t{};
  for (uint32_t first = 0; first < Packed::kQuads; ++first)
    for (uint32_t mask = 0; mask < 16; ++mask) {
      uint32_t to = 4 * first;
      for (int l = 0; l < kLanes && to < kLanes; ++l) {
        if (!(mask >> l / 4 & 1u)) continue;
        t[first][mask].x.v[to] = static_cast<float>(lane_x(l));
        t[first][mask].y.v[to++] = static_cast<float>(lane_y(l));
      }
    }
  return t;
}();

/// Adds quads of a block for which there is room.
void add_quads(BlockState& s, const raster::Record& r, int32_t x, int32_t y, LaneMask covered, uint32_t quads) {
  Packed& p = *s.packed;
  const uint32_t count = ones(quads);
  uint32_t to = p.count;
  for (uint32_t left = quads; left; left &= left - 1, ++to) {
    const auto q = static_cast<uint32_t>(__builtin_ctz(left));
    p.quad[to] = {x + static_cast<int32_t>(q % 2 * 2), y + static_cast<int32_t>(q / 2 * 2), covered >> 4 * q & 15u};
  }
  const QuadPlaces& places = kQuadPlaces[p.count][quads];
  const F16 in_x = load(places.x), in_y = load(places.y);
  const Mask lanes = mask_from(static_cast<LaneMask>(((1u << 4 * count) - 1) << 4 * p.count));
  PackedLanes& at = p.lanes;
  const auto put = [&](Lanes & row, F16 v) __attribute__((always_inline)) { store(row, select(lanes, v, load(row))); };
  put(at.x, splat(static_cast<float>(x)) + in_x), put(at.y, splat(static_cast<float>(y)) + in_y);
  evaluate(
      s, r, x, y, in_x, in_y, [&](uint32_t n, F16 v) __attribute__((always_inline)) { put(row_of(at.inputs, n), v); });
  p.count += count;
  if (p.count == Packed::kQuads) draw_packed(s);
}

/// Adds the quads of a block, without pixels that are hidden already. False: the block is to be drawn alone, and now.
[[gnu::noinline]] bool pack(BlockState& s, const raster::Record& r, int32_t x, int32_t y, LaneMask mask) {
  Packed& p = *s.packed;
  CollectedUse& use = *p.uses.now;
  if (s.draw->rejected.known && !s.counts_runs && use.looks()) {
    const LaneMask seen = mask & static_cast<LaneMask>(~hidden(s, r, x, y));
    ++use.looked, use.found += seen != mask;
    if (!seen) return true;
    mask = seen;
  }
  uint32_t quads = 0;
  for (uint32_t q = 0; q < 4; ++q) quads |= static_cast<uint32_t>((mask >> 4 * q & 15) != 0) << q;
  if (p.count) {
    if (s.draw->by_facing && p.back_facing != r.back_facing)
      draw_packed(s);
    else
      draw_packed_of(s, x, y, mask);
  }
  if (quads == 15 || !use.worth()) return false;
  p.back_facing = r.back_facing;
  uint32_t now = 0;  // those that there is room for
  for (uint32_t room = Packed::kQuads - p.count, left = quads; room && left; --room, left &= left - 1) now |= left & -left;
  add_quads(s, r, x, y, mask, now);
  if (now != quads) add_quads(s, r, x, y, mask, quads & ~now);
  return true;
}

}  // namespace
}  // namespace pumice::hw::fast::PUMICE_SIMD
