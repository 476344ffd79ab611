// SPDX-License-Identifier: MIT
/// Reading and decoding texels for 16 lanes, and the two filters inside a layer. Included by SIMD files only.
///
/// Bilinear filter of codes: 16-bit products along s (<= 255 * 256), then floats along t, whose sums stay below 2^24 and are exact;
/// fma(v, high, v * low) with high + low = 1/(255 * 256) in two floats is the correctly rounded quotient for every v that can come
/// (tests/hw/tx: TwoMultiplicationsDivideEverySum).
#pragma once
#include "hw/fast/simd/simd.h"
#include "hw/fast/tx/address_simd.h"
#include "hw/fast/tx/unit.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

typedef uint16_t W32 __attribute__((vector_size(64)));
inline W32 as_words(U16 v) { return reinterpret_cast<W32>(v); }
inline U16 from_words(W32 v) { return reinterpret_cast<U16>(v); }

struct Color {
  F16 c[4];
};

inline F16 lerp(F16 a, F16 b, F16 w) { return fma(w, b - a, a); }

/// The dword at an aligned offset below 2^31, for all lanes (all offsets are inside the image, whoever is active).
inline U16 dword_at(const char* base, U16 offset) {
#if defined(__AVX512F__)
  return (U16)_mm512_i32gather_epi32((__m512i)offset, base, 1);
#else
  U16 r;
  for (int i = 0; i < kLanes; ++i) {
    uint32_t v;
    std::memcpy(&v, base + offset[i], 4);
    r[i] = v;
  }
  return r;
#endif
}
/// The dword that holds a texel of one, two or four bytes, shifted down to it; what is above the texel is anything.
inline U16 texel_at(const tx::Unit& u, U16 offset) {
  if (u.bytes_log2 >= 2) return dword_at(u.base, offset);
  return dword_at(u.base, offset & ~3u) >> ((offset & 3u) << 3);
}

/// A texel's position: byte offset of column and row, and who looks at the border.
struct Corner {
  U16 offset;
  Mask border;
};

/// c = v / 255 or what the unit says.
inline F16 quotient(F16 v, float high, float low) { return fma(v, splat_bits(high), v * low); }

struct Srgb {
  static constexpr bool kFilterable = true;
  struct Raw {
    U16 v;
  };
  static Raw read(const tx::Unit& u, const Corner& at) { return {select(at.border, splat(u.border_raw), dword_at(u.base, at.offset))}; }
  static F16 component(const tx::Unit& u, const Raw& raw, const Corner&, int c) {
    const U16 v = raw.v >> (8 * c) & 255u;
    if (c == 3) return quotient(to_float(as_int(v)), u.field[3].high, u.field[3].low);
    return as_float(dword_at(reinterpret_cast<const char*>(u.srgb), v << 2));
  }
};

template <int kDwords>
struct Fields {
  static constexpr bool kFilterable = true;
  struct Raw {
    U16 v[kDwords];
  };
  static Raw read(const tx::Unit& u, const Corner& at) {
    Raw r;
    r.v[0] = kDwords == 1 ? texel_at(u, at.offset) : dword_at(u.base, at.offset);
    if constexpr (kDwords == 2) r.v[1] = dword_at(u.base, at.offset + 4u);
    return r;
  }
  /// With exact_codes: the integer.
  static F16 component(const tx::Unit& u, const Raw& raw, const Corner& at, int c) {
    const auto& f = u.field[c];
    if (f.width == 0) return F16{};
    const U16 up = raw.v[kDwords == 2 ? f.dword : 0] << (32 - f.width - f.shift);
    F16 v;
    if (f.is_signed)
      v = max(to_float(as_int(up) >> (32 - f.width)), splat(-f.limit));
    else
      v = to_float(as_int(up >> (32 - f.width)));
    if (!u.exact_codes) v = quotient(v, f.high, f.low);
    return select(at.border, splat_bits(u.border[c]), v);
  }
};

struct Single {
  static constexpr bool kFilterable = false;
  struct Raw {
    U16 offset;
  };
  static Raw read(const tx::Unit&, const Corner& at) { return {at.offset}; }
  static F16 component(const tx::Unit& u, const Raw& raw, const Corner& at, int c) {
    return as_float(select(at.border, as_uint(splat_bits(u.border[c])), dword_at(u.base, raw.offset + uint32_t(4 * c))));
  }
};

struct Half {
  static constexpr bool kFilterable = false;
  struct Raw {
    U16 v[2];
  };
  static Raw read(const tx::Unit& u, const Corner& at) {
    Raw r;
    r.v[0] = texel_at(u, at.offset);
    r.v[1] = u.bytes_log2 == 3 ? dword_at(u.base, at.offset + 4u) : U16{};
    return r;
  }
  static F16 component(const tx::Unit& u, const Raw& raw, const Corner& at, int c) {
    const U16 h = raw.v[c / 2] >> (16 * (c & 1)) & 0xFFFFu, sign = (h & 0x8000u) << 16, magnitude = h & 0x7FFFu;
    const U16 normal = (magnitude << 13) + (112u << 23), small = as_uint(to_float(as_int(magnitude)) * 0x1p-24f);
    const U16 special = select(eq(magnitude, splat(0x7C00u)), splat(0x7F800000u), splat(0x7FC00000u));
    U16 v = select(lt(magnitude, splat(0x400u)), small, normal);
    v = select(lt(splat(0x7BFFu), magnitude), special, v) | sign;
    return as_float(select(at.border, as_uint(splat_bits(u.border[c])), v));
  }
};

/// Unsigned bytes: 1, 2 or 4 of them.
template <bool kFour>
struct Codes {
  static constexpr bool kFilterable = true;
  struct Raw {
    U16 v;
  };
  static Raw read(const tx::Unit& u, const Corner& at) {
    const U16 v = kFour ? dword_at(u.base, at.offset) : texel_at(u, at.offset);
    return {select(at.border, splat(u.border_raw), v)};
  }
  static F16 component(const tx::Unit& u, const Raw& raw, const Corner&, int c) {
    return quotient(to_float(as_int(raw.v >> (8 * c) & 255u)), u.field[c].high, u.field[c].low);
  }
};

/// The components that someone selects; the others stay 0.
template <class T>
Color point(const tx::Unit& u, const Corner& at) {
  Color out = {};
  const typename T::Raw raw = T::read(u, at);
  for (int c = 0; c < 4; ++c)
    if (u.needed >> c & 1) {
      out.c[c] = T::component(u, raw, at, c);
      if (u.exact_codes) out.c[c] = quotient(out.c[c], u.field[c].high, u.field[c].low);
    }
  return out;
}

/// Corners: 00, 10, 01, 11. Weights in 1/256.
template <class T>
Color bilinear(const tx::Unit& u, const Corner (&at)[4], I16 wx, I16 wy) {
  Color out = {};
  typename T::Raw raw[4];
  for (int k = 0; k < 4; ++k) raw[k] = T::read(u, at[k]);
  const F16 fx = to_float(wx) * 0x1p-8f, fy = to_float(wy) * 0x1p-8f;
  for (int c = 0; c < 4; ++c) {
    if (!(u.needed >> c & 1)) continue;
    const F16 top = lerp(T::component(u, raw[0], at[0], c), T::component(u, raw[1], at[1], c), fx);
    const F16 bottom = lerp(T::component(u, raw[2], at[2], c), T::component(u, raw[3], at[3], c), fx);
    out.c[c] = lerp(top, bottom, fy);
    if (u.exact_codes) out.c[c] = quotient(out.c[c], u.field[c].high, u.field[c].low);
  }
  return out;
}

template <bool kFour>
Color bilinear_codes(const tx::Unit& u, const Corner (&at)[4], I16 wx, I16 wy) {
  Color out = {};
  typename Codes<kFour>::Raw raw[4];
  for (int k = 0; k < 4; ++k) raw[k] = Codes<kFour>::read(u, at[k]);
  const U16 right = as_uint(wx) * 0x10001u;
  const W32 w1 = as_words(right), w0 = as_words(splat(0x01000100u) - right);
  const F16 fy = to_float(wy) * 0x1p-8f;
  for (int half = 0; half < (kFour || u.components == 2 ? 2 : 1); ++half) {  // components 0 and 2, then 1 and 3
    const auto words = [half](U16 v) { return as_words((half ? v >> 8 : v) & 0x00FF00FFu); };
    const U16 top = from_words(words(raw[0].v) * w0 + words(raw[1].v) * w1);
    const U16 bottom = from_words(words(raw[2].v) * w0 + words(raw[3].v) * w1);
    for (int c = half; c < (kFour ? 4 : 2); c += 2) {
      const auto value = [c](U16 v) { return to_float(as_int(c < 2 ? v & 0xFFFFu : v >> 16)); };
      const F16 a = value(top), sum = fma(fy, value(bottom) - a, a);
      out.c[c] = quotient(sum, u.field[c].high * 0x1p-8f, u.field[c].low * 0x1p-8f);
    }
  }
  return out;
}
template <>
Color bilinear<Codes<true>>(const tx::Unit& u, const Corner (&at)[4], I16 wx, I16 wy) {
  return bilinear_codes<true>(u, at, wx, wy);
}
template <>
Color bilinear<Codes<false>>(const tx::Unit& u, const Corner (&at)[4], I16 wx, I16 wy) {
  return bilinear_codes<false>(u, at, wx, wy);
}

}  // namespace
}  // namespace pumice::hw::fast::PUMICE_SIMD
