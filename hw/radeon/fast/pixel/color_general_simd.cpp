// SPDX-License-Identifier: MIT
/// Block colour routines for any format and register state: one routine per pixel size, steps in the order of
/// hw/radeon/ref/rb3d/README.md.
#include "hw/radeon/fast/pixel/simd_blend.h"
#include "hw/radeon/fast/pixel/simd_gamma.h"
#include "hw/radeon/fast/pixel/simd_pixels.h"
#include "hw/radeon/fast/pixel/simd_routines.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

using output::State;
using output::Target;
using rb3d::Dither;
using rb3d::Kind;

F16 clamp_to(Kind kind, F16 v) {
  if (kind == Kind::unorm) return saturate(v);
  if (kind == Kind::snorm) return select(eq(v, v), min(max(v, splat(-1.0f)), splat(1.0f)), splat(0.0f));
  return v;
}

F16 decode(const Target::Field& f, U16 word) {
  const U16 code = word >> f.shift;
  switch (f.kind) {
    case Kind::unorm: return to_float(as_int(code & f.max)) * splat(f.inverse);
    case Kind::snorm: {
      const int up = 32 - f.width;
      return max(to_float(as_int(code << up) >> up) * splat(f.inverse), splat(-1.0f));
    }
    case Kind::fp16: return half_to_float(code & 0xFFFFu);
    default: return as_float(word);
  }
}

struct Thresholds {
  uint32_t v[kLanes];
};
constexpr Thresholds kThresholds = [] {
  Thresholds t{};
  for (int i = 0; i < kLanes; ++i) t.v[i] = rb3d::kBayer[lane_y(i)][lane_x(i)];
  return t;
}();

/// The magnitude in [0,1] as a code.
U16 to_code(const Target::Field& f, F16 magnitude) {
  if (f.dither != Dither::truncate && f.dither != Dither::lut) return round_code(magnitude, f.scale);
  U16 guarded = round_code(magnitude, f.scale * 16.0f);
  if (f.dither == Dither::lut) guarded = guarded + load_unaligned<U16>(kThresholds.v);
  return min(guarded >> 4, splat(f.max));
}

U16 encode(const Target::Field& f, F16 v) {
  switch (f.kind) {
    case Kind::unorm: return to_code(f, saturate(v));
    case Kind::snorm: {
      v = clamp_to(Kind::snorm, v);
      const U16 code = to_code(f, abs(v));
      return select(lt(v, splat(0.0f)), splat(0u) - code, code) & (f.max * 2 + 1);
    }
    case Kind::fp16: return float_to_half(v);
    default: return as_uint(v);
  }
}

/// ROP2: bit (src<<1 | dst) of the code.
U16 apply_rop(uint32_t rop, U16 src, U16 dst) {
  U16 r = {};
  if (rop & 1) r |= ~src & ~dst;
  if (rop & 2) r |= ~src & dst;
  if (rop & 4) r |= src & ~dst;
  if (rop & 8) r |= src & dst;
  return r;
}

/// The lanes that pass DISCARD_SRC_PIXELS.
LaneMask not_discarded(const Target& t, LaneMask mask, const F16 (&src)[4]) {
  Mask gone = mask_from(mask);
  for (int c = 0; c < 4; ++c) {
    if (!(t.discard & (c == 3 ? 1 : 2))) continue;
    const F16 limit = splat(t.discard_limit[c]);
    gone = gone & (t.discard & 4 ? ge(src[c], limit) : le(src[c], limit));
  }
  return static_cast<LaneMask>(mask & ~bits_of(gone));
}

template <int kBytes>
void general(const State& s, const Target& t, int32_t x, int32_t y, LaneMask mask, const Lanes (&in)[4]) {
  const Rows rows = rows_of(t.host, x, y);
  const bool own = mask == 0xFFFF || inside(s.rect, x, y);
  BlendLanes b;
  b.constant = t.constant;
  for (int c = 0; c < 4; ++c) {
    b.src[c] = clamp_to(t.kind[c], load(in[t.channel[c]]));
    if (t.encode_gamma[c]) b.src[c] = gamma_encode(saturate(b.src[c]));
  }
  if (t.discard) {
    mask = not_discarded(t, mask, b.src);
    if (mask == 0) return;
  }
  Pixels<kBytes> dst = {};
  if (t.reads_destination) dst = load_pixels<kBytes>(rows, mask, own);
  if (t.blends) {
    F16 value[6] = {{}, {}, {}, {}, splat(0.0f), splat(1.0f)};
    if (t.blend_reads) {
      for (int i = 0; i < t.fields; ++i) value[i] = decode(t.field[i], dst.word[t.field[i].word]);
      for (int c = 0; c < 4; ++c) b.dst[c] = value[t.read_from[c]];
    } else {
      for (F16& d : b.dst) d = splat(0.0f);
    }
    F16 out[4];
    for (int c = 0; c < 4; ++c) out[c] = blend_any(c == 3 ? s.rb3d.alpha : s.rb3d.color, b, c, t.kind[c] == Kind::fp16);
    for (int c = 0; c < 4; ++c) b.src[c] = out[c];
  }
  Pixels<kBytes> pixels = {};
  for (int i = 0; i < t.fields; ++i) pixels.word[t.field[i].word] |= encode(t.field[i], b.src[t.field[i].component]) << t.field[i].shift;
  if (t.rop)
    for (int w = 0; w < kWords<kBytes>; ++w) pixels.word[w] = apply_rop(s.rb3d.rop, pixels.word[w], dst.word[w]) & t.stored[w];
  if (t.compare_color) {
    const Mask equal = eq((pixels.word[0] ^ s.rb3d.compare_key) & s.rb3d.compare_mask, splat(0u));
    pixels.word[0] = select(equal, pixels.word[0] ^ s.rb3d.compare_flip, pixels.word[0]);
    if (kBytes < 4) pixels.word[0] &= 0xFFFFFFFFu >> (32 - 8 * kBytes);  // the flip works on dwords
  }
  for (int w = 0; w < kWords<kBytes>; ++w) pixels.word[w] = (pixels.word[w] & ~t.keep[w]) | (dst.word[w] & t.keep[w]);
  store_pixels<kBytes>(rows, pixels, mask, own);
}

}  // namespace

output::ColorRoutine color_general(const Target& t) {
  switch (t.bytes) {
    case 1: return general<1>;
    case 2: return general<2>;
    case 4: return general<4>;
    case 8: return general<8>;
    default: return general<16>;
  }
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
