// SPDX-License-Identifier: MIT
/// Programs for people and for programs.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "compiler/compiler.h"
#include "compiler/tools/names.h"

namespace pumice::compiler::tool {

struct PrintOptions {
  bool vertex = true, fragment = true;  ///< the stages that were given
  bool words = false;                   ///< the microcode as hexadecimal words too
  bool glsl = false;                    ///< SPIRV-Cross's GLSL beside the microcode
  std::array<Names, kStages> names;     ///< empty without SPIRV-Cross
  const Names& of(Stage stage) const { return names[size_t(stage)]; }
};

/// Inputs, constants, varyings, annotated microcode and statistics, on standard output.
void print_text(const Program& program, const PrintOptions& options);

/// One line of a refusal: "FILE:LINE:COLUMN: text".
std::string text_of(const Diagnostic& diagnostic);

/// One JSON object on standard output: "compiled", "diagnostics", and "vertex" and "fragment" when there is a program. Microcode is always
/// there as words.
void print_json(const Program* program, const std::vector<Diagnostic>& diagnostics, const PrintOptions& options);

}  // namespace pumice::compiler::tool
