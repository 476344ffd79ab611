// SPDX-License-Identifier: MIT
/// Fog, alpha test and alpha-to-mask, pipeline s.7, in the document's order. The model has one sample a pixel, so alpha-to-mask
/// decides about whole pixels. DITH_EN is left to RB3D_DITHER_CTL: it has no effect on components of 8 bits and more.
#include <cmath>

#include "hw/draw/draw.h"
#include "hw/numerics/transcendental.h"

namespace pumice::hw::fg {
namespace {

constexpr float kFixed10 = 1023.0f;  ///< 0.10 fixed point: 0x3FF is 1.0 (UNCONFIRMED; 1.0 must be expressible)

/// Clamps to [0,1]; NaN counts as 0.
float saturate(float v) { return v > 0.0f ? (v < 1.0f ? v : 1.0f) : 0.0f; }

/// out = fog_colour + f*(colour - fog_colour): f = 1 leaves the colour alone. Direction and the scale of the exponential functions are
/// UNCONFIRMED: linear f is the scaled source itself, exp e^-f, exp2 e^-(f*f).
void fog(DrawContext& ctx, PixelQuad& q, uint8_t mask) {
  const auto blend = ctx.state.get<regs::FG_FOG_BLEND>();
  if (!blend.ENABLE()) return;
  const uint32_t fn = blend.FN();
  const bool constant = fn == regs::FG_FOG_BLEND::FN__CONSTANT_FG_FOG_FACTOR;
  if (!constant && ctx.state.get<regs::GB_SELECT>().FOG_SELECT() != regs::GB_SELECT::FOG_SELECT__Z) {
    // Interpolated alphas and 1/W do not travel with the quad.
    ctx.report_once(Unsupported::fog_source, ReportKind::bad_register, "GB_SELECT.FOG_SELECT: only Z is modelled; no fog applied");
    return;
  }
  const float scale = ctx.state.get_float<regs::GA_FOG_SCALE>(), bias = ctx.state.get_float<regs::GA_FOG_OFFSET>();
  const float colour[3] = {ctx.state.get<regs::FG_FOG_COLOR_R>().RED() / kFixed10, ctx.state.get<regs::FG_FOG_COLOR_G>().GREEN() / kFixed10,
                           ctx.state.get<regs::FG_FOG_COLOR_B>().BLUE() / kFixed10};
  for (uint32_t i = 0; i < 4; ++i) {
    if (!(mask >> i & 1)) continue;
    float f = ctx.state.get<regs::FG_FOG_FACTOR>().FACTOR() / kFixed10;
    if (!constant) {
      f = q.quad.z[i] * scale + bias;
      if (fn == regs::FG_FOG_BLEND::FN__EXP) f = num::expf_(-f);
      if (fn == regs::FG_FOG_BLEND::FN__EXP2) f = num::expf_(-(f * f));
      f = saturate(f);
    }
    for (uint32_t c = 0; c < 3; ++c) q.color[0][i][c] = num::canonical(colour[c] + f * (q.color[0][i][c] - colour[c]));
  }
}

/// FG_ALPHA_FUNC numbers its functions differently from ZB.
bool compare(uint32_t func, float alpha, float reference) {
  switch (func & 7) {
    case regs::FG_ALPHA_FUNC::AF_FUNC__NEVER: return false;
    case regs::FG_ALPHA_FUNC::AF_FUNC__LESS: return alpha < reference;
    case regs::FG_ALPHA_FUNC::AF_FUNC__EQUAL: return alpha == reference;
    case regs::FG_ALPHA_FUNC::AF_FUNC__LESS_OR_EQUAL: return alpha <= reference;
    case regs::FG_ALPHA_FUNC::AF_FUNC__GREATER: return alpha > reference;
    case regs::FG_ALPHA_FUNC::AF_FUNC__NOT_EQUAL: return alpha != reference;
    case regs::FG_ALPHA_FUNC::AF_FUNC__GREATER_OR_EQUAL: return alpha >= reference;
    default: return true;
  }
}

/// Alpha in the precision of the comparison: FP16, or the nearest n-bit code (as a float; ties up).
bool alpha_test(const ChipState& state, regs::FG_ALPHA_FUNC cntl, float alpha) {
  const bool r300 = state.profile == Profile::r300;
  const uint32_t wide = state.get<regs::FG_ALPHA_VALUE>().AF_VAL();
  if (!r300 && cntl.FP16_ENABLE())
    return compare(cntl.AF_FUNC(), num::half_to_float(num::float_to_half(alpha)), num::half_to_float(uint16_t(wide)));
  const bool eight_bits = r300 || cntl.AF_EN_8BIT();
  const float code = std::floor(saturate(alpha) * (eight_bits ? 255.0f : kFixed10) + 0.5f);
  return compare(cntl.AF_FUNC(), code, float(eight_bits ? cntl.AF_VAL() : wide & 0x3FF));
}

}  // namespace

uint8_t run(DrawContext& ctx, PixelQuad& q, uint8_t mask) {
  fog(ctx, q, mask);
  const auto cntl = ctx.state.get<regs::FG_ALPHA_FUNC>();
  if (!cntl.AF_EN() && !cntl.AM_EN()) return mask & 0xF;
  const bool offset = cntl.ALP_OFF_EN() && ctx.state.profile != Profile::r300;
  uint8_t survivors = mask & 0xF;
  for (uint32_t i = 0; i < 4; ++i) {
    // The offset of 2 is taken as two steps of the 10-bit alpha and reaches the tests only (UNCONFIRMED).
    const float alpha = q.color[0][i][3] + (offset ? 2.0f / kFixed10 : 0.0f);
    const bool pass = (!cntl.AF_EN() || alpha_test(ctx.state, cntl, alpha)) &&
                      // One sample: covered from one half upwards, so that alpha 0 covers nothing and 1 everything. AM_CFG means nothing.
                      (!cntl.AM_EN() || alpha >= 0.5f);
    if (!pass) survivors &= uint8_t(~(1u << i));
  }
  return survivors;
}

}  // namespace pumice::hw::fg
