// SPDX-License-Identifier: MIT
/// Texel addresses of the columns and rows of a piece: hw/radeon/decode/tx/address.h on vectors of coordinates. Included by SIMD files
/// only.
#pragma once
#include "hw/common/simd/simd.h"
#include "hw/radeon/fast/blit/stretch.h"
#include "hw/radeon/fast/texture/address_simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

using stretch::kColumns;

constexpr int32_t kBorder = -1;

/// Texels by column (or row): the one at the coordinate, or the two that the linear filter reads, and the weight of the second in 1/256.
/// If the weight is 0 both are the first.
struct alignas(64) Places {
  int32_t first[kColumns], second[kColumns], weight[kColumns];
};

template <bool kLinear>
PUMICE_INLINE void find_places(const stretch::Plan& plan, int axis, const float* coordinate, int32_t count, Places& out) {
  const tx::Unit& u = *plan.unit;
  const float scale = u.level.scale[plan.unscaled][axis][u.finest];
  const I16 last = splat(u.level.last[axis][u.finest]), wrap = splat(u.level.wrap[axis][u.finest]);
  const auto place = [&](I16 i) __attribute__((always_inline)) {
    const Index at = index_of<false>(i, last, wrap, u.clamp[axis]);
    return select(at.border, splat(kBorder), at.i);
  };
  for (int32_t k = 0; k < count; k += kLanes) {
    const F16 texels = load_unaligned<F16>(coordinate + k) * scale;
    if constexpr (kLinear) {
      const I16 position = linear_position(texels), whole = position >> 8, weight = position & 255;
      const I16 first = place(whole);
      store_unaligned(out.first + k, first);
      store_unaligned(out.second + k, select(eq(weight, splat(0)), first, place(whole + 1)));
      store_unaligned(out.weight + k, weight);
    } else {
      store_unaligned(out.first + k, place(point_index(texels)));
    }
  }
}

/// A row of the image's finest level; null: the border.
PUMICE_INLINE const char* image_row(const tx::Unit& u, int32_t row) {
  return row == kBorder ? nullptr
                        : u.base + u.level.offset[u.finest] + static_cast<uint64_t>(static_cast<uint32_t>(row)) * u.level.pitch[u.finest];
}
PUMICE_INLINE uint32_t texel_in(const tx::Unit& u, const char* row, int32_t column) {
  return row && column != kBorder ? load_unaligned<uint32_t>(row + 4 * column) : u.border_raw;
}

}  // namespace
}  // namespace pumice::hw::fast::PUMICE_SIMD
