// SPDX-License-Identifier: MIT
/// Flow control of strict programs: four lanes.
#include "hw/radeon/ref/us/flow.h"

namespace pumice::hw::us {

void execute_flow(Thread& t, const Instruction& x) { flow::execute(t, x); }

}  // namespace pumice::hw::us
