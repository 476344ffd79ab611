// SPDX-License-Identifier: MIT
#include "hw/radeon/ref/vap/primitive_stage.h"

#include "hw/common/numerics/float_bits.h"

namespace pumice::hw::vap {

void PrimitiveStage::point(ClipVertex& v) {
  using Clip = regs::VAP_CLIP_CNTL;
  const bool by_centre = ctx_.state.get<Clip>().PS_UCP_MODE() == Clip::PS_UCP_MODE__CULL_BY_CENTRE_DISTANCE;
  if (clipper_.enabled() && !clipper_.keep_point(v, by_centre)) return;
  if (!viewport_.transform(v)) return;
  std::array<CutPlane, 6> planes;
  const uint32_t count = clipper_.enabled() && !by_centre ? clipper_.user_planes() : 0;
  for (uint32_t i = 0; i < count; ++i) {
    const Clipper::UserPlane of = clipper_.user_plane(i, v);
    planes[i] = {of.dx * viewport_.clip_per_pixel(0, v.window.inv_w), of.dy * viewport_.clip_per_pixel(1, v.window.inv_w), of.distance};
  }
  Primitive p{PrimitiveKind::point};
  p.cut = {planes.data(), count};
  p.v[0] = p.provoking = &v.window;
  p.edge_flags = 0;
  ga::primitive(ctx_, p);
}

void PrimitiveStage::line(std::array<ClipVertex, 3>& v, const WindowVertex& provoking, uint32_t provoking_slot) {
  const std::array<Vec4, 2> before = {v[0].position, v[1].position};
  if (clipper_.enabled() && !clipper_.clip_line(v[0], v[1])) return;
  if (!viewport_.transform(v[0]) || !viewport_.transform(v[1])) return;
  Primitive p{PrimitiveKind::line};
  p.v = {&v[0].window, &v[1].window, nullptr};
  const bool own = provoking_slot < 2 && v[provoking_slot].position == before[provoking_slot];
  p.provoking = own ? p.v[provoking_slot] : &provoking;
  p.edge_flags = 1;
  ga::primitive(ctx_, p);
}

void PrimitiveStage::triangle(const ClipVertex& a, const ClipVertex& b, const ClipVertex& c, const WindowVertex& provoking,
                              uint32_t provoking_slot, uint8_t edges) {
  const std::array<const ClipVertex*, 3> corner = {&a, &b, &c};
  if (clipper_.enabled() && clipper_.discards(corner)) return;
  if (!clipper_.enabled() || clipper_.triangle_inside(corner)) {
    std::array<ClipVertex, 3> v = {a, b, c};
    for (ClipVertex& x : v)
      if (!viewport_.transform(x)) return;
    Primitive p{PrimitiveKind::triangle};
    p.v = {&v[0].window, &v[1].window, &v[2].window};
    p.provoking = provoking_slot < 3 ? p.v[provoking_slot] : &provoking;
    p.edge_flags = edges;
    return ga::primitive(ctx_, p);
  }
  ClipPolygon polygon;
  polygon.count = 3;
  for (uint32_t i = 0; i < 3; ++i) {
    polygon.v[i] = *corner[i];
    polygon.edge[i] = edges >> i & 1;
  }
  clipper_.clip_polygon(polygon);
  const uint32_t n = polygon.count;
  for (uint32_t i = 0; i < n; ++i)
    if (!viewport_.transform(polygon.v[i])) return;
  for (uint32_t i = 1; i + 1 < n; ++i) {
    Primitive p{PrimitiveKind::triangle};
    p.v = {&polygon.v[0].window, &polygon.v[i].window, &polygon.v[i + 1].window};
    p.provoking = &provoking;
    p.edge_flags = uint8_t((i == 1 && polygon.edge[0]) | polygon.edge[i] << 1 | (i + 2 == n && polygon.edge[n - 1]) << 2);
    ga::primitive(ctx_, p);
  }
}

/// (v0, v1, v2) and (v0, v2, v3) with v3 = v0 + v2 - v1 in clip space, attributes likewise.
void PrimitiveStage::rectangle(std::array<ClipVertex, 3>& v, const WindowVertex& provoking, uint32_t provoking_slot) {
  const auto corner = [](const Vec4& a, const Vec4& b, const Vec4& c) {
    Vec4 r;
    for (int i = 0; i < 4; ++i) r[i] = num::canonical((a[i] + c[i]) - b[i]);
    return r;
  };
  ClipVertex fourth;
  fourth.position = corner(v[0].position, v[1].position, v[2].position);
  if (Clipper::unusable(fourth)) return;
  fourth.window.point_size = v[0].window.point_size;
  for (uint32_t i = 0; i < kMaxColors; ++i)
    fourth.window.color[i] = corner(v[0].window.color[i], v[1].window.color[i], v[2].window.color[i]);
  for (uint32_t i = 0; i < kMaxTexcoords; ++i) fourth.window.tex[i] = corner(v[0].window.tex[i], v[1].window.tex[i], v[2].window.tex[i]);
  triangle(v[0], v[1], v[2], provoking, provoking_slot, 3);
  constexpr uint32_t kSlotInSecond[4] = {0, kNoSlot, 1, kNoSlot};
  triangle(v[0], v[2], fourth, provoking, kSlotInSecond[provoking_slot], 6);
}

void PrimitiveStage::run(const Assembled& a, std::array<ClipVertex, 3>& v, const WindowVertex& provoking, uint32_t provoking_slot) {
  const uint32_t corners = corner_count(a.kind);
  for (uint32_t i = 0; i < corners; ++i)
    if (Clipper::unusable(v[i])) return;
  if (!texture_colors_.any()) return assemble(a, v, provoking, provoking_slot);
  WindowVertex shaded = provoking;
  texture_colors_.apply({v.data(), corners}, shaded);
  assemble(a, v, shaded, provoking_slot);
}

void PrimitiveStage::assemble(const Assembled& a, std::array<ClipVertex, 3>& v, const WindowVertex& provoking, uint32_t provoking_slot) {
  if (a.rectangle)
    rectangle(v, provoking, provoking_slot);
  else if (a.kind == PrimitiveKind::triangle)
    triangle(v[0], v[1], v[2], provoking, provoking_slot, a.edge_flags);
  else if (a.kind == PrimitiveKind::line)
    line(v, provoking, provoking_slot);
  else
    point(v[0]);
}

}  // namespace pumice::hw::vap
