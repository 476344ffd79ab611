// SPDX-License-Identifier: MIT
/// Programs for people and for programs.
#pragma once
#include <string>
#include <vector>

#include "compiler/compiler.h"

namespace pumice::compiler::tool {

struct PrintOptions {
  bool vertex = true, fragment = true;  ///< the stages that were given
  bool words = false;                   ///< the microcode as hexadecimal words too
};

/// Inputs, constants, varyings, annotated microcode and statistics, on standard output.
void print_text(const Program& program, const PrintOptions& options);

/// One line of a refusal: "FILE:LINE:COLUMN: text".
std::string text_of(const Diagnostic& diagnostic);

/// One JSON object on standard output: "compiled", "diagnostics", and "vertex" and "fragment" when there is a program. Microcode is always
/// there as words.
void print_json(const Program* program, const std::vector<Diagnostic>& diagnostics, const PrintOptions& options);

}  // namespace pumice::compiler::tool
