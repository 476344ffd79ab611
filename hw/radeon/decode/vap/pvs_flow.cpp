// SPDX-License-Identifier: MIT
#include "hw/radeon/decode/vap/pvs_flow.h"

#include <algorithm>

namespace pumice::hw::vap {
namespace {

using Flow = regs::VAP_PVS_FLOW_CNTL_OPC;

/// aL stays in a range that no addition can leave; the chip's width is UNCONFIRMED, registers are at most 8 bits of offset away.
constexpr int32_t kLoopIndexLimit = 1 << 16;

}  // namespace

bool PvsFlow::push(const Frame& f) {
  if (depth_ == kFlowStack || (f.is_loop && loops_ == program_.chip->pvs_loop_depth)) return false;
  stack_[depth_++] = f;
  loops_ += f.is_loop;
  return true;
}

/// pvs-isa s.9. A taken transfer at the last instruction goes on (a loop may end there). UNCONFIRMED.
void PvsFlow::advance() {
  const uint32_t pc = uint32_t(pc_);
  uint32_t next = pc + 1;
  if (!program_.has_flow) {
    pc_ = pc == program_.last ? -1 : int32_t(next & (program_.chip->pvs_slots - 1));
    return;
  }
  bool transfer = false;
  if (depth_ != 0 && stack_[depth_ - 1].last == pc) {
    Frame& top = stack_[depth_ - 1];
    if (top.is_loop) {
      loop_index_ = std::clamp(loop_index_ + top.step, -kLoopIndexLimit, kLoopIndexLimit);
      if (top.count > 1) {
        --top.count;
        next = top.return_to;
        transfer = true;
      } else {
        loop_index_ = top.saved_index;
        --depth_;
        --loops_;
      }
    } else {
      next = top.return_to;
      transfer = true;
      --depth_;
    }
  }
  for (const FlowEntry& f : program_.flow) {
    if (f.opcode == Flow::PVS_FC_OPC_0__NONE || f.act != pc) continue;
    if (f.opcode == Flow::PVS_FC_OPC_0__JUMP) {
      next = f.count_or_target;
      transfer = true;
    } else if (f.opcode == Flow::PVS_FC_OPC_0__LOOP) {
      if (!push({true, f.last, f.return_to, f.count_or_target, f.index_step, loop_index_})) continue;
      if (!f.inherit_index) loop_index_ = f.index_start;
      next = f.return_to;
      transfer = true;
    } else {
      if (!push({false, f.last, f.return_to, 0, 0, 0})) continue;
      next = f.count_or_target;
      transfer = true;
    }
  }
  pc_ = pc == program_.last && !transfer ? -1 : int32_t(next & (program_.chip->pvs_slots - 1));
}

}  // namespace pumice::hw::vap
