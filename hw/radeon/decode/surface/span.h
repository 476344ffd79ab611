// SPDX-License-Identifier: MIT
/// The byte range of a rectangle of a surface: whole tiles if it is tiled (pipeline s.10).
#pragma once
#include "hw/radeon/decode/surface/surface.h"

namespace pumice::hw::surface {

inline constexpr uint64_t kMacrotileBytes = 2048, kMicrotileBytes = 32;

/// Bytes of the smallest contiguous unit: a tile, or one pixel of a linear surface. The reserved microtile code 3 is linear.
constexpr uint64_t tile_bytes(const Layout& layout) {
  if (layout.macro_tiled) return kMacrotileBytes;
  return layout.micro == 1 || layout.micro == 2 ? kMicrotileBytes : layout.bytes_per_pixel;
}

/// From the surface's base.
struct Span {
  uint64_t begin = 0, end = 0;
};
/// The pixels x0 <= x < x1, y0 <= y < y1, at least one, in rows that do not overlap.
inline Span span_of(const Layout& layout, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1) {
  // The tiles of the first and the last pixel are the first and the last ones of the rectangle.
  const uint64_t tile = tile_bytes(layout);
  return {offset(layout, x0, y0) / tile * tile, offset(layout, x1 - 1, y1 - 1) / tile * tile + tile};
}

}  // namespace pumice::hw::surface
