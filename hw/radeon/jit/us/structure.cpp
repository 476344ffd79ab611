// SPDX-License-Identifier: MIT
/// See structure.h.
#include "hw/radeon/jit/us/structure.h"

#include "hw/radeon/jit/us/flow_forms.h"
#include "hw/radeon/jit/us/reach.h"

namespace pumice::hw::fast::us {
namespace {

using Inst = regs::US_FC_INST;
using isa::us_r500::Flow;
using isa::us_r500::FlowOp;
using isa::us_r500::Type;

class Nesting {
 public:
  Nesting(std::span<const isa::us_r500::Instruction> code, const NestingRules& rules, Structure& out)
      : code_(code), rules_(rules), out_(out) {}

  std::optional<NestingProblem> walk() {
    for (uint32_t pc = rules_.first; pc < rules_.end; ++pc) {
      if (code_[pc].type != Type::FLOW_CONTROL) continue;
      const std::optional<NestingProblem> problem = instruction(pc);
      if (problem) return problem;
    }
    if (!open_.empty()) return NestingProblem{rules_.end, "flow control that does not end"};
    return {};
  }

 private:
  using Problem = std::optional<NestingProblem>;
  struct Open {
    Form form;
    uint32_t at, else_at = 0;  ///< 0: no ELSE so far
    std::vector<uint32_t> breaks, continues;
  };

  const Flow& flow(uint32_t pc) const { return code_[pc].flow; }
  uint32_t target(uint32_t pc) const { return jump_target(flow(pc), rules_.offset); }
  static Problem other(uint32_t pc) { return NestingProblem{pc, "flow control of another form"}; }
  bool inside(Form form) const { return !open_.empty() && open_.back().form == form; }

  Problem instruction(uint32_t pc) {
    switch (form_of(flow(pc))) {
      case Form::other: break;
      case Form::if_: return begin(pc, Form::if_, ifs_, rules_.ifs, "nested too deep");
      case Form::else_: return otherwise(pc);
      case Form::endif: return end_if(pc);
      case Form::loop:
        if (rules_.counted) return begin(pc, Form::loop, loops_, rules_.loops, "loops nested too deep");
        break;
      case Form::xloop:
        if (!rules_.counted) return begin(pc, Form::loop, loops_, rules_.loops, "loops nested too deep");
        break;
      case Form::endloop:
        if (rules_.counted) return end_loop(pc);
        break;
      case Form::xendloop:
        if (!rules_.counted) return end_loop(pc);
        break;
      case Form::break_: return leave(pc, &Open::breaks);
      case Form::continue_: return leave(pc, &Open::continues);
    }
    return other(pc);
  }

  Problem begin(uint32_t pc, Form form, uint32_t& depth, uint32_t most, const char* too_deep) {
    if (++depth > most) return NestingProblem{pc, too_deep};
    open_.push_back({form, pc, 0, {}, {}});
    return {};
  }

  Problem otherwise(uint32_t pc) {
    if (!inside(Form::if_) || open_.back().else_at) return other(pc);
    Open& o = open_.back();
    if (flow(o.at).branch_op1 != Inst::B_OP1__INCREMENT || target(o.at) != pc + 1) return other(pc);
    o.else_at = pc;
    out_.has_else[o.at] = true;
    out_.partner[o.at] = pc;
    return {};
  }

  Problem end_if(uint32_t pc) {
    if (!inside(Form::if_)) return other(pc);
    const Open& o = open_.back();
    const uint32_t from = o.else_at ? o.else_at : o.at;
    if (target(from) != pc + 1) return other(pc);
    if (!o.else_at && flow(o.at).branch_op1 != Inst::B_OP1__NONE) return other(pc);
    out_.partner[from] = pc;
    --ifs_;
    open_.pop_back();
    return {};
  }

  Problem end_loop(uint32_t pc) {
    if (!inside(Form::loop)) return other(pc);
    const Open& o = open_.back();
    if ((flow(o.at).op == FlowOp::REP) != (flow(pc).op == FlowOp::ENDREP)) return other(pc);
    if (target(pc) != o.at + 1 || target(o.at) != pc + 1) return other(pc);
    for (const uint32_t b : o.breaks)
      if (target(b) != pc + 1) return other(b);
    for (const uint32_t c : o.continues)
      if (target(c) != pc) return other(c);
    out_.partner[o.at] = pc;
    out_.breaks[o.at] = !o.breaks.empty();
    out_.continues[o.at] = !o.continues.empty();
    --loops_;
    open_.pop_back();
    return {};
  }

  Problem leave(uint32_t pc, std::vector<uint32_t> Open::*list) {
    uint32_t ifs = 0;
    size_t i = open_.size();
    while (i > 0 && open_[i - 1].form == Form::if_) --i, ++ifs, out_.leaves[open_[i].at] = true;
    if (i == 0 || flow(pc).pop_count != ifs) return other(pc);
    (open_[i - 1].*list).push_back(pc);
    return {};
  }

  const std::span<const isa::us_r500::Instruction> code_;
  const NestingRules rules_;
  Structure& out_;
  std::vector<Open> open_;
  uint32_t ifs_ = 0, loops_ = 0;
};

}  // namespace

std::optional<NestingProblem> find_structure(std::span<const isa::us_r500::Instruction> code, const NestingRules& rules, Structure& out) {
  out.partner.assign(code.size(), 0);
  for (auto* flags : {&out.has_else, &out.leaves, &out.breaks, &out.continues}) flags->assign(code.size(), false);
  return Nesting(code, rules, out).walk();
}

}  // namespace pumice::hw::fast::us
