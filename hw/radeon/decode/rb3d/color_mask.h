// SPDX-License-Identifier: MIT
/// The colour mask of a multisampled target (pipeline s.9.4): with CMASK_ENABLE and AA_COMPRESSION_ENABLE each 4x4 block has two bits in
/// the colour mask RAM that encode where its samples are. Choices where the documents are silent: README.md, "Colour mask".
#pragma once
#include <cstdint>

#include "hw/radeon/decode/rb3d/pixel_format.h"
#include "hw/radeon/decode/surface/pixel_access.h"
#include "hw/radeon/regfile/chip_state.h"

namespace pumice::hw::rb3d {

struct ColorMask {
  static constexpr uint32_t kCleared = 0;     ///< all samples read as the clear value; memory contents are undefined
  static constexpr uint32_t kCompressed = 1;  ///< all samples of each pixel are equal; sample 0's memory holds them
  static constexpr uint32_t kExpanded = 3;    ///< memory holds the samples
  static constexpr uint32_t kSide = 4;        ///< pixels of a block, both ways; a dword is 4x4 blocks

  uint32_t* ram = nullptr;  ///< null: no mask, everything is expanded
  uint32_t dwords = 0;      ///< of the RAM; blocks beyond it are expanded
  uint32_t first = 0;       ///< dword of the blocks at (0,0)
  uint32_t row = 0;         ///< dwords between rows of dwords
  PixelBits clear{};        ///< a cleared pixel as the surface holds it
  bool expands = false;     ///< WRITE_COMPRESSION_DISABLE: every block reached by a pixel is expanded

  uint64_t dword_of(uint32_t x, uint32_t y) const { return first + uint64_t{y >> 4} * row + (x >> 4); }
  static uint32_t bit_of(uint32_t x, uint32_t y) { return ((y >> 2 & 3) * 4 + (x >> 2 & 3)) * 2; }
  /// One of the three codes; 2 is reserved and expanded.
  uint32_t code(uint32_t x, uint32_t y) const {
    if (!ram) return kExpanded;
    const uint64_t at = dword_of(x, y);
    const uint32_t code = at < dwords ? ram[at] >> bit_of(x, y) & 3 : kExpanded;
    return code == 2 ? kExpanded : code;
  }
  /// Whether the four blocks of a dword in the row of y all have that code; x is a multiple of 16.
  bool four_are(uint32_t x, uint32_t y, uint32_t code) const {
    const uint64_t at = dword_of(x, y);
    return (at < dwords ? ram[at] >> bit_of(0, y) & 0xFF : kExpanded * 0x55) == code * 0x55;
  }
  /// For a block that is not expanded.
  void set(uint32_t x, uint32_t y, uint32_t code) const {
    uint32_t& word = ram[dword_of(x, y)];
    word = (word & ~(3u << bit_of(x, y))) | code << bit_of(x, y);
  }
};

/// For target `t` with `samples` samples per pixel and that format.
ColorMask color_mask(const ChipState& state, uint32_t t, const PixelFormat& format, uint32_t samples);

/// Called before pixels of the block at (x, y) of a surface with `samples` samples are written. True: write them to sample 0 only, which
/// requires `alike`, i.e. that each written pixel is written with all its samples. False: the block has been expanded.
bool ready_block(const ColorMask& mask, const surface::PixelAccess& pixels, uint32_t samples, Memory& memory, uint32_t x, uint32_t y,
                 bool alike);

}  // namespace pumice::hw::rb3d
