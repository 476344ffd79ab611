// SPDX-License-Identifier: MIT
/// See glsl.h.
#include "tests/compiler/glsl.h"

#include "compiler/tools/source.h"

namespace pumice::compiler::test {

std::vector<uint32_t> compile_glsl(Stage stage, const std::string& source, std::string& log) {
  constexpr const char* kStages[] = {"vert", "frag", "comp"};
  const std::string text =
      source.starts_with("#version") ? source : "#version 450\n#extension GL_EXT_samplerless_texture_functions : enable\n" + source;
  return tool::compile_glsl("glsl", text, kStages[size_t(stage)], log, tool::DebugInfo::none);
}

}  // namespace pumice::compiler::test
