// SPDX-License-Identifier: MIT
/// A texture in memory, sampled by a full-target quad into FP32 pixels.
#pragma once
#include <functional>

#include "tests/hw/chip/chip.h"
#include "tests/hw/chip/edge_values.h"
#include "tests/hw/chip/us_slot.h"

namespace pumice::hw::test {

/// The registers of texture unit 0; begins as 2D, point sampled, clamped to the edge, components as they are.
struct TextureSetup {
  regs::TX_FILTER0 filter0;
  regs::TX_FILTER1 filter1;
  regs::TX_FORMAT0 format0;
  regs::TX_FORMAT1 format1;
  regs::TX_FORMAT2 format2;
  regs::TX_OFFSET offset;
  uint32_t border = 0;

  TextureSetup(uint32_t format, uint32_t width, uint32_t height, uint32_t base) : offset{base} {
    using F = regs::TX_FILTER0;
    filter0.CLAMP_S(2).CLAMP_T(2).CLAMP_R(2).MAG_FILTER(F::MAG_FILTER__POINT).MIN_FILTER(F::MIN_FILTER__POINT);
    format0.TXWIDTH(width - 1).TXHEIGHT(height - 1);
    format1.TXFORMAT(format & 31).SEL_RED(0).SEL_GREEN(1).SEL_BLUE(2).SEL_ALPHA(3);
    format2.TXFORMAT_MSB(format >> 5);
  }
  Packets packets() const {
    Packets p;
    p.set(filter0);
    p.set(filter1);
    p.set(format0);
    p.set(format1);
    p.set(format2);
    p.set(offset);
    p.set(regs::TX_BORDER_COLOR().BORDER_COLOR(border));
    p.set(regs::TX_ENABLE().TEX_0_ENABLE(1));
    p.set(regs::TX_INVALTAGS());
    return p;
  }
};

struct TextureBench {
  static constexpr uint32_t kSize = 16;
  using Corner = std::array<float, 4>;

  Chip chip;
  Target t = make_target(chip, kSize, kSize);
  uint32_t result = chip.allocate(size_t{kSize} * kSize * 4);
  uint32_t memory = chip.allocate(0x40000);
  uint8_t* bytes() { return reinterpret_cast<uint8_t*>(chip.memory(memory)); }

  /// Draws with the coordinates of the corners (see gradient_quad).
  bool run(const TextureSetup& setup, const std::array<Corner, 4>& corners, std::vector<std::array<uint32_t, 6>> slots = {},
           const Packets& extra = {}) {
    if (slots.empty()) slots.push_back(tex_slot(regs::US_TEX_INST::INST__LD).words());
    slots.push_back(out_slot(0));
    Packets p = plain_state(t);
    p.append(float_target(result, kSize));
    p.append(fragment_program(slots, 4));
    p.append(setup.packets());
    p.append(extra);
    p.append(gradient_quad(corners));
    return chip.run(p);
  }
  /// Coordinates that run linearly from (s0, t0) at the left top edge to (s1, t1), r and q constant.
  static std::array<Corner, 4> span(float s0, float s1, float t0, float t1, float r = 0, float q = 1) {
    return {Corner{s0, t0, r, q}, Corner{s1, t0, r, q}, Corner{s1, t1, r, q}, Corner{s0, t1, r, q}};
  }
  float at(uint32_t x, uint32_t y, uint32_t c) { return from_bits(chip.memory(result)[(y * kSize + x) * 4 + c]); }
};

}  // namespace pumice::hw::test
