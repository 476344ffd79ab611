// SPDX-License-Identifier: MIT
/// Geometry assembly: points and lines become parallelograms, triangles are faced, culled and, in polygon mode, taken apart
/// (pipeline s.3). The FP20 rounding of colours is not modelled.
#include <algorithm>
#include <cmath>
#include <utility>

#include "hw/common/numerics/float_bits.h"
#include "hw/radeon/draw/extended.h"
#include "hw/radeon/draw/inspector.h"
#include "hw/radeon/ref/ga/outline.h"
#include "hw/radeon/ref/su/su.h"

namespace pumice::hw::ga {

namespace {

/// Lines and cut points use a grid finer by this factor than the registers count, so that the corners of slanted rectangles are exact to
/// 1/256 pixel.
constexpr int32_t kRefinement = 16;

double clamp(double v, double low, double high) { return v >= low ? (v <= high ? v : high) : low; }  // not a number: low

/// A point that user planes reach: dropped when all of it lies beyond one of them; else cut, in the modes that say so, into a fan of
/// triangles that keeps the attributes of the whole point. UNCONFIRMED: "by radius" looks at the corners of the rectangle; fans take the
/// triangles' edge rule.
void cut_point(DrawContext& ctx, Shape s, GridPoint centre, int32_t w, int32_t h, std::span<const CutPlane> planes) {
  using Clip = regs::VAP_CLIP_CNTL;
  const auto clip = ctx.state.get<Clip>();
  const bool cuts = clip.PS_UCP_MODE() >= Clip::PS_UCP_MODE__EXPAND_WHEN_CROSSING && !clip.UCP_CULL_ONLY_ENA();
  const double unit = s.unit;
  Outline outline(w / unit, h / unit);
  bool crossed = false;
  for (const CutPlane& p : planes) {
    const uint32_t outside = outline.outside(p);
    if (outside == outline.count()) return;
    crossed |= outside != 0;
  }
  if (!cuts || (!crossed && clip.PS_UCP_MODE() != Clip::PS_UCP_MODE__ALWAYS_EXPAND_TO_A_TRIFAN_AND_CLIP)) return su::run(ctx, s);
  for (const CutPlane& p : planes) outline.cut(p);
  const int32_t finer = kRefinement / s.refinement;  // than the grid
  s.unit *= finer;
  s.refinement = kRefinement;
  for (GridPoint& at : s.at) at = {at.x * finer, at.y * finer};
  s.corners = 3;
  s.edge_rule = ctx.state.get<regs::SC_EDGERULE>().ER_TRI();
  const auto corner = [&](uint32_t i) {
    return GridPoint{centre.x * finer + static_cast<int32_t>(std::floor(outline[i].x * s.unit + 0.5)),
                     centre.y * finer + static_cast<int32_t>(std::floor(outline[i].y * s.unit + 0.5))};
  };
  for (uint32_t i = 1; i + 1 < outline.count(); ++i) {
    s.corner = {corner(0), corner(i), corner(i + 1), {}};
    if (su::cross(s.corner[0], s.corner[1], s.corner[2]) != 0) su::run(ctx, s);
  }
}

/// An axis-aligned rectangle of twice the half size of GA_POINT_SIZE or the vertex's own size. Generated S runs from S0 at the left to S1
/// at the right, T from T0 at the bottom (larger y) to T1 at the top.
void point(DrawContext& ctx, const WindowVertex& v, const WindowVertex& provoking, bool back, std::span<const CutPlane> cut = {}) {
  const ChipState& state = ctx.state;
  const su::Grid grid = su::grid(state);
  GridPoint c;
  if (!su::snap(grid, v, c)) return;
  const auto size = state.get<regs::GA_POINT_SIZE>();
  int32_t w = static_cast<int32_t>(size.WIDTH()) * grid.refinement, h = static_cast<int32_t>(size.HEIGHT()) * grid.refinement;
  if (x::shaders(state) || state.get<regs::VAP_OUT_VTX_FMT_0>().VTX_PT_SIZE_PRESENT()) {
    const auto limits = state.get<regs::GA_POINT_MINMAX>();
    const double half = v.point_size * 0.5 * (grid.unit / grid.refinement);  // as the registers count
    w = h = static_cast<int32_t>(std::floor(clamp(half, limits.MIN_SIZE(), limits.MAX_SIZE()) * grid.refinement + 0.5));
  }
  Shape s;
  s.unit = grid.unit;
  s.refinement = grid.refinement;
  s.corners = 4;
  s.corner = {GridPoint{c.x - w, c.y - h}, {c.x + w, c.y - h}, {c.x + w, c.y + h}, {c.x - w, c.y + h}};
  s.edge_rule = state.get<regs::SC_EDGERULE>().ER_POINT();
  s.kind = PrimitiveKind::point;
  s.back_facing = back;
  s.parallelogram = true;
  s.vertex = {&v, &v, &v};
  s.at = {s.corner[0], s.corner[1], s.corner[3]};
  s.provoking = &provoking;
  if (state.get<regs::GB_ENABLE>().POINT_STUFF_ENABLE()) {
    const float s0 = state.get_float<regs::GA_POINT_S0>(), s1 = state.get_float<regs::GA_POINT_S1>();
    const float t0 = state.get_float<regs::GA_POINT_T0>(), t1 = state.get_float<regs::GA_POINT_T1>();
    s.stuffed = {{{s0, t1, 0}, {s1, t1, 0}, {s0, t0, 0}}};
  }
  if (cut.empty()) return su::run(ctx, s);
  cut_point(ctx, s, c, w, h, cut);
}

/// The stipple coordinate at both ends of a line of `length` grid steps along its longer axis: steps since the last reset, scaled
/// (pipeline s.3). Moves the accumulator on. It is stuffed as T (UNCONFIRMED; S is for antialiasing).
std::array<float, 2> stipple(DrawContext& ctx, uint32_t length) {
  using Config = regs::GA_LINE_STIPPLE_CONFIG;
  const auto config = ctx.state.get<Config>();
  uint32_t& value = ctx.counters.stipple;
  if (config.LINE_RESET() == Config::LINE_RESET__EACH_LINE) value = 0;
  const double scale = double{num::from_bits(config.STIPPLE_SCALE() << 2)}, from = value;
  value += length;
  return {num::flush_denormal(static_cast<float>(from * scale)), num::flush_denormal(static_cast<float>((from + length) * scale))};
}

/// Calls f(from, to) for the parts of a line that X_RS_STIPPLE lets, as fractions of its `length` in pixels, and moves the accumulator on:
/// 1/256 pixels since it was reset.
template <class F>
void for_each_dash(DrawContext& ctx, double length, F f) {
  constexpr uint32_t kPieces = 16;
  constexpr double kSteps = 256;
  using Config = regs::GA_LINE_STIPPLE_CONFIG;
  const auto config = ctx.state.get<regs::r5x::X_RS_STIPPLE>();
  uint32_t& value = ctx.counters.stipple;
  if (ctx.state.get<Config>().LINE_RESET() == Config::LINE_RESET__EACH_LINE) value = 0;
  const double piece = config.LENGTH() + 1, begin = value / kSteps, end = begin + length;
  const auto is_on = [&](uint64_t k) { return config.PATTERN() >> k % kPieces & 1u; };
  for (auto k = static_cast<uint64_t>(begin / piece); static_cast<double>(k) * piece < end; ++k) {
    if (!is_on(k)) continue;
    const double from = std::max(static_cast<double>(k) * piece - begin, 0.0);
    while (is_on(k + 1) && static_cast<double>(k + 1) * piece < end) ++k;
    f(from / length, std::min(static_cast<double>(k + 1) * piece - begin, length) / length);
  }
  value = static_cast<uint32_t>(std::fmod(end, kPieces * piece) * kSteps + 0.5);
}

/// A parallelogram around the segment. END_TYPE decides how its ends are cut:
///   perpendicular (3)  a rectangle: Vulkan's strict lines, and what lavapipe draws
///   by slope (2)       vertical ends for mostly horizontal lines, else horizontal: Vulkan's non-strict lines
/// Attributes vary along the segment and not across, measured as Vulkan says for either form. The end point is excluded by the edge rule
/// of the line's direction.
void line(DrawContext& ctx, const WindowVertex* v0, const WindowVertex* v1, const WindowVertex& provoking, bool back) {
  using Control = regs::GA_LINE_CNTL;
  const ChipState& state = ctx.state;
  const su::Grid grid = su::grid(state);
  GridPoint a, b;
  if (!su::snap(grid, *v0, a) || !su::snap(grid, *v1, b)) return;
  const auto control = state.get<Control>();
  if (state.chip().has_line_sort && control.SORT() && (b.x < a.x || (b.x == a.x && b.y < a.y))) {
    std::swap(a, b);
    std::swap(v0, v1);
  }
  const bool dashed = x::shaders(state) && state.get<regs::r5x::X_RS_STIPPLE>().ENABLE();
  std::array<float, 2> t{};
  if (!dashed) t = stipple(ctx, static_cast<uint32_t>(std::max(std::abs(b.x - a.x), std::abs(b.y - a.y)) / grid.refinement));
  const int32_t finer = kRefinement / grid.refinement;  // than the grid
  a = {a.x * finer, a.y * finer};
  b = {b.x * finer, b.y * finer};
  const int32_t dx = b.x - a.x, dy = b.y - a.y;
  if (dx == 0 && dy == 0) return;
  const bool mostly_horizontal = std::abs(dx) >= std::abs(dy);
  const uint32_t fraction = x::shaders(state) ? state.get<regs::r5x::X_RS_CTRL>().LINE_FRACTION() : 0;
  const int32_t half = static_cast<int32_t>(control.WIDTH() * kRefinement + fraction);

  GridPoint offset;  // from the segment to the side
  GridPoint across;  // the direction in which attributes do not change
  switch (control.END_TYPE()) {
    case Control::END_TYPE__HORIZONTAL: offset = {half, 0}; break;
    case Control::END_TYPE__VERTICAL: offset = {0, half}; break;
    case Control::END_TYPE__SQUARE_AXIS_CHOSEN_BY_SLOPE: offset = mostly_horizontal ? GridPoint{0, half} : GridPoint{half, 0}; break;
    default: {
      const double length = std::sqrt(double{1} * dx * dx + double{1} * dy * dy);
      offset = {static_cast<int32_t>(std::floor(-dy * double{1} * half / length + 0.5)),
                static_cast<int32_t>(std::floor(dx * double{1} * half / length + 0.5))};
      across = {-dy, dx};
    }
  }
  if (control.END_TYPE() != Control::END_TYPE__COMPUTED_PERPENDICULAR_TO_SLOPE) across = offset;

  Shape s;
  s.unit = grid.unit * finer;
  s.refinement = kRefinement;
  s.corners = 4;
  const auto set_corners = [&](const GridPoint& from, const GridPoint& to) {
    s.corner = {GridPoint{from.x + offset.x, from.y + offset.y},
                {to.x + offset.x, to.y + offset.y},
                {to.x - offset.x, to.y - offset.y},
                {from.x - offset.x, from.y - offset.y}};
  };
  set_corners(a, b);
  const auto rule = state.get<regs::SC_EDGERULE>();
  s.edge_rule = mostly_horizontal ? (dx > 0 ? rule.ER_LINE_LR() : rule.ER_LINE_RL()) : (dy > 0 ? rule.ER_LINE_TB() : rule.ER_LINE_BT());
  s.kind = PrimitiveKind::line;
  s.back_facing = back;
  s.parallelogram = true;
  s.vertex = {v0, v1, v0};
  s.at = {a, b, {a.x + across.x, a.y + across.y}};
  s.provoking = &provoking;
  if (state.get<regs::GB_ENABLE>().LINE_STUFF_ENABLE()) {
    const float s0 = state.get_float<regs::GA_LINE_S0>(), s1 = state.get_float<regs::GA_LINE_S1>();
    s.stuffed = {{{s0, t[0], 0}, {s1, t[1], 0}, {s0, t[0], 0}}};
  }
  if (!dashed) return su::run(ctx, s);
  const auto at = [&](double part) {
    return GridPoint{a.x + static_cast<int32_t>(std::floor(dx * part + 0.5)), a.y + static_cast<int32_t>(std::floor(dy * part + 0.5))};
  };
  const double length = std::sqrt(double{1} * dx * dx + double{1} * dy * dy) / s.unit;
  for_each_dash(ctx, length, [&](double from, double to) {
    set_corners(at(from), at(to));
    su::run(ctx, s);
  });
}

void fill(DrawContext& ctx, const Primitive& p, const std::array<GridPoint, 3>& at, const su::Grid& grid, const WindowVertex& provoking,
          bool back) {
  Shape s;
  s.unit = grid.unit;
  s.refinement = grid.refinement;
  s.corner = {at[0], at[1], at[2], {}};
  s.edge_rule = ctx.state.get<regs::SC_EDGERULE>().ER_TRI();
  s.back_facing = back;
  s.vertex = p.v;
  s.at = at;
  s.provoking = &provoking;
  if (ctx.state.get<regs::GB_ENABLE>().TRIANGLE_STUFF_ENABLE()) {  // the screen position, scaled down for a stipple texture
    const auto shift = ctx.state.get<regs::GA_TRIANGLE_STIPPLE>();
    const float sx = 1.0f / static_cast<float>(1u << shift.X_SHIFT()), sy = 1.0f / static_cast<float>(1u << shift.Y_SHIFT());
    for (int i = 0; i < 3; ++i)
      s.stuffed[i] = {static_cast<float>(at[i].x) / static_cast<float>(grid.unit) * sx,
                      static_cast<float>(at[i].y) / static_cast<float>(grid.unit) * sy, 0};
  }
  su::run(ctx, s);
}

void triangle(DrawContext& ctx, const Primitive& p, const WindowVertex& provoking) {
  using Mode = regs::GA_POLY_MODE;
  const su::Grid grid = su::grid(ctx.state);
  std::array<GridPoint, 3> at;
  for (int i = 0; i < 3; ++i)
    if (!su::snap(grid, *p.v[i], at[i])) return;
  const int64_t cross = su::cross(at[0], at[1], at[2]);
  if (cross == 0) return;  // no area: nothing to fill, and no facing for polygon mode
  const bool back = su::back_facing(ctx.state, cross);
  if (su::culled(ctx.state, back)) return;

  const auto mode = ctx.state.get<Mode>();
  const uint32_t type = mode.POLY_MODE() != Mode::POLY_MODE__DUAL ? Mode::FRONT_PTYPE__TRIANGLES
                        : back                                    ? mode.BACK_PTYPE()
                                                                  : mode.FRONT_PTYPE();
  if (type != Mode::FRONT_PTYPE__POINTS && type != Mode::FRONT_PTYPE__LINES) return fill(ctx, p, at, grid, provoking, back);
  // A vertex is drawn as a point when the edge that leaves it is flagged. Facing stays the polygon's.
  for (uint32_t i = 0; i < 3; ++i) {
    if (!((p.edge_flags >> i) & 1)) continue;
    if (type == Mode::FRONT_PTYPE__LINES)
      line(ctx, p.v[i], p.v[(i + 1) % 3], provoking, back);
    else
      point(ctx, *p.v[i], provoking, back);
  }
}

}  // namespace

void primitive(DrawContext& ctx, const Primitive& p) {
  if (ctx.counters.hung) return;
  if (ctx.inspector) ctx.inspector->primitive(ctx, p);
  const WindowVertex& provoking = p.provoking ? *p.provoking : *p.v[0];
  switch (p.kind) {
    case PrimitiveKind::point: point(ctx, *p.v[0], provoking, false, p.cut); break;
    case PrimitiveKind::line: line(ctx, p.v[0], p.v[1], provoking, false); break;
    case PrimitiveKind::triangle: triangle(ctx, p, provoking); break;
  }
}

}  // namespace pumice::hw::ga
