// SPDX-License-Identifier: MIT
/// Which pixels of a block the depth in memory hides, before they wait for others (BlockDraw::Rejected). What is not sure counts as seen:
/// the routine tests again.
#pragma once
#include "hw/radeon/fast/extended/block_simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {

namespace {

constexpr F16 kLaneX = {0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3};
constexpr F16 kLaneY = {0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3};

/// Depth at the pixels (in_x, in_y) of the block at (px, py), in grid steps from point 0.
F16 depth_of(const PixelArgs& a, const raster::Record& r, double px, double py, F16 in_x, F16 in_y) {
  const auto base = static_cast<float>((r.z + px * r.z_dx) + py * r.z_dy);
  return splat(base) + (in_x * splat(a.z_step_x) + in_y * splat(a.z_step_y));
}

/// The pixels of a block, from rows of memory.
template <class T>
void load_block(T (&to)[kLanes], const std::byte* from, uint32_t pitch) {
  for (uint32_t row = 0; row < 4; ++row, from += pitch)
    for (uint32_t pair = 0; pair < 2; ++pair)
      __builtin_memcpy(&to[8 * (row / 2) + 4 * pair + 2 * (row % 2)], from + 2 * sizeof(T) * pair, 2 * sizeof(T));
}

[[gnu::noinline]] LaneMask hidden(const BlockState& s, const raster::Record& r, int32_t x, int32_t y) {
  const BlockDraw& d = *s.draw;
  const BlockDraw::Rejected& by = d.rejected;
  const std::byte* const first =
      s.depth + static_cast<uint64_t>(y) * d.depth_surface.row_pitch + static_cast<uint64_t>(x) * d.depth_surface.pixel_bytes;
  alignas(64) uint32_t word[kLanes];
  if (d.depth_surface.pixel_bytes == 2) {
    uint16_t half[kLanes];
    load_block(half, first, d.depth_surface.row_pitch);
    for (int l = 0; l < kLanes; ++l) word[l] = half[l];
  } else {
    load_block(word, first, d.depth_surface.row_pitch);
  }
  Lanes stored;
  if (by.is_float)
    __builtin_memcpy(stored.v, word, sizeof stored);
  else
    for (int l = 0; l < kLanes; ++l) stored.v[l] = static_cast<float>(static_cast<int32_t>(word[l] >> by.shift & by.mask));
  const F16 z = depth_of(s.args, r, x * r.unit - r.from_x, y * r.unit - r.from_y, kLaneX, kLaneY);
  const F16 code = min(max(z, splat(0.0f)), splat(1.0f)) * splat(by.scale), there = load(stored), margin = splat(by.margin);
  return bits_of(by.greater ? lt(code, there - margin) : gt(code, there + margin));
}

}  // namespace
}  // namespace pumice::hw::fast::PUMICE_SIMD
