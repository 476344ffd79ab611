// SPDX-License-Identifier: MIT
/// Where levels, faces and slices of an image lie. The chip derives a texture's levels from its first one, so this restates its rule
/// (hw/radeon/decode/tx/mip_layout.h, linear surfaces); tests/vk compares both.
///   Rows of level 0 hold w units, of later levels next_pot(w); rows are rounded up to 32 bytes.
///   A level of an image with levels, faces or slices has next_pot(h) rows, else h.
///   Of several samples (2D, one level) row s of every n is sample s: rows y*n + s of a surface n times as high.
///   Their rows are rounded up to four: the masks write whole blocks.
///   In microtiles rows hold a multiple of 16 pixels, and there is a multiple of four rows.
///   Faces (slices) of a level follow one another; a level begins at the next 32 bytes.
#pragma once
#include <array>
#include <cstdint>

namespace pumice::icd {

struct LayoutInput {
  uint32_t width = 1, height = 1, depth = 1, levels = 1;
  bool cube = false, volume = false;
  uint32_t bytes_per_unit = 4;                 ///< per pixel or block
  uint32_t block_width = 1, block_height = 1;  ///< texels of a unit
  uint32_t samples = 1;
  bool drawn_to = false;     ///< a target, whose rows may be any distance apart
  bool micro_tiled = false;  ///< depth the chip alone sees, in microtiles: whole tiles of the Z mask, 16 pixels wide
};

struct LevelLayout {
  uint64_t offset = 0;
  uint32_t pitch_units = 0, rows = 0;
  uint32_t pitch_bytes = 0;
  uint64_t layer_bytes = 0;  ///< of a face or slice
};

struct ImageLayout {
  std::array<LevelLayout, 15> level{};
  uint64_t bytes = 0;
  uint32_t samples = 1;
};

ImageLayout make_layout(const LayoutInput& in);
/// One layer of an image of r5x, all levels; layers follow one another (docs/r5x.md, 4.1). Every row begins at a multiple of 64 bytes.
/// Rows of multisampled images, and those of 1024 bytes and more of targets, are an odd multiple of 64 bytes apart.
ImageLayout make_r5x_layout(const LayoutInput& in);

}  // namespace pumice::icd
