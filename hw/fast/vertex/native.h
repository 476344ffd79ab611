// SPDX-License-Identifier: MIT
/// Vertex programs as lane IR.
#pragma once
#include <memory>

#include "hw/fast/lane/routine.h"
#include "hw/fast/vertex/batch.h"

namespace pumice::hw::fast::vertex {

/// A routine with the effect of Routines::run; args: Batch. Output rows that the program never writes are left alone: `written` gets a bit
/// for each of the others. False: the program needs what only the interpreter has (registers addressed by A0, powers, more than a few
/// thousand steps).
bool build_native(const PvsCode& code, lane::Program& program, uint64_t& written);

}  // namespace pumice::hw::fast::vertex
