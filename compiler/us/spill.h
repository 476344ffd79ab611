// SPDX-License-Identifier: MIT
/// Values that do not fit the register file live in the invocation's scratch memory (docs/r5x.md: LDP, STP).
#pragma once
#include "compiler/us/lir.h"

namespace pumice::compiler::us {

/// Allocates registers; while more than `temps` are needed values move to scratch memory behind its first `scratch_bytes` bytes, which
/// grow. Throws isa::Unsupported when a single operation needs too many.
isa::Allocation allocate_or_spill(Lir& lir, uint32_t temps, uint32_t spread, uint32_t& scratch_bytes);
/// The same without a scratch memory: `used` may exceed what there is.
isa::Allocation allocate(const Lir& lir, const Vec<isa::Point>& points, uint32_t spread);

}  // namespace pumice::compiler::us
