// SPDX-License-Identifier: MIT
/// Halves as processors convert them: a NaN becomes quiet and keeps its sign and upper bits, both ways. All else as in float_bits.h.
#pragma once
#include "hw/common/numerics/float_bits.h"

namespace pumice::hw::num {

inline uint32_t half_word_to_float(uint32_t h) {
  const float x = half_to_float(uint16_t(h));
  return is_nan(x) ? (h & 0x8000u) << 16 | kQuietNan | (h & 0x3FFu) << 13 : bits(x);
}
inline uint32_t float_word_to_half(uint32_t v) {
  const float x = from_bits(v);
  return is_nan(x) ? (v >> 16 & 0x8000u) | 0x7E00u | (v >> 13 & 0x3FFu) : float_to_half(x);
}

}  // namespace pumice::hw::num
