// SPDX-License-Identifier: MIT
/// Indexable temporaries. Neither shader unit can address a temporary by data (us-isa part C; PVS has A0 for constants only), so
///   constant_arrays  an array that only ever holds one set of constants becomes an immediate uniform block,
///   lower_arrays     any other dynamic access becomes a ladder of selects over static ones, which promote_temps then removes.
#include <map>

#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {
constexpr uint32_t kMaxLadder = 64;
}

bool constant_arrays(Context& c) {
  Module& m = c.module;
  if (m.temps.empty() || !any_instruction(m.body, [](const Instruction& in) { return in.op == Op::load_temp && in.source_count > 0; }))
    return false;
  const Definitions defs(m);
  struct Table {
    bool constant = true, dynamic_load = false;
    Vec<std::optional<std::array<float, 4>>> elements;
  };
  Vec<Table> tables(m.temps.size());
  for (size_t t = 0; t < tables.size(); ++t) tables[t].elements.resize(m.temps[t].elements);
  any_instruction(m.body, [&](const Instruction& in) {
    if (in.op == Op::load_temp) tables[in.index].dynamic_load |= in.source_count > 0;
    if (in.op != Op::store_temp) return false;
    Table& t = tables[in.index];
    const unsigned comps = m.temps[in.index].comps;
    const auto value = constant_of(defs, in.source[0], comps);
    const bool whole = in.mask == (1u << comps) - 1;
    if (in.source_count > 1 || !value || !whole) return t.constant = false, false;
    auto& element = t.elements[in.offset];
    if (element && *element != *value) t.constant = false;
    element = value;
    return false;
  });
  Map<uint32_t, uint32_t> blocks;
  for (uint32_t t = 0; t < tables.size(); ++t) {
    if (!tables[t].constant || !tables[t].dynamic_load || m.temps[t].type == Type::boolean) continue;
    UniformBlock block;
    for (const auto& element : tables[t].elements)
      for (unsigned i = 0; i < 4; ++i) block.immediate.push_back(element ? (*element)[i] : 0.0f);
    block.size = uint32_t(block.immediate.size() * 4);
    blocks[t] = uint32_t(m.uniforms.size());
    m.uniforms.push_back(std::move(block));
  }
  if (blocks.empty()) return false;
  return replace_instructions(m, [&](const Instruction& in, Builder& b) -> std::optional<Operand> {
    if ((in.op != Op::load_temp && in.op != Op::store_temp) || !blocks.count(in.index)) return std::nullopt;
    if (in.op == Op::store_temp) return Operand{};
    Instruction load = in;
    load.op = Op::load_uniform;
    load.index = blocks[in.index];
    load.result = 0;
    const Temp& temp = m.temps[in.index];
    return b.append(load, m.floats_only ? Type::f32 : temp.type, 4).lanes(0, temp.comps);
  });
}

bool lower_arrays(Context& c) {
  Module& m = c.module;
  if (m.temps.empty() || !any_instruction(m.body, [](const Instruction& in) {
        return (in.op == Op::load_temp && in.source_count > 0) || (in.op == Op::store_temp && in.source_count > 1);
      }))
    return false;
  bool refused = false;
  return replace_instructions(m, [&](const Instruction& in, Builder& b) -> std::optional<Operand> {
    const bool store = in.op == Op::store_temp;
    if ((in.op != Op::load_temp && !store) || in.source_count <= (store ? 1 : 0)) return std::nullopt;
    if (in.max_index >= kMaxLadder && !refused) {
      c.refuse(
          "an array of " + std::to_string(in.max_index + 1) +
          " elements indexed at run time: temporaries cannot be addressed by data on this chip, and a ladder of selects is limited to " +
          std::to_string(kMaxLadder) + " elements");
      refused = true;
    }
    const Temp t = m.temps[in.index];
    const Operand index{in.source[store], m.floats_only ? Type::int_f32 : m.value(in.source[store].value).type, 1};
    const uint32_t max = std::min(in.max_index, kMaxLadder - 1);
    auto load = [&](uint32_t i) { return b.append({.op = Op::load_temp, .index = in.index, .offset = in.offset + i}, t.type, t.comps); };
    if (!store) {
      Operand r = load(0);
      for (uint32_t i = 1; i <= max; ++i) {
        const Operand beyond = b.at_least(index, i);
        r = b.sel(beyond, load(i), r);
      }
      return r;
    }
    const Operand value{in.source[0], t.type, t.comps};
    for (uint32_t i = 0; i <= max; ++i) {
      const Operand hit = b.is(index, i);
      Instruction s{.op = Op::store_temp, .source_count = 1, .mask = in.mask, .index = in.index, .offset = in.offset + i};
      s.source[0] = b.sel(hit, value, load(i)).source;
      b.append(s, t.type, 0);
    }
    return Operand{};
  });
}

}  // namespace pumice::compiler::passes
