// SPDX-License-Identifier: MIT
/// The sRGB transfer function on lanes (hw/rb3d/gamma.h).
#pragma once
#include "hw/fast/output/simd_convert.h"
#include "hw/rb3d/gamma.h"

namespace pumice::hw::fast::PUMICE_SIMD {

/// kPower[i], i in 0..15.
inline F16 gamma_power(U16 i) {
  using rb3d::gamma::kPower;
#if defined(__AVX512F__)
  return (F16)_mm512_permutexvar_ps((__m512i)i, _mm512_load_ps(kPower));
#elif defined(__AVX2__)
  const __m256 low = _mm256_load_ps(kPower), high = _mm256_load_ps(kPower + 8);
  __m256i index[2];
  __m256 out[2];
  std::memcpy(index, &i, 64);
  for (int k = 0; k < 2; ++k)
    out[k] = _mm256_blendv_ps(_mm256_permutevar8x32_ps(low, index[k]), _mm256_permutevar8x32_ps(high, index[k]),
                              _mm256_castsi256_ps(_mm256_slli_epi32(index[k], 28)));
  F16 r;
  std::memcpy(&r, out, 64);
  return r;
#else
  F16 r;
  for (int k = 0; k < kLanes; ++k) r[k] = kPower[i[k]];
  return r;
#endif
}

/// v in [0,1].
inline F16 gamma_encode(F16 v) {
  using namespace rb3d::gamma;
  const U16 bits = as_uint(v);
  const F16 m = as_float((bits & 0x7FFFFFu) | 0x3F800000u) - splat(kMiddle);
  F16 p = splat(kCoefficient[5]);
  for (int i = 4; i >= 0; --i) p = p * m + splat(kCoefficient[i]);
  const U16 exponent = (bits >> 23) - static_cast<uint32_t>(127 + kLowestExponent);
  const F16 curve = saturate(gamma_power(exponent & 15u) * p - splat(kOffset));
  return select(le(v, splat(kLinearEnd)), splat(kLinearSlope) * v, curve);
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
