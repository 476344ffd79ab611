// SPDX-License-Identifier: MIT
/// The three routines of one instruction set.
#pragma once
#include "hw/radeon/fast/vertex/batch.h"

namespace pumice::hw::fast::vertex::PUMICE_SIMD {

void load_rows(Batch& batch, uint32_t row, uint32_t count, const std::byte* const* p);
void convert(const FetchPlan& plan, Batch& batch);
void emit(const EmitPlan& plan, const Batch& batch, Vertex* const* slot, uint32_t n);

}  // namespace pumice::hw::fast::vertex::PUMICE_SIMD
