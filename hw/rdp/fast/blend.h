// SPDX-License-Identifier: MIT
/// SIMD blender, RGB dither, final coverage: the words to write. Steps as in blender.cpp, dither.cpp and framebuffer.cpp.
#pragma once
#include "hw/rdp/fast/combine.h"
#include "hw/rdp/fast/primitive.h"

namespace pumice::hw::rdp::fast {
namespace {

PUMICE_INLINE H blend_color(const Mode& m, uint8_t select, const H* pixel, const H* memory, int n) {
  return select == 0 ? pixel[n] : select == 1 ? memory[n] : splat(select == 2 ? m.blend_color[n] : m.fog[n]);
}

struct Factors {
  H a, b;  // 5 bits
};

PUMICE_INLINE Factors factors(const Mode& m, const Mode::Blend& s, H pixel_alpha, H shade_alpha, const Chunk& c, int i) {
  const H a = s.a == 0 ? pixel_alpha : s.a == 1 ? splat(m.fog[3]) : s.a == 2 ? shade_alpha : splat(0);
  if (s.b != 1) return {a >> 3, s.b == 0 ? (~a & 255) >> 3 : splat(s.b == 2 ? 31 : 0)};
  const H b = load(c.memory_coverage + i) << 2;
  return {((a >> 3) * load(c.scale_a + i)) >> 4 & 0x3C, (b * load(c.scale_b + i)) >> 4 | 3};
}

/// The divider, for the lanes of a mask.
PUMICE_INLINE void divide_sums(const uint8_t* table, H mask, Factors f, const H* first, const H* second, H* rgb) {
  alignas(kBytes) int16_t denominator[kH], sum[kH], out[kH];
  store(denominator, (((f.a & ~3) + (f.b & ~3) + 4) >> 2 & 15) << 11);
  for (int n = 0; n < 3; ++n) {
    store(sum, (first[n] * f.a + second[n] * (f.b + 1)) >> 2 & 0x7FF);
    store(out, rgb[n]);
    for (uint32_t bits = bits_of(mask); bits; bits &= bits - 1) {
      const int j = __builtin_ctz(bits);
      out[j] = table[static_cast<uint16_t>(denominator[j] | sum[j])];
    }
    rgb[n] = load(out);
  }
}

/// RGB dither value of channel n.
PUMICE_INLINE H rgb_dither(const Mode& m, const Chunk& c, int i, int n) {
  if (m.rgb_sel < 2) return load(c.dither + i);
  alignas(kBytes) int16_t v[kH];
  for (int j = 0; j < 2; ++j) narrow(v + j * kW, (W)(load(c.noise + i + j * kW) >> (3 + 3 * n)) & 7);
  return load(v);
}

PUMICE_INLINE H final_coverage(const Mode& m, H blend_en, H count, H memory) {
  switch (m.cvg_dest) {
    case 0: {
      const H v = blend_en ? count + memory : count - 1;
      return (v & 8) != 0 ? splat(7) : v & 7;
    }
    case 1: return (count + memory) & 7;
    case 2: return splat(7);
    default: return memory;
  }
}

/// Puts colour and coverage into the image's format.
PUMICE_INLINE void pack(const Mode& m, Chunk& c, int i, const H* rgb, H coverage) {
  switch (m.pixels) {
    case Pixels::rgba16:
      store(c.out + i, (rgb[0] & 0xF8) << 8 | (rgb[1] & 0xF8) << 3 | (rgb[2] & 0xF8) >> 2 | coverage >> 2);
      store(c.out_hidden + i, coverage & 3);
      break;
    case Pixels::ia16:
      store(c.out + i, rgb[0] << 8 | coverage << 5);
      store(c.out_hidden + i, splat(0));
      break;
    case Pixels::rgba32:
      // Halves in order: red and green, blue and coverage.
      store(c.color[0] + i, rgb[0] << 8 | rgb[1]);
      store(c.color[1] + i, rgb[2] << 8 | coverage << 5);
      store(c.out_hidden + i, (rgb[1] & 1) * 3);
      break;
    default:
      store(c.color[0] + i, rgb[0]);
      store(c.color[1] + i, rgb[1]);
      break;
  }
}

PUMICE_STEP void blend(const Mode& m, const Shape& p, Chunk& c) {
  const bool two = m.cycle == Cycle::two;
  const Mode::Blend &stage0 = m.blend[0], &last = m.blend[two ? 1 : 0];
  const bool shade_now = two ? stage0.a == 2 : last.a == 2, shade_last = last.a == 2;
  const int next = two ? (p.left_major ? 1 : -1) : 0;
  const bool short_cut = last.a == 0 && last.b == 0;
  for (int i = kFront; i < c.end; i += kH) {
    H color[3], memory[3] = {splat(0), splat(0), splat(0)};
    for (int n = 0; n < 3; ++n) color[n] = load(c.color[n] + i);
    if (m.uses_memory_color)
      for (int n = 0; n < 3; ++n) memory[n] = load(c.memory_rgb[n] + i);
    const H alpha = load(c.alpha + i);
    H shade = splat(0), dither = splat(0);
    if (shade_now || shade_last) dither = alpha_dither(m, c, i);
    if (two) {
      if (shade_now) shade = min(load(c.shade[3] + i) + dither, splat(255));
      const Factors f = factors(m, stage0, alpha, shade, c, i);
      H mixed[3];
      for (int n = 0; n < 3; ++n)
        mixed[n] = (blend_color(m, stage0.p, color, memory, n) * f.a + blend_color(m, stage0.m, color, memory, n) * (f.b + 1)) >> 5 & 255;
      for (int n = 0; n < 3; ++n) color[n] = mixed[n];
    }
    if (shade_last) shade = min(load(c.shade[3] + i + next) + dither, splat(255));
    const H blend_en = load(c.blend_en + i);
    const H only_m = m.color_on_cvg ? ~load(c.wraps + i) : splat(0);
    H only_p = ~blend_en;
    if (short_cut) only_p |= alpha >= 255;
    H first[3], second[3], rgb[3];
    for (int n = 0; n < 3; ++n) {
      first[n] = blend_color(m, last.p, color, memory, n);
      second[n] = blend_color(m, last.m, color, memory, n);
      rgb[n] = only_m ? second[n] : first[n];
    }
    const H mixed = load(c.inside + i) & ~only_m & ~only_p;
    if (any(mixed)) {
      const Factors f = factors(m, last, alpha, shade, c, i);
      if (m.force_blend) {
        for (int n = 0; n < 3; ++n) rgb[n] = mixed ? (first[n] * f.a + second[n] * (f.b + 1)) >> 5 & 255 : rgb[n];
      } else {
        divide_sums(m.divide, mixed, f, first, second, rgb);
      }
    }
    if (m.rgb_sel != 3)
      for (int n = 0; n < 3; ++n) {
        const H v = rgb[n], up = min((v & 0xF8) + 8, splat(255));
        rgb[n] = (v & 7) > rgb_dither(m, c, i, n) ? up : v;
      }
    pack(m, c, i, rgb, final_coverage(m, blend_en, load(c.count + i), load(c.memory_coverage + i)));
  }
}

}  // namespace
}  // namespace pumice::hw::rdp::fast
