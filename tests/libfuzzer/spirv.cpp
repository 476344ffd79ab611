// SPDX-License-Identifier: MIT
/// Any words through the compiler: as a vertex shader alone, or as a fragment shader behind a plain vertex shader. First byte: which.
#include <cstring>

#include "compiler/compiler.h"
#include "tests/compiler/glsl.h"

using namespace pumice::compiler;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::vector<uint32_t> plain = [] {
    std::string log;
    return test::compile_glsl(Stage::vertex,
                              "layout(location=0) in vec4 p; layout(location=0) out vec4 v; void main() { v = p; gl_Position = p; }", log);
  }();
  if (size < 4) return 0;
  std::vector<uint32_t> words(size / 4);
  std::memcpy(words.data(), data, words.size() * 4);
  // The module's version word carries the choices, so that seeds are plain SPIR-V files.
  const bool fragment = words.size() > 1 && (words[1] & 1) == 0;
  if (words.size() > 1) words[1] &= ~1u;
  PipelineSource source;
  source.chip = &kR500;
  source.add(Stage::vertex).spirv = fragment ? std::span<const uint32_t>(plain) : words;
  if (fragment) source.add(Stage::fragment).spirv = words;
  const Result result = compile(source);
  if (!result.program && result.diagnostics.empty()) __builtin_trap();
  return 0;
}
