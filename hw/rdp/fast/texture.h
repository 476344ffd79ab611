// SPDX-License-Identifier: MIT
/// SIMD texture unit: perspective divide, placement, fetch of three texels, filter. Steps as in texcoord.cpp, tmem.cpp and
/// filter.cpp; modes that are rare (LOD, YUV and conversions, mid_texel) come from there, pixel by pixel.
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
constexpr ReciprocalTable kReciprocals;

struct Coordinates {
  V s, t;  // s10.5
};

PUMICE_INLINE V divide_one(V s, V reciprocal, V shift, V least, V mask, V not_positive) {
  const V p = s * reciprocal;
  const V out = p & mask;
  const V q = select(least, to_v(to_u(p) << 1), p >> max(13 - shift, splat(0)));
  const V bad = (out != 0) & (out != mask);
  const V sign = (select(least, p, q) >> 29 & 1) != 0;
  const V over = (bad & ~sign) | not_positive, under = bad & sign & ~not_positive;
  const V top = q >> 15 & 3;
  const V high = over | (~under & (top == 1)), low = ~over & (under | (top == 2));
  return select(high, splat(0x7FFF), select(low, splat(-0x8000), sign_extend<16>(q)));
}

PUMICE_INLINE Coordinates coordinates(const Primitive& p, U s, U t, U w) {
  const V si = to_v(s) >> 16, ti = to_v(t) >> 16;
  if (!p.perspective) return {si, ti};
  const V wi = to_v(w) >> 16;
  const V not_positive = wi <= 0;
  V n = wi & 0x7FFF, shift = splat(0);
  const auto step = [&](int32_t limit, int by) __attribute__((always_inline)) {
    const V m = n < limit;
    shift += m & by;
    n = select(m, n << by, n);
  };
  step(1 << 7, 8);
  step(1 << 11, 4);
  step(1 << 13, 2);
  step(1 << 14, 1);
  shift = min(shift, splat(14));
  n &= 0x3FFF;
  Slots e = slots(n >> 8);
  for (int i = 0; i < kLanes; ++i) e.v[i] = kReciprocals.v[e.v[i]];
  const V entry = vector(e);
  const V base = entry & 0xFFFF, slope = (entry - base) >> 16;
  const V reciprocal = (base + (slope * ((n & 0xFF) * 4) >> 10)) & 0x7FFF;
  const V least = shift == 14;
  const V mask = -(splat(1) << (29 - shift)) & 0x3FFFFFFF;
  return {divide_one(si, reciprocal, shift, least, mask, not_positive), divide_one(ti, reciprocal, shift, least, mask, not_positive)};
}

struct Placed {
  V index, fraction, next;
};

PUMICE_INLINE Placed place(const Axis& a, V coordinate, int32_t wrap_mask) {
  V v = a.shift <= 10 ? coordinate >> a.shift : sign_extend<16>(to_v(to_u(coordinate) << (16 - a.shift)));
  const V at_max = (v >> 3) >= a.high;
  v -= a.low * 8;
  Placed p{v >> 5, v & 31, splat(1)};
  if (a.clamp) {
    const V below = ~at_max & (v < 0);
    p.index = select(at_max, splat(a.extent), p.index & ~below);
    p.fraction &= ~(at_max | below);
  }
  if (a.mask == 0) return p;
  if (a.mirror) {
    const V mirrored = -(p.index >> a.mirror_bit & 1);
    p.index = (p.index ^ mirrored) & a.mask_bits;
    p.next = ~(((p.index + mirrored) & a.mask_bits) == a.mask_bits) & (mirrored | 1);
  } else {
    p.index &= a.mask_bits;
    p.next = select(p.index == a.mask_bits, -(p.index & wrap_mask), splat(1));
  }
  return p;
}

PUMICE_INLINE V load_halves(const uint8_t* tmem, V index) {
  Slots s = slots(index);
  for (int i = 0; i < kLanes; ++i) {
    uint16_t h;
    __builtin_memcpy(&h, tmem + 2 * s.v[i], 2);
    s.v[i] = __builtin_bswap16(h);
  }
  return vector(s);
}
PUMICE_INLINE V load_bytes(const uint8_t* tmem, V index) {
  Slots s = slots(index);
  for (int i = 0; i < kLanes; ++i) s.v[i] = tmem[s.v[i]];
  return vector(s);
}

PUMICE_INLINE V expand5(V v) { return v << 3 | v >> 2; }
PUMICE_INLINE Rgba decode_5551(V v) { return {{expand5(v >> 11), expand5(v >> 6 & 31), expand5(v >> 1 & 31), -(v & 1) & 255}}; }
PUMICE_INLINE Rgba decode_ia16(V v) { return {{v >> 8, v >> 8, v >> 8, v & 255}}; }
PUMICE_INLINE Rgba grey(V v) { return {{v, v, v, v}}; }

/// Texel (s, t) of each lane; `copy` is the copy of the table that a TLUT look-up reads.
PUMICE_STEP Rgba fetch(const Primitive& p, const TileInfo& tile, const V& s, const V& t, int copy) {
  const V row = (t & 0xFF) * tile.line + tile.tmem, odd = -(t & 1);
  const uint8_t* m = p.tmem;
  const V half = (row * 4 + s) ^ (odd & 2), byte = (row * 8 + s) ^ (odd & 4), nibble_byte = ((row * 16 + s) >> 1) ^ (odd & 4);
  const auto nibble = [&](int32_t mask) __attribute__((always_inline)) {
    const V b = load_bytes(m, nibble_byte & mask);
    return select((s & 1) != 0, b & 15, b >> 4);
  };
  const auto looked_up = [&](V index) __attribute__((always_inline)) {
    const V v = load_halves(m, 1024 + index * 4 + copy);
    return p.tlut_ia ? decode_ia16(v) : decode_5551(v);
  };
  switch (tile.texel) {
    case Texel::rgba16: return decode_5551(load_halves(m, half & 0x7FF));
    case Texel::ia16: return decode_ia16(load_halves(m, half & 0x7FF));
    case Texel::hi_lo: {
      const V v = load_halves(m, half & 0x7FF);
      return {{v >> 8, v & 255, v >> 8, v & 255}};
    }
    case Texel::rgba32: {
      const V rg = load_halves(m, half & 0x3FF), ba = load_halves(m, (half & 0x3FF) | 0x400);
      return {{rg >> 8, rg & 255, ba >> 8, ba & 255}};
    }
    case Texel::byte4: return grey(load_bytes(m, byte & 0xFFF));
    case Texel::byte_ia: {
      const V b = load_bytes(m, byte & 0xFFF), i = (b >> 4) * 17;
      return {{i, i, i, (b & 15) * 17}};
    }
    case Texel::nibble_ci: return grey(nibble(0xFFF) | tile.palette << 4);
    case Texel::nibble_i: return grey(nibble(0xFFF) * 17);
    case Texel::nibble_ia: {
      const V n = nibble(0xFFF), i3 = n >> 1, i = i3 << 5 | i3 << 2 | i3 >> 1;
      return {{i, i, i, -(n & 1) & 255}};
    }
    case Texel::tlut4: return looked_up(nibble(0x7FF) | tile.palette << 4);
    case Texel::tlut8: return looked_up(load_bytes(m, byte & 0x7FF));
    default: return looked_up(load_halves(m, half & 0x3FF) >> 8);
  }
}

/// One TEXEL. With filtering only three of the four texels matter: the corner of the triangle the position lies in and
/// its two neighbours. Their table copies are 0, 1, 2 in either triangle.
PUMICE_STEP Rgba sample(const Primitive& p, const TileInfo& tile, const Coordinates& c) {
  const Placed s = place(tile.s, c.s, -1), t = place(tile.t, c.t, 0xFF);
  if (!p.filter && !p.tlut) return fetch(p, tile, s.index, t.index, 0);
  const V upper = s.fraction + t.fraction >= 32;
  const V fs = select(upper, 32 - s.fraction, s.fraction), ft = select(upper, 32 - t.fraction, t.fraction);
  const V s1 = p.filter ? s.index + s.next : s.index, t1 = p.filter ? t.index + t.next : t.index;
  const V near_s = select(upper, s1, s.index), near_t = select(upper, t1, t.index);
  const V far_s = select(upper, s.index, s1), far_t = select(upper, t.index, t1);
  const Rgba a = fetch(p, tile, near_s, near_t, 0), b = fetch(p, tile, far_s, near_t, 1), d = fetch(p, tile, near_s, far_t, 2);
  Rgba out;
  for (int i = 0; i < 4; ++i) out.c[i] = a.c[i] + ((fs * (b.c[i] - a.c[i]) + ft * (d.c[i] - a.c[i]) + 16) >> 5);
  return out;
}

}  // namespace
}  // namespace pumice::hw::rdp::fast
