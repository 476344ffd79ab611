// SPDX-License-Identifier: MIT
/// Hierarchical Z, pipeline s.8.2: 8 bits of depth for each block of 4x4 pixels in the HiZ RAM, and the pixels that are dropped because of
/// them before the tests. Choices where the documents are silent: hw/radeon/ref/zb/README.md.
#pragma once
#include <cstdint>

namespace pumice::hw::zb {

struct Hiz {
  static constexpr uint32_t kSide = 4;

  uint32_t* ram = nullptr;  ///< null: off
  uint32_t dwords = 0;      ///< of the RAM; blocks beyond it are not covered
  uint32_t first = 0;       ///< dword of the blocks at (0,0)
  uint32_t row = 0;         ///< dwords between rows of dwords
  bool minimum = false;     ///< the RAM has minima, else maxima
  bool rejects = false;     ///< the depth function lets pixels be dropped
  uint32_t exponent = 0;    ///< bits; 0: integers
  bool leading_zeros = false;

  /// Positions in the surface. A dword is 2x2 blocks, the first in its lowest byte.
  uint64_t dword_of(uint32_t x, uint32_t y) const { return first + uint64_t{y >> 3} * row + (x >> 3); }
  static uint32_t shift_of(uint32_t x, uint32_t y) { return 8 * ((y >> 2 & 1) * 2 + (x >> 2 & 1)); }
  bool covers(uint32_t x, uint32_t y) const { return ram && dword_of(x, y) < dwords; }
  /// 24 bits of depth as the RAM holds it: codes order like depths.
  uint32_t code(uint32_t z24) const;
  /// Whether a pixel of depth z24 at (x, y) is dropped.
  bool drops(uint32_t x, uint32_t y, uint32_t z24) const {
    if (!rejects || !covers(x, y)) return false;
    const uint32_t held = ram[dword_of(x, y)] >> shift_of(x, y) & 0xFF, own = code(z24);
    return minimum ? own < held : own > held;
  }
  void store(uint32_t x, uint32_t y, uint32_t code8) const {
    uint32_t& word = ram[dword_of(x, y)];
    word = (word & ~(0xFFu << shift_of(x, y))) | code8 << shift_of(x, y);
  }
};

}  // namespace pumice::hw::zb
