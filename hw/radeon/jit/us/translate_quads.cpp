// SPDX-License-Identifier: MIT
/// Flow control of any form (us-isa A9): hw/radeon/ref/us/flow.cpp for four quads at once. Each quad has a program counter, branch
/// counters, a loop stack and an address stack, in lanes that are equal within the quad. The program is split at jumps and
/// their targets; the pieces are in slot order, each runs for the quads whose counter is at it, round after round until all quads are
/// done.
#include <cstddef>

#include "hw/radeon/decode/us/flow_limits.h"
#include "hw/radeon/jit/us/translate.h"

namespace pumice::hw::fast::us {

using Inst = regs::US_FC_INST;
using hw::us::kAddressDepth;
using hw::us::kFullNesting;
using hw::us::kLoopDepth;
using hw::us::kPartialNesting;
using isa::us_r500::FlowOp;
using isa::us_r500::FlowOpInfo;
using isa::us_r500::Type;
using lane::kArgs;

namespace {

constexpr uint32_t kDone = ~0u;  ///< of a program counter
constexpr size_t kMaxNodes = 100000;

/// A frame of the loop stack. Masks are -1 in their lanes.
enum Field : uint32_t { kCount, kStep, kOuterAl, kOwnsAl, kEntered, kBroken, kContinued, kFields };
constexpr uint32_t kRow = 64;  ///< 16 lanes

}  // namespace

Translator::Mask Translator::quads_with(Mask m) {
  const Value v = as_value(m);
  return as_mask(b_.bit_or(b_.bit_or(b_.quad(v, 0), b_.quad(v, 1)), b_.bit_or(b_.quad(v, 2), b_.quad(v, 3))));
}

bool Translator::run_quads() {
  // Where pieces begin.
  Targets leaders;
  leaders.set(reach_.start);
  variable_cells_.reset();
  bool loops = false, calls = false;
  for (uint32_t pc = reach_.lowest; pc < reach_.behind; ++pc) {
    if (!reach_.slot[pc]) continue;
    const Instruction& x = code_[pc];
    if (x.type != Type::FLOW_CONTROL) {
      mark_written(x);
      if (pc != reach_.end && (pc + 1 >= reach_.slot.size() || !reach_.slot[pc + 1])) leaders.set(pc + 1);
      continue;
    }
    loops |= info(x.flow.op).begins_loop;
    calls |= x.flow.address_op == Inst::A_OP__PUSH_CURRENT_ADDRESS;
    if (pc == reach_.end) continue;
    leaders.set(pc + 1);
    leaders.set(jump_target(x.flow, reach_.offset));
  }

  const Value zero = b_.constant_bits(0);
  for (lane::Variable* v : {&q_.pc, &q_.counter, &q_.al, &q_.depth, &q_.calls}) {
    *v = b_.variable();
    b_.set(*v, v == &q_.pc ? b_.select(helpers_, b_.constant_bits(reach_.start), b_.constant_bits(kDone)) : zero);
  }
  for (lane::MaskVariable* m : {&q_.active, &q_.inactive, &q_.result}) {
    *m = b_.mask_variable();
    b_.set(*m, m == &q_.active ? all_ : none_);
  }
  q_.frames = q_.addresses = kArgs;  // none
  if (loops) q_.frames = b_.scratch(kFields * kLoopDepth * kRow);
  if (calls) q_.addresses = b_.scratch(kAddressDepth * kRow);
  boundary();
  const lane::Label begin = b_.make_label();
  b_.place(begin);
  forget();
  for (uint32_t pc = 0; pc < leaders.size(); ++pc) {
    if (!leaders[pc]) continue;
    if (!quad_block(pc, leaders)) return false;
    if (b_.program().nodes.size() > kMaxNodes) return refuse(pc, "too long for native code");
  }
  b_.jump_any(b_.ilt(b_.constant_bits(kDone), b_.get(q_.pc)), begin);
  return true;
}

/// The slots from pc to the next jump or leader, for the quads that are at pc.
bool Translator::quad_block(uint32_t pc, const Targets& leaders) {
  const lane::Label next = b_.make_label();
  const Value counter = b_.get(q_.pc);
  here_ = b_.ieq(counter, b_.constant_bits(pc));
  if (pc < reach_.first || pc > reach_.last || pc >= s_.us_code.size()) {
    bail(here_);  // leaves the window
    return true;
  }
  b_.jump_none(here_, next);
  uint32_t end = pc;
  while (end != reach_.end && code_[end].type != Type::FLOW_CONTROL && !leaders[end + 1]) ++end;
  b_.jump_spent(kArgs, offsetof(ShadeArgs, instructions_left), (end - pc + 1) * 4, stop_);
  active_ = b_.mask_and(b_.get(q_.active), here_);
  const Mask result = alu_result_ = b_.get(q_.result);
  bool broken = false;
  for (; pc <= end && !broken; ++pc) {
    const Instruction& x = code_[pc];
    relative_.clear();
    bool ok = true;
    switch (x.type) {
      case Type::FLOW_CONTROL: quad_flow(pc, x); break;
      case Type::TEXTURE: ok = tex(pc, x); break;
      default: ok = alu(pc, x); break;
    }
    broken = !ok || problem_;
    problem_ = nullptr;
  }
  if (broken) {  // the reference reports an error
    bails_ = true;
    b_.jump(bail_);
    for (Cell& c : cell_) c.dirty = false;
  } else {
    if (code_[end].type != Type::FLOW_CONTROL)
      b_.set(q_.pc, b_.select(here_, b_.constant_bits(end == reach_.end ? kDone : end + 1), counter));
    if (alu_result_ != result) b_.set(q_.result, alu_result_);
    boundary();
  }
  b_.place(next);
  forget();
  return true;
}

/// execute_flow() of hw/radeon/ref/us/flow.cpp; every stop and report there is a bail() here.
void Translator::quad_flow(uint32_t pc, const Instruction& x) {
  const isa::us_r500::Flow& inst = x.flow;
  const FlowOpInfo& op = info(inst.op);
  const bool is_loop = op.begins_loop, is_end = op.ends_loop, is_break = op.breaks, is_continue = op.continues;
  const bool full = s_.get<regs::US_FC_CTRL>().FULL_FC_EN();
  const uint32_t limit = full ? kFullNesting : kPartialNesting;
  if (!full && (inst.op != FlowOp::JUMP || inst.address_op != Inst::A_OP__NONE)) {
    problem_ = "loops and subroutines need US_FC_CTRL.FULL_FC_EN";
    return;
  }
  const auto number = [&](uint32_t n) { return b_.constant_bits(n); };
  const auto both = [&](Mask a, Mask b) { return b_.mask_and(a, b); };
  const auto without = [&](Mask a, Mask b) { return b_.mask_andnot(b, a); };
  const auto either = [&](Mask a, Mask b) { return b_.mask_or(a, b); };

  Mask active = active_, inactive = both(b_.get(q_.inactive), here_);
  Value counter = b_.get(q_.counter), depth = b_.get(q_.depth), calls = b_.get(q_.calls), al = b_.get(q_.al);
  const Value old_counter = counter, old_depth = depth, old_calls = calls, old_al = al;
  std::array<uint32_t, kLanes> lanes;
  for (uint32_t l = 0; l < kLanes; ++l) lanes[l] = 4 * l;
  const Value own = b_.table(lanes);
  const auto place = [&](Value level, uint32_t field) {
    return b_.iadd(b_.iadd(b_.shl(level, 6), own), number(field * kLoopDepth * kRow));
  };

  // The top frame.
  Value top, count;
  Mask entered, broken, continued, owns;
  const auto read_mask_of = [&](Field f) { return both(as_mask(b_.gather_now(q_.frames, place(top, f), here_)), here_); };
  const auto write_frame = [&](Value level, Field f, Value v, Mask m) { b_.scatter(q_.frames, place(level, f), v, m); };
  if (is_end || is_break || is_continue) {
    if (q_.frames.id == 0) {
      problem_ = "loop instruction outside a loop";
      return;
    }
    bail(both(b_.ieq(depth, number(0)), here_));
    top = b_.isub(depth, number(1));
    entered = read_mask_of(kEntered), broken = read_mask_of(kBroken), continued = read_mask_of(kContinued);
  }
  const auto pop_loop = [&](Mask quads) {
    active = either(active, both(quads, either(broken, continued)));
    if (uses_al_) {
      owns = both(read_mask_of(kOwnsAl), quads);
      al = b_.select(owns, b_.gather_now(q_.frames, place(top, kOuterAl), here_), al);
    }
    depth = b_.select(quads, top, depth);
  };

  if (inst.is_else) {
    const Mask at_zero = both(inactive, b_.ieq(counter, number(0))), leaving = active;
    active = at_zero;
    inactive = either(without(inactive, at_zero), leaving);
    counter = b_.select(leaving, number(0), counter);
  }
  if (is_end) {
    active = either(active, continued);
    continued = none_;
  }

  const Mask want = wanting(x);
  const Mask ignored = inst.ignore_uncovered ? b_.mask_not(b_.mask_load(kArgs, offsetof(ShadeArgs, covered))) : none_;
  const Mask voting = without(active, ignored), leaving = both(active, want);
  Mask jump = inst.jump_any ? quads_with(both(voting, want)) : b_.mask_not(quads_with(without(voting, want)));
  const Value constant = b_.splat(flow_constants_, 4 * inst.int_address);
  const Value turns = b_.bit_and(constant, number(255));
  if (is_loop) jump = either(jump, b_.ieq(turns, number(0)));
  if (is_end) {
    count = b_.isub(b_.gather_now(q_.frames, place(top, kCount), here_), number(1));
    jump = without(jump, b_.ieq(count, number(0)));
  }
  if ((is_break || is_continue) && !inst.jump_any) {
    const Mask gone = either(is_continue ? either(broken, continued) : broken, leaving);
    jump = without(jump, quads_with(without(without(entered, gone), ignored)));
  }
  const Mask goes = both(here_, jump), stays = without(here_, jump);

  const auto branch_op = [&](uint32_t branch, Mask leavers, Mask quads) {
    if (branch > Inst::B_OP0__INCREMENT) return bail(quads);
    if (branch == Inst::B_OP0__NONE) return;
    const Mask deep = both(inactive, quads);
    if (branch == Inst::B_OP0__DECREMENT) {
      const Mask back = both(deep, b_.ilt(counter, number(inst.pop_count)));
      counter = b_.select(without(deep, back), b_.isub(counter, number(inst.pop_count)), counter);
      inactive = without(inactive, back);
      active = either(active, back);
      return;
    }
    counter = b_.select(deep, b_.iadd(counter, number(1)), counter);
    bail(both(deep, b_.ilt(number(limit - 1), counter)));
    leavers = both(leavers, quads);
    counter = b_.select(leavers, number(0), counter);
    active = without(active, leavers);
    inactive = either(inactive, leavers);
  };

  // The quads that stay.
  branch_op(inst.branch_op0, leaving, stays);
  if (is_loop) {
    bail(both(stays, b_.ieq(depth, number(kLoopDepth))));
    write_frame(depth, kCount, turns, stays);
    const Value none = number(0);
    write_frame(depth, kEntered, as_value(active), stays);
    write_frame(depth, kBroken, none, stays);
    write_frame(depth, kContinued, none, stays);
    if (uses_al_) {
      write_frame(depth, kStep, b_.sar(b_.shl(constant, 8), 24), stays);
      write_frame(depth, kOuterAl, al, stays);
      write_frame(depth, kOwnsAl, number(op.moves_al ? ~0u : 0), stays);
      if (op.moves_al) al = b_.select(stays, b_.bit_and(b_.shr(constant, 8), number(255)), al);
    }
    depth = b_.select(stays, b_.iadd(depth, number(1)), depth);
  } else if (is_end) {
    pop_loop(stays);
  } else if (is_break || is_continue) {
    const Mask gone = both(leaving, stays);
    Mask& waiting = is_break ? broken : continued;
    waiting = either(waiting, gone);
    active = without(active, gone);
    inactive = without(inactive, gone);
  }

  // Those that jump.
  branch_op(inst.branch_op1, without(active, want), goes);
  if (is_end && op.moves_al && uses_al_) al = b_.select(goes, b_.iadd(al, b_.gather_now(q_.frames, place(top, kStep), here_)), al);
  if (is_break) pop_loop(goes);
  if (is_end || is_break || is_continue) {
    if (is_end) write_frame(top, kCount, count, here_);
    if (is_break) write_frame(top, kBroken, as_value(broken), here_);
    if (!is_break) write_frame(top, kContinued, as_value(continued), here_);
  }
  Value target = number(jump_target(inst, reach_.offset));
  const auto address = [&](Value level) { return b_.iadd(b_.shl(level, 6), own); };
  switch (inst.address_op) {
    case Inst::A_OP__NONE: break;
    case Inst::A_OP__POP_AND_USE_AS_TARGET:
      bail(both(goes, b_.ieq(calls, number(0))));
      calls = b_.select(goes, b_.isub(calls, number(1)), calls);
      // Not reached in programs without calls.
      if (q_.addresses.id != 0) target = b_.gather_now(q_.addresses, address(calls), goes);
      break;
    case Inst::A_OP__PUSH_CURRENT_ADDRESS:
      bail(both(goes, b_.ieq(calls, number(kAddressDepth))));
      b_.scatter(q_.addresses, address(calls), number(pc + 1), goes);
      calls = b_.select(goes, b_.iadd(calls, number(1)), calls);
      break;
    default: bail(goes);
  }
  Value next = b_.select(goes, target, number(pc + 1));
  if (pc == reach_.end) next = number(kDone);
  b_.set(q_.pc, b_.select(here_, next, b_.get(q_.pc)));
  const auto keep = [&](lane::Variable v, Value now, Value old) {
    if (now != old) b_.set(v, b_.select(here_, now, old));
  };
  keep(q_.counter, counter, old_counter);
  keep(q_.depth, depth, old_depth);
  keep(q_.calls, calls, old_calls);
  keep(q_.al, al, old_al);
  const auto keep_mask = [&](lane::MaskVariable v, Mask now) { b_.set(v, either(both(now, here_), without(b_.get(v), here_))); };
  keep_mask(q_.active, active);
  keep_mask(q_.inactive, inactive);
  alu_result_ = without(alu_result_, here_);
}

}  // namespace pumice::hw::fast::us
