// SPDX-License-Identifier: MIT
/// Colour of a block by specialised routines: the plain cases of the common formats (every channel written, no logic operation, colour
/// compare, discard or dither), each with the common blend equations folded in. The rest is in color_general_simd.cpp; the reference
/// for both is hw/rb3d/rb3d.cpp.
#include "hw/fast/output/simd_blend.h"
#include "hw/fast/output/simd_gamma.h"
#include "hw/fast/output/simd_pixels.h"
#include "hw/fast/output/simd_routines.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

using output::State;
using output::Target;
using rb3d::Equation;
using rb3d::Factor;
using rb3d::Kind;

// ---- Formats: prepare() clamps what the shader sent, decode() reads the destination, encode() makes words of component(c) ------------

/// Four unorm bytes, C0 lowest: B8G8R8A8, R8G8B8A8.
template <bool kGamma>
struct Bytes {
  static constexpr int kBytes = 4;
  static constexpr bool kFloat = false;
  static F16 prepare(const Target& t, int c, F16 v) {
    v = saturate(v);
    if (kGamma && t.encode_gamma[c]) v = gamma_encode(v);
    return v;
  }
  static void decode(const Target&, const Pixels<4>& p, F16 (&dst)[4]) {
    const F16 inverse = splat(1.0f / 255.0f);
    dst[0] = to_float(as_int(p.word[0] & 0xFFu)) * inverse;
    dst[1] = to_float(as_int(p.word[0] >> 8 & 0xFFu)) * inverse;
    dst[2] = to_float(as_int(p.word[0] >> 16 & 0xFFu)) * inverse;
    dst[3] = to_float(as_int(p.word[0] >> 24)) * inverse;
  }
  template <class C>
  static Pixels<4> encode(const Target&, C component) {
    const F16 scale = splat(255.0f);
    // The shifts push the magic bits out, C0 loses them by the exclusive or.
    return {{(magic_code(component(0), scale) ^ kMagicBits) | magic_code(component(1), scale) << 8 | magic_code(component(2), scale) << 16 |
             magic_code(component(3), scale) << 24}};
  }
};

/// Up to four unorm fields in one word: 565, 1555, 4444, 2101010, R8, RG8, R16, RG16 ...
template <int kSize>
struct Packed {
  static constexpr int kBytes = kSize;
  static constexpr bool kFloat = false;
  static F16 prepare(const Target&, int, F16 v) { return saturate(v); }
  static void decode(const Target& t, const Pixels<kSize>& p, F16 (&dst)[4]) {
    F16 value[6] = {{}, {}, {}, {}, splat(0.0f), splat(1.0f)};
    for (int i = 0; i < t.fields; ++i)
      value[i] = to_float(as_int(p.word[0] >> t.field[i].shift & t.field[i].max)) * splat(t.field[i].inverse);
    for (int c = 0; c < 4; ++c) dst[c] = value[t.read_from[c]];
  }
  template <class C>
  static Pixels<kSize> encode(const Target& t, C component) {
    Pixels<kSize> out = {};
    for (int i = 0; i < t.fields; ++i) {
      const Target::Field& f = t.field[i];
      out.word[0] |= (magic_code(component(f.component), splat(f.scale)) & f.max) << f.shift;
    }
    return out;
  }
};

/// One, two or four half floats.
template <int kCount>
struct Halves {
  static constexpr int kBytes = 2 * kCount;
  static constexpr bool kFloat = true;
  static F16 prepare(const Target&, int, F16 v) { return v; }
  static void decode(const Target&, const Pixels<kBytes>& p, F16 (&dst)[4]) {
    const U16 low = p.word[0] & 0xFFFFu;
    dst[0] = half_to_float(low);
    dst[1] = kCount > 1 ? half_to_float(p.word[0] >> 16) : splat(0.0f);
    if constexpr (kCount > 2) {
      dst[2] = half_to_float(p.word[1] & 0xFFFFu), dst[3] = half_to_float(p.word[1] >> 16);
    } else {
      dst[2] = splat(0.0f), dst[3] = splat(1.0f);
    }
  }
  template <class C>
  static Pixels<kBytes> encode(const Target&, C component) {
    Pixels<kBytes> out;
    out.word[0] = float_to_half(component(0));
    if constexpr (kCount > 1) out.word[0] |= float_to_half(component(1)) << 16;
    if constexpr (kCount > 2) out.word[1] = float_to_half(component(2)) | float_to_half(component(3)) << 16;
    return out;
  }
};

/// One, two or four floats, bit by bit. Never blended.
template <int kCount>
struct Floats {
  static constexpr int kBytes = 4 * kCount;
  static constexpr bool kFloat = true;
  static F16 prepare(const Target&, int, F16 v) { return v; }
  static void decode(const Target&, const Pixels<kBytes>&, F16 (&)[4]) {}
  template <class C>
  static Pixels<kBytes> encode(const Target& t, C component) {
    Pixels<kBytes> out;
    for (int i = 0; i < kCount; ++i) out.word[i] = as_uint(component(t.field[i].component));
    return out;
  }
};

// ---- Blending --------------------------------------------------------------------------------------------------------------------

struct Opaque {
  static constexpr bool kBlends = false, kFixed = false;
};
struct AnyBlend {
  static constexpr bool kBlends = true, kFixed = false;
};
/// Sums only. The destination is read.
template <Factor kSrc, Factor kDst, Factor kAlphaSrc, Factor kAlphaDst>
struct Sum {
  static constexpr bool kBlends = true, kFixed = true;
  static constexpr Equation kColor = {1, kSrc, kDst}, kAlpha = {1, kAlphaSrc, kAlphaDst};
};

template <class F, class B>
void plain(const State& s, const Target& t, int32_t x, int32_t y, LaneMask mask, const Lanes (&in)[4]) {
  const Rows rows = rows_of(t.host, x, y);
  const bool own = mask == 0xFFFF || inside(s.rect, x, y);
  const auto source = [&](int c) { return F::prepare(t, c, load(in[t.channel[c]])); };
  if constexpr (!B::kBlends) {
    store_pixels<F::kBytes>(rows, F::encode(t, source), mask, own);
  } else {
    BlendLanes b;
    b.constant = t.constant;
    for (int c = 0; c < 4; ++c) b.src[c] = source(c);
    if (B::kFixed || t.blend_reads) {
      F::decode(t, load_pixels<F::kBytes>(rows, mask, own), b.dst);
    } else {
      for (F16& d : b.dst) d = splat(0.0f);
    }
    F16 out[4];
    if constexpr (B::kFixed) {
      for (int c = 0; c < 4; ++c) out[c] = blend(c == 3 ? B::kAlpha : B::kColor, b, c, false);
    } else {
      for (int c = 0; c < 4; ++c) out[c] = blend(c == 3 ? s.rb3d.alpha : s.rb3d.color, b, c, F::kFloat);
    }
    const auto result = [&](int c) { return F::kFloat ? out[c] : saturate(out[c]); };
    store_pixels<F::kBytes>(rows, F::encode(t, result), mask, own);
  }
}

template <class F>
output::ColorRoutine blended(const State& s, const Target& t) {
  using enum Factor;
  static constexpr struct {
    Equation color, alpha;
    output::ColorRoutine routine;
  } kFixed[] = {
#define ROW(cs, cd, as, ad) {{1, cs, cd}, {1, as, ad}, plain<F, Sum<cs, cd, as, ad>>}
      ROW(src_alpha, inv_src_alpha, src_alpha, inv_src_alpha),
      ROW(src_alpha, inv_src_alpha, one, inv_src_alpha),
      ROW(src_alpha, inv_src_alpha, one, zero),
      ROW(src_alpha, inv_src_alpha, zero, one),
      ROW(one, inv_src_alpha, one, inv_src_alpha),
      ROW(one, one, one, one),
      ROW(src_alpha, one, src_alpha, one),
      ROW(src_alpha, one, one, one),
#undef ROW
  };
  if (!t.blend_reads) return plain<F, AnyBlend>;
  // Encoding clamps integers to the same range as code 0 does.
  Equation color = s.rb3d.color, alpha = s.rb3d.alpha;
  if (!F::kFloat && color.function == 0) color.function = 1;
  if (!F::kFloat && alpha.function == 0) alpha.function = 1;
  for (const auto& row : kFixed)
    if (row.color == color && row.alpha == alpha) return row.routine;
  return plain<F, AnyBlend>;
}

template <class F>
output::ColorRoutine opaque_or_any(const Target& t) {
  return t.blends ? plain<F, AnyBlend> : plain<F, Opaque>;
}

/// Every field is `kind`, rounds and is written, and nothing else comes after the blender.
bool is_plain(const Target& t, Kind kind) {
  if (t.rop || t.compare_color || t.discard) return false;
  for (int i = 0; i < t.fields; ++i) {
    const Target::Field& f = t.field[i];
    const bool integer = kind == Kind::unorm;
    if (f.kind != kind || (integer && f.dither != rb3d::Dither::round && f.dither != rb3d::Dither(3))) return false;
  }
  return (t.keep[0] | t.keep[1] | t.keep[2] | t.keep[3]) == 0;
}

bool is_bytes(const Target& t) {
  for (int i = 0; i < 4; ++i)
    if (t.fields != 4 || t.field[i].component != i || t.field[i].shift != 8 * i || t.field[i].width != 8 || t.field[i].word != 0)
      return false;
  return t.bytes == 4;
}

}  // namespace

output::ColorRoutine color_routine(const State& s, const Target& t) {
  const bool gamma = t.encode_gamma[0] || t.encode_gamma[1] || t.encode_gamma[2] || t.encode_gamma[3];
  const Kind kind = t.kind[t.field[0].component];
  if (!is_plain(t, kind) || (gamma && !is_bytes(t)) || kind == Kind::snorm) return color_general(t);
  switch (kind) {
    case Kind::unorm:
      if (is_bytes(t)) {
        if (gamma) return opaque_or_any<Bytes<true>>(t);
        return t.blends ? blended<Bytes<false>>(s, t) : plain<Bytes<false>, Opaque>;
      }
      if (t.bytes == 1) return opaque_or_any<Packed<1>>(t);
      if (t.bytes == 2) return opaque_or_any<Packed<2>>(t);
      return t.bytes == 4 ? opaque_or_any<Packed<4>>(t) : color_general(t);
    case Kind::fp16:
      if (t.fields == 4 && t.bytes == 8) return t.blends ? blended<Halves<4>>(s, t) : plain<Halves<4>, Opaque>;
      if (t.fields == 2 && t.bytes == 4) return opaque_or_any<Halves<2>>(t);
      return t.fields == 1 && t.bytes == 2 ? opaque_or_any<Halves<1>>(t) : color_general(t);
    case Kind::fp32:
      if (t.fields == 4 && t.bytes == 16) return plain<Floats<4>, Opaque>;
      if (t.fields == 2 && t.bytes == 8) return plain<Floats<2>, Opaque>;
      return t.fields == 1 && t.bytes == 4 ? plain<Floats<1>, Opaque> : color_general(t);
    default: return color_general(t);
  }
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
