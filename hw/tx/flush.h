// SPDX-License-Identifier: MIT
/// One float operation as a processor with FTZ and DAZ set performs it (the fast executor runs so): operands that are denormal count as
/// zero of their sign, and a result that is tiny after rounding with unbounded exponent becomes zero of its sign. Only results that IEEE
/// rounds up to 2^-126 need a second look. Operands are expected flushed.
#pragma once
#include <cmath>

#include "hw/numerics/float_bits.h"

namespace pumice::hw::tx {

/// `rounded` by IEEE, `exact` the same before rounding (or so near that no float lies between).
inline float flush_result(float rounded, double exact) {
  if (std::fabs(rounded) == 0x1p-126f && std::fabs(exact) < 0x1.ffffffp-127) return num::from_bits(num::bits(rounded) & 0x80000000u);
  return num::flush_denormal(rounded);
}
inline float mul(float a, float b) { return flush_result(a * b, double(a) * double(b)); }
inline float div(float a, float b) { return flush_result(a / b, double(a) / double(b)); }
inline float sub(float a, float b) { return num::flush_denormal(a - b); }  // exact where it is tiny
inline float fma(float a, float b, float c) { return flush_result(std::fma(a, b, c), std::fma(double(a), double(b), double(c))); }

}  // namespace pumice::hw::tx
