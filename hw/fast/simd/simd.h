// SPDX-License-Identifier: MIT
/// 16-lane vectors: one source for AVX-512, AVX2 and portable C++. A file that includes this is compiled once per instruction set with
/// -DPUMICE_SIMD=portable|avx2|avx512 (see meson.build) and puts its code into `namespace pumice::hw::fast::PUMICE_SIMD`.
///
/// Built on GCC's vector extension, so + - * / & | ^ << >> and [] work on F16, I16 and U16. Float operations are IEEE with whatever MXCSR
/// says (FTZ, DAZ). Results are the same for every instruction set; what the hardware leaves open is fixed here.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

#include "hw/fast/block.h"

#if defined(__AVX2__) || defined(__AVX512F__)
#include <immintrin.h>
#elif defined(__x86_64__)
#include <emmintrin.h>
#endif

#ifndef PUMICE_SIMD
#error "PUMICE_SIMD names the instruction set"
#endif

namespace pumice::hw::fast::PUMICE_SIMD {

typedef float F16 __attribute__((vector_size(64)));
typedef int32_t I16 __attribute__((vector_size(64)));
typedef uint32_t U16 __attribute__((vector_size(64)));

inline F16 splat(float v) { return v - F16{}; }  // + would lose the sign of -0
inline I16 splat(int32_t v) { return I16{} + v; }
inline U16 splat(uint32_t v) { return U16{} + v; }
inline F16 as_float(I16 v) { return reinterpret_cast<F16>(v); }
inline F16 as_float(U16 v) { return reinterpret_cast<F16>(v); }
inline I16 as_int(F16 v) { return reinterpret_cast<I16>(v); }
inline U16 as_uint(F16 v) { return reinterpret_cast<U16>(v); }
inline U16 as_uint(I16 v) { return reinterpret_cast<U16>(v); }
inline I16 as_int(U16 v) { return reinterpret_cast<I16>(v); }

inline F16 load(const Lanes& l) { return *reinterpret_cast<const F16*>(l.v); }
inline void store(Lanes& l, F16 v) { *reinterpret_cast<F16*>(l.v) = v; }
template <class V>
V load_unaligned(const void* p) {
  V v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
template <class V>
void store_unaligned(void* p, V v) {
  std::memcpy(p, &v, sizeof v);
}
inline constexpr I16 kLaneIndex = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

// ---- Masks -----------------------------------------------------------------------------------------------------------------------

#if defined(__AVX512F__)
struct Mask {
  __mmask16 m;
};
inline Mask mask_from(LaneMask bits) { return {bits}; }
inline LaneMask bits_of(Mask m) { return m.m; }
inline Mask operator&(Mask a, Mask b) { return {static_cast<__mmask16>(a.m & b.m)}; }
inline Mask operator|(Mask a, Mask b) { return {static_cast<__mmask16>(a.m | b.m)}; }
inline Mask operator^(Mask a, Mask b) { return {static_cast<__mmask16>(a.m ^ b.m)}; }
inline Mask operator~(Mask a) { return {static_cast<__mmask16>(~a.m)}; }
inline bool any(Mask m) { return m.m != 0; }
inline bool all(Mask m) { return m.m == 0xFFFF; }
inline F16 select(Mask m, F16 a, F16 b) { return (F16)_mm512_mask_blend_ps(m.m, (__m512)b, (__m512)a); }
inline I16 select(Mask m, I16 a, I16 b) { return (I16)_mm512_mask_blend_epi32(m.m, (__m512i)b, (__m512i)a); }
inline U16 select(Mask m, U16 a, U16 b) { return (U16)_mm512_mask_blend_epi32(m.m, (__m512i)b, (__m512i)a); }
/// Comparisons are false for NaN, except ne.
inline Mask lt(F16 a, F16 b) { return {_mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ)}; }
inline Mask le(F16 a, F16 b) { return {_mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LE_OQ)}; }
inline Mask eq(F16 a, F16 b) { return {_mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_EQ_OQ)}; }
inline Mask ne(F16 a, F16 b) { return {_mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_NEQ_UQ)}; }
inline Mask lt(I16 a, I16 b) { return {_mm512_cmplt_epi32_mask((__m512i)a, (__m512i)b)}; }
inline Mask eq(I16 a, I16 b) { return {_mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b)}; }
inline Mask lt(U16 a, U16 b) { return {_mm512_cmplt_epu32_mask((__m512i)a, (__m512i)b)}; }
inline Mask eq(U16 a, U16 b) { return {_mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b)}; }
#else
struct Mask {
  I16 m;  ///< 0 or -1
};
inline Mask mask_from(LaneMask bits) { return {((splat(int32_t{bits}) >> kLaneIndex) & 1) != 0}; }
inline LaneMask bits_of(Mask m) {
#if defined(__AVX2__)
  __m256 h[2];
  std::memcpy(h, &m.m, sizeof h);
  return static_cast<LaneMask>(_mm256_movemask_ps(h[0]) | _mm256_movemask_ps(h[1]) << 8);
#elif defined(__x86_64__)
  __m128 q[4];
  std::memcpy(q, &m.m, sizeof q);
  return static_cast<LaneMask>(_mm_movemask_ps(q[0]) | _mm_movemask_ps(q[1]) << 4 | _mm_movemask_ps(q[2]) << 8 |
                               _mm_movemask_ps(q[3]) << 12);
#else
  uint32_t bits = 0;
  for (int i = 0; i < kLanes; ++i) bits |= (m.m[i] & 1u) << i;
  return static_cast<LaneMask>(bits);
#endif
}
inline Mask operator&(Mask a, Mask b) { return {a.m & b.m}; }
inline Mask operator|(Mask a, Mask b) { return {a.m | b.m}; }
inline Mask operator^(Mask a, Mask b) { return {a.m ^ b.m}; }
inline Mask operator~(Mask a) { return {~a.m}; }
inline bool any(Mask m) { return bits_of(m) != 0; }
inline bool all(Mask m) { return bits_of(m) == 0xFFFF; }
inline F16 select(Mask m, F16 a, F16 b) { return m.m ? a : b; }
inline I16 select(Mask m, I16 a, I16 b) { return m.m ? a : b; }
inline U16 select(Mask m, U16 a, U16 b) { return m.m ? a : b; }
inline Mask lt(F16 a, F16 b) { return {a < b}; }
inline Mask le(F16 a, F16 b) { return {a <= b}; }
inline Mask eq(F16 a, F16 b) { return {a == b}; }
inline Mask ne(F16 a, F16 b) { return {a != b}; }
inline Mask lt(I16 a, I16 b) { return {a < b}; }
inline Mask eq(I16 a, I16 b) { return {a == b}; }
inline Mask lt(U16 a, U16 b) { return {a < b}; }
inline Mask eq(U16 a, U16 b) { return {a == b}; }
#endif
inline Mask ge(F16 a, F16 b) { return le(b, a); }
inline Mask gt(F16 a, F16 b) { return lt(b, a); }

// ---- Arithmetic ------------------------------------------------------------------------------------------------------------------

/// a < b ? a : b and a > b ? a : b: the second operand for NaN and for two zeros, as MINPS and MAXPS do.
inline F16 min(F16 a, F16 b) {
#if defined(__AVX512F__)
  return (F16)_mm512_min_ps((__m512)a, (__m512)b);
#else
  return a < b ? a : b;
#endif
}
inline F16 max(F16 a, F16 b) {
#if defined(__AVX512F__)
  return (F16)_mm512_max_ps((__m512)a, (__m512)b);
#else
  return a > b ? a : b;
#endif
}
inline I16 min(I16 a, I16 b) { return a < b ? a : b; }
inline I16 max(I16 a, I16 b) { return a > b ? a : b; }
inline U16 min(U16 a, U16 b) { return a < b ? a : b; }
inline U16 max(U16 a, U16 b) { return a > b ? a : b; }

inline F16 fma(F16 a, F16 b, F16 c) {
#if defined(__AVX512F__)
  return (F16)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined(__FMA__)
  __m256 x[2], y[2], z[2];
  std::memcpy(x, &a, 64), std::memcpy(y, &b, 64), std::memcpy(z, &c, 64);
  for (int i = 0; i < 2; ++i) x[i] = _mm256_fmadd_ps(x[i], y[i], z[i]);
  std::memcpy(&a, x, 64);
  return a;
#else
  F16 r;
  for (int i = 0; i < kLanes; ++i) r[i] = std::fma(a[i], b[i], c[i]);  // libm without the instruction: exact, slow; see flush_tiny
  return r;
#endif
}
inline F16 sqrt(F16 a) {
#if defined(__AVX512F__)
  return (F16)_mm512_sqrt_ps((__m512)a);
#else
  F16 r;
  for (int i = 0; i < kLanes; ++i) r[i] = __builtin_sqrtf(a[i]);
  return r;
#endif
}
inline F16 abs(F16 a) { return as_float(as_uint(a) & 0x7FFFFFFFu); }

/// Towards zero; NaN and what does not fit become INT32_MIN, as CVTTPS2DQ does.
inline I16 truncate(F16 a) {
#if defined(__AVX512F__)
  return (I16)_mm512_cvttps_epi32((__m512)a);
#elif defined(__AVX2__)
  __m256 x[2];
  __m256i r[2];
  std::memcpy(x, &a, 64);
  for (int i = 0; i < 2; ++i) r[i] = _mm256_cvttps_epi32(x[i]);
  I16 out;
  std::memcpy(&out, r, 64);
  return out;
#else
  I16 out;
  for (int i = 0; i < kLanes; ++i) out[i] = a[i] >= -2147483648.0f && a[i] < 2147483648.0f ? static_cast<int32_t>(a[i]) : INT32_MIN;
  return out;
#endif
}
inline F16 to_float(I16 a) { return __builtin_convertvector(a, F16); }
inline F16 floor(F16 a) {
#if defined(__AVX512F__)
  return (F16)_mm512_roundscale_ps((__m512)a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
#elif defined(__AVX2__)
  __m256 x[2];
  std::memcpy(x, &a, 64);
  for (int i = 0; i < 2; ++i) x[i] = _mm256_floor_ps(x[i]);
  std::memcpy(&a, x, 64);
  return a;
#else
  F16 r;
  for (int i = 0; i < kLanes; ++i) r[i] = __builtin_floorf(a[i]);
  return r;
#endif
}

// ---- Lanes of a quad -------------------------------------------------------------------------------------------------------------

/// value[x = 1] - value[x = 0] of the lane's own row, and of its own column downwards.
inline F16 quad_dx(F16 a) {
  return __builtin_shufflevector(a, a, 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15) -
         __builtin_shufflevector(a, a, 0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14);
}
inline F16 quad_dy(F16 a) {
  return __builtin_shufflevector(a, a, 2, 3, 2, 3, 6, 7, 6, 7, 10, 11, 10, 11, 14, 15, 14, 15) -
         __builtin_shufflevector(a, a, 0, 1, 0, 1, 4, 5, 4, 5, 8, 9, 8, 9, 12, 13, 12, 13);
}

// ---- Memory ----------------------------------------------------------------------------------------------------------------------

/// The dwords at base + offset (bytes) of the lanes in m; the others are 0 and not read.
inline U16 gather(const void* base, U16 offset, Mask m) {
#if defined(__AVX512F__)
  const __m512i low = _mm512_cvtepu32_epi64(_mm512_castsi512_si256((__m512i)offset));
  const __m512i high = _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64((__m512i)offset, 1));
  const __m256i a = _mm512_mask_i64gather_epi32(_mm256_setzero_si256(), static_cast<__mmask8>(m.m), low, base, 1);
  const __m256i b = _mm512_mask_i64gather_epi32(_mm256_setzero_si256(), static_cast<__mmask8>(m.m >> 8), high, base, 1);
  return (U16)_mm512_inserti64x4(_mm512_castsi256_si512(a), b, 1);
#else
  U16 r = {};
  const LaneMask bits = bits_of(m);
  for (int i = 0; i < kLanes; ++i)
    if (bits >> i & 1) {
      uint32_t v;
      std::memcpy(&v, static_cast<const char*>(base) + offset[i], 4);
      r[i] = v;
    }
  return r;
#endif
}
/// The same for offsets known to be below 2^31.
inline U16 gather31(const void* base, I16 offset, Mask m) {
#if defined(__AVX512F__)
  return (U16)_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), m.m, (__m512i)offset, base, 1);
#else
  return gather(base, as_uint(offset), m);
#endif
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
