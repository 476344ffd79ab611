// SPDX-License-Identifier: MIT
/// How a back end gives up: thrown inside the compiler only, compile() turns it into a Diagnostic.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>

namespace pumice::compiler::isa {

/// The text says which construct or limit and what number is needed; compile() adds the shader's name, the line and the variable's name.
struct Unsupported : std::runtime_error {
  explicit Unsupported(const std::string& text, const uint32_t* place = nullptr) : std::runtime_error(text), at(place) {}
  const uint32_t* at;  ///< operands of the instruction or variable in ir::Module::words that it is about; null: the program as a whole
};

}  // namespace pumice::compiler::isa
