// SPDX-License-Identifier: MIT
/// Which variables of a program live in a register of their own, all through the routine.
#pragma once
#include "hw/common/simd/cpu.h"
#include "hw/radeon/jit/lane/ir.h"

namespace pumice::hw::fast::lane {

struct Pins {
  /// By variable, then by mask variable: a number from 0, or -1.
  std::vector<int8_t> pin;
  int values = 0, masks = 0;  ///< how many
};

/// Variables of loops, the most used first. A call saves them all, so it must pay. AVX2: a register for each half of a value.
Pins choose_pins(const Program& program, Cpu cpu);

}  // namespace pumice::hw::fast::lane
