// SPDX-License-Identifier: MIT
/// What draws that follow each other have in common (plan.h): numbers that grow where something changed.
#pragma once
#include <cstdint>

namespace pumice::hw::fast::extended {

/// Equal numbers, equal content; 0: nothing is known.
struct PlanVersion {
  uint64_t state = 0;     ///< programs, and all registers but those of Changes::kConstants and kVertexConstants
  uint64_t bindings = 0;  ///< all but Changes::kVertexConstants, and what was read from memory
};

}  // namespace pumice::hw::fast::extended
