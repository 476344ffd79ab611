// SPDX-License-Identifier: MIT
/// Numbers of 24 bits (us-isa B5): sign 23, exponent 22:16 with bias 63, mantissa 15:0. All of them are floats too, so that they are kept
/// as such. Choices where the documents are silent (docs/numerics.md): exponent 0 is a zero of its sign, exponent 127 infinity (mantissa 0)
/// or NaN; results are rounded toward zero.
#pragma once
#include "hw/common/numerics/float_bits.h"

namespace pumice::hw::num {

/// The smallest magnitude that is not zero, and the smallest that is infinity.
inline constexpr float kFp24Least = 0x1p-62f, kFp24End = 0x1p64f;
/// The bits of a float's mantissa that FP24 has, with sign and exponent.
inline constexpr uint32_t kFp24Mask = 0xFFFFFF80u;

/// Rounded toward zero; what is below 2^-62 becomes zero, from 2^64 on infinity, of the same sign. NaN stays what it is.
inline float to_fp24(float x) {
  if (is_nan(x)) return x;
  const uint32_t sign = bits(x) & 0x80000000u;
  const float magnitude = from_bits(bits(x) ^ sign);
  if (magnitude < kFp24Least) return from_bits(sign);
  return from_bits(magnitude < kFp24End ? bits(x) & kFp24Mask : sign | 0x7F800000u);
}

/// The float of a code of 24 bits.
inline float fp24_value(uint32_t code) {
  const uint32_t sign = (code & 0x800000u) << 8, exponent = code >> 16 & 127u, mantissa = code & 0xFFFFu;
  if (exponent == 0) return from_bits(sign);
  if (exponent == 127) return from_bits(sign | 0x7F800000u | mantissa << 7);
  return from_bits(sign | (exponent + 64) << 23 | mantissa << 7);
}

/// The code of a float, rounded as results are. Any NaN has the code of the largest mantissa.
inline uint32_t fp24_code(float x) {
  if (is_nan(x)) return 0x7FFFFFu;
  const uint32_t b = bits(to_fp24(x)), sign = b >> 8 & 0x800000u, magnitude = b & 0x7FFFFFFFu;
  if (magnitude == 0) return sign;
  if (magnitude == 0x7F800000u) return sign | 0x7F0000u;
  return sign | (magnitude - (uint32_t{64} << 23)) >> 7;
}

}  // namespace pumice::hw::num
