// SPDX-License-Identifier: MIT
/// Runs a decoded vertex program on one vertex (pvs-isa s.3, s.8, s.9).
#pragma once
#include <span>

#include "hw/radeon/decode/vap/pvs_program.h"
#include "hw/radeon/draw/draw.h"

namespace pumice::hw::vap {

using PvsInputs = std::array<Vec4, kPvsInputs>;
using PvsOutputs = std::array<Vec4, kPvsOutputs>;

/// The default of input components not written by PSC, and of output components not written by the program.
inline constexpr Vec4 kDefaultVector = {0, 0, 0, 1};

/// False when instructions_left reached 0: the program was stopped, the outputs are what it wrote so far.
/// Temporaries, A0 and the predicate, undefined on the chip, start as zero.
bool run_program(const PvsProgram& program, const ChipState& state, const PvsInputs& inputs, PvsOutputs& outputs,
                 uint64_t& instructions_left, Inspector* inspector = nullptr);

}  // namespace pumice::hw::vap
