// SPDX-License-Identifier: MIT
/// The chip's endian swap codes (cp-pm4 s.1.1).
#pragma once
#include <cstdint>

namespace pumice::hw {

constexpr uint32_t swap_endian(uint32_t v, uint32_t code) {
  switch (code & 3) {
    case 1: return (v & 0x00FF00FFu) << 8 | (v >> 8 & 0x00FF00FFu);
    case 2: return v << 24 | (v & 0xFF00u) << 8 | (v >> 8 & 0xFF00u) | v >> 24;
    case 3: return v << 16 | v >> 16;
    default: return v;
  }
}

}  // namespace pumice::hw
