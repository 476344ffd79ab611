// SPDX-License-Identifier: MIT
/// SIMD colour combiner, alpha fix-up, chroma key, alpha compare. Steps as in combiner.cpp and two_cycle.cpp. All inputs stand in
/// the lanes sign-extended from 9 bits to -128..383 (LOD_FRAC, only ever multiplied with, is as it is).
#pragma once
#include "hw/rdp/fast/lanes.h"
#include "hw/rdp/fast/primitive.h"

namespace pumice::hw::rdp::fast {
namespace {

/// Where an input's lanes are; the index is masked, so that a constant is one vector.
struct Source {
  const int16_t* lanes;
  int mask;
  PUMICE_INLINE H at(const Source& s, int i) { return load(s.lanes + (i & s.mask)); }
};
struct Sources {
  Source v[kInputs];
};

/// In the second of two cycles TEXEL0 is TEXEL1, and TEXEL1 the TEXEL0 of the next pixel.
PUMICE_INLINE void sources(const Mode& m, const Shape& p, const Chunk& c, bool second, Sources& s) {
  const int next = p.left_major ? 1 : -1;
  for (int i = 0; i < 4; ++i) {
    s.v[kInCombined + i] = second ? Source{c.combined[i], -1} : Source{c.constant[kInZero], 0};
    const int16_t* const lanes = c.texel0[i];  // read from kFront on, so that one before is inside
    const Source texel0{lanes, -1}, following{lanes + next, -1}, texel1{c.texel1[i], -1};
    s.v[kInTexel0 + i] = second ? texel1 : texel0;
    s.v[kInTexel1 + i] = second || m.cycle == Cycle::one ? following : texel1;
    s.v[kInShade + i] = {c.shade[i], -1};
  }
  s.v[kInLod] = {c.lod, -1};
  s.v[kInNoise] = {c.noise9, -1};
  for (int i = kInConstants; i < kInputs; ++i) s.v[i] = {c.constant[i], 0};
}

/// (A - B) * C + D of one channel; the result extended (between cycles) or clamped (at the end).
template <bool kClamp>
PUMICE_INLINE void combine_channel(const uint8_t* in, const Sources& s, const Chunk& c, int16_t* out) {
  const Source a = s.v[in[0]], b = s.v[in[1]], f = s.v[in[2]], d = s.v[in[3]];
  if (in[2] == kInZero || in[0] == in[1]) {
    for (int i = kFront; i < c.end; i += kH) {
      const H v = Source::at(d, i);
      store(out + i, kClamp ? clamp9(v) : v);
    }
    return;
  }
  for (int i = kFront; i < c.end; i += kH) {
    const H v = multiply_256(Source::at(a, i) - Source::at(b, i), Source::at(f, i)) + Source::at(d, i);
    store(out + i, kClamp ? clamp9(v) : ext9(v));
  }
}

/// Chroma key: 17-bit sums of the last cycle.
PUMICE_STEP void key_alpha(const Mode& m, const CombineInfo& info, const Sources& s, Chunk& c) {
  for (int i = kFront; i < c.end; i += kW) {
    W k = splat_w(INT32_MAX);
    for (int n = 0; n < 3; ++n) {
      W in[4];
      for (int j = 0; j < 4; ++j) {
        const Source& source = s.v[info.in[n][j]];
        in[j] = widen(source.lanes + (i & source.mask));
      }
      const W x = ((in[0] - in[1]) * (in[2] << 23 >> 23) + in[3] * 256 + 128) << 15 >> 15;
      const W v = x > 0 ? ((x & 15) == 8 ? 16 - x : -x) : x;
      k = min(k, 16 * m.key_width[n] + v);
    }
    narrow(c.key + i, max(min(k, splat_w(255)), splat_w(0)));
  }
}

/// Combiner: c.color is what leaves it, rgb clamped, or with keying the last cycle's input A; alpha still 9 bits clamped.
PUMICE_STEP void combiner(const Mode& m, const Shape& p, Chunk& c) {
  Sources s;
  const bool two = m.cycle == Cycle::two;
  if (two) {
    sources(m, p, c, false, s);
    for (int n = 0; n < 4; ++n) combine_channel<false>(m.combine[0].in[n], s, c, c.combined[n]);
  }
  sources(m, p, c, two, s);
  const CombineInfo& last = m.combine[1];
  combine_channel<true>(last.in[3], s, c, c.color[3]);
  if (!m.key) {
    for (int n = 0; n < 3; ++n) combine_channel<true>(last.in[n], s, c, c.color[n]);
    return;
  }
  key_alpha(m, last, s, c);
  for (int n = 0; n < 3; ++n)
    for (int i = kFront; i < c.end; i += kH) store(c.color[n] + i, clamp9(Source::at(s.v[last.in[n][0]], i)));
}

/// Dither value of alpha.
PUMICE_INLINE H alpha_dither(const Mode& m, const Chunk& c, int i) {
  switch (m.alpha_sel) {
    case 0: return load(c.dither + i);
    case 1: return 7 - load(c.dither + i);
    case 2: {
      alignas(kBytes) int16_t v[kH];
      for (int j = 0; j < 2; ++j) narrow(v + j * kW, (W)(load(c.noise + i + j * kW) >> 12) & 7);
      return load(v);
    }
    default: return splat(0);
  }
}

/// Alpha fix-up: c.alpha is the pixel alpha; coverage may be lowered, shade alpha gets its dither, alpha compare may take lanes out.
PUMICE_STEP void fix_alpha(const Mode& m, const Shape& p, Chunk& c) {
  const int next = p.left_major ? 1 : -1;
  const bool two = m.cycle == Cycle::two;
  const H most = splat(255);
  for (int i = kFront; i < c.end; i += kH) {
    const H dither = alpha_dither(m, c, i);
    H alpha = load(c.color[3] + i), count = load(c.count + i), scaled = splat(0);
    alpha -= alpha == 255;
    if (m.cvg_times_alpha) {
      scaled = (alpha * count + 4) >> 3;
      count = scaled >> 5 & 15;
    }
    if (m.alpha_cvg_select)
      alpha = min(m.cvg_times_alpha ? scaled : count << 5, most);
    else if (m.key)
      alpha = load(c.key + i);
    else
      alpha = min(alpha + dither, most);
    store(c.alpha + i, alpha);
    if (m.alpha_compare) {
      H compared = alpha, threshold = splat(m.blend_color[3]);
      if (two) {
        // Combiner cycle 0 of the next pixel, dithered with this pixel's value.
        H a = clamp9(load(c.combined[3] + i + next));
        a -= a == 255;
        const H n = load(c.cover + i + next), pairs = n - (n >> 1 & 0x55), quads = (pairs & 0x33) + (pairs >> 2 & 0x33);
        const H samples = (quads + (quads >> 4)) & 15;
        compared = min(!m.alpha_cvg_select ? a + dither : m.cvg_times_alpha ? (a * samples + 4) >> 3 : samples << 5, most);
      }
      if (m.alpha_compare_noise) {
        alignas(kBytes) int16_t v[kH];
        for (int j = 0; j < 2; ++j) narrow(v + j * kW, (W)(load(c.noise + i + j * kW) >> 16) & 0xFF);
        threshold = load(v);
      }
      store(c.inside + i, load(c.inside + i) & (compared >= threshold));
    }
    if (m.cvg_times_alpha) store(c.spare[0] + i, count);
  }
  // The next pixel's coverage and shade alpha were still to be seen above and in the blender.
  if (m.cvg_times_alpha)
    for (int i = kFront; i < c.end; i += kH) store(c.count + i, load(c.spare[0] + i));
}

}  // namespace
}  // namespace pumice::hw::rdp::fast
