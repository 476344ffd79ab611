// SPDX-License-Identifier: MIT
/// Depth as the integer stored in the Z buffer, and the eight comparisons (pipeline s.8). A driver must round a clear value in the
/// same way.
#pragma once
#include <cstdint>

namespace pumice::hw::zb {

enum class DepthFormat : uint8_t { z16 = 0, z13e3 = 1, z24s8 = 2 };

/// z in 0..1 (clamped, NaN counts as 0) to the stored code: floor(z*(2^n-1) + 0.5) in double precision, n = 16 or 24. 13E3 is made from
/// the 24-bit code. UNCONFIRMED on the chip; Vulkan requires the nearest code.
uint32_t quantise(float z, DepthFormat format, bool invert_13e3);

/// 24-bit depth to a float of `bits` bits, `exponent` of them (0: its upper bits), truncating; codes order like depths. `leading_zeros`:
/// the exponent counts leading 0s (resolution near 0), otherwise leading 1s (resolution near 1).
uint32_t encode_small_float(uint32_t z24, uint32_t bits, uint32_t exponent, bool leading_zeros);

/// 24-bit depth to 3-bit exponent and 13-bit mantissa, truncating. `leading_zeros`: the exponent counts leading 0s (resolution near
/// 0), otherwise leading 1s (resolution near 1). Codes order like the depths they stand for (UNCONFIRMED).
uint16_t encode_13e3(uint32_t z24, bool leading_zeros);

/// The least 24-bit depth of a 13E3 code.
uint32_t decode_13e3(uint16_t code, bool leading_zeros);

/// The depth whose 24-bit code is `w` as W24_FP (us-isa A11): 24-bit float, positive ones with the top bit set, negative ones inverted, so
/// that codes order like the numbers. TX's format of that name reads it back.
float depth_of_w24_float(float w);

/// incoming OP stored; codes of ZFUNC and STENCILFUNC.
inline bool compare(uint32_t func, uint32_t incoming, uint32_t stored) {
  switch (func & 7) {
    case 0: return false;
    case 1: return incoming < stored;
    case 2: return incoming <= stored;
    case 3: return incoming == stored;
    case 4: return incoming >= stored;
    case 5: return incoming > stored;
    case 6: return incoming != stored;
    default: return true;
  }
}

/// The 8-bit result of a stencil operation before the write mask; codes of STENCILFAIL and its like.
inline uint32_t stencil_op(uint32_t op, uint32_t stored, uint32_t reference) {
  switch (op & 7) {
    case 0: return stored;
    case 1: return 0;
    case 2: return reference;
    case 3: return stored == 0xFF ? 0xFF : stored + 1;
    case 4: return stored == 0 ? 0 : stored - 1;
    case 5: return stored ^ 0xFF;
    case 6: return (stored + 1) & 0xFF;
    default: return (stored - 1) & 0xFF;
  }
}

}  // namespace pumice::hw::zb
