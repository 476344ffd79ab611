// SPDX-License-Identifier: MIT
/// The output of GA to SU: a convex shape on the sub-pixel grid and the three points where its attributes are given. Triangles stay
/// triangles; points and lines have become parallelograms (pipeline s.3). Internal to GA, SU, SC and RS.
#pragma once
#include <array>
#include <cstdint>

#include "hw/radeon/draw/draw.h"

namespace pumice::hw {

/// A position on the grid, x right, y down, in 1/unit pixels.
struct GridPoint {
  int32_t x = 0, y = 0;
};

struct Shape {
  /// Grid steps per pixel: 12 or 16 (GB_TILE_CONFIG.SUBPIXEL); lines use a grid 16 times finer so that their corners round less, and so
  /// does everything in extended draws.
  int32_t unit = 16;
  /// `unit` / (12 or 16): polygon offset measures slopes by sub-pixel.
  int32_t refinement = 1;
  uint8_t corners = 3;
  std::array<GridPoint, 4> corner{};  ///< in order around the shape, either winding
  uint32_t edge_rule = 0;             ///< the SC_EDGERULE field of this kind of primitive
  PrimitiveKind kind = PrimitiveKind::triangle;
  bool back_facing = false;
  bool parallelogram = false;

  std::array<const WindowVertex*, 3> vertex{};
  std::array<GridPoint, 3> at{};  ///< the positions of vertex[i]'s attributes
  const WindowVertex* provoking = nullptr;
  std::array<std::array<float, 3>, 3> stuffed{};  ///< generated S, T, R at at[i]; zero when stuffing is off for the kind
};

namespace su {
/// Sets the shape up, scans it and sends its quads to the pixel pipe; or passes it to DrawContext::sink.
void run(DrawContext& ctx, const Shape& shape);
}  // namespace su

}  // namespace pumice::hw
