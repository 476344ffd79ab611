// SPDX-License-Identifier: MIT
/// Sixteen lanes: the vector width of all SIMD code, and the mapping of a 4x4 block's pixels to them.
#pragma once
#include <cstdint>

namespace pumice::hw::fast {

inline constexpr int kLanes = 16;
inline constexpr int kBlockSize = 4;  ///< pixels, both ways

/// Bit i: lane i. Lane = 8*(y/2) + 4*(x/2) + 2*(y%2) + x%2 for the pixel (x, y) of the block: quads in rows, the reference's order in a
/// quad.
using LaneMask = uint16_t;
constexpr int lane_of(int x, int y) { return 8 * (y / 2) + 4 * (x / 2) + 2 * (y % 2) + x % 2; }
constexpr int lane_x(int lane) { return 2 * (lane / 4 % 2) + lane % 2; }
constexpr int lane_y(int lane) { return 2 * (lane / 8) + lane / 2 % 2; }
/// All lanes of the quads that have a lane in `mask`: those that must run for derivatives.
constexpr LaneMask with_helpers(LaneMask mask) {
  uint32_t m = mask;
  m |= m >> 1 & 0x5555u;
  m |= m >> 2 & 0x3333u;  // bit 4q: quad q has at least one lane
  return static_cast<LaneMask>((m & 0x1111u) * 15u);
}

struct alignas(64) Lanes {
  float v[kLanes];
};

}  // namespace pumice::hw::fast
