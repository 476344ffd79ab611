// SPDX-License-Identifier: MIT
/// From a coordinate in texels to texel indices and a weight (pipeline s.6.1, s.6.5).
///   point:  i = floor(u).
///   linear: u is rounded to the nearest 1/256, then i0 = floor(u - 1/2), i1 = i0 + 1, weight of i1 = fraction in 1/256.
/// The clamp mode is applied to each index, so a filter footprint wraps, mirrors or meets the border as a whole would.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

namespace pumice::hw::tx {

inline constexpr int32_t kBorder = -1;  ///< "index" of the border colour

enum Clamp : uint32_t { kWrap, kMirror, kClampLast, kMirrorOnceLast, kClampHalf, kMirrorOnceHalf, kClampBorder, kMirrorOnceBorder };

/// Index i under a clamp mode. The half-way modes reach the border only with a linear filter: a point sample ends at the last texel.
/// Wrap and mirror of sizes that are no power of two are not supported by the chip; the model masks with the next power of two and
/// clamps, which is what an address generator without a divider would do.
inline int32_t wrap_index(int64_t i, uint32_t size, uint32_t mode, bool linear) {
  const int64_t n = size;
  switch (mode & 7u) {
    case kWrap: {
      const int64_t m = i & int64_t(std::bit_ceil(size) - 1);
      return int32_t(m < n ? m : n - 1);
    }
    case kMirror: {
      const int64_t pot = std::bit_ceil(size);
      int64_t m = i & (2 * pot - 1);
      if (m >= pot) m = 2 * pot - 1 - m;
      return int32_t(m < n ? m : n - 1);
    }
    case kMirrorOnceLast:
    case kMirrorOnceHalf:
    case kMirrorOnceBorder:
      if (i < 0) i = -1 - i;
      break;
    default: break;
  }
  if (i >= 0 && i < n) return int32_t(i);
  switch (mode & 7u) {
    case kClampBorder:
    case kMirrorOnceBorder: return kBorder;
    case kClampHalf:
    case kMirrorOnceHalf:
      if (linear) return kBorder;
      break;
    default: break;
  }
  return int32_t(i < 0 ? 0 : n - 1);
}

struct Axis {
  int32_t i0 = 0, i1 = 0;
  uint32_t weight = 0;  ///< of i1, 0..255
};

/// floor of a float that may be anything; beyond 2^40 it saturates, NaN counts as 0.
inline int64_t floor_saturated(double v) {
  constexpr double kLimit = 0x1p40;
  if (!(v > -kLimit)) return v <= -kLimit ? -(int64_t(1) << 40) : 0;
  if (v > kLimit) return int64_t(1) << 40;
  return int64_t(std::floor(v));
}

inline Axis axis_point(float texels, uint32_t size, uint32_t mode) {
  const int32_t i = wrap_index(floor_saturated(double(texels)), size, mode, false);
  return {i, i, 0};
}

inline Axis axis_linear(float texels, uint32_t size, uint32_t mode) {
  int64_t fixed = floor_saturated(double(texels) * 256.0 + 0.5);
  const int64_t end = int64_t(size) * 256;
  if (mode == kMirrorOnceHalf && fixed < 0) fixed = -fixed;
  if (mode == kClampHalf && fixed < 0) fixed = 0;
  if ((mode == kClampHalf || mode == kMirrorOnceHalf) && fixed > end) fixed = end;
  fixed -= 128;
  const int64_t i = fixed >> 8;
  return {wrap_index(i, size, mode, true), wrap_index(i + 1, size, mode, true), uint32_t(fixed & 255)};
}

}  // namespace pumice::hw::tx
