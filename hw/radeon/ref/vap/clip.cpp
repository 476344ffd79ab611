// SPDX-License-Identifier: MIT
/// See clip.h.
#include "hw/radeon/ref/vap/clip.h"

#include <cmath>

#include "hw/common/numerics/float_bits.h"
#include "hw/radeon/decode/vap/pvs_program.h"

namespace pumice::hw::vap {

double Clipper::distance(const Plane& p, const Vec4& v) {
  return p.normal[0] * v[0] + p.normal[1] * v[1] + p.normal[2] * v[2] + p.normal[3] * v[3] + p.offset;
}

bool Clipper::unusable(const ClipVertex& v) {
  for (float x : v.position)
    if (!num::is_finite(x)) return true;
  return false;
}

/// sign * coordinate <= adjust * w. An adjust that is not a finite number puts the plane at infinity.
void Clipper::add_axis(uint32_t axis, double sign, double adjust) {
  if (!std::isfinite(adjust)) return;
  Plane& p = clip_[clip_count_++];
  p.normal[axis] = -sign;
  p.normal[3] = adjust;
  p.snap_axis = int(axis);
  p.snap_w = sign * adjust;
}

Clipper::Clipper(const ChipState& state) {
  const auto control = state.get<regs::VAP_CLIP_CNTL>();
  enabled_ = !control.CLIP_DISABLE();
  boundary_edges_ = control.BOUNDARY_EDGE_FLAG_ENA();
  if (!enabled_) return;

  if (state.get<regs::VAP_CNTL>().DX_CLIP_SPACE_DEF() == regs::VAP_CNTL::DX_CLIP_SPACE_DEF__DIRECTX_0_Z_W)
    add_axis(2, -1, 0);
  else
    add_axis(2, -1, 1);
  add_axis(2, 1, 1);
  const float horizontal = state.get_float<regs::VAP_GB_HORZ_CLIP_ADJ>(), vertical = state.get_float<regs::VAP_GB_VERT_CLIP_ADJ>();
  add_axis(0, -1, horizontal);
  add_axis(0, 1, horizontal);
  add_axis(1, -1, vertical);
  add_axis(1, 1, vertical);
  // The discard planes are built the same way, then removed again.
  const uint32_t clip_count = clip_count_;
  Plane* const next = &clip_[clip_count_];
  const float discard[2] = {state.get_float<regs::VAP_GB_HORZ_DISC_ADJ>(), state.get_float<regs::VAP_GB_VERT_DISC_ADJ>()};
  for (uint32_t axis = 0; axis < 2; ++axis) {
    add_axis(axis, -1, discard[axis]);
    add_axis(axis, 1, discard[axis]);
  }
  for (Plane* p = next; p != &clip_[clip_count_]; ++p) discard_[discard_count_++] = *p;
  clip_count_ = clip_count;

  const uint32_t base = state.chip().pvs_clip_plane_base;
  for (uint32_t i = 0; i < state.chip().pvs_clip_planes; ++i) {
    if (!regs::VAP_CLIP_CNTL{control.raw >> i}.UCP_ENA_0()) continue;
    Plane p;
    p.user = true;
    for (uint32_t c = 0; c < 4; ++c) p.normal[c] = num::from_bits(state.pvs[base + i][c]);
    user_[user_count_++] = p;
    if (control.UCP_CULL_ONLY_ENA())
      discard_[discard_count_++] = p;
    else
      clip_[clip_count_++] = p;
  }
  Plane w;
  w.normal[3] = 1;
  w.offset = -double(kSmallestW);
  w.snap_axis = 3;
  w.snap_constant = kSmallestW;
  clip_[clip_count_++] = w;
}

/// The vertex on the plane between the two. Each attribute: inside + t*(outside - inside) in double, rounded to float once.
ClipVertex Clipper::cut(const Plane& p, const ClipVertex& inside, const ClipVertex& outside) {
  const double di = distance(p, inside.position), t = di / (di - distance(p, outside.position));
  const auto mix = [t](float a, float b) { return num::canonical(float(double(a) + t * (double(b) - double(a)))); };
  const auto mix4 = [&](const Vec4& a, const Vec4& b) { return Vec4{mix(a[0], b[0]), mix(a[1], b[1]), mix(a[2], b[2]), mix(a[3], b[3])}; };
  ClipVertex r;
  r.position = mix4(inside.position, outside.position);
  if (p.snap_axis >= 0) r.position[p.snap_axis] = float(p.snap_w * r.position[3] + p.snap_constant);
  r.window.point_size = mix(inside.window.point_size, outside.window.point_size);
  for (uint32_t i = 0; i < kMaxColors; ++i) r.window.color[i] = mix4(inside.window.color[i], outside.window.color[i]);
  for (uint32_t i = 0; i < kMaxTexcoords; ++i) r.window.tex[i] = mix4(inside.window.tex[i], outside.window.tex[i]);
  return r;
}

bool Clipper::discards(std::span<const ClipVertex* const> v, bool user) const {
  for (uint32_t i = 0; i < discard_count_; ++i) {
    if (discard_[i].user && !user) continue;
    bool all = true;
    for (const ClipVertex* x : v) all &= distance(discard_[i], x->position) < 0;
    if (all) return true;
  }
  return false;
}

bool Clipper::keep_point(const ClipVertex& v, bool user) const {
  for (uint32_t i = 0; i < clip_count_; ++i)
    if ((user || !clip_[i].user) && distance(clip_[i], v.position) < 0) return false;
  const ClipVertex* p[1] = {&v};
  return !discards(p, user);
}

bool Clipper::clip_line(ClipVertex& a, ClipVertex& b) const {
  const ClipVertex* ends[2] = {&a, &b};
  if (discards(ends)) return false;
  for (uint32_t i = 0; i < clip_count_; ++i) {
    const Plane& p = clip_[i];
    const bool out_a = distance(p, a.position) < 0, out_b = distance(p, b.position) < 0;
    if (out_a && out_b) return false;
    if (out_a) a = cut(p, b, a);
    if (out_b) b = cut(p, a, b);
  }
  return true;
}

bool Clipper::triangle_inside(std::span<const ClipVertex* const, 3> v) const {
  for (uint32_t i = 0; i < clip_count_; ++i)
    for (const ClipVertex* x : v)
      if (distance(clip_[i], x->position) < 0) return false;
  return true;
}

/// Sutherland-Hodgman, one plane after the other.
void Clipper::clip_polygon(ClipPolygon& polygon) const {
  ClipPolygon next;
  for (uint32_t i = 0; i < clip_count_ && polygon.count != 0; ++i) {
    const Plane& p = clip_[i];
    std::array<bool, kMaxPolygon> outside{};
    bool any = false;
    for (uint32_t k = 0; k < polygon.count; ++k) any |= outside[k] = distance(p, polygon.v[k].position) < 0;
    if (!any) continue;
    next.count = 0;
    const auto emit = [&](const ClipVertex& v, bool edge) {
      // A convex polygon gains one vertex per plane; rounding can make it slightly concave, which would produce more.
      if (next.count == kMaxPolygon) return;
      next.v[next.count] = v;
      next.edge[next.count++] = edge;
    };
    for (uint32_t k = 0; k < polygon.count; ++k) {
      const uint32_t n = k + 1 == polygon.count ? 0 : k + 1;
      const ClipVertex &a = polygon.v[k], &b = polygon.v[n];
      if (!outside[k]) emit(a, polygon.edge[k]);
      if (!outside[k] && outside[n]) emit(cut(p, a, b), boundary_edges_);
      if (outside[k] && !outside[n]) emit(cut(p, b, a), polygon.edge[k]);
    }
    polygon = next;
  }
  if (polygon.count < 3) polygon.count = 0;
}

}  // namespace pumice::hw::vap
