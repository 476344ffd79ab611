// SPDX-License-Identifier: MIT
/// One vector register of the instruction set: 64 bytes with AVX-512, 32 with AVX2, 16 otherwise. simd.h makes 16 lanes of one, two or four
/// of them. (GCC 12 keeps vectors in memory that are wider than its registers, and takes some of their operations apart.)
///
/// N::F, N::I, N::U, N::W are GCC vectors, so + - * / & | ^ << >> work on them. M is what a comparison gives: mask bits with AVX-512, else
/// lanes of 0 or -1. Results are the same for every instruction set; where the hardware differs, this file defines the result.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

#if defined(__AVX2__) || defined(__AVX512F__)
#include <immintrin.h>
#elif defined(__x86_64__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#ifndef PUMICE_SIMD
#error "PUMICE_SIMD names the instruction set"
#endif

#if defined(__AVX512F__)
#define PUMICE_SIMD_BYTES 64
#elif defined(__AVX2__)
#define PUMICE_SIMD_BYTES 32
#else
#define PUMICE_SIMD_BYTES 16
#endif
#define PUMICE_INLINE [[gnu::always_inline]] inline

namespace pumice::hw::fast::PUMICE_SIMD::native {

inline constexpr int kBytes = PUMICE_SIMD_BYTES, kLanes = kBytes / 4;
typedef float F __attribute__((vector_size(PUMICE_SIMD_BYTES)));
typedef int32_t I __attribute__((vector_size(PUMICE_SIMD_BYTES)));
typedef uint32_t U __attribute__((vector_size(PUMICE_SIMD_BYTES)));
typedef uint16_t W __attribute__((vector_size(PUMICE_SIMD_BYTES)));
typedef int64_t L __attribute__((vector_size(PUMICE_SIMD_BYTES)));

template <class S>
struct Of;
template <>
struct Of<float> {
  using Type = F;
};
template <>
struct Of<int32_t> {
  using Type = I;
};
template <>
struct Of<uint32_t> {
  using Type = U;
};
template <>
struct Of<uint16_t> {
  using Type = W;
};

#if defined(__AVX512F__)
// ---- AVX-512 ---------------------------------------------------------------------------------------------------------------------

using M = __mmask16;
PUMICE_INLINE F select(M m, F a, F b) { return (F)_mm512_mask_blend_ps(m, (__m512)b, (__m512)a); }
PUMICE_INLINE I select(M m, I a, I b) { return (I)_mm512_mask_blend_epi32(m, (__m512i)b, (__m512i)a); }
PUMICE_INLINE U select(M m, U a, U b) { return (U)_mm512_mask_blend_epi32(m, (__m512i)b, (__m512i)a); }
PUMICE_INLINE M lt(F a, F b) { return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ); }
PUMICE_INLINE M le(F a, F b) { return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LE_OQ); }
PUMICE_INLINE M eq(F a, F b) { return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_EQ_OQ); }
PUMICE_INLINE M ne(F a, F b) { return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_NEQ_UQ); }
PUMICE_INLINE M lt(I a, I b) { return _mm512_cmplt_epi32_mask((__m512i)a, (__m512i)b); }
PUMICE_INLINE M eq(I a, I b) { return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b); }
PUMICE_INLINE M lt(U a, U b) { return _mm512_cmplt_epu32_mask((__m512i)a, (__m512i)b); }
PUMICE_INLINE M eq(U a, U b) { return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b); }

PUMICE_INLINE F broadcast(float v) { return (F)_mm512_set1_ps(v); }
PUMICE_INLINE F min(F a, F b) { return (F)_mm512_min_ps((__m512)a, (__m512)b); }
PUMICE_INLINE F max(F a, F b) { return (F)_mm512_max_ps((__m512)a, (__m512)b); }
PUMICE_INLINE F fma(F a, F b, F c) { return (F)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c); }
PUMICE_INLINE F sqrt(F a) { return (F)_mm512_sqrt_ps((__m512)a); }
PUMICE_INLINE I truncate(F a) { return (I)_mm512_cvttps_epi32((__m512)a); }
PUMICE_INLINE I round_to_int(F a) { return (I)_mm512_cvtps_epi32((__m512)a); }
PUMICE_INLINE F floor(F a) { return (F)_mm512_roundscale_ps((__m512)a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC); }
PUMICE_INLINE U shift_right(U a, U n) { return (U)_mm512_srlv_epi32((__m512i)a, (__m512i)n); }
PUMICE_INLINE U shift_left(U a, U n) { return (U)_mm512_sllv_epi32((__m512i)a, (__m512i)n); }
PUMICE_INLINE W multiply_high(W a, W b) { return (W)_mm512_mulhi_epu16((__m512i)a, (__m512i)b); }
template <int kControl>
PUMICE_INLINE F permute(F a) {
  return (F)_mm512_permute_ps((__m512)a, kControl);
}
template <int kControl>
PUMICE_INLINE U shuffle(U a, U b) {
  return (U)_mm512_shuffle_ps((__m512)a, (__m512)b, kControl);
}
PUMICE_INLINE U unpack_low(U a, U b) { return (U)_mm512_unpacklo_epi32((__m512i)a, (__m512i)b); }
PUMICE_INLINE U unpack_high(U a, U b) { return (U)_mm512_unpackhi_epi32((__m512i)a, (__m512i)b); }
PUMICE_INLINE U unpack_low_pairs(U a, U b) { return (U)_mm512_unpacklo_epi64((__m512i)a, (__m512i)b); }
PUMICE_INLINE U unpack_high_pairs(U a, U b) { return (U)_mm512_unpackhi_epi64((__m512i)a, (__m512i)b); }
PUMICE_INLINE U gather(const void* base, U offset) { return (U)_mm512_i32gather_epi32((__m512i)offset, base, 1); }
PUMICE_INLINE U gather(const void* base, U offset, M m) {
  return (U)_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), m, (__m512i)offset, base, 1);
}

#else
// ---- AVX2 and portable -----------------------------------------------------------------------------------------------------------

using M = I;
PUMICE_INLINE M lt(F a, F b) { return a < b; }
PUMICE_INLINE M le(F a, F b) { return a <= b; }
PUMICE_INLINE M eq(F a, F b) { return a == b; }
PUMICE_INLINE M ne(F a, F b) { return a != b; }
PUMICE_INLINE M lt(I a, I b) { return a < b; }
PUMICE_INLINE M eq(I a, I b) { return a == b; }
PUMICE_INLINE M lt(U a, U b) { return a < b; }
PUMICE_INLINE M eq(U a, U b) { return a == b; }

#if defined(__AVX2__)
// A test of the sign is folded into the blend.
PUMICE_INLINE F select(M m, F a, F b) { return m < 0 ? a : b; }
PUMICE_INLINE I select(M m, I a, I b) { return m < 0 ? a : b; }
PUMICE_INLINE U select(M m, U a, U b) { return m < 0 ? a : b; }
PUMICE_INLINE uint32_t bits_of(M m) { return static_cast<uint32_t>(_mm256_movemask_ps((__m256)m)); }

PUMICE_INLINE F broadcast(float v) { return (F)_mm256_set1_ps(v); }
PUMICE_INLINE F min(F a, F b) { return (F)_mm256_min_ps((__m256)a, (__m256)b); }
PUMICE_INLINE F max(F a, F b) { return (F)_mm256_max_ps((__m256)a, (__m256)b); }
PUMICE_INLINE F fma(F a, F b, F c) { return (F)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c); }
PUMICE_INLINE F sqrt(F a) { return (F)_mm256_sqrt_ps((__m256)a); }
PUMICE_INLINE I truncate(F a) { return (I)_mm256_cvttps_epi32((__m256)a); }
PUMICE_INLINE I round_to_int(F a) { return (I)_mm256_cvtps_epi32((__m256)a); }
PUMICE_INLINE F floor(F a) { return (F)_mm256_round_ps((__m256)a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC); }
PUMICE_INLINE U shift_right(U a, U n) { return (U)_mm256_srlv_epi32((__m256i)a, (__m256i)n); }
PUMICE_INLINE U shift_left(U a, U n) { return (U)_mm256_sllv_epi32((__m256i)a, (__m256i)n); }
PUMICE_INLINE W multiply_high(W a, W b) { return (W)_mm256_mulhi_epu16((__m256i)a, (__m256i)b); }
template <int kControl>
PUMICE_INLINE F permute(F a) {
  return (F)_mm256_permute_ps((__m256)a, kControl);
}
template <int kControl>
PUMICE_INLINE U shuffle(U a, U b) {
  return (U)_mm256_shuffle_ps((__m256)a, (__m256)b, kControl);
}
PUMICE_INLINE U unpack_low(U a, U b) { return (U)_mm256_unpacklo_epi32((__m256i)a, (__m256i)b); }
PUMICE_INLINE U unpack_high(U a, U b) { return (U)_mm256_unpackhi_epi32((__m256i)a, (__m256i)b); }
PUMICE_INLINE U unpack_low_pairs(U a, U b) { return (U)_mm256_unpacklo_epi64((__m256i)a, (__m256i)b); }
PUMICE_INLINE U unpack_high_pairs(U a, U b) { return (U)_mm256_unpackhi_epi64((__m256i)a, (__m256i)b); }
PUMICE_INLINE U gather(const void* base, U offset) { return (U)_mm256_i32gather_epi32(static_cast<const int*>(base), (__m256i)offset, 1); }
PUMICE_INLINE U gather(const void* base, U offset, M m) {
  return (U)_mm256_mask_i32gather_epi32(_mm256_setzero_si256(), static_cast<const int*>(base), (__m256i)offset, (__m256i)m, 1);
}

#else
PUMICE_INLINE U select(M m, U a, U b) { return ((U)m & a) | (~(U)m & b); }
PUMICE_INLINE I select(M m, I a, I b) { return (m & a) | (~m & b); }
PUMICE_INLINE F select(M m, F a, F b) { return (F)select(m, (I)a, (I)b); }

PUMICE_INLINE U gather(const void* base, U offset) {
  U r;
  for (int i = 0; i < kLanes; ++i) std::memcpy(reinterpret_cast<char*>(&r) + 4 * i, static_cast<const char*>(base) + offset[i], 4);
  return r;
}
PUMICE_INLINE U gather(const void* base, U offset, M m) {
  U r = {};
  for (int i = 0; i < kLanes; ++i)
    if (m[i]) std::memcpy(reinterpret_cast<char*>(&r) + 4 * i, static_cast<const char*>(base) + offset[i], 4);
  return r;
}
#if defined(__aarch64__)
PUMICE_INLINE U shift_left(U a, U n) { return (U)vshlq_u32((uint32x4_t)a, (int32x4_t)(n < 32u ? n : U{} + 32u)); }
PUMICE_INLINE U shift_right(U a, U n) { return (U)vshlq_u32((uint32x4_t)a, -(int32x4_t)(n < 32u ? n : U{} + 32u)); }
#else
PUMICE_INLINE U shift_right(U a, U n) {
  return U{n[0] < 32 ? a[0] >> n[0] : 0, n[1] < 32 ? a[1] >> n[1] : 0, n[2] < 32 ? a[2] >> n[2] : 0, n[3] < 32 ? a[3] >> n[3] : 0};
}
PUMICE_INLINE U shift_left(U a, U n) {
  return U{n[0] < 32 ? a[0] << n[0] : 0, n[1] < 32 ? a[1] << n[1] : 0, n[2] < 32 ? a[2] << n[2] : 0, n[3] < 32 ? a[3] << n[3] : 0};
}
#endif
#define PUMICE_SHUFFLE(a, b, x, y, z, w) __builtin_shufflevector(a, b, x, y, z, w)
template <int kControl>
PUMICE_INLINE F permute(F a) {
  return PUMICE_SHUFFLE(a, a, kControl & 3, kControl >> 2 & 3, kControl >> 4 & 3, kControl >> 6 & 3);
}
template <int kControl>
PUMICE_INLINE U shuffle(U a, U b) {
  return PUMICE_SHUFFLE(a, b, kControl & 3, kControl >> 2 & 3, 4 + (kControl >> 4 & 3), 4 + (kControl >> 6 & 3));
}
PUMICE_INLINE U unpack_low(U a, U b) { return PUMICE_SHUFFLE(a, b, 0, 4, 1, 5); }
PUMICE_INLINE U unpack_high(U a, U b) { return PUMICE_SHUFFLE(a, b, 2, 6, 3, 7); }
PUMICE_INLINE U unpack_low_pairs(U a, U b) { return PUMICE_SHUFFLE(a, b, 0, 1, 4, 5); }
PUMICE_INLINE U unpack_high_pairs(U a, U b) { return PUMICE_SHUFFLE(a, b, 2, 3, 6, 7); }
#undef PUMICE_SHUFFLE

#if defined(__x86_64__)
PUMICE_INLINE uint32_t bits_of(M m) { return static_cast<uint32_t>(_mm_movemask_ps((__m128)m)); }
PUMICE_INLINE F broadcast(float v) { return (F)_mm_set1_ps(v); }
PUMICE_INLINE F min(F a, F b) { return (F)_mm_min_ps((__m128)a, (__m128)b); }
PUMICE_INLINE F max(F a, F b) { return (F)_mm_max_ps((__m128)a, (__m128)b); }
PUMICE_INLINE F sqrt(F a) { return (F)_mm_sqrt_ps((__m128)a); }
PUMICE_INLINE W multiply_high(W a, W b) { return (W)_mm_mulhi_epu16((__m128i)a, (__m128i)b); }
PUMICE_INLINE I truncate(F a) { return (I)_mm_cvttps_epi32((__m128)a); }
PUMICE_INLINE I round_to_int(F a) { return (I)_mm_cvtps_epi32((__m128)a); }

/// v * scale to the nearest integer, ties to even: the product of two floats is exact in double, and 2^52 is double's magic number.
PUMICE_INLINE U nearest_product(F v, float scale) {
  const __m128d s = _mm_set1_pd(static_cast<double>(scale)), magic = _mm_set1_pd(0x1p52);
  const __m128 x = (__m128)v;
  const __m128d low = _mm_add_pd(_mm_mul_pd(_mm_cvtps_pd(x), s), magic),
                high = _mm_add_pd(_mm_mul_pd(_mm_cvtps_pd(_mm_movehl_ps(x, x)), s), magic);
  return (U)_mm_shuffle_ps((__m128)low, (__m128)high, 0x88);
}

/// a * b + c of two lanes, rounded to odd: a double that rounds to the right float (the product is exact, the sum has at most 24 + 2 bits
/// to lose; odd says "more than the half, or less").
PUMICE_INLINE __m128d fma_to_odd(__m128d a, __m128d b, __m128d c) {
  const __m128d p = _mm_mul_pd(a, b), s = _mm_add_pd(p, c);
  const __m128d from_c = _mm_sub_pd(s, p), error = _mm_add_pd(_mm_sub_pd(p, _mm_sub_pd(s, from_c)), _mm_sub_pd(c, from_c));
  const __m128d zero = _mm_setzero_pd();
  // Inexact and even: one unit towards the error, away from zero when their signs agree. Ordered comparisons, so Inf and NaN stay.
  const __m128i inexact = (__m128i)_mm_or_pd(_mm_cmplt_pd(error, zero), _mm_cmplt_pd(zero, error));
  const __m128i bits = (__m128i)s, one = _mm_set1_epi64x(1);
  const __m128i even = _mm_andnot_si128(bits, _mm_and_si128(inexact, one));
  const __m128i opposite = _mm_srai_epi32(_mm_shuffle_epi32((__m128i)_mm_xor_pd(s, error), 0xF5), 31);
  const __m128i away = _mm_andnot_si128(opposite, even), back = _mm_and_si128(opposite, even);
  return (__m128d)_mm_sub_epi64(_mm_add_epi64(bits, away), back);
}
/// Four lanes as doubles, two and two: exact (denormals became zeros).
struct Wide {
  __m128d low, high;
};
PUMICE_INLINE Wide widen(F v) { return {_mm_cvtps_pd((__m128)v), _mm_cvtps_pd(_mm_movehl_ps((__m128)v, (__m128)v))}; }
PUMICE_INLINE Wide widen(const float* p) {
  const auto two = [](const float* at) __attribute__((always_inline)) {
    return _mm_cvtps_pd(_mm_castpd_ps(_mm_load_sd(reinterpret_cast<const double*>(at))));
  };
  return {two(p), two(p + 2)};
}
PUMICE_INLINE Wide widen_splat(float v) {
  const __m128d d = _mm_cvtps_pd(_mm_set1_ps(v));
  return {d, d};
}
/// a*b + c in double, then in float. That is two roundings, and wrong where the first one ended half-way between floats (between zero and
/// the smallest normal one too): `doubt` gets those lanes. kSigns bit 0: -(a*b), bit 1: -c.
template <int kSigns>
PUMICE_INLINE F fma_in_doubt(Wide a, Wide b, Wide c, I& doubt) {
  const auto two = [](__m128d x, __m128d y, __m128d z) __attribute__((always_inline)) {
    const __m128d p = _mm_mul_pd(x, y);
    if constexpr (kSigns == 0) return _mm_add_pd(p, z);
    if constexpr (kSigns == 1) return _mm_sub_pd(z, p);
    if constexpr (kSigns == 2) return _mm_sub_pd(p, z);
    return _mm_sub_pd(_mm_xor_pd(p, _mm_set1_pd(-0.0)), z);
  };
  const __m128d low = two(a.low, b.low, c.low), high = two(a.high, b.high, c.high);
  // Of 52 bits of fraction a float has 23: half-way are a one and 28 zeros.
  const U rest = (U)_mm_shuffle_ps((__m128)low, (__m128)high, 0x88) << 3;
  doubt |= rest == 0x80000000u;
  return (F)_mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high));
}
template <int kSigns>
PUMICE_INLINE F fma_surely(Wide a, Wide b, Wide c) {
  const __m128d p = _mm_set1_pd(kSigns & 1 ? -0.0 : 0.0), s = _mm_set1_pd(kSigns & 2 ? -0.0 : 0.0);
  return (F)_mm_movelh_ps(_mm_cvtpd_ps(fma_to_odd(_mm_xor_pd(a.low, p), b.low, _mm_xor_pd(c.low, s))),
                          _mm_cvtpd_ps(fma_to_odd(_mm_xor_pd(a.high, p), b.high, _mm_xor_pd(c.high, s))));
}
/// Values from 2^23 up and NaN are their own floor; -0 is kept, as is the sign of values that round to zero.
PUMICE_INLINE F floor(F a) {
  const F whole = __builtin_convertvector(truncate(a), F), sign = (F)((U)a & 0x80000000u);
  const F down = whole - (F)((I)(whole > a) & (I)(F{} + 1.0f));
  return select((F)((U)a & 0x7FFFFFFFu) < 0x1p23f, (F)((U)down | (U)sign), a);
}
#elif defined(__aarch64__)
// FPCR.FZ flushes operands and results. Two differences from x86: tininess is detected before rounding, so products and fused sums that
// round up to 2^-126 are lost (see recover_*), and operations that only compare or select flush nothing.
PUMICE_INLINE W multiply_high(W a, W b) {
  const uint32x4_t low = vmull_u16(vget_low_u16((uint16x8_t)a), vget_low_u16((uint16x8_t)b)),
                   high = vmull_high_u16((uint16x8_t)a, (uint16x8_t)b);
  return (W)vuzp2q_u16((uint16x8_t)low, (uint16x8_t)high);
}
PUMICE_INLINE uint32_t bits_of(M m) { return vaddvq_u32((uint32x4_t)(m & I{1, 2, 4, 8})); }
PUMICE_INLINE F broadcast(float v) { return F{v, v, v, v}; }
/// x + -0 is x, and flushed.
PUMICE_INLINE F min(F a, F b) { return select(a < b, a, b) + broadcast(-0.0f); }
PUMICE_INLINE F max(F a, F b) { return select(a > b, a, b) + broadcast(-0.0f); }
PUMICE_INLINE F sqrt(F a) { return (F)vsqrtq_f32((float32x4_t)a); }
PUMICE_INLINE F floor(F a) { return (F)vrndmq_f32((float32x4_t)a); }
PUMICE_INLINE F fma(F a, F b, F c) { return (F)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b); }
/// The conversion saturates: already right below the range; NaN and values above it are fixed up.
PUMICE_INLINE I truncate(F a) { return select(a < 2147483648.0f, (I)vcvtq_s32_f32((float32x4_t)a), I{} + INT32_MIN); }
PUMICE_INLINE I round_to_int(F a) { return (I)vcvtnq_s32_f32((float32x4_t)a); }
PUMICE_INLINE U nearest_product(F v, float scale) {
  const float64x2_t s = vdupq_n_f64(static_cast<double>(scale)), magic = vdupq_n_f64(0x1p52);
  const float64x2_t low = vaddq_f64(vmulq_f64(vcvt_f64_f32(vget_low_f32((float32x4_t)v)), s), magic),
                    high = vaddq_f64(vmulq_f64(vcvt_high_f64_f32((float32x4_t)v), s), magic);
  return (U)vuzp1q_u32((uint32x4_t)low, (uint32x4_t)high);
}
/// Whether `exact` plus a small amount of the sign of `error` rounds to 2^-126, or was correctly flushed.
PUMICE_INLINE float recovered(float flushed, double exact, double error) {
  constexpr double kTinyBelow = 0x1.ffffffp-127;  // hw/common/numerics/arithmetic.h
  const double magnitude = __builtin_fabs(exact), more = exact < 0 ? -error : error;
  return magnitude > kTinyBelow || (magnitude == kTinyBelow && more >= 0) ? static_cast<float>(__builtin_copysign(0x1p-126, exact))
                                                                          : flushed;
}
PUMICE_INLINE bool any_zero(const F (&r)[4]) {
  return vmaxvq_u32((uint32x4_t)((I)(r[0] == 0) | (I)(r[1] == 0) | (I)(r[2] == 0) | (I)(r[3] == 0))) != 0;
}
/// Called when some lane of r is zero: corrected r for products, and for fused sums.
[[gnu::noinline, gnu::cold]] inline F recover_product(F r, F a, F b) {
  for (int i = 0; i < kLanes; ++i)
    if (r[i] == 0) r[i] = recovered(r[i], static_cast<double>(a[i]) * static_cast<double>(b[i]), 0);
  return r;
}
[[gnu::noinline, gnu::cold]] inline F recover_sum(F r, F a, F b, F c) {
  for (int i = 0; i < kLanes; ++i) {
    if (r[i] != 0) continue;
    const double p = static_cast<double>(a[i]) * static_cast<double>(b[i]), q = static_cast<double>(c[i]);
    const double s = p + q, back = s - p;
    r[i] = recovered(r[i], s, (p - (s - back)) + (q - back));
  }
  return r;
}
#else
PUMICE_INLINE W multiply_high(W a, W b) {
  for (int i = 0; i < 8; ++i) a[i] = static_cast<uint16_t>(uint32_t{a[i]} * b[i] >> 16);
  return a;
}
PUMICE_INLINE uint32_t bits_of(M m) { return (m[0] & 1u) | (m[1] & 2u) | (m[2] & 4u) | (m[3] & 8u); }
PUMICE_INLINE F broadcast(float v) { return F{v, v, v, v}; }
PUMICE_INLINE F min(F a, F b) { return select(a < b, a, b); }
PUMICE_INLINE F max(F a, F b) { return select(a > b, a, b); }
template <class R, class G>
PUMICE_INLINE R by_element(G g) {
  return R{g(0), g(1), g(2), g(3)};
}
PUMICE_INLINE U nearest_product(F v, float scale) {
  return by_element<U>([&](int i) {
    const double sum = static_cast<double>(v[i]) * static_cast<double>(scale) + 0x1p52;
    uint64_t bits;
    std::memcpy(&bits, &sum, 8);
    return static_cast<uint32_t>(bits);
  });
}
PUMICE_INLINE F fma(F a, F b, F c) {
  return by_element<F>([&](int i) { return std::fma(a[i], b[i], c[i]); });
}
PUMICE_INLINE F sqrt(F a) {
  return by_element<F>([&](int i) { return std::sqrt(a[i]); });
}
PUMICE_INLINE F floor(F a) {
  return by_element<F>([&](int i) { return std::floor(a[i]); });
}
PUMICE_INLINE I truncate(F a) {
  return by_element<I>([&](int i) { return a[i] >= -2147483648.0f && a[i] < 2147483648.0f ? static_cast<int32_t>(a[i]) : INT32_MIN; });
}
PUMICE_INLINE I round_to_int(F a) {
  return by_element<I>([&](int i) { return static_cast<int32_t>(__builtin_lrintf(a[i])); });
}
#endif
#endif
#endif

PUMICE_INLINE I broadcast(int32_t v) { return I{} + v; }
PUMICE_INLINE U broadcast(uint32_t v) { return U{} + v; }
PUMICE_INLINE W broadcast(uint16_t v) { return W{} + v; }
PUMICE_INLINE I min(I a, I b) { return a < b ? a : b; }
PUMICE_INLINE I max(I a, I b) { return a > b ? a : b; }
PUMICE_INLINE U min(U a, U b) { return a < b ? a : b; }
PUMICE_INLINE U max(U a, U b) { return a > b ? a : b; }

}  // namespace pumice::hw::fast::PUMICE_SIMD::native
