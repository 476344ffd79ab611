// SPDX-License-Identifier: MIT
/// Input and output conventions of all float blocks: denormals become signed zero, a NaN that an operation generates is always the same
/// NaN, half floats are converted exactly. Header only: a few bit operations each. Specified in hw/common/numerics/README.md.
#pragma once
#include <bit>
#include <cstdint>

namespace pumice::hw::num {

inline constexpr uint32_t kQuietNan = 0x7FC00000u;
inline constexpr uint32_t kInf = 0x7F800000u;
inline constexpr uint32_t kMaxFloat = 0x7F7FFFFFu;  ///< FLT_MAX

inline uint32_t bits(float x) { return std::bit_cast<uint32_t>(x); }
inline float from_bits(uint32_t x) { return std::bit_cast<float>(x); }

/// x, or zero with x's sign when x is denormal. NaN payloads are left alone.
inline float flush_denormal(float x) { return (bits(x) & kInf) ? x : from_bits(bits(x) & 0x80000000u); }

inline bool is_nan(float x) { return (bits(x) & 0x7FFFFFFFu) > kInf; }
inline bool is_finite(float x) { return (bits(x) & kInf) != kInf; }

/// The result of an arithmetic unit: denormals flushed and every NaN replaced by 0x7FC00000. Processors disagree about the sign and
/// payload of the NaNs they generate, so these must not be visible.
inline float canonical(float x) { return is_nan(x) ? from_bits(kQuietNan) : flush_denormal(x); }

/// s5e10m to FP32, exact: denormals become normal floats, Inf and NaN stay what they are.
inline float half_to_float(uint16_t h) {
  const uint32_t sign = uint32_t(h & 0x8000u) << 16, exponent = (h >> 10) & 31, mantissa = h & 0x3FFu;
  if (exponent == 31) return from_bits(sign | (mantissa ? kQuietNan : kInf));
  if (exponent != 0) return from_bits(sign | (exponent + 112) << 23 | mantissa << 13);
  const float magnitude = float(mantissa) * 0x1p-24f;
  return from_bits(sign | bits(magnitude));
}

/// FP32 to s5e10m, round to nearest even, denormal halves produced, overflow to Inf, any NaN to 0x7E00.
inline uint16_t float_to_half(float x) {
  const uint32_t sign = (bits(x) >> 16) & 0x8000u, magnitude = bits(x) & 0x7FFFFFFFu;
  if (magnitude > kInf) return 0x7E00;
  if (magnitude >= 0x477FF000u) return uint16_t(sign | 0x7C00u);  // 65520 and up round to 2^16
  if (magnitude < 0x38800000u) {                                  // below 2^-14: a multiple of 2^-24, rounded by the addition
    const float shifted = from_bits(magnitude) + 0.5f;            // ulp of [0.5,1) is 2^-24
    return uint16_t(sign | (bits(shifted) - bits(0.5f)));
  }
  const uint32_t rounded = magnitude + 0xFFFu + ((magnitude >> 13) & 1u);
  return uint16_t(sign | ((rounded - (112u << 23)) >> 13));
}

}  // namespace pumice::hw::num
