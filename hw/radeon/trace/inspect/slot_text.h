// SPDX-License-Identifier: MIT
/// What a slot of an extended program (docs/r5x.md) does in one lane, in words: for the lives of pixels, vertices and
/// invocations (groups of 4 and 16 lanes).
#pragma once
#include <string>

#include "hw/db/isa_us_r500.h"

namespace pumice::hw::us {
template <size_t kCount>
struct GroupThread;
}

namespace pumice::hw::trace {

/// "A (1, 0, 0)  B (2, 2, 2)" before it is executed; empty: it reads nothing that is worth a line.
template <size_t N>
std::string slot_operands(us::GroupThread<N>& t, const isa::us_r500::Instruction& x, uint32_t lane);
/// Which memory its descriptor names; empty: none, or which one depends on a register that lies outside of the frame.
template <size_t N>
std::string slot_memory(us::GroupThread<N>& t, const isa::us_r500::Instruction& x, uint32_t lane);
/// "-> r1.rgb = (1, 0, 0)" afterwards; empty: nothing was written.
template <size_t N>
std::string slot_results(us::GroupThread<N>& t, const isa::us_r500::Instruction& x, uint32_t lane);

}  // namespace pumice::hw::trace
