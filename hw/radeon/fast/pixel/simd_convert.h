// SPDX-License-Identifier: MIT
/// Conversions between floats and stored codes. All roundings are those of hw/radeon/decode/rb3d/pixel_format.h and
/// hw/radeon/decode/zb/depth_format.h.
#pragma once
#include "hw/common/simd/simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {

/// [0,1], NaN is 0.
PUMICE_INLINE F16 saturate(F16 v) { return min(max(v, splat(0.0f)), splat(1.0f)); }

inline constexpr float kMagic = 8388608.0f;  ///< 2^23: in the binade above it the floats are exactly the integers
inline constexpr uint32_t kMagicBits = 0x4B000000u;

/// bits of 2^23 + v*scale, rounded once, to even: the code is in the low 23 bits, the rest is kMagicBits. v*scale in [0, 2^23).
PUMICE_INLINE U16 magic_code(F16 v, float scale) {
#if defined(__FMA__)
  return as_uint(fma(v, splat(scale), splat(kMagic)));
#else
  return PUMICE_PARTS(U16, native::nearest_product(v.part[i], scale)) | kMagicBits;
#endif
}

/// round(v * scale), ties to even.
PUMICE_INLINE U16 round_code(F16 v, float scale) { return magic_code(v, scale) & 0x7FFFFFu; }

/// 24-bit depth of z in [0,1]: the nearest of z * (2^24-1). Above one half the product alone rounds to an integer; below, the magic number
/// rounds. The only tie is at one half, where both give 2^23.
PUMICE_INLINE U16 depth_code24(F16 z) {
#if defined(__FMA__)
  const Mask high = lt(splat(0.5f), z);
  const U16 r = as_uint(fma(z, splat(16777215.0f), select(high, splat(0.0f), splat(kMagic))));
  return r - select(high, splat(kMagicBits - 0x800000u), splat(kMagicBits));
#else
  return PUMICE_PARTS(U16, native::nearest_product(z.part[i], 16777215.0f));
#endif
}

// ---- Half floats -----------------------------------------------------------------------------------------------------------------

/// Halves are in the low 16 bits of the lanes, the upper bits are zero. Exact; denormals become normal.
PUMICE_INLINE F16 half_to_float(U16 h) {
#if PUMICE_SIMD_BYTES == 64
  return PUMICE_PARTS(F16, (native::F)_mm512_cvtph_ps(_mm512_cvtepi32_epi16((__m512i)h.part[i])));
#elif defined(__F16C__)
  const __m256i n = _mm256_permute4x64_epi64(_mm256_packus_epi32((__m256i)h.part[0], (__m256i)h.part[1]), 0xD8);
  F16 r;
  r.part[0] = (native::F)_mm256_cvtph_ps(_mm256_castsi256_si128(n)), r.part[1] = (native::F)_mm256_cvtph_ps(_mm256_extracti128_si256(n, 1));
  return r;
#else
  const U16 sign = (h & 0x8000u) << 16, exponent = h & 0x7C00u, mantissa = h & 0x3FFu;
  const U16 normal = ((h & 0x7FFFu) << 13) + (112u << 23), special = (mantissa << 13) | 0x7F800000u;
  const U16 tiny = as_uint(to_float(as_int(mantissa)) * 0x1p-24f);
  return as_float(sign | select(eq(exponent, splat(0u)), tiny, select(eq(exponent, splat(0x7C00u)), special, normal)));
#endif
}

/// To nearest even, every NaN to 0x7E00.
PUMICE_INLINE U16 float_to_half(F16 v) {
#if PUMICE_SIMD_BYTES == 64
  const U16 h = PUMICE_PARTS(
      U16, (native::U)_mm512_cvtepu16_epi32(_mm512_cvtps_ph((__m512)v.part[i], _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)));
  return select(eq(v, v), h, splat(0x7E00u));
#elif defined(__F16C__)
  const U16 h = PUMICE_PARTS(U16, (native::U)_mm256_cvtepu16_epi32(_mm256_cvtps_ph((__m256)v.part[i], _MM_FROUND_TO_NEAREST_INT)));
  return select(eq(v, v), h, splat(0x7E00u));
#else
  const U16 sign = as_uint(v) >> 16 & 0x8000u, magnitude = as_uint(v) & 0x7FFFFFFFu;
  const I16 size = as_int(magnitude);  // below 2^31
  const U16 rounded = (magnitude + 0xFFFu + (magnitude >> 13 & 1u) - (112u << 23)) >> 13;
  const U16 tiny = as_uint(as_float(magnitude) + 0.5f) - 0x3F000000u;  // below 2^-14: the sum rounds to a multiple of 2^-24
  const U16 finite = sign | select(lt(size, splat(0x38800000)), tiny, select(lt(size, splat(0x477FF000)), rounded, splat(0x7C00u)));
  return select(lt(splat(0x7F800000), size), splat(0x7E00u), finite);
#endif
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
