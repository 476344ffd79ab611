// SPDX-License-Identifier: MIT
/// Indexable temporaries. Neither shader unit can address a temporary by data (us-isa part C; PVS has A0 for constants only), so
///   constant_arrays  an array that only ever holds one set of constants becomes an immediate uniform block,
///   lower_arrays     any other dynamic access becomes a ladder of selects over static ones, which promote_temps then removes.
/// Chips with memory address scratch memory by data: what does not become a short ladder lies there.
#include <map>

#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {
constexpr uint32_t kMaxLadder = 64;
constexpr uint32_t kShortLadder = 4;
constexpr uint32_t kMaxLiterals = 16384;  // vec4s of constant arrays; programs of chips with memory may have 65535 in all

bool is_indexed(const Instruction& in) {
  return (in.op == Op::load_temp && in.source_count > 0) || (in.op == Op::store_temp && in.source_count > 1);
}

/// Moves temporaries into scratch memory that are indexed at run time and have more than kShortLadder elements.
bool into_scratch(Module& m) {
  constexpr uint32_t kNone = ~0u;
  Vec<uint32_t> base(m.temps.size(), kNone);
  bool any = false;
  any_instruction(m.body, [&](const Instruction& in) {
    if (!is_indexed(in) || base[in.index] != kNone || m.temps[in.index].elements <= kShortLadder) return false;
    const Temp& t = m.temps[in.index];
    base[in.index] = m.scratch_bytes;
    m.scratch_bytes += (t.elements * t.comps * 4 + 15) & ~15u;
    any = true;
    return false;
  });
  if (!any) return false;
  return replace_instructions(m, [&](const Instruction& in, Builder& b) -> std::optional<Operand> {
    const bool store = in.op == Op::store_temp;
    if ((in.op != Op::load_temp && !store) || base[in.index] == kNone) return std::nullopt;
    const Temp t = m.temps[in.index];
    const uint32_t stride = t.comps * 4u, at = base[in.index] + in.offset * stride;
    const auto word = [&](uint32_t x) {
      return b.append({.op = Op::constant, .constant = Lanes(std::array{x, 0u, 0u, 0u})}, Type::u32, 1);
    };
    Operand address = word(0);
    if (is_indexed(in)) {
      const Operand index = b.mov({in.source[store], m.value(in.source[store].value).type, 1}, Type::u32);
      address = b.op(Op::imul, {index, word(stride)});
    }
    const auto access = [&](Op op, uint32_t offset) {
      Instruction x{.op = op, .source_count = 1, .offset = offset};
      x.source[0] = address.source;
      return x;
    };
    const bool truth = t.type == Type::boolean;
    if (!store) {
      const Operand words = b.append(access(Op::load_scratch, at), truth ? Type::u32 : t.type, t.comps);
      return truth ? b.op_typed(Op::ine, Type::boolean, {words, word(0)}) : words;
    }
    Operand value{in.source[0], t.type, t.comps};
    if (truth) value = b.op_typed(Op::b2i, Type::u32, {value});
    const unsigned all = (1u << t.comps) - 1;
    const auto put = [&](unsigned first, unsigned count) {
      Instruction x = access(Op::store_scratch, at + 4 * first);
      x.source[x.source_count++] = value.lanes(first, count).source;
      x.mask = uint8_t((1u << count) - 1);
      b.append(x, Type::f32, 0);
    };
    if ((in.mask & all) == all) {
      put(0, t.comps);
    } else {
      for (unsigned i = 0; i < t.comps; ++i)
        if (in.mask >> i & 1) put(i, 1);
    }
    return Operand{};
  });
}
}  // namespace

bool constant_arrays(Context& c) {
  using Words = std::array<uint32_t, 4>;
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
    if (element && std::bit_cast<Words>(*element) != std::bit_cast<Words>(*value)) t.constant = false;
    element = value;
    return false;
  });
  Map<uint32_t, uint32_t> blocks;
  uint32_t room = kMaxLiterals;
  for (uint32_t t = 0; t < tables.size(); ++t) {
    if (!tables[t].constant || !tables[t].dynamic_load || m.temps[t].type == Type::boolean) continue;
    if (m.memory && (room < m.temps[t].elements)) continue;
    room -= std::min(room, m.temps[t].elements);
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
  if (m.temps.empty() || !any_instruction(m.body, is_indexed)) return false;
  const bool moved = m.memory && into_scratch(m);
  bool refused = false;
  return moved | replace_instructions(m, [&](const Instruction& in, Builder& b) -> std::optional<Operand> {
           const bool store = in.op == Op::store_temp;
           if ((in.op != Op::load_temp && !store) || in.source_count <= (store ? 1 : 0)) return std::nullopt;
           if (in.max_index >= kMaxLadder && !refused) {
             c.refuse("an array of " + std::to_string(in.max_index + 1) +
                          " elements indexed at run time: temporaries cannot be addressed by data on this chip, and a ladder of selects is "
                          "limited to " +
                          std::to_string(kMaxLadder) + " elements",
                      ir::origin(m, in));
             refused = true;
           }
           const Temp t = m.temps[in.index];
           const Operand index{in.source[store], m.floats_only ? Type::int_f32 : m.value(in.source[store].value).type, 1};
           const uint32_t max = std::min(in.max_index, kMaxLadder - 1);
           auto load = [&](uint32_t i) {
             return b.append({.op = Op::load_temp, .index = in.index, .offset = in.offset + i}, t.type, t.comps);
           };
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
