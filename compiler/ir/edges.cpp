// SPDX-License-Identifier: MIT
/// Value-carrying edges and the sequencing of parallel copies, see edges.h.
#include "compiler/ir/edges.h"

#include <algorithm>

namespace pumice::compiler::ir {
namespace {

void walk(const NodeList& nodes, const Node* branch, const Node* loop, const std::function<void(const Edge&)>& visit) {
  for (const Node& node : nodes) {
    switch (node.kind) {
      case Node::Kind::block: break;
      case Node::Kind::branch:
        walk(node.then_list, &node, loop, visit);
        walk(node.else_list, &node, loop, visit);
        break;
      case Node::Kind::loop:
        if (!node.params.empty()) visit({Edge::Kind::enter_loop, node, node, node.params, node.args});
        walk(node.then_list, nullptr, &node, visit);
        break;
      case Node::Kind::jump:
        if (node.args.empty()) break;
        if (node.jump == Node::Jump::yield)
          visit({Edge::Kind::yield, node, *branch, branch->results, node.args});
        else if (node.jump == Node::Jump::break_)
          visit({Edge::Kind::break_, node, *loop, loop->results, node.args});
        else
          visit({Edge::Kind::continue_, node, *loop, loop->params, node.args});
        break;
    }
  }
}

bool is_identity(const Source& s, unsigned comps) {
  if (s.abs || s.negate) return false;
  for (unsigned i = 0; i < comps; ++i)
    if (s.swizzle[i] != i) return false;
  return true;
}

}  // namespace

void walk_edges(const Module& module, const std::function<void(const Edge&)>& visit) { walk(module.body, nullptr, nullptr, visit); }

Vec<Copy> order_copies(const Module& module, std::span<const ValueId> destinations, std::span<const Source> args, ValueId scratch_id,
                       const std::function<bool(ValueId, ValueId)>& same) {
  Vec<Copy> todo, done;
  for (size_t i = 0; i < destinations.size(); ++i)
    if (!same(destinations[i], args[i].value) || !is_identity(args[i], module.comps(destinations[i])))
      todo.push_back({destinations[i], args[i]});
  while (!todo.empty()) {
    // A copy is safe once no other pending copy reads its destination.
    auto safe = std::find_if(todo.begin(), todo.end(), [&](const Copy& c) {
      return std::none_of(todo.begin(), todo.end(),
                          [&](const Copy& o) { return &o != &c && o.source.value != scratch_id && same(o.source.value, c.destination); });
    });
    if (safe != todo.end()) {
      done.push_back(*safe);
      todo.erase(safe);
      continue;
    }
    // Only cycles are left: save what the first copy overwrites, and let its readers read the scratch.
    const ValueId saved = todo.front().destination;
    done.push_back({scratch_id, read(module, saved)});
    for (Copy& c : todo)
      if (&c != &todo.front() && c.source.value != scratch_id && same(c.source.value, saved)) c.source.value = scratch_id;
  }
  return done;
}

}  // namespace pumice::compiler::ir
