// SPDX-License-Identifier: MIT
/// Constants of the R3xx (us-isa B5): sign 23, exponent 22:16 with bias 63, mantissa 15:0.
#pragma once
#include <bit>
#include <cstdint>

namespace pumice::compiler {

/// The code of a float, rounded toward zero; below 2^-62 zero, from 2^64 on infinity. Any NaN has the code of the largest mantissa.
inline uint32_t fp24_code(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value), sign = bits >> 8 & 0x800000u, magnitude = bits & 0x7FFFFFFFu;
  constexpr uint32_t kLeast = 65u << 23, kEnd = 191u << 23, kInfinity = 255u << 23, kRebias = 64u << 23;
  if (magnitude > kInfinity) return 0x7FFFFFu;
  if (magnitude < kLeast) return sign;
  return sign | (magnitude < kEnd ? (magnitude - kRebias) >> 7 : 0x7F0000u);
}

}  // namespace pumice::compiler
