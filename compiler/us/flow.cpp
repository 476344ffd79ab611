// SPDX-License-Identifier: MIT
#include "compiler/us/flow.h"

#include <algorithm>

#include "compiler/isa/error.h"
#include "hw/db/regs_r500.h"

namespace pumice::compiler::us {
namespace {

using F = regs::US_FC_INST;
constexpr unsigned kPopCounts = 31;

Flow jump(uint8_t func, bool any) {
  Flow f;
  f.op = FlowOp::JUMP;
  f.jump_func = func;
  f.jump_any = any;
  return f;
}

}  // namespace

void FlowWriter::op(const Op& op, bool wait_for_textures) {
  Instruction x;
  x.type = Type::FLOW_CONTROL;
  x.alu_wait = true;
  x.tex_sem_wait = wait_for_textures;
  Flow& f = x.flow;
  const uint16_t here = static_cast<uint16_t>(code_.size());
  switch (op.kind) {
    case Op::Kind::if_:
      f = jump(0x0F, false);
      f.branch_op0 = F::B_OP0__INCREMENT;
      ifs_.push_back({here, -1});
      deepest_ = std::max(deepest_, ifs_.size());
      break;
    case Op::Kind::else_:
      f = jump(0x00, false);
      f.is_else = true;
      f.branch_op1 = F::B_OP1__DECREMENT;
      f.pop_count = 1;
      ifs_.back().other = here;
      break;
    case Op::Kind::endif:
      f = jump(0x00, true);
      f.branch_op0 = F::B_OP0__DECREMENT;
      f.pop_count = 1;
      f.target = static_cast<uint16_t>(here + 1);
      end_if(here);
      break;
    case Op::Kind::loop:
      f.op = chip_.memory ? FlowOp::XLOOP : FlowOp::LOOP;
      f.int_address = op.counter;
      loops_.push_back({here, {}, {}});
      loops_seen_ = true;
      if (!chip_.memory && loops_.size() > chip_.fragment.loop_depth)
        throw isa::Unsupported("loops nested " + std::to_string(loops_.size()) + " deep on the chip, " +
                                   std::to_string(chip_.fragment.loop_depth) + " levels are known to work",
                               op.at);
      break;
    case Op::Kind::endloop:
      f.op = chip_.memory ? FlowOp::XENDLOOP : FlowOp::ENDLOOP;
      f.int_address = op.counter;
      if (!chip_.memory) {
        f.jump_func = 0xFF;
        f.jump_any = true;
      }
      f.target = static_cast<uint16_t>(loops_.back().begin + 1);
      land(loops_.back().continues);
      code_.push_back(x);
      land(loops_.back().breaks);
      code_[loops_.back().begin].flow.target = static_cast<uint16_t>(code_.size());
      loops_.pop_back();
      return;
    case Op::Kind::break_:
    case Op::Kind::continue_:
      f.op = op.kind == Op::Kind::break_ ? FlowOp::BREAKLOOP : FlowOp::CONTINUE;
      f.jump_func = op.conditional ? 0xF0 : 0xFF;
      f.branch_op1 = F::B_OP1__DECREMENT;
      if (op.pop > kPopCounts && !chip_.memory)
        throw isa::Unsupported(
            "a jump out of " + std::to_string(op.pop) + " branches of a loop, instructions leave " + std::to_string(kPopCounts), op.at);
      f.pop_count = static_cast<uint8_t>(std::min<unsigned>(op.pop, kPopCounts));
      (op.kind == Op::Kind::break_ ? loops_.back().breaks : loops_.back().continues).push_back({here, op.pop});
      break;
    default: break;
  }
  code_.push_back(x);
}

/// Jumps that land at the next slot. Those that leave more branches than one instruction counts do the rest here, on the way; others jump
/// over it.
void FlowWriter::land(const Vec<Leave>& jumps) {
  const auto next = [&] { return static_cast<uint16_t>(code_.size()); };
  const auto emit = [&](const Flow& f) {
    Instruction x;
    x.type = Type::FLOW_CONTROL;
    x.alu_wait = true;
    x.flow = f;
    code_.push_back(x);
  };
  uint32_t most = 0;
  for (const Leave& j : jumps) most = std::max(most, j.pop);
  Vec<uint16_t> over;
  if (most > kPopCounts) {
    over.push_back(next());
    emit(jump(0xFF, false));
    for (const Leave& j : jumps) {
      if (j.pop <= kPopCounts) continue;
      code_[j.slot].flow.target = next();
      for (uint32_t left = j.pop - kPopCounts; left; left -= std::min<uint32_t>(left, kPopCounts)) {
        Flow f = jump(0x00, true);
        f.branch_op0 = F::B_OP0__DECREMENT;
        f.pop_count = static_cast<uint8_t>(std::min<uint32_t>(left, kPopCounts));
        f.target = static_cast<uint16_t>(next() + 1);
        emit(f);
      }
      over.push_back(next());
      emit(jump(0xFF, false));
    }
  }
  for (uint16_t o : over) code_[o].flow.target = next();
  for (const Leave& j : jumps) {
    if (j.pop <= kPopCounts) code_[j.slot].flow.target = next();
  }
}

void FlowWriter::end_if(uint16_t here) {
  const If& i = ifs_.back();
  Flow& f = code_[i.begin].flow;
  if (i.other < 0) {
    f.target = static_cast<uint16_t>(here + 1);
  } else {
    f.branch_op1 = F::B_OP1__INCREMENT;
    f.target = static_cast<uint16_t>(i.other + 1);
    code_[static_cast<size_t>(i.other)].flow.target = static_cast<uint16_t>(here + 1);
  }
  ifs_.pop_back();
}

}  // namespace pumice::compiler::us
