// SPDX-License-Identifier: MIT
/// The vertex engine with one program loaded.
#pragma once
#include "hw/radeon/draw/draw.h"
#include "tools/run/program.h"

namespace pumice::run {

/// Microcode, flow control and constants into the registers' state.
void load_vertex_program(hw::ChipState& state, const compiler::VertexProgram& program, const std::vector<Vec4>& constants);
/// Attributes of the vertices of a triangle by corner.
using Triangle = std::array<const std::array<Vec4, kLocations>*, 3>;
/// The program's input registers of an invocation. Only programs of slopes read corners behind the first.
std::array<Vec4, hw::most::pvs_inputs> vertex_inputs(const compiler::VertexProgram& program, const Triangle& values, uint32_t invocation);
inline auto vertex_inputs(const compiler::VertexProgram& program, const std::array<Vec4, kLocations>& values, uint32_t invocation) {
  return vertex_inputs(program, Triangle{&values, &values, &values}, invocation);
}

}  // namespace pumice::run
