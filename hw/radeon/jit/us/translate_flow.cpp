// SPDX-License-Identifier: MIT
/// Flow control (us-isa A9, hw/radeon/ref/us/flow.cpp) of the forms that nest. Each quad votes for itself in the reference; here a quad
/// that would jump runs on without active lanes, which leaves the same state because only active lanes write.
#include <cstddef>

#include "hw/radeon/decode/us/flow_limits.h"
#include "hw/radeon/jit/us/flow_forms.h"
#include "hw/radeon/jit/us/translate.h"

namespace pumice::hw::fast::us {

using isa::us_r500::FlowOp;
using isa::us_r500::Type;

/// The cells that an instruction may write are variables.
void Translator::mark_written(const Instruction& x) {
  const bool is_tex = x.type == Type::TEXTURE, is_out = x.type == Type::OUTPUT;
  for (uint32_t c = 0; c < 4; ++c) {
    const isa::us_r500::Unit& unit = c < 3 ? x.rgb : x.alpha;
    const uint32_t bit = c < 3 ? c : 0, temp = is_tex ? x.tex.dest.temp : unit.dest;
    if ((unit.write >> bit & 1u) && !temps_in_memory_) variable_cells_.set(kTemps + temp * 4 + c);
    if (is_out && (unit.output >> bit & 1u)) variable_cells_.set(kColors + unit.target * 4u + c);
  }
  if (is_out && x.depth_write) variable_cells_.set(kDepth);
}

/// Checks that the flow control nests, finds matching instructions and the cells written after the first of them.
bool Translator::find_structure() {
  const bool full = s_.get<regs::US_FC_CTRL>().FULL_FC_EN();
  if (reach_.leaves) return refuse(reach_.start, "leaves the window of US_CODE_RANGE");
  const NestingRules rules{.counted = true,
                           .ifs = full ? hw::us::kFullNesting : hw::us::kPartialNesting,
                           .loops = hw::us::kLoopDepth,
                           .first = reach_.start,
                           .end = reach_.end + 1,
                           .offset = reach_.offset};
  if (const auto problem = us::find_structure(code_, rules, structure_)) return refuse(problem->pc, problem->text);
  bool flow_before = false;
  variable_cells_.reset();
  for (uint32_t pc = reach_.start; pc <= reach_.end; ++pc) {
    const Instruction& x = code_[pc];
    if (x.type != Type::FLOW_CONTROL) {
      if (flow_before) mark_written(x);
      continue;
    }
    flow_before = true;
    if (!full && x.flow.op != FlowOp::JUMP) return refuse(pc, "loops need US_FC_CTRL.FULL_FC_EN");
    if (pc == reach_.end) return refuse(pc, "ends in flow control");  // jumps after it would go on
  }
  return true;
}

Translator::Mask Translator::boolean(uint32_t address) {
  constexpr uint32_t kBools = regs::US_FC_INT_CONST::count * sizeof(uint32_t);  // behind the integers
  const Value bit = b_.constant_bits(1u << address);
  return b_.ieq(b_.bit_and(b_.splat(flow_constants_, kBools), bit), bit);
}

bool Translator::flow(uint32_t pc, const Instruction& x) {
  switch (form_of(x.flow)) {
    case Form::if_: begin_if(pc, x); break;
    case Form::else_: begin_else(pc); break;
    case Form::endif: end_if(); break;
    case Form::loop: begin_loop(pc, x); break;
    case Form::endloop: end_loop(); break;
    case Form::break_: leave_loop(x, true); break;
    default: leave_loop(x, false); break;
  }
  alu_result_ = none_;  // does not survive flow control
  return true;
}

void Translator::begin_if(uint32_t pc, const Instruction& x) {
  const Mask want = wanting(x);
  boundary();
  If i{.before = active_, .otherwise = b_.mask_and(active_, want), .has_else = structure_.has_else[pc]};
  i.otherwise_label = b_.make_label(), i.end_label = b_.make_label();
  active_ = b_.mask_andnot(want, active_);
  b_.jump_none(voters(active_), i.has_else ? i.otherwise_label : i.end_label);
  ifs_.push_back(i);
}

void Translator::begin_else(uint32_t) {
  const If& i = ifs_.back();
  boundary();
  b_.jump_none(voters(i.otherwise), i.end_label);
  b_.place(i.otherwise_label);
  forget();
  active_ = i.otherwise;
}

/// The lanes that were active before, except those that broke or continued inside.
void Translator::end_if() {
  const If i = ifs_.back();
  ifs_.pop_back();
  boundary();
  b_.place(i.end_label);
  forget();
  active_ = i.before;
  if (loops_.empty()) return;
  const Loop& l = loops_.back();
  if (l.breaks) active_ = b_.mask_andnot(b_.get(l.broken), active_);
  if (l.continues) active_ = b_.mask_andnot(b_.get(l.continued), active_);
}

Translator::Mask Translator::left_in(const Loop& l) {
  Mask left = l.entered;
  if (l.breaks) left = b_.mask_andnot(b_.get(l.broken), left);
  if (l.continues) left = b_.mask_andnot(b_.get(l.continued), left);
  return left;
}

void Translator::begin_loop(uint32_t pc, const Instruction& x) {
  Loop l{.entered = active_,
         .begin_at = pc,
         .end_at = structure_.partner[pc],
         .breaks = structure_.breaks[pc],
         .continues = structure_.continues[pc]};
  l.owns_al = uses_al_ && info(x.flow.op).moves_al;
  l.constant = x.flow.int_address;
  l.broken = b_.mask_variable(), l.continued = b_.mask_variable();
  l.count = b_.scalar();
  l.begin = b_.make_label(), l.next = b_.make_label(), l.exit = b_.make_label();
  boundary();
  const auto field = [&](uint32_t shift, bool is_signed) {
    return lane::Program::Field{.offset = l.constant * 4, .shift = shift, .bits = 8, .is_signed = is_signed};
  };
  b_.load(l.count, flow_constants_, field(0, false));
  if (l.owns_al) {
    l.outer_al = b_.scalar();
    b_.move(l.outer_al, al_);
  }
  if (l.breaks) b_.set(l.broken, none_);
  if (l.continues) b_.set(l.continued, none_);
  b_.jump_zero(l.count, l.exit);
  b_.jump_none(voters(active_), l.exit);
  if (l.owns_al) b_.load(al_, flow_constants_, field(8, false));
  b_.place(l.begin);
  forget();
  active_ = l.breaks ? b_.mask_andnot(b_.get(l.broken), l.entered) : l.entered;
  loops_.push_back(l);
}

void Translator::end_loop() {
  const Loop l = loops_.back();
  loops_.pop_back();
  boundary();
  b_.place(l.next);
  if (l.continues) b_.set(l.continued, none_);
  b_.add_to(l.count, -1);
  b_.jump_zero(l.count, l.exit);
  b_.jump_spent(lane::kArgs, offsetof(ShadeArgs, instructions_left), (l.end_at - l.begin_at) * 4, stop_);
  if (l.owns_al) {
    const lane::Scalar step = b_.scalar();
    b_.load(step, flow_constants_, {.offset = l.constant * 4, .shift = 16, .bits = 8, .is_signed = true});
    b_.add_to(al_, step);
  }
  const Mask again = left_in(l);
  if (again == all_)
    b_.jump(l.begin);
  else
    b_.jump_any(voters(again), l.begin);
  b_.place(l.exit);
  if (l.owns_al) b_.move(al_, l.outer_al);
  forget();
  active_ = l.entered;
}

/// Lanes that leave are inactive until the end of the loop or of the iteration; all jump when no lane of the loop is left.
void Translator::leave_loop(const Instruction& x, bool is_break) {
  const Loop& l = loops_.back();
  const Mask leaving = b_.mask_and(active_, wanting(x));
  boundary();
  const lane::MaskVariable variable = is_break ? l.broken : l.continued;
  const Mask gone = b_.mask_or(b_.get(variable), leaving);
  b_.set(variable, gone);
  active_ = b_.mask_andnot(leaving, active_);
  // A break tests the lanes that have broken only; a continue both.
  Mask left = b_.mask_andnot(gone, l.entered);
  if (!is_break && l.breaks) left = b_.mask_andnot(b_.get(l.broken), left);
  b_.jump_none(voters(left), is_break ? l.exit : l.next);
}

}  // namespace pumice::hw::fast::us
