// SPDX-License-Identifier: MIT
/// See depth_format.h.
#include "hw/radeon/decode/zb/depth_format.h"

#include <bit>
#include <cmath>

namespace pumice::hw::zb {

uint32_t quantise(float z, DepthFormat format, bool invert_13e3) {
  const double clamped = z > 0.0f ? (z < 1.0f ? double(z) : 1.0) : 0.0;  // NaN fails the first comparison
  const double max = format == DepthFormat::z16 ? 65535.0 : 16777215.0;
  const uint32_t code = uint32_t(std::floor(clamped * max + 0.5));
  return format == DepthFormat::z13e3 ? encode_13e3(code, invert_13e3) : code;
}

uint16_t encode_13e3(uint32_t z24, bool leading_zeros) {
  const uint32_t v = z24 & 0xFFFFFF;
  const uint32_t counted = leading_zeros ? v : ~v & 0xFFFFFF;
  const uint32_t run = uint32_t(std::countl_zero(counted << 8 | 0x80u));
  const uint32_t count = run < 7 ? run : 7;
  // After a run shorter than 7 the bit that ended it is known and is not stored.
  const uint32_t used = count < 7 ? count + 1 : 7;
  const uint32_t mantissa = (v << used & 0xFFFFFF) >> 11;
  return uint16_t((leading_zeros ? 7 - count : count) << 13 | mantissa);
}

}  // namespace pumice::hw::zb
