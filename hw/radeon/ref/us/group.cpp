// SPDX-License-Identifier: MIT
/// The interpreter of extended programs: state of a group, the loop over slots, x::run (docs/r5x.md s.2).
#include "hw/radeon/ref/us/group.h"

#include "hw/db/regs_r5x.h"
#include "hw/radeon/draw/inspector.h"
#include "hw/radeon/ref/us/alu.h"
#include "hw/radeon/ref/us/flow.h"
#include "hw/radeon/regfile/decode.h"

namespace pumice::hw::us {

using isa::us_r500::Port;
using isa::us_r500::TexOp;
using isa::us_r500::Type;
using isa::us_r500::XOp;

template <size_t N>
GroupThread<N>::GroupThread(DrawContext& context, const x::Program& code, const x::Resources& needs, const x::Group& group,
                            std::span<uint8_t> local_memory)
    : Flow(context),
      program(code),
      resources(needs),
      stage(group.stage),
      link(group.link),
      local(local_memory),
      exists(Mask(group.lanes >= N ? kAll : (1u << group.lanes) - 1)),
      helpers(Mask(group.helpers)),
      temps_(needs.temps),
      scratch_(size_t{needs.scratch} * N) {
  static x::StageLink nothing;
  if (!link) link = &nothing;
  active = Mask(group.active & exists);
  this->frame_size = needs.temps;
  this->full_flow = true;
}

template <size_t N>
void GroupThread<N>::fault(uint64_t at, const char* what) {
  constexpr uint32_t bit = 1u << (8 + uint32_t(Complaint::memory));
  if (ctx.counters.reported & bit) return;
  ctx.counters.reported |= bit;
  ctx.report(ReportKind::vm_fault,
             "US instruction " + std::to_string(this->pc) + ": " + what + " at " + decode::hex(at) + " is not backed");
}

template <size_t N>
void GroupThread<N>::kill(Mask lanes) {
  for (uint32_t l = 0; l < kLanes; ++l)
    if ((lanes & ~helpers) >> l & 1u) link->kill(l);
  helpers |= lanes;
}

template <size_t N>
typename GroupThread<N>::Lanes4 GroupThread<N>::read(const Port& port) {
  Lanes4 out{};
  const int32_t i = this->temp_index(port.temp, port.relative);
  if (i < 0) return out;
  const Vec4* from = temp(size_t(i));
  for (uint32_t l = 0; l < kLanes; ++l)
    for (uint32_t c = 0; c < 4; ++c) out[l][c] = bits(from[l][port.swizzle[c]]);
  return out;
}

template <size_t N>
void GroupThread<N>::write(const Instruction& x, const Lanes4& value) {
  const uint32_t mask = x.rgb.write | x.alpha.write << 3;
  if (mask == 0) return;
  const int32_t i = this->temp_index(x.tex.dest.temp, x.tex.dest.relative);
  if (i < 0) return;
  Vec4* to = temp(size_t(i));
  const std::array<Mask, 4> enabled = this->enabled_channels(x);
  for (uint32_t c = 0; c < 4; ++c)
    for (uint32_t l = 0; l < kLanes; ++l)
      if ((mask >> c & 1u) && ((live(x) & enabled[c]) >> l & 1u)) to[l][c] = from_bits(value[l][x.tex.dest.swizzle[c]]);
}

template <size_t N>
void export_outputs(GroupThread<N>& t, const Instruction& x) {
  const auto enabled = t.enabled_channels(x);
  const uint32_t output = x.rgb.output | x.alpha.output << 3;
  for (uint32_t l = 0; l < N; ++l) {
    if (!(t.active >> l & 1u)) continue;
    uint32_t mask = 0;
    for (uint32_t c = 0; c < 4; ++c) mask |= (output >> c & enabled[c] >> l & 1u) << c;
    const auto write = [&](uint32_t target, uint32_t channels) {
      if (!channels) return;
      Bits4 v;
      for (uint32_t c = 0; c < 4; ++c) v[c] = bits(t.color(target, l)[c]);
      t.link->write(l, x::slot::color + target, channels, v);
    };
    write(x.rgb.target, mask & 7u);
    write(x.alpha.target, mask & 8u);
    if (x.depth_write && (enabled[3] >> l & 1u)) t.link->write(l, x::slot::depth, 1, {bits(t.depth(l)), 0, 0, 0});
  }
}

template <size_t N>
void execute_group_tex(GroupThread<N>& t, const Instruction& x) {
  if (x.tex.inst != TexOp::X) return execute_strict_tex(t, x);
  const XOp op = x.tex.x.op;
  if (op == XOp::BARRIER) {
    t.at_barrier = true;
  } else if (info(op).across) {
    execute_across(t, x);
  } else if (op == XOp::WIDE) {
    execute_wide(t, x);
  } else if (info(op).fetches || info(op).image || op == XOp::QSIZE || op == XOp::QLEVELS || op == XOp::QLOD) {
    execute_image(t, x);
  } else {
    execute_memory(t, x);
  }
}

uint64_t group_budget(const ChipState& state) {
  const auto budget = state.get<regs::r5x::X_BUDGET>();
  return uint64_t{budget.INSTRUCTIONS()} * budget.INSTRUCTIONS__UNIT;
}

template <size_t N, class F>
void tell(GroupThread<N>& t, F f) {
  if (t.ctx.inspector) f(*t.ctx.inspector);
}

template <size_t N>
void run_group(GroupThread<N>& t) {
  const auto& code = t.program.code;
  constexpr uint32_t kLookEvery = 4096;  // instructions, whether the work is to end
  uint64_t& budget = group_budget(t.ctx.state) ? t.left : t.ctx.counters.instructions_left;
  t.at_barrier = false;
  for (uint32_t executed = 1; !t.done; ++executed) {
    if (t.pc >= code.size() || (executed % kLookEvery == 0 && t.ctx.stopped())) {
      t.done = true;
      return;
    }
    if (budget == 0) {
      t.ctx.counters.hung = true;
      return;
    }
    --budget;
    const Instruction& x = code[t.pc];
    tell(t, [&](auto& inspector) { inspector.instruction(t, x); });
    switch (x.type) {
      case Type::FLOW_CONTROL: flow::execute(t, x); break;
      case Type::TEXTURE:
        execute_group_tex(t, x);
        ++t.pc;
        break;
      case Type::ALU:
      case Type::OUTPUT:
        alu::execute(t, x);
        if (x.type == Type::OUTPUT) export_outputs(t, x);
        ++t.pc;
        break;
    }
    tell(t, [&](auto& inspector) { inspector.executed(t, x); });
    if (t.at_barrier) return;
  }
}

template struct GroupThread<4>;
template struct GroupThread<kGroupLanes>;
template void run_group(GroupThread<4>&);
template void run_group(GroupThread<kGroupLanes>&);
template void execute_group_tex(GroupThread<kGroupLanes>&, const Instruction&);
template void export_outputs(GroupThread<kGroupLanes>&, const Instruction&);

}  // namespace pumice::hw::us

namespace pumice::hw::x {

namespace {

template <size_t N>
void run_lanes(DrawContext& ctx, const Program& program, const Resources& needs, const Group& group) {
  us::GroupThread<N> t(ctx, program, needs, group, {});
  t.left = us::group_budget(ctx.state);
  // Nothing to wait for: there is no workgroup.
  while (!t.done && !ctx.counters.hung) us::run_group(t);
}

}  // namespace

void run(DrawContext& ctx, const Group& group) {
  if (!ctx.inspector && ctx.programs && ctx.programs->groups && ctx.programs->groups->run(ctx, group)) return;
  Programs own;
  const auto program = (ctx.programs ? *ctx.programs : own).find(ctx.state, ctx.memory, group.stage);
  const Resources needs = resources(ctx.state, group.stage);
  if (const std::string why = problem(ctx.state, *program, needs); !why.empty()) return ctx.report(ReportKind::bad_register, why);
  if (program->code.empty()) return;  // exports nothing
  // Fewer lanes of the same meaning: vertices and quads come alone.
  return group.lanes <= 4 ? run_lanes<4>(ctx, *program, needs, group) : run_lanes<kGroupLanes>(ctx, *program, needs, group);
}

}  // namespace pumice::hw::x
