// SPDX-License-Identifier: MIT
/// Decoded register state of fog and the alpha tests: the reference decodes it per quad, the fast executor once per draw.
#pragma once
#include <array>
#include <cstdint>

#include "hw/radeon/regfile/chip_state.h"

namespace pumice::hw::fg {

inline constexpr char kSourceText[] = "GB_SELECT.FOG_SELECT: reserved code; no fog applied";

inline constexpr float kFixed10 = 1023.0f;  ///< 0.10 fixed point: 0x3FF is 1.0 (UNCONFIRMED; 1.0 must be expressible)

struct Setup {
  bool fog_refused = false;  ///< fog is on with a reserved source: no fog
  bool fog = false;
  bool fog_of_z = true;  ///< its source is Z, or it needs none
  bool constant_factor = false;
  uint32_t function = 0;  ///< FG_FOG_BLEND.FN
  float scale = 0, bias = 0, factor = 0;
  std::array<float, 3> color{};

  bool alpha_test = false, alpha_to_mask = false;
  uint32_t samples = 1;  ///< per pixel; when multisampled, alpha-to-mask also selects the samples to keep (sample_stays)
  uint32_t steps = 1;    ///< of alpha-to-mask: AM_CFG
  enum class Precision : uint8_t { bits8, bits10, half } precision = Precision::bits8;
  uint32_t compare = 7;  ///< FG_ALPHA_FUNC.AF_FUNC
  float reference = 0;   ///< a code of 8 or 10 bits, or the number of a half
  float offset = 0;      ///< added to the alpha that is tested

  bool kills() const { return alpha_test || alpha_to_mask; }
};

Setup decode(const ChipState& state);

/// Multisampled alpha-to-mask: of each `steps` samples the first floor(alpha*steps + 0.5) are kept.
inline bool sample_stays(const Setup& s, float alpha, uint32_t sample) {
  return (alpha + s.offset) * static_cast<float>(s.steps) + 0.5f >= static_cast<float>(sample % s.steps + 1);
}

}  // namespace pumice::hw::fg
