// SPDX-License-Identifier: MIT
/// See blend.h.
#include "hw/rb3d/blend.h"

#include "hw/numerics/float_bits.h"
#include "hw/regs_r500.h"

namespace pumice::hw::rb3d {
namespace {

using R = regs::RB3D_BLENDCNTL;

/// Reserved codes act as ZERO.
bool is_zero(uint32_t code) { return code == R::SRCBLEND__D3D_ZERO || code == R::SRCBLEND__GL_ZERO || !valid_factor(code); }

float factor(uint32_t code, const BlendInput& in, uint32_t c) {
  const float src_alpha = in.src[3], dst_alpha = in.dst[3];
  switch (code) {
    case R::SRCBLEND__D3D_ONE:
    case R::SRCBLEND__GL_ONE: return 1.0f;
    case R::SRCBLEND__D3D_SRCCOLOR:
    case R::SRCBLEND__GL_SRC_COLOR: return in.src[c];
    case R::SRCBLEND__D3D_INVSRCCOLOR:
    case R::SRCBLEND__GL_ONE_MINUS_SRC_COLOR: return 1.0f - in.src[c];
    case R::SRCBLEND__D3D_SRCALPHA:
    case R::SRCBLEND__GL_SRC_ALPHA: return src_alpha;
    case R::SRCBLEND__D3D_INVSRCALPHA:
    case R::SRCBLEND__GL_ONE_MINUS_SRC_ALPHA: return 1.0f - src_alpha;
    case R::SRCBLEND__D3D_DESTALPHA:
    case R::SRCBLEND__GL_DST_ALPHA: return dst_alpha;
    case R::SRCBLEND__D3D_INVDESTALPHA:
    case R::SRCBLEND__GL_ONE_MINUS_DST_ALPHA: return 1.0f - dst_alpha;
    case R::SRCBLEND__D3D_DESTCOLOR:
    case R::SRCBLEND__GL_DST_COLOR: return in.dst[c];
    case R::SRCBLEND__D3D_INVDESTCOLOR:
    case R::SRCBLEND__GL_ONE_MINUS_DST_COLOR: return 1.0f - in.dst[c];
    case R::SRCBLEND__D3D_SRCALPHASAT:
    case R::SRCBLEND__GL_SRC_ALPHA_SATURATE: {
      if (c == 3) return 1.0f;
      const float rest = 1.0f - dst_alpha;
      return src_alpha < rest ? src_alpha : rest;
    }
    case R::SRCBLEND__GL_CONSTANT_COLOR: return in.constant[c];
    case R::SRCBLEND__GL_ONE_MINUS_CONSTANT_COLOR: return 1.0f - in.constant[c];
    case R::SRCBLEND__GL_CONSTANT_ALPHA: return in.constant[3];
    case R::SRCBLEND__GL_ONE_MINUS_CONSTANT_ALPHA: return 1.0f - in.constant[3];
    default: return 0.0f;
  }
}

float weighted(float v, uint32_t code, const BlendInput& in, uint32_t c) { return is_zero(code) ? 0.0f : v * factor(code, in, c); }

}  // namespace

bool valid_factor(uint32_t code) {
  return (code >= R::SRCBLEND__D3D_ZERO && code <= R::SRCBLEND__D3D_BOTHINVSRCALPHA) ||
         (code >= R::SRCBLEND__GL_ZERO && code <= R::SRCBLEND__GL_ONE_MINUS_CONSTANT_ALPHA);
}

float blend(const Equation& equation, const BlendInput& in, uint32_t c, Kind kind) {
  const float s = in.src[c], d = in.dst[c];
  uint32_t src = equation.src, dst = equation.dst;
  // The two "both" codes of the source set both factors, whatever DESTBLEND says. As DESTBLEND they mean their own half.
  if (dst == R::SRCBLEND__D3D_BOTHSRCALPHA) dst = R::SRCBLEND__D3D_INVSRCALPHA;
  if (dst == R::SRCBLEND__D3D_BOTHINVSRCALPHA) dst = R::SRCBLEND__D3D_SRCALPHA;
  if (src == R::SRCBLEND__D3D_BOTHSRCALPHA) src = R::SRCBLEND__D3D_SRCALPHA, dst = R::SRCBLEND__D3D_INVSRCALPHA;
  if (src == R::SRCBLEND__D3D_BOTHINVSRCALPHA) src = R::SRCBLEND__D3D_INVSRCALPHA, dst = R::SRCBLEND__D3D_SRCALPHA;

  switch (equation.function) {
    case R::COMB_FCN__MIN: return s < d ? s : d;
    case R::COMB_FCN__MAX: return s > d ? s : d;
    default: break;
  }
  const float a = weighted(s, src, in, c), b = weighted(d, dst, in, c);
  const Kind clamp = kind == Kind::snorm ? Kind::snorm : Kind::unorm;
  switch (equation.function) {
    case R::COMB_FCN__SRC_PLUS_DST_CLAMPED: return clamp_to(clamp, a + b);
    case R::COMB_FCN__SRC_PLUS_DST: return a + b;
    case R::COMB_FCN__SRC_MINUS_DST_CLAMPED: return clamp_to(clamp, a - b);
    case R::COMB_FCN__SRC_MINUS_DST: return a - b;
    case R::COMB_FCN__DST_MINUS_SRC_CLAMPED: return clamp_to(clamp, b - a);
    default: return b - a;
  }
}

}  // namespace pumice::hw::rb3d
