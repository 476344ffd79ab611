// SPDX-License-Identifier: MIT
/// GLSL through glslang, for pumice-compile (source.h) and the tests (tests/compiler/glsl.h).
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>

#include <iterator>

#include "compiler/tools/source.h"

namespace pumice::compiler::tool {
namespace {

struct Process {
  Process() { glslang::InitializeProcess(); }
  ~Process() { glslang::FinalizeProcess(); }
};

struct Language {
  const char* name;
  EShLanguage language;
};
constexpr Language kLanguages[] = {{"vert", EShLangVertex},      {"frag", EShLangFragment}, {"comp", EShLangCompute},
                                   {"tesc", EShLangTessControl}, {"geom", EShLangGeometry}, {"tese", EShLangTessEvaluation}};

const Language* find(const std::string& stage) {
  for (const Language& l : kLanguages)
    if (stage == l.name) return &l;
  return nullptr;
}

}  // namespace

bool known_stage(const std::string& stage) { return find(stage) != nullptr; }

std::vector<uint32_t> compile_glsl(const std::string& file, const std::string& text, const std::string& stage, std::string& error,
                                   DebugInfo debug) {
  static const Process process;
  const EShLanguage language = find(stage)->language;
  const char* strings[] = {text.c_str()};
  const char* names[] = {file.c_str()};
  const int lengths[] = {static_cast<int>(text.size())};
  glslang::TShader shader(language);
  shader.setStringsWithLengthsAndNames(strings, lengths, names, 1);
  shader.setEnvInput(glslang::EShSourceGlsl, language, glslang::EShClientVulkan, 100);
  shader.setEnvClient(glslang::EShClientVulkan, glslang::EShTargetVulkan_1_0);
  shader.setEnvTarget(glslang::EShTargetSpv, glslang::EShTargetSpv_1_0);
  const bool lines = debug == DebugInfo::lines;
  const auto messages = EShMessages(EShMsgSpvRules | EShMsgVulkanRules | (lines ? EShMsgDebugInfo : EShMsgDefault));
  glslang::TProgram program;
  program.addShader(&shader);
  if (!shader.parse(GetDefaultResources(), 450, false, messages) || !program.link(messages)) {
    error = std::string(shader.getInfoLog()) + program.getInfoLog();
    while (!error.empty() && error.back() == '\n') error.pop_back();
    if (error.empty()) error = file + ": glslang refuses it without a reason";
    return {};
  }
  glslang::TIntermediate* intermediate = program.getIntermediate(language);
  if (lines) {
    intermediate->setSourceFile(file.c_str());
    intermediate->addSourceText(text.c_str(), text.size());
  }
  glslang::SpvOptions options;
  options.generateDebugInfo = lines;
  options.disableOptimizer = true;
  std::vector<uint32_t> words;
  glslang::GlslangToSpv(*intermediate, words, &options);
  return words;
}

}  // namespace pumice::compiler::tool
