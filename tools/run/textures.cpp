// SPDX-License-Identifier: MIT
#include "tools/run/textures.h"

#include "tools/run/inputs.h"

namespace pumice::run {

void load_textures(hw::ChipState& state, hw::Memory& memory, const std::vector<compiler::TextureUse>& uses) {
  constexpr uint32_t kBase = 0x100000, kLine = 32;  // rows of the chip are whole lines
  if (uses.empty()) return;
  memory.map(kBase, 0x1000);
  uint32_t enabled = 0;
  for (const compiler::TextureUse& use : uses) {
    using Filter = regs::TX_FILTER0;
    enabled |= 1u << use.unit;
    // A comparison reads the red channel.
    state.set(regs::TX_OFFSET{}.TXOFFSET(kBase >> 5), use.unit);
    state.set(regs::TX_FORMAT0{}.TXWIDTH(kTextureSize - 1).TXHEIGHT(kTextureSize - 1).TXPITCH_EN(1), use.unit);
    state.set(regs::TX_FORMAT1{}.TXFORMAT(regs::TX_FORMAT1::TXFORMAT__N8_8_8_8).SEL_RED(0).SEL_GREEN(1).SEL_BLUE(2).SEL_ALPHA(3), use.unit);
    state.set(regs::TX_FORMAT2{}.TXPITCH(kLine / 4 - 1), use.unit);
    state.set(Filter{}.MAG_FILTER(1).MIN_FILTER(1).MIP_FILTER(0).CLAMP_S(Filter::CLAMP_S__WRAP).CLAMP_T(Filter::CLAMP_S__WRAP).ID(use.unit),
              use.unit);
  }
  state.set(regs::TX_ENABLE{enabled});
  for (uint32_t y = 0; y < kTextureSize; ++y)
    for (uint32_t x = 0; x < kTextureSize; ++x) {
      uint32_t word = 0;
      for (uint32_t c = 0; c < 4; ++c) word |= texel(x, y, c) << 8 * c;
      memory.store(kBase + y * kLine + x * 4, word);
    }
}

}  // namespace pumice::run
