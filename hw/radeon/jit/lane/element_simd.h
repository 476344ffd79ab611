// SPDX-License-Identifier: MIT
/// Element-wise operations of the interpreter that simd.h does not have: named in the simd column of operations.h.
#pragma once
#include "hw/common/numerics/srgb.h"
#include "hw/common/simd/math.h"

namespace pumice::hw::fast::PUMICE_SIMD {

PUMICE_INLINE F16 trunc(F16 v) { return SimdMath::with_sign(floor(abs(v)), v); }
PUMICE_INLINE F16 uint_to_float(U16 v) { return PUMICE_PARTS(F16, __builtin_convertvector(v.part[i], native::F)); }
PUMICE_INLINE I16 int_clamped(F16 v) {
  const I16 r = select(lt(v, splat(0x1p31f)), truncate(v), splat(INT32_MAX));
  return select(eq(v, v), r, splat(0));
}
/// The upper half of the range in two steps. The maximum is 0 for NaN.
PUMICE_INLINE U16 uint_clamped(F16 v) {
  v = max(v, splat(0.0f));
  const Mask high = ge(v, splat(0x1p31f));
  const U16 r = as_uint(truncate(v - select(high, splat(0x1p31f), splat(0.0f)))) ^ select(high, splat(0x80000000u), splat(0u));
  return select(lt(v, splat(0x1p32f)), r, splat(UINT32_MAX));
}

PUMICE_INLINE U16 from_half(U16 h) {
  const U16 sign = (h & 0x8000u) << 16, exponent = h & 0x7C00u, mantissa = h & 0x3FFu;
  const U16 normal = ((h & 0x7FFFu) << 13) + (112u << 23);
  const U16 special = (mantissa << 13) | select(eq(mantissa, splat(0u)), splat(0x7F800000u), splat(0x7FC00000u));
  const U16 tiny = as_uint(to_float(as_int(mantissa)) * 0x1p-24f);
  return sign | select(eq(exponent, splat(0u)), tiny, select(eq(exponent, splat(0x7C00u)), special, normal));
}
PUMICE_INLINE U16 to_half(F16 v) {
  const U16 sign = as_uint(v) >> 16 & 0x8000u, magnitude = as_uint(v) & 0x7FFFFFFFu;
  const U16 rounded = (magnitude + 0xFFFu + (magnitude >> 13 & 1u) - (112u << 23)) >> 13;
  const U16 tiny = as_uint(as_float(magnitude) + 0.5f) - 0x3F000000u;  // below 2^-14: the sum rounds to a multiple of 2^-24
  const U16 nan = (magnitude >> 13 & 0x3FFu) | 0x7E00u;
  const I16 size = as_int(magnitude);  // below 2^31
  const U16 finite = select(lt(size, splat(0x38800000)), tiny, select(lt(size, splat(0x477FF000)), rounded, splat(0x7C00u)));
  return sign | select(lt(splat(0x7F800000), size), nan, finite);
}

PUMICE_INLINE U16 popcount(U16 v) {
  v = v - (v >> 1 & 0x55555555u);
  v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
  return ((v + (v >> 4)) & 0x0F0F0F0Fu) * 0x01010101u >> 24;
}
PUMICE_INLINE U16 leading_zeros(U16 v) {
  v |= v >> 1, v |= v >> 2, v |= v >> 4, v |= v >> 8, v |= v >> 16;
  return popcount(~v);
}
PUMICE_INLINE U16 reversed(U16 v) {
  v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
  v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
  v = (v >> 4 & 0x0F0F0F0Fu) | (v & 0x0F0F0F0Fu) << 4;
  v = (v >> 8 & 0x00FF00FFu) | (v & 0x00FF00FFu) << 8;
  return v >> 16 | v << 16;
}
PUMICE_INLINE U16 srgb_decode(U16 v) { return gather_dwords(num::srgb::kDecoded.data(), (v & 255u) << 2); }
PUMICE_INLINE U16 low_bits(U16 n) { return ~shift_left(splat(~0u), n); }
PUMICE_INLINE I16 shift_right_signed(U16 a, U16 n) {
  return by_lane([&](int l) { return int32_t(a[l]) >> (n[l] & 31); });
}

PUMICE_INLINE U16 umul_high(U16 a, U16 b) {
  return by_lane([&](int l) { return uint32_t(uint64_t{a[l]} * b[l] >> 32); });
}
PUMICE_INLINE U16 imul_high(U16 a, U16 b) {
  return by_lane([&](int l) { return uint32_t(uint64_t(int64_t(int32_t(a[l])) * int32_t(b[l])) >> 32); });
}
PUMICE_INLINE U16 dot_words(U16 a, U16 b) {
  const auto low = [](U16 v) { return as_uint(as_int(v << 16) >> 16); };
  const auto high = [](U16 v) { return as_uint(as_int(v) >> 16); };
  return low(a) * low(b) + high(a) * high(b);
}
PUMICE_INLINE U16 udiv(U16 a, U16 b) {
  return by_lane([&](int l) { return b[l] ? a[l] / b[l] : ~0u; });
}
PUMICE_INLINE U16 idiv(U16 a, U16 b) {
  return by_lane([&](int l) {
    const auto n = int32_t(a[l]), d = int32_t(b[l]);
    return d == 0 ? ~0u : d == -1 ? 0u - a[l] : uint32_t(n / d);
  });
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
