// SPDX-License-Identifier: MIT
/// Removal of nodes without effect.
#include "hw/radeon/jit/lane/ir.h"

namespace pumice::hw::fast::lane {

void remove_dead(Program& program) {
  std::vector<Node>& nodes = program.nodes;
  std::vector<std::vector<int32_t>> writes(size_t(program.variables)), mask_writes(size_t(program.mask_variables));
  std::vector<int32_t> todo;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Node& n = nodes[i];
    if (n.op == Op::set)
      writes[n.imm].push_back(int32_t(i));
    else if (n.op == Op::mask_set)
      mask_writes[n.imm].push_back(int32_t(i));
    else if (operation(n.op).is(trait::effect))
      todo.push_back(int32_t(i));
  }
  std::vector<int32_t> to(nodes.size(), -1);           // first: 0 = live, then the new index
  const auto need = [&](std::vector<int32_t>& list) {  // a variable that is read needs its writes, once
    todo.insert(todo.end(), list.begin(), list.end());
    list.clear();
  };
  while (!todo.empty()) {
    const int32_t i = todo.back();
    todo.pop_back();
    if (to[size_t(i)] == 0) continue;
    to[size_t(i)] = 0;
    const Node& n = nodes[size_t(i)];
    for_operands(n, [&](int, int32_t v) { todo.push_back(v); });
    if (n.op == Op::get) need(writes[n.imm]);
    if (n.op == Op::mask_get) need(mask_writes[n.imm]);
  }
  size_t kept = 0;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (to[i] < 0) continue;
    Node n = nodes[i];
    for_operands(n, [&](int, int32_t& v) { v = to[size_t(v)]; });
    to[i] = int32_t(kept);
    nodes[kept++] = n;
  }
  nodes.resize(kept);
}

}  // namespace pumice::hw::fast::lane
