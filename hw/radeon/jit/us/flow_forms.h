// SPDX-License-Identifier: MIT
/// The forms of flow control that nest (us-isa A9, docs/r5x.md s.2.1), as compilers emit them.
#pragma once
#include "hw/db/isa_us_r500.h"
#include "hw/radeon/regfile/chip_state.h"

namespace pumice::hw::fast::us {

enum class Form { if_, else_, endif, loop, endloop, break_, continue_, xloop, xendloop, other };

inline Form form_of(const isa::us_r500::Flow& f) {
  using Inst = regs::US_FC_INST;
  using isa::us_r500::FlowOp;
  if (f.address_op != Inst::A_OP__NONE || f.ignore_uncovered) return Form::other;
  const bool no_branch = f.branch_op0 == Inst::B_OP0__NONE && f.branch_op1 == Inst::B_OP1__NONE;
  switch (f.op) {
    case FlowOp::JUMP:
      if (f.is_else)
        return f.jump_func == 0 && !f.jump_any && f.branch_op0 == Inst::B_OP0__NONE && f.branch_op1 == Inst::B_OP1__DECREMENT &&
                       f.pop_count == 1
                   ? Form::else_
                   : Form::other;
      if (f.branch_op0 == Inst::B_OP0__INCREMENT && !f.jump_any &&
          (f.branch_op1 == Inst::B_OP1__NONE || f.branch_op1 == Inst::B_OP1__INCREMENT))
        return Form::if_;
      return f.jump_func == 0 && f.jump_any && f.branch_op0 == Inst::B_OP0__DECREMENT && f.pop_count == 1 ? Form::endif : Form::other;
    case FlowOp::LOOP:
    case FlowOp::REP: return f.jump_func == 0 && !f.jump_any && !f.is_else && no_branch ? Form::loop : Form::other;
    case FlowOp::ENDLOOP:
    case FlowOp::ENDREP: return f.jump_func == 0xFF && f.jump_any && !f.is_else && no_branch ? Form::endloop : Form::other;
    case FlowOp::BREAKLOOP:
    case FlowOp::BREAKREP:
    case FlowOp::CONTINUE:
      if (f.jump_any || f.is_else || f.branch_op0 != Inst::B_OP0__NONE) return Form::other;
      if (f.branch_op1 != Inst::B_OP1__DECREMENT && !(f.branch_op1 == Inst::B_OP1__NONE && f.pop_count == 0)) return Form::other;
      return f.op == FlowOp::CONTINUE ? Form::continue_ : Form::break_;
    case FlowOp::XLOOP: return Form::xloop;
    case FlowOp::XENDLOOP: return Form::xendloop;
  }
  return Form::other;
}

}  // namespace pumice::hw::fast::us
