// SPDX-License-Identifier: MIT
/// Fog, alpha test and alpha-to-mask, pipeline s.7, in the document's order. With one sample per pixel alpha-to-mask decides about whole
/// pixels. DITH_EN is left to RB3D_DITHER_CTL: it has no effect on components of 8 bits and more.
#include <cmath>

#include "hw/common/numerics/transcendental.h"
#include "hw/radeon/ref/fg/fg.h"

namespace pumice::hw::fg {
namespace {

/// Clamps to [0,1]; NaN counts as 0.
float saturate(float v) { return v > 0.0f ? (v < 1.0f ? v : 1.0f) : 0.0f; }

/// out = fog_colour + f*(colour - fog_colour): f = 1 leaves the colour alone. Direction and the scale of the exponential functions are
/// UNCONFIRMED: linear f is the scaled source itself, exp e^-f, exp2 e^-(f*f).
void fog(const Setup& s, float source, Vec4& color) {
  float f = s.factor;
  if (!s.constant_factor) {
    f = source * s.scale + s.bias;
    if (s.function == regs::FG_FOG_BLEND::FN__EXP) f = num::expf_(-f);
    if (s.function == regs::FG_FOG_BLEND::FN__EXP2) f = num::expf_(-(f * f));
    f = saturate(f);
  }
  for (uint32_t c = 0; c < 3; ++c) color[c] = num::canonical(s.color[c] + f * (color[c] - s.color[c]));
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

/// Alpha in the precision of the comparison: FP16, or the nearest n-bit code as a float, by one multiplication and one addition (ties up).
bool alpha_test(const Setup& s, float alpha) {
  switch (s.precision) {
    case Setup::Precision::half: return compare(s.compare, num::half_to_float(num::float_to_half(alpha)), s.reference);
    case Setup::Precision::bits8: return compare(s.compare, std::floor(saturate(alpha) * 255.0f + 0.5f), s.reference);
    default: return compare(s.compare, std::floor(saturate(alpha) * kFixed10 + 0.5f), s.reference);
  }
}

}  // namespace

uint8_t run_quad(const Setup& s, const std::array<float, 4>& source, std::array<Vec4, 4>& color, uint8_t mask) {
  uint8_t survivors = mask & 0xF;
  for (uint32_t i = 0; i < 4; ++i) {
    if (!(mask >> i & 1)) continue;
    if (s.fog) fog(s, source[i], color[i]);
    const float alpha = color[i][3] + s.offset;
    const bool pass = (!s.alpha_test || alpha_test(s, alpha)) &&
                      // One sample: covered from one half upwards, so that alpha 0 covers nothing and 1 everything.
                      // Multisampled: pixels that lose all their samples are dropped (sample_stays).
                      (!s.alpha_to_mask || (s.samples == 1 ? alpha >= 0.5f : sample_stays(s, color[i][3], 0)));
    if (!pass) survivors &= uint8_t(~(1u << i));
  }
  return survivors;
}

uint8_t run(DrawContext& ctx, PixelQuad& q, uint8_t mask) {
  const Setup s = decode(ctx.state);
  if (s.fog_refused) ctx.report_once(Unsupported::fog_source, ReportKind::bad_register, kSourceText);
  return run_quad(s, s.fog_of_z ? q.quad.z : q.fog, q.color[0], mask);
}

uint8_t sample_mask(DrawContext& ctx, const PixelQuad& q, uint32_t sample) {
  const Setup s = decode(ctx.state);
  if (!s.alpha_to_mask) return 0xF;
  uint32_t mask = 0;
  for (uint32_t i = 0; i < 4; ++i) mask |= (sample_stays(s, q.color[0][i][3], sample) ? 1u : 0u) << i;
  return static_cast<uint8_t>(mask);
}

}  // namespace pumice::hw::fg
