// SPDX-License-Identifier: MIT
/// Last touches: outputs nobody takes are dropped, stores come last, table rows without use go.
#include <algorithm>

#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {

/// Removes rows that `used` does not mention and renumbers the instructions that name rows.
template <class Row>
bool compact(std::vector<Row>& rows, const std::vector<bool>& used, Module& m, bool (*names)(const Instruction&)) {
  std::vector<uint32_t> moved(rows.size());
  std::vector<Row> kept;
  for (size_t i = 0; i < rows.size(); ++i) {
    moved[i] = uint32_t(kept.size());
    if (used[i]) kept.push_back(std::move(rows[i]));
  }
  const bool changed = kept.size() != rows.size();
  rows = std::move(kept);
  const Walker w{.instruction = [&](Instruction& in) {
    if (names(in)) in.index = moved[in.index];
  }};
  if (changed) w.walk(m.body);
  return changed;
}

template <class Row>
bool compact(std::vector<Row>& rows, Module& m, bool (*names)(const Instruction&)) {
  std::vector<bool> used(rows.size());
  any_instruction(m.body, [&](const Instruction& in) {
    if (names(in)) used[in.index] = true;
    return false;
  });
  return compact(rows, used, m, names);
}

}  // namespace

bool finish(Context& c) {
  Module& m = c.module;
  bool changed = false;
  if (m.stage == Stage::fragment) {
    for (Node& node : m.body) {
      const size_t before = node.instructions.size();
      std::erase_if(node.instructions, [&](const Instruction& in) {
        if (in.op != Op::store_output) return false;
        const Output& o = m.outputs[in.index];
        return o.builtin == Builtin::none && (o.location >= 32 || !(c.options.color_attachments >> o.location & 1));
      });
      changed |= node.instructions.size() != before;
    }
  }
  // Stores last: they are in the outermost list (the frontend puts them there).
  Node stores;
  for (Node& node : m.body) {
    auto& list = node.instructions;
    const auto first = std::stable_partition(list.begin(), list.end(), [](const Instruction& in) { return in.op != Op::store_output; });
    stores.instructions.insert(stores.instructions.end(), first, list.end());
    list.erase(first, list.end());
  }
  if (!stores.instructions.empty()) {
    if (m.body.back().kind == Node::Kind::block) {
      auto& last = m.body.back().instructions;
      last.insert(last.end(), stores.instructions.begin(), stores.instructions.end());
    } else {
      m.body.push_back(std::move(stores));
    }
  }
  changed |= compact(m.inputs, m, [](const Instruction& in) { return in.op == Op::load_input; });
  changed |= compact(m.outputs, m, [](const Instruction& in) { return in.op == Op::store_output; });
  changed |= compact(m.uniforms, m, [](const Instruction& in) { return in.op == Op::load_uniform; });
  changed |= compact(m.temps, m, [](const Instruction& in) { return in.op == Op::load_temp || in.op == Op::store_temp; });
  changed |= compact(m.textures, m, [](const Instruction& in) {
    return in.op == Op::tex || (in.op == Op::load_param && in.parameter == ConstantRange::Parameter::texture_size);
  });
  return changed;
}

}  // namespace pumice::compiler::passes
