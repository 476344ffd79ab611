// SPDX-License-Identifier: MIT
/// Which pixels of a piece (hw/radeon/fast/blit) a primitive covers.
#pragma once
#include "hw/radeon/fast/draw/sample_coverage_simd.h"
#include "hw/radeon/fast/draw/tile_walk_simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

/// Sets Piece::covered of the rows from the pixels of `box` that lie inside all edges. Returns how many there are.
uint64_t cover(stretch::Piece& piece, const output::Rect& box, const Cut* cut, uint32_t cuts, int32_t tile_x, int32_t tile_y) {
  const uint64_t in_box = ~uint64_t{0} >> (stretch::kColumns - piece.columns) & ~uint64_t{0} << (box.x0 - piece.x);
  uint64_t pixels = 0;
  for (int32_t row = 0; row < piece.rows; ++row) {
    const int32_t y = piece.y + row;
    uint64_t covered = y < box.y0 ? 0 : in_box;
    for (uint32_t e = 0; e < cuts && covered; ++e) {
      const I16 along = kLaneIndex * cut[e].a;
      const int32_t value = cut[e].value + cut[e].a * (piece.x - tile_x) + cut[e].b * (y - tile_y);
      for (int32_t x = 0; x < piece.columns; x += kLanes)
        covered &= ~(static_cast<uint64_t>(bits_of(lt(splat(value + cut[e].a * x) + along, splat(0)))) << x);
    }
    piece.covered[row] = covered;
    pixels += static_cast<uint64_t>(std::popcount(covered));
  }
  return pixels;
}

}  // namespace
}  // namespace pumice::hw::fast::PUMICE_SIMD
