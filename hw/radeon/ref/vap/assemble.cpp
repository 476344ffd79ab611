// SPDX-License-Identifier: MIT
/// See assemble.h. The provoking rules are the table of pipeline s.2.5; its UNCONFIRMED rows read here:
///   quads, quad strips: FIRST and SECOND vertex 2, THIRD and LAST vertex 4 of the four in stream order;
///   polygon: FIRST, SECOND and THIRD vertex 2, LAST vertex 1; rectangles: as triangles on the three given corners.
#include "hw/radeon/ref/vap/assemble.h"

#include <algorithm>

namespace pumice::hw::vap {
namespace {

using Vf = regs::VAP_VF_CNTL;
using Color = regs::GA_COLOR_CONTROL;

class Assembler {
 public:
  Assembler(uint32_t provoking, const std::function<bool(const Assembled&)>& emit) : code_(provoking), emit_(emit) {}

  bool point(uint32_t a) { return emit_({PrimitiveKind::point, {a, 0, 0}, a, 0, false}); }
  /// A line has no third vertex: THIRD is its last.
  bool line(uint32_t a, uint32_t b) {
    return emit_({PrimitiveKind::line, {a, b, 0}, code_ == Color::PROVOKING_VERTEX__FIRST ? a : b, 1, false});
  }
  /// order: the vertices as the provoking code counts them.
  bool triangle(std::array<uint32_t, 3> v, std::array<uint32_t, 3> order, uint8_t edges = 7, bool rectangle = false) {
    return emit_({PrimitiveKind::triangle, v, order[std::min(code_, 2u)], edges, rectangle});
  }
  /// Corners in winding order; the diagonal a-c has no edge flag.
  bool quad(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t second, uint32_t fourth) {
    const uint32_t p = code_ <= Color::PROVOKING_VERTEX__SECOND ? second : fourth;
    return emit_({PrimitiveKind::triangle, {a, b, c}, p, 3, false}) && emit_({PrimitiveKind::triangle, {a, c, d}, p, 6, false});
  }
  bool polygon_triangle(uint32_t i, uint32_t count) {
    const uint8_t edges = uint8_t((i == 1) | 2 | (i + 2 == count) << 2);
    return emit_({PrimitiveKind::triangle, {0, i, i + 1}, code_ == Color::PROVOKING_VERTEX__ALWAYS_LAST ? 0u : 1u, edges, false});
  }

 private:
  uint32_t code_;
  const std::function<bool(const Assembled&)>& emit_;
};

}  // namespace

bool assemble(uint32_t prim_type, uint32_t count, uint32_t provoking, const std::function<bool(const Assembled&)>& emit) {
  Assembler out(provoking, emit);
  switch (prim_type) {
    case Vf::PRIM_TYPE__NONE: return true;
    case Vf::PRIM_TYPE__POINT_LIST:
      for (uint32_t i = 0; i < count; ++i)
        if (!out.point(i)) break;
      return true;
    case Vf::PRIM_TYPE__LINE_LIST:
      for (uint32_t i = 0; i + 1 < count; i += 2)
        if (!out.line(i, i + 1)) break;
      return true;
    case Vf::PRIM_TYPE__LINE_STRIP:
    case Vf::PRIM_TYPE__LINE_LOOP:
      for (uint32_t i = 0; i + 1 < count; ++i)
        if (!out.line(i, i + 1)) return true;
      // Two vertices form a loop of two segments, as in OpenGL.
      if (prim_type == Vf::PRIM_TYPE__LINE_LOOP && count >= 2) out.line(count - 1, 0);
      return true;
    case Vf::PRIM_TYPE__TRIANGLE_LIST:
    case Vf::PRIM_TYPE__TRIANGLES_WITH_FLAGS:
      for (uint32_t i = 0; i + 2 < count; i += 3)
        if (!out.triangle({i, i + 1, i + 2}, {i, i + 1, i + 2})) break;
      return true;
    case Vf::PRIM_TYPE__TRIANGLE_FAN:
      for (uint32_t i = 1; i + 1 < count; ++i)
        if (!out.triangle({0, i, i + 1}, {0, i, i + 1})) break;
      return true;
    case Vf::PRIM_TYPE__TRIANGLE_STRIP:
      for (uint32_t i = 0; i + 2 < count; ++i) {
        const bool odd = i & 1;
        if (!out.triangle(odd ? std::array{i + 1, i, i + 2} : std::array{i, i + 1, i + 2}, {i, i + 1, i + 2})) break;
      }
      return true;
    case Vf::PRIM_TYPE__RECTANGLE_LIST:
      for (uint32_t i = 0; i + 2 < count; i += 3)
        if (!out.triangle({i, i + 1, i + 2}, {i, i + 1, i + 2}, 7, true)) break;
      return true;
    case Vf::PRIM_TYPE__QUAD_LIST:
      for (uint32_t i = 0; i + 3 < count; i += 4)
        if (!out.quad(i, i + 1, i + 2, i + 3, i + 1, i + 3)) break;
      return true;
    case Vf::PRIM_TYPE__QUAD_STRIP:
      for (uint32_t i = 0; i + 3 < count; i += 2)
        if (!out.quad(i, i + 1, i + 3, i + 2, i + 1, i + 3)) break;
      return true;
    case Vf::PRIM_TYPE__POLYGON:
      for (uint32_t i = 1; i + 1 < count; ++i)
        if (!out.polygon_triangle(i, count)) break;
      return true;
    default: return false;
  }
}

uint32_t used_vertices(uint32_t prim_type, uint32_t count) {
  switch (prim_type) {
    case Vf::PRIM_TYPE__POINT_LIST: return count;
    case Vf::PRIM_TYPE__LINE_LIST: return count & ~1u;
    case Vf::PRIM_TYPE__LINE_STRIP:
    case Vf::PRIM_TYPE__LINE_LOOP: return count < 2 ? 0 : count;
    case Vf::PRIM_TYPE__TRIANGLE_LIST:
    case Vf::PRIM_TYPE__TRIANGLES_WITH_FLAGS:
    case Vf::PRIM_TYPE__RECTANGLE_LIST: return count - count % 3;
    case Vf::PRIM_TYPE__TRIANGLE_FAN:
    case Vf::PRIM_TYPE__TRIANGLE_STRIP:
    case Vf::PRIM_TYPE__POLYGON: return count < 3 ? 0 : count;
    case Vf::PRIM_TYPE__QUAD_LIST: return count & ~3u;
    case Vf::PRIM_TYPE__QUAD_STRIP: return count < 4 ? 0 : count & ~1u;
    default: return 0;
  }
}

}  // namespace pumice::hw::vap
