// SPDX-License-Identifier: MIT
/// The vertex processor, per draw: index walk -> fetch -> PVS (or bypass) -> assembly -> clip -> viewport -> GA.
/// Follows pipeline s.2, pvs-isa s.11 and cp-pm4 s.5. Reference executor: vertices are shaded when a primitive needs them.
#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "hw/radeon/draw/inspector.h"
#include "hw/radeon/ref/vap/fetch.h"
#include "hw/radeon/ref/vap/outputs.h"
#include "hw/radeon/ref/vap/primitive_stage.h"
#include "hw/radeon/ref/vap/pvs_engine.h"
#include "hw/radeon/ref/vap/vap.h"
#include "hw/radeon/ref/vap/walk.h"

namespace pumice::hw::vap {
namespace {

using Vf = regs::VAP_VF_CNTL;

/// Shaded vertices of this draw by vertex number, direct mapped: shading depends on the number alone, so any size is correct.
/// (VTX_REUSE_DIS therefore changes nothing.)
constexpr uint32_t kMaxCacheEntries = 1024;

class Draw {
 public:
  Draw(DrawContext& ctx, const DrawInput& input)
      : ctx_(ctx),
        input_(input),
        walk_(ctx, input),
        layout_(decode_layout(ctx.state)),
        map_(decode_output_map(ctx.state)),
        stage_(ctx),
        bypass_(ctx.state.get<regs::VAP_CNTL_STATUS>().PVS_BYPASS()),
        color_(ctx.state.get<regs::GA_COLOR_CONTROL>()) {}

  void run();

 private:
  struct CacheEntry {
    bool valid = false;
    uint32_t number = 0;
    ClipVertex vertex;
  };

  bool shade(uint32_t number, ClipVertex& out);
  /// The vertex at position k of the sequence. False: the watchdog ended the draw.
  bool vertex(uint32_t k, ClipVertex& out);
  bool primitive(const Assembled& a);

  DrawContext& ctx_;
  const DrawInput& input_;
  IndexWalk walk_;
  VertexLayout layout_;
  OutputMap map_;
  PrimitiveStage stage_;
  bool bypass_;
  regs::GA_COLOR_CONTROL color_;
  PvsProgram program_;
  std::vector<CacheEntry> cache_;
  VertexStream stream_;
};

bool Draw::shade(uint32_t number, ClipVertex& out) {
  PvsInputs inputs;
  if (walk_.embedded()) {
    const size_t size = walk_.embedded_dwords();
    const std::span<const uint32_t> stream = size ? input_.data.subspan(number * size, size) : std::span<const uint32_t>{};
    convert_stream(layout_, stream, inputs);
    if (ctx_.inspector) ctx_.inspector->vertex(ctx_, number, stream, inputs);
  } else {
    const uint32_t index = walk_.dual() ? number & 0xFFFFFFu : number;
    fetch_stream(layout_, ctx_.memory, walk_.dual() ? number >> 24 : index, index, stream_);
    const std::span<const uint32_t> stream = std::span(stream_).first(layout_.stream_dwords);
    convert_stream(layout_, stream, inputs);
    if (ctx_.inspector) ctx_.inspector->vertex(ctx_, number, stream, inputs);
  }
  if (bypass_) {
    out = map_outputs(map_, inputs);
    if (ctx_.inspector) ctx_.inspector->vertex_done(ctx_, inputs);
    return true;
  }
  PvsOutputs outputs;
  outputs.fill(kDefaultVector);
  if (!run_program(program_, ctx_.state, inputs, outputs, ctx_.counters.instructions_left, ctx_.inspector)) {
    ctx_.counters.hung = true;
    ctx_.report(ReportKind::lockup, "the watchdog stopped the draw in the vertex program of vertex " + std::to_string(number));
    return false;
  }
  out = map_outputs(map_, outputs);
  if (ctx_.inspector) ctx_.inspector->vertex_done(ctx_, outputs);
  return true;
}

bool Draw::vertex(uint32_t k, ClipVertex& out) {
  const uint32_t number = walk_[k];
  CacheEntry& entry = cache_[number & (cache_.size() - 1)];
  if (!entry.valid || entry.number != number) {
    entry.valid = false;
    if (!shade(number, entry.vertex)) return false;
    entry.number = number;
    entry.valid = true;
  }
  out = entry.vertex;
  return true;
}

bool Draw::primitive(const Assembled& a) {
  const uint32_t corners = corner_count(a.kind);
  std::array<ClipVertex, 3> v;
  uint32_t provoking_slot = PrimitiveStage::kNoSlot;
  for (uint32_t i = 0; i < corners; ++i) {
    if (!vertex(a.element[i], v[i])) return false;
    if (a.element[i] == a.provoking) provoking_slot = i;
  }
  // Its attributes only: the position of a provoking vertex that is none of the primitive's corners stays at the default.
  WindowVertex provoking;
  if (provoking_slot != PrimitiveStage::kNoSlot) {
    provoking = v[provoking_slot].window;
  } else {
    ClipVertex p;
    if (!vertex(a.provoking, p)) return false;
    provoking = p.window;
  }
  stage_.run(a, v, provoking, provoking_slot);
  return !ctx_.counters.hung;
}

void Draw::run() {
  const uint32_t type = input_.vf_cntl.PRIM_TYPE(), count = walk_.count();
  if (count == 0) return;
  if (!bypass_) program_ = decode_program(ctx_.state);
  report_problems(ctx_, layout_.complaint, program_.complaint);
  cache_.resize(std::bit_ceil(std::min(count, kMaxCacheEntries)));
  if (!assemble(type, count, color_.PROVOKING_VERTEX(), [this](const Assembled& a) { return primitive(a); }))
    ctx_.report(ReportKind::bad_packet, "reserved VAP_VF_CNTL.PRIM_TYPE " + std::to_string(type) + "; draw skipped");
}

}  // namespace

void report_problems(DrawContext& ctx, const std::string& layout, const std::string& program) {
  if (!layout.empty()) ctx.report(ReportKind::bad_register, layout + "; it reads as (0,0,0,1)");
  if (!program.empty()) ctx.report(ReportKind::bad_register, program + "; it does nothing");
}

void run(DrawContext& ctx, const DrawInput& input) {
  const ChipState& state = ctx.state;
  if (state.chip().has_vap_no_render && state.get<regs::VAP_CNTL>().VAP_NO_RENDER()) return;
  if (ctx.counters.hung) return;
  Draw(ctx, input).run();
}

}  // namespace pumice::hw::vap
