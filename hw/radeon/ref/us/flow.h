// SPDX-License-Identifier: MIT
/// US flow control (us-isa A9, docs/r5x.md s.2.1): the vote of the active lanes, branch counters, loop and address stacks. `T` as in alu.h.
#pragma once
#include "hw/radeon/ref/us/thread.h"

namespace pumice::hw::us::flow {

using Inst = regs::US_FC_INST;
using isa::us_r500::FlowOp;
using isa::us_r500::FlowOpInfo;

/// Every pixel of `mask` that is branch-inactive comes back when its counter falls below zero.
template <class T>
void decrement(T& t, uint32_t by) {
  using Mask = typename T::Mask;
  for (uint32_t p = 0; p < T::kLanes; ++p) {
    const Mask bit = Mask(1u << p);
    if (!(t.branch_inactive & bit)) continue;
    if (t.branch_counter[p] >= by) {
      t.branch_counter[p] = uint8_t(t.branch_counter[p] - by);
    } else {
      t.branch_inactive &= Mask(~bit);
      t.active |= bit;
    }
  }
}

/// One level deeper for those already inactive; `leavers` become inactive at level 0.
template <class T>
void increment(T& t, typename T::Mask leavers) {
  using Mask = typename T::Mask;
  const uint32_t limit = t.nesting_limit();
  for (uint32_t p = 0; p < T::kLanes; ++p)
    if ((t.branch_inactive >> p & 1u) && ++t.branch_counter[p] >= limit) {
      t.stop(Complaint::nesting, "branches nested deeper than the branch counters count: program stopped");
      return;
    }
  for (uint32_t p = 0; p < T::kLanes; ++p)
    if (leavers >> p & 1u) t.branch_counter[p] = 0;
  t.active &= Mask(~leavers);
  t.branch_inactive |= leavers;
}

template <class T>
void branch_op(T& t, uint32_t op, uint32_t pop_count, typename T::Mask leavers) {
  if (op == Inst::B_OP0__DECREMENT) decrement(t, pop_count);
  if (op == Inst::B_OP0__INCREMENT) increment(t, leavers);
  if (op > Inst::B_OP0__INCREMENT) t.complain(Complaint::reserved, "reserved branch counter operation 3");
}

template <class T>
void swap_else(T& t) {
  using Mask = typename T::Mask;
  Mask at_zero = 0;
  for (uint32_t p = 0; p < T::kLanes; ++p)
    if ((t.branch_inactive >> p & 1u) && t.branch_counter[p] == 0) at_zero |= Mask(1u << p);
  const Mask leaving = t.active;
  t.active = at_zero;
  t.branch_inactive = Mask((t.branch_inactive & ~at_zero) | leaving);
  for (uint32_t p = 0; p < T::kLanes; ++p)
    if (leaving >> p & 1u) t.branch_counter[p] = 0;
}

/// Pops the top frame: its broken and continued pixels become active again.
template <class T>
void pop_loop(T& t) {
  using Mask = typename T::Mask;
  const auto& f = t.loop[--t.loop_depth];
  t.active |= Mask(f.broken | f.continued);
  if (f.owns_al) t.al = f.outer_al;
}

template <class T>
bool push_loop(T& t, bool owns_al, regs::US_FC_INT_CONST k) {
  if (t.loop_depth == t.loop.size()) {
    t.stop(Complaint::loop_stack, "loop stack overflow: program stopped");
    return false;
  }
  t.loop[t.loop_depth++] = {.count = k.KR(), .step = int8_t(k.KB()), .outer_al = t.al, .owns_al = owns_al, .mask = t.active};
  if (owns_al) t.al = int32_t(k.KG());
  return true;
}

/// The pixels whose (ALU result, predicate, bool) triple is set in JUMP_FUNC.
template <class T>
typename T::Mask wanting(const T& t, const Instruction& x, bool constant) {
  using Mask = typename T::Mask;
  const Mask predicate = t.enabled(x.rgb_predicate, x.rgb_predicate_invert, 0);
  Mask want = 0;
  for (uint32_t p = 0; p < T::kLanes; ++p) {
    const uint32_t index = (t.alu_result >> p & 1u) << 2 | (predicate >> p & 1u) << 1 | uint32_t(constant);
    want |= Mask((x.flow.jump_func >> index & 1u) << p);
  }
  return want;
}

/// XLOOP and XENDLOOP: a loop without a counter.
template <class T>
void extended_loop(T& t, const isa::us_r500::Flow& inst) {
  using Mask = typename T::Mask;
  if (inst.op == FlowOp::XLOOP) {
    if (!t.active) {
      t.pc = inst.target;
      return;
    }
    if (push_loop(t, false, {})) ++t.pc;
    return;
  }
  if (t.loop_depth == 0) return t.stop(Complaint::loop_stack, "loop instruction outside a loop: program stopped");
  auto& frame = t.loop[t.loop_depth - 1];
  t.active |= frame.continued;
  frame.continued = 0;
  if (frame.mask & Mask(~frame.broken)) {
    t.pc = inst.target;
    return;
  }
  pop_loop(t);
  ++t.pc;
}

template <class T>
void execute(T& t, const Instruction& x) {
  using Mask = typename T::Mask;
  const isa::us_r500::Flow& inst = x.flow;
  const ChipState& s = t.ctx.state;
  const FlowOpInfo& op = info(inst.op);
  const bool is_end = op.ends_loop, is_break = op.breaks, is_continue = op.continues;

  if (inst.op == FlowOp::XLOOP || inst.op == FlowOp::XENDLOOP) {
    t.alu_result = 0;
    return extended_loop(t, inst);
  }
  if (!t.full_flow && (inst.op != FlowOp::JUMP || inst.address_op != Inst::A_OP__NONE))
    return t.stop(Complaint::partial_mode, "loops and subroutines need US_FC_CTRL.FULL_FC_EN: program stopped");
  if ((is_end || is_break || is_continue) && t.loop_depth == 0)
    return t.stop(Complaint::loop_stack, "loop instruction outside a loop: program stopped");
  auto* const frame = t.loop_depth ? &t.loop[t.loop_depth - 1] : nullptr;

  if (inst.is_else) swap_else(t);
  if (is_end) {
    t.active |= frame->continued;
    frame->continued = 0;
  }

  // The vote. Ignored uncovered pixels follow the jump; if it is not taken for all, each follows its own condition.
  const Mask want = wanting(t, x, s.get<regs::US_FC_BOOL_CONST>().KBOOL() >> inst.bool_address & 1u);
  const Mask ignored = inst.ignore_uncovered ? Mask(~t.covered() & T::kAll) : Mask(0);
  const Mask voters = Mask(t.active & ~ignored);
  const Mask leaving = Mask(t.active & want);
  bool jump = inst.jump_any ? (voters & want) != 0 : (voters & ~want) == 0;
  t.alu_result = 0;  // does not survive a flow control instruction

  const auto constant = s.get<regs::US_FC_INT_CONST>(inst.int_address);
  if (op.begins_loop && constant.KR() == 0) jump = true;
  if (is_end && --frame->count == 0) jump = false;
  // A divergent break or continue may only jump when no pixel of the loop is left behind in some branch (us-isa A9, UNCONFIRMED).
  if ((is_break || is_continue) && !inst.jump_any) {
    const Mask gone = Mask(frame->broken | (is_continue ? frame->continued : 0) | leaving);
    if (frame->mask & ~gone & ~ignored) jump = false;
  }

  if (!jump) {
    branch_op(t, inst.branch_op0, inst.pop_count, leaving);
    if (t.done) return;
    if (op.begins_loop) {
      if (!push_loop(t, op.moves_al, constant)) return;
    } else if (is_end) {
      pop_loop(t);
    } else if (is_break || is_continue) {
      (is_break ? frame->broken : frame->continued) |= leaving;
      t.active &= Mask(~leaving);
      t.branch_inactive &= Mask(~leaving);
    }
    ++t.pc;
    return;
  }

  branch_op(t, inst.branch_op1, inst.pop_count, Mask(t.active & ~want));
  if (t.done) return;
  if (is_end && op.moves_al) t.al += frame->step;
  if (is_break) pop_loop(t);
  uint32_t target = inst.target + (inst.global ? 0 : t.offset);
  switch (inst.address_op) {
    case Inst::A_OP__NONE: break;
    case Inst::A_OP__POP_AND_USE_AS_TARGET:
      if (t.address_depth == 0) return t.stop(Complaint::address_stack, "return without a call: program stopped");
      target = t.address[--t.address_depth];
      break;
    case Inst::A_OP__PUSH_CURRENT_ADDRESS:
      if (t.address_depth == t.address.size()) return t.stop(Complaint::address_stack, "address stack overflow: program stopped");
      t.address[t.address_depth++] = uint16_t(t.pc + 1);
      break;
    default: t.complain(Complaint::reserved, "reserved address stack operation 3");
  }
  t.pc = target;
}

}  // namespace pumice::hw::us::flow
