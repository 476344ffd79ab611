// SPDX-License-Identifier: MIT
/// Values derived when a tile descriptor is written (docs/reference/rdp.md section 5).
#include "hw/rdp/ref/state.h"

#include <algorithm>

namespace pumice::hw::rdp {

void TileAxis::set_mask(uint32_t clamp_bit, uint32_t mirror_on, uint32_t mask_field, uint32_t shift_field) {
  clamp = clamp_bit || mask_field == 0;
  mirror = mirror_on;
  mask = mask_field;
  shift = shift_field;
  mask_bits = ((1u << mask_field) - 1) & 0x3FF;
  mirror_bit = std::min(mask_field, 10u);
}

void TileAxis::set_range(uint32_t l, uint32_t h) {
  low = l;
  high = h;
  extent = ((h >> 2) - (l >> 2)) & 0x3FF;
}

}  // namespace pumice::hw::rdp
