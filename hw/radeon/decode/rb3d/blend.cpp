// SPDX-License-Identifier: MIT
/// See blend.h.
#include "hw/radeon/decode/rb3d/blend.h"

#include "hw/db/regs_r500.h"

namespace pumice::hw::rb3d {
namespace {

using R = regs::RB3D_BLENDCNTL;

Factor decode(uint32_t code) {
  switch (code) {
    case R::SRCBLEND__D3D_ONE:
    case R::SRCBLEND__GL_ONE: return Factor::one;
    case R::SRCBLEND__D3D_SRCCOLOR:
    case R::SRCBLEND__GL_SRC_COLOR: return Factor::src_color;
    case R::SRCBLEND__D3D_INVSRCCOLOR:
    case R::SRCBLEND__GL_ONE_MINUS_SRC_COLOR: return Factor::inv_src_color;
    case R::SRCBLEND__D3D_SRCALPHA:
    case R::SRCBLEND__GL_SRC_ALPHA: return Factor::src_alpha;
    case R::SRCBLEND__D3D_INVSRCALPHA:
    case R::SRCBLEND__GL_ONE_MINUS_SRC_ALPHA: return Factor::inv_src_alpha;
    case R::SRCBLEND__D3D_DESTALPHA:
    case R::SRCBLEND__GL_DST_ALPHA: return Factor::dst_alpha;
    case R::SRCBLEND__D3D_INVDESTALPHA:
    case R::SRCBLEND__GL_ONE_MINUS_DST_ALPHA: return Factor::inv_dst_alpha;
    case R::SRCBLEND__D3D_DESTCOLOR:
    case R::SRCBLEND__GL_DST_COLOR: return Factor::dst_color;
    case R::SRCBLEND__D3D_INVDESTCOLOR:
    case R::SRCBLEND__GL_ONE_MINUS_DST_COLOR: return Factor::inv_dst_color;
    case R::SRCBLEND__D3D_SRCALPHASAT:
    case R::SRCBLEND__GL_SRC_ALPHA_SATURATE: return Factor::src_alpha_saturate;
    case R::SRCBLEND__GL_CONSTANT_COLOR: return Factor::constant_color;
    case R::SRCBLEND__GL_ONE_MINUS_CONSTANT_COLOR: return Factor::inv_constant_color;
    case R::SRCBLEND__GL_CONSTANT_ALPHA: return Factor::constant_alpha;
    case R::SRCBLEND__GL_ONE_MINUS_CONSTANT_ALPHA: return Factor::inv_constant_alpha;
    default: return Factor::zero;
  }
}

}  // namespace

bool valid_factor(uint32_t code) {
  return (code >= R::SRCBLEND__D3D_ZERO && code <= R::SRCBLEND__D3D_BOTHINVSRCALPHA) ||
         (code >= R::SRCBLEND__GL_ZERO && code <= R::SRCBLEND__GL_ONE_MINUS_CONSTANT_ALPHA);
}

Equation equation(uint32_t function, uint32_t src, uint32_t dst) {
  // The two "both" codes of the source set both factors, whatever DESTBLEND says. As DESTBLEND they mean their own half.
  if (dst == R::SRCBLEND__D3D_BOTHSRCALPHA) dst = R::SRCBLEND__D3D_INVSRCALPHA;
  if (dst == R::SRCBLEND__D3D_BOTHINVSRCALPHA) dst = R::SRCBLEND__D3D_SRCALPHA;
  if (src == R::SRCBLEND__D3D_BOTHSRCALPHA) src = R::SRCBLEND__D3D_SRCALPHA, dst = R::SRCBLEND__D3D_INVSRCALPHA;
  if (src == R::SRCBLEND__D3D_BOTHINVSRCALPHA) src = R::SRCBLEND__D3D_INVSRCALPHA, dst = R::SRCBLEND__D3D_SRCALPHA;
  return {uint8_t(function & 7), decode(src), decode(dst)};
}

}  // namespace pumice::hw::rb3d
