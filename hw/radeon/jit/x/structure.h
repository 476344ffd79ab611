// SPDX-License-Identifier: MIT
/// The constructs of an extended program's flow control.
#pragma once
#include <span>
#include <vector>

#include "hw/db/isa_us_r500.h"
#include "hw/radeon/jit/us/structure.h"

namespace pumice::hw::fast::extended {

/// By slot.
struct Structure : us::Structure {
  std::vector<bool> uniform;  ///< IF: all lanes that run it take the same path; XLOOP: all lanes break together
};

/// Sets `uniform`. `compute`: system values of the workgroup are the same for all lanes.
void find_uniform(std::span<const isa::us_r500::Instruction> code, uint32_t temps, bool compute, Structure& structure);

}  // namespace pumice::hw::fast::extended
