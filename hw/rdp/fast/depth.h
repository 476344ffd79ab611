// SPDX-License-Identifier: MIT
/// SIMD depth: value, compare, and the word to write. Steps as in span.cpp and depth.cpp.
#pragma once
#include "hw/rdp/fast/lanes.h"
#include "hw/rdp/fast/primitive.h"

namespace pumice::hw::rdp::fast {
namespace {

PUMICE_INLINE W depth_value(const Mode& m, const Shape& p, const Chunk& c, int i) {
  const W v = (W)((m.prim_z ? splat_u(m.prim_z_value) : load(c.z + i)) >> 10) & 0x3FFFFF;
  const W n = (v * 4 + widen(c.off_x + i) * p.z_dx + widen(c.off_y + i) * p.z_dy) >> 5;
  const W top = n >> 17 & 3;
  return top < 2 ? n & 0x3FFFF : top == 2 ? splat_w(0x3FFFF) : splat_w(0);
}

PUMICE_INLINE W code_of(W v) {
  return (((v & 0xFF00) != 0) & 8) | (((v & 0xF0F0) != 0) & 4) | (((v & 0xCCCC) != 0) & 2) | (((v & 0xAAAA) != 0) & 1);
}

/// 18 bits to the stored word.
PUMICE_INLINE W stored(W z, int32_t dz_code) {
  // Leading ones are leading zeros of the complement.
  const W e = min(max(17 + 127 - biased_log2(~z & 0x3FFFF), splat_w(0)), splat_w(7));
  return e << 13 | (z >> max(6 - e, splat_w(0)) & 0x7FF) << 2 | dz_code >> 2;
}

PUMICE_STEP void compare_depth(const Mode& m, const Shape& p, Chunk& c) {
  const W force = splat_w(m.force_blend ? -1 : 0), aa = splat_w(m.antialias ? -1 : 0);
  for (int i = kFront; i < c.end; i += kW) {
    const W z = depth_value(m, p, c, i);
    if (m.z_update) narrow(c.out_z + i, stored(z, p.dz_code));
    W count = widen(c.count + i);
    const W wraps = ((widen(c.memory_coverage + i) + count) & 8) != 0;
    const W word = widen_u(c.depth + i);
    const W exponent = word >> 13;
    const W mz = (((word >> 2 & 0x7FF) << max(6 - exponent, splat_w(0))) + (0x40000 - (splat_w(0x40000) >> exponent))) & 0x3FFFF;
    const W code = (word & 3) << 2 | widen(c.depth_hidden + i);
    W dz = splat_w(1) << code;
    const W fine = exponent < 3;
    const W coplanar = fine & (dz == 0x8000);
    dz = fine ? max(dz * 2, splat_w(16) >> exponent) : dz;
    dz = coplanar ? splat_w(0xFFFF) : dz;
    const W top = highest_bit((dz | p.dz) & 0xFFFF);
    const W reach = top * 8;
    const W farther = coplanar | (z + reach >= mz), nearer = coplanar | (z - reach <= mz);
    const W front = z < mz, far = mz == 0x3FFFF;
    const W opaque = far | (wraps & front) | (~wraps & nearer);
    W pass;
    switch (m.z_mode) {
      case 0: pass = opaque; break;
      case 1: {
        const W cut = front & farther & wraps;
        const W n = code_of(top);
        const W k = ((mz >> n) - (z >> n)) & 15;
        count = cut ? k * count >> 3 & 15 : count;
        narrow(c.count + i, count);
        pass = opaque | cut;
        break;
      }
      case 2: pass = front | far; break;
      default: pass = farther & nearer & ~far; break;
    }
    narrow(c.pass + i, pass);
    narrow(c.blend_en + i, force | (aa & ~wraps & farther));
    narrow(c.wraps + i, wraps);
    narrow(c.scale_a + i, splat_w(16) >> min(max(p.dz_code - code, splat_w(0)), splat_w(4)));
    narrow(c.scale_b + i, splat_w(16) >> min(max(code - p.dz_code, splat_w(0)), splat_w(4)));
  }
}

/// Depth test and coverage: takes lanes out that are not written.
PUMICE_STEP bool depth_test(const Mode& m, const Shape& p, Chunk& c) {
  if (m.z_compare) {
    compare_depth(m, p, c);
  } else {
    if (m.z_update)
      for (int i = kFront; i < c.end; i += kW) narrow(c.out_z + i, stored(depth_value(m, p, c, i), p.dz_code));
    const H force = splat(m.force_blend ? -1 : 0), aa = splat(m.antialias ? -1 : 0);
    const H scale_b = splat(16 >> (15 - p.dz_code < 4 ? 15 - p.dz_code : 4));
    for (int i = kFront; i < c.end; i += kH) {
      const H wraps = ((load(c.memory_coverage + i) + load(c.count + i)) & 8) != 0;
      store(c.pass + i, splat(-1));
      store(c.wraps + i, wraps);
      store(c.blend_en + i, force | (aa & ~wraps));
      store(c.scale_a + i, splat(16));
      store(c.scale_b + i, scale_b);
    }
  }
  H some = splat(0);
  for (int i = kFront; i < c.end; i += kH) {
    const H written = m.antialias ? load(c.count + i) != 0 : (load(c.cover + i) & 1) != 0;
    const H inside = load(c.inside + i) & load(c.pass + i) & written;
    store(c.inside + i, inside);
    some |= inside;
  }
  return any(some);
}

}  // namespace
}  // namespace pumice::hw::rdp::fast
