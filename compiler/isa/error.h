// SPDX-License-Identifier: MIT
/// How a back end gives up: thrown inside the compiler only, compile() turns it into a Diagnostic.
#pragma once
#include <stdexcept>

namespace pumice::compiler::isa {

/// The text says which construct or limit and what number is needed; compile() adds the shader's name.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace pumice::compiler::isa
