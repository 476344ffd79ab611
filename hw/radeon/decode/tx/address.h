// SPDX-License-Identifier: MIT
/// From a coordinate in texels to texel indices and a weight (pipeline s.6.1, s.6.5), using only operations that SIMD lanes also have: a
/// float is clamped, converted to a 32-bit integer, and the rest is integer arithmetic.
///   point:  i = floor(u), u limited to +-2^30.
///   linear: u limited to +-2^22 and rounded to the nearest 1/256 (ties to even), then i0 = floor(u - 1/2), i1 = i0 + 1, weight of i1 =
///           fraction in 1/256.
/// NaN counts as the upper limit. The clamp mode is applied to each index, so a filter footprint wraps, mirrors or meets the border as a
/// whole would.
#pragma once
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace pumice::hw::tx {

inline constexpr int32_t kBorder = -1;  ///< "index" of the border colour
inline constexpr float kPointLimit = 0x1p30f, kLinearLimit = 0x1p22f;

enum Clamp : uint32_t { kWrap, kMirror, kClampLast, kMirrorOnceLast, kClampHalf, kMirrorOnceHalf, kClampBorder, kMirrorOnceBorder };

/// Index i under a clamp mode. The half-way modes reach the border only with a linear filter: a point sample ends at the last texel.
/// Wrap and mirror of sizes that are no power of two are not supported by the chip; the model masks with the next power of two and
/// clamps, which is what an address generator without a divider would do.
inline int32_t wrap_index(int32_t i, uint32_t size, uint32_t mode, bool linear) {
  const int32_t n = int32_t(size), pot = int32_t(std::bit_ceil(size));
  switch (mode & 7u) {
    case kWrap: {
      const int32_t m = i & (pot - 1);
      return m < n ? m : n - 1;
    }
    case kMirror: {
      int32_t m = i & (2 * pot - 1);
      if (m >= pot) m = 2 * pot - 1 - m;
      return m < n ? m : n - 1;
    }
    case kMirrorOnceLast:
    case kMirrorOnceHalf:
    case kMirrorOnceBorder:
      if (i < 0) i = -1 - i;
      break;
    default: break;
  }
  if (i >= 0 && i < n) return i;
  switch (mode & 7u) {
    case kClampBorder:
    case kMirrorOnceBorder: return kBorder;
    case kClampHalf:
    case kMirrorOnceHalf:
      if (linear) return kBorder;
      break;
    default: break;
  }
  return i < 0 ? 0 : n - 1;
}

struct Axis {
  int32_t i0 = 0, i1 = 0;
  uint32_t weight = 0;  ///< of i1, 0..255
};

inline float limited(float v, float limit) {
  v = v < limit ? v : limit;
  return v > -limit ? v : -limit;
}

inline Axis axis_point(float texels, uint32_t size, uint32_t mode) {
  const int32_t i = wrap_index(int32_t(std::floor(limited(texels, kPointLimit))), size, mode, false);
  return {i, i, 0};
}

/// Position of the footprint's first texel centre in 1/256: what lies left of the point is u - 1/2.
inline int32_t linear_position(float texels, uint32_t size, uint32_t mode) {
  int32_t fixed = int32_t(std::lrintf(limited(texels, kLinearLimit) * 256.0f));
  const int32_t end = int32_t(size) * 256;
  if (mode == kMirrorOnceHalf && fixed < 0) fixed = -fixed;
  if (mode == kClampHalf && fixed < 0) fixed = 0;
  if ((mode == kClampHalf || mode == kMirrorOnceHalf) && fixed > end) fixed = end;
  return fixed - 128;
}

inline Axis axis_linear(float texels, uint32_t size, uint32_t mode) {
  const int32_t fixed = linear_position(texels, size, mode), i = fixed >> 8;
  return {wrap_index(i, size, mode, true), wrap_index(i + 1, size, mode, true), uint32_t(fixed & 255)};
}

/// The four texels of a filter4 footprint; `fraction` is the distance from the second one in 1/256.
struct Axis4 {
  std::array<int32_t, 4> i{};
  uint32_t fraction = 0;
};

inline Axis4 axis_filter4(float texels, uint32_t size, uint32_t mode) {
  const int32_t fixed = linear_position(texels, size, mode);
  Axis4 out;
  for (int32_t k = 0; k < 4; ++k) out.i[size_t(k)] = wrap_index((fixed >> 8) - 1 + k, size, mode, true);
  out.fraction = uint32_t(fixed & 255);
  return out;
}

}  // namespace pumice::hw::tx
