// SPDX-License-Identifier: MIT
/// Primitives of one colour in a tile, without depth: row by row from the first pixel to the last, no blocks.
#pragma once
#include "hw/radeon/fast/draw/tile_walk_simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

/// What 16 rows of a tile have of a primitive: from..end, counted from the tile's left side; nothing when end <= from.
struct Spans {
  alignas(64) int32_t from[kLanes], end[kLanes];
};

/// Pixels with a * x + v >= 0. Values are below 2^30, so quotients in double are on the right side of every integer.
PUMICE_INLINE void cut_spans(Spans& s, const Cut& cut, int32_t row) {
  const int32_t divisor = cut.a < 0 ? -cut.a : cut.a;
  alignas(64) int32_t value[kLanes], quotient[kLanes];
  for (int32_t i = 0; i < kLanes; ++i) value[i] = cut.value + cut.b * (row + i);
  if (divisor == 0) {
    for (int32_t i = 0; i < kLanes; ++i) s.end[i] = value[i] < 0 ? s.from[i] : s.end[i];
    return;
  }
  for (int32_t i = 0; i < kLanes; ++i) {
    const auto q = static_cast<int32_t>(static_cast<double>(value[i]) / static_cast<double>(divisor));
    quotient[i] = q - (q * divisor > value[i]);
  }
  if (cut.a > 0)
    for (int32_t i = 0; i < kLanes; ++i) s.from[i] = s.from[i] > -quotient[i] ? s.from[i] : -quotient[i];
  else
    for (int32_t i = 0; i < kLanes; ++i) s.end[i] = s.end[i] < quotient[i] + 1 ? s.end[i] : quotient[i] + 1;
}

/// For draws with Draw::rows, after fills(). `box`: of the primitive, in the tile.
void fill_spans(Worker& w, const Draw& d, int32_t tile_x, int32_t tile_y, const output::Rect& box, const Cut* cut, uint32_t cuts) {
  for (int32_t y = box.y0; y < box.y1; y += kLanes) {
    Spans s;
    for (int32_t i = 0; i < kLanes; ++i) s.from[i] = box.x0 - tile_x, s.end[i] = box.x1 - tile_x;
    for (uint32_t e = 0; e < cuts; ++e) cut_spans(s, cut[e], y - tile_y);
    // Edges whose values at the end of the tile's rows are on the other side have spans far outside.
    w.zpass += output::fill_spans(*d.output, w.fill, tile_x, y, box.y1 - y < kLanes ? box.y1 - y : kLanes, s.from, s.end);
  }
}

}  // namespace
}  // namespace pumice::hw::fast::PUMICE_SIMD
