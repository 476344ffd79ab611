// SPDX-License-Identifier: MIT
/// The SIMD routines: one- and two-cycle spans, eight pixels at a time. Compiled once for each instruction set;
/// PUMICE_RDP_ROUTINES names the table. one_cycle.cpp and two_cycle.cpp say what happens.
#include "hw/rdp/fast/output.h"
#include "hw/rdp/fast/texture.h"

namespace pumice::hw::rdp::fast {
namespace {

/// Eight pixels after texturing (and, with two cycles, after combiner cycle 0).
struct Block {
  V x, inside;
  Coverage coverage;
  U z;
  V in[kInNoise + 1];  // combined, texels, shade, LOD_FRAC, noise; the constants are elsewhere
  U noise;
  Rgba combined;
};

/// All inputs of the combiner: a block's and the constants.
struct Inputs {
  V v[kInputs];
};

PUMICE_INLINE void put(V* in, const Rgba& c) {
  for (int i = 0; i < 4; ++i) in[i] = c.c[i];
}

PUMICE_STEP void scalar_texels(const Primitive& p, const Span& s, int first, int lanes_from, int lanes_to, V* in) {
  Slots t0[4], t1[4], lod = slots(in[kInLod]);
  for (int c = 0; c < 4; ++c) {
    t0[c] = slots(in[kInTexel0 + c]);
    t1[c] = slots(in[kInTexel1 + c]);
  }
  for (int i = lanes_from; i < lanes_to; ++i) {
    int32_t a[4], b[4];
    p.scalar_texels(s.context, first + i, a, b, &lod.v[i]);
    for (int c = 0; c < 4; ++c) {
      t0[c].v[i] = a[c];
      t1[c].v[i] = b[c];
    }
  }
  for (int c = 0; c < 4; ++c) {
    in[kInTexel0 + c] = vector(t0[c]);
    in[kInTexel1 + c] = vector(t1[c]);
  }
  in[kInLod] = vector(lod);
}

/// Pixels first .. first+7. In two-cycle mode pixel number `count` is the one past the end, with coverage 0.
template <bool kTwoCycle, Key::Texture kTexture>
PUMICE_STEP void first_half(const Primitive& p, const Span& s, int first, Inputs& all, Block& b) {
  const V k = first + iota();
  b.x = s.start + k * p.direction;
  b.inside = k < s.count;
  b.coverage = coverage(s, b.x, b.inside);
  const U n = to_u(s.skip + k);
  U a[8];
  for (int i = 0; i < 8; ++i) a[i] = s.latched[i] + p.step[i] * n;
  b.z = a[7];
  V* in = b.in;
  put(in, Rgba{{splat(0), splat(0), splat(0), splat(0)}});
  put(in + kInShade, shade(p, a, b.coverage));
  in[kInLod] = splat(0);
  b.noise = splat_u(0);
  in[kInNoise] = splat(0);
  if (p.uses_noise) {
    b.noise = noise(p, s.y, b.x);
    in[kInNoise] = (to_v(b.noise) & 7) << 6 | 0x20;
  }
  if (kTexture == Key::none) {
    for (int c = 0; c < 8; ++c) in[kInTexel0 + c] = splat(0);
  } else if (kTexture == Key::scalar) {
    for (int c = 0; c < 8; ++c) in[kInTexel0 + c] = splat(0);
    const int last = kTwoCycle ? s.count : s.count - 1;
    scalar_texels(p, s, first, 0, last - first + 1 < kLanes ? last - first + 1 : kLanes, in);
  } else {
    const Coordinates at = coordinates(p, a[4], a[5], a[6]);
    const Rgba zero{{splat(0), splat(0), splat(0), splat(0)}};
    put(in + kInTexel0, p.needs_texel0 ? sample(p, p.tile[0], at) : zero);
    if (kTwoCycle && p.needs_texel1)
      put(in + kInTexel1, sample(p, p.tile[1], at));
    else if (!kTwoCycle && p.needs_texel1)
      put(in + kInTexel1, sample(p, p.tile[0], coordinates(p, a[4] + p.step[4], a[5] + p.step[5], a[6] + p.step[6])));
    else
      put(in + kInTexel1, zero);
    const int special = kTwoCycle ? s.count : s.count - 1;
    if (s.scalar_past_end && special >= first && special < first + kLanes)
      scalar_texels(p, s, first, special - first, special - first + 1, in);
  }
  if (!kTwoCycle) return;
  for (int i = 0; i <= kInNoise; ++i)
    if (i < kInPrim || i >= kInLod) all.v[i] = in[i];
  b.combined = combine(p.combine[0], all.v);
}

/// Alpha fix-up; `out` is the last cycle's 9-bit result.
PUMICE_INLINE void fix_up(const Primitive& p, const Rgba& out, Out& o, V shade_alpha, V last_shade_alpha) {
  for (int c = 0; c < 3; ++c) o.color.c[c] = clamp9(out.c[c]);
  V alpha = clamp9(out.c[3]);
  alpha -= alpha == 255;
  V scaled = splat(0);
  if (p.cvg_times_alpha) {
    scaled = (alpha * o.coverage + 4) >> 3;
    o.coverage = scaled >> 5 & 15;
  }
  if (p.alpha_cvg_select)
    alpha = min(p.cvg_times_alpha ? scaled : o.coverage << 5, splat(255));
  else
    alpha = min(alpha + o.dither.alpha, splat(255));
  o.color.c[3] = alpha;
  o.shade_alpha = min(shade_alpha + o.dither.alpha, splat(255));
  o.last_shade_alpha = min(last_shade_alpha + o.dither.alpha, splat(255));
}

template <bool kTwoCycle>
PUMICE_STEP void second_half(const Primitive& p, const Span& s, const Block& b, const Block& next, Inputs& all) {
  if (!any(b.coverage.count)) return;
  for (int i = 0; i <= kInNoise; ++i)
    if (i < kInPrim || i >= kInLod) all.v[i] = b.in[i];
  Out o;
  o.inside = b.coverage.count != 0;
  o.coverage = b.coverage.count;
  o.bit = b.coverage.bit;
  o.z = depth_value(p, b.z, b.coverage);
  o.dither = dither(p, s.y, b.x, b.noise);
  const V shade_alpha = b.in[kInShade + 3];
  V last_shade_alpha = shade_alpha;
  if (kTwoCycle) {
    for (int c = 0; c < 4; ++c) {
      all.v[kInCombined + c] = b.combined.c[c];
      all.v[kInTexel0 + c] = b.in[kInTexel1 + c];
      all.v[kInTexel1 + c] = following(b.in[kInTexel0 + c], next.in[kInTexel0 + c]);
    }
    last_shade_alpha = following(shade_alpha, next.in[kInShade + 3]);
  }
  fix_up(p, combine(p.combine[1], all.v), o, shade_alpha, last_shade_alpha);
  if (p.alpha_compare) {
    o.compare_alpha = o.color.c[3];
    if (kTwoCycle) {
      V a = clamp9(following(b.combined.c[3], next.combined.c[3]));
      a -= a == 255;
      const V c = following(b.coverage.count, next.coverage.count);
      o.compare_alpha = min(!p.alpha_cvg_select ? a + o.dither.alpha : p.cvg_times_alpha ? (a * c + 4) >> 3 : c << 5, splat(255));
    }
    o.threshold = p.alpha_compare_noise ? to_v(b.noise >> 16) & 0xFF : splat(p.blend_color[3]);
  }
  finish<kTwoCycle>(p, s.y * static_cast<int32_t>(p.width) + b.x, o);
}

template <bool kTwoCycle, Key::Texture kTexture>
void draw_span(const Primitive& p, const Span& s) {
  Inputs all;
  for (int i = 0; i < kInputs; ++i) all.v[i] = splat(p.constants[i]);
  Block b[2];
  first_half<kTwoCycle, kTexture>(p, s, 0, all, b[0]);
  for (int first = 0, i = 0; first < s.count; first += kLanes, i ^= 1) {
    // The block after this one: in two-cycle mode its first pixel is needed even past the end.
    const bool more = kTwoCycle ? first + kLanes <= s.count : first + kLanes < s.count;
    if (more) first_half<kTwoCycle, kTexture>(p, s, first + kLanes, all, b[i ^ 1]);
    // Without a following block only lanes past the end would look there.
    second_half<kTwoCycle>(p, s, b[i], more ? b[i ^ 1] : b[i], all);
  }
}

}  // namespace

extern const Routines PUMICE_RDP_ROUTINES;
const Routines PUMICE_RDP_ROUTINES = {{
    {draw_span<false, Key::none>, draw_span<false, Key::simd>, draw_span<false, Key::scalar>},
    {draw_span<true, Key::none>, draw_span<true, Key::simd>, draw_span<true, Key::scalar>},
}};

}  // namespace pumice::hw::rdp::fast
