// SPDX-License-Identifier: MIT
/// A pipeline's program as recordings declare it (docs/trace.md, "Labels"): what compile() read but the words of the modules, which are
/// declared on their own, and what names the microcode it made.
#pragma once
#include "compiler/driver/serialize.h"

namespace pumice::compiler {

/// Names the microcode of a stage by its words.
struct CodeName {
  uint32_t slots = 0;  ///< US and PVS slots, ALU instructions of the R3xx; 0: no such stage
  uint32_t more = 0;   ///< literals, texture instructions of the R3xx
  Digest digest{};
  auto operator<=>(const CodeName&) const = default;
};
/// Slots come first.
CodeName code_name(uint32_t slots, uint32_t more, std::span<const uint32_t> words);
std::array<CodeName, kStages> code_names(const Program& program);

struct Declared {
  PipelineSource source;  ///< without words
  CodeDigests modules;
  std::array<CodeName, kStages> code;
};
std::vector<uint8_t> write_declared(const PipelineSource& source, const CodeDigests& modules, const std::array<CodeName, kStages>& code);
/// Nothing when the bytes are none of this version of the compiler.
std::optional<Declared> read_declared(std::span<const uint8_t> bytes);

}  // namespace pumice::compiler
