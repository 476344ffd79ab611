// SPDX-License-Identifier: MIT
/// The numbers that break arithmetic, and how results are compared.
#pragma once
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace pumice::hw::test {

inline float from_bits(uint32_t v) { return std::bit_cast<float>(v); }

inline std::array<float, 18> edge_values() {
  using L = std::numeric_limits<float>;
  return {0.0f,   -0.0f,  1.0f,  -1.0f,         0.5f,           2.0f,           -3.75f,   0.1f,     1e10f,
          -1e30f, 1e-30f, 65504, L::infinity(), -L::infinity(), L::quiet_NaN(), L::min(), L::max(), from_bits(0x80000123)};
}

/// Denormals count as zero of their sign.
inline float flush(float v) { return v != 0 && std::fabs(v) < std::numeric_limits<float>::min() ? std::copysign(0.0f, v) : v; }

inline std::array<uint32_t, 4> as_bits(const std::array<float, 4>& v) {
  return {std::bit_cast<uint32_t>(v[0]), std::bit_cast<uint32_t>(v[1]), std::bit_cast<uint32_t>(v[2]), std::bit_cast<uint32_t>(v[3])};
}

/// Equal bits, both NaN, within `ulps` steps, or within `absolute` of each other.
inline bool same(float got, float want, int ulps = 0, double absolute = 0) {
  const uint32_t a = std::bit_cast<uint32_t>(got), b = std::bit_cast<uint32_t>(want);
  if (a == b) return true;
  if (std::isnan(got) || std::isnan(want)) return std::isnan(got) && std::isnan(want);
  if (std::isinf(got) || std::isinf(want)) return false;
  if (std::fabs(double(got) - want) <= absolute) return true;
  return (a ^ b) >> 31 == 0 && (a > b ? a - b : b - a) <= static_cast<uint32_t>(ulps);
}

}  // namespace pumice::hw::test
