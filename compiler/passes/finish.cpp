// SPDX-License-Identifier: MIT
/// Final cleanup: unused outputs are dropped, output stores move to the end, unused table rows are removed.
#include <algorithm>

#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {

/// The table whose row an instruction names.
enum Table : unsigned { kInputs, kOutputs, kUniforms, kTemps, kTextures, kTables };
unsigned table_of(const Instruction& in) {
  switch (in.op) {
    case Op::interpolate:
    case Op::load_input: return kInputs;
    case Op::store_output: return kOutputs;
    case Op::load_uniform: return kUniforms;
    case Op::load_temp:
    case Op::store_temp: return kTemps;
    case Op::tex: return kTextures;
    case Op::load_param: return in.parameter == ConstantRange::Parameter::texture_size ? kTextures : kTables;
    default: return kTables;
  }
}

/// Removes rows that no instruction names. `used`: by row, becomes its new place.
template <class Row>
bool compact(Vec<Row>& rows, Vec<uint32_t>& used) {
  uint32_t kept = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!used[i]) continue;
    used[i] = kept;
    if (kept != i) rows[kept] = std::move(rows[i]);
    ++kept;
  }
  const bool changed = kept != rows.size();
  rows.resize(kept);
  return changed;
}

bool compact(Module& m) {
  std::array<Vec<uint32_t>, kTables> used{Vec<uint32_t>(m.inputs.size()), Vec<uint32_t>(m.outputs.size()), Vec<uint32_t>(m.uniforms.size()),
                                          Vec<uint32_t>(m.temps.size()), Vec<uint32_t>(m.textures.size())};
  any_instruction(m.body, [&](const Instruction& in) {
    if (const unsigned table = table_of(in); table != kTables) used[table][in.index] = 1;
    return false;
  });
  const bool inputs = compact(m.inputs, used[kInputs]), outputs = compact(m.outputs, used[kOutputs]),
             uniforms = compact(m.uniforms, used[kUniforms]), temps = compact(m.temps, used[kTemps]),
             textures = compact(m.textures, used[kTextures]);
  if (!inputs && !outputs && !uniforms && !temps && !textures) return false;
  const auto instruction = [&](Instruction& in) {
    if (const unsigned table = table_of(in); table != kTables) in.index = used[table][in.index];
  };
  const Walker<decltype(instruction)> renumber{.instruction = instruction};
  renumber.walk(m.body);
  return true;
}

}  // namespace

bool finish(Context& c) {
  Module& m = c.module;
  bool changed = false;
  if (m.stage == Stage::fragment) {
    for (Node& node : m.body) {
      const size_t before = node.instructions.size();
      erase_if(node.instructions, [&](const Instruction& in) {
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
    const auto stores_output = [](const Instruction& in) { return in.op == Op::store_output; };
    for (const Instruction& in : list)
      if (stores_output(in)) stores.instructions.push_back(in);
    erase_if(list, stores_output);
  }
  if (!stores.instructions.empty()) {
    if (m.body.back().kind == Node::Kind::block) {
      auto& last = m.body.back().instructions;
      last.insert(last.end(), stores.instructions.begin(), stores.instructions.end());
    } else {
      m.body.push_back(std::move(stores));
    }
  }
  changed |= compact(m);
  return changed;
}

}  // namespace pumice::compiler::passes
