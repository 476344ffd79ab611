// SPDX-License-Identifier: MIT
/// See sequence.h.
#include "hw/radeon/ref/xv/sequence.h"

#include <numeric>

#include "hw/db/regs_r5x.h"
#include "hw/radeon/ref/vap/walk.h"

namespace pumice::hw::xv {

namespace r = regs::r5x;
using Vf = regs::VAP_VF_CNTL;

bool Sequence::read(DrawContext& ctx, const DrawInput& input) {
  const Vf vf = input.vf_cntl;
  prim_type_ = vf.PRIM_TYPE();
  adjacency_ = ctx.state.get<r::X_DRAW_CTRL>().ADJACENCY();
  restart_.reset();
  const uint32_t count = vap::wanted_vertices(ctx.state, vf);
  switch (vf.PRIM_WALK()) {
    case Vf::PRIM_WALK__SEQUENTIAL_VERTICES_FROM_MEMORY:
      if (counted_.size() < count) {
        counted_.resize(count);
        std::iota(counted_.begin(), counted_.end(), 0u);
      }
      numbers_ = std::span(counted_).first(count);
      return true;
    case Vf::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY: {
      const r::X_DRAW_CTRL control = ctx.state.get<r::X_DRAW_CTRL>();
      const bool wide = vf.INDEX_SIZE() == Vf::INDEX_SIZE__N32_BIT, bytes = !wide && control.BYTE_INDICES();
      const uint64_t skip = bytes ? control.SKIP_BYTES() : 0, held = uint64_t{input.data.size()} * (wide ? 1 : bytes ? 4 : 2);
      const auto taken = size_t(std::min<uint64_t>(count, held - std::min(held, skip)));
      if (wide) {
        numbers_ = input.data.first(taken);
      } else if (bytes) {
        widened_.resize(taken);
        for (size_t i = 0; i < taken; ++i) widened_[i] = input.data[(i + skip) / 4] >> (i + skip) % 4 * 8 & 0xFF;
        numbers_ = widened_;
      } else {
        widened_.resize(taken + 1);
        for (size_t i = 0; i < taken; i += 2) widened_[i] = input.data[i / 2] & 0xFFFFu, widened_[i + 1] = input.data[i / 2] >> 16;
        numbers_ = std::span(widened_).first(taken);
      }
      if (control.RESTART()) restart_ = wide ? ~0u : bytes ? 0xFFu : 0xFFFFu;
      return true;
    }
    default: ctx.report(ReportKind::bad_packet, "an extended draw with embedded vertices; draw skipped"); return false;
  }
}

/// X_DRAW_CTRL.ADJACENCY: the vertices that are drawn.
std::span<const uint32_t> Sequence::without_neighbours(std::span<const uint32_t> all) {
  if (!adjacency_) return all;
  drawn_.clear();
  switch (prim_type_) {
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

uint32_t provoking(const ChipState& state, Vf vf) {
  using Color = regs::GA_COLOR_CONTROL;
  if (state.get<r::X_RS_CTRL>().LAST_PROVOKING()) return Color::PROVOKING_VERTEX__ALWAYS_LAST;
  return vf.PRIM_TYPE() == Vf::PRIM_TYPE__TRIANGLE_FAN ? Color::PROVOKING_VERTEX__SECOND : Color::PROVOKING_VERTEX__FIRST;
}

bool stipples_strips(const ChipState& state) {
  using Config = regs::GA_LINE_STIPPLE_CONFIG;
  return state.get<r::X_RS_STIPPLE>().ENABLE() && state.get<Config>().LINE_RESET() == Config::LINE_RESET__EACH_PACKET;
}

}  // namespace pumice::hw::xv
