// SPDX-License-Identifier: MIT
/// Flow control that nests (docs/r5x.md s.2.1, hw/radeon/ref/us/flow.h). A group jumps here where it jumps in the reference.
#include "hw/radeon/jit/x/translate.h"

namespace pumice::hw::fast::extended {

using Inst = regs::US_FC_INST;
using isa::us_r500::Flow;
using isa::us_r500::TexOp;
using isa::us_r500::Type;
using isa::us_r500::XOp;
using us::Form;
using us::form_of;

/// Checks that the flow control nests, finds what belongs together and what is written behind it.
bool Translator::find_structure() {
  struct Open {
    Form form;
    uint32_t at, else_at = 0;
    bool has_else = false;
    std::vector<uint32_t> breaks, continues;
  };
  // The reference's stacks.
  constexpr uint32_t kMostIfs = 250, kMostLoops = 64;
  std::vector<Open> open;
  uint32_t loops = 0, ifs = 0;
  const size_t count = code_.size();
  partner_.assign(count, 0), has_else_.assign(count, false), breaks_.assign(count, false), continues_.assign(count, false);
  for (const Instruction& x : code_) has_barrier_ |= x.type == Type::TEXTURE && x.tex.inst == TexOp::X && x.tex.x.op == XOp::BARRIER;
  const auto target_of = [&](uint32_t slot) { return uint32_t{code_[slot].flow.target}; };
  const auto other = [&](uint32_t pc) { return refuse(pc, "flow control of another form"); };
  for (uint32_t pc = 0; pc < count; ++pc) {
    const Instruction& x = code_[pc];
    if (x.type != Type::FLOW_CONTROL) {
      if (!has_flow_ && !has_barrier_) continue;
      const bool is_tex = x.type == Type::TEXTURE;
      if (stage_code_) {
        const std::vector<Export> exports = exports_of(x);
        for (const Export& e : exports) variable_[e.cell] = true;
        if (!exports.empty() && is_tex) continue;
      }
      for (uint32_t c = 0; c < 4; ++c) {
        const isa::us_r500::Unit& unit = c < 3 ? x.rgb : x.alpha;
        const uint32_t temp = is_tex ? x.tex.dest.temp : unit.dest;
        if (unit.write >> (c < 3 ? c : 0) & 1u) variable_[temp * 4 + c] = true;
      }
      continue;
    }
    has_flow_ = true;
    const Flow& f = x.flow;
    const Form form = form_of(f);
    switch (form) {
      case Form::other:
      case Form::loop:
      case Form::endloop: return other(pc);
      case Form::if_:
        open.push_back({form, pc});
        if (++ifs > kMostIfs) return refuse(pc, "nested too deep");
        break;
      case Form::else_: {
        if (open.empty() || open.back().form != Form::if_ || open.back().has_else) return other(pc);
        Open& o = open.back();
        if (code_[o.at].flow.branch_op1 != Inst::B_OP1__INCREMENT || target_of(o.at) != pc + 1) return other(pc);
        o.else_at = pc, o.has_else = true;
        has_else_[o.at] = true;
        partner_[o.at] = pc;
        break;
      }
      case Form::endif: {
        if (open.empty() || open.back().form != Form::if_) return other(pc);
        const Open& o = open.back();
        const uint32_t from = o.has_else ? o.else_at : o.at;
        if (target_of(from) != pc + 1) return other(pc);
        if (!o.has_else && code_[o.at].flow.branch_op1 != Inst::B_OP1__NONE) return other(pc);
        partner_[from] = pc;
        --ifs;
        open.pop_back();
        break;
      }
      case Form::xloop:
        open.push_back({form, pc});
        if (++loops > kMostLoops) return refuse(pc, "loops nested too deep");
        break;
      case Form::xendloop: {
        if (open.empty() || open.back().form != Form::xloop) return other(pc);
        const Open& o = open.back();
        if (f.target != o.at + 1 || target_of(o.at) != pc + 1) return other(pc);
        for (const uint32_t b : o.breaks)
          if (target_of(b) != pc + 1) return other(b);
        for (const uint32_t c : o.continues)
          if (target_of(c) != pc) return other(c);
        partner_[o.at] = pc;
        breaks_[o.at] = !o.breaks.empty();
        continues_[o.at] = !o.continues.empty();
        --loops;
        open.pop_back();
        break;
      }
      case Form::break_:
      case Form::continue_: {
        uint32_t inside = 0;
        size_t i = open.size();
        while (i > 0 && open[i - 1].form == Form::if_) --i, ++inside;
        if (i == 0 || f.pop_count != inside) return other(pc);
        (form == Form::break_ ? open[i - 1].breaks : open[i - 1].continues).push_back(pc);
        break;
      }
    }
  }
  return open.empty() || refuse(uint32_t(count), "flow control that does not end");
}

/// The lanes whose (ALU result, predicate, bool) is set in JUMP_FUNC.
Translator::Mask Translator::wanting(const Instruction& x) {
  const uint32_t func = x.flow.jump_func;
  const auto choose = [&](auto condition, uint32_t low, uint32_t high, auto next) {
    const Mask a = next(low), b = next(high);
    if (low == high) return a;
    const Mask m = condition();
    return b_.mask_or(b_.mask_and(m, b), b_.mask_andnot(m, a));
  };
  const auto result = [&] { return alu_result_; };
  const auto predicate = [&] { return enabled(x.rgb_predicate, x.rgb_predicate_invert, 0); };
  const auto boolean = [&] {
    const Value bit = b_.constant_bits(1u << x.flow.bool_address);
    return b_.ieq(b_.bit_and(b_.splat(lane::kArgs, offsetof(GroupArgs, bools)), bit), bit);
  };
  const auto leaf = [&](uint32_t f) { return f & 1u ? all_ : none_; };
  const auto by_bool = [&](uint32_t f) { return choose(boolean, f & 1u, f >> 1 & 1u, leaf); };
  const auto by_predicate = [&](uint32_t f) { return choose(predicate, f & 3u, f >> 2 & 3u, by_bool); };
  return choose(result, func & 15u, func >> 4 & 15u, by_predicate);
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
  alu_result_ = none_;  // does not survive flow control
}

void Translator::begin_if(uint32_t pc, const Instruction& x) {
  const Mask want = wanting(x);
  boundary();
  const Mask running = wanted();
  If i{.before = keep(active_), .otherwise = keep(b_.mask_and(running, want)), .has_else = has_else_[pc]};
  i.otherwise_label = b_.make_label(), i.end_label = b_.make_label();
  active_ = b_.mask_andnot(want, running);
  b_.jump_none(active_, i.has_else ? i.otherwise_label : i.end_label);
  ifs_.push_back(i);
}

void Translator::begin_else() {
  const If& i = ifs_.back();
  boundary();
  b_.jump_none(value(i.otherwise), i.end_label);
  b_.place(i.otherwise_label);
  forget();
  active_ = value(i.otherwise);
}

/// Those that were active before, but for the ones that broke or continued inside.
void Translator::end_if() {
  const If i = ifs_.back();
  ifs_.pop_back();
  boundary();
  b_.place(i.end_label);
  forget();
  active_ = value(i.before);
  if (loops_.empty()) return;
  const Loop& l = loops_.back();
  if (l.breaks) active_ = b_.mask_andnot(b_.get(l.broken), active_);
  if (l.continues) active_ = b_.mask_andnot(b_.get(l.continued), active_);
}

Translator::Mask Translator::left_in(const Loop& l, bool without_continued) {
  Mask left = value(l.entered);
  if (l.breaks) left = b_.mask_andnot(b_.get(l.broken), left);
  if (without_continued && l.continues) left = b_.mask_andnot(b_.get(l.continued), left);
  return left;
}

void Translator::begin_loop(uint32_t pc) {
  boundary();
  Loop l{
      .before = keep(active_), .entered = keep(wanted()), .slots = partner_[pc] - pc, .breaks = breaks_[pc], .continues = continues_[pc]};
  l.broken = b_.mask_variable(), l.continued = b_.mask_variable();
  l.begin = b_.make_label(), l.next = b_.make_label(), l.exit = b_.make_label();
  if (l.breaks) b_.set(l.broken, none_);
  if (l.continues) b_.set(l.continued, none_);
  b_.jump_none(value(l.entered), l.exit);
  b_.place(l.begin);
  forget();
  active_ = left_in(l, false);
  loops_.push_back(l);
}

void Translator::end_loop() {
  const Loop l = loops_.back();
  loops_.pop_back();
  const lane::Label refill = b_.make_label(), go_on = b_.make_label();
  boundary();
  b_.place(l.next);
  if (l.continues) b_.set(l.continued, none_);
  b_.jump_spent(lane::kArgs, offsetof(GroupArgs, left), l.slots, refill);
  b_.place(go_on);
  const Mask again = left_in(l, false);
  if (again == all_)
    b_.jump(l.begin);
  else
    b_.jump_any(again, l.begin);
  b_.jump(l.exit);
  b_.place(refill);
  b_.call(callbacks_.refill, lane::kArgs, lane::kArgs, 0);
  b_.jump_any(b_.mask_load_now(lane::kArgs, offsetof(GroupArgs, stop)), stop_);
  b_.jump(go_on);
  b_.place(l.exit);
  forget();
  active_ = value(l.before);
}

/// The lanes that leave wait for the end of the loop or of the iteration; all jump when no lane of the loop is left.
void Translator::leave_loop(const Instruction& x, bool is_break) {
  const Loop& l = loops_.back();
  const Mask leaving = b_.mask_and(active_, wanting(x));
  boundary();
  const lane::MaskVariable variable = is_break ? l.broken : l.continued;
  const Mask gone = b_.mask_or(b_.get(variable), leaving);
  b_.set(variable, gone);
  active_ = b_.mask_andnot(leaving, active_);
  // A break looks at those only that have broken; a continue at both.
  Mask left = b_.mask_andnot(gone, value(l.entered));
  if (!is_break && l.breaks) left = b_.mask_andnot(b_.get(l.broken), left);
  b_.jump_none(left, is_break ? l.exit : l.next);
}

}  // namespace pumice::hw::fast::extended
