// SPDX-License-Identifier: MIT
/// See plan.h.
#include "hw/radeon/fast/extended/plan.h"

#include <algorithm>
#include <bit>

#include "hw/db/regs_r5x.h"
#include "hw/radeon/ref/xr/raster.h"

namespace pumice::hw::fast::extended {

namespace {

/// Copies registers. False: they were the same.
template <size_t N>
bool update_copy(const ChipState& state, uint32_t from, std::array<uint32_t, N>& to) {
  const uint32_t* const now = &state.reg[from / 4];
  if (std::equal(to.begin(), to.end(), now)) return false;
  std::copy_n(now, N, to.begin());
  return true;
}

}  // namespace

/// Only registers of bindings, buffers and single draws, and memory, have changed.
bool Planner::same_state(const DrawContext& ctx) const {
  constexpr uint32_t kBound = Changes::kConstants | Changes::kVertexConstants;
  return valid_ && (groups_ & ~kBound) == 0 && map_version_ == memory_.map_version() && ctx.programs &&
         ctx.programs->version() == programs_version_;
}

bool Planner::holds(const DrawContext& ctx) const {
  return bound_ && (groups_ & ~uint32_t{Changes::kVertexConstants}) == 0 && same_state(ctx);
}

/// False: nothing that the programs use.
bool Planner::find_changes(const DrawContext& ctx) {
  namespace r = regs::r5x;
  static_assert(r::X_GFX_SET_HI::at(r::X_GFX_SET_HI::count - 1) + 4 - r::X_GFX_SET_LO::offset == Bound::kSetDwords * 4);
  const ChipState& state = ctx.state;
  uint32_t sets = 0;
  const uint32_t* const now = &state.reg[r::X_GFX_SET_LO::offset / 4];
  for (uint32_t i = 0; i < Bound::kSetDwords; i += 2) {
    sets |= uint32_t(now[i] != bindings_.sets[i] || now[i + 1] != bindings_.sets[i + 1]) << i / 2;
    bindings_.sets[i] = now[i], bindings_.sets[i + 1] = now[i + 1];
  }
  const bool push = update_copy(state, r::X_GFX_PUSH_LO::offset, bindings_.push);
  const bool bools = update_copy(state, regs::US_FC_BOOL_CONST::offset, bindings_.bools);
  changed_.same = same_state(ctx);
  changed_.stages = {};
  if (!changed_.same || !bound_) return true;
  const auto changed = [&](const footprint::ProgramUses& uses) { return bools || (uses.sets & sets) != 0 || (uses.push && push); };
  changed_.stages.vertex = changed(*programs_.vertex_uses);
  changed_.stages.fragment = changed(*programs_.fragment_uses);
  return changed_.stages.vertex || changed_.stages.fragment;
}

/// Counts version.buffers up where they have changed.
void Planner::read_buffers(const ChipState& state) {
  namespace r = regs::r5x;
  bool changed = false;
  size_t at = 0;
  for (uint32_t left = programs_.vertex_uses->attributes; left; left &= left - 1, at += 4) {
    const uint32_t b = state.get<r::X_VTX_ATTR_FORMAT>(static_cast<uint32_t>(std::countr_zero(left))).BUFFER();
    const uint32_t* const now = &state.reg[r::X_VTX_BUFFER_LO::at(b) / 4];
    if (buffers_.size() < at + 4) buffers_.resize(at + 4), changed = true;
    if (std::equal(now, now + 4, &buffers_[at])) continue;
    std::copy_n(now, 4, &buffers_[at]);
    changed = true;
  }
  if (buffers_.size() > at) buffers_.resize(at), changed = true;
  if (!changed && changed_.same) return;
  now_.version.buffers += changed;
  footprints_.bind_buffers(state, programs_, now_.footprint);
}

Planner::Begun Planner::begin(DrawContext& ctx) {
  if (!ctx.programs) return Begun::unable;
  if (!find_changes(ctx)) {
    read_buffers(ctx.state);
    groups_ = 0;
    return Begun::valid;
  }
  bound_ = false;
  if (!changed_.same) {
    valid_ = false;
    programs_.vertex = ctx.programs->find(ctx.state, memory_, hw::x::Stage::vertex);
    programs_.fragment = ctx.programs->find(ctx.state, memory_, hw::x::Stage::fragment);
    if (!programs_.vertex->problem.empty() || !programs_.fragment->problem.empty()) return Begun::unable;
    footprints_.find(programs_);
  }
  changed_.needs = hw::x::resources(ctx.state, hw::x::Stage::fragment);
  footprints_.bind_descriptors(programs_, changed_.needs, changed_.stages, now_.footprint);
  return Begun::reads;
}

bool Planner::update(DrawContext& ctx) {
  const auto [vertex, fragment] = changed_.stages;
  const bool same = changed_.same;
  valid_ = false;
  if (!same) footprints_.bind_state(ctx.state, programs_, now_.footprint);
  footprints_.bind_memory(programs_, changed_.needs, changed_.stages, now_.footprint);
  why_ = "its targets overlap, or it reads them";
  if (!now_.footprint.tiles) return false;
  if (fragment && !pixels_.update(ctx, same, &why_)) return false;
  now_.pixel = pixels_.now();
  if (!same) plan_state(ctx);
  map_version_ = memory_.map_version(), programs_version_ = ctx.programs->version();
  groups_ = 0;
  read_buffers(ctx.state);
  now_.version.fragment += fragment;
  now_.version.vertex += vertex;
  return valid_ = bound_ = true;
}

/// The part that does not depend on bindings.
void Planner::plan_state(const DrawContext& ctx) {
  const ChipState& state = ctx.state;
  const PixelInputs& inputs = now_.pixel->inputs();
  now_.varyings = 0;
  for (const auto* components : {&inputs.planes, &inputs.flat})
    for (const auto& c : *components)
      if (c.varying < hw::x::kVaryings) now_.varyings |= 1u << c.varying;
  now_.samples = xr::samples_of(state);
  now_.sample_mask = state.get<regs::r5x::X_RS_SAMPLE_MASK>().MASK();
  box_of_ = ~0u;
  now_.triangles = raster::plan_triangles(state, inputs, now_.samples);
  now_.depth = xz::decode(state);
  now_.depth_clamp = state.get<regs::r5x::X_RS_CTRL>().DEPTH_CLAMP();
  // Rough, as of strict draws: they determine how many threads a batch gets.
  constexpr uint32_t kPlain = 24, kLookup = 60;
  uint32_t lookups = 0;
  for (const auto& x : programs_.fragment->code)
    lookups += x.type == isa::us_r500::Type::TEXTURE && x.tex.inst == isa::us_r500::TexOp::X && info(x.tex.x.op).fetches;
  now_.pixel_work = kPlain + static_cast<uint32_t>(programs_.fragment->code.size()) + kLookup * lookups;
  ++now_.version.state;
}

sc::Bounds Planner::bounds(const ChipState& state, uint32_t viewport, bool triangle) const {
  sc::Bounds b = xr::bounds_of(state, viewport, triangle);
  b.box.x1 = std::min(b.box.x1, static_cast<int32_t>(now_.pixel->width) - 1);
  b.box.y1 = std::min(b.box.y1, static_cast<int32_t>(now_.pixel->height) - 1);
  return b;
}

const raster::TrianglePlan& Planner::triangles(const ChipState& state, uint32_t viewport) {
  if (box_of_ != viewport) raster::set_box(now_.triangles.lot, bounds(state, viewport, true).box);
  box_of_ = viewport;
  return now_.triangles;
}

}  // namespace pumice::hw::fast::extended
