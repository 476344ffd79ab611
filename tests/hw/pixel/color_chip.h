// SPDX-License-Identifier: MIT
/// A chip with linear colour targets at kColor + n*kTargetStride, 64 pixels per row.
#pragma once
#include "tests/hw/pixel/chip.h"

namespace pumice::hw::test {

using Color = regs::RB3D_COLORPITCH;
using Out = regs::US_OUT_FMT;
using Blend = regs::RB3D_BLENDCNTL;

/// Select codes of US_OUT_FMT.
enum Select : uint32_t { kA = 0, kR = 1, kG = 2, kB = 3 };

struct ColorChip : Chip {
  ColorChip() {
    for (uint32_t t = 0; t < 4; ++t) {
      set(regs::RB3D_COLOROFFSET{0}.COLOROFFSET((kColor + t * kTargetStride) >> 5), t);
      set(Out{0}.OUT_FMT(Out::OUT_FMT__UNUSED), t);
    }
    target(0, Color::COLORFORMAT__ARGB8888, Out::OUT_FMT__C4_8);
    set(regs::RB3D_COLOR_CHANNEL_MASK{0xF});
    set(regs::RB3D_DITHER_CTL{0}.DITHER_MODE(1).ALPHA_DITHER_MODE(1));
  }
  /// C0..C3 default to B,G,R,A.
  void target(uint32_t t, uint32_t color_format, uint32_t out_fmt, std::array<uint32_t, 4> sel = {kB, kG, kR, kA}, uint32_t sign = 0) {
    set(Color{0}.COLORPITCH(64 >> 1).COLORFORMAT(color_format), t);
    set(Out{0}.OUT_FMT(out_fmt).C0_SEL(sel[0]).C1_SEL(sel[1]).C2_SEL(sel[2]).C3_SEL(sel[3]).OUT_SIGN(sign), t);
  }
  void draw(const Vec4& rgba, uint8_t mask = 0xF) {
    PixelQuad& q = *quad;
    for (auto& target_color : q.color) target_color.fill(rgba);
    rb3d::write(ctx, q, mask);
  }
  template <class T>
  T pixel(uint32_t t = 0, uint32_t x = 0, uint32_t y = 0) {
    return memory->load<T>(kColor + t * kTargetStride + (y * 64 + x) * sizeof(T));
  }
  template <class T>
  void store(T value, uint32_t t = 0) {
    for (uint32_t i = 0; i < 2; ++i)
      for (uint32_t y = 0; y < 2; ++y) memory->store<T>(kColor + t * kTargetStride + uint32_t((y * 64 + i) * sizeof(T)), value);
  }
  std::unique_ptr<PixelQuad> quad = std::make_unique<PixelQuad>();
};

}  // namespace pumice::hw::test
