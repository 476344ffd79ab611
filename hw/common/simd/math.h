// SPDX-License-Identifier: MIT
/// The operations of hw/common/numerics/kernels.h on 16 lanes. For SIMD files, with FTZ and DAZ set.
#pragma once
#include "hw/common/simd/simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {

struct SimdMath {
  using V = F16;
  static F16 constant(float c) { return splat(c); }
  static F16 add(F16 a, F16 b) { return a + b; }
  static F16 sub(F16 a, F16 b) { return a - b; }
  static F16 mul(F16 a, F16 b) { return a * b; }
  static F16 fma(F16 a, F16 b, F16 c) { return PUMICE_SIMD::fma(a, b, c); }
  static F16 div(F16 a, F16 b) { return a / b; }
  static F16 sqrt(F16 a) { return PUMICE_SIMD::sqrt(a); }
  static F16 minimum(F16 a, F16 b) { return min(a, b); }
  static F16 maximum(F16 a, F16 b) { return max(a, b); }
  static F16 magnitude(F16 a) { return abs(a); }
  static F16 with_sign(F16 a, F16 s) { return as_float(as_uint(a) | (as_uint(s) & 0x80000000u)); }
  static F16 round_even(F16 x) {
    const F16 limit = with_sign(splat(0x1p23f), x);
    return PUMICE_SIMD::select(PUMICE_SIMD::lt(magnitude(x), splat(0x1p23f)), with_sign(magnitude((x + limit) - limit), x), x);
  }
  static F16 split(F16 x, F16& e) {
    const U16 offset = as_uint(x) - kHalfRoot;
    e = to_float(as_int(offset) >> 23);
    return as_float((offset & 0x7FFFFFu) + kHalfRoot);
  }
  /// Two factors, the first exact: for |n| <= 250 only the second can round, and beyond the result has long been 0 or Inf.
  static F16 scale(F16 p, F16 n) {
    n = max(splat(-250.0f), min(splat(250.0f), n));
    const I16 whole = truncate(PUMICE_SIMD::select(PUMICE_SIMD::eq(n, n), n, splat(0.0f)));
    const I16 half = whole >> 1, rest = whole - half;
    const F16 r = p * as_float((half + 127) << 23) * as_float((rest + 127) << 23);
    return PUMICE_SIMD::select(PUMICE_SIMD::eq(n, n), r, n);
  }
  static Mask lt(F16 a, F16 b) { return PUMICE_SIMD::lt(a, b); }
  static Mask ge(F16 a, F16 b) { return PUMICE_SIMD::ge(a, b); }
  static Mask eq(F16 a, F16 b) { return PUMICE_SIMD::eq(a, b); }
  static F16 select(Mask c, F16 a, F16 b) { return PUMICE_SIMD::select(c, a, b); }

  static constexpr uint32_t kHalfRoot = 0x3F3504F3u;
};

}  // namespace pumice::hw::fast::PUMICE_SIMD
