// SPDX-License-Identifier: MIT
/// The edges of the structured control flow that carry values, for back ends that leave SSA: walk_edges() visits every jump
/// with the values it must copy, order_copies() turns a parallel copy into a sequence.
#pragma once
#include <functional>

#include "compiler/ir/ir.h"

namespace pumice::compiler::ir {

/// One edge: destinations[i] = args[i], all at once. `from` is the jump (or the loop for the edge that enters it), `to` the
/// if or loop whose results or params are set.
struct Edge {
  enum class Kind : uint8_t { yield, break_, continue_, enter_loop };
  Kind kind;
  const Node& from;
  const Node& to;
  std::span<const ValueId> destinations;
  std::span<const Source> args;
};
/// Visits edges in program order; edges without values (also the implicit ones) are skipped.
void walk_edges(const Module& module, const std::function<void(const Edge&)>& visit);

/// A copy of one whole value. If scratch is used (destination or source.value == scratch_id) the copy goes through a temporary
/// of the back end: it breaks a cycle.
struct Copy {
  ValueId destination = 0;
  Source source;
};
/// Sequence with the effect of the parallel copy. `same(a, b)` says whether two values share storage (after register allocation
/// or coalescing; plain equality otherwise). Copies of a value to itself without change are dropped. scratch_id names the temporary;
/// one is enough because it is free again before the next cycle is broken.
Vec<Copy> order_copies(const Module& module, std::span<const ValueId> destinations, std::span<const Source> args, ValueId scratch_id,
                       const std::function<bool(ValueId, ValueId)>& same);

}  // namespace pumice::compiler::ir
