// SPDX-License-Identifier: MIT
/// Numbers on which conversions and blending may go wrong.
#pragma once
#include <bit>
#include <cmath>
#include <random>

namespace pumice::hw::fast::extended {

/// Raw bits of a float: codes of n bits and what lies halfway between them, edges of ranges, exponents of all sizes, anything at all.
inline uint32_t any_number(std::mt19937& random) {
  constexpr float kEdges[] = {0,     -0.0f, 1,        -1,       0.5f,     -0.5f,     0.0031308f, 0.04045f, 2,        -2,
                              127,   -128,  128,      255,      256,      32767,     -32768,     65504,    65520,    65535,
                              65408, 65536, 0x1p-14f, 0x1p-24f, 0x1p-25f, 0x1p-126f, 0x1p-127f,  3.4e38f,  INFINITY, -INFINITY};
  const auto nudged = [&](float v) { return std::bit_cast<uint32_t>(v) + random() % 5 - 2; };
  switch (random() % 8) {
    case 0: return random();
    case 1: return nudged(kEdges[random() % std::size(kEdges)]);
    case 2: {
      const auto most = float((1u << (1 + random() % 24)) - 1);
      return nudged(float(random() % (2 * uint32_t(most) + 1)) / (2 * most));
    }
    case 3: return nudged(float(int32_t(random() % 200001) - 100000) / 2);
    case 4: return 0x7F800000u | random();  // NaN, infinities
    case 5: return std::bit_cast<uint32_t>(std::ldexp(float(random() % 4096), int(random() % 64) - 48));
    case 6: return random() % 300;
    default: return std::bit_cast<uint32_t>(float(int32_t(random())) * 0x1p-30f);
  }
}

}  // namespace pumice::hw::fast::extended
