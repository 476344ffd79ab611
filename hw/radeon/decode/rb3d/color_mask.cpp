// SPDX-License-Identifier: MIT
/// See color_mask.h.
#include "hw/radeon/decode/rb3d/color_mask.h"

namespace pumice::hw::rb3d {

ColorMask color_mask(const ChipState& state, uint32_t t, const PixelFormat& format, uint32_t samples) {
  ColorMask m;
  const auto cctl = state.get<regs::RB3D_CCTL>();
  if (samples == 1 || !cctl.CMASK_ENABLE() || !cctl.AA_COMPRESSION_ENABLE() || format.bytes > 8 || !state.rams) return m;
  m.ram = state.rams->words(OnChipRam::cmask).get();
  m.dwords = OnChipRams::dwords(OnChipRam::cmask);
  // The Z mask's forms.
  m.first = regs::ZB_ZMASK_OFFSET{state.raw(regs::RB3D_CMASK_OFFSET::at(t))}.ZMASK_OFFSET() << 4;
  m.row = regs::ZB_HIZ_PITCH{state.raw(regs::RB3D_CMASK_PITCH::at(t))}.HIZ_PITCH();
  m.expands = state.chip().has_color_mask_expansion && cctl.WRITE_COMPRESSION_DISABLE();
  if (format.bytes == 8) {
    m.clear = {state.raw(regs::RB3D_COLOR_CLEAR_VALUE_GB::offset), state.raw(regs::RB3D_COLOR_CLEAR_VALUE_AR::offset)};
  } else {
    const uint32_t value = state.get<regs::RB3D_COLOR_CLEAR_VALUE>().raw;
    m.clear = {format.bytes == 4 ? value : value & ((1u << 8 * format.bytes) - 1)};
  }
  return m;
}

bool ready_block(const ColorMask& mask, const surface::PixelAccess& pixels, uint32_t samples, Memory& memory, uint32_t x, uint32_t y,
                 bool alike) {
  const uint32_t code = mask.code(x, y);
  if (code == ColorMask::kExpanded) return false;
  const bool compress = alike && !mask.expands;
  const uint32_t x0 = x & ~(ColorMask::kSide - 1), y0 = y & ~(ColorMask::kSide - 1);
  const surface::PixelAccess first = pixels.sample(0, samples);
  for (uint32_t j = y0; j < y0 + ColorMask::kSide; ++j)
    for (uint32_t i = x0; i < x0 + ColorMask::kSide; ++i) {
      PixelBits value = mask.clear;
      if (code == ColorMask::kCleared) {
        first.write(memory, i, j, value.data());
      } else if (!compress) {
        first.read(memory, i, j, value.data());
      }
      for (uint32_t s = 1; s < samples && !compress; ++s) pixels.sample(s, samples).write(memory, i, j, value.data());
    }
  mask.set(x, y, compress ? ColorMask::kCompressed : ColorMask::kExpanded);
  return compress;
}

}  // namespace pumice::hw::rb3d
