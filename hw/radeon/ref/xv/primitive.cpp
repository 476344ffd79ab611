// SPDX-License-Identifier: MIT
/// See primitive.h.
#include "hw/radeon/ref/xv/primitive.h"

#include <algorithm>
#include <cmath>

#include "hw/common/numerics/arithmetic.h"
#include "hw/common/numerics/transcendental.h"

namespace pumice::hw::xv {

namespace r = regs::r5x;

namespace {

/// Pixels from the origin that the grid of SU can hold with room to spare.
constexpr double kGuardPixels = 1 << 14;

/// False: not a finite place.
bool place(const Viewport& viewport, const Shaded& v, x::Window& out) {
  out.inv_w = num::rcp(v.position[3]);
  float* const to[3] = {&out.x, &out.y, &out.z};
  bool finite = num::is_finite(out.inv_w);
  for (uint32_t i = 0; i < 3; ++i) {
    *to[i] = num::add(num::mul(num::mul(num::flush_denormal(v.position[i]), out.inv_w), viewport.scale[i]), viewport.offset[i]);
    finite &= num::is_finite(*to[i]);
  }
  out.point_size = v.point_size;
  out.extended = v.vertex;
  return finite;
}

}  // namespace

Viewport viewport(const ChipState& s, uint32_t n) {
  return {{s.get_float<r::X_VIEWPORT_XSCALE>(n), s.get_float<r::X_VIEWPORT_YSCALE>(n), s.get_float<r::X_VIEWPORT_ZSCALE>(n)},
          {s.get_float<r::X_VIEWPORT_XOFFSET>(n), s.get_float<r::X_VIEWPORT_YOFFSET>(n), s.get_float<r::X_VIEWPORT_ZOFFSET>(n)}};
}

ClipVolume clip_volume(const ChipState& state, PrimitiveKind kind, const Viewport& viewport) {
  ClipVolume c;
  const auto rs = state.get<r::X_RS_CTRL>();
  using Rs = r::X_RS_CTRL;
  c.clips_depth = rs.DEPTH_CLIP() == Rs::DEPTH_CLIP__ALWAYS || (rs.DEPTH_CLIP() != Rs::DEPTH_CLIP__NEVER && !rs.DEPTH_CLAMP());
  c.negative_depth = rs.NEGATIVE_DEPTH();
  c.distances = state.get<r::X_VS_CTRL>().CLIP_DISTANCES();
  if (kind != PrimitiveKind::triangle) return c;
  const bool samples = state.get<r::X_RS_CTRL>().SAMPLES() != 0;
  const auto guard = [samples](double scale, double offset) {
    // A viewport that ends inside pixels has some of their samples: only the clipper cuts between them (xr::bounds_of lets them through).
    if (samples && (std::floor(offset - scale) != offset - scale || std::floor(offset + scale) != offset + scale)) return 1.0;
    const double g = (kGuardPixels - std::fabs(offset)) / std::fabs(scale);
    return g > 1 && std::isfinite(g) ? g : 1.0;
  };
  c.guard_x = guard(viewport.scale[0], viewport.offset[0]);
  c.guard_y = guard(viewport.scale[1], viewport.offset[1]);
  return c;
}

bool finite(const Shaded& v) {
  return std::all_of(v.position.begin(), v.position.end(), [](float p) { return num::is_finite(p); });
}

PrimitiveStage::PrimitiveStage(DrawContext& ctx)
    : ctx_(ctx), vs_(ctx.state.get<r::X_VS_CTRL>()), discard_(ctx.state.get<r::X_RS_CTRL>().DISCARD()), counts_(x::counts(ctx)) {}

void PrimitiveStage::run(PrimitiveKind kind, std::vector<Corner>& corners, const x::Vertex& provoking, uint32_t number) {
  const uint32_t culls = vs_.CULL_DISTANCES();
  for (uint32_t d = 0; d < 8; ++d) {
    if (!(culls >> d & 1u)) continue;
    if (std::all_of(corners.begin(), corners.end(), [d](const Corner& c) { return !(c.v.cull[d] >= 0); })) return;
  }
  const uint32_t in = viewport_of(vs_, provoking.viewport);
  const Viewport viewport = xv::viewport(ctx_.state, in);
  const ClipVolume volume = clip_volume(ctx_.state, kind, viewport);
  // Attributes of the provoking vertex only; its place is not used.
  x::Window flat;
  flat.extended = provoking;
  flat.extended.viewport = in;
  if (!vs_.LAYER()) flat.extended.layer = 0;
  flat.extended.layer += ctx_.state.get<r::X_DRAW_VIEW>().NUMBER();
  flat.extended.primitive = number;
  switch (kind) {
    case PrimitiveKind::point:
      if (!keep_point(volume, corners[0].v)) return;
      break;
    case PrimitiveKind::line:
      if (!clip_line(volume, corners[0].v, corners[1].v)) return;
      break;
    case PrimitiveKind::triangle: clip_polygon(volume, corners); break;
  }
  placed_.resize(corners.size());
  for (size_t i = 0; i < corners.size(); ++i)
    if (!place(viewport, corners[i].v, placed_[i])) return;
  if (counts_) counts_->clip_primitives += kind == PrimitiveKind::triangle ? std::max<size_t>(placed_.size(), 2) - 2 : 1;
  if (discard_) return;
  Primitive p{kind};
  p.provoking = &flat;
  if (kind != PrimitiveKind::triangle) {
    for (size_t i = 0; i < placed_.size(); ++i) p.v[i] = &placed_[i];
    p.edge_flags = kind == PrimitiveKind::line;
    return ga::primitive(ctx_, p);
  }
  for (size_t i = 1; i + 1 < placed_.size(); ++i) {
    p.v = {&placed_[0], &placed_[i], &placed_[i + 1]};
    p.edge_flags = uint8_t((i == 1 && corners[0].edge) | corners[i].edge << 1 | (i + 2 == placed_.size() && corners[i + 1].edge) << 2);
    ga::primitive(ctx_, p);
  }
}

}  // namespace pumice::hw::xv
