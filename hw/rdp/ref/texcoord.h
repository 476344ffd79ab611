// SPDX-License-Identifier: MIT
/// Texture coordinates: perspective divide, clamp, and placement in a tile (docs/reference/rdp.md section 10).
#pragma once
#include "hw/rdp/ref/span.h"
#include "hw/rdp/ref/state.h"

namespace pumice::hw::rdp {

/// 17-bit coordinates with the divider's two range flags.
struct DividedCoord {
  static constexpr uint32_t kUnder = 0x20000, kOver = 0x40000;
  uint32_t s = 0, t = 0;
};

DividedCoord divide(const TexPosition& p, bool perspective);

/// 17 bits and flags -> s10.5.
int32_t clamp_coord(uint32_t v);

/// Position of a texel in one axis of a tile.
struct TexelAxis {
  int32_t index = 0;     // texel, after clamp, mirror and mask
  int32_t fraction = 0;  // 5 bits
  int32_t next = 0;      // offset of the neighbour
};

/// Shift, relative, clamp, mask. `wrap_mask` limits how far the neighbour jumps back when wrapping (0xFF for t).
TexelAxis place(const TileAxis& axis, int32_t coord, int32_t wrap_mask);

/// Copy mode: shift and relative only; the texel's index is not masked yet.
int32_t place_copy(const TileAxis& axis, int32_t coord);
int32_t mask_index(const TileAxis& axis, int32_t index);

}  // namespace pumice::hw::rdp
