// SPDX-License-Identifier: MIT
/// Flow control that nests (docs/r5x.md s.2.1, hw/radeon/ref/us/flow.h). A group jumps here where it jumps in the reference.
#include "hw/radeon/decode/us/flow_limits.h"
#include "hw/radeon/jit/us/flow_forms.h"
#include "hw/radeon/jit/x/translate.h"

namespace pumice::hw::fast::extended {

using isa::us_r500::TexOp;
using isa::us_r500::Type;
using isa::us_r500::XOp;
using us::Form;
using us::form_of;

/// The cells that an instruction may write are variables.
void Translator::mark_written(const Instruction& x) {
  const bool is_tex = x.type == Type::TEXTURE;
  if (stage_code_) {
    const std::vector<Export> exports = exports_of(x);
    for (const Export& e : exports) variable_[e.cell] = true;
    if (!exports.empty() && is_tex) return;
  }
  for (uint32_t c = 0; c < 4; ++c) {
    const isa::us_r500::Unit& unit = c < 3 ? x.rgb : x.alpha;
    const uint32_t temp = is_tex ? x.tex.dest.temp : unit.dest;
    if (unit.write >> (c < 3 ? c : 0) & 1u) variable_[temp * 4 + c] = true;
  }
}

/// Checks that flow control nests; finds the slots of each construct and the cells it writes.
bool Translator::find_structure() {
  constexpr uint32_t kMostIfs = 250;  // a little less than the reference's counters hold
  static_assert(kMostIfs < hw::x::kNesting);
  for (const Instruction& x : code_) has_barrier_ |= x.type == Type::TEXTURE && x.tex.inst == TexOp::X && x.tex.x.op == XOp::BARRIER;
  const us::NestingRules rules{
      .counted = false, .ifs = kMostIfs, .loops = hw::x::kFlowDepth, .first = 0, .end = uint32_t(code_.size()), .offset = 0};
  if (const auto problem = us::find_structure(code_, rules, structure_)) return refuse(problem->pc, problem->text);
  for (const Instruction& x : code_) {
    has_flow_ |= x.type == Type::FLOW_CONTROL;
    if (x.type != Type::FLOW_CONTROL && (has_flow_ || has_barrier_)) mark_written(x);
  }
  return true;
}

Translator::Mask Translator::boolean(uint32_t address) {
  const Value bit = b_.constant_bits(1u << address);
  return b_.ieq(b_.bit_and(b_.splat(lane::kArgs, offsetof(GroupArgs, bools)), bit), bit);
}

Translator::Kept Translator::keep(Mask m) {
  if (!has_barrier_ || m == all_ || m == none_) return {.mask = m, .place = {}};
  Kept k{.mask = {}, .place = b_.mask_variable()};
  b_.set(k.place, m);
  return k;
}

void Translator::flow(uint32_t pc, const Instruction& x) {
  switch (form_of(x.flow)) {
    case Form::if_: begin_if(pc, x); break;
    case Form::else_: begin_else(); break;
    case Form::endif: end_if(); break;
    case Form::xloop: begin_loop(pc); break;
    case Form::xendloop: end_loop(); break;
    case Form::break_: leave_loop(x, true); break;
    default: leave_loop(x, false); break;
  }
  alu_result_ = none_;  // not preserved across flow control
}

void Translator::begin_if(uint32_t pc, const Instruction& x) {
  const Mask want = wanting(x), running = wanted();
  const bool has_else = structure_.has_else[pc];
  const uint32_t middle = structure_.partner[pc], end = has_else ? structure_.partner[middle] : middle;
  If i{.before = keep(active_),
       .otherwise = keep(b_.mask_and(running, want)),
       .at_end = meeting(end, pc, end),
       .has_else = has_else,
       .leaves = structure_.leaves[pc]};
  if (has_else) i.at_else = meeting(middle + 1, pc, middle);
  i.at_end.label = b_.make_label(), i.at_else.label = has_else ? b_.make_label() : i.at_end.label;
  const Meeting& other = has_else ? i.at_else : i.at_end;
  set_for(other);
  active_ = b_.mask_andnot(want, running);
  b_.jump_none(active_, other.label);
  ifs_.push_back(std::move(i));
}

void Translator::begin_else() {
  const If& i = ifs_.back();
  set_for(i.at_else, true, &i.at_end);
  set_for(i.at_end, false);  // cells written by ELSE only: the jump from the IF has not set them
  b_.jump_none(value(i.otherwise), i.at_end.label);
  arrive(i.at_else);
  active_ = value(i.otherwise);
}

/// The lanes that were active before, without those that broke or continued inside.
void Translator::end_if() {
  const If i = std::move(ifs_.back());
  ifs_.pop_back();
  set_for(i.at_end);
  arrive(i.at_end);
  active_ = value(i.before);
  if (!i.leaves) return;
  const Loop& l = loops_.back();
  if (l.breaks) active_ = b_.mask_and(b_.get(l.left), active_);
  if (l.continues) active_ = b_.mask_andnot(b_.get(l.continued), active_);
}

Translator::Mask Translator::left_in(const Loop& l) { return l.breaks ? b_.get(l.left) : value(l.entered); }

void Translator::begin_loop(uint32_t pc) {
  const uint32_t end = structure_.partner[pc];
  Loop l{.before = keep(active_),
         .entered = keep(wanted()),
         .begin = meeting(pc + 1, pc, end),
         .next = meeting(end, pc, end),
         .exit = meeting(end + 1, pc, end),
         .ifs = ifs_.size(),
         .slots = end - pc,
         .breaks = structure_.breaks[pc] && !structure_.uniform[pc],
         .continues = structure_.continues[pc]};
  l.begin.label = b_.make_label(), l.exit.label = b_.make_label();
  if (l.continues) l.next.label = b_.make_label();
  l.left = b_.mask_variable(), l.continued = b_.mask_variable();
  if (l.breaks) b_.set(l.left, value(l.entered));
  if (l.continues) b_.set(l.continued, none_);
  set_for(l.exit, true, &l.begin), set_for(l.begin);
  b_.jump_none(value(l.entered), l.exit.label);
  arrive(l.begin);
  active_ = left_in(l);
  loops_.push_back(std::move(l));
}

/// At least one lane is left here: the instruction that removes the last one jumps to the exit.
void Translator::end_loop() {
  const Loop l = std::move(loops_.back());
  loops_.pop_back();
  const lane::Label refill = b_.make_label();
  if (l.continues) {
    set_for(l.next);
    arrive(l.next);
    b_.set(l.continued, none_);
  }
  set_for(l.begin);
  b_.jump_spent(lane::kArgs, offsetof(GroupArgs, left), l.slots, refill);
  b_.jump(l.begin.label);
  refills_.push_back({refill, l.begin.label});
  arrive(l.exit);
  active_ = value(l.before);
}

/// At the end of the code, off the usual path.
void Translator::refill() {
  for (const auto& [from, to] : refills_) {
    b_.place(from);
    b_.call(callbacks_.refill, lane::kArgs, lane::kArgs, 0);
    b_.jump_any(b_.mask_load_now(lane::kArgs, offsetof(GroupArgs, stop)), stop_);
    b_.jump(to);
  }
}

/// The lanes that leave wait for the end of the loop or of the iteration; all jump when no lane of the loop is left.
void Translator::leave_loop(const Instruction& x, bool is_break) {
  const Loop& l = loops_.back();
  const Mask leaving = b_.mask_and(active_, wanting(x));
  Mask left;
  if (is_break && !l.breaks) {
    left = b_.mask_andnot(leaving, active_);
    set_for(l.exit, ifs_.size() == l.ifs);
    b_.jump_none(left, l.exit.label);
    return;
  }
  if (is_break && ifs_.size() == l.ifs && !l.continues) {
    left = b_.mask_andnot(leaving, active_);
    b_.set(l.left, left);
  } else if (is_break) {
    left = b_.mask_andnot(leaving, b_.get(l.left));
    b_.set(l.left, left);
  } else {
    const Mask gone = b_.mask_or(b_.get(l.continued), leaving);
    b_.set(l.continued, gone);
    left = b_.mask_andnot(gone, left_in(l));
  }
  active_ = b_.mask_andnot(leaving, active_);
  const Meeting& to = is_break ? l.exit : l.next;
  set_for(to, ifs_.size() == l.ifs);
  b_.jump_none(left, to.label);
}

}  // namespace pumice::hw::fast::extended
