// SPDX-License-Identifier: MIT
/// See resolve.h.
#include "hw/radeon/decode/rb3d/resolve.h"

#include "hw/radeon/decode/sc/samples.h"

namespace pumice::hw::rb3d {

Resolve decode_resolve(const ChipState& state) {
  const auto ctl = state.get<regs::RB3D_AARESOLVE_CTL>();
  const auto pitch = state.get<regs::RB3D_COLORPITCH>(0);
  const auto out = state.get<regs::US_OUT_FMT>(0);
  Resolve r;
  r.samples = sc::sample_count(state);
  r.format = pixel_format(state.profile, out.OUT_FMT(), out.OUT_SIGN(), pitch.COLORFORMAT());
  if (!r.format.valid()) return r;
  const uint32_t select[4] = {out.C0_SEL(), out.C1_SEL(), out.C2_SEL(), out.C3_SEL()};
  for (uint32_t i = 0; i < r.format.field_count; ++i) {
    const Field& f = r.format.field[i];
    const bool alpha = select[f.component] == regs::US_OUT_FMT::C0_SEL__ALPHA;
    r.first[i] = alpha && state.chip().has_resolve_alpha && ctl.AARESOLVE_ALPHA() == regs::RB3D_AARESOLVE_CTL::AARESOLVE_ALPHA__SAMPLE_0;
    r.gamma[i] = ctl.AARESOLVE_GAMMA() != 0 && !alpha;
    if (r.gamma[i] && (f.kind != Kind::unorm || f.width != 8)) {  // no table
      r.format = {};
      return r;
    }
  }
  // The samples are linear always; the tile bits of COLORPITCH0 are the destination's (Mesa sets them so).
  r.from.base = uint64_t(state.get<regs::RB3D_COLOROFFSET>(0).COLOROFFSET()) << 5;
  r.from.layout = {.pitch_px = pitch.COLORPITCH() << 1, .bytes_per_pixel = r.format.bytes};
  r.from.endian = uint8_t(pitch.COLORENDIAN());
  r.mask = color_mask(state, 0, r.format, r.samples);
  r.to.base = uint64_t(state.get<regs::RB3D_AARESOLVE_OFFSET>().AARESOLVE_OFFSET()) << 5;
  r.to.layout = {.pitch_px = state.get<regs::RB3D_AARESOLVE_PITCH>().AARESOLVE_PITCH() << 1,
                 .bytes_per_pixel = r.format.bytes,
                 .macro_tiled = pitch.COLORTILE() != 0,
                 .micro = uint8_t(pitch.COLORMICROTILE())};
  r.to.endian = r.from.endian;
  return r;
}

}  // namespace pumice::hw::rb3d
