// SPDX-License-Identifier: MIT
/// Level of detail (pipeline s.6.5): from squared lengths of coordinate steps to lambda, levels, the weight between them and the number of
/// anisotropic probes. All operations are available on SIMD lanes.
///
///   log2 of a normal x: exponent + f(m), m = mantissa - 1 in [0, 1), f = fma(t, p, m) with t = fma(-m, m, m) and
///   p = fma(fma(c2, m, c1), m, c0): 0 at 0 and continuous at 1, so powers of two are exact, it is monotonic, error < 1.2e-4.
#pragma once
#include <cmath>
#include <cstdint>

#include "hw/common/numerics/float_bits.h"
#include "hw/db/regs_r500.h"
#include "hw/radeon/decode/tx/texture.h"

namespace pumice::hw::tx {

inline constexpr float kLog2C0 = 0x1.c14152p-2f, kLog2C1 = -0x1.e99760p-3f, kLog2C2 = 0x1.50684ap-4f;
/// Lower bound of the squared step length, also used for NaN. Keeps lambda at -32 or above and avoids denormals.
inline constexpr float kLeastSquare = 0x1p-64f;

/// x normal and positive, or infinite (128).
inline float log2_coarse(float x) {
  const uint32_t b = num::bits(x);
  const float e = float(int32_t(b >> 23) - 127), m = num::from_bits((b & 0x7FFFFFu) | 0x3F800000u) - 1.0f;
  const float t = std::fma(-m, m, m), p = std::fma(std::fma(kLog2C2, m, kLog2C1), m, kLog2C0);
  return e + std::fma(t, p, m);
}

/// Squared lengths, in texels of level 0, of the steps to the pixel on the right and the pixel below.
struct Extent {
  float x2 = kLeastSquare, y2 = kLeastSquare;
};

inline float squared_length(float s, float t, float r, bool volume) {
  float l = std::fma(s, s, t * t);
  if (volume) l = std::fma(r, r, l);
  return l > kLeastSquare ? l : kLeastSquare;
}

/// min(ceil(longer / shorter), limit)
inline uint32_t probe_count(const Extent& e, uint32_t limit, float slack = 1.0f) {
  const float longer = (e.x2 > e.y2 ? e.x2 : e.y2) * slack, shorter = e.x2 > e.y2 ? e.y2 : e.x2;
  uint32_t n = 1;
  while (n < limit && longer > float(n * n) * shorter) ++n;
  return n;
}

/// log2(longer / probes)
inline float lambda_of(const Extent& e, uint32_t probes) {
  const float longer = e.x2 > e.y2 ? e.x2 : e.y2;
  return 0.5f * log2_coarse(probes == 1 ? longer : longer / float(probes * probes));
}

/// TRI_PERF: the trilinear fraction f in 1/256 made steeper, truncated, 0..256.
inline uint32_t shape_fraction(uint32_t f, uint32_t tri_perf) {
  int32_t w = int32_t(f);
  switch (tri_perf & 3u) {
    case 1: w = w <= 32 ? 0 : (8 * w - 256) / 6; break;  // 4/3 f - 1/6
    case 2: w = 2 * w - 128; break;
    case 3: w = 4 * w - 384; break;
    default: break;
  }
  return uint32_t(w < 0 ? 0 : w > 256 ? 256 : w);
}

/// Filter inside a level, levels to read and the weight of the second in 1/256.
struct Lod {
  uint32_t filter = regs::TX_FILTER0::MIN_FILTER__POINT;
  uint32_t level0 = 0, level1 = 0, weight = 0;
};

inline Lod select_levels(const Texture& tex, float lambda) {
  using Filter0 = regs::TX_FILTER0;
  lambda += tex.lod_bias;
  const bool magnify = !(lambda > 0.0f);

  Lod lod;
  if (tex.filterable()) lod.filter = magnify ? tex.filter0.MAG_FILTER() : tex.filter0.MIN_FILTER();
  lod.level0 = lod.level1 = tex.finest;
  const uint32_t mip = tex.filter0.MIP_FILTER();
  if (magnify || (mip != Filter0::MIP_FILTER__POINT && mip != Filter0::MIP_FILTER__LINEAR)) return lod;

  float level = lambda > float(tex.finest) ? lambda : float(tex.finest);
  level = level < float(tex.num_levels) ? level : float(tex.num_levels);
  if (mip == Filter0::MIP_FILTER__POINT || !tex.filterable()) {
    lod.level0 = lod.level1 = uint32_t(level + 0.5f);
    return lod;
  }
  const uint32_t fixed = uint32_t(level * 256.0f);
  lod.level0 = fixed >> 8;
  lod.weight = shape_fraction(fixed & 255u, tex.filter1.TRI_PERF());
  lod.level1 = lod.level0 + (lod.weight ? 1u : 0u);
  return lod;
}

}  // namespace pumice::hw::tx
