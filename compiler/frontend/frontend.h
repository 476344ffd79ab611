// SPDX-License-Identifier: MIT
/// SPIR-V of one stage -> IR. What the chip cannot do becomes a Diagnostic that names the shader, the construct and the reason.
#pragma once
#include "compiler/compiler.h"
#include "compiler/ir/ir.h"

namespace pumice::compiler {

/// The module is valid IR (ir::validate) but not in chip form: run_passes() (compiler/passes/passes.h) comes next.
/// Returns false with at least one diagnostic; never throws.
bool build_ir(const ShaderSource& source, Stage stage, ir::Module& out, std::vector<Diagnostic>& diagnostics);

}  // namespace pumice::compiler
