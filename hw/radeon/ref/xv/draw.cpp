// SPDX-License-Identifier: MIT
/// An extended draw up to GA (hw/radeon/ref/xv/README.md).
#include "hw/radeon/ref/xv/draw.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "hw/common/numerics/arithmetic.h"
#include "hw/common/numerics/transcendental.h"
#include "hw/db/regs_r5x.h"
#include "hw/radeon/ref/vap/assemble.h"
#include "hw/radeon/ref/vap/walk.h"
#include "hw/radeon/ref/xv/clip.h"

namespace pumice::hw::xv {
namespace {

namespace r = regs::r5x;
using Vf = regs::VAP_VF_CNTL;

constexpr uint32_t kViewports = r::X_VIEWPORT_XSCALE::count;
/// Pixels from the origin that the grid of SU can hold with room to spare.
constexpr double kGuardPixels = 1 << 14;

class Draw {
 public:
  Draw(DrawContext& ctx, const DrawInput& input)
      : ctx_(ctx), input_(input), vs_(ctx.state.get<r::X_VS_CTRL>()), rs_(ctx.state.get<r::X_RS_CTRL>()) {}

  void run() {
    if (!read_indices()) return;
    const uint32_t instances = std::max(ctx_.state.get<r::X_DRAW_INSTANCES>().raw, 1u);
    cache_.resize(kCacheEntries);
    for (instance_ = 0; instance_ < instances; ++instance_) {
      primitive_ = 0;
      std::fill(cache_.begin(), cache_.end(), std::nullopt);
      if (!run_instance()) return;
    }
  }

 private:
  static constexpr size_t kCacheEntries = 256;
  struct Entry {
    uint32_t index;
    Shaded vertex;
  };

  /// The indices of the draw without base vertex; false: an error was reported.
  bool read_indices() {
    const Vf vf = input_.vf_cntl;
    const uint32_t count = vap::wanted_vertices(ctx_.state, vf);
    switch (vf.PRIM_WALK()) {
      case Vf::PRIM_WALK__SEQUENTIAL_VERTICES_FROM_MEMORY:
        indices_.resize(count);
        for (uint32_t i = 0; i < count; ++i) indices_[i] = i;
        return true;
      case Vf::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY: {
        const bool wide = vf.INDEX_SIZE() == Vf::INDEX_SIZE__N32_BIT;
        const uint64_t available = uint64_t{input_.data.size()} * (wide ? 1 : 2);
        indices_.resize(size_t(std::min<uint64_t>(count, available)));
        for (uint32_t i = 0; i < indices_.size(); ++i) indices_[i] = wide ? input_.data[i] : input_.data[i / 2] >> 16 * (i & 1) & 0xFFFFu;
        if (ctx_.state.get<r::X_DRAW_CTRL>().RESTART()) restart_ = wide ? ~0u : 0xFFFFu;
        return true;
      }
      default: ctx_.report(ReportKind::bad_packet, "an extended draw with embedded vertices; draw skipped"); return false;
    }
  }

  bool run_instance() {
    for (size_t begin = 0; begin <= indices_.size();) {
      size_t end = indices_.size();
      if (restart_) end = size_t(std::find(indices_.begin() + ptrdiff_t(begin), indices_.end(), *restart_) - indices_.begin());
      run_ = without_neighbours(std::span(indices_).subspan(begin, end - begin));
      const bool known = vap::assemble(input_.vf_cntl.PRIM_TYPE(), uint32_t(run_.size()), provoking(), [this](const vap::Assembled& a) {
        primitive(a);
        ++primitive_;
        return !ctx_.counters.hung;
      });
      if (!known)
        ctx_.report(ReportKind::bad_packet,
                    "reserved VAP_VF_CNTL.PRIM_TYPE " + std::to_string(input_.vf_cntl.PRIM_TYPE()) + "; draw skipped");
      if (!known || ctx_.counters.hung) return false;
      begin = end + 1;
    }
    return true;
  }

  /// X_DRAW_CTRL.ADJACENCY: the vertices that are drawn.
  std::span<const uint32_t> without_neighbours(std::span<const uint32_t> all) {
    if (!ctx_.state.get<r::X_DRAW_CTRL>().ADJACENCY()) return all;
    drawn_.clear();
    switch (input_.vf_cntl.PRIM_TYPE()) {
      case Vf::PRIM_TYPE__LINE_LIST:
        for (size_t i = 0; i + 3 < all.size(); i += 4) drawn_.insert(drawn_.end(), {all[i + 1], all[i + 2]});
        break;
      case Vf::PRIM_TYPE__LINE_STRIP:
        if (all.size() > 2) drawn_.assign(all.begin() + 1, all.end() - 1);
        break;
      case Vf::PRIM_TYPE__TRIANGLE_LIST:
        for (size_t i = 0; i + 5 < all.size(); i += 6) drawn_.insert(drawn_.end(), {all[i], all[i + 2], all[i + 4]});
        break;
      case Vf::PRIM_TYPE__TRIANGLE_STRIP:
        for (size_t i = 0; i + 1 < all.size(); i += 2) drawn_.push_back(all[i]);
        break;
      default: return all;
    }
    return drawn_;
  }

  /// Without LAST_PROVOKING the first vertex that a triangle of a fan does not share with all others.
  uint32_t provoking() const {
    using Color = regs::GA_COLOR_CONTROL;
    if (rs_.LAST_PROVOKING()) return Color::PROVOKING_VERTEX__ALWAYS_LAST;
    return input_.vf_cntl.PRIM_TYPE() == Vf::PRIM_TYPE__TRIANGLE_FAN ? Color::PROVOKING_VERTEX__SECOND : Color::PROVOKING_VERTEX__FIRST;
  }

  const Shaded& vertex(uint32_t position) {
    const uint32_t index = run_[position] + ctx_.state.get<r::X_DRAW_BASE_VERTEX>().raw;
    std::optional<Entry>& e = cache_[index % kCacheEntries];
    if (!e || e->index != index) e = Entry{index, shade(ctx_, {index, instance_})};
    return e->vertex;
  }

  uint32_t viewport_of(const Shaded& v) const { return vs_.VIEWPORT() && v.vertex.viewport < kViewports ? v.vertex.viewport : 0u; }

  ClipVolume volume(PrimitiveKind kind, uint32_t viewport) const {
    ClipVolume c;
    c.depth_clamp = rs_.DEPTH_CLAMP();
    c.distances = vs_.CLIP_DISTANCES();
    if (kind != PrimitiveKind::triangle) return c;
    const ChipState& s = ctx_.state;
    const auto guard = [](double scale, double offset) {
      const double g = (kGuardPixels - std::fabs(offset)) / std::fabs(scale);
      return g > 1 && std::isfinite(g) ? g : 1.0;
    };
    c.guard_x = guard(s.get_float<r::X_VIEWPORT_XSCALE>(viewport), s.get_float<r::X_VIEWPORT_XOFFSET>(viewport));
    c.guard_y = guard(s.get_float<r::X_VIEWPORT_YSCALE>(viewport), s.get_float<r::X_VIEWPORT_YOFFSET>(viewport));
    return c;
  }

  /// False: not a finite place.
  bool place(const Shaded& v, uint32_t viewport, x::Window& out) const {
    const ChipState& s = ctx_.state;
    const float scale[3] = {s.get_float<r::X_VIEWPORT_XSCALE>(viewport), s.get_float<r::X_VIEWPORT_YSCALE>(viewport),
                            s.get_float<r::X_VIEWPORT_ZSCALE>(viewport)};
    const float offset[3] = {s.get_float<r::X_VIEWPORT_XOFFSET>(viewport), s.get_float<r::X_VIEWPORT_YOFFSET>(viewport),
                             s.get_float<r::X_VIEWPORT_ZOFFSET>(viewport)};
    out.inv_w = num::rcp(v.position[3]);
    float* const to[3] = {&out.x, &out.y, &out.z};
    bool finite = num::is_finite(out.inv_w);
    for (uint32_t i = 0; i < 3; ++i) {
      *to[i] = num::add(num::mul(num::mul(num::flush_denormal(v.position[i]), out.inv_w), scale[i]), offset[i]);
      finite &= num::is_finite(*to[i]);
    }
    out.point_size = v.point_size;
    out.extended = v.vertex;
    return finite;
  }

  void primitive(const vap::Assembled& a) {
    const uint32_t corners = vap::corner_count(a.kind);
    std::vector<Corner> polygon(corners);
    for (uint32_t i = 0; i < corners; ++i) {
      polygon[i] = {vertex(a.element[i]), bool(a.edge_flags >> i & 1)};
      if (ctx_.counters.hung) return;
      for (const float p : polygon[i].v.position)
        if (!num::is_finite(p)) return;
    }
    const uint32_t culls = vs_.CULL_DISTANCES();
    for (uint32_t d = 0; d < 8; ++d) {
      if (!(culls >> d & 1u)) continue;
      if (std::all_of(polygon.begin(), polygon.end(), [d](const Corner& c) { return !(c.v.cull[d] >= 0); })) return;
    }
    Shaded provoking = vertex(a.provoking);
    if (ctx_.counters.hung) return;
    const uint32_t viewport = viewport_of(provoking);
    const ClipVolume volume = this->volume(a.kind, viewport);
    // Attributes of the provoking vertex only; its place is not used.
    x::Window flat;
    flat.extended = provoking.vertex;
    flat.extended.viewport = viewport;
    if (!vs_.LAYER()) flat.extended.layer = 0;
    flat.extended.layer += ctx_.state.get<r::X_DRAW_VIEW>().NUMBER();
    flat.extended.primitive = primitive_;
    switch (a.kind) {
      case PrimitiveKind::point:
        if (!keep_point(volume, polygon[0].v)) return;
        break;
      case PrimitiveKind::line:
        if (!clip_line(volume, polygon[0].v, polygon[1].v)) return;
        break;
      case PrimitiveKind::triangle: clip_polygon(volume, polygon); break;
    }
    std::vector<x::Window> placed(polygon.size());
    for (size_t i = 0; i < polygon.size(); ++i)
      if (!place(polygon[i].v, viewport, placed[i])) return;
    Primitive p{a.kind};
    p.provoking = &flat;
    if (a.kind != PrimitiveKind::triangle) {
      for (size_t i = 0; i < placed.size(); ++i) p.v[i] = &placed[i];
      p.edge_flags = a.kind == PrimitiveKind::line;
      return ga::primitive(ctx_, p);
    }
    for (size_t i = 1; i + 1 < placed.size(); ++i) {
      p.v = {&placed[0], &placed[i], &placed[i + 1]};
      p.edge_flags = uint8_t((i == 1 && polygon[0].edge) | polygon[i].edge << 1 | (i + 2 == placed.size() && polygon[i + 1].edge) << 2);
      ga::primitive(ctx_, p);
    }
  }

  DrawContext& ctx_;
  const DrawInput& input_;
  const r::X_VS_CTRL vs_;
  const r::X_RS_CTRL rs_;
  std::vector<uint32_t> indices_, drawn_;
  std::optional<uint32_t> restart_;
  std::span<const uint32_t> run_;
  std::vector<std::optional<Entry>> cache_;
  uint32_t instance_ = 0, primitive_ = 0;
};

}  // namespace

void run(DrawContext& ctx, const DrawInput& input) {
  if (!ctx.counters.hung) Draw(ctx, input).run();
}

}  // namespace pumice::hw::xv
