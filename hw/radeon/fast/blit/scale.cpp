// SPDX-License-Identifier: MIT
/// See scale.h: the source becomes a texture unit's state, the destination pieces of at most 64 columns and rows.
#include "hw/radeon/fast/blit/scale.h"

#include <algorithm>

#include "hw/common/simd/flush.h"
#include "hw/radeon/decode/tx/address.h"
#include "hw/radeon/fast/blit/stretch.h"

namespace pumice::hw::fast {

namespace {

void set_axis(tx::Unit& u, int axis, uint32_t size) {
  u.level.scale[0][axis][0] = 1;
  u.level.last[axis][0] = static_cast<int32_t>(size) - 1;
  u.level.wrap[axis][0] = -1;
  u.clamp[axis] = hw::tx::kClampLast;
}

/// Values of columns or rows from `first` on; whole groups of 16.
void coordinates(float* out, float origin, float step, uint32_t first, uint32_t count) {
  for (uint32_t i = 0; i < (count + 15) / 16 * 16; ++i) out[i] = origin + static_cast<float>(first + i) * step;
}

}  // namespace

void scale(Cpu cpu, const ScaleInput& in, const RowsPart& part) {
  const FlushDenormals flush;
  const stretch::Routine draw = stretch::routine(cpu);
  constexpr uint32_t kSide = stretch::kColumns;
  tx::Unit unit{};
  unit.base = reinterpret_cast<const char*>(in.from);
  unit.level.pitch[0] = static_cast<uint32_t>(in.from_pitch);
  set_axis(unit, 0, in.width), set_axis(unit, 1, in.height);
  stretch::Plan plan;
  plan.unit = &unit;
  plan.linear = in.linear;
  plan.swizzled = in.swap;
  for (uint8_t i = 0; i < 4; ++i) plan.order[i] = in.swap && i != 3 ? 2 - i : i;
  plan.keep = ~0u;
  plan.target = in.to;
  plan.pitch = in.pitch;
  plan.passes = in.passes;
  stretch::Piece piece;
  const uint32_t bottom = part.y + part.rows, right = part.x + part.columns;
  for (uint32_t y = part.y; y < bottom; y += kSide) {
    piece.y = static_cast<int32_t>(y);
    piece.rows = static_cast<int32_t>(std::min(kSide, bottom - y));
    coordinates(piece.t, in.t, in.t_step, y, static_cast<uint32_t>(piece.rows));
    for (uint32_t x = part.x; x < right; x += kSide) {
      piece.x = static_cast<int32_t>(x);
      piece.columns = static_cast<int32_t>(std::min(kSide, right - x));
      coordinates(piece.s, in.s, in.s_step, x, static_cast<uint32_t>(piece.columns));
      std::fill_n(piece.covered, piece.rows, ~uint64_t{0} >> (kSide - static_cast<uint32_t>(piece.columns)));
      draw(plan, piece);
    }
  }
}

}  // namespace pumice::hw::fast
