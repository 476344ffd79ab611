// SPDX-License-Identifier: MIT
/// Fragment programs of the R3xx (us-isa, Part B): two stores, up to four levels of texture instructions before ALU instructions. There is
/// no flow control, so a program is a row of instructions; both executors run that row, in the form of the R5xx (hw/db/us_r300_form.h).
#pragma once
#include <array>
#include <string>
#include <vector>

#include "hw/db/isa_us_r500.h"
#include "hw/radeon/regfile/chip_state.h"

namespace pumice::hw::us_r300 {

struct Program {
  std::vector<isa::us_r500::Instruction> code;  ///< in the order of execution, up to the problem
  std::string problem;                          ///< why the program ends there; empty: it is complete
};

/// The program that the registers describe: US_CONFIG, US_CODE_OFFSET, US_CODE_ADDR and the stores.
Program program(const ChipState& state);
/// Temps of the frame: US_PIXSIZE.
uint32_t frame_size(const ChipState& state);
/// A constant as the bits of floats.
std::array<uint32_t, 4> constant(const ChipState& state, uint32_t i);

}  // namespace pumice::hw::us_r300
