// SPDX-License-Identifier: MIT
/// Where in the source text an instruction comes from: OpLine, or DebugLine of NonSemantic.Shader.DebugInfo.100.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pumice::compiler {

struct SourceLine {
  std::string file;
  uint32_t line = 0, column = 0;  ///< from 1; 0: not known
};

/// The line of the instruction that has the word `at` (an index into `words`), if the module says. Compilers give variables and functions
/// none: a variable then has the line of its debug information, else of its first use, a function the first inside.
std::optional<SourceLine> line_of(std::span<const uint32_t> words, size_t at);

/// The same for the instruction that has its operands at `operands`, a place in `words` (null and others: none).
std::optional<SourceLine> line_at(std::span<const uint32_t> words, const uint32_t* operands);

/// The OpName of the variable that has its operands at `operands`, "" if it has none or is no variable.
std::string variable_at(std::span<const uint32_t> words, const uint32_t* operands);

/// The same module with OpLine for each DebugLine and without all other non-semantic instructions: SPIRV-Tools' own stripping forgets the
/// lines and leaves scopes on which its dead code elimination crashes. Empty when there is nothing to do.
std::vector<uint32_t> with_op_lines(std::span<const uint32_t> words);

}  // namespace pumice::compiler
