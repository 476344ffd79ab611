// SPDX-License-Identifier: MIT
/// SIMD second half: memory read, depth, alpha compare, blender, dither, write. Steps as in depth.cpp, blender.cpp, framebuffer.cpp
/// and pixel.cpp.
#pragma once
#include "hw/rdp/fast/pixel.h"

namespace pumice::hw::rdp::fast {
namespace {

/// A block of pixels on its way to memory.
struct Out {
  V inside, coverage, bit, z;
  Rgba color;  // 8 bits, alpha the pixel alpha
  V shade_alpha, last_shade_alpha, compare_alpha, threshold;
  Dither dither;
};

/// Halfwords of RDRAM; the caller has made sure that all of them lie inside.
PUMICE_INLINE V read_halves(const Primitive& p, const Slots& index) {
  Slots s;
  for (int i = 0; i < kLanes; ++i) {
    uint16_t h;
    __builtin_memcpy(&h, p.ram + 2 * (static_cast<uint32_t>(index.v[i]) ^ (p.host_words ? 1 : 0)), 2);
    s.v[i] = p.host_words ? h : __builtin_bswap16(h);
  }
  return vector(s);
}
PUMICE_INLINE V read_hidden(const Primitive& p, const Slots& index) {
  Slots s;
  for (int i = 0; i < kLanes; ++i) s.v[i] = p.hidden[static_cast<uint32_t>(index.v[i])];
  return vector(s);
}
PUMICE_INLINE void write_half(const Primitive& p, uint32_t index, int32_t value, int32_t hidden) {
  const uint16_t v = static_cast<uint16_t>(value), h = p.host_words ? v : __builtin_bswap16(v);
  __builtin_memcpy(p.ram + 2 * (index ^ (p.host_words ? 1 : 0)), &h, 2);
  p.hidden[index] = static_cast<uint8_t>(hidden);
}

/// Lanes outside read where one inside does: the scanline belongs to this thread, other memory may not.
PUMICE_INLINE V readable(V index, V inside) {
  V any_inside = index & inside;
  any_inside = max(any_inside, __builtin_shuffle(any_inside, V{4, 5, 6, 7, 0, 1, 2, 3}));
  any_inside = max(any_inside, __builtin_shuffle(any_inside, V{2, 3, 0, 1, 6, 7, 4, 5}));
  any_inside = max(any_inside, __builtin_shuffle(any_inside, V{1, 0, 3, 2, 5, 4, 7, 6}));
  return select(inside, index, any_inside);
}

struct Memory {
  V rgb[3], coverage;
};

PUMICE_STEP Memory read_memory(const Primitive& p, const V& pixel, const V& inside) {
  Memory m{{splat(0), splat(0), splat(0)}, splat(7)};
  if (!p.image_read) return m;
  const V at = readable(pixel + to_v(splat_u(p.color_base)), inside);
  if (p.image32) {
    const V h = at * 2;
    const V rg = read_halves(p, slots(h)), ba = read_halves(p, slots(h + 1));
    m.rgb[0] = rg >> 8;
    m.rgb[1] = rg & 255;
    m.rgb[2] = ba >> 8;
    m.coverage = ba >> 5 & 7;
    return m;
  }
  const Slots index = slots(at);
  const V v = read_halves(p, index);
  if (p.image_ia) {
    m.rgb[0] = m.rgb[1] = m.rgb[2] = v >> 8;
    m.coverage = v >> 5 & 7;
  } else {
    m.rgb[0] = v >> 8 & 0xF8;
    m.rgb[1] = v >> 3 & 0xF8;
    m.rgb[2] = v << 2 & 0xF8;
    m.coverage = (v & 1) << 2 | read_hidden(p, index);
  }
  return m;
}

struct Depth {
  V pass, blend_en, wraps, shift_a, shift_b;
};

PUMICE_INLINE V code_of(V v) {
  return (((v & 0xFF00) != 0) & 8) | (((v & 0xF0F0) != 0) & 4) | (((v & 0xCCCC) != 0) & 2) | (((v & 0xAAAA) != 0) & 1);
}

PUMICE_STEP Depth compare_depth(const Primitive& p, const V& pixel, const V& memory_coverage, Out& o) {
  Depth d;
  d.wraps = ((memory_coverage + o.coverage) & 8) != 0;
  const V force = splat(p.force_blend ? -1 : 0), aa = splat(p.antialias ? -1 : 0);
  d.pass = splat(-1);
  if (!p.z_compare) {
    d.blend_en = force | (aa & ~d.wraps);
    d.shift_a = splat(0);
    d.shift_b = splat(15 - p.dz_code < 4 ? 15 - p.dz_code : 4);
    return d;
  }
  const Slots index = slots(readable(pixel + to_v(splat_u(p.z_base)), o.inside));
  const V word = read_halves(p, index);
  const V exponent = word >> 13;
  const V mz = (((word >> 2 & 0x7FF) << max(6 - exponent, splat(0))) + (0x40000 - (splat(0x40000) >> exponent))) & 0x3FFFF;
  const V code = (word & 3) << 2 | read_hidden(p, index);
  V dz = splat(1) << code;
  const V fine = exponent < 3;
  const V coplanar = fine & (dz == 0x8000);
  dz = select(fine, max(dz * 2, splat(16) >> exponent), dz);
  dz = select(coplanar, splat(0xFFFF), dz);
  V top = (dz | p.dz) & 0xFFFF;
  top |= top >> 1;
  top |= top >> 2;
  top |= top >> 4;
  top |= top >> 8;
  top ^= top >> 1;
  const V reach = top * 8;
  const V farther = coplanar | (o.z + reach >= mz), nearer = coplanar | (o.z - reach <= mz);
  const V front = o.z < mz, far = mz == 0x3FFFF;
  d.blend_en = force | (aa & ~d.wraps & farther);
  d.shift_a = min(max(p.dz_code - code, splat(0)), splat(4));
  d.shift_b = min(max(code - p.dz_code, splat(0)), splat(4));
  const V opaque = far | select(d.wraps, front, nearer);
  switch (p.z_mode) {
    case 0: d.pass = opaque; break;
    case 1: {
      const V cut = front & farther & d.wraps;
      const V n = code_of(top);
      const V k = ((mz >> n) - (o.z >> n)) & 15;
      o.coverage = select(cut, k * o.coverage >> 3 & 15, o.coverage);
      d.pass = opaque | cut;
      break;
    }
    case 2: d.pass = front | far; break;
    default: d.pass = farther & nearer & ~far; break;
  }
  return d;
}

struct Blended {
  V rgb[3];
};

PUMICE_INLINE V blend_color(const Primitive& p, uint8_t sel, const V* pixel, const Memory& m, int c) {
  return sel == 0 ? pixel[c] : sel == 1 ? m.rgb[c] : splat(sel == 2 ? p.blend_color[c] : p.fog[c]);
}

struct Factors {
  V a, b;
};

PUMICE_INLINE Factors factors(const Primitive& p, const Primitive::Blend& s, V pixel_alpha, V shade_alpha, const Memory& m,
                              const Depth& d) {
  const V a = s.a == 0 ? pixel_alpha : s.a == 1 ? splat(p.fog[3]) : s.a == 2 ? shade_alpha : splat(0);
  Factors f{a >> 3, s.b == 0 ? (~a & 255) >> 3 : s.b == 1 ? m.coverage << 2 : splat(s.b == 2 ? 31 : 0)};
  if (s.b == 1) {
    f.a = f.a >> d.shift_a & 0x3C;
    f.b = f.b >> d.shift_b | 3;
  }
  return f;
}

PUMICE_STEP Blended blend_last(const Primitive& p, const Primitive::Blend& s, const V* pixel, V shade_alpha, const Memory& m,
                               const Depth& d, const Out& o) {
  const V only_m = splat(p.color_on_cvg ? -1 : 0) & ~d.wraps;
  V only_p = ~d.blend_en;
  if (s.a == 0 && s.b == 0) only_p |= o.color.c[3] >= 255;
  Blended out;
  V first[3], second[3];
  for (int c = 0; c < 3; ++c) {
    first[c] = blend_color(p, s.p, pixel, m, c);
    second[c] = blend_color(p, s.m, pixel, m, c);
    out.rgb[c] = select(only_m, second[c], first[c]);
  }
  const V mixed = o.inside & ~only_m & ~only_p;
  if (!any(mixed)) return out;
  const Factors f = factors(p, s, o.color.c[3], shade_alpha, m, d);
  for (int c = 0; c < 3; ++c) {
    const V sum = first[c] * f.a + second[c] * (f.b + 1);
    V v = sum >> 5 & 255;
    if (!p.force_blend) {
      const V denominator = ((f.a & ~3) + (f.b & ~3) + 4) >> 2 & 15;
      Slots q = slots(denominator << 11 | (sum >> 2 & 0x7FF));
      for (int i = 0; i < kLanes; ++i) q.v[i] = p.divide[q.v[i]];
      v = vector(q);
    }
    out.rgb[c] = select(mixed, v, out.rgb[c]);
  }
  return out;
}

PUMICE_INLINE V final_coverage(const Primitive& p, V blend_en, V coverage, V memory) {
  switch (p.cvg_dest) {
    case 0: {
      const V v = select(blend_en, coverage + memory, coverage - 1);
      return select((v & 8) != 0, splat(7), v & 7);
    }
    case 1: return (coverage + memory) & 7;
    case 2: return splat(7);
    default: return memory;
  }
}

PUMICE_STEP void store(const Primitive& p, const V& pixel, const V& mask, const V* rgb, const V& coverage, const V& z) {
  const Slots on = slots(mask), at = slots(pixel);
  if (p.image32) {
    const Slots rg = slots(rgb[0] << 8 | rgb[1]), ba = slots(rgb[2] << 8 | coverage << 5);
    for (int i = 0; i < kLanes; ++i) {
      if (!on.v[i]) continue;
      const uint32_t h = 2 * (p.color_base + static_cast<uint32_t>(at.v[i]));
      write_half(p, h, rg.v[i], rg.v[i] & 1 ? 3 : 0);
      write_half(p, h + 1, ba.v[i], 0);
    }
  } else {
    const V word =
        p.image_ia ? rgb[0] << 8 | coverage << 5 : (rgb[0] & 0xF8) << 8 | (rgb[1] & 0xF8) << 3 | (rgb[2] & 0xF8) >> 2 | coverage >> 2;
    const Slots w = slots(word), h = slots(p.image_ia ? splat(0) : coverage & 3);
    for (int i = 0; i < kLanes; ++i)
      if (on.v[i]) write_half(p, p.color_base + static_cast<uint32_t>(at.v[i]), w.v[i], h.v[i]);
  }
  if (!p.z_update) return;
  V e = splat(0), leading = splat(-1);
  for (int i = 17; i > 10; --i) {
    leading &= -(z >> i & 1);
    e -= leading;
  }
  const Slots w = slots((e << 13) | (z >> max(6 - e, splat(0)) & 0x7FF) << 2 | p.dz_code >> 2);
  for (int i = 0; i < kLanes; ++i)
    if (on.v[i]) write_half(p, p.z_base + static_cast<uint32_t>(at.v[i]), w.v[i], p.dz_code & 3);
}

/// `pixel` counts from the image's base.
template <bool kTwoCycle>
PUMICE_INLINE void finish(const Primitive& p, V pixel, Out& o) {
  if (p.alpha_compare) {
    o.inside &= o.compare_alpha >= o.threshold;
    if (!any(o.inside)) return;
  }
  const Memory m = read_memory(p, pixel, o.inside);
  const Depth d = compare_depth(p, pixel, m.coverage, o);
  const V mask = o.inside & d.pass & (p.antialias ? o.coverage != 0 : o.bit);
  if (!any(mask)) return;
  o.inside = mask;
  V color[3] = {o.color.c[0], o.color.c[1], o.color.c[2]};
  if (kTwoCycle) {
    const Primitive::Blend& s = p.blend[0];
    const Factors f = factors(p, s, o.color.c[3], o.shade_alpha, m, d);
    V mixed[3];
    for (int c = 0; c < 3; ++c)
      mixed[c] = (blend_color(p, s.p, color, m, c) * f.a + blend_color(p, s.m, color, m, c) * (f.b + 1)) >> 5 & 255;
    for (int c = 0; c < 3; ++c) color[c] = mixed[c];
  }
  Blended b = blend_last(p, p.blend[kTwoCycle ? 1 : 0], color, o.last_shade_alpha, m, d, o);
  if (p.rgb_sel != 3) {
    for (int c = 0; c < 3; ++c) {
      const V v = b.rgb[c], up = select(v > 247, splat(255), (v & 0xF8) + 8);
      b.rgb[c] = select((v & 7) > o.dither.rgb[c], up, v);
    }
  }
  store(p, pixel, mask, b.rgb, final_coverage(p, d.blend_en, o.coverage, m.coverage), o.z);
}

}  // namespace
}  // namespace pumice::hw::rdp::fast
