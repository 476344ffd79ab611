// SPDX-License-Identifier: MIT
/// Versions of the state that successive draws share (plan.h): numbers that grow with each change.
#pragma once
#include <cstdint>

namespace pumice::hw::fast::extended {

/// Equal numbers, equal content; 0: nothing is known.
struct PlanVersion {
  uint64_t state = 0;     ///< programs, and all registers except those of Changes::kConstants and kVertexConstants
  uint64_t bindings = 0;  ///< all except Changes::kVertexConstants, and data read from memory
};

}  // namespace pumice::hw::fast::extended
