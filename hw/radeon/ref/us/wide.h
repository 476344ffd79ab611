// SPDX-License-Identifier: MIT
/// The arithmetic of WIDE slots on one number (docs/r5x.md s.4.2): binary64, bits in and out. IEEE, nearest even, denormals kept.
#pragma once
#include <cstdint>

#include "hw/db/isa_us_r500.h"

namespace pumice::hw::us::wide {

using isa::us_r500::WideOp;

inline constexpr uint64_t kNan = 0x7FF8000000000000u;  ///< what an operation returns

/// Operands that the operation does not have are ignored. Operands and results that are words are the lower half.
uint64_t evaluate(WideOp op, uint64_t a, uint64_t b, uint64_t c);

}  // namespace pumice::hw::us::wide
