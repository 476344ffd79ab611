// SPDX-License-Identifier: MIT
/// ALU and OUT instructions of strict programs: four lanes.
#include "hw/radeon/ref/us/alu.h"

namespace pumice::hw::us {

void execute_alu(Thread& t, const Instruction& x) { alu::execute(t, x); }

}  // namespace pumice::hw::us
