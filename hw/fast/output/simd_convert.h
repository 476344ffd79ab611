// SPDX-License-Identifier: MIT
/// Between floats and the codes that memory holds. Every rounding is that of hw/rb3d/pixel_format.h and hw/zb/depth_format.h.
#pragma once
#include "hw/fast/simd/simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {

typedef uint32_t U8 __attribute__((vector_size(32)));

/// [0,1], NaN is 0.
inline F16 saturate(F16 v) { return min(max(v, splat(0.0f)), splat(1.0f)); }

inline constexpr float kMagic = 8388608.0f;  ///< 2^23: in the binade above it floats are the integers
inline constexpr uint32_t kMagicBits = 0x4B000000u;

/// bits of 2^23 + v*scale, rounded once, to even: the code is in the low 23 bits, the rest is kMagicBits. v*scale in [0, 2^23).
inline U16 magic_code(F16 v, F16 scale) {
#if defined(__FMA__)
  return as_uint(fma(v, scale, splat(kMagic)));
#else
  // The product of two floats is exact in double, and 2^52 is double's magic number.
  typedef double D8 __attribute__((vector_size(64)));
  typedef uint64_t L8 __attribute__((vector_size(64)));
  typedef float F8 __attribute__((vector_size(32)));
  U8 part[2];
  for (int i = 0; i < 2; ++i) {
    F8 a, b;
    std::memcpy(&a, reinterpret_cast<const char*>(&v) + 32 * i, 32), std::memcpy(&b, reinterpret_cast<const char*>(&scale) + 32 * i, 32);
    const D8 sum = __builtin_convertvector(a, D8) * __builtin_convertvector(b, D8) + 0x1p52;
    part[i] = __builtin_convertvector((L8)sum & 0xFFFFFFFFull, U8);
  }
  return __builtin_shufflevector(part[0], part[1], 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) | kMagicBits;
#endif
}

/// round(v * scale), ties to even.
inline U16 round_code(F16 v, float scale) { return magic_code(v, splat(scale)) & 0x7FFFFFu; }

/// 24-bit depth of z in [0,1]: the nearest of z * (2^24-1). Above one half the product alone rounds to an integer; below, the magic number
/// does it. The only tie is at one half, where both give 2^23.
inline U16 depth_code24(F16 z) {
#if defined(__FMA__)
  const Mask high = lt(splat(0.5f), z);
  const U16 r = as_uint(fma(z, splat(16777215.0f), select(high, splat(0.0f), splat(kMagic))));
  return r - select(high, splat(kMagicBits - 0x800000u), splat(kMagicBits));
#else
  U16 out;
  for (int i = 0; i < kLanes; ++i) {
    const double sum = static_cast<double>(z[i]) * 16777215.0 + 0x1p52;
    uint64_t bits;
    std::memcpy(&bits, &sum, 8);
    out[i] = static_cast<uint32_t>(bits & 0xFFFFFFFFu);
  }
  return out;
#endif
}

// ---- Narrow integers (GCC 12 takes conversions of vectors wider than the machine's apart into scalars) -------------------------------

typedef uint16_t H16 __attribute__((vector_size(32)));
typedef uint8_t B16 __attribute__((vector_size(16)));

/// Values that fit.
inline H16 narrow16(U16 v) {
#if defined(__AVX512F__)
  return (H16)_mm512_cvtepi32_epi16((__m512i)v);
#elif defined(__AVX2__)
  __m256i h[2];
  std::memcpy(h, &v, 64);
  return (H16)_mm256_permute4x64_epi64(_mm256_packus_epi32(h[0], h[1]), 0xD8);
#else
  return __builtin_convertvector(v, H16);
#endif
}
inline B16 narrow8(U16 v) {
#if defined(__AVX512F__)
  return (B16)_mm512_cvtepi32_epi8((__m512i)v);
#elif defined(__AVX2__)
  const auto w = (__m256i)narrow16(v);
  return (B16)_mm_packus_epi16(_mm256_castsi256_si128(w), _mm256_extracti128_si256(w, 1));
#else
  return __builtin_convertvector(v, B16);
#endif
}
inline U16 widen(H16 v) {
#if defined(__AVX512F__)
  return (U16)_mm512_cvtepu16_epi32((__m256i)v);
#elif defined(__AVX2__)
  const __m256i h[2] = {_mm256_cvtepu16_epi32(_mm256_castsi256_si128((__m256i)v)),
                        _mm256_cvtepu16_epi32(_mm256_extracti128_si256((__m256i)v, 1))};
  U16 out;
  std::memcpy(&out, h, 64);
  return out;
#else
  return __builtin_convertvector(v, U16);
#endif
}
inline U16 widen(B16 v) {
#if defined(__AVX512F__)
  return (U16)_mm512_cvtepu8_epi32((__m128i)v);
#elif defined(__AVX2__)
  const __m256i h[2] = {_mm256_cvtepu8_epi32((__m128i)v), _mm256_cvtepu8_epi32(_mm_unpackhi_epi64((__m128i)v, (__m128i)v))};
  U16 out;
  std::memcpy(&out, h, 64);
  return out;
#else
  return __builtin_convertvector(v, U16);
#endif
}

// ---- Half floats -----------------------------------------------------------------------------------------------------------------

/// In the low halves of the lanes, the upper ones zero. Exact; denormals become normal.
inline F16 half_to_float(U16 h) {
#if defined(__AVX512F__)
  return (F16)_mm512_cvtph_ps((__m256i)narrow16(h));
#elif defined(__F16C__)
  const auto n = (__m256i)narrow16(h);
  const __m256 out[2] = {_mm256_cvtph_ps(_mm256_castsi256_si128(n)), _mm256_cvtph_ps(_mm256_extracti128_si256(n, 1))};
  F16 r;
  std::memcpy(&r, out, 64);
  return r;
#else
  const U16 sign = (h & 0x8000u) << 16, exponent = h >> 10 & 31u, mantissa = h & 0x3FFu;
  const U16 normal = (exponent + 112u) << 23 | mantissa << 13;
  const U16 special = 0x7F800000u | mantissa << 13;
  const U16 tiny = as_uint(to_float(as_int(mantissa)) * 0x1p-24f);
  return as_float(sign | (exponent == 0 ? tiny : exponent == 31 ? special : normal));
#endif
}

/// To nearest even, every NaN to 0x7E00.
inline U16 float_to_half(F16 v) {
#if defined(__AVX512F__)
  const __m256i h = _mm512_cvtps_ph((__m512)v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  return select(eq(v, v), widen((H16)h), splat(0x7E00u));
#elif defined(__F16C__)
  __m256 part[2];
  __m128i h[2];
  std::memcpy(part, &v, 64);
  for (int i = 0; i < 2; ++i) h[i] = _mm256_cvtps_ph(part[i], _MM_FROUND_TO_NEAREST_INT);
  H16 n;
  std::memcpy(&n, h, 32);
  return select(eq(v, v), widen(n), splat(0x7E00u));
#else
  const U16 sign = as_uint(v) >> 16 & 0x8000u, magnitude = as_uint(v) & 0x7FFFFFFFu;
  const U16 rounded = (magnitude + 0xFFFu + (magnitude >> 13 & 1u) - (112u << 23)) >> 13;
  const U16 tiny = as_uint(as_float(magnitude) + 0.5f) - 0x3F000000u;  // below 2^-14: the sum rounds to a multiple of 2^-24
  const U16 finite = sign | (magnitude < 0x38800000u ? tiny : magnitude >= 0x477FF000u ? splat(0x7C00u) : rounded);
  return magnitude > 0x7F800000u ? splat(0x7E00u) : finite;
#endif
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
