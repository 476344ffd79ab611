// SPDX-License-Identifier: MIT
/// RB3D_AARESOLVE_CTL in resolve mode (pipeline s.9.4): pixels that reach RB3D take the average of target 0's samples to the resolve
/// surface. The program's result, channel masks, blending and logic operations are ignored. Numerics: README.md, "Multisampling".
#pragma once
#include "hw/radeon/decode/rb3d/color_mask.h"
#include "hw/radeon/decode/rb3d/pixel_format.h"
#include "hw/radeon/decode/surface/pixel_access.h"
#include "hw/radeon/regfile/chip_state.h"

namespace pumice::hw::rb3d {

inline constexpr char kResolveText[] = "RB3D_AARESOLVE_CTL: this format cannot be resolved, or not with AARESOLVE_GAMMA; nothing is drawn";

struct Resolve {
  surface::PixelAccess from;  ///< multisampled: from.sample()
  ColorMask mask;             ///< of `from`
  surface::PixelAccess to;
  PixelFormat format;  ///< not valid(): nothing is resolved
  uint32_t samples = 1;
  std::array<bool, 4> gamma{};  ///< by field: decoded before, encoded after averaging
  std::array<bool, 4> first{};  ///< by field: sample 0's, not the average
};

inline bool resolve_mode(const ChipState& state) { return state.get<regs::RB3D_AARESOLVE_CTL>().AARESOLVE_MODE() != 0; }
Resolve decode_resolve(const ChipState& state);

}  // namespace pumice::hw::rb3d
