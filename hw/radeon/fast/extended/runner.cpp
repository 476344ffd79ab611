// SPDX-License-Identifier: MIT
/// See runner.h.
#include "hw/radeon/fast/extended/runner.h"

#include <algorithm>

#include "hw/common/simd/flush.h"

namespace pumice::hw::fast::extended {

void Runner::begin(DrawContext& ctx, const hw::x::Group& group, Stage& s) {
  s.known = true;
  s.prepared = prepare(ctx, routines_, group.stage, true, false);
  if (!s.prepared) return;
  // Without a workgroup there is no barrier.
  if (s.prepared->partial.routine->barriers()) return s.prepared.reset();
  s.thread.emplace(ctx, *s.prepared->program, s.prepared->needs, group, std::span<uint8_t>());
  s.caller = {};
  s.caller.program = s.prepared->program.get();
  s.caller.thread = &*s.thread;
  if (SlotRoutines* const slots = s.prepared->partial.routine->slots())
    s.chosen.begin(*s.thread, *s.prepared->program, *slots), s.caller.chosen = &s.chosen;
  s.caller.budget = {.per_group = true, .stopping = ctx.stopping};
  s.scratch.begin(s.prepared->needs.scratch);
  s.args.bools = s.prepared->bools;
  s.args.literals = s.prepared->literals;
  s.args.scratch = s.scratch.of();
  s.args.views = s.prepared->partial.views.data();
  s.args.textures = s.prepared->textures.views.data();
  s.args.images = s.prepared->images.views.data();
  s.args.blocks = &blocks_;
  if (s.prepared->textures.blocks) s.args.first_block = blocks_.begin(s.prepared->textures.blocks);
  s.args.user = &s.caller;
}

bool Runner::run(DrawContext& ctx, const hw::x::Group& group) {
  if (group.stage == hw::x::Stage::compute) return false;
  Stage& s = stages_[group.stage == hw::x::Stage::fragment];
  if (!s.known) begin(ctx, group, s);
  if (!s.prepared) return false;
  static hw::x::StageLink nothing;
  s.thread->link = group.link ? group.link : &nothing;
  s.thread->stage = group.stage;
  GroupArgs& a = s.args;
  a.exists = group.lanes >= uint32_t(kLanes) ? 0xFFFFu : (1u << group.lanes) - 1;
  a.active = group.active & a.exists;
  a.helpers = group.helpers;
  const uint64_t own = hw::us::group_budget(ctx.state);
  const auto budget = int64_t(std::min<uint64_t>(own ? own : ctx.counters.instructions_left, INT64_MAX));
  s.caller.budget.own = budget;
  s.caller.grant(a, uint32_t(s.prepared->program->code.size()));
  {
    const FlushDenormals flush;
    s.prepared->partial.routine->run(a);
  }
  s.scratch.clear(s.prepared->partial.routine->scratch());
  if (!s.caller.settle(a) && !ctx.stopped()) ctx.counters.hung = true;
  if (!own) ctx.counters.instructions_left = uint64_t(std::max<int64_t>(s.caller.budget.own, 0));
  return true;
}

}  // namespace pumice::hw::fast::extended
