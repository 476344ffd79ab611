// SPDX-License-Identifier: MIT
/// Flow control of vertex programs (pvs-isa s.9). It does not depend on vertex data: all vertices of a draw take the same path.
#pragma once
#include "hw/radeon/decode/vap/pvs_program.h"

namespace pumice::hw::vap {

class PvsFlow {
 public:
  explicit PvsFlow(const PvsProgram& program) : program_(program), pc_(int32_t(program.first)) {}
  /// The slot to execute, or -1 at the end of the program.
  int32_t pc() const { return pc_; }
  /// aL while it executes.
  int32_t loop_index() const { return loop_index_; }
  void advance();

 private:
  struct Frame {
    bool is_loop;
    uint32_t last, return_to;
    uint32_t count;
    int32_t step, saved_index;
  };
  bool push(const Frame& f);

  const PvsProgram& program_;
  int32_t pc_, loop_index_ = 0;
  std::array<Frame, kFlowStack> stack_;
  uint32_t depth_ = 0, loops_ = 0;
};

}  // namespace pumice::hw::vap
