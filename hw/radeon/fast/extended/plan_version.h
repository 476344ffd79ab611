// SPDX-License-Identifier: MIT
/// Versions of the state that draws share (plan.h): numbers, none of which is given twice to different content.
#pragma once
#include <cstdint>

namespace pumice::hw::fast::extended {

/// Equal numbers, equal content; 0: nothing is known.
struct PlanVersion {
  uint64_t state = 0;     ///< programs, and all registers except those of Changes::kConstants and kVertexConstants
  uint64_t fragment = 0;  ///< descriptor sets and push constants that the fragment program uses, booleans, and data read from memory
  uint64_t vertex = 0;    ///< the same of the vertex program
  uint64_t buffers = 0;   ///< the vertex buffers that the vertex program reads
  bool operator==(const PlanVersion&) const = default;
};

}  // namespace pumice::hw::fast::extended
