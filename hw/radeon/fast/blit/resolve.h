// SPDX-License-Identifier: MIT
/// X_RESOLVE (docs/r5x.md s.9) by vectors.
#pragma once
#include "hw/common/simd/cpu.h"
#include "hw/radeon/draw/draw.h"

namespace pumice::hw::fast {

/// execute_resolve(), on any thread.
void resolve(Cpu cpu, const ResolveInput& input, const RowsPart& part);

}  // namespace pumice::hw::fast
