// SPDX-License-Identifier: MIT
/// See glsl.h.
#include "tests/compiler/glsl.h"

#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>

namespace pumice::compiler::test {
namespace {
struct Process {
  Process() { glslang::InitializeProcess(); }
  ~Process() { glslang::FinalizeProcess(); }
};
}  // namespace

std::vector<uint32_t> compile_glsl(Stage stage, const std::string& source, std::string& log) {
  static const Process process;
  constexpr EShLanguage kLanguages[] = {EShLangVertex, EShLangFragment, EShLangCompute};
  const EShLanguage language = kLanguages[size_t(stage)];
  const std::string text =
      source.starts_with("#version") ? source : "#version 450\n#extension GL_EXT_samplerless_texture_functions : enable\n" + source;
  const char* strings[] = {text.c_str()};
  glslang::TShader shader(language);
  shader.setStrings(strings, 1);
  shader.setEnvInput(glslang::EShSourceGlsl, language, glslang::EShClientVulkan, 100);
  shader.setEnvClient(glslang::EShClientVulkan, glslang::EShTargetVulkan_1_0);
  shader.setEnvTarget(glslang::EShTargetSpv, glslang::EShTargetSpv_1_0);
  const auto messages = EShMessages(EShMsgSpvRules | EShMsgVulkanRules);
  if (!shader.parse(GetDefaultResources(), 450, false, messages)) {
    log = shader.getInfoLog();
    return {};
  }
  glslang::TProgram program;
  program.addShader(&shader);
  if (!program.link(messages)) {
    log = program.getInfoLog();
    return {};
  }
  std::vector<uint32_t> words;
  glslang::GlslangToSpv(*program.getIntermediate(language), words);
  return words;
}

}  // namespace pumice::compiler::test
