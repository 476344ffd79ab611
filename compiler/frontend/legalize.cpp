// SPDX-License-Identifier: MIT
/// SPIRV-Tools pipeline, see legalize.h. Loops are not unrolled here: the IR pass does that where it pays or must.
#include "compiler/frontend/legalize.h"

#include <cstring>
#include <spirv-tools/libspirv.hpp>
#include <spirv-tools/optimizer.hpp>
#include <unordered_map>

#include "compiler/lines.h"

namespace pumice::compiler::frontend {
namespace {

/// Bits of the specialisation constants in the optimizer's format: whole words.
std::unordered_map<uint32_t, std::vector<uint32_t>> specialization_words(const std::vector<Specialization>& constants) {
  std::unordered_map<uint32_t, std::vector<uint32_t>> map;
  for (const Specialization& s : constants) {
    std::vector<uint32_t> words((s.bytes.size() + 3) / 4);
    std::memcpy(words.data(), s.bytes.data(), s.bytes.size());
    map[s.constant_id] = words;
  }
  return map;
}

void register_passes(spvtools::Optimizer& o, const ShaderSource& source) {
  o.RegisterPass(spvtools::CreateStripNonSemanticInfoPass());
  // Frozen first, so that branches on them disappear.
  if (!source.specializations.empty())
    o.RegisterPass(spvtools::CreateSetSpecConstantDefaultValuePass(specialization_words(source.specializations)));
  o.RegisterPass(spvtools::CreateFreezeSpecConstantValuePass())
      .RegisterPass(spvtools::CreateFoldSpecConstantOpAndCompositePass())
      .RegisterPass(spvtools::CreateEliminateDeadFunctionsPass())
      .RegisterPass(spvtools::CreateDeadBranchElimPass())  // MergeReturn refuses unreachable blocks
      .RegisterPass(spvtools::CreateMergeReturnPass())
      .RegisterPass(spvtools::CreateInlineExhaustivePass())
      .RegisterPass(spvtools::CreateEliminateDeadFunctionsPass())
      .RegisterPass(spvtools::CreatePrivateToLocalPass())
      .RegisterPass(spvtools::CreateDeadBranchElimPass())
      .RegisterPass(spvtools::CreateScalarReplacementPass(0))
      .RegisterPass(spvtools::CreateLocalAccessChainConvertPass())
      .RegisterPass(spvtools::CreateLocalSingleBlockLoadStoreElimPass())
      .RegisterPass(spvtools::CreateLocalSingleStoreElimPass())
      .RegisterPass(spvtools::CreateAggressiveDCEPass())
      .RegisterPass(spvtools::CreateSSARewritePass())
      .RegisterPass(spvtools::CreateCCPPass())
      .RegisterPass(spvtools::CreateDeadBranchElimPass())
      .RegisterPass(spvtools::CreateSimplificationPass())
      .RegisterPass(spvtools::CreateCopyPropagateArraysPass())
      .RegisterPass(spvtools::CreateAggressiveDCEPass())
      .RegisterPass(spvtools::CreateRedundancyEliminationPass())
      .RegisterPass(spvtools::CreateCFGCleanupPass())
      .RegisterPass(spvtools::CreateAggressiveDCEPass());
}

}  // namespace

std::string legalizer_missing() { return {}; }

bool legalize(const ShaderSource& source, std::vector<uint32_t>& out, std::string& error) {
  // Structure is validated, Vulkan's own rules for modules are not: breaking them is the application's (undefined) business and a
  // validation layer's to report, and applications exist that do and draw well elsewhere (OriginLowerLeft in early CTS shaders).
  const spv_target_env environment = SPV_ENV_UNIVERSAL_1_6;
  // The position counts instructions, from 1.
  auto message = [&](spv_message_level_t level, const char*, const spv_position_t& position, const char* text) {
    if (level <= SPV_MSG_ERROR && error.empty()) error = "instruction " + std::to_string(position.index) + ": " + text;
  };
  spvtools::SpirvTools tools(environment);
  tools.SetMessageConsumer(message);
  spvtools::ValidatorOptions validation;
  validation.SetScalarBlockLayout(true);
  if (!tools.Validate(source.spirv.data(), source.spirv.size(), validation)) {
    error = "the SPIR-V is not valid: " + error;
    return false;
  }
  spvtools::Optimizer optimizer(environment);
  optimizer.SetMessageConsumer(message);
  // Diagnostics of what comes out name source lines, which must survive the stripping.
  const std::vector<uint32_t> lines = with_op_lines(source.spirv);
  const std::span<const uint32_t> words = lines.empty() ? source.spirv : lines;
  register_passes(optimizer, source);
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  if (!optimizer.Run(words.data(), words.size(), &out, options)) {
    error = "SPIRV-Tools could not legalise the shader: " + error;
    return false;
  }
  return true;
}

}  // namespace pumice::compiler::frontend
