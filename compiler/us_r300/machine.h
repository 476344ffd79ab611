// SPDX-License-Identifier: MIT
/// A fragment program of the R3xx as words (us-isa, Part B; hw/db/isa/us_r300.xml, us_r300_tex.xml): text and rules. Instructions have the
/// form of the R5xx's (hw/db/us_r300_form.h) until they become words.
#pragma once
#include <string>
#include <vector>

#include "compiler/compiler.h"

namespace pumice::compiler::us_r300 {

/// Levels in the order of execution, as US_CONFIG and US_CODE_ADDR have them.
struct Level {
  uint32_t tex = 0, tex_count = 0, alu = 0, alu_count = 0;  ///< first instruction and how many
  bool color = false, depth = false;                        ///< what it may write
};
std::vector<Level> levels_of(const FragmentLevels& program);
/// The registers that say so.
void set_levels(FragmentLevels& program, const std::vector<Level>& levels);

/// The whole program, one instruction a line, in the order of execution.
std::string disassemble(const FragmentLevels& program);

/// Everything the documents forbid (us-isa B1..B4), one message each; empty: the program obeys.
struct CheckInput {
  const FragmentLevels& program;
  unsigned frame_size = 0;  ///< temps the driver will grant (US_PIXSIZE + 1)
  const ChipLimits* chip = nullptr;
};
std::vector<std::string> check(const CheckInput& input);

}  // namespace pumice::compiler::us_r300
