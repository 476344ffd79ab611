// SPDX-License-Identifier: MIT
/// Surface addressing, pipeline s.10. A microtile is 32 bytes; a macrotile is 2048 bytes: 4 x 8 units of 64 bytes whose order is
/// permuted by the parity of the macrotile's column and row (bank and channel swizzle).
#include "hw/radeon/decode/surface/surface.h"

#include "hw/radeon/decode/surface/span.h"

namespace pumice::hw::surface {
namespace {

constexpr uint32_t kUnitsX = 4, kUnitsY = 8;

struct Extent {
  uint32_t width, height;
};

/// Microtile in pixels. 16-byte pixels have none (2x1 is what 32 linear bytes hold). The square form exists for 2-byte pixels only;
/// elsewhere its code acts as the plain one (UNCONFIRMED).
Extent microtile(uint32_t bytes_per_pixel, uint8_t micro) {
  switch (bytes_per_pixel) {
    case 1: return {8, 4};
    case 2: return micro == 2 ? Extent{4, 4} : Extent{8, 2};
    case 4: return {4, 2};
    case 8: return {2, 2};
    default: return {2, 1};
  }
}

uint32_t bit(uint64_t v, int n) { return uint32_t(v >> n) & 1u; }

uint64_t in_macrotile(uint64_t ux, uint64_t uy) {
  return (bit(uy, 2) ^ bit(ux, 2)) << 10 | (bit(uy, 3) ^ bit(ux, 1)) << 9 | (bit(uy, 1) ^ bit(ux, 1)) << 8 |
         (bit(uy, 2) ^ bit(ux, 0)) << 7 | bit(uy, 0) << 6;
}

}  // namespace

uint64_t offset(const Layout& layout, uint32_t x, uint32_t y) {
  const uint64_t bpp = layout.bytes_per_pixel;
  const uint64_t pitch_bytes = layout.pitch_px * bpp;
  const bool micro = (layout.micro == 1 || layout.micro == 2) && bpp <= 8;  // 3 is reserved: linear
  if (!micro && !layout.macro_tiled) return y * pitch_bytes + x * bpp;

  // The position as 64-byte units plus a byte inside. Pixels are row-wise inside a microtile (UNCONFIRMED for 1 and 8 bytes, square).
  uint64_t ux, uy, inner;
  if (micro) {
    const Extent tile = microtile(layout.bytes_per_pixel, layout.micro);
    const uint64_t mx = x / tile.width, my = y / tile.height;
    const uint64_t in_tile = ((y % tile.height) * tile.width + x % tile.width) * bpp;
    if (!layout.macro_tiled) {
      const uint64_t tiles_per_row = (layout.pitch_px + tile.width - 1) / tile.width;
      return (my * tiles_per_row + mx) * kMicrotileBytes + in_tile;
    }
    ux = mx >> 1;
    uy = my;
    inner = (mx & 1) * kMicrotileBytes + in_tile;
  } else {
    ux = (x * bpp) >> 6;
    uy = y;
    inner = (x * bpp) & 63;
  }
  const uint32_t unit_width = micro ? 2 * microtile(layout.bytes_per_pixel, layout.micro).width : uint32_t(64 / bpp);
  const uint64_t macro_width = uint64_t(unit_width) * kUnitsX;
  const uint64_t macrotiles_per_row = (layout.pitch_px + macro_width - 1) / macro_width;
  const uint64_t macro_x = ux / kUnitsX, macro_y = uy / kUnitsY;
  return (macro_y * macrotiles_per_row + macro_x) * kMacrotileBytes + in_macrotile(ux, uy) + inner;
}

bool rows_of_four(const Layout& layout) { return layout.bytes_per_pixel != 8 || (layout.micro != 1 && layout.micro != 2); }

void block_rows(const Layout& layout, uint32_t x, uint32_t y, uint64_t (&out)[4]) {
  for (uint32_t i = 0; i < 4; ++i) out[i] = offset(layout, x, y + i);
}

}  // namespace pumice::hw::surface
