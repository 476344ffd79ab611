// SPDX-License-Identifier: MIT
/// Fragment programs of the R3xx and R4xx (us-isa, Part B): two stores, up to four levels of texture instructions before ALU instructions.
/// There is no flow control, so a program is a row of instructions; both executors run that row, in the form of the R5xx
/// (hw/db/us_r300_form.h). The longer stores and 64 temps of the R4xx need R390_MODE_ENABLE.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "hw/db/isa_us_r500.h"
#include "hw/radeon/regfile/chip_state.h"

namespace pumice::hw::us_r300 {

/// Of both stores of the R4xx. UNCONFIRMED: levels that overlap do not make longer programs.
inline constexpr uint32_t kMostInstructions = 1024;

struct Program {
  std::vector<isa::us_r500::Instruction> code;  ///< in the order of execution, up to the problem
  std::string problem;                          ///< why the program ends there; empty: it is complete
};

/// The program that the registers describe: US_CONFIG, US_CODE_OFFSET, US_CODE_ADDR and the stores.
Program program(const ChipState& state);
/// Whether the program may use what only the R4xx has; its code is then in ChipState::us_code too.
inline bool extended(const ChipState& state) { return state.get<regs::r300::US_CODE_BANK>().R390_MODE_ENABLE() != 0; }
/// Temps of the frame: US_PIXSIZE; it has no bit for those above 32, which are there with R390_MODE_ENABLE (UNCONFIRMED).
uint32_t frame_size(const ChipState& state);
/// A constant as the bits of floats.
std::array<uint32_t, 4> constant(const ChipState& state, uint32_t i);

}  // namespace pumice::hw::us_r300
