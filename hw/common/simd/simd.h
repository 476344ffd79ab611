// SPDX-License-Identifier: MIT
/// 16-lane vectors: one source for AVX-512, AVX2 and portable C++. A file that includes this is compiled once per instruction set with
/// -DPUMICE_SIMD=portable|avx2|avx512 (see meson.build) and puts its code into `namespace pumice::hw::fast::PUMICE_SIMD`.
///
/// F16, I16 and U16 are one, two or four registers of native.h with arithmetic operators. Float operations are IEEE with the FTZ and DAZ
/// settings of MXCSR. Results are the same for every instruction set; where the hardware differs, this file defines the result.
#pragma once
#include <type_traits>

#include "hw/common/simd/lanes.h"
#include "hw/common/simd/native.h"

namespace pumice::hw::fast::PUMICE_SIMD {

inline constexpr int kParts = 64 / native::kBytes;

/// R of f(0), f(1) ... for the parts. No loop: the indices must be constants before structures are taken apart.
template <class R, class F>
PUMICE_INLINE R parts(F f) {
  R r;
  r.part[0] = f(0);
  if constexpr (kParts > 1) r.part[1] = f(1);
  if constexpr (kParts > 2) r.part[2] = f(2), r.part[3] = f(3);
  return r;
}
#define PUMICE_PARTS(R, expression) parts<R>([&]([[maybe_unused]] int i) __attribute__((always_inline)) { return expression; })

template <class S>
struct Vector {
  using Native = typename native::Of<S>::Type;
  static constexpr int kPerPart = native::kBytes / static_cast<int>(sizeof(S));
  Native part[kParts];

  Vector() = default;
  /// All lanes.
  PUMICE_INLINE Vector(S v) { *this = PUMICE_PARTS(Vector, native::broadcast(v)); }
  constexpr Vector(S a, S b, S c, S d, S e, S f, S g, S h, S i, S j, S k, S l, S m, S n, S o, S p)
#if PUMICE_SIMD_BYTES == 64
      : part{Native{a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p}} {}
#elif PUMICE_SIMD_BYTES == 32
      : part{Native{a, b, c, d, e, f, g, h}, Native{i, j, k, l, m, n, o, p}} {}
#else
      : part{Native{a, b, c, d}, Native{e, f, g, h}, Native{i, j, k, l}, Native{m, n, o, p}} {
  }
#endif
        PUMICE_INLINE S
        operator[](int lane) const {
    return part[lane / kPerPart][lane % kPerPart];
  }

#define PUMICE_OPERATOR(op)                                                                                                      \
  PUMICE_INLINE friend Vector operator op(Vector a, Vector b) { return PUMICE_PARTS(Vector, (Native)(a.part[i] op b.part[i])); } \
  PUMICE_INLINE Vector& operator op##=(Vector b) { return *this = *this op b; }
  PUMICE_OPERATOR(+)
  PUMICE_OPERATOR(-)
#if defined(__aarch64__)
  PUMICE_INLINE friend Vector operator*(Vector a, Vector b) {
    Vector r = PUMICE_PARTS(Vector, (Native)(a.part[i] * b.part[i]));
    if constexpr (std::is_same_v<S, float>) {
      if (native::any_zero(r.part)) r = PUMICE_PARTS(Vector, native::recover_product(r.part[i], a.part[i], b.part[i]));
    }
    return r;
  }
  PUMICE_INLINE Vector& operator*=(Vector b) { return *this = *this * b; }
#else
  PUMICE_OPERATOR(*)
#endif
  PUMICE_OPERATOR(/)
  PUMICE_OPERATOR(&)
  PUMICE_OPERATOR(|)
  PUMICE_OPERATOR(^)
#undef PUMICE_OPERATOR
  PUMICE_INLINE friend Vector operator-(Vector a) { return PUMICE_PARTS(Vector, -a.part[i]); }
  PUMICE_INLINE friend Vector operator~(Vector a) { return PUMICE_PARTS(Vector, ~a.part[i]); }
  PUMICE_INLINE friend Vector operator<<(Vector a, int n) { return PUMICE_PARTS(Vector, a.part[i] << n); }
  PUMICE_INLINE friend Vector operator>>(Vector a, int n) { return PUMICE_PARTS(Vector, a.part[i] >> n); }
};
using F16 = Vector<float>;
using I16 = Vector<int32_t>;
using U16 = Vector<uint32_t>;
/// 32 words of 16 bits, two per lane.
using W32 = Vector<uint16_t>;

PUMICE_INLINE F16 splat(float v) { return v; }
PUMICE_INLINE I16 splat(int32_t v) { return v; }
PUMICE_INLINE U16 splat(uint32_t v) { return v; }
PUMICE_INLINE F16 as_float(I16 v) { return PUMICE_PARTS(F16, (native::F)v.part[i]); }
PUMICE_INLINE F16 as_float(U16 v) { return PUMICE_PARTS(F16, (native::F)v.part[i]); }
PUMICE_INLINE I16 as_int(F16 v) { return PUMICE_PARTS(I16, (native::I)v.part[i]); }
PUMICE_INLINE I16 as_int(U16 v) { return PUMICE_PARTS(I16, (native::I)v.part[i]); }
PUMICE_INLINE U16 as_uint(F16 v) { return PUMICE_PARTS(U16, (native::U)v.part[i]); }
PUMICE_INLINE U16 as_uint(I16 v) { return PUMICE_PARTS(U16, (native::U)v.part[i]); }
PUMICE_INLINE U16 as_uint(W32 v) { return PUMICE_PARTS(U16, (native::U)v.part[i]); }
PUMICE_INLINE W32 as_words(U16 v) { return PUMICE_PARTS(W32, (native::W)v.part[i]); }

/// 64 bytes, unaligned. Accessed part by part: as one object the compiler copies them through the stack in smaller pieces, and reading
/// those back with one load stalls on store forwarding.
template <class V>
PUMICE_INLINE V load_unaligned(const void* p) {
  V v;
  if constexpr (requires { v.part; } && kParts > 1) {
    return PUMICE_PARTS(V, load_unaligned<typename V::Native>(static_cast<const std::byte*>(p) + i * native::kBytes));
  } else {
    std::memcpy(&v, p, sizeof v);
    return v;
  }
}
template <class V>
PUMICE_INLINE void store_unaligned(void* p, const V& v) {
  if constexpr (requires { v.part; } && kParts > 1) {
    for (int i = 0; i < kParts; ++i) std::memcpy(static_cast<std::byte*>(p) + i * native::kBytes, &v.part[i], native::kBytes);
  } else {
    std::memcpy(p, &v, sizeof v);
  }
}
PUMICE_INLINE F16 load(const Lanes& l) { return load_unaligned<F16>(__builtin_assume_aligned(l.v, 64)); }
PUMICE_INLINE void store(Lanes& l, F16 v) { store_unaligned(__builtin_assume_aligned(l.v, 64), v); }
inline constexpr I16 kLaneIndex = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/// f(lane) for each lane: slow, for rare cases.
template <class F>
auto by_lane(const F& f) {
  using S = decltype(f(0));
  alignas(64) S v[kLanes];
  for (int i = 0; i < kLanes; ++i) v[i] = f(i);
  return load_unaligned<Vector<S>>(v);
}

// ---- Masks -----------------------------------------------------------------------------------------------------------------------

struct Mask {
  native::M part[kParts];
};
PUMICE_INLINE Mask mask_from(LaneMask bits) {
#if PUMICE_SIMD_BYTES == 64
  return {{bits}};
#else
  constexpr I16 kBit = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
  return PUMICE_PARTS(Mask, (kBit.part[i] & int32_t{bits}) != 0);
#endif
}
PUMICE_INLINE LaneMask bits_of(Mask m) {
#if PUMICE_SIMD_BYTES == 64
  return m.part[0];
#elif PUMICE_SIMD_BYTES == 32
  return static_cast<LaneMask>(native::bits_of(m.part[0]) | native::bits_of(m.part[1]) << 8);
#elif defined(__aarch64__)
  const auto words = [&](int k) __attribute__((always_inline)) {
    return vcombine_u16(vmovn_u32((uint32x4_t)m.part[k]), vmovn_u32((uint32x4_t)m.part[k + 1]));
  };
  constexpr uint16x8_t kLow = {1, 2, 4, 8, 16, 32, 64, 128};
  return static_cast<LaneMask>(vaddvq_u16(words(0) & kLow) | vaddvq_u16(words(2) & kLow) << 8);
#elif defined(__x86_64__)
  return static_cast<LaneMask>(_mm_movemask_epi8(
      _mm_packs_epi16(_mm_packs_epi32((__m128i)m.part[0], (__m128i)m.part[1]), _mm_packs_epi32((__m128i)m.part[2], (__m128i)m.part[3]))));
#else
  return static_cast<LaneMask>(native::bits_of(m.part[0]) | native::bits_of(m.part[1]) << 4 | native::bits_of(m.part[2]) << 8 |
                               native::bits_of(m.part[3]) << 12);
#endif
}
PUMICE_INLINE Mask operator&(Mask a, Mask b) { return PUMICE_PARTS(Mask, static_cast<native::M>(a.part[i] & b.part[i])); }
PUMICE_INLINE Mask operator|(Mask a, Mask b) { return PUMICE_PARTS(Mask, static_cast<native::M>(a.part[i] | b.part[i])); }
PUMICE_INLINE Mask operator^(Mask a, Mask b) { return PUMICE_PARTS(Mask, static_cast<native::M>(a.part[i] ^ b.part[i])); }
PUMICE_INLINE Mask operator~(Mask a) { return PUMICE_PARTS(Mask, static_cast<native::M>(~a.part[i])); }
PUMICE_INLINE bool any(Mask m) { return bits_of(m) != 0; }
PUMICE_INLINE bool all(Mask m) { return bits_of(m) == 0xFFFF; }
template <class S>
PUMICE_INLINE Vector<S> select(Mask m, Vector<S> a, Vector<S> b) {
  return PUMICE_PARTS(Vector<S>, native::select(m.part[i], a.part[i], b.part[i]));
}
/// Comparisons are false for NaN, except ne.
PUMICE_INLINE Mask lt(F16 a, F16 b) { return PUMICE_PARTS(Mask, native::lt(a.part[i], b.part[i])); }
PUMICE_INLINE Mask le(F16 a, F16 b) { return PUMICE_PARTS(Mask, native::le(a.part[i], b.part[i])); }
PUMICE_INLINE Mask eq(F16 a, F16 b) { return PUMICE_PARTS(Mask, native::eq(a.part[i], b.part[i])); }
PUMICE_INLINE Mask ne(F16 a, F16 b) { return PUMICE_PARTS(Mask, native::ne(a.part[i], b.part[i])); }
PUMICE_INLINE Mask ge(F16 a, F16 b) { return le(b, a); }
PUMICE_INLINE Mask gt(F16 a, F16 b) { return lt(b, a); }
PUMICE_INLINE Mask lt(I16 a, I16 b) { return PUMICE_PARTS(Mask, native::lt(a.part[i], b.part[i])); }
PUMICE_INLINE Mask eq(I16 a, I16 b) { return PUMICE_PARTS(Mask, native::eq(a.part[i], b.part[i])); }
PUMICE_INLINE Mask lt(U16 a, U16 b) { return PUMICE_PARTS(Mask, native::lt(a.part[i], b.part[i])); }
PUMICE_INLINE Mask eq(U16 a, U16 b) { return PUMICE_PARTS(Mask, native::eq(a.part[i], b.part[i])); }

// ---- Arithmetic ------------------------------------------------------------------------------------------------------------------

/// a < b ? a : b and a > b ? a : b: the second operand for NaN and for two zeros, as MINPS and MAXPS do.
PUMICE_INLINE F16 min(F16 a, F16 b) { return PUMICE_PARTS(F16, native::min(a.part[i], b.part[i])); }
PUMICE_INLINE F16 max(F16 a, F16 b) { return PUMICE_PARTS(F16, native::max(a.part[i], b.part[i])); }
PUMICE_INLINE I16 min(I16 a, I16 b) { return PUMICE_PARTS(I16, native::min(a.part[i], b.part[i])); }
PUMICE_INLINE I16 max(I16 a, I16 b) { return PUMICE_PARTS(I16, native::max(a.part[i], b.part[i])); }
PUMICE_INLINE U16 min(U16 a, U16 b) { return PUMICE_PARTS(U16, native::min(a.part[i], b.part[i])); }
PUMICE_INLINE U16 max(U16 a, U16 b) { return PUMICE_PARTS(U16, native::max(a.part[i], b.part[i])); }

#if defined(__FMA__)
inline constexpr bool kHasFma = true;
PUMICE_INLINE F16 fma(F16 a, F16 b, F16 c) { return PUMICE_PARTS(F16, native::fma(a.part[i], b.part[i], c.part[i])); }
#elif defined(__x86_64__)
inline constexpr bool kHasFma = false;  ///< exact as well, but many instructions

/// An operand of fma: 16 floats in memory, or one for all lanes.
template <bool kSplat>
struct FmaOperand {
  PUMICE_INLINE explicit FmaOperand(const void* from) : p(static_cast<const float*>(from)) {
    if constexpr (kSplat) all = native::widen_splat(*p);
  }
  PUMICE_INLINE native::Wide part(int i) const {
    if constexpr (kSplat)
      return all;
    else
      return native::widen(p + 4 * i);
  }
  const float* p;
  native::Wide all;
};
template <int kSigns, class A, class B, class C>
[[gnu::noinline, gnu::cold]] F16 fma_again(A a, B b, C c) {
  return PUMICE_PARTS(F16, native::fma_surely<kSigns>(a.part(i), b.part(i), c.part(i)));
}
template <int kSigns, class A, class B, class C>
PUMICE_INLINE F16 fma_of(const A& a, const B& b, const C& c) {
  native::I doubt = {};
  const F16 r = PUMICE_PARTS(F16, native::fma_in_doubt<kSigns>(a.part(i), b.part(i), c.part(i), doubt));
  if (native::bits_of(doubt)) [[unlikely]]
    return fma_again<kSigns>(a, b, c);
  return r;
}
[[gnu::noinline]] inline F16 fma(const F16& a, const F16& b, const F16& c) {
  return fma_of<0>(FmaOperand<false>(&a), FmaOperand<false>(&b), FmaOperand<false>(&c));
}
#else
inline constexpr bool kHasFma = true;
PUMICE_INLINE F16 fma(F16 a, F16 b, F16 c) {
  F16 r = PUMICE_PARTS(F16, native::fma(a.part[i], b.part[i], c.part[i]));
#if defined(__aarch64__)
  if (native::any_zero(r.part)) r = PUMICE_PARTS(F16, native::recover_sum(r.part[i], a.part[i], b.part[i], c.part[i]));
#endif
  return r;
}
template <bool kSplat>
struct FmaOperand {
  PUMICE_INLINE explicit FmaOperand(const void* from) {
    if constexpr (kSplat)
      value = splat(*static_cast<const float*>(from));
    else
      value = load_unaligned<F16>(from);
  }
  F16 value;
};
template <int kSigns, class A, class B, class C>
PUMICE_INLINE F16 fma_of(const A& a, const B& b, const C& c) {
  return fma(kSigns & 1 ? -a.value : a.value, b.value, kSigns & 2 ? -c.value : c.value);
}
#endif
PUMICE_INLINE F16 sqrt(F16 a) { return PUMICE_PARTS(F16, native::sqrt(a.part[i])); }
PUMICE_INLINE F16 abs(F16 a) { return as_float(as_uint(a) & 0x7FFFFFFFu); }

/// Towards zero; NaN and what does not fit become INT32_MIN, as CVTTPS2DQ does.
PUMICE_INLINE I16 truncate(F16 a) { return PUMICE_PARTS(I16, native::truncate(a.part[i])); }
/// To the nearest integer, ties to even; |a| < 2^31.
PUMICE_INLINE I16 round_to_int(F16 a) { return PUMICE_PARTS(I16, native::round_to_int(a.part[i])); }
PUMICE_INLINE F16 to_float(I16 a) { return PUMICE_PARTS(F16, __builtin_convertvector(a.part[i], native::F)); }
PUMICE_INLINE F16 floor(F16 a) { return PUMICE_PARTS(F16, native::floor(a.part[i])); }

/// Per-lane shift counts n: counts from 32 up give 0. Slow in portable code.
PUMICE_INLINE U16 shift_right(U16 a, U16 n) { return PUMICE_PARTS(U16, native::shift_right(a.part[i], n.part[i])); }
PUMICE_INLINE U16 shift_left(U16 a, U16 n) { return PUMICE_PARTS(U16, native::shift_left(a.part[i], n.part[i])); }
/// The upper 16 bits of the products.
PUMICE_INLINE W32 multiply_high(W32 a, W32 b) { return PUMICE_PARTS(W32, native::multiply_high(a.part[i], b.part[i])); }

// ---- Moves inside quarters (four lanes, a quad of pixels) ------------------------------------------------------------------------

/// Quad derivatives: value[x = 1] - value[x = 0] in the lane's own row, and likewise down its own column.
PUMICE_INLINE F16 quad_dx(F16 a) { return PUMICE_PARTS(F16, native::permute<0xF5>(a.part[i]) - native::permute<0xA0>(a.part[i])); }
PUMICE_INLINE F16 quad_dy(F16 a) { return PUMICE_PARTS(F16, native::permute<0xEE>(a.part[i]) - native::permute<0x44>(a.part[i])); }

/// Broadcasts lane k of each quad to all four lanes.
PUMICE_INLINE F16 quad_lane(F16 a, uint32_t k) {
  switch (k & 3) {
    case 0: return PUMICE_PARTS(F16, native::permute<0x00>(a.part[i]));
    case 1: return PUMICE_PARTS(F16, native::permute<0x55>(a.part[i]));
    case 2: return PUMICE_PARTS(F16, native::permute<0xAA>(a.part[i]));
    default: return PUMICE_PARTS(F16, native::permute<0xFF>(a.part[i]));
  }
}

/// As SHUFPS, PUNPCKLDQ and the like: lanes 0..3 of the result from lanes 0..3 of the operands, 4..7 from 4..7 ...
template <int kControl>
PUMICE_INLINE U16 shuffle(U16 a, U16 b) {
  return PUMICE_PARTS(U16, native::shuffle<kControl>(a.part[i], b.part[i]));
}
PUMICE_INLINE U16 unpack_low(U16 a, U16 b) { return PUMICE_PARTS(U16, native::unpack_low(a.part[i], b.part[i])); }
PUMICE_INLINE U16 unpack_high(U16 a, U16 b) { return PUMICE_PARTS(U16, native::unpack_high(a.part[i], b.part[i])); }
PUMICE_INLINE U16 unpack_low_pairs(U16 a, U16 b) { return PUMICE_PARTS(U16, native::unpack_low_pairs(a.part[i], b.part[i])); }
PUMICE_INLINE U16 unpack_high_pairs(U16 a, U16 b) { return PUMICE_PARTS(U16, native::unpack_high_pairs(a.part[i], b.part[i])); }
/// 4x4 transpose in each quarter: lane 4q + i of out[j] is lane 4q + j of in[i].
PUMICE_INLINE void transpose(const U16 (&in)[4], U16 (&out)[4]) {
  const U16 a = unpack_low(in[0], in[1]), b = unpack_high(in[0], in[1]), c = unpack_low(in[2], in[3]), d = unpack_high(in[2], in[3]);
  out[0] = unpack_low_pairs(a, c), out[1] = unpack_high_pairs(a, c), out[2] = unpack_low_pairs(b, d), out[3] = unpack_high_pairs(b, d);
}

typedef uint32_t U4 __attribute__((vector_size(16)));

PUMICE_INLINE U16 concatenate(U4 a, U4 b, U4 c, U4 d) {
#if PUMICE_SIMD_BYTES == 64
  __m512i v = _mm512_castsi128_si512((__m128i)a);
  v = _mm512_inserti32x4(v, (__m128i)b, 1);
  v = _mm512_inserti32x4(v, (__m128i)c, 2);
  U16 r;
  r.part[0] = (native::U)_mm512_inserti32x4(v, (__m128i)d, 3);
  return r;
#elif PUMICE_SIMD_BYTES == 32
  U16 r;
  r.part[0] = (native::U)_mm256_inserti128_si256(_mm256_castsi128_si256((__m128i)a), (__m128i)b, 1);
  r.part[1] = (native::U)_mm256_inserti128_si256(_mm256_castsi128_si256((__m128i)c), (__m128i)d, 1);
  return r;
#else
  U16 r;
  r.part[0] = a, r.part[1] = b, r.part[2] = c, r.part[3] = d;
  return r;
#endif
}
template <int k>
PUMICE_INLINE U4 quarter(const U16& v) {
#if PUMICE_SIMD_BYTES == 64
  return (U4)_mm512_extracti32x4_epi32((__m512i)v.part[0], k);
#elif PUMICE_SIMD_BYTES == 32
  return (U4)_mm256_extracti128_si256((__m256i)v.part[k / 2], k & 1);
#else
  return v.part[k];
#endif
}

// ---- Memory ----------------------------------------------------------------------------------------------------------------------

/// The dwords at base + offset (bytes, below 2^31) of the lanes in m; the others are 0 and not read.
PUMICE_INLINE U16 gather31(const void* base, I16 offset, Mask m) {
  return PUMICE_PARTS(U16, native::gather(base, (native::U)offset.part[i], m.part[i]));
}
/// Of all lanes.
PUMICE_INLINE U16 gather_dwords(const void* base, U16 offset) { return PUMICE_PARTS(U16, native::gather(base, offset.part[i])); }
/// table[index] for 16 entries of 32 bits, aligned to 64 bytes; index in 0..15.
PUMICE_INLINE U16 pick(const void* table, I16 index) {
#if PUMICE_SIMD_BYTES == 64
  return PUMICE_PARTS(U16, (native::U)_mm512_permutexvar_epi32((__m512i)index.part[i], _mm512_load_si512(table)));
#elif PUMICE_SIMD_BYTES == 32
  const __m256 low = _mm256_load_ps(static_cast<const float*>(table)), high = _mm256_load_ps(static_cast<const float*>(table) + 8);
  const auto from = [&](native::I n) {
    const auto k = (__m256i)n;
    return (native::U)_mm256_blendv_ps(_mm256_permutevar8x32_ps(low, k), _mm256_permutevar8x32_ps(high, k),
                                       _mm256_castsi256_ps(_mm256_slli_epi32(k, 28)));
  };
  return PUMICE_PARTS(U16, from(index.part[i]));
#else
  return gather_dwords(table, as_uint(index) << 2);
#endif
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
