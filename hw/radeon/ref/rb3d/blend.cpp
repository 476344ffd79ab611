// SPDX-License-Identifier: MIT
/// See blend.h.
#include "hw/radeon/ref/rb3d/blend.h"

#include "hw/common/numerics/arithmetic.h"
#include "hw/db/regs_r500.h"

namespace pumice::hw::rb3d {
namespace {

using R = regs::RB3D_BLENDCNTL;

float factor(Factor f, const BlendInput& in, uint32_t c) {
  const float src_alpha = in.src[3], dst_alpha = in.dst[3];
  switch (f) {
    case Factor::zero: return 0.0f;
    case Factor::one: return 1.0f;
    case Factor::src_color: return in.src[c];
    case Factor::inv_src_color: return 1.0f - in.src[c];
    case Factor::src_alpha: return src_alpha;
    case Factor::inv_src_alpha: return 1.0f - src_alpha;
    case Factor::dst_alpha: return dst_alpha;
    case Factor::inv_dst_alpha: return 1.0f - dst_alpha;
    case Factor::dst_color: return in.dst[c];
    case Factor::inv_dst_color: return 1.0f - in.dst[c];
    case Factor::src_alpha_saturate: {
      if (c == 3) return 1.0f;
      const float rest = 1.0f - dst_alpha;
      return src_alpha < rest ? src_alpha : rest;
    }
    case Factor::constant_color: return in.constant[c];
    case Factor::inv_constant_color: return 1.0f - in.constant[c];
    case Factor::constant_alpha: return in.constant[3];
    case Factor::inv_constant_alpha: return 1.0f - in.constant[3];
  }
  return 0.0f;
}

float weighted(float v, Factor f, const BlendInput& in, uint32_t c) { return f == Factor::zero ? 0.0f : num::mul(v, factor(f, in, c)); }

}  // namespace

float blend(const Equation& eq, const BlendInput& in, uint32_t c, Kind kind) {
  const float s = in.src[c], d = in.dst[c];
  switch (eq.function) {
    case R::COMB_FCN__MIN: return s < d ? s : d;
    case R::COMB_FCN__MAX: return s > d ? s : d;
    default: break;
  }
  const float a = weighted(s, eq.src, in, c), b = weighted(d, eq.dst, in, c);
  const Kind clamp = kind == Kind::snorm ? Kind::snorm : Kind::unorm;
  switch (eq.function) {
    case R::COMB_FCN__SRC_PLUS_DST_CLAMPED: return clamp_to(clamp, num::add(a, b));
    case R::COMB_FCN__SRC_PLUS_DST: return num::add(a, b);
    case R::COMB_FCN__SRC_MINUS_DST_CLAMPED: return clamp_to(clamp, num::sub(a, b));
    case R::COMB_FCN__SRC_MINUS_DST: return num::sub(a, b);
    case R::COMB_FCN__DST_MINUS_SRC_CLAMPED: return clamp_to(clamp, num::sub(b, a));
    default: return num::sub(b, a);
  }
}

}  // namespace pumice::hw::rb3d
