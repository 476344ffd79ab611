// SPDX-License-Identifier: MIT
/// The arithmetic of XI operations on one lane (docs/r5x.md s.3): integers modulo 2^32, floats as the rest of US, bits in and out.
#pragma once
#include <cstdint>

#include "hw/db/isa_us_r500.h"

namespace pumice::hw::us::xi {

using isa::us_r500::XiOp;

/// The result from operands after modifiers; those that the operation does not have are ignored. Not for operations across lanes.
uint32_t evaluate(XiOp op, uint32_t a, uint32_t b, uint32_t c);
/// The result of pixel `pixel` of an operation that reads its quad: a[0..3] are the operands of the pixels.
uint32_t across(XiOp op, const uint32_t* a, uint32_t pixel);

/// ALU result and predicate tests on integers: 0 EQ, 1 LT, 2 GE, 3 NE.
inline bool test(uint32_t op, uint32_t x) {
  switch (op & 3u) {
    case 0: return x == 0;
    case 1: return int32_t(x) < 0;
    case 2: return int32_t(x) >= 0;
    default: return x != 0;
  }
}

}  // namespace pumice::hw::us::xi
