// SPDX-License-Identifier: MIT
/// Addressing of pixels in linear and tiled surfaces (pipeline s.10). Shared by TX, ZB and RB3D.
#pragma once
#include <cstdint>

namespace pumice::hw::surface {

struct Layout {
  uint32_t pitch_px = 0;
  uint32_t bytes_per_pixel = 4;  ///< 1, 2, 4, 8, 16
  bool macro_tiled = false;
  uint8_t micro = 0;  ///< 0 linear, 1 tiled, 2 square (16 bpp only)
  bool tiled() const { return macro_tiled || micro != 0; }
};

/// Byte offset of pixel (x, y) from the surface's base.
uint64_t offset(const Layout& layout, uint32_t x, uint32_t y);

/// True when four horizontally adjacent pixels, the first at a multiple of four, are contiguous in memory: all layouts except microtiles of
/// 8-byte pixels.
bool rows_of_four(const Layout& layout);
/// Offsets of the four rows of the 4x4 block at (x, y), both multiples of four. For layouts with rows_of_four().
void block_rows(const Layout& layout, uint32_t x, uint32_t y, uint64_t (&out)[4]);

}  // namespace pumice::hw::surface
