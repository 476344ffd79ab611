// SPDX-License-Identifier: MIT
/// SPIR-V of one stage -> IR. What the chip cannot do becomes a Diagnostic that names the shader, the construct and the reason.
#pragma once
#include "compiler/compiler.h"
#include "compiler/ir/ir.h"

namespace pumice::compiler {

/// How SPIR-V becomes IR: read directly (fast, the normal way), or after SPIRV-Tools has validated, inlined and simplified it, which
/// saves some shaders that the direct way refuses. any: the direct way if that succeeds.
enum class Frontend : uint8_t { any, direct, legalized };

/// What the shader is translated for. Without a chip, and on chips without memory (ChipLimits::memory), resources are uniform blocks and
/// textures, and what such chips lack is refused; with one they are rows of Module::resources.
struct Target {
  const ChipLimits* chip = nullptr;
  std::span<const DescriptorLayout> resources;  ///< as in PipelineSource
};

/// The module is valid IR (ir::validate) but not in chip form: run_passes() (compiler/passes/passes.h) comes next.
/// Returns false with at least one diagnostic; never throws. The module is then empty, or the shader without what is refused, so that the
/// passes can say what they refuse, too.
bool build_ir(const ShaderSource& source, Stage stage, ir::Module& out, std::vector<Diagnostic>& diagnostics,
              Frontend frontend = Frontend::any, const Target& target = {});

}  // namespace pumice::compiler
