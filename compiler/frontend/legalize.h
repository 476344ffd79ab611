// SPDX-License-Identifier: MIT
/// Validates SPIR-V with SPIRV-Tools and converts it to the form the translator requires: one function, specialised, without dead code.
/// Tools and tests link SPIRV-Tools (legalize.cpp); the driver loads it when it is needed (legalize_loaded.cpp, legalizer.h).
#pragma once
#include "compiler/compiler.h"

namespace pumice::compiler::frontend {

/// Why nothing can be legalised here; empty if it can be.
std::string legalizer_missing();

/// On failure false and a text in `error`.
bool legalize(const ShaderSource& source, std::vector<uint32_t>& out, std::string& error);

}  // namespace pumice::compiler::frontend
