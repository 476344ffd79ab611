// SPDX-License-Identifier: MIT
#include "icd/image_layout.h"

#include <algorithm>
#include <bit>

namespace pumice::icd {

ImageLayout make_layout(const LayoutInput& in) {
  ImageLayout out;
  out.samples = in.samples;
  uint64_t at = 0;
  const bool pot_rows = in.levels > 1 || in.cube || in.volume;
  for (uint32_t l = 0; l < in.levels && l < out.level.size(); ++l) {
    LevelLayout& level = out.level[l];
    const uint32_t w = std::max(1u, in.width >> l), h = std::max(1u, in.height >> l), d = in.volume ? std::max(1u, in.depth >> l) : 1u;
    const uint32_t texels = l == 0 ? w : std::bit_ceil(w), rows = pot_rows ? std::bit_ceil(h) : h;
    const uint32_t align = in.micro_tiled ? 16 : std::max(1u, 32 / in.bytes_per_unit);
    level.pitch_units = ((texels + in.block_width - 1) / in.block_width + align - 1) / align * align;
    level.rows = in.micro_tiled || in.samples > 1 ? (rows + 3) & ~3u : (rows + in.block_height - 1) / in.block_height;
    level.rows *= in.samples;
    level.pitch_bytes = level.pitch_units * in.bytes_per_unit;
    level.layer_bytes = static_cast<uint64_t>(level.pitch_bytes) * level.rows;
    level.offset = at;
    at = (at + level.layer_bytes * (in.cube ? 6u : d) + 31) & ~uint64_t{31};
  }
  out.bytes = at;
  return out;
}

ImageLayout make_r5x_layout(const LayoutInput& in) {
  constexpr uint32_t kAlign = 64;
  constexpr uint32_t kWorthPadding = 1024;  // 6 % more memory
  ImageLayout out;
  out.samples = in.samples;
  uint64_t at = 0;
  for (uint32_t l = 0; l < in.levels && l < out.level.size(); ++l) {
    LevelLayout& level = out.level[l];
    const uint32_t w = std::max(1u, in.width >> l), h = std::max(1u, in.height >> l), d = in.volume ? std::max(1u, in.depth >> l) : 1u;
    level.pitch_bytes = ((w + in.block_width - 1) / in.block_width * in.bytes_per_unit + kAlign - 1) / kAlign * kAlign;
    // Samples of a block lie in as many rows, and a tile has 64 of them: an odd number of cache lines apart they are in different
    // sets of the caches. The chip derives the rows of further levels from the extent.
    if (in.samples > 1 || (in.drawn_to && l == 0 && level.pitch_bytes >= kWorthPadding)) level.pitch_bytes |= kAlign;
    level.pitch_units = level.pitch_bytes / in.bytes_per_unit;
    level.rows = (h + in.block_height - 1) / in.block_height * in.samples;
    level.layer_bytes = uint64_t{level.pitch_bytes} * level.rows;
    level.offset = at;
    at += level.layer_bytes * d;
  }
  out.bytes = at;
  return out;
}

}  // namespace pumice::icd
