// SPDX-License-Identifier: MIT
/// What element-wise operations do to one lane: the scalar column of operations.h.
#pragma once
#include "hw/radeon/jit/lane/ir.h"

namespace pumice::hw::fast::lane {

/// The bits of the result, 0 or 1 for a mask, from operands alike. Element-wise operations only. The thread's rounding is to nearest;
/// denormals are flushed whatever its mode.
uint32_t evaluate(Op op, uint32_t imm, uint32_t a, uint32_t b, uint32_t c = 0);

/// The same of numbers of binary64 (PUMICE_LANE_DOUBLES), and conversions. The thread's denormals are kept (OrdinaryFloats).
uint64_t evaluate_double(Op op, uint64_t a, uint64_t b, uint64_t c);
double widened(uint32_t word);
uint32_t narrowed(double x);

/// Atomic operations on floats: bits that they write.
uint32_t float_sum(uint32_t a, uint32_t b);
uint32_t float_product(uint32_t a, uint32_t b);
uint32_t float_least(uint32_t a, uint32_t b);
uint32_t float_greatest(uint32_t a, uint32_t b);
uint64_t combined(Atomic64 op, uint64_t old, uint64_t b, uint64_t c);

constexpr bool is_elementwise(Op op) {
  switch (op) {
#define PUMICE_LANE_ROW(name, ...) case Op::name:
    PUMICE_LANE_ELEMENTWISE(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
    return true;
    default: return false;
  }
}

}  // namespace pumice::hw::fast::lane
