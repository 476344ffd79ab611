// SPDX-License-Identifier: MIT
/// See dispatch.h.
#include "hw/radeon/fast/extended/dispatch.h"

#include <algorithm>

#include "common/spin.h"
#include "hw/common/numerics/float_bits.h"
#include "hw/common/simd/flush.h"
#include "hw/db/regs_r5x.h"

namespace pumice::hw::fast::extended {

namespace {

/// GroupArgs::resume of a group that has ended.
constexpr uint32_t kEnded = ~0u;
/// Larger than any number of workgroups.
constexpr uint64_t kMostWorkgroups = uint64_t{1} << 48;
/// How long the chip's thread spins for the last workgroups before it assumes that a helper was preempted.
constexpr std::chrono::microseconds kLookOut{50};

std::array<uint32_t, 3> local_size(const ChipState& s) {
  const auto size = s.get<regs::r5x::X_CS_LOCAL_SIZE>();
  return {size.X() + 1, size.Y() + 1, size.Z() + 1};
}
uint32_t lanes_of(const std::array<uint32_t, 3>& local) { return local[0] * local[1] * local[2]; }  // at most 2^30

}  // namespace

/// nullopt: the reference must execute, or refuse, the dispatch.
std::optional<PreparedStage> Dispatcher::prepare_stage(DrawContext& ctx) {
  const ChipState& s = ctx.state;
  const uint32_t lanes = lanes_of(local_size(s));
  if (lanes > s.chip().workgroup_invocations || s.get<regs::r5x::X_CS_LDS_SIZE>().BYTES() > s.chip().local_memory) return {};
  return prepare(ctx, routines_, hw::x::Stage::compute, lanes % kLanes != 0, lanes >= uint32_t(kLanes), rows_of(local_size(s)));
}

bool Dispatcher::run(DrawContext& ctx, const DispatchInput& input, bool alone) {
  const ChipState& s = ctx.state;
  const uint64_t layer = uint64_t{input.groups[0]} * input.groups[1];
  if (input.groups[2] && layer > kMostWorkgroups / input.groups[2]) return false;
  const uint64_t all = layer * input.groups[2];
  const auto stage = prepare_stage(ctx);
  if (!stage) return false;
  if (all == 0) return true;
  const std::array<uint32_t, 3> local = local_size(s);
  const uint32_t lanes = lanes_of(local), bytes = s.get<regs::r5x::X_CS_LDS_SIZE>().BYTES();

  Job& j = job_;
  j.state = &s, j.stage = &*stage, j.input = &input;
  j.workgroups = all;
  j.chunk = std::clamp<uint64_t>(j.workgroups / (uint64_t{team_.threads()} * 16), 1, 64);
  j.groups = (lanes + kLanes - 1) / kLanes, j.last_lanes = lanes - (j.groups - 1) * kLanes;
  j.local_bytes = bytes;
  j.group_budget = hw::us::group_budget(s);
  j.invocation.resize(4 * j.groups);
  for (uint32_t i = 0; i < j.groups * uint32_t(kLanes); ++i) {
    const uint32_t v[4] = {i % local[0], i / local[0] % local[1], i / local[0] / local[1], i};
    for (uint32_t c = 0; c < 4; ++c) j.invocation[i / kLanes * 4 + c].v[i % kLanes] = num::from_bits(v[c]);
  }
  j.stopping = ctx.stopping;
  ++j.number;
  reports_.clear();
  reported_ = ctx.counters.reported;
  left_ = int64_t(std::min<uint64_t>(ctx.counters.instructions_left, INT64_MAX));
  hung_ = false;
  next_ = 0;
  end_ = all;
  if (workers_.empty())
    for (uint32_t seat = 0; seat < team_.threads(); ++seat) workers_.push_back(std::make_unique<Worker>());

  const bool shared = !alone && team_.seats() && j.workgroups > j.chunk;
  if (shared) {
    open_.store(true, std::memory_order_seq_cst);
    team_.call(uint32_t(std::min<uint64_t>(team_.seats(), (j.workgroups - 1) / j.chunk)));
  }
  {
    const FlushDenormals flush;
    while (run_chunk(*workers_[0])) {
    }
  }
  if (shared) {
    open_.store(false, std::memory_order_seq_cst);
    const auto none = [this] { return inside_.load(std::memory_order_seq_cst) == 0; };
    while (!spin_until(none, kLookOut)) std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
  for (const Report& r : reports_) ctx.report(r.kind, r.text);
  ctx.counters.reported = reported_;
  ctx.counters.instructions_left = uint64_t(std::max<int64_t>(left_, 0));
  if (hung_) ctx.counters.hung = true;
  return true;
}

/// Sets up the state of a thread for this dispatch.
void Dispatcher::begin(Worker& w) {
  const Job& j = job_;
  const PreparedStage& stage = *j.stage;
  w.job = j.number;
  w.counters = {};
  w.config.on_report = [this](const Report& r) {
    const std::lock_guard lock(mutex_);
    reports_.push_back(r);
  };
  w.thread.reset();
  w.ctx.emplace(DrawContext{*j.state, memory_, w.counters, w.config});
  w.local.assign(j.local_bytes, std::byte{});
  uint32_t state_lanes = 0;
  bool calls = false, barriers = false;
  for (const Variant* v : {&stage.partial, &stage.full}) {
    if (!v->routine) continue;
    calls |= v->routine->calls(), barriers |= v->routine->barriers() != 0;
    state_lanes = std::max(state_lanes, uint32_t((v->routine->state_bytes() + sizeof(Lanes) - 1) / sizeof(Lanes)));
  }
  w.state.resize(size_t{state_lanes} * j.groups);
  w.scratch_by_group = barriers;
  w.scratch.begin(stage.needs.scratch, barriers ? j.groups : 1);
  w.waits.resize(j.groups);
  if (calls) {
    const std::span<uint8_t> local(reinterpret_cast<uint8_t*>(w.local.data()), w.local.size());
    w.thread.emplace(*w.ctx, *stage.program, stage.needs, hw::x::Group{.stage = hw::x::Stage::compute}, local);
  }
  w.caller = {};
  w.caller.program = stage.program.get();
  w.caller.thread = w.thread ? &*w.thread : nullptr;
  if (w.thread) w.chosen.begin(*w.thread, *stage.program, *routines_.slots()), w.caller.chosen = &w.chosen;
  w.caller.reported = &reported_;
  w.caller.budget = {.total = &left_, .per_group = j.group_budget != 0, .stopping = j.stopping, .stopping_too = &hung_};
  GroupArgs& a = w.args;
  a.bools = stage.bools;
  a.local = {w.local.data(), uint32_t(w.local.size())};
  a.literals = stage.literals;
  a.textures = stage.textures.views.data();
  a.images = stage.images.views.data();
  a.blocks = &w.blocks;
  if (stage.textures.blocks) a.first_block = w.blocks.begin(stage.textures.blocks);
  a.subgroup[1] = j.groups;
  std::copy(j.input->groups.begin(), j.input->groups.end(), a.workgroups);
  a.user = &w.caller;
}

/// Claims the next workgroups; false when there are none.
bool Dispatcher::run_chunk(Worker& w) {
  const Job& j = job_;
  const uint64_t first = next_.fetch_add(j.chunk, std::memory_order_relaxed);
  if (first >= j.workgroups) return false;
  if (w.job != j.number) begin(w);
  for (uint64_t n = first; n < std::min(first + j.chunk, j.workgroups); ++n) {
    if (run_workgroup(w, n)) continue;
    next_.store(j.workgroups, std::memory_order_relaxed);
    if (!w.ctx->stopped() && !(j.stopping && j.stopping->load())) hung_.store(true, std::memory_order_relaxed);
    return false;
  }
  return true;
}

/// False: the budget is spent, or the work is being stopped.
bool Dispatcher::run_workgroup(Worker& w, uint64_t number) {
  const Job& j = job_;
  if (w.caller.budget.stopped()) return false;
  const auto& count = j.input->groups;
  w.args.workgroup[0] = j.input->first[0] + uint32_t(number % count[0]);
  w.args.workgroup[1] = j.input->first[1] + uint32_t(number / count[0] % count[1]);
  w.args.workgroup[2] = j.input->first[2] + uint32_t(number / count[0] / count[1]);
  std::fill(w.local.begin(), w.local.end(), std::byte{});
  std::fill(w.waits.begin(), w.waits.end(), 0);
  for (bool waiting = true; waiting;) {
    waiting = false;
    for (uint32_t g = 0; g < j.groups; ++g) {
      if (w.waits[g] == kEnded) continue;
      if (!run_group(w, g)) return false;
      waiting |= w.waits[g] != kEnded;
    }
  }
  return true;
}

bool Dispatcher::run_group(Worker& w, uint32_t group) {
  const Job& j = job_;
  const uint32_t lanes = group + 1 < j.groups ? uint32_t(kLanes) : j.last_lanes;
  const Variant& v = lanes == uint32_t(kLanes) ? j.stage->full : j.stage->partial;
  GroupArgs& a = w.args;
  const uint32_t own_scratch = w.scratch_by_group ? group : 0;
  a.exists = a.active = (1u << lanes) - 1;
  a.helpers = 0;
  a.resume = w.waits[group];
  a.views = v.views.data();
  a.scratch = w.scratch.of(own_scratch);
  a.state = w.state.data() + w.state.size() / j.groups * group;
  a.invocation = &j.invocation[4 * group];
  a.subgroup[0] = group;
  if (a.resume == 0 && w.caller.budget.per_group) w.caller.budget.own = int64_t(j.group_budget);
  w.caller.grant(a, a.resume ? 0 : uint32_t(j.stage->program->code.size()));
  v.routine->run(a);
  w.waits[group] = a.waits ? a.waits : kEnded;
  if (!a.waits) w.scratch.clear(v.routine->scratch(), own_scratch);
  return w.caller.settle(a);
}

bool Dispatcher::work(uint32_t seat) {
  inside_.fetch_add(1, std::memory_order_seq_cst);
  bool done = false;
  if (open_.load(std::memory_order_seq_cst)) {
    const FlushDenormals flush;
    done = run_chunk(*workers_[seat]);
  }
  inside_.fetch_sub(1, std::memory_order_seq_cst);
  return done;
}

bool Dispatcher::pending() const {
  return open_.load(std::memory_order_seq_cst) && next_.load(std::memory_order_relaxed) < end_.load(std::memory_order_relaxed);
}

}  // namespace pumice::hw::fast::extended
