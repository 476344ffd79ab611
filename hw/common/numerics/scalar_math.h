// SPDX-License-Identifier: MIT
/// The operations of kernels.h on one float, flushing like the chip (arithmetic.h).
#pragma once
#include "hw/common/numerics/arithmetic.h"

namespace pumice::hw::num {

struct ScalarMath {
  using V = float;
  static float constant(float c) { return c; }
  static float add(float a, float b) { return num::add(a, b); }
  static float sub(float a, float b) { return num::sub(a, b); }
  static float mul(float a, float b) { return num::mul(a, b); }
  static float fma(float a, float b, float c) { return num::fma(a, b, c); }
  static float div(float a, float b) { return num::div(a, b); }
  static float sqrt(float a) { return num::sqrt(a); }
  static float minimum(float a, float b) { return flush_denormal(a) < flush_denormal(b) ? a : b; }
  static float maximum(float a, float b) { return flush_denormal(a) > flush_denormal(b) ? a : b; }
  static float magnitude(float a) { return from_bits(bits(a) & 0x7FFFFFFFu); }
  static float with_sign(float a, float s) { return from_bits(bits(a) | (bits(s) & 0x80000000u)); }
  static float round_even(float x) {
    x = flush_denormal(x);
    const float limit = with_sign(0x1p23f, x);
    return magnitude(x) < 0x1p23f ? with_sign(magnitude((x + limit) - limit), x) : x;
  }
  static float split(float x, float& e) {
    const uint32_t offset = bits(x) - kHalfRoot;
    e = float(int32_t(offset) >> 23);
    return from_bits((offset & 0x7FFFFFu) + kHalfRoot);
  }
  static float scale(float p, float n) {
    if (is_nan(n)) return n;
    return round_exact(double(p) * std::bit_cast<double>(uint64_t(int64_t(n) + 1023) << 52));
  }
  static bool lt(float a, float b) { return flush_denormal(a) < flush_denormal(b); }
  static bool ge(float a, float b) { return flush_denormal(a) >= flush_denormal(b); }
  static bool eq(float a, float b) { return flush_denormal(a) == flush_denormal(b); }
  static float select(bool c, float a, float b) { return c ? a : b; }

  static constexpr uint32_t kHalfRoot = 0x3F3504F3u;  ///< sqrt(1/2)
};

}  // namespace pumice::hw::num
