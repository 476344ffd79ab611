// SPDX-License-Identifier: MIT
/// Moves out of a loop what is the same in each of its rounds.
#include <algorithm>

#include "hw/radeon/jit/lane/evaluate.h"

namespace pumice::hw::fast::lane {
namespace {

constexpr uint32_t kWorth = 3;   ///< operations that a value takes: a read of its slot is one instead
constexpr uint32_t kMost = 24;   ///< values: they are in slots, which should stay in the first-level cache
constexpr uint32_t kTotal = 96;  ///< operations, since a loop may end after one round that would not have needed them

/// Memory that a moving pointer leads to differs by round.
bool stays(const Program& program, uint8_t p) { return program.pointers[p].parent != kMoving; }

}  // namespace

void hoist(Program& program, Label loop) {
  std::vector<Node>& nodes = program.nodes;
  size_t begin = 0, end = 0;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (operation(nodes[i].op).signature.imm != Role::label || int32_t(nodes[i].imm) != loop.id) continue;
    (nodes[i].op == Op::label ? begin : end) = i;
  }
  if (begin >= end) return;
  // What does not change: nodes before the loop and, in it, those that depend on nothing else.
  std::vector<bool> same(end, false), moves(end, false);
  for (size_t i = begin + 1; i < end; ++i) {
    const Node& n = nodes[i];
    if (n.op != Op::mask_constant && n.op != Op::constant && n.op != Op::table && !is_elementwise(n.op) &&
        !((n.op == Op::splat || n.op == Op::lanes) && is_remade(n) && stays(program, n.p)))
      continue;
    bool all = true;
    for_operands(n, [&](int, int32_t v) { all &= size_t(v) < begin || same[size_t(v)]; });
    same[i] = all;
  }
  uint32_t values = 0, operations = 0;
  std::vector<int32_t> tree;
  const auto consider = [&](int32_t root) {
    if (size_t(root) <= begin || !same[size_t(root)] || moves[size_t(root)] || is_remade(nodes[size_t(root)]) ||
        type_of(nodes[size_t(root)].op) != Type::value)
      return;
    tree.assign(1, root);
    uint32_t more = 0;
    for (size_t t = 0; t < tree.size() && more <= kTotal; ++t) {
      const Node& n = nodes[size_t(tree[t])];
      more += !is_remade(n);
      for_operands(n, [&](int, int32_t v) {
        if (size_t(v) > begin && !moves[size_t(v)] && std::find(tree.begin(), tree.end(), v) == tree.end()) tree.push_back(v);
      });
    }
    if (more < kWorth || operations + more > kTotal || values == kMost) return;
    ++values, operations += more;
    for (const int32_t v : tree) moves[size_t(v)] = true;
  };
  for (size_t i = begin + 1; i < end; ++i)
    if (!same[i]) for_operands(nodes[i], [&](int, int32_t v) { consider(v); });
  if (!values) return;
  std::vector<int32_t> to(nodes.size());
  std::vector<Node> ordered;
  ordered.reserve(nodes.size());
  const auto put = [&](size_t i) {
    Node n = nodes[i];
    for_operands(n, [&](int, int32_t& v) { v = to[size_t(v)]; });
    to[i] = int32_t(ordered.size());
    ordered.push_back(n);
  };
  for (size_t i = 0; i < begin; ++i) put(i);
  for (size_t i = begin; i < end; ++i)
    if (moves[i]) put(i);
  for (size_t i = begin; i < nodes.size(); ++i)
    if (i >= end || !moves[i]) put(i);
  nodes = std::move(ordered);
}

}  // namespace pumice::hw::fast::lane
