// SPDX-License-Identifier: MIT
/// Specialised block colour routines: the plain cases of the common formats (every channel written, no logic operation, colour
/// compare, discard or dither), each with the common blend equations folded in. All others are in color_general_simd.cpp; the reference
/// for both is hw/radeon/ref/rb3d/rb3d.cpp.
#include "hw/radeon/fast/pixel/simd_blend.h"
#include "hw/radeon/fast/pixel/simd_gamma.h"
#include "hw/radeon/fast/pixel/simd_pixels.h"
#include "hw/radeon/fast/pixel/simd_routines.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

using output::State;
using output::Target;
using rb3d::Equation;
using rb3d::Factor;
using rb3d::Kind;

// ---- Formats: prepare() clamps the shader's output, decode() reads the destination, encode() makes words of component(c) ------------

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
    constexpr float scale = 255.0f;
    // The shifts drop the magic bits, for C0 the exclusive or removes them.
    return {{(magic_code(component(0), scale) ^ kMagicBits) | magic_code(component(1), scale) << 8 | magic_code(component(2), scale) << 16 |
             magic_code(component(3), scale) << 24}};
  }
};

/// Unorm fields in one word, packed from bit 0 upwards; `read_from` as in PixelFormat.
struct Layout {
  int bytes, fields;
  uint8_t component[4], width[4], read_from[4];
};
constexpr uint8_t kZero = rb3d::PixelFormat::kZero, kOne = rb3d::PixelFormat::kOne;
constexpr Layout k565 = {2, 3, {0, 1, 2}, {5, 6, 5}, {0, 1, 2, kOne}};
constexpr Layout k1555 = {2, 4, {0, 1, 2, 3}, {5, 5, 5, 1}, {0, 1, 2, 3}};
constexpr Layout k4444 = {2, 4, {0, 1, 2, 3}, {4, 4, 4, 4}, {0, 1, 2, 3}};
constexpr Layout k2101010 = {4, 4, {0, 1, 2, 3}, {10, 10, 10, 2}, {0, 1, 2, 3}};
constexpr Layout kI8 = {1, 1, {2}, {8}, {0, 0, 0, 0}};
constexpr Layout kUv88 = {2, 2, {2, 0}, {8, 8}, {1, 0, 0, 1}};
constexpr Layout k16 = {2, 1, {0}, {16}, {0, kZero, kZero, kOne}};
constexpr Layout k1616 = {4, 2, {0, 1}, {16, 16}, {0, 1, kZero, kOne}};

template <Layout kLayout>
struct Packed {
  static constexpr int kBytes = kLayout.bytes;
  static constexpr bool kFloat = false;
  static constexpr int shift(int i) { return i == 0 ? 0 : shift(i - 1) + kLayout.width[i - 1]; }
  static constexpr uint32_t max(int i) { return (1u << kLayout.width[i]) - 1; }
  static F16 prepare(const Target&, int, F16 v) { return saturate(v); }
  template <int i>
  static F16 field(U16 word) {
    if constexpr (i == kOne) return splat(1.0f);
    if constexpr (i >= kLayout.fields) return splat(0.0f);
    return to_float(as_int(word >> shift(i) & max(i))) * splat(1.0f / static_cast<float>(max(i)));
  }
  static void decode(const Target&, const Pixels<kBytes>& p, F16 (&dst)[4]) {
    dst[0] = field<kLayout.read_from[0]>(p.word[0]), dst[1] = field<kLayout.read_from[1]>(p.word[0]);
    dst[2] = field<kLayout.read_from[2]>(p.word[0]), dst[3] = field<kLayout.read_from[3]>(p.word[0]);
  }
  template <int i, class C>
  static U16 code(C component) {
    return (magic_code(component(kLayout.component[i]), static_cast<float>(max(i))) & max(i)) << shift(i);
  }
  template <class C>
  static Pixels<kBytes> encode(const Target&, C component) {
    Pixels<kBytes> out = {{code<0>(component)}};
    if constexpr (kLayout.fields > 1) out.word[0] |= code<1>(component);
    if constexpr (kLayout.fields > 2) out.word[0] |= code<2>(component);
    if constexpr (kLayout.fields > 3) out.word[0] |= code<3>(component);
    return out;
  }
};

/// Four unorm words of 16 bits.
struct Words {
  static constexpr int kBytes = 8;
  static constexpr bool kFloat = false;
  static F16 prepare(const Target&, int, F16 v) { return saturate(v); }
  static void decode(const Target&, const Pixels<8>& p, F16 (&dst)[4]) {
    const F16 inverse = splat(1.0f / 65535.0f);
    for (int i = 0; i < 2; ++i) {
      dst[2 * i] = to_float(as_int(p.word[i] & 0xFFFFu)) * inverse;
      dst[2 * i + 1] = to_float(as_int(p.word[i] >> 16)) * inverse;
    }
  }
  template <class C>
  static Pixels<8> encode(const Target&, C component) {
    const auto pair = [&](int c) __attribute__((always_inline)) {
      return (magic_code(component(c), 65535.0f) & 0xFFFFu) | magic_code(component(c + 1), 65535.0f) << 16;
    };
    return {{pair(0), pair(2)}};
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
  static constexpr bool kBlends = false;
  [[maybe_unused]] static constexpr bool kFixed = false;
};
struct AnyBlend {
  static constexpr bool kBlends = true, kFixed = false;
};
/// Additive equations only. The destination is read.
template <Factor kSrc, Factor kDst, Factor kAlphaSrc, Factor kAlphaDst>
struct Sum {
  static constexpr bool kBlends = true, kFixed = true;
  static constexpr Equation kColor = {1, kSrc, kDst}, kAlpha = {1, kAlphaSrc, kAlphaDst};
};

/// kWhole: all 16 pixels of a linear surface; works in registers only.
template <class F, class B, bool kWhole>
PUMICE_INLINE void body(const State& s, const Target& t, int32_t x, int32_t y, LaneMask lanes, const Lanes (&in)[4]) {
  const LaneMask mask = kWhole ? LaneMask{0xFFFF} : lanes;
  const Rows rows = kWhole ? linear_rows(t.host, x, y, F::kBytes) : rows_of(t.host, x, y);
  const bool own = kWhole || mask == 0xFFFF || inside(s.rect, x, y);
  const auto source = [&](int c) { return F::prepare(t, c, load(in[t.channel[c]])); };
  if constexpr (!B::kBlends) {
    store_pixels<F::kBytes>(rows, F::encode(t, source), mask, own);
  } else {
    BlendLanes b;
    b.constant = t.constant;
    b.src[0] = source(0), b.src[1] = source(1), b.src[2] = source(2), b.src[3] = source(3);
    if (B::kFixed || t.blend_reads) {
      F::decode(t, load_pixels<F::kBytes>(rows, mask, own), b.dst);
    } else {
      for (F16& d : b.dst) d = splat(0.0f);
    }
    F16 out[4];
    if constexpr (B::kFixed) {
      out[0] = blend(B::kColor, b, 0, false), out[1] = blend(B::kColor, b, 1, false);
      out[2] = blend(B::kColor, b, 2, false), out[3] = blend(B::kAlpha, b, 3, false);
    } else {
      for (int c = 0; c < 4; ++c) out[c] = blend_any(c == 3 ? s.rb3d.alpha : s.rb3d.color, b, c, F::kFloat);
    }
    const auto result = [&](int c) { return F::kFloat ? out[c] : saturate(out[c]); };
    store_pixels<F::kBytes>(rows, F::encode(t, result), mask, own);
  }
}

template <class F, class B>
[[gnu::noinline]] void in_part(const State& s, const Target& t, int32_t x, int32_t y, LaneMask mask, const Lanes (&in)[4]) {
  body<F, B, false>(s, t, x, y, mask, in);
}
template <class F, class B>
void plain(const State& s, const Target& t, int32_t x, int32_t y, LaneMask mask, const Lanes (&in)[4]) {
  if (mask != 0xFFFF || !t.host.linear) return in_part<F, B>(s, t, x, y, mask, in);
  body<F, B, true>(s, t, x, y, mask, in);
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
  // Encoding clamps integers to the same range as COMB_FCN code 0 does.
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

bool is_words(const Target& t) {
  for (int i = 0; i < 4; ++i)
    if (t.fields != 4 || t.field[i].component != i || t.field[i].shift != 16 * (i & 1) || t.field[i].width != 16 ||
        t.field[i].word != i / 2 || t.read_from[i] != i)
      return false;
  return t.bytes == 8;
}

template <Layout kLayout>
bool try_packed(const Target& t, output::ColorRoutine& out) {
  if (t.bytes != kLayout.bytes || t.fields != kLayout.fields) return false;
  for (int i = 0; i < kLayout.fields; ++i)
    if (t.field[i].component != kLayout.component[i] || t.field[i].width != kLayout.width[i] || t.field[i].word != 0 ||
        t.field[i].shift != Packed<kLayout>::shift(i))
      return false;
  for (int c = 0; c < 4; ++c)
    if (t.read_from[c] != kLayout.read_from[c]) return false;
  out = opaque_or_any<Packed<kLayout>>(t);
  return true;
}

}  // namespace

output::ColorRoutine color_routine(const State& s, const Target& t) {
  const bool gamma = t.encode_gamma[0] || t.encode_gamma[1] || t.encode_gamma[2] || t.encode_gamma[3];
  const Kind kind = t.kind[t.field[0].component];
  if (!output::is_plain(t, kind) || (gamma && !output::is_bytes(t)) || kind == Kind::snorm) return color_general(t);
  switch (kind) {
    case Kind::unorm:
      if (output::is_bytes(t)) {
        if (gamma) return opaque_or_any<Bytes<true>>(t);
        return t.blends ? blended<Bytes<false>>(s, t) : plain<Bytes<false>, Opaque>;
      }
      if (is_words(t)) return opaque_or_any<Words>(t);
      if (output::ColorRoutine r = nullptr; try_packed<k565>(t, r) || try_packed<k1555>(t, r) || try_packed<k4444>(t, r) ||
                                            try_packed<k2101010>(t, r) || try_packed<kI8>(t, r) || try_packed<kUv88>(t, r) ||
                                            try_packed<k16>(t, r) || try_packed<k1616>(t, r))
        return r;
      return color_general(t);
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
