// SPDX-License-Identifier: MIT
/// See plan.h.
#include "hw/radeon/fast/extended/plan.h"

#include <algorithm>
#include <bit>
#include <span>

#include "hw/db/regs_r5x.h"
#include "hw/radeon/ref/xr/raster.h"

namespace pumice::hw::fast::extended {

namespace {

/// Copies registers. False: they were the same.
template <size_t N>
bool update_copy(const ChipState& state, uint32_t from, std::array<uint32_t, N>& to) {
  const uint32_t* const now = &state.reg[from / 4];
  bool changed = false;  // one by one: a call for so few takes longer
  for (size_t i = 0; i < N; ++i) changed |= to[i] != now[i], to[i] = now[i];
  return changed;
}

/// Groups of bindings, and of single draws.
constexpr uint32_t kBound = Changes::kConstants | Changes::kVertexConstants;

/// Draw::pixel_work of a program. Rough, from measurements: it determines how many threads a batch gets at first.
uint32_t work_of(std::span<const isa::us_r500::Instruction> code) {
  constexpr uint64_t kPlain = 24, kInstruction = 1, kLookup = 60, kMost = 1 << 20;
  constexpr uint32_t kTurnsLog2 = 3, kDeepest = 3;  // of loops
  uint64_t work = kPlain;
  uint32_t depth = 0;
  for (const auto& x : code) {
    const bool looks_up = x.type == isa::us_r500::Type::TEXTURE && x.tex.inst == isa::us_r500::TexOp::X && info(x.tex.x.op).fetches;
    work += (looks_up ? kLookup : kInstruction) << kTurnsLog2 * std::min(depth, kDeepest);
    if (x.type != isa::us_r500::Type::FLOW_CONTROL) continue;
    depth += info(x.flow.op).begins_loop;
    depth -= depth && info(x.flow.op).ends_loop;
  }
  return static_cast<uint32_t>(std::min(work, kMost));
}

}  // namespace

Planner::Planner(Memory& memory, Routines& routines) : memory_(memory), pixels_(routines), footprints_(memory) {
  known_.push_back(std::make_unique<Known>());
}

bool Planner::same_state(const DrawContext& ctx) const {
  return known_.front()->valid && (groups_ & ~kBound) == 0 && map_version_ == memory_.map_version() && ctx.programs &&
         ctx.programs->version() == programs_version_;
}

bool Planner::holds(const DrawContext& ctx) const {
  return is_bound(*known_.front()) && (groups_ & ~uint32_t{Changes::kVertexConstants}) == 0 && same_state(ctx);
}

void Planner::Part::find(const ChipState& state, std::span<const RegisterRange> key) {
  // Something has changed: most likely it is another one than the last.
  for (size_t i = 1; i <= contents_.size(); ++i) {
    const size_t at = (now_ + i) % contents_.size();
    if (!contents_[at].number || !contents_[at].registers.matches(state, {key})) continue;
    now_ = at;
    return;
  }
  now_ = next_++ % contents_.size();
  contents_[now_].registers.read(state, {key});
  contents_[now_].number = ++numbers_;
}

/// Makes the state's entry the current one. False: it is a new one.
bool Planner::find_state(const DrawContext& ctx) {
  if (map_version_ != memory_.map_version() || programs_version_ != ctx.programs->version()) {
    for (const auto& k : known_) k->valid = false;
    map_version_ = memory_.map_version(), programs_version_ = ctx.programs->version();
  }
  const Profile profile = ctx.state.profile;
  const std::pair<uint32_t, std::span<const RegisterRange>> keys[kParts] = {{Changes::kRaster, raster_key(profile)},
                                                                            {Changes::kOutput, extended_output_key(profile)},
                                                                            {Changes::kVertex | Changes::kExtended, extended_key(profile)}};
  StateNumbers state;
  uint32_t others = groups_ & ~kBound;
  for (size_t i = 0; i < kParts; ++i) {
    if (groups_ & keys[i].first) parts_[i].find(ctx.state, keys[i].second);
    state[i] = parts_[i].now();
    others &= ~keys[i].first;
  }
  others_ += others != 0;
  state[kParts] = others_;
  const auto found = std::find_if(known_.begin(), known_.end(), [&](const auto& k) { return k->valid && k->state == state; });
  if (found != known_.end()) {
    std::rotate(known_.begin(), found, found + 1);
    return true;
  }
  auto unused = std::find_if(known_.begin(), known_.end(), [](const auto& k) { return !k->valid; });
  if (unused == known_.end()) {
    if (known_.size() < kMostKnown) known_.push_back(std::make_unique<Known>());
    unused = known_.end() - 1;
  }
  std::rotate(known_.begin(), unused, unused + 1);
  Known& k = current();
  k.valid = false, k.bound = 0;
  k.state = state;
  return false;
}

/// False: nothing that the programs use.
bool Planner::find_changes(const DrawContext& ctx) {
  namespace r = regs::r5x;
  static_assert(r::X_GFX_SET_HI::at(r::X_GFX_SET_HI::count - 1) + 4 - r::X_GFX_SET_LO::offset == Bound::kSetDwords * 4);
  const ChipState& state = ctx.state;
  changed_.same = changed_.pixels = same_state(ctx);
  if (!changed_.same && find_state(ctx)) {
    changed_.same = true;
    changed_.pixels = pixels_.select(now().pixel, now().version.fragment);
  }
  Known& k = current();
  uint32_t sets = 0;
  const uint32_t* const now = &state.reg[r::X_GFX_SET_LO::offset / 4];
  for (uint32_t i = 0; i < Bound::kSetDwords; i += 2) {
    sets |= uint32_t(now[i] != k.bindings.sets[i] || now[i + 1] != k.bindings.sets[i + 1]) << i / 2;
    k.bindings.sets[i] = now[i], k.bindings.sets[i + 1] = now[i + 1];
  }
  const bool push = update_copy(state, r::X_GFX_PUSH_LO::offset, k.bindings.push);
  const bool bools = update_copy(state, regs::US_FC_BOOL_CONST::offset, k.bindings.bools);
  changed_.stages = {};
  if (!changed_.same || !is_bound(k)) return true;
  const auto changed = [&](const footprint::ProgramUses& uses) { return bools || (uses.sets & sets) != 0 || (uses.push && push); };
  changed_.stages.vertex = changed(*k.programs.vertex_uses);
  changed_.stages.fragment = !changed_.pixels || changed(*k.programs.fragment_uses);
  return changed_.stages.vertex || changed_.stages.fragment;
}

/// Gives version.buffers a new number where they have changed.
void Planner::read_buffers(const ChipState& state) {
  namespace r = regs::r5x;
  Known& k = current();
  bool changed = false;
  size_t at = 0;
  for (uint32_t left = k.programs.vertex_uses->attributes; left; left &= left - 1, at += 4) {
    const uint32_t b = state.get<r::X_VTX_ATTR_FORMAT>(static_cast<uint32_t>(std::countr_zero(left))).BUFFER();
    const uint32_t* const now = &state.reg[r::X_VTX_BUFFER_LO::at(b) / 4];
    if (k.buffers.size() < at + 4) k.buffers.resize(at + 4), changed = true;
    if (std::equal(now, now + 4, &k.buffers[at])) continue;
    std::copy_n(now, 4, &k.buffers[at]);
    changed = true;
  }
  if (k.buffers.size() > at) k.buffers.resize(at), changed = true;
  if (!changed && changed_.same) return;
  if (changed || !k.plan.version.buffers) k.plan.version.buffers = ++versions_;
  footprints_.bind_buffers(state, k.programs, k.plan.footprint);
}

Planner::Begun Planner::begin(DrawContext& ctx) {
  if (!ctx.programs) return Begun::unable;
  const bool changed = find_changes(ctx);
  Known& k = current();
  if (!changed) {
    read_buffers(ctx.state);
    groups_ = 0;
    return Begun::valid;
  }
  k.bound = 0;
  if (!changed_.same) {
    k.programs = {};
    k.programs.vertex = ctx.programs->find(ctx.state, memory_, hw::x::Stage::vertex);
    k.programs.fragment = ctx.programs->find(ctx.state, memory_, hw::x::Stage::fragment);
    if (!k.programs.vertex->problem.empty() || !k.programs.fragment->problem.empty()) return Begun::unable;
    footprints_.find(k.programs);
  }
  changed_.needs = hw::x::resources(ctx.state, hw::x::Stage::fragment);
  footprints_.bind_descriptors(k.programs, changed_.needs, changed_.stages, k.plan.footprint);
  return Begun::reads;
}

bool Planner::update(DrawContext& ctx) {
  Known& k = current();
  const auto [vertex, fragment] = changed_.stages;
  const bool same = changed_.same;
  k.valid = false;
  if (!same) footprints_.bind_state(ctx.state, k.programs, k.plan.footprint);
  footprints_.bind_memory(k.programs, changed_.needs, changed_.stages, k.plan.footprint);
  why_ = "its targets overlap, or it reads them";
  if (!k.plan.footprint.tiles) return false;
  if (fragment) {
    k.plan.version.fragment = ++versions_;
    if (!pixels_.update(ctx, changed_.pixels, &why_, k.plan.version.fragment)) return false;
  }
  k.plan.pixel = pixels_.now();
  if (!same) plan_state(ctx);
  groups_ = 0;
  read_buffers(ctx.state);
  if (vertex) k.plan.version.vertex = ++versions_;
  k.bound = memory_version_;
  return k.valid = true;
}

/// The part that does not depend on bindings.
void Planner::plan_state(const DrawContext& ctx) {
  const ChipState& state = ctx.state;
  Known& k = current();
  DrawPlan& plan = k.plan;
  const PixelInputs& inputs = plan.pixel->inputs();
  plan.varyings = 0;
  for (const auto* components : {&inputs.planes, &inputs.flat})
    for (const auto& c : *components)
      if (c.varying < hw::x::kVaryings) plan.varyings |= 1u << c.varying;
  plan.samples = xr::samples_of(state);
  plan.sample_mask = state.get<regs::r5x::X_RS_SAMPLE_MASK>().MASK();
  k.box_of = ~0u;
  plan.triangles = raster::plan_triangles(state, inputs, plan.samples);
  plan.depth = xz::decode(state);
  const auto rs = state.get<regs::r5x::X_RS_CTRL>();
  plan.any_depth = rs.DEPTH_CLAMP() || rs.DEPTH_UNRESTRICTED();
  plan.pixel_work = work_of(k.programs.fragment->code);
  plan.version.state = ++versions_;
}

sc::Bounds Planner::bounds(const ChipState& state, uint32_t viewport, bool triangle) const {
  sc::Bounds b = xr::bounds_of(state, viewport, triangle);
  b.box.x1 = std::min(b.box.x1, static_cast<int32_t>(now().pixel->width) - 1);
  b.box.y1 = std::min(b.box.y1, static_cast<int32_t>(now().pixel->height) - 1);
  return b;
}

const raster::TrianglePlan& Planner::triangles(const ChipState& state, uint32_t viewport) {
  Known& k = current();
  if (k.box_of != viewport) raster::set_box(k.plan.triangles.lot, bounds(state, viewport, true).box);
  k.box_of = viewport;
  return k.plan.triangles;
}

}  // namespace pumice::hw::fast::extended
