// SPDX-License-Identifier: MIT
/// SIMD texture coordinates: perspective divide, clamp, level of detail. Steps as in texcoord.cpp and lod.cpp.
#pragma once
#include "hw/rdp/fast/lanes.h"
#include "hw/rdp/fast/primitive.h"

namespace pumice::hw::rdp::fast {
namespace {

/// Reciprocal and slope of 64 steps, as (slope << 16) + value.
struct ReciprocalTable {
  int32_t v[64];
  constexpr ReciprocalTable() : v() {
    int32_t p[65] = {};
    for (int i = 0; i <= 64; ++i) p[i] = ((1 << 20) + (64 + i) / 2) / (64 + i);
    p[6] = 14979;
    for (int i = 0; i < 64; ++i) v[i] = (p[i + 1] - p[i]) * 65536 + p[i];
  }
};
alignas(64) constexpr ReciprocalTable kReciprocals;

constexpr int32_t kUnder = 0x20000, kOver = 0x40000;

/// 17 bits and range flags.
struct Divided {
  W s, t;
};

PUMICE_INLINE W divide_one(W v, W reciprocal, W shift, W least, W mask, W not_positive) {
  const W p = v * reciprocal;
  const W out = p & mask;
  const W q = least ? (W)((WU)p << 1) : p >> max(13 - shift, splat_w(0));
  const W bad = (out != 0) & (out != mask);
  const W sign = ((least ? p : q) >> 29 & 1) != 0;
  const W flags = sign ? splat_w(kUnder) : splat_w(kOver);
  return (q & 0x1FFFF) | (bad & flags) | (not_positive & kOver);
}

PUMICE_INLINE Divided divide(bool perspective, WU s, WU t, WU w) {
  const W si = (W)s >> 16, ti = (W)t >> 16;
  if (!perspective) return {si & 0x1FFFF, ti & 0x1FFFF};
  const W wi = (W)w >> 16;
  const W not_positive = wi <= 0;
  W n = wi & 0x7FFF;
  const W shift = min(14 + 127 - biased_log2(n), splat_w(14));
  n = n << shift & 0x3FFF;
  const W entry = lookup64(kReciprocals.v, n >> 8);
  const W base = entry & 0xFFFF, slope = entry >> 16;
  const W reciprocal = (base + (slope * ((n & 0xFF) * 4) >> 10)) & 0x7FFF;
  const W least = shift == 14;
  const W mask = -(splat_w(1) << (29 - shift)) & 0x3FFFFFFF;
  return {divide_one(si, reciprocal, shift, least, mask, not_positive), divide_one(ti, reciprocal, shift, least, mask, not_positive)};
}

/// 17 bits and flags -> s10.5.
PUMICE_INLINE W clamp_coordinate(W v) {
  const W top = v >> 15 & 3;
  const W over = (v & kOver) != 0, under = (v & kUnder) != 0;
  const W high = over | (~under & (top == 1)), low = ~over & (under | (top == 2));
  return high ? splat_w(0x7FFF) : low ? splat_w(-0x8000) : v;
}

PUMICE_STEP void coordinates(const Mode& m, Chunk& c) {
  if (!m.perspective) {
    for (int i = kFront; i < c.end; i += kW) {
      narrow(c.coord_s + i, (W)load(c.s + i) >> 16);
      narrow(c.coord_t + i, (W)load(c.t + i) >> 16);
    }
    return;
  }
  for (int i = kFront; i < c.end; i += kW) {
    const Divided d = divide(true, load(c.s + i), load(c.t + i), load(c.w + i));
    narrow(c.coord_s + i, clamp_coordinate(d.s));
    narrow(c.coord_t + i, clamp_coordinate(d.t));
  }
}

PUMICE_INLINE W distance(W current, W next) {
  const W d = (next << 15 >> 15) - (current << 15 >> 15);
  return (d & 0x20000) != 0 ? ~d & 0x1FFFF : d & 0x1FFFF;
}

struct Magnitude {
  W greatest, flags;
  PUMICE_INLINE void add(Magnitude& m, const Divided& a, const Divided& b) {
    m.greatest = max(m.greatest, max(distance(a.s, b.s), distance(a.t, b.t)));
    m.flags |= a.s | a.t | b.s | b.t;
  }
};

/// LOD_FRAC and the tiles of TEXEL0 and TEXEL1.
PUMICE_INLINE void level_of_detail(const Mode& m, const Shape& p, const Magnitude& g, Chunk& c, int i) {
  const W lod = (g.greatest & 0x7FFF) | (((g.greatest & 0x1C000) != 0) & 0x4000);
  const W too_far = ((g.flags & (kUnder | kOver)) != 0) | ((lod & 0x4000) != 0);
  const W magnify = ~too_far & ((lod < 32) | (lod < m.min_level));
  const int32_t max_level = static_cast<int32_t>(p.level);
  W level = max(biased_log2(lod >> 5 & 0xFF) - 127, splat_w(0)) & ~(too_far | magnify);
  const W none = splat_w(max_level == 0 ? -1 : 0);
  const W distant = too_far | none | (~magnify & (((lod & 0x6000) != 0) | (level >= max_level)));
  const W plain = splat_w(!m.sharpen && !m.detail ? -1 : 0);
  const W near = plain ? (none & 0xFF) : (max(lod, splat_w(m.min_level)) << 3) | (m.sharpen ? 0x100 : 0);
  const W middle = (plain & distant) != 0 ? splat_w(0xFF) : (lod << 3 >> level) & 0xFF;
  narrow(c.lod + i, too_far ? splat_w(0xFF) : magnify ? near : middle);
  if (!m.lod_tiles) return;
  level = distant ? splat_w(max_level) : level;
  const W base = level + static_cast<int32_t>(p.tile);
  W tile0 = base, tile1;
  if (!m.detail) {
    const W same = m.sharpen ? distant : distant | magnify;
    tile1 = base + (~same & 1);
  } else {
    tile0 = base + (~magnify & 1);
    tile1 = base + 1 + (~(distant | magnify) & 1);
  }
  narrow(c.tile0 + i, tile0 & 7);
  narrow(c.tile1 + i, tile1 & 7);
}

PUMICE_STEP void lod_one_cycle(const Mode& m, const Shape& p, Chunk& c) {
  for (int i = kFront; i < c.end; i += kW) {
    Magnitude g{splat_w(0), splat_w(0)};
    Magnitude::add(g, divide(m.perspective, load(c.near[0] + i), load(c.near[1] + i), load(c.near[2] + i)),
                   divide(m.perspective, load(c.far[0] + i), load(c.far[1] + i), load(c.far[2] + i)));
    level_of_detail(m, p, g, c, i);
  }
}

PUMICE_STEP void lod_two_cycles(const Mode& m, const Shape& p, Chunk& c) {
  for (int i = kFront; i < c.end; i += kW) {
    const WU s = load(c.s + i), t = load(c.t + i), w = load(c.w + i);
    const Divided here = divide(m.perspective, s, t, w);
    Magnitude g{splat_w(0), splat_w(0)};
    Magnitude::add(g, here, divide(m.perspective, s + p.step[4], t + p.step[5], w + p.step[6]));
    Magnitude::add(g, here, divide(m.perspective, s + p.line[0], t + p.line[1], w + p.line[2]));
    level_of_detail(m, p, g, c, i);
  }
}

}  // namespace
}  // namespace pumice::hw::rdp::fast
