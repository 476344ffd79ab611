// SPDX-License-Identifier: MIT
/// The vertex engine with one program loaded.
#pragma once
#include "hw/radeon/draw/draw.h"
#include "tools/run/program.h"

namespace pumice::run {

/// Microcode, flow control and constants into the registers' state.
void load_vertex_program(hw::ChipState& state, const compiler::VertexProgram& program, const std::vector<Vec4>& constants);
/// The program's input registers of an invocation.
std::array<Vec4, hw::most::pvs_inputs> vertex_inputs(const compiler::VertexProgram& program, const std::array<Vec4, kLocations>& values,
                                                     uint32_t invocation);

}  // namespace pumice::run
