// SPDX-License-Identifier: MIT
/// Linking on chips with memory: varyings get slots (docs/r5x.md: EXP 32 + n, LDV n), what the fragment program does not read is not
/// written.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "compiler/ir/ir.h"

namespace pumice::compiler {

/// The n-th is what varying slot n holds: a location, or distances that the fragment program reads.
using VaryingSlots = std::vector<std::pair<ir::Builtin, uint32_t>>;

/// Of a fragment module in chip form: its inputs become slots in ascending order of locations. Throws isa::Unsupported.
VaryingSlots link_inputs(ir::Module& fragment, const ChipLimits& chip);
/// Of a vertex module before the passes: outputs in slots, others dropped, distances that are read written a second time.
void link_outputs(ir::Module& vertex, const VaryingSlots& slots);

}  // namespace pumice::compiler
