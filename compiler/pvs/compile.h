// SPDX-License-Identifier: MIT
/// The vertex back end: IR in chip form -> PVS microcode.
#pragma once
#include "compiler/ir/ir.h"
#include "compiler/pvs/select.h"

namespace pumice::compiler::pvs {

/// Throws isa::Unsupported. `outputs` comes from the linker; registers count up from 0 without gaps. `lines` receives the source lines of
/// each slot. `checked`: of the microcode (PipelineSource::check).
VertexProgram compile(const ir::Module& module, const std::vector<OutputTarget>& outputs, std::string* log, const ChipLimits& chip,
                      std::vector<std::string>* lines = nullptr, bool checked = true);

}  // namespace pumice::compiler::pvs
