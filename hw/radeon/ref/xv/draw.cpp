// SPDX-License-Identifier: MIT
/// An extended draw up to GA (hw/radeon/ref/xv/README.md).
#include "hw/radeon/ref/xv/draw.h"

#include <algorithm>
#include <optional>

#include "hw/radeon/ref/vap/assemble.h"
#include "hw/radeon/ref/xv/primitive.h"
#include "hw/radeon/ref/xv/sequence.h"

namespace pumice::hw::xv {
namespace {

namespace r = regs::r5x;

class Draw {
 public:
  Draw(DrawContext& ctx, const DrawInput& input) : ctx_(ctx), input_(input), counts_(x::counts(ctx)), stage_(ctx) {}

  void run() {
    if (!sequence_.read(ctx_, input_)) return;
    const uint32_t instances = std::max(ctx_.state.get<r::X_DRAW_INSTANCES>().raw, 1u);
    cache_.resize(kCacheEntries);
    for (instance_ = 0; instance_ < instances; ++instance_) {
      primitive_ = 0;
      if (counts_) counts_->vertices += sequence_.vertices();
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

  bool run_instance() {
    return sequence_.for_each_run([this](std::span<const uint32_t> run) {
      run_ = run;
      if (stipples_strips(ctx_.state)) ctx_.counters.stipple = 0;
      const auto emit = [this](const vap::Assembled& a) {
        if (counts_) ++counts_->primitives, ++counts_->clip_invocations;
        primitive(a);
        ++primitive_;
        return !ctx_.counters.hung;
      };
      const uint32_t type = input_.vf_cntl.PRIM_TYPE();
      const bool known = vap::assemble(type, uint32_t(run.size()), provoking(ctx_.state, input_.vf_cntl), emit);
      if (!known) ctx_.report(ReportKind::bad_packet, "reserved VAP_VF_CNTL.PRIM_TYPE " + std::to_string(type) + "; draw skipped");
      return known && !ctx_.counters.hung;
    });
  }

  const Shaded& vertex(uint32_t position) {
    const uint32_t index = run_[position] + ctx_.state.get<r::X_DRAW_BASE_VERTEX>().raw;
    std::optional<Entry>& e = cache_[index % kCacheEntries];
    if (!e || e->index != index) {
      if (counts_) ++counts_->vertex_invocations;
      e = Entry{index, shade(ctx_, {index, instance_})};
    }
    return e->vertex;
  }

  void primitive(const vap::Assembled& a) {
    corners_.resize(vap::corner_count(a.kind));
    for (uint32_t i = 0; i < corners_.size(); ++i) {
      corners_[i] = {vertex(a.element[i]), bool(a.edge_flags >> i & 1)};
      if (ctx_.counters.hung) return;
    }
    const x::Vertex flat = vertex(a.provoking).vertex;
    if (ctx_.counters.hung || !std::all_of(corners_.begin(), corners_.end(), [](const Corner& c) { return finite(c.v); })) return;
    stage_.run(a.kind, corners_, flat, primitive_);
  }

  DrawContext& ctx_;
  const DrawInput& input_;
  PipelineCounts* const counts_;
  PrimitiveStage stage_;
  Sequence sequence_;
  std::span<const uint32_t> run_;
  std::vector<Corner> corners_;
  std::vector<std::optional<Entry>> cache_;
  uint32_t instance_ = 0, primitive_ = 0;
};

}  // namespace

void run(DrawContext& ctx, const DrawInput& input) {
  if (!ctx.counters.hung) Draw(ctx, input).run();
}

}  // namespace pumice::hw::xv
