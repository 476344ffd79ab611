// SPDX-License-Identifier: MIT
/// Where a pixel of a linear or tiled surface lies (pipeline s.10). Shared by TX, ZB and RB3D.
#pragma once
#include <cstdint>

namespace pumice::hw::surface {

struct Layout {
  uint32_t pitch_px = 0;
  uint32_t bytes_per_pixel = 4;  ///< 1, 2, 4, 8, 16
  bool macro_tiled = false;
  uint8_t micro = 0;  ///< 0 linear, 1 tiled, 2 square (16 bpp only)
};

/// Byte offset of pixel (x, y) from the surface's base.
uint64_t offset(const Layout& layout, uint32_t x, uint32_t y);

}  // namespace pumice::hw::surface
