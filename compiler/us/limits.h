// SPDX-License-Identifier: MIT
/// Limits of the fragment unit, for the back ends of all of its generations.
#pragma once
#include <string>

#include "compiler/chip.h"
#include "compiler/isa/error.h"

namespace pumice::compiler::us {

/// Refuses programs that need more than the chip has.
struct Limits {
  const ChipLimits& chip;
  void operator()(const char* what, size_t needed, size_t available, const uint32_t* at = nullptr) const {
    if (needed > available)
      throw isa::Unsupported("needs " + std::to_string(needed) + " " + what + ", the " + std::string(chip.name) + " fragment unit has " +
                                 std::to_string(available),
                             at);
  }
};

}  // namespace pumice::compiler::us
