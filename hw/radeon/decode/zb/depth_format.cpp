// SPDX-License-Identifier: MIT
/// See depth_format.h.
#include "hw/radeon/decode/zb/depth_format.h"

#include <bit>
#include <cmath>

#include "hw/common/numerics/fp24.h"

namespace pumice::hw::zb {

uint32_t quantise(float z, DepthFormat format, bool invert_13e3) {
  const double clamped = z > 0.0f ? (z < 1.0f ? double(z) : 1.0) : 0.0;  // NaN fails the first comparison
  const double max = format == DepthFormat::z16 ? 65535.0 : 16777215.0;
  const uint32_t code = uint32_t(std::floor(clamped * max + 0.5));
  return format == DepthFormat::z13e3 ? encode_13e3(code, invert_13e3) : code;
}

uint32_t encode_small_float(uint32_t z24, uint32_t bits, uint32_t exponent, bool leading_zeros) {
  const uint32_t v = z24 & 0xFFFFFF, most = (1u << exponent) - 1;
  const uint32_t counted = leading_zeros ? v : ~v & 0xFFFFFF;
  const uint32_t run = uint32_t(std::countl_zero(counted << 8 | 0x80u));
  const uint32_t count = run < most ? run : most;
  // After a run shorter than the longest the bit that ended it is known and is not stored.
  const uint32_t used = exponent == 0 ? 0 : count < most ? count + 1 : most;
  const uint32_t mantissa = bits - exponent;
  const uint32_t fraction = uint32_t((uint64_t{v} << used & 0xFFFFFF) >> (24 - mantissa));
  return (leading_zeros ? most - count : count) << mantissa | fraction;
}

uint16_t encode_13e3(uint32_t z24, bool leading_zeros) { return uint16_t(encode_small_float(z24, 16, 3, leading_zeros)); }

uint32_t decode_13e3(uint16_t code, bool leading_zeros) {
  const uint32_t exponent = code >> 13, mantissa = code & 0x1FFFu;
  const uint32_t count = leading_zeros ? 7 - exponent : exponent;
  const uint32_t used = count < 7 ? count + 1 : 7;
  const uint32_t ones = leading_zeros ? 0 : (0xFFFFFFu << (24 - count)) & 0xFFFFFFu;  // the run
  const uint32_t end = leading_zeros && count < 7 ? 1u << (23 - count) : 0;           // the bit that ended it
  return ones | end | (mantissa << 11) >> used;
}

float depth_of_w24_float(float w) {
  const uint32_t code = num::fp24_code(w);
  // Floats lie closer than codes, so that the nearest one has the code again.
  return static_cast<float>((code & 0x800000u ? ~code & 0xFFFFFFu : code | 0x800000u) / 16777215.0);
}

}  // namespace pumice::hw::zb
