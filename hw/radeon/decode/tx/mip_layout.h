// SPDX-License-Identifier: MIT
/// Layout of a texture's mip levels, cube faces and volume slices after TX_OFFSET (pipeline s.6.3, s.6.6, s.10).
/// Pure arithmetic without registers: the chip derives every level from level 0, so image layouts must follow these rules to the byte.
///
/// The rule:
///   level l has w = max(1, W >> l), h = max(1, H >> l), d = max(1, D >> l) texels (D only for 3D; cubes have 6 faces in every level).
///   1. A level is macro tiled when the surface is and both w and h reach the macro tile's size (>=; > with TX_FILTER1.MACRO_SWITCH);
///      the other levels are macro linear. Micro tiling is the same in all levels. Block formats and 1-bit formats are always linear;
///      16-byte texels have no micro tiling; MICRO 2 (square) is MICRO 1 but for 2-byte texels, MICRO 3 is linear.
///   2. Row: texels_in_row = l == 0 ? (TXPITCH_EN ? TXPITCH + 1 : w) : next_pot(w). (POT images: simply w.)
///      units_in_row = ceil(texels_in_row / block width), a unit being a texel or a 4x4 block. Then rounded up to the tile width of the
///      level's tiling, or, linear, to a multiple of 32 bytes; an explicit TXPITCH is taken as it is, without rounding.
///   3. Rows: texel_rows = (levels > 1 or cube or 3D) ? next_pot(h) : h; unit_rows = ceil(texel_rows / block height), rounded up to the
///      tile height of the level's tiling (1 when linear).
///   4. Layer (face or slice) bytes = row bytes * unit_rows. The layers of a level follow one another: face +X -X +Y -Y +Z -Z, slice
///   0..d-1.
///   5. A level starts where the one before ends, rounded up to 32 bytes. Level 0 is at TX_OFFSET.
#pragma once
#include <array>
#include <bit>
#include <cstdint>

namespace pumice::hw::tx {

struct MipInput {
  uint32_t width = 1, height = 1, depth = 1;  ///< texels of level 0; depth 1 unless 3D
  bool is_cube = false, is_3d = false;
  bool has_mips = false;        ///< NUM_LEVELS (index of the coarsest level) > 0
  uint32_t pitch = 0;           ///< texels of a row of level 0 when TXPITCH_EN, else 0
  uint32_t bits_per_unit = 32;  ///< of a texel or of a 4x4 block
  uint32_t block = 1;           ///< 4 for block formats
  bool macro_tiled = false;
  uint8_t micro = 0;          ///< 0 linear, 1 tiled, 2 square
  bool macro_switch = false;  ///< TX_FILTER1.MACRO_SWITCH
};

struct MipLevel {
  uint64_t offset = 0;  ///< bytes from TX_OFFSET
  uint32_t width = 1, height = 1, depth = 1;
  uint32_t pitch = 1, rows = 1;  ///< units
  uint64_t layer_bytes = 0;
  uint32_t layers = 1;
  bool macro_tiled = false;
};

struct TileSize {
  uint32_t width, height;  ///< pixels
};

/// Smallest tile of a tiling (pipeline s.10 table), `micro` as micro_of() gives it.
constexpr TileSize tile_size(uint32_t bytes_per_pixel, bool macro, uint32_t micro) {
  // [log2 bytes][macro][micro]
  constexpr TileSize kTable[5][2][3] = {
      {{{32, 1}, {8, 4}, {8, 4}}, {{256, 8}, {64, 32}, {64, 32}}}, {{{16, 1}, {8, 2}, {4, 4}}, {{128, 8}, {64, 16}, {32, 32}}},
      {{{8, 1}, {4, 2}, {4, 2}}, {{64, 8}, {32, 16}, {32, 16}}},   {{{4, 1}, {2, 2}, {2, 2}}, {{32, 8}, {16, 16}, {16, 16}}},
      {{{2, 1}, {2, 1}, {2, 1}}, {{16, 8}, {16, 8}, {16, 8}}},
  };
  return kTable[std::countr_zero(bytes_per_pixel | 16u)][macro][micro];
}

constexpr uint32_t round_up(uint32_t v, uint32_t to) { return (v + to - 1) / to * to; }
constexpr uint32_t minify(uint32_t v, uint32_t level) { return v >> level ? v >> level : 1u; }

/// Block formats and 1-bit formats are linear regardless of the registers.
constexpr bool can_tile(const MipInput& in) { return in.block == 1 && in.bits_per_unit >= 8; }
constexpr uint32_t micro_of(const MipInput& in) {
  if (!can_tile(in) || in.bits_per_unit == 128 || in.micro == 3) return 0;
  return in.micro == 2 && in.bits_per_unit != 16 ? 1u : in.micro;
}

/// The layout of level `l` except its offset.
constexpr MipLevel level_shape(const MipInput& in, uint32_t l) {
  MipLevel out;
  out.width = minify(in.width, l);
  out.height = minify(in.height, l);
  out.depth = in.is_3d ? minify(in.depth, l) : 1u;
  const uint32_t micro = micro_of(in);
  if (can_tile(in) && in.macro_tiled) {
    const TileSize macro = tile_size(in.bits_per_unit / 8, true, micro);
    out.macro_tiled =
        in.macro_switch ? out.width > macro.width && out.height > macro.height : out.width >= macro.width && out.height >= macro.height;
  }
  const bool explicit_pitch = l == 0 && in.pitch != 0;
  const uint32_t texels = explicit_pitch ? in.pitch : l == 0 ? out.width : std::bit_ceil(out.width);
  const bool pot_rows = in.has_mips || in.is_cube || in.is_3d;
  const uint32_t texel_rows = pot_rows ? std::bit_ceil(out.height) : out.height;
  out.pitch = (texels + in.block - 1) / in.block;
  out.rows = (texel_rows + in.block - 1) / in.block;
  TileSize align{256 / in.bits_per_unit, 1};  // 32 bytes of units
  if (micro != 0 || out.macro_tiled) align = tile_size(in.bits_per_unit / 8, out.macro_tiled, micro);
  if (!explicit_pitch) out.pitch = round_up(out.pitch, align.width);
  out.rows = round_up(out.rows, align.height);
  out.layer_bytes = (uint64_t(out.pitch) * in.bits_per_unit + 7) / 8 * out.rows;
  out.layers = in.is_cube ? 6u : out.depth;
  return out;
}

constexpr MipLevel mip_level(const MipInput& in, uint32_t l) {
  uint64_t offset = 0;
  for (uint32_t i = 0; i < l; ++i) {
    const MipLevel m = level_shape(in, i);
    offset = (offset + m.layer_bytes * m.layers + 31) & ~uint64_t(31);
  }
  MipLevel out = level_shape(in, l);
  out.offset = offset;
  return out;
}

}  // namespace pumice::hw::tx
