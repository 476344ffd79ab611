// SPDX-License-Identifier: MIT
/// VAP_TEX_TO_COLOR_CNTL (R5xx, pipeline s.3): texcoord sets 0..7 that are shaded like colours. No document has the codes (README.md): 1
/// takes r, g, b or alpha from the provoking vertex and clamps to 0..1, before the primitive is clipped.
#pragma once
#include <span>

#include "hw/radeon/ref/vap/outputs.h"

namespace pumice::hw::vap {

class TextureColors {
 public:
  explicit TextureColors(const ChipState& state)
      : sets_(state.chip().has_shader_model_3 ? state.get<regs::VAP_TEX_TO_COLOR_CNTL>().raw & kFields : 0) {}
  bool any() const { return sets_ != 0; }

  void apply(std::span<ClipVertex> corners, WindowVertex& provoking) const {
    for (uint32_t n = 0; n < kPlainTexcoords; ++n) {
      const regs::VAP_TEX_TO_COLOR_CNTL set{sets_ >> (4 * n)};
      if (set.TEX_RGBA_CLAMP_0()) {
        clamp(provoking.tex[n]);
        for (ClipVertex& c : corners) clamp(c.window.tex[n]);
      }
      for (ClipVertex& c : corners)
        for (uint32_t i = 0; i < 4; ++i)
          if (i < 3 ? set.TEX_RGB_SHADE_FUNC_0() : set.TEX_ALPHA_SHADE_FUNC_0()) c.window.tex[n][i] = provoking.tex[n][i];
    }
  }

 private:
  static constexpr uint32_t kFields = 0x77777777u;
  static void clamp(Vec4& v) {
    for (float& x : v) x = x > 0 ? (x < 1 ? x : 1.0f) : 0.0f;  // not a number: 0
  }
  uint32_t sets_;
};

}  // namespace pumice::hw::vap
