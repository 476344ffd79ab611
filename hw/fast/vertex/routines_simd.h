// SPDX-License-Identifier: MIT
/// The three routines of one instruction set.
#pragma once
#include "hw/fast/vertex/batch.h"

namespace pumice::hw::fast::vertex::PUMICE_SIMD {

void convert(const FetchPlan& plan, Batch& batch);
void run(const PvsCode& code, Batch& batch);
void emit(const EmitPlan& plan, const Batch& batch, Vertex* const* slot, uint32_t n);

}  // namespace pumice::hw::fast::vertex::PUMICE_SIMD
