// SPDX-License-Identifier: MIT
/// The sRGB transfer function on lanes (hw/radeon/decode/rb3d/gamma.h).
#pragma once
#include "hw/radeon/decode/rb3d/gamma.h"
#include "hw/radeon/fast/pixel/simd_convert.h"

namespace pumice::hw::fast::PUMICE_SIMD {

/// kPower[i], i in 0..15.
PUMICE_INLINE F16 gamma_power(U16 i) { return as_float(pick(rb3d::gamma::kPower, as_int(i))); }

/// v in [0,1].
PUMICE_INLINE F16 gamma_encode(F16 v) {
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
