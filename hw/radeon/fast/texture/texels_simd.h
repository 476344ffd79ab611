// SPDX-License-Identifier: MIT
/// Reading and decoding texels for 16 lanes, and the two filters inside a layer. Included by SIMD files only.
///
/// Bilinear filter of codes: 16-bit products along s (<= 255 * 256), then floats along t, whose sums stay below 2^24 and are exact;
/// fma(v, high, v * low) with high + low = 1/(255 * 256) in two floats is the correctly rounded quotient for every v that can come
/// (tests/hw/tx: TwoMultiplicationsDivideEverySum).
#pragma once
#include <type_traits>

#include "hw/common/simd/simd.h"
#include "hw/radeon/fast/texture/address_simd.h"
#include "hw/radeon/fast/texture/unit.h"
#include "hw/radeon/fast/texture/window_simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

struct Color {
  F16 c[4];
};

// Where a vector takes four registers, nearly all values are in memory anyway, and one copy of the filters is enough.
#if PUMICE_SIMD_BYTES == 16
#define PUMICE_OUTLINE [[gnu::noinline]]
#define PUMICE_IN_PLACE
#else
#define PUMICE_OUTLINE PUMICE_INLINE
#define PUMICE_IN_PLACE __attribute__((always_inline))
#endif

PUMICE_INLINE F16 lerp(F16 a, F16 b, F16 w) { return fma(w, b - a, a); }

/// The dword that holds a texel of one, two or four bytes, shifted down to it; the bits above the texel are undefined.
PUMICE_INLINE U16 texel_at(const tx::Unit& u, U16 offset) {
  if (u.bytes_log2 >= 2) return gather_dwords(u.base, offset);
  return shift_right(gather_dwords(u.base, offset & ~3u), (offset & 3u) << 3);
}

/// A texel's position: byte offset of the texel or its block, number inside the block, and the lanes that sample the border color.
struct Corner {
  U16 offset, inside;
  Mask border;
};

/// v / the field's divisor, correctly rounded.
PUMICE_INLINE F16 quotient(F16 v, const tx::Unit::Field& f) {
  if constexpr (kHasFma) return fma(v, splat(f.high), v * f.low);
  return v / splat(f.divisor);
}
/// The same for a sum of codes times 256.
PUMICE_INLINE F16 code_quotient(F16 v, const tx::Unit& u, int c) {
  if constexpr (kHasFma) return fma(v, splat(u.code_high[c]), v * u.code_low[c]);
  return v / splat(u.field[c].divisor * 256);
}
/// a + w * (b - a) where product and sum are exact.
PUMICE_INLINE F16 exact_lerp(F16 a, F16 b, F16 w) {
  if constexpr (kHasFma) return fma(w, b - a, a);
  return w * (b - a) + a;
}

/// A texel of four bytes as it lies in memory. Compressed formats have readers of their own (blocks_simd.cpp).
struct ReadDword {
  static constexpr bool kBlocks = false, kDword = true;
  PUMICE_INLINE static U16 read(const tx::Unit& u, const Corner& at) { return gather_dwords(u.base, at.offset); }
};
struct ReadSmall {
  static constexpr bool kBlocks = false, kDword = false;
  PUMICE_INLINE static U16 read(const tx::Unit& u, const Corner& at) { return texel_at(u, at.offset); }
};

template <class Reader>
struct Srgb {
  static constexpr bool kFilterable = true, kBlocks = Reader::kBlocks, kCodes = false, kDword = Reader::kDword;
  struct Raw {
    U16 v;
  };
  PUMICE_INLINE static Raw read(const tx::Unit& u, const Corner& at) {
    return {select(at.border, splat(u.border_raw), Reader::read(u, at))};
  }
  PUMICE_INLINE static F16 component(const tx::Unit& u, const Raw& raw, const Corner&, int c) {
    const U16 v = raw.v >> (8 * c) & 255u;
    if (c == 3) return quotient(to_float(as_int(v)), u.field[3]);
    return as_float(gather_dwords(u.srgb, v << 2));
  }
};

template <int kDwords>
struct Fields {
  static constexpr bool kFilterable = true, kBlocks = false, kCodes = false, kDword = kDwords == 1;
  struct Raw {
    U16 v[kDwords];
  };
  PUMICE_INLINE static Raw read(const tx::Unit& u, const Corner& at) {
    Raw r;
    r.v[0] = kDwords == 1 ? texel_at(u, at.offset) : gather_dwords(u.base, at.offset);
    if constexpr (kDwords == 2) r.v[1] = gather_dwords(u.base, at.offset + 4u);
    return r;
  }
  /// With exact_codes: the integer.
  PUMICE_INLINE static F16 component(const tx::Unit& u, const Raw& raw, const Corner& at, int c) {
    const auto& f = u.field[c];
    if (f.width == 0) return F16{};
    const U16 up = raw.v[kDwords == 2 ? f.dword : 0] << (32 - f.width - f.shift);
    F16 v;
    if (f.is_signed)
      v = max(to_float(as_int(up) >> (32 - f.width)), splat(-f.limit));
    else
      v = to_float(as_int(up >> (32 - f.width)));
    if (!u.exact_codes) v = quotient(v, f);
    return select(at.border, splat(u.border[c]), v);
  }
};

struct Single {
  static constexpr bool kFilterable = false, kBlocks = false, kCodes = false, kDword = false;
  struct Raw {
    U16 offset;
  };
  PUMICE_INLINE static Raw read(const tx::Unit&, const Corner& at) { return {at.offset}; }
  PUMICE_INLINE static F16 component(const tx::Unit& u, const Raw& raw, const Corner& at, int c) {
    return as_float(select(at.border, as_uint(splat(u.border[c])), gather_dwords(u.base, raw.offset + uint32_t(4 * c))));
  }
};

struct Half {
  static constexpr bool kFilterable = false, kBlocks = false, kCodes = false, kDword = false;
  struct Raw {
    U16 v[2];
  };
  PUMICE_INLINE static Raw read(const tx::Unit& u, const Corner& at) {
    Raw r;
    r.v[0] = texel_at(u, at.offset);
    r.v[1] = u.bytes_log2 == 3 ? gather_dwords(u.base, at.offset + 4u) : U16{};
    return r;
  }
  PUMICE_INLINE static F16 component(const tx::Unit& u, const Raw& raw, const Corner& at, int c) {
    const U16 h = raw.v[c / 2] >> (16 * (c & 1)) & 0xFFFFu, sign = (h & 0x8000u) << 16, magnitude = h & 0x7FFFu;
    const U16 normal = (magnitude << 13) + (112u << 23), small = as_uint(to_float(as_int(magnitude)) * 0x1p-24f);
    const U16 special = select(eq(magnitude, splat(0x7C00u)), splat(0x7F800000u), splat(0x7FC00000u));
    U16 v = select(lt(magnitude, splat(0x400u)), small, normal);
    v = select(lt(splat(0x7BFFu), magnitude), special, v) | sign;
    return as_float(select(at.border, as_uint(splat(u.border[c])), v));
  }
};

/// Unsigned bytes: 1, 2 or 4 of them.
template <class Reader, bool kFourComponents>
struct Codes {
  static constexpr bool kFilterable = true, kBlocks = Reader::kBlocks, kCodes = true, kFour = kFourComponents, kDword = Reader::kDword;
  struct Raw {
    U16 v;
  };
  PUMICE_INLINE static Raw read(const tx::Unit& u, const Corner& at) {
    return {select(at.border, splat(u.border_raw), Reader::read(u, at))};
  }
  PUMICE_INLINE static F16 component(const tx::Unit& u, const Raw& raw, const Corner&, int c) {
    return quotient(to_float(as_int(raw.v >> (8 * c) & 255u)), u.field[c]);
  }
};
using Codes4 = Codes<ReadDword, true>;

/// T::Raw of a dword, where a texel is one dword (kDword).
template <class T>
PUMICE_INLINE typename T::Raw raw_of(U16 v) {
  typename T::Raw r;
  if constexpr (std::is_array_v<decltype(r.v)>)
    r.v[0] = v;
  else
    r.v = v;
  return r;
}

/// The components that some channel selects; the others stay 0.
template <class T>
PUMICE_OUTLINE Color point(const tx::Unit& u, const typename T::Raw& raw, const Corner& at) {
  Color out = {};
  if constexpr (T::kCodes) {
    const Constants& k = constants();
    for (int c = 0; c < (T::kFour ? 4 : 2); ++c) {
      const U16 v = c == 0 ? raw.v : raw.v >> (8 * c);
      out.c[c] = quotient(to_float(as_int(T::kFour && c == 3 ? v : v & k.fraction)), u.field[c]);
    }
    return out;
  }
  for (int c = 0; c < 4; ++c)
    if (u.needed >> c & 1) {
      out.c[c] = T::component(u, raw, at, c);
      if (u.exact_codes) out.c[c] = quotient(out.c[c], u.field[c]);
    }
  return out;
}

/// Two neighbouring dwords of a row at once: half the loads.
PUMICE_INLINE void read_pair(const tx::Unit& u, const Corner& left, const Corner& right, U16& a, U16& b) {
#if PUMICE_SIMD_BYTES == 64
  const auto o = (__m512i)left.offset.part[0];
  const __m512i low = _mm512_i32gather_epi64(_mm512_castsi512_si256(o), u.base, 1);
  const __m512i high = _mm512_i32gather_epi64(_mm512_extracti64x4_epi64(o, 1), u.base, 1);
  const auto even = (__m512i)(kLaneIndex * 2).part[0], odd = (__m512i)(kLaneIndex * 2 + 1).part[0];
  a.part[0] = (native::U)_mm512_permutex2var_epi32(low, even, high);
  b.part[0] = (native::U)_mm512_permutex2var_epi32(low, odd, high);
#else
  gather_pairs(u.base, left.offset, a, b);
#endif
  a = select(left.border, splat(u.border_raw), a);
  b = select(right.border, splat(u.border_raw), b);
}

template <class T>
PUMICE_OUTLINE void read_corners(const tx::Unit& u, const Corner (&at)[4], typename T::Raw (&raw)[4]) {
  if constexpr (std::is_same_v<T, Codes4>) {
    if (all(eq(at[1].offset - at[0].offset, splat(4u)))) {
      read_pair(u, at[0], at[1], raw[0].v, raw[1].v);
      read_pair(u, at[2], at[3], raw[2].v, raw[3].v);
      return;
    }
  }
  for (int k = 0; k < 4; ++k) raw[k] = T::read(u, at[k]);
}

template <class T>
PUMICE_INLINE Color bilinear_codes(const tx::Unit& u, const typename T::Raw (&raw)[4], I16 wx, I16 wy) {
  Color out = {};
  constexpr bool kFour = T::kFour;
  const Constants& k = constants();
  const U16 right = as_uint(wx) | as_uint(wx) << 16;
  const W32 w1 = as_words(right), w0 = as_words(splat(k.whole) - right);
  const F16 fy = to_float(wy) * k.unit;
  for (int half = 0; half < (kFour || u.components == 2 ? 2 : 1); ++half) {  // components 0 and 2, then 1 and 3
    const auto words = [&](U16 v) PUMICE_IN_PLACE { return half ? as_words(v) >> 8 : as_words(v & k.low_bytes); };
    const U16 top = as_uint(words(raw[0].v) * w0 + words(raw[1].v) * w1);
    const U16 bottom = as_uint(words(raw[2].v) * w0 + words(raw[3].v) * w1);
    for (int c = half; c < (kFour ? 4 : 2); c += 2) {
      const auto value = [&](U16 v) PUMICE_IN_PLACE { return to_float(as_int(c < 2 ? v & k.low_word : v >> 16)); };
      out.c[c] = code_quotient(exact_lerp(value(top), value(bottom), fy), u, c);
    }
  }
  return out;
}

/// Corners: 00, 10, 01, 11. Weights in 1/256.
template <class T>
PUMICE_OUTLINE Color bilinear(const tx::Unit& u, const typename T::Raw (&raw)[4], const Corner (&at)[4], const I16& wx, const I16& wy) {
  if constexpr (T::kCodes) return bilinear_codes<T>(u, raw, wx, wy);
  Color out = {};
  const F16 fx = to_float(wx) * 0x1p-8f, fy = to_float(wy) * 0x1p-8f;
  for (int c = 0; c < 4; ++c) {
    if (!(u.needed >> c & 1)) continue;
    const F16 top = lerp(T::component(u, raw[0], at[0], c), T::component(u, raw[1], at[1], c), fx);
    const F16 bottom = lerp(T::component(u, raw[2], at[2], c), T::component(u, raw[3], at[3], c), fx);
    out.c[c] = lerp(top, bottom, fy);
    if (u.exact_codes) out.c[c] = quotient(out.c[c], u.field[c]);
  }
  return out;
}

}  // namespace
}  // namespace pumice::hw::fast::PUMICE_SIMD
