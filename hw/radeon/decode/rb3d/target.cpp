// SPDX-License-Identifier: MIT
/// See target.h.
#include "hw/radeon/decode/rb3d/target.h"

#include "hw/common/numerics/float_bits.h"
#include "hw/radeon/decode/sc/samples.h"

namespace pumice::hw::rb3d {
namespace {

/// Threshold bytes map to components like those of the blend constant: BLUE is C0, GREEN C1, RED C2, ALPHA C3.
template <class R>
Components bytes_of(R r) {
  return {float(r.BLUE()) / 255.0f, float(r.GREEN()) / 255.0f, float(r.RED()) / 255.0f, float(r.ALPHA()) / 255.0f};
}

/// MIN and MAX have no factors.
template <class R>
bool valid(R r) {
  const bool unused = r.COMB_FCN() == regs::RB3D_BLENDCNTL::COMB_FCN__MIN || r.COMB_FCN() == regs::RB3D_BLENDCNTL::COMB_FCN__MAX;
  return unused || (valid_factor(r.SRCBLEND()) && valid_factor(r.DESTBLEND()));
}

/// R3xx: 8 bits per component. R5xx: the wide registers, halves for float targets, else 0.10 fixed with 0x3FF = 1.0 (UNCONFIRMED).
Components blend_constant(const ChipState& state, const PixelFormat& format) {
  if (!state.chip().has_wide_blend_constant) return bytes_of(state.get<regs::RB3D_CONSTANT_COLOR>());
  const auto ar = state.get<regs::RB3D_CONSTANT_COLOR_AR>();
  const auto gb = state.get<regs::RB3D_CONSTANT_COLOR_GB>();
  const uint32_t raw[4] = {gb.BLUE(), gb.GREEN(), ar.RED(), ar.ALPHA()};
  Components c;
  for (uint32_t i = 0; i < 4; ++i) {
    c[i] = format.is_float() ? num::half_to_float(uint16_t(raw[i])) : float(raw[i] < 1023 ? raw[i] : 1023) / 1023.0f;
  }
  return c;
}

}  // namespace

Shared decode_shared(const ChipState& state) {
  const auto dither = state.get<regs::RB3D_DITHER_CTL>();
  const auto ablend = state.get<regs::RB3D_ABLENDCNTL>();
  const auto rop = state.get<regs::RB3D_ROPCNTL>();
  Shared s;
  s.cctl = state.get<regs::RB3D_CCTL>();
  s.blendcntl = state.get<regs::RB3D_BLENDCNTL>();
  s.color = equation(s.blendcntl.COMB_FCN(), s.blendcntl.SRCBLEND(), s.blendcntl.DESTBLEND());
  s.valid_factors = !s.blendcntl.ALPHA_BLEND_ENABLE() || valid(s.blendcntl);
  if (s.blendcntl.SEPARATE_ALPHA_ENABLE()) {
    s.alpha = equation(ablend.COMB_FCN(), ablend.SRCBLEND(), ablend.DESTBLEND());
    s.valid_factors = !s.blendcntl.ALPHA_BLEND_ENABLE() || (s.valid_factors && valid(ablend));
  } else {
    s.alpha = s.color;
  }
  if (!state.chip().has_discard_thresholds) {
    s.discard_gte = {1, 1, 1, 1};  // fixed thresholds 0 and 1
  } else {
    s.discard_lte = bytes_of(state.get<regs::RB3D_DISCARD_SRC_PIXEL_LTE_THRESHOLD>());
    s.discard_gte = bytes_of(state.get<regs::RB3D_DISCARD_SRC_PIXEL_GTE_THRESHOLD>());
  }
  s.color_dither = Dither(dither.DITHER_MODE());
  s.alpha_dither = Dither(dither.ALPHA_DITHER_MODE());
  if (rop.ROP_ENABLE()) s.rop = rop.ROP();
  s.samples = sc::sample_count(state);
  s.compare_colour = s.cctl.CLRCMP_FLIPE_ENABLE();
  s.compare_key = state.get<regs::RB3D_CLRCMP_CLR>().CLRCMP_CLR();
  s.compare_mask = state.get<regs::RB3D_CLRCMP_MSK>().CLRCMP_MSK();
  s.compare_flip = state.get<regs::RB3D_CLRCMP_FLIPE>().CLRCMP_FLIPE();
  return s;
}

bool decode_target(const ChipState& state, const Shared& shared, uint32_t t, Target& target) {
  // Multiwrite: the first buffers all take what the shader sent to target A. Code 0 is the ordinary mode.
  const uint32_t multi = shared.cctl.NUM_MULTIWRITES();
  target.source = multi > 0 && t <= multi ? 0 : t;
  target.out = state.get<regs::US_OUT_FMT>(target.source);
  if (target.out.OUT_FMT() == regs::US_OUT_FMT::OUT_FMT__UNUSED) return false;

  const bool own_mask = state.chip().has_target_masks && shared.cctl.INDEPENDENT_COLOR_CHANNEL_MASK_ENABLE();
  target.mask = state.raw(regs::RB3D_COLOR_CHANNEL_MASK::offset) >> (own_mask ? 4 * t : 0) & 0xF;
  if (target.mask == 0) return false;

  const auto pitch = state.get<regs::RB3D_COLORPITCH>(t);
  const bool own_format = state.chip().has_target_formats && shared.cctl.INDEPENDENT_COLORFORMAT_ENABLE();
  const uint32_t code = (own_format ? pitch : state.get<regs::RB3D_COLORPITCH>(0)).COLORFORMAT();
  target.format = pixel_format(state.profile, target.out.OUT_FMT(), target.out.OUT_SIGN(), code);
  const PixelFormat even = pair_format(target.out.OUT_FMT(), code, false);
  target.pairs = even.valid();
  if (target.pairs) target.format = even, target.odd = pair_format(target.out.OUT_FMT(), code, true);
  target.pixels.base = uint64_t(state.get<regs::RB3D_COLOROFFSET>(t).COLOROFFSET()) << 5;
  target.pixels.layout = {.pitch_px = pitch.COLORPITCH() << 1,
                          .bytes_per_pixel = target.format.bytes,
                          .macro_tiled = pitch.COLORTILE() != 0,
                          .micro = uint8_t(pitch.COLORMICROTILE())};
  target.pixels.endian = uint8_t(pitch.COLORENDIAN());
  target.constant = blend_constant(state, target.format);
  target.color_mask = {};
  if (target.format.valid() && !target.pairs && !target.pixels.layout.tiled())
    target.color_mask = color_mask(state, t, target.format, shared.samples);
  return true;
}

}  // namespace pumice::hw::rb3d
