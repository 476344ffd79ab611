// SPDX-License-Identifier: MIT
/// Variables, pointers, loads and stores. Function, private, input and output variables live in temporaries of the IR; uniform blocks and
/// push constants are read slot by slot (16 bytes) at constant or dynamic offsets.
#include <bit>

#include "compiler/frontend/translator.h"

namespace pumice::compiler::frontend {

using ir::Op;
using ir::Type;

TempTree Translator::make_tree(Id type, uint32_t elements) {
  TempTree tree{.type = type};
  const Inst& t = spv_.def(type);
  switch (t.op) {
    case spv::OpTypeStruct:
      for (unsigned i = 0; i < member_count(type); ++i) tree.members.push_back(make_tree(member_type(type, i), elements));
      break;
    case spv::OpTypeArray:
    case spv::OpTypeMatrix: {
      const uint64_t n = uint64_t(elements) * member_count(type);
      if (n > 65536) throw Unsupported{"an array variable of " + std::to_string(n) + " vectors: the chip has at most 128 temporaries"};
      tree = make_tree(member_type(type, 0), uint32_t(n));
      tree.type = type;
      break;
    }
    default: {
      const LeafType leaf = leaf_type(type);
      tree.temp = uint32_t(m_.temps.size());
      m_.temps.push_back({elements, uint8_t(leaf.comps), leaf.type});
      break;
    }
  }
  return tree;
}

const TempTree& Translator::tree_of(Id variable, Id type) {
  const TempTree*& tree = tree_of_[variable];
  if (!tree) tree = &trees_.emplace_back(make_tree(type, 1));
  return *tree;
}

void Translator::declare_variable(const Inst& in) {
  const Id type = spv_.def(in.type)[1];
  const TempTree& tree = tree_of(in.result, type);
  pointers_[in.result] = {.kind = Pointer::Kind::temp, .type = type, .variable = in.result, .tree = &tree};
  if (in.size() > 1) {
    const Leaves initial = leaves(in[1]);
    std::span<const Operand> rest(initial);
    store_tree(tree, type, 0, {}, rest);
  }
}

Pointer Translator::pointer(Id id) {
  const auto it = pointers_.find(id);
  if (it != pointers_.end()) return it->second;
  if (const auto why = refused_.find(id); why != refused_.end()) throw Unsupported{spv_.name(id) + " (OpVariable): " + why->second};
  if (const Inst& in = spv_.def(id); memory_ && (in.op == spv::OpConstantNull || in.op == spv::OpUndef) && is_pointer(in.type))
    return null_pointer(in.type);
  fail(spv_.def(id), "a pointer", "it does not come from a variable by access chains");
}

/// One index of an access chain.
void Translator::step_into(Pointer& p, Id index) {
  if (p.addressed()) return step_into_address(p, index);
  const Inst& t = spv_.def(p.type);
  const bool constant_index = spv_.is_constant(index);
  const uint32_t i = constant_index ? spv_.constant_u32(index) : 0;
  const bool memory = p.kind == Pointer::Kind::uniform || p.kind == Pointer::Kind::push;
  if (t.op == spv::OpTypeStruct) {
    if (memory) {
      p.offset += spv_.member_decoration(p.type, i, spv::DecorationOffset).value_or(0);
      p.row_major = spv_.member_decoration(p.type, i, spv::DecorationRowMajor).has_value();
      p.column_stride = spv_.member_decoration(p.type, i, spv::DecorationMatrixStride).value_or(16);
    } else {
      p.tree = &p.tree->members.at(i);
    }
    p.type = member_type(p.type, i);
    return;
  }
  if (t.op == spv::OpTypeVector) {
    p.vector_lanes = t[1];
    if (constant_index)
      p.lane = int(std::min(i, t[1] - 1));
    else
      p.dynamic_lane = index_operand(index);
    p.type = t[0];
    return;
  }
  const uint32_t count = member_count(p.type);
  if (p.block_array) {
    if (constant_index) {
      p.row += std::min(i, count - 1);
    } else {
      for (uint32_t k = 0; k < count; ++k) p.rows.push_back(p.row + k);
      p.block = index_operand(index);
    }
    p.block_array = false;
  } else if (p.kind == Pointer::Kind::texture || p.kind == Pointer::Kind::sampler) {
    if (constant_index)
      p.offset = std::min(i, count - 1);
    else
      p.dynamic.push_back({index_operand(index), count - 1});
  } else if (memory) {
    uint32_t stride = spv_.decoration(p.type, spv::DecorationArrayStride).value_or(16);
    if (t.op == spv::OpTypeMatrix) {
      stride = p.row_major ? 4 : p.column_stride;
      p.in_matrix = true;
      p.component_stride = p.row_major ? p.column_stride : 4;
    }
    if (constant_index)
      p.offset += std::min(i, count - 1) * stride;
    else
      p.dynamic.push_back({index_operand(index), count - 1, stride});
  } else {
    p.element = p.element * count;
    for (DynamicIndex& d : p.dynamic) {
      d.value = b_.op(Op::imul, {d.value, integer(count, d.value)});
      d.max *= count;
    }
    if (constant_index) {
      p.element += std::min(i, count - 1);
    } else if (p.dynamic.empty()) {
      p.dynamic.push_back({index_operand(index), count - 1});
    } else {
      p.dynamic[0].value = b_.op(Op::iadd, {p.dynamic[0].value, retag(index_operand(index), p.dynamic[0].value.type)});
      p.dynamic[0].max += count - 1;
    }
  }
  p.type = member_type(p.type, 0);
}

void Translator::access_chain(const Inst& in) {
  Pointer p = pointer(in[0]);
  const Id start = p.type;
  for (size_t i = 1; i < in.size(); ++i) step_into(p, in[i]);
  // Remember which member of an output block the chain names.
  if (in.size() > 1 && spv_.def(start).op == spv::OpTypeStruct && spv_.is_constant(in[1]))
    stored_members_.insert({p.variable, spv_.constant_u32(in[1])});
  pointers_[in.result] = p;
}

// ----------------------------------------------------------------------------------------------------------- temporaries

void Translator::load_tree(const TempTree& tree, Id type, uint32_t element, const Vec<DynamicIndex>& dynamic, Leaves& out) {
  const Inst& t = spv_.def(type);
  if (t.op == spv::OpTypeStruct) {
    for (unsigned i = 0; i < tree.members.size(); ++i) load_tree(tree.members[i], member_type(type, i), element, dynamic, out);
  } else if (t.op == spv::OpTypeArray || t.op == spv::OpTypeMatrix) {
    const uint32_t count = member_count(type);
    Vec<DynamicIndex> scaled = dynamic;
    for (DynamicIndex& d : scaled) {
      d.value = b_.op(Op::imul, {d.value, integer(count, d.value)});
      d.max *= count;
    }
    for (uint32_t i = 0; i < count; ++i) load_tree(tree, member_type(type, 0), element * count + i, scaled, out);
  } else {
    ir::Instruction in{.op = Op::load_temp, .index = tree.temp, .offset = element};
    for (const DynamicIndex& d : dynamic) {
      in.source[in.source_count++] = d.value.source;
      in.max_index = d.max;
    }
    out.push_back(b_.append(in, m_.temps[tree.temp].type, m_.temps[tree.temp].comps));
  }
}

void Translator::store_tree(const TempTree& tree, Id type, uint32_t element, const Vec<DynamicIndex>& dynamic,
                            std::span<const Operand>& in) {
  const Inst& t = spv_.def(type);
  if (t.op == spv::OpTypeStruct) {
    for (unsigned i = 0; i < tree.members.size(); ++i) store_tree(tree.members[i], member_type(type, i), element, dynamic, in);
  } else if (t.op == spv::OpTypeArray || t.op == spv::OpTypeMatrix) {
    const uint32_t count = member_count(type);
    Vec<DynamicIndex> scaled = dynamic;
    for (DynamicIndex& d : scaled) {
      d.value = b_.op(Op::imul, {d.value, integer(count, d.value)});
      d.max *= count;
    }
    for (uint32_t i = 0; i < count; ++i) store_tree(tree, member_type(type, 0), element * count + i, scaled, in);
  } else {
    ir::Instruction s{.op = Op::store_temp, .source_count = 1, .index = tree.temp, .offset = element};
    s.mask = uint8_t((1u << m_.temps[tree.temp].comps) - 1);
    if (in.empty() || in.front().comps != m_.temps[tree.temp].comps)
      throw Unsupported{"the SPIR-V is not valid: a value of another type than its variable"};
    s.source[0] = in.front().source;
    for (const DynamicIndex& d : dynamic) {
      s.source[s.source_count++] = d.value.source;
      s.max_index = d.max;
    }
    b_.append(s, Type::f32, 0);
    in = in.subspan(1);
  }
}

// --------------------------------------------------------------------------------------------------------------- memory

Operand Translator::at_least(const Operand& index, uint32_t i) {
  return b_.op(index.type == Type::u32 ? Op::uge : Op::ige, {index, integer(i, index)});
}

/// What `of_row` makes of the row that `index` says, by making it of all.
Operand Translator::choose(std::span<const uint32_t> rows, const Operand& index, const std::function<Operand(uint32_t)>& of_row) {
  Operand result = of_row(rows[0]);
  for (uint32_t i = 1; i < rows.size(); ++i) result = b_.sel(at_least(index, i), of_row(rows[i]), result);
  return result;
}

Operand Translator::load_slot(const Pointer& p, Type type, uint32_t slot, const Operand& dynamic, uint32_t max) {
  ir::Instruction in{.op = p.kind == Pointer::Kind::push ? Op::load_push : Op::load_uniform, .index = p.row, .offset = slot};
  if (dynamic) {
    in.source[in.source_count++] = dynamic.source;
    in.max_index = max;
  }
  if (p.rows.empty()) return b_.append(in, type, 4);
  return choose(p.rows, p.block, [&](uint32_t row) {
    in.index = row;
    return b_.append(in, type, 4);
  });
}

/// `comps` words of the type, `stride` bytes apart, the first at byte `offset` plus the pointer's dynamic indices.
Operand Translator::load_words(const Pointer& p, Type type, uint32_t offset, uint32_t stride, unsigned comps) {
  bool by_slots = true;
  for (const DynamicIndex& d : p.dynamic) by_slots = by_slots && d.stride % 16 == 0;
  const uint32_t unit = by_slots ? 16 : 4;
  Operand index;  // in units
  uint32_t max = 0;
  for (const DynamicIndex& d : p.dynamic) {
    const uint32_t scale = d.stride / unit;
    Operand term = retag(d.value, Type::i32);
    if (scale != 1) term = b_.op(Op::imul, {term, integer(scale, term)});
    index = index ? b_.op(Op::iadd, {index, term}) : term;
    max += d.max * scale;
  }
  Vec<Operand> lanes;
  if (!index || by_slots) {
    Map<uint32_t, Operand> slots;
    for (unsigned i = 0; i < comps; ++i) {
      const uint32_t word = (offset + i * stride) / 4;
      Operand& slot = slots[word / 4];
      if (!slot) slot = load_slot(p, type, word / 4, index, max);
      lanes.push_back(slot.lane(word % 4));
    }
  } else {
    for (unsigned i = 0; i < comps; ++i) {
      const uint32_t word = (offset + i * stride) / 4;
      const Operand at = b_.op(Op::iadd, {index, integer(word, index)});
      const Operand slot = shifted(Op::ishr, at, 2);
      const Operand lane = b_.op(Op::isub, {at, shifted(Op::ishl, slot, 2)});
      lanes.push_back(extract_dynamic(load_slot(p, type, 0, slot, (max + word) / 4), lane));
    }
  }
  return b_.vec(lanes);
}

void Translator::load_memory(const Pointer& p, Id type, uint32_t offset, Leaves& out) {
  const Inst& t = spv_.def(type);
  switch (t.op) {
    case spv::OpTypeStruct:
      for (unsigned i = 0; i < member_count(type); ++i) {
        Pointer member = p;
        member.row_major = spv_.member_decoration(type, i, spv::DecorationRowMajor).has_value();
        member.column_stride = spv_.member_decoration(type, i, spv::DecorationMatrixStride).value_or(16);
        load_memory(member, member_type(type, i), offset + spv_.member_decoration(type, i, spv::DecorationOffset).value_or(0), out);
      }
      break;
    case spv::OpTypeArray: {
      const uint32_t stride = spv_.decoration(type, spv::DecorationArrayStride).value_or(16);
      for (uint32_t i = 0; i < member_count(type); ++i) load_memory(p, member_type(type, 0), offset + i * stride, out);
      break;
    }
    case spv::OpTypeMatrix:
      for (uint32_t i = 0; i < member_count(type); ++i)
        out.push_back(load_words(p, Type::f32, offset + i * (p.row_major ? 4 : p.column_stride), p.row_major ? p.column_stride : 4,
                                 leaf_type(t[0]).comps));
      break;
    default: {
      const LeafType leaf = leaf_type(type);
      out.push_back(load_words(p, leaf.type, offset, p.in_matrix ? p.component_stride : 4, leaf.comps));
      break;
    }
  }
}

Operand Translator::extract_dynamic(const Operand& vector, const Operand& index) {
  Operand result = vector.lane(0);
  for (unsigned i = 1; i < vector.comps; ++i) result = b_.sel(at_least(index, i), vector.lane(i), result);
  return result;
}

Operand Translator::insert_dynamic(const Operand& vector, const Operand& value, const Operand& index) {
  Vec<Operand> lanes;
  for (unsigned i = 0; i < vector.comps; ++i) lanes.push_back(b_.sel(b_.op(Op::ieq, {index, integer(i, index)}), value, vector.lane(i)));
  return b_.vec(lanes);
}

Leaves Translator::load(const Pointer& p) {
  if (p.addressed()) return load_address(p);
  Leaves out;
  if (p.kind == Pointer::Kind::temp) {
    if (!p.vector_lanes) {
      load_tree(*p.tree, p.type, p.element, p.dynamic, out);
      return out;
    }
    ir::Instruction in{.op = Op::load_temp, .index = p.tree->temp, .offset = p.element};
    for (const DynamicIndex& d : p.dynamic) {
      in.source[in.source_count++] = d.value.source;
      in.max_index = d.max;
    }
    const Operand vector = b_.append(in, m_.temps[p.tree->temp].type, m_.temps[p.tree->temp].comps);
    out.push_back(p.lane >= 0 ? vector.lane(unsigned(p.lane)) : extract_dynamic(vector, p.dynamic_lane));
    return out;
  }
  const uint32_t lane_stride = p.in_matrix ? p.component_stride : 4;
  if (p.vector_lanes && p.lane < 0) {
    Pointer q = p;
    q.dynamic.push_back({p.dynamic_lane, p.vector_lanes - 1, lane_stride});
    load_memory(q, p.type, p.offset, out);
  } else {
    load_memory(p, p.type, p.offset + (p.lane > 0 ? uint32_t(p.lane) * lane_stride : 0), out);
  }
  return out;
}

void Translator::store(const Pointer& p, const Leaves& value) {
  if (p.addressed()) {
    std::span<const Operand> rest(value);
    return store_address(p, p.type, p.offset, rest);
  }
  if (p.kind != Pointer::Kind::temp) throw Unsupported{"a store to " + spv_.name(p.variable) + " (OpStore): the chip cannot write memory"};
  stored_variables_.insert(p.variable);
  if (!p.vector_lanes) {
    std::span<const Operand> rest(value);
    store_tree(*p.tree, p.type, p.element, p.dynamic, rest);
    return;
  }
  const ir::Temp& temp = m_.temps[p.tree->temp];
  ir::Instruction s{.op = Op::store_temp, .source_count = 1, .index = p.tree->temp, .offset = p.element};
  Operand source = value.at(0);
  if (value.size() != 1 || source.comps != 1) throw Unsupported{"the SPIR-V is not valid: a component is stored from a vector"};
  if (p.lane >= 0) {
    s.mask = uint8_t(1u << p.lane);
  } else {
    ir::Instruction in{.op = Op::load_temp, .index = p.tree->temp, .offset = p.element};
    for (const DynamicIndex& d : p.dynamic) {
      in.source[in.source_count++] = d.value.source;
      in.max_index = d.max;
    }
    source = insert_dynamic(b_.append(in, temp.type, temp.comps), source, p.dynamic_lane);
    s.mask = uint8_t((1u << temp.comps) - 1);
  }
  s.source[0] = source.source;
  for (const DynamicIndex& d : p.dynamic) {
    s.source[s.source_count++] = d.value.source;
    s.max_index = d.max;
  }
  b_.append(s, Type::f32, 0);
}

namespace {
/// Words of the memory operands at `at`.
size_t memory_operand_words(const Inst& in, size_t at) {
  if (at >= in.size()) return 0;
  constexpr uint32_t kWithOperand = uint32_t{spv::MemoryAccessAlignedMask} | uint32_t{spv::MemoryAccessMakePointerAvailableMask} |
                                    uint32_t{spv::MemoryAccessMakePointerVisibleMask};
  return 1 + size_t(std::popcount(in[at] & kWithOperand));
}
}  // namespace

/// The pointer that is operand `at`, with memory operands from operand `operands` on.
Pointer Translator::accessed(const Inst& in, size_t at, size_t operands) {
  Pointer p = pointer(in[at]);
  constexpr uint32_t kSeen = uint32_t{spv::MemoryAccessVolatileMask} | uint32_t{spv::MemoryAccessNonPrivatePointerMask};
  if (operands < in.size() && (in[operands] & kSeen)) p.coherent = true;
  return p;
}

bool Translator::memory(const Inst& in) {
  switch (in.op) {
    case spv::OpVariable: return true;
    case spv::OpAccessChain:
    case spv::OpInBoundsAccessChain: access_chain(in); return true;
    case spv::OpCopyObject:
      if (const auto it = pointers_.find(in[0]); it != pointers_.end()) {
        const Pointer copy = it->second;
        pointers_[in.result] = copy;
      } else if (const auto image = images_.find(in[0]); image != images_.end()) {
        const ImageRef copy = image->second;
        images_[in.result] = copy;
      } else {
        set(in, leaves(in[0]));
      }
      return true;
    case spv::OpLoad: {
      const Pointer p = accessed(in, 0, 1);
      if (p.kind == Pointer::Kind::image)
        images_[in.result] = loaded_image(p);
      else if (p.kind == Pointer::Kind::texture || p.kind == Pointer::Kind::sampler)
        images_[in.result] = load_image(p);
      else
        set(in, load(p));
      return true;
    }
    case spv::OpStore: store(accessed(in, 0, 2), leaves(in[1])); return true;
    case spv::OpCopyMemory: {
      // From SPIR-V 1.4 on a second set of memory operands is the source's.
      const size_t second = 2 + memory_operand_words(in, 2);
      store(accessed(in, 0, 2), load(accessed(in, 1, second < in.size() ? second : 2)));
      return true;
    }
    default: return false;
  }
}

}  // namespace pumice::compiler::frontend
