// SPDX-License-Identifier: MIT
/// Axis-aligned textured primitives, drawn by rows (hw/radeon/fast/blit).
#pragma once
#include "hw/radeon/fast/draw/block_simd.h"
#include "hw/radeon/fast/draw/picture_coverage_simd.h"
#include "hw/radeon/fast/draw/tile_walk_simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

/// Coordinates of a row or a column of pixels from `first` on, `groups` of 16: an interpolant that changes in this direction only.
void coordinates(float* out, double origin, double step, float pixel_step, int32_t first, int32_t groups, int32_t unit, int32_t from) {
  for (int32_t block = 0; block < 4 * groups; ++block) {
    const auto base = static_cast<float>(origin + static_cast<double>((first + 4 * block) * unit - from) * step);
    for (int32_t i = 0; i < 4; ++i) out[4 * block + i] = base + static_cast<float>(i) * pixel_step;
  }
}

/// Draws the part of the primitive in the tile by rows (hw/radeon/fast/blit) if its texture coordinates are axis-aligned; else returns
/// false. The same values as those of block(): a step of 0 in the other direction only affects the sign of a zero, which no lookup uses.
bool stretched(const Walk& walk, int32_t tile_x, int32_t tile_y, const output::Rect& box, const Cut* cut, uint32_t cuts) {
  Worker& w = walk.w;
  const Record& r = walk.r;
  const stretch::Plan& plan = *walk.d.picture;
  draw_all_deferred(w);
  ready_planes(walk);
  const raster::Planes& p = w.planes;
  if (p.dy[plan.s] != 0 || p.dx[plan.t] != 0 || p.factor[plan.s] || p.factor[plan.t]) return false;
  stretch::Piece& piece = w.piece;
  piece.x = box.x0 & ~(kLanes - 1);
  piece.y = box.y0 & ~3;
  piece.columns = box.x1 - piece.x;
  piece.rows = box.y1 - piece.y;
  coordinates(piece.s, p.origin[plan.s], p.dx[plan.s], p.step_x[plan.s], piece.x, (piece.columns + 15) / kLanes, r.unit, r.from_x);
  coordinates(piece.t, p.origin[plan.t], p.dy[plan.t], p.step_y[plan.t], piece.y, (piece.rows + 15) / kLanes, r.unit, r.from_y);
  const uint64_t pixels = cover(piece, box, cut, cuts, tile_x, tile_y);
  w.zpass += pixels;
  w.stretched.store(w.stretched.load(std::memory_order_relaxed) + pixels, std::memory_order_relaxed);
  if (pixels) w.stretch(plan, piece);
  return true;
}

}  // namespace
}  // namespace pumice::hw::fast::PUMICE_SIMD
