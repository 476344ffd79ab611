// SPDX-License-Identifier: MIT
/// Surfaces of the 2D engine (cp-pm4 s.4: PITCH_OFFSET), linear or with the tiles of pipeline s.10.
#pragma once
#include <cstdint>

#include "hw/radeon/decode/surface/surface.h"
#include "hw/radeon/footprint/copy.h"

namespace pumice::hw {

struct Surface2d : footprint::Linear {
  surface::Layout tiles;  ///< of a tiled surface; else not set

  bool tiled() const { return tiles.tiled(); }
  /// Fixes the pixel size. False: such pixels have no tiles in any document.
  bool pixels(uint32_t pixel_bytes) {
    bytes = pixel_bytes;
    if (!tiled()) return true;
    tiles.bytes_per_pixel = pixel_bytes;
    tiles.pitch_px = static_cast<uint32_t>(pitch / pixel_bytes);
    return pixel_bytes != 3;
  }
  uint64_t address(uint32_t x, uint32_t y) const {
    return tiled() ? base + surface::offset(tiles, x, y) : base + y * pitch + uint64_t{x} * bytes;
  }
  /// The memory that holds a rectangle; of a tiled surface all of the tiles in its rows, and in the rows that an x beyond the pitch
  /// continues in.
  Rows memory(uint32_t x, uint32_t y, uint32_t width, uint32_t height) const {
    if (!tiled()) return footprint::rows(*this, x, y, width, height);
    constexpr uint64_t kRows = 32;     // a multiple of every tile's height
    constexpr uint64_t kWidest = 256;  // bytes of a tile in a row, at most: a pitch counts whole tiles
    const uint64_t row = (pitch + kWidest - 1) / kWidest * kWidest;
    const uint64_t first = y / kRows * kRows, end = (y + height + kRows - 1) / kRows * kRows;
    const uint64_t beyond = pitch ? (uint64_t{x} + width) * bytes / pitch + 1 : 1;
    return {base + first * pitch, (end - first + beyond * kRows) * row + first * (row - pitch), 0, 1};
  }
};

}  // namespace pumice::hw
