// SPDX-License-Identifier: MIT
/// Which constants of a fragment program that are loaded by index the loop counter aL can address.
#pragma once
#include <map>
#include <optional>

#include "compiler/ir/induction.h"

namespace pumice::compiler::passes {

struct LoopConstant {
  ir::Line line;
  bool guard = false;  ///< may run past the constants' end: what it reads there must not be used
};
/// By the load's result. Such a loop is known to end within the rounds of one hardware loop, all its loads have one step.
using LoopConstants = Map<ir::ValueId, LoopConstant>;
LoopConstants loop_constants(const ir::Module& module, const Vec<ir::Instruction>& definitions, const ChipLimits& chip);
/// Every access by index in this loop, also in loops inside, would be such a constant.
bool addressed_by_counter(const ir::Module& module, const ir::Node& loop, const Vec<ir::Instruction>& definitions, const ChipLimits& chip);

}  // namespace pumice::compiler::passes
