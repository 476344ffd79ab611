// SPDX-License-Identifier: MIT
/// The operands of an ALU instruction as numbers, for the inspector.
#pragma once
#include "hw/radeon/ref/us/thread.h"

namespace pumice::hw::us {

template <size_t kCount>
struct GroupThread;

struct AluOperands {
  std::array<std::array<float, 3>, 3> rgb{};  ///< [A, B, C][channel]
  std::array<float, 3> alpha{};               ///< [A, B, C]
};

/// Before the instruction executes: what each unit reads for one lane, after select, presubtract, swizzle and modifier. MDH and MDV read
/// their neighbours' sources instead of A and C (us-isa A5).
AluOperands alu_operands(Thread& t, const Instruction& x, uint32_t lane);
/// Of an extended program. The operands of XI operations are bits; those of other units numbers as above.
AluOperands alu_operands(GroupThread<4>& t, const Instruction& x, uint32_t lane);
AluOperands alu_operands(GroupThread<16>& t, const Instruction& x, uint32_t lane);

}  // namespace pumice::hw::us
