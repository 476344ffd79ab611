// SPDX-License-Identifier: MIT
/// Vertex programs as lane IR.
#pragma once
#include "hw/radeon/jit/lane/routine.h"
#include "hw/radeon/jit/pvs/program.h"

namespace pumice::hw::fast::vertex {

/// Input rows to output rows; args: Batch. Output rows that the program never writes stay unchanged: `written` gets a bit for each of the
/// others.
lane::Program translate(const PvsCode& code, uint64_t& written);

}  // namespace pumice::hw::fast::vertex
