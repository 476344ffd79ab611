// SPDX-License-Identifier: MIT
/// X_SCALE (docs/r5x.md s.9) by the row routines of stretch.h.
#pragma once
#include "hw/common/simd/cpu.h"
#include "hw/radeon/draw/draw.h"

namespace pumice::hw::fast {

/// execute_scale() by vectors; on any thread.
void scale(Cpu cpu, const ScaleInput& input, const RowsPart& part);

}  // namespace pumice::hw::fast
