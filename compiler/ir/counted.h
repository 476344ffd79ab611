// SPDX-License-Identifier: MIT
/// Recognises the loops of vertex programs in chip form.
#pragma once
#include <optional>

#include "compiler/ir/ir.h"

namespace pumice::compiler::ir {

/// The chip form of a loop in a vertex program: its first parameter counts 0, 1, 2.. and the first thing after straight code is an `if` on
/// slt(counter, literal) with an empty then arm and a break as the else arm; nothing else leaves, one continue ends the body.
/// Gives the literal: how often what follows the test runs.
std::optional<unsigned> counted_rounds(const ir::Module& module, const ir::Node& loop, const ChipLimits& chip);

}  // namespace pumice::compiler::ir
