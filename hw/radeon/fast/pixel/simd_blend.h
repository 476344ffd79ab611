// SPDX-License-Identifier: MIT
/// The blend equation on lanes (hw/radeon/decode/rb3d/blend.h). With a constant Equation the switches of blend() are folded at compile
/// time.
#pragma once
#include "hw/radeon/decode/rb3d/blend.h"
#include "hw/radeon/fast/pixel/simd_convert.h"

namespace pumice::hw::fast::PUMICE_SIMD {

struct BlendLanes {
  F16 src[4], dst[4];
  const float* constant;
};

PUMICE_INLINE F16 blend_factor(rb3d::Factor f, const BlendLanes& in, int c) {
  using rb3d::Factor;
  const F16 one = splat(1.0f);
  switch (f) {
    case Factor::zero: return splat(0.0f);
    case Factor::one: return one;
    case Factor::src_color: return in.src[c];
    case Factor::inv_src_color: return one - in.src[c];
    case Factor::src_alpha: return in.src[3];
    case Factor::inv_src_alpha: return one - in.src[3];
    case Factor::dst_alpha: return in.dst[3];
    case Factor::inv_dst_alpha: return one - in.dst[3];
    case Factor::dst_color: return in.dst[c];
    case Factor::inv_dst_color: return one - in.dst[c];
    case Factor::src_alpha_saturate: return c == 3 ? one : min(in.src[3], one - in.dst[3]);
    case Factor::constant_color: return splat(in.constant[c]);
    case Factor::inv_constant_color: return splat(1.0f - in.constant[c]);
    case Factor::constant_alpha: return splat(in.constant[3]);
    case Factor::inv_constant_alpha: return splat(1.0f - in.constant[3]);
  }
  return splat(0.0f);
}

PUMICE_INLINE F16 weighted(F16 v, rb3d::Factor f, const BlendLanes& in, int c) {
  if (f == rb3d::Factor::zero) return splat(0.0f);
  if (f == rb3d::Factor::one) return v;
  return v * blend_factor(f, in, c);
}

/// `clamp`: the clamping COMB_FCN codes clamp to [0,1]. Not needed for integer formats: encoding clamps to the same range.
PUMICE_INLINE F16 blend(rb3d::Equation eq, const BlendLanes& in, int c, bool clamp) {
  const F16 s = in.src[c], d = in.dst[c];
  // COMB_FCN: 0, 1 add; 2, 3 subtract; 4 min; 5 max; 6, 7 reverse subtract; the even code of each pair clamps.
  if (eq.function == 4) return min(s, d);
  if (eq.function == 5) return max(s, d);
  const F16 a = weighted(s, eq.src, in, c), b = weighted(d, eq.dst, in, c);
  const F16 r = eq.function < 2 ? a + b : eq.function < 4 ? a - b : b - a;
  return clamp && (eq.function & 1) == 0 ? saturate(r) : r;
}

/// With an equation known only at run time: one instance, not one per component and format.
[[gnu::noinline]] inline F16 blend_any(rb3d::Equation eq, const BlendLanes& in, int c, bool clamp) { return blend(eq, in, c, clamp); }

}  // namespace pumice::hw::fast::PUMICE_SIMD
