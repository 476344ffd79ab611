// SPDX-License-Identifier: MIT
/// The judge: a lane program run node by node and lane by lane, with the scalar column of operations.h. For tests.
#pragma once
#include "hw/radeon/jit/lane/ir.h"

namespace pumice::hw::fast::lane {

/// A valid program. Whether the thread flushes denormals makes no difference.
void interpret_reference(const Program& program, void* args);

}  // namespace pumice::hw::fast::lane
