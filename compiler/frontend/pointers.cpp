// SPDX-License-Identifier: MIT
/// Variable pointers of chips with memory: pointers that OpSelect, OpPhi, function calls and variables, arrays and structures of them
/// choose at run time. As a value such a pointer is one leaf of words: its address and, where it may point into buffers, the row of the
/// buffer and the bytes to its descriptor in an array of them. What an access through a value means is a matter of the program: which
/// variables it may come from, and how they are laid out, is found by following the module's instructions back to its variables, before any
/// code exists: a loop uses its OpPhi ahead of the edge that feeds it. An access then is one for each buffer that can be meant.
#include <algorithm>

#include "compiler/frontend/translator.h"

namespace pumice::compiler::frontend {

using ir::Op;
using ir::Type;

namespace {

bool same_descriptor(const Descriptor& a, const Descriptor& b) {
  return a.row == b.row && a.element == b.element && a.index.source.value == b.index.source.value;
}

constexpr uint32_t kNullAddress = 0xF0000000;  // beyond every buffer: packets reach 4 GiB, the heap ends before

}  // namespace

/// The whole address as a value.
Operand Translator::address_of(const Pointer& p) {
  if (p.null) return constant_word(kNullAddress, 1, Type::u32);
  const Operand offset = constant_word(p.offset, 1, Type::u32);
  return !p.address ? offset : p.offset ? b_.op(Op::iadd, {p.address, offset}) : p.address;
}

// ------------------------------------------------------------------------------------------------------------------ choices

Pointer Translator::null_pointer(Id type) {
  if (is_physical(type)) return physical_pointer(type, constant_word(0, 2, Type::u32));
  Pointer p;
  p.kind = Pointer::Kind::buffer;
  p.type = spv_.def(type)[1];
  p.storage = p.null = true;
  return p;
}

Pointer Translator::select_pointer(const Operand& condition, const Pointer& a, const Pointer& b) {
  if (a.null && b.null) return a;
  if (a.physical && b.physical) {
    if (!a.laid_out_as(b)) throw Unsupported{kOtherLayout};
    Pointer p = a;
    const Operand words = b_.sel(condition, physical_words(a), physical_words(b));
    p.address = words.lane(0), p.high = words.lane(1);
    p.offset = 0;
    p.coherent |= b.coherent;
    return p;
  }
  if (a.null || b.null) {
    Pointer p = a.null ? b : a;
    p.address = b_.sel(condition, address_of(a), address_of(b));
    p.offset = 0;
    return p;
  }
  if (!a.laid_out_as(b)) throw Unsupported{kOtherLayout};
  Pointer p = a;
  p.address = b_.sel(condition, address_of(a), address_of(b));
  p.offset = 0;
  p.coherent |= b.coherent;
  if (a.kind != Pointer::Kind::buffer || (a.choices.empty() && b.choices.empty() && same_descriptor(a.descriptor, b.descriptor))) return p;
  if (a.choices.empty()) {
    p.choices = {a.descriptor};
    p.choices[0].number = 0;
  }
  const auto number_of = [&](const Descriptor& d) {
    const auto at = std::find_if(p.choices.begin(), p.choices.end(), [&](const Descriptor& c) { return same_descriptor(c, d); });
    if (at != p.choices.end()) return constant_word(at->number, 1, Type::u32);
    uint32_t free = 0;
    for (const Descriptor& c : p.choices) free = std::max(free, c.number + 1);
    p.choices.push_back(d);
    p.choices.back().number = free;
    return constant_word(free, 1, Type::u32);
  };
  const Operand of_b = by_choice(b, number_of);
  p.choice = b_.sel(condition, a.choices.empty() ? constant_word(0, 1, Type::u32) : a.choice, of_b);
  return p;
}

/// What `of` makes of the descriptor that is meant.
Operand Translator::by_choice(const Pointer& p, const std::function<Operand(const Descriptor&)>& of) {
  if (p.choices.empty()) return of(p.descriptor);
  Operand all = of(p.choices[0]);
  for (uint32_t i = 1; i < p.choices.size(); ++i) {
    const Operand other = of(p.choices[i]);
    all = b_.sel(is_chosen(p, i), other, all);
  }
  return all;
}

/// The pointer with its i-th buffer as the only one.
Pointer Translator::chosen(const Pointer& p, uint32_t i) {
  Pointer one = p;
  one.descriptor = p.choices[i];
  one.choices.clear();
  return one;
}

Operand Translator::is_chosen(const Pointer& p, uint32_t i) { return b_.op(Op::ieq, {p.choice, integer(p.choices[i].number, p.choice)}); }

/// What `access` makes of the buffer that is meant, by making it of all.
Operand Translator::of_chosen(const Pointer& p, const std::function<Operand(const Pointer&)>& access) {
  if (p.choices.empty()) return access(p);
  Operand result = access(chosen(p, 0));
  for (uint32_t i = 1; i < p.choices.size(); ++i) {
    const Operand other = access(chosen(p, i));
    result = b_.sel(is_chosen(p, i), other, result);
  }
  return result;
}

/// Code with side effects, for the buffer that is meant only.
void Translator::with_chosen(const Pointer& p, const std::function<void(const Pointer&)>& code) {
  if (p.choices.empty()) return code(p);
  ir::NodeList& outer = b_.list();
  for (uint32_t i = 0; i < p.choices.size(); ++i) {
    const Operand here = is_chosen(p, i);
    ir::Node& node = append_node(ir::Node::Kind::branch);
    node.cond = here.source;
    b_.set_list(node.then_list);
    code(chosen(p, i));
    b_.set_list(outer);
  }
}

// ------------------------------------------------------------------------------------------------------------------- values

/// Words of a pointer as a value; 0: its type's memory has no pointers that are values.
unsigned Translator::pointer_words(Id type) const {
  switch (spv_.def(type).as<spv::StorageClass>(0)) {
    case spv::StorageClassWorkgroup:
    case spv::StorageClassPushConstant: return 1;
    case spv::StorageClassPhysicalStorageBuffer: return 2;
    case spv::StorageClassUniform:
    case spv::StorageClassStorageBuffer: return 3;
    default: return 0;
  }
}

Operand Translator::null_leaf(unsigned words) {
  if (words == 2) return constant_word(0, 2, Type::u32);  // a physical one
  return constant_lanes(ir::Lanes(std::array{kNullAddress, 0u, 0u, 0u}), words, Type::u32);
}

Operand Translator::descriptor_bytes(const Descriptor& d) {
  const Operand element = constant_word(d.element * m_.resources[d.row].layout.stride, 1, Type::u32);
  return d.index ? b_.op(Op::iadd, {d.index, element}) : element;
}

/// The pointer as a value of its type.
Operand Translator::pointer_leaf(const Pointer& p, Id type) {
  if (!p.null && !p.addressed()) throw Unsupported{"a pointer to the invocation's own memory as a value"};
  const unsigned words = leaf_type(type).comps;
  if (p.physical) return physical_words(p);
  if (p.null) return null_leaf(words);
  if (words == 1) return address_of(p);
  const bool rows =
      !p.choices.empty() && std::all_of(p.choices.begin(), p.choices.end(), [](const Descriptor& d) { return d.number == d.row; });
  const Operand row = rows ? p.choice : by_choice(p, [&](const Descriptor& d) { return constant_word(d.row, 1, Type::u32); });
  return b_.vec(std::array{address_of(p), row, by_choice(p, [&](const Descriptor& d) { return descriptor_bytes(d); })});
}

/// The pointer that the value of `id` is.
Pointer Translator::pointer_from(Id id, const Operand& leaf) {
  if (is_physical(spv_.def(id).type)) return physical_pointer(spv_.def(id).type, leaf);
  const auto [it, added] = pointer_origins_.try_emplace(id);
  PointerOrigin& origin = it->second;
  if (added) {
    PointerTrail trail;
    const auto shape = pointer_shape(id, trail);
    const Id type = spv_.def(id).type;
    origin.pointer = shape ? *shape : null_pointer(type);
    origin.pointer.type = spv_.def(type)[1];
    origin.pointer.address = {};
    origin.pointer.offset = 0;
    origin.pointer.choices.clear();
    origin.roots = std::move(trail.roots);
  }
  Pointer p = origin.pointer;
  if (p.null) return p;
  p.address = leaf.lane(0);
  if (p.kind != Pointer::Kind::buffer) return p;
  for (const Id root : origin.roots) {
    const Pointer& variable = pointers_.at(root);
    if (variable.kind != Pointer::Kind::buffer) throw Unsupported{kOtherLayout};
    Descriptor& d = p.choices.emplace_back();
    d.row = d.number = variable.descriptor.row;
    if (variable.block_array) d.index = leaf.lane(2);
  }
  p.descriptor = p.choices.at(0);
  if (p.choices.size() > 1)
    p.choice = leaf.lane(1);
  else
    p.choices.clear();
  return p;
}

void Translator::store_temp_word(uint32_t temp, const Operand& word) {
  ir::Instruction store{.op = Op::store_temp, .source_count = 1, .mask = uint8_t((1u << word.comps) - 1), .index = temp};
  store.source[0] = word.source;
  b_.append(store, Type::u32, 0);
}

// -------------------------------------------------------------------------------------------------------------- comparisons

/// A number of the binding that is meant: variables of one binding are the same memory.
Operand Translator::binding_word(const Pointer& p) {
  return by_choice(p, [&](const Descriptor& d) {
    const DescriptorLayout& layout = m_.resources[d.row].layout;
    uint32_t first = 0;
    while (m_.resources[first].layout.set != layout.set || m_.resources[first].layout.binding != layout.binding) ++first;
    return constant_word(first, 1, Type::u32);
  });
}

Operand Translator::pointers_equal(const Pointer& a, const Pointer& b) {
  const Operand address = address_of(a);
  const Operand same = b_.op_typed(Op::ieq, Type::boolean, {address, address_of(b)});
  if (a.null || b.null || a.kind != Pointer::Kind::buffer || b.kind != Pointer::Kind::buffer) return same;
  const auto equal = [&](const Operand& x, const Operand& y) { return b_.op_typed(Op::ieq, Type::boolean, {x, y}); };
  const auto bytes = [&](const Pointer& p) { return by_choice(p, [&](const Descriptor& d) { return descriptor_bytes(d); }); };
  const Operand binding = equal(binding_word(a), binding_word(b)), place = equal(bytes(a), bytes(b));
  // Null has no buffer.
  const Operand null = equal(address, constant_word(kNullAddress, 1, Type::u32));
  return b_.op(Op::iand, {same, b_.op(Op::ior, {null, b_.op(Op::iand, {binding, place})})});
}

/// Elements from b to a.
Operand Translator::pointer_difference(const Inst& in, const Pointer& a, const Pointer& b) {
  const Inst& type = spv_.type_of(in[0]);
  const uint32_t stride = a.own_layout() ? own_size(a.type) : spv_.decoration(type.result, spv::DecorationArrayStride).value_or(a.stride);
  if (!stride) fail(in, "the distance of pointers", "the stride of the array that they point into is not known");
  const Operand bytes = retag(b_.op(Op::isub, {address_of(a), address_of(b)}), Type::i32);
  const Operand elements = b_.op(Op::idiv, {bytes, integer(stride, bytes)});
  const LeafType result = leaf_type(in.type);
  return ir::is_wide(result.type) ? resized(elements, in.type, true) : wrapped(retag(elements, result.type), in.type);
}

bool Translator::compare_pointers(const Inst& in) {
  if (in.op != spv::OpPtrEqual && in.op != spv::OpPtrNotEqual && in.op != spv::OpPtrDiff) return false;
  const Pointer a = pointer(in[0]), b = pointer(in[1]);
  if (!(a.null || a.addressed()) || !(b.null || b.addressed())) fail(in, "a comparison of pointers", "they do not point into memory");
  if (in.op == spv::OpPtrDiff) return set(in, pointer_difference(in, a, b)), true;
  const Operand equal = pointers_equal(a, b);
  set(in, in.op == spv::OpPtrEqual ? equal : b_.logical_not(equal));
  return true;
}

}  // namespace pumice::compiler::frontend
