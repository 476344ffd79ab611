// SPDX-License-Identifier: MIT
/// How often a loop can run, as far as the hardware's 8-bit loop counter is concerned.
#pragma once
#include "compiler/ir/ir.h"

namespace pumice::compiler::us {

/// True if the loop provably breaks within `limit` rounds: some loop variable starts at a literal, moves by a literal on every
/// continue edge, and a top-level `if` on a comparison of it with a literal breaks (before any continue).
bool ends_within(const ir::Module& module, const ir::Node& loop, unsigned limit);

}  // namespace pumice::compiler::us
