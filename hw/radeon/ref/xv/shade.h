// SPDX-License-Identifier: MIT
/// Vertices of an extended draw: attributes, program, outputs. Of hw/radeon/ref/xv and hw/radeon/fast/extended.
#pragma once
#include <span>

#include "hw/radeon/draw/extended.h"

namespace pumice::hw::xv {

/// The outputs of the vertex program.
struct Shaded {
  Vec4 position{0, 0, 0, 1};
  float point_size = 1;
  x::Vertex vertex;
  std::array<float, 8> clip{}, cull{};
};

struct VertexId {
  uint32_t index = 0, instance = 0;  ///< SYS 16 and the instance's number in the draw
};

/// Up to x::kGroupLanes vertices as one group; `out`: as many, as Shaded is at first. Sets counters.hung when the program exceeds its
/// budget.
void shade(DrawContext& ctx, std::span<const VertexId> ids, Shaded* out);
inline Shaded shade(DrawContext& ctx, const VertexId& id) {
  Shaded out;
  shade(ctx, {&id, 1}, &out);
  return out;
}

}  // namespace pumice::hw::xv
