// SPDX-License-Identifier: MIT
/// GLSL -> SPIR-V for tests, by glslang as a library.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/compiler.h"

namespace pumice::compiler::test {

/// Empty on failure; `log` says why. `source` without a #version line gets "#version 450".
std::vector<uint32_t> compile_glsl(Stage stage, const std::string& source, std::string& log);

}  // namespace pumice::compiler::test
