// SPDX-License-Identifier: MIT
/// Fixed-width two's complement helpers: the notation of docs/reference/rdp.md section 1.
#pragma once
#include <cstdint>

namespace pumice::hw::rdp {

/// Keeps the low N bits of v and reads them as two's complement.
template <int N>
constexpr int32_t sign_extend(uint32_t v) {
  static_assert(N > 0 && N <= 32);
  return static_cast<int32_t>(v << (32 - N)) >> (32 - N);
}

/// The 9-bit clamp at the end of the shader and combiner: 256..383 saturate, 384..511 are negative.
constexpr int32_t clamp9(uint32_t v) {
  v &= 0x1FF;
  return v < 0x100 ? static_cast<int32_t>(v) : v < 0x180 ? 255 : 0;
}

/// The asymmetric 9-bit extension at the combiner's inputs: -128..383.
constexpr int32_t ext9(uint32_t v) {
  v &= 0x1FF;
  return v < 0x180 ? static_cast<int32_t>(v) : static_cast<int32_t>(v) - 512;
}

/// Highest power of two that is not greater than v; 0 for 0.
constexpr uint32_t highest_bit(uint32_t v) {
  while (v & (v - 1)) v &= v - 1;
  return v;
}

}  // namespace pumice::hw::rdp
