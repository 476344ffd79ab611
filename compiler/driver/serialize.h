// SPDX-License-Identifier: MIT
/// Programs as bytes, and the name of the program that compile() would make: what persistent caches need. The bytes come from disks and
/// applications, so reading them trusts nothing.
#pragma once
#include <optional>

#include "compiler/compiler.h"
#include "compiler/digest.h"

namespace pumice::compiler {

/// Raise it when the layout of the bytes changes or compile() makes other programs; it is part of every source_key().
inline constexpr uint32_t kCompilerVersion = 5;

/// Digests of the SPIR-V words, for callers that keep them; the words themselves are not looked at then.
struct CodeDigests {
  std::array<Digest, kStages> of{};  ///< by Stage; zero without that stage
};
CodeDigests code_digests(const PipelineSource& source);
/// A digest of everything compile() reads and kCompilerVersion. Names and want_log do not change the program and are not in it.
Digest source_key(const PipelineSource& source, const CodeDigests& code);
/// Everything of the same but the SPIR-V words, as bytes: equal bytes and equal words make the same program.
std::vector<uint8_t> source_bytes(const PipelineSource& source);
/// The same with the digests of the words instead of them, for recordings (docs/trace.md).
std::vector<uint8_t> write_source(const PipelineSource& source, const CodeDigests& code);
/// Without the words, whose digests are in `code` then. Nothing when the bytes are none of write_source() of this version and chip.
std::optional<PipelineSource> read_source(std::span<const uint8_t> bytes, const ChipLimits& chip, CodeDigests& code);

/// `chip`: the one that the program was compiled for.
std::vector<uint8_t> write_program(const Program& program, const ChipLimits& chip);
/// The program, or nothing when the bytes are no program that compile() could have made for the chip: every count, index and enumeration is
/// in its range, nothing is left over, and both microcodes pass the rule checkers of the back ends.
std::optional<Program> read_program(std::span<const uint8_t> bytes, const ChipLimits& chip);

}  // namespace pumice::compiler
