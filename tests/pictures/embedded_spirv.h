// SPDX-License-Identifier: MIT
/// Finds SPIR-V modules inside a binary: the magic word, then instructions until one does not fit the module grammar.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace embedded_spirv {

struct Module {
  uint32_t execution_model = ~0u;  ///< of the first entry point: 0 vertex, 4 fragment
  std::vector<uint32_t> words;
};

std::vector<Module> find_modules(std::span<const char> bytes);

}  // namespace embedded_spirv
