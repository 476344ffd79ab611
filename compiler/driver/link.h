// SPDX-License-Identifier: MIT
/// Links the two stages: which VAP texcoord set carries which varying (pvs-isa 11, pipeline 5). Only varyings that the fragment program
/// reads are passed on; unwritten varyings read zero.
#pragma once
#include "compiler/pvs/select.h"
#include "compiler/us/compile.h"

namespace pumice::compiler {

struct Linked {
  std::vector<pvs::OutputTarget> outputs;  ///< for the vertex back end
  std::vector<Varying> varyings;
  bool writes_point_size = false;
};

/// `module`: of the fragment program. Throws isa::Unsupported when more sets are needed than the chip has.
Linked link(const us::Compiled& fragment, const ir::Module& module, bool point_topology, const ChipLimits& chip);

}  // namespace pumice::compiler
