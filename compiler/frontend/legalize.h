// SPDX-License-Identifier: MIT
/// Validates SPIR-V with SPIRV-Tools and brings it into the form the translator wants: one function, specialised, without dead code.
#pragma once
#include "compiler/compiler.h"

namespace pumice::compiler::frontend {

/// On failure false and a text in `error`.
bool legalize(const ShaderSource& source, std::vector<uint32_t>& out, std::string& error);

}  // namespace pumice::compiler::frontend
