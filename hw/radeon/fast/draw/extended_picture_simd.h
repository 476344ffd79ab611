// SPDX-License-Identifier: MIT
/// Axis-aligned primitives of extended draws whose pixels are texels (hw/radeon/fast/extended/picture.h), drawn by rows.
#pragma once
#include "hw/radeon/decode/tx/address.h"
#include "hw/radeon/fast/draw/picture_coverage_simd.h"
#include "hw/radeon/fast/extended/picture.h"
#include "hw/radeon/fast/extended/pixel_block.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

/// A varying along a row or a column of pixels, which does not change in the other direction: the values of the pixel routine
/// (PixelCode::component), for `groups` of 16 from `first` on.
void varying_along(float* out, const raster::Record& r, const extended::BlockState& s, uint32_t plane, bool down, int32_t first,
                   int32_t groups) {
  const double origin = s.planes.origin[plane], step = down ? s.planes.dy[plane] : s.planes.dx[plane];
  const float pixel_step = down ? s.args.step_y[plane] : s.args.step_x[plane];
  const bool linear = s.draw->linear[plane] != 0;
  const float w = 1.0f / static_cast<float>(s.planes.w), value = r.values()[plane];
  for (int32_t block = 0; block < 4 * groups; ++block) {
    const auto base = static_cast<float>(origin + static_cast<double>((first + 4 * block) * r.unit - (down ? r.from_y : r.from_x)) * step);
    for (int32_t i = 0; i < 4; ++i) {
      const float v = __builtin_fmaf(static_cast<float>(i), pixel_step, base);
      out[4 * block + i] = linear ? v : __builtin_fmaf(v, w, value);
    }
  }
}

/// Whether the texels of all `count` coordinates lie in the image.
bool all_inside(const float* coordinate, int32_t count, float extent, bool linear) {
  const float least = linear ? 0.5f : 0.0f, most = linear ? extent - 0.5f : extent;
  for (int32_t i = 0; i < count; ++i) {
    const float u = coordinate[i] * extent;
    if (!(u >= least && (linear ? u <= most : u < most))) return false;
  }
  return true;
}

/// Whether level of detail is negative for all quads along the coordinates, in `groups` of 16: steps in the other direction are 0.
bool all_magnified(const float* coordinate, int32_t groups, float extent) {
  constexpr float kMostTexels = 0.97f;  // less than 1 texel per pixel, by more than the error of lambda
  bool all = true;
  for (int32_t i = 0; i < kLanes * groups; i += 2) all &= __builtin_fabsf((coordinate[i + 1] - coordinate[i]) * extent) <= kMostTexels;
  return all;
}

using Outside = extended::Picture::Outside;

/// LevelTable::wrap and Unit::clamp of an axis.
int32_t wrap_of(Outside outside, int32_t last) {
  return outside == Outside::repeat ? last : outside == Outside::mirror ? 2 * last + 1 : -1;
}
uint8_t clamp_of(Outside outside) {
  switch (outside) {
    case Outside::repeat: return hw::tx::kWrap;
    case Outside::mirror: return hw::tx::kMirror;
    case Outside::mirror_once: return hw::tx::kMirrorOnceLast;
    case Outside::border: return hw::tx::kClampBorder;
    default: return hw::tx::kClampLast;
  }
}

/// Draws the part of the primitive in the tile; false: blocks must. Not inlined: most draws have no use for it.
__attribute__((noinline)) bool pictured(Worker& w, const raster::Record& r, const output::Rect& box, const Cut* cut, uint32_t cuts,
                                        int32_t tile_x, int32_t tile_y) {
  extended::BlockState& s = *w.blocks;
  kBlockRoutines.settle(s);
  if (s.record != &r) kBlockRoutines.begin(s, r);
  const extended::Picture& picture = *s.picture;
  if (!s.now || r.draw->feeds_back || !s.draw->counts_covered) return false;
  if (box.x1 > picture.width || box.y1 > picture.height) return false;
  const extended::Planes& p = s.planes;
  if (p.dy[picture.s] != 0 || p.dx[picture.t] != 0) return false;
  const bool straight = s.draw->linear[picture.s] && s.draw->linear[picture.t];
  if (!straight && (p.w_dx != 0 || p.w_dy != 0)) return false;
  stretch::Piece& piece = w.piece;
  piece.x = box.x0 & ~(kLanes - 1), piece.y = box.y0 & ~3;
  piece.columns = box.x1 - piece.x, piece.rows = box.y1 - piece.y;
  const int32_t groups_x = (piece.columns + kLanes - 1) / kLanes, groups_y = (piece.rows + kLanes - 1) / kLanes;
  varying_along(piece.s, r, s, picture.s, false, piece.x, groups_x);
  varying_along(piece.t, r, s, picture.t, true, piece.y, groups_y);
  const extended::PictureTexture& texture = s.picture_texture;
  if (picture.magnified &&
      (texture.min_lod > 0 || !all_magnified(piece.s, groups_x, texture.extent[0]) || !all_magnified(piece.t, groups_y, texture.extent[1])))
    return false;
  const int32_t left = box.x0 - piece.x, above = box.y0 - piece.y;
  if (picture.outside[0] == Outside::never && !all_inside(piece.s + left, piece.columns - left, texture.extent[0], picture.linear))
    return false;
  if (picture.outside[1] == Outside::never && !all_inside(piece.t + above, piece.rows - above, texture.extent[1], picture.linear))
    return false;
  const uint64_t pixels = cover(piece, box, cut, cuts, tile_x, tile_y);
  s.zpass += pixels;
  if (s.counts_runs && !s.draw->runs_passed) s.runs += pixels;
  w.stretched.store(w.stretched.load(std::memory_order_relaxed) + pixels, std::memory_order_relaxed);
  if (!pixels) return true;
  tx::Unit& unit = *w.picture_unit;
  unit.base = reinterpret_cast<const char*>(texture.base);
  unit.level.pitch[0] = texture.pitch;
  unit.border_raw = picture.border;
  for (int axis = 0; axis < 2; ++axis) {
    unit.level.scale[0][axis][0] = texture.extent[axis];
    unit.level.last[axis][0] = texture.last[axis];
    unit.level.wrap[axis][0] = wrap_of(picture.outside[axis], texture.last[axis]);
    unit.clamp[axis] = clamp_of(picture.outside[axis]);
  }
  stretch::Plan plan;
  plan.unit = &unit;
  plan.linear = picture.linear, plan.halves_up = true;
  plan.swizzled = picture.swizzled;
  __builtin_memcpy(plan.order, picture.order, sizeof plan.order);
  plan.keep = picture.keep, plan.set = picture.set;
  plan.target = s.color[0];
  plan.pitch = s.draw->color[0].row_pitch;
  w.stretch(plan, piece);
  return true;
}

}  // namespace
}  // namespace pumice::hw::fast::PUMICE_SIMD
