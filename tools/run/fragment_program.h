// SPDX-License-Identifier: MIT
/// Microcode of the fragment unit, of both generations, in the registers' state: loading it, and changing it to look inside.
#pragma once
#include <string>
#include <vector>

#include "hw/radeon/regfile/chip_state.h"
#include "tools/run/chip.h"

namespace pumice::run {

void load_fragment_program(hw::ChipState& state, const compiler::FragmentProgram& program, const std::vector<Vec4>& constants);

/// Inverts a bit. R3xx: of an ALU instruction.
void flip_fragment_bit(hw::ChipState& state, const compiler::FragmentProgram& program, const Flip& flip);

/// Target 0 gets what slot `last` writes, and nothing else: R5xx: the program ends there. R3xx (`last`: an ALU instruction): no other
/// instruction writes there.
void end_fragment_program(hw::ChipState& state, const compiler::FragmentProgram& program, uint32_t last);

/// R3xx: an ALU instruction's place in the order of execution, texture instructions counted.
uint32_t execution_place(const hw::ChipState& state, uint32_t alu);

/// Text of the instruction at a slot, R3xx: at a place in the order of execution.
std::string fragment_instruction(const hw::ChipState& state, const compiler::FragmentProgram& program, uint32_t slot);

}  // namespace pumice::run
