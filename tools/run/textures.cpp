// SPDX-License-Identifier: MIT
#include "tools/run/textures.h"

namespace pumice::run {

void load_textures(hw::ChipState& state, hw::Memory& memory, const std::vector<compiler::TextureUse>& uses, const Sampling& sampling) {
  constexpr uint32_t kBase = 0x100000, kLine = 32;  // rows of the chip are whole lines
  const uint32_t pitch = (sampling.width * 4 + kLine - 1) / kLine * kLine;
  if (uses.empty()) return;
  store_texels(memory, kBase, pitch, sampling);
  uint32_t enabled = 0;
  for (const compiler::TextureUse& use : uses) {
    using Filter = regs::TX_FILTER0;
    constexpr uint32_t kWrap[] = {Filter::CLAMP_S__WRAP, Filter::CLAMP_S__MIRROR, Filter::CLAMP_S__CLAMP_TO_EDGE_TEXEL};
    const auto wrap = [&](uint32_t size) {
      return wraps_in_program(sampling, size) ? uint32_t(Filter::CLAMP_S__CLAMP_TO_EDGE_TEXEL) : kWrap[size_t(sampling.wrap)];
    };
    const uint32_t filter = sampling.linear && !use.shadow ? Filter::MAG_FILTER__LINEAR : Filter::MAG_FILTER__POINT;
    enabled |= 1u << use.unit;
    // A comparison reads the red channel.
    state.set(regs::TX_OFFSET{}.TXOFFSET(kBase >> 5), use.unit);
    state.set(regs::TX_FORMAT0{}.TXWIDTH(sampling.width - 1).TXHEIGHT(sampling.height - 1).TXPITCH_EN(1), use.unit);
    state.set(regs::TX_FORMAT1{}.TXFORMAT(regs::TX_FORMAT1::TXFORMAT__N8_8_8_8).SEL_RED(0).SEL_GREEN(1).SEL_BLUE(2).SEL_ALPHA(3), use.unit);
    state.set(regs::TX_FORMAT2{}.TXPITCH(pitch / 4 - 1), use.unit);
    state.set(Filter{}
                  .MAG_FILTER(filter)
                  .MIN_FILTER(filter)
                  .MIP_FILTER(0)
                  .CLAMP_S(wrap(sampling.width))
                  .CLAMP_T(wrap(sampling.height))
                  .ID(use.unit),
              use.unit);
  }
  state.set(regs::TX_ENABLE{enabled});
}

void store_texels(hw::Memory& memory, uint64_t base, uint32_t pitch, const Sampling& sampling) {
  memory.map(base, (uint64_t{pitch} * sampling.height + hw::kPageBytes - 1) / hw::kPageBytes * hw::kPageBytes);
  for (uint32_t y = 0; y < sampling.height; ++y)
    for (uint32_t x = 0; x < sampling.width; ++x) {
      uint32_t word = 0;
      for (uint32_t c = 0; c < 4; ++c) word |= texel(x, y, c) << 8 * c;
      memory.store(base + uint64_t{y} * pitch + uint64_t{x} * 4, word);
    }
}

}  // namespace pumice::run
