// SPDX-License-Identifier: MIT
/// The state of a draw in words: registers by name, programs, constants.
#pragma once
#include <string>
#include <vector>

#include "hw/radeon/regfile/chip_state.h"
#include "hw/radeon/trace/inspect/names.h"
#include "hw/radeon/trace/inspect/writers.h"

namespace pumice::hw::trace {

/// The state registers that do not hold their reset value, a line each.
std::vector<std::string> register_lines(const ChipState& state);
/// The state registers whose values differ: old and new value, and the packet that wrote the new one; and how many slots of programs and
/// how many constants do. `writers` null: without packets.
std::vector<std::string> difference_lines(const ChipState& before, const ChipState& now, const Writers* writers);
/// The vertex and the fragment program as they would run, disassembled, each followed by the constants that it names. Those of extended
/// draws are extended_program_lines() (extended_state.h). `names` may be null.
std::vector<std::string> program_lines(const ChipState& state, const ProgramNames* names = nullptr);

}  // namespace pumice::hw::trace
