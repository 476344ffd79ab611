// SPDX-License-Identifier: MIT
/// Fast fill, pipeline s.8.1: two bits of the Z mask RAM for each tile of 4x4 (or 8x8) pixels. 00: the tile is cleared, its pixels read as
/// ZB_DEPTHCLEARVALUE and memory is undefined; all other codes: memory holds the pixels. Choices where the documents are silent: README.md.
#pragma once
#include <cstdint>

namespace pumice::hw::zb {

struct FastFill {
  static constexpr uint32_t kExpanded = 3;

  uint32_t* ram = nullptr;   ///< null: fast fill is off
  uint32_t dwords = 0;       ///< of the RAM; tiles beyond it are not covered: memory holds them
  uint32_t first = 0;        ///< dword of the tiles at (0,0)
  uint32_t row = 0;          ///< dwords between rows of dwords
  uint32_t shift = 2;        ///< log2 of a tile's side; a dword is 4x4 tiles
  uint32_t clear = 0;        ///< a cleared pixel as the buffer holds it
  bool expands_all = false;  ///< each tile reached by a pixel is expanded, regardless of the result of its tests

  bool operator==(const FastFill&) const = default;
  uint32_t side() const { return 1u << shift; }
  /// Positions in the surface.
  uint64_t dword_of(uint32_t x, uint32_t y) const { return first + uint64_t{y >> (shift + 2)} * row + (x >> (shift + 2)); }
  uint32_t bit_of(uint32_t x, uint32_t y) const { return ((y >> shift & 3) * 4 + (x >> shift & 3)) * 2; }
  bool cleared(uint32_t x, uint32_t y) const {
    if (!ram) return false;
    const uint64_t at = dword_of(x, y);
    return at < dwords && (ram[at] >> bit_of(x, y) & 3) == 0;
  }
  /// For a tile that is cleared.
  void mark_expanded(uint32_t x, uint32_t y) const { ram[dword_of(x, y)] |= kExpanded << bit_of(x, y); }
};

}  // namespace pumice::hw::zb
