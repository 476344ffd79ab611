// SPDX-License-Identifier: MIT
/// From Lir with registers to slots: pairs RGB and alpha operations, groups texture instructions, sets the semaphore, ALU_WAIT and NOP
/// bits (us-isa A7) and lays out flow control by the idioms of A9.
#pragma once
#include <vector>

#include "compiler/us_r500/lir.h"

namespace pumice::compiler::us {

struct Scheduled {
  Vec<Instruction> code;
  bool full_flow_control = false;
  uint32_t paired = 0;
};
Scheduled schedule(const Lir& lir, const isa::Allocation& allocation);

/// Units and idle addresses of one slot: every operand needs its register at the RGB address, the alpha address or both of the
/// same source number (A3). `half[i]` empty = unit idle.
struct PhysicalOperand {
  bool rgb = false, alpha = false, first = false;  ///< lanes needed; must be source 0
  Address address;
  Operand text;  ///< swizzle and modifier; select is filled in by place_sources
};
struct Half {
  Unit unit;  ///< everything but addresses and selects
  uint8_t sources = 0;
  std::array<PhysicalOperand, 3> operand;
  bool depth = false, condition = false;
  uint8_t condition_op = 0;
};
/// Chooses source numbers for the operands of both halves; false if three addresses a unit are not enough.
bool place_sources(const Half* rgb, const Half* alpha, Instruction& out);

}  // namespace pumice::compiler::us
