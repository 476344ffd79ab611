// SPDX-License-Identifier: MIT
/// One vertex of an extended draw: attributes, program, outputs. Private to hw/radeon/ref/xv.
#pragma once
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

/// Sets counters.hung when the program exceeds its budget.
Shaded shade(DrawContext& ctx, const VertexId& id);

}  // namespace pumice::hw::xv
