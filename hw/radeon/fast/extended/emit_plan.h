// SPDX-License-Identifier: MIT
/// How the vertices of a state become window vertices (vertex_pool.h), from registers.
#pragma once
#include "hw/radeon/draw/draw.h"
#include "hw/radeon/fast/extended/vertex_pool.h"

namespace pumice::hw::fast::extended {

/// `varyings`: slots that the program writes and the draw reads.
void make_emit_plan(const ChipState& state, uint32_t varyings, PrimitiveKind kind, EmitPlan& plan);

/// The fields of a window vertex that a plan writes, as a mask; the rest is zero.
inline uint64_t written(const EmitPlan& plan) { return plan.varyings | uint64_t{plan.layers || plan.viewports} << 32; }

}  // namespace pumice::hw::fast::extended
