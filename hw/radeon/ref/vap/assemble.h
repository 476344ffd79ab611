// SPDX-License-Identifier: MIT
/// Primitive assembly: from a primitive type and a vertex count to points, lines and triangles of element numbers, in API order, with
/// the provoking vertex and the edge flags of each (pipeline s.2.5).
#pragma once
#include <functional>

#include "hw/radeon/draw/draw.h"

namespace pumice::hw::vap {

struct Assembled {
  PrimitiveKind kind = PrimitiveKind::triangle;
  std::array<uint32_t, 3> element{};  ///< position in the draw's vertex sequence
  uint32_t provoking = 0;             ///< likewise; for quads and polygons it need not be one of element
  uint8_t edge_flags = 7;             ///< as Primitive::edge_flags
  /// element are three corners of a rectangle in order; the fourth is element 0 + element 2 - element 1.
  bool rectangle = false;
};

inline uint32_t corner_count(PrimitiveKind kind) { return kind == PrimitiveKind::point ? 1 : kind == PrimitiveKind::line ? 2 : 3; }

/// Calls emit for each complete primitive until it returns false. False when the type is reserved (nothing emitted).
/// prim_type: VAP_VF_CNTL.PRIM_TYPE; provoking: GA_COLOR_CONTROL.PROVOKING_VERTEX.
bool assemble(uint32_t prim_type, uint32_t count, uint32_t provoking, const std::function<bool(const Assembled&)>& emit);

/// How many of the first `count` vertices complete primitives use; 0 for reserved types.
uint32_t used_vertices(uint32_t prim_type, uint32_t count);

}  // namespace pumice::hw::vap
