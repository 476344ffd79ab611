// SPDX-License-Identifier: MIT
/// How often a loop can run at most, by running its scalar variables with intervals. Of strict chips only, whose integers are floats by then
/// (lower_integers runs first): chips with integers need no bound of a loop.
#pragma once
#include <optional>

#include "compiler/ir/ir.h"

namespace pumice::compiler::passes {

struct TripCount {
  unsigned rounds = 0;  ///< the last of these rounds leaves the loop, if none did before
  bool exact = false;   ///< every round before the last goes on, whatever the data
  bool within = false;  ///< no index runs past what a dynamically indexed constant may have
};

/// Nullopt: no bound can be proven, or it is larger than `limit`. A variable that starts at a literal and moves by known amounts is
/// followed; a test with a sure result, or an index beyond what a dynamically indexed constant may have (undefined in the source
/// language), ends the loop. `definitions`: passes::definitions(module).
std::optional<TripCount> trip_count(const ir::Module& module, const ir::Node& loop, const Vec<ir::Instruction>& definitions,
                                    unsigned limit);

}  // namespace pumice::compiler::passes
