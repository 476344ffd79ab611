// SPDX-License-Identifier: MIT
/// The constructs of an extended program's flow control.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "hw/db/isa_us_r500.h"

namespace pumice::hw::fast::extended {

/// By slot.
struct Structure {
  std::vector<uint32_t> partner;        ///< IF: its ELSE or ENDIF; ELSE: its ENDIF; XLOOP: its XENDLOOP
  std::vector<bool> has_else;           ///< of IF
  std::vector<bool> leaves;             ///< IF: a break or continue inside leaves a loop around it
  std::vector<bool> breaks, continues;  ///< of XLOOP
  std::vector<bool> uniform;            ///< IF: all lanes that run it take the same path; XLOOP: all lanes break together
};

/// Sets `uniform`. `compute`: system values of the workgroup are the same for all lanes.
void find_uniform(std::span<const isa::us_r500::Instruction> code, uint32_t temps, bool compute, Structure& structure);

}  // namespace pumice::hw::fast::extended
