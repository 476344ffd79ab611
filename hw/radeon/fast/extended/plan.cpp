// SPDX-License-Identifier: MIT
/// See plan.h.
#include "hw/radeon/fast/extended/plan.h"

#include <algorithm>
#include <bit>

#include "hw/db/regs_r5x.h"
#include "hw/radeon/ref/xr/raster.h"

namespace pumice::hw::fast::extended {

bool Planner::descriptors(DrawContext& ctx, std::vector<ByteRange>& out) {
  if (!ctx.programs) return false;
  const bool same = same_state(ctx);
  if (!same) {
    programs_.vertex = ctx.programs->find(ctx.state, memory_, hw::x::Stage::vertex);
    programs_.fragment = ctx.programs->find(ctx.state, memory_, hw::x::Stage::fragment);
    if (!programs_.vertex->problem.empty() || !programs_.fragment->problem.empty()) {
      valid_ = false;
      return false;
    }
  }
  find_changes(ctx.state, same);
  footprints_.descriptors(programs_, changed_.needs, changed_.stages, out);
  return true;
}

/// Only registers of bindings, buffers and single draws, and memory, have changed.
bool Planner::same_state(const DrawContext& ctx) const {
  constexpr uint32_t kBound = Changes::kConstants | Changes::kVertexConstants;
  return valid_ && (groups_ & ~kBound) == 0 && map_version_ == memory_.map_version() && ctx.programs &&
         ctx.programs->version() == programs_version_;
}

bool Planner::holds(const DrawContext& ctx) const {
  return bound_ && (groups_ & ~uint32_t{Changes::kVertexConstants}) == 0 && same_state(ctx);
}

Planner::Bound Planner::bound_of(const ChipState& state) {
  namespace r = regs::r5x;
  static_assert(r::X_GFX_SET_HI::at(r::X_GFX_SET_HI::count - 1) + 4 - r::X_GFX_SET_LO::offset == Bound::kSetDwords * 4);
  Bound b;
  std::copy_n(&state.reg[r::X_GFX_SET_LO::offset / 4], b.sets.size(), b.sets.begin());
  std::copy_n(&state.reg[r::X_GFX_PUSH_LO::offset / 4], b.push.size(), b.push.begin());
  b.bools = state.raw(regs::US_FC_BOOL_CONST::offset);
  return b;
}

/// `same`: same_state().
void Planner::find_changes(const ChipState& state, bool same) {
  Changed& c = changed_;
  c.now = bound_of(state);
  c.needs = hw::x::resources(state, hw::x::Stage::fragment);
  c.stages = {};
  if (!same || !bound_) return;
  uint32_t sets = 0;
  for (uint32_t i = 0; i < c.now.sets.size(); ++i) sets |= uint32_t(c.now.sets[i] != bindings_.sets[i]) << i / 2;
  const bool push = c.now.push != bindings_.push, bools = c.now.bools != bindings_.bools;
  const auto changed = [&](const footprint::ProgramUses& uses) { return bools || (uses.sets & sets) != 0 || (uses.push && push); };
  c.stages.vertex = changed(footprints_.uses(programs_.vertex, hw::x::Stage::vertex));
  c.stages.fragment = changed(footprints_.uses(programs_.fragment, hw::x::Stage::fragment));
}

/// Counts version.buffers up where they have changed.
void Planner::read_buffers(const ChipState& state) {
  namespace r = regs::r5x;
  buffers_before_.swap(buffers_);
  buffers_.clear();
  for (uint32_t left = footprints_.uses(programs_.vertex, hw::x::Stage::vertex).attributes; left; left &= left - 1) {
    const uint32_t b = state.get<r::X_VTX_ATTR_FORMAT>(static_cast<uint32_t>(std::countr_zero(left))).BUFFER();
    const uint32_t* const at = &state.reg[r::X_VTX_BUFFER_LO::at(b) / 4];
    buffers_.insert(buffers_.end(), at, at + 4);
  }
  now_.version.buffers += buffers_ != buffers_before_;
}

bool Planner::update_buffers(const DrawContext& ctx) {
  if (!bound_ || !same_state(ctx) || bound_of(ctx.state) != bindings_) return false;
  read_buffers(ctx.state);
  footprints_.bind_buffers(ctx.state, programs_, now_.footprint);
  groups_ = 0;
  return true;
}

bool Planner::update(DrawContext& ctx) {
  const bool same = same_state(ctx);
  if (!bound_) changed_.stages = {};  // forget() since descriptors()
  const auto [vertex, fragment] = changed_.stages;
  valid_ = bound_ = false;
  if (same)
    footprints_.bind(ctx.state, programs_, changed_.needs, changed_.stages, now_.footprint);
  else
    now_.footprint = footprints_.of(ctx.state, programs_);
  why_ = "its targets overlap, or it reads them";
  if (!now_.footprint.tiles) return false;
  if (fragment && !pixels_.update(ctx, same, &why_)) return false;
  now_.pixel = pixels_.now();
  if (!same) plan_state(ctx);
  map_version_ = memory_.map_version(), programs_version_ = ctx.programs->version();
  groups_ = 0;
  read_buffers(ctx.state);
  bindings_ = changed_.now;
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
