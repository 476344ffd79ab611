// SPDX-License-Identifier: MIT
/// See caller.h.
#include "hw/radeon/fast/extended/caller.h"

#include <bit>

#include "hw/common/simd/flush.h"
#include "hw/radeon/fast/extended/chosen.h"
#include "hw/radeon/jit/x/translate.h"

namespace pumice::hw::fast::extended {

using isa::us_r500::Instruction;
using isa::us_r500::Type;

bool Caller::spend(int64_t instructions) {
  if (budget.per_group) return (budget.own -= instructions) >= 0;
  return !budget.total || budget.total->fetch_sub(instructions, std::memory_order_relaxed) >= instructions;
}

void Caller::grant(GroupArgs& args, uint32_t slots) {
  given_ = kSlice;
  args.left = kSlice - int64_t{slots};
  args.stop = 0;
}

bool Caller::settle(GroupArgs& args) {
  const bool ok = spend(given_ - args.left);
  given_ = args.left = 0;
  return ok && !args.stopped;
}

void Caller::refill(GroupArgs* args, GroupArgs*) {
  Caller& c = *static_cast<Caller*>(args->user);
  const bool ok = c.spend(c.given_ - args->left) && !c.budget.stopped();
  c.given_ = args->left = kSlice;
  if (!ok) args->stop = 0xFFFF;
}

void Caller::clock(GroupArgs* args, GroupArgs*) {
  const std::array<uint32_t, 2> now = hw::us::clock_words();
  for (uint32_t w = 0; w < 2; ++w)
    for (uint32_t l = 0; l < kLanes; ++l) args->out[w].v[l] = std::bit_cast<float>(now[w]);
}

void Caller::slot(GroupArgs* args, GroupArgs*) {
  Caller& c = *static_cast<Caller*>(args->user);
  auto& t = *c.thread;
  using Mask = hw::us::GroupThread<hw::x::kGroupLanes>::Mask;
  const Instruction& x = c.program->code[args->slot];
  if (c.chosen && c.chosen->run(*args)) return;
  const OrdinaryFloats ordinary;
  t.pc = args->slot;
  t.exists = Mask(args->exists), t.active = Mask(args->call_active), t.helpers = Mask(args->helpers);
  for (uint32_t i = 0; i < 4; ++i) t.predicate[i] = Mask(args->predicate[i]);
  if (c.reported) t.ctx.counters.reported = c.reported->load(std::memory_order_relaxed);
  const uint32_t reported = t.ctx.counters.reported;
  if (x.type == Type::OUTPUT) {
    for (uint32_t l = 0; l < kLanes; ++l) {
      for (uint32_t i = 0; i < 4; ++i) t.color((i < 3 ? x.rgb : x.alpha).target, l)[i] = args->temp[0][i].v[l];
      t.depth(l) = args->temp[0][3].v[l];
    }
    hw::us::export_outputs(t, x);
  } else {
    const SlotTemps temps = temps_of(x);
    for (uint32_t n = 0; n < temps.count; ++n) {
      Vec4* to = t.temp(temps.temp[n]);
      for (uint32_t l = 0; l < kLanes; ++l)
        for (uint32_t i = 0; i < 4; ++i) to[l][i] = args->temp[n][i].v[l];
    }
    hw::us::execute_group_tex(t, x);
    const Vec4* from = t.temp(x.tex.dest.temp);
    for (uint32_t l = 0; l < kLanes; ++l)
      for (uint32_t i = 0; i < 4; ++i) args->out[i].v[l] = from[l][i];
  }
  args->helpers = t.helpers;
  if (c.reported && t.ctx.counters.reported != reported) c.reported->fetch_or(t.ctx.counters.reported, std::memory_order_relaxed);
}

}  // namespace pumice::hw::fast::extended
