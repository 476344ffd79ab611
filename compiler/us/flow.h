// SPDX-License-Identifier: MIT
/// Flow control, table A9. Branches and loops nest, so jump targets are filled in when the construct ends.
#pragma once
#include "compiler/us/lir.h"

namespace pumice::compiler::us {

class FlowWriter {
 public:
  FlowWriter(Vec<Instruction>& code, const ChipLimits& chip) : code_(code), chip_(chip) {}
  /// The program needs US_FC_CTRL.FULL_FC_EN.
  bool full() const { return loops_seen_ || deepest_ > chip_.flat_branch_depth; }
  void op(const Op& op, bool wait_for_textures);

 private:
  void end_if(uint16_t here);
  struct Leave {
    uint16_t slot;
    uint32_t pop;  ///< branches to leave
  };
  void land(const Vec<Leave>& jumps);

  struct If {
    uint16_t begin;
    int other;
  };
  struct Loop {
    uint16_t begin;
    Vec<Leave> breaks, continues;
  };
  Vec<Instruction>& code_;
  const ChipLimits& chip_;
  Vec<If> ifs_;
  Vec<Loop> loops_;
  size_t deepest_ = 0;
  bool loops_seen_ = false;
};

}  // namespace pumice::compiler::us
