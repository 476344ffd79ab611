// SPDX-License-Identifier: MIT
/// Variable pointers of chips with memory: pointers that OpSelect, OpPhi, function calls and variables choose at run time. Such a pointer
/// is an address that is a value, and, when it may point into several buffers, a number that says into which; an access then is one for
/// each buffer. Which buffers those can be is found by following the module's instructions back to its variables, before any code exists: a
/// loop uses its OpPhi ahead of the edge that feeds it.
#include <algorithm>

#include "compiler/frontend/translator.h"

namespace pumice::compiler::frontend {

using ir::Op;
using ir::Type;

namespace {

bool same_descriptor(const Descriptor& a, const Descriptor& b) {
  return a.row == b.row && a.element == b.element && a.index.source.value == b.index.source.value;
}

constexpr const char* kOtherLayout = "the choice between pointers whose memory is laid out differently";

}  // namespace

/// The whole address as a value.
Operand Translator::address_of(const Pointer& p) {
  const Operand offset = constant_word(p.offset, 1, Type::u32);
  return !p.address ? offset : p.offset ? b_.op(Op::iadd, {p.address, offset}) : p.address;
}

// ------------------------------------------------------------------------------------------------------ where they come from

bool Translator::is_pointer(Id type) const { return spv_.def(type).op == spv::OpTypePointer; }

/// What the module's functions store, pass and return as pointers.
void Translator::find_pointer_flow() {
  if (std::exchange(pointer_flow_known_, true)) return;
  for (const Function& f : spv_.functions()) {
    for (const Id label : f.labels) {
      const Block& block = spv_.block(label);
      for (const Inst& in : block.body) {
        if (in.op == spv::OpStore && is_pointer(spv_.type_of(in[1]).result)) pointer_flow_[in[0]].push_back(in[1]);
        if (in.op != spv::OpFunctionCall) continue;
        const Function& callee = spv_.function(in[0]);
        for (size_t i = 0; i < callee.parameters.size() && i + 1 < in.size(); ++i)
          if (is_pointer(callee.parameters[i].type)) pointer_flow_[callee.parameters[i].result].push_back(in[i + 1]);
      }
      const Inst& t = block.terminator;
      if (t.op == spv::OpReturnValue && is_pointer(spv_.type_of(t[0]).result)) pointer_flow_[f.inst.result].push_back(t[0]);
    }
    for (const Inst& v : f.variables)
      if (v.size() > 1) pointer_flow_[v.result].push_back(v[1]);
  }
}

/// The values that a pointer may be equal to, or lies in; empty: it is a variable, or null.
Vec<Id> Translator::pointer_sources(const Inst& in) {
  switch (in.op) {
    case spv::OpAccessChain:
    case spv::OpInBoundsAccessChain:
    case spv::OpPtrAccessChain:
    case spv::OpInBoundsPtrAccessChain:
    case spv::OpCopyObject: return {in[0]};
    case spv::OpSelect: return {in[1], in[2]};
    case spv::OpPhi: {
      Vec<Id> all;
      for (size_t i = 0; i + 1 < in.size(); i += 2) all.push_back(in[i]);
      return all;
    }
    case spv::OpLoad:  // of a variable that holds pointers, perhaps by a parameter
    case spv::OpFunctionCall: find_pointer_flow(); return pointer_flow_[in[0]].empty() ? Vec<Id>{in[0]} : pointer_flow_[in[0]];
    case spv::OpFunctionParameter: find_pointer_flow(); return pointer_flow_[in.result];
    default: return {};
  }
}

/// Adds the variables that `id` may point into.
void Translator::pointer_roots(Id id, Set<Id>& seen, Vec<Id>& roots) {
  if (!seen.insert(id).second) return;
  const Inst& in = spv_.def(id);
  if (in.op == spv::OpVariable) {
    if (const auto it = pointers_.find(id); it != pointers_.end() && it->second.addressed()) roots.push_back(id);
    return;
  }
  for (const Id source : pointer_sources(in)) pointer_roots(source, seen, roots);
}

/// What `id` points to, without its address: type and layout. False: it is null on every way that is not in `seen`.
bool Translator::pointer_shape(Id id, Set<Id>& seen, Pointer& out) {
  if (!seen.insert(id).second) return false;
  const Inst& in = spv_.def(id);
  if (in.op == spv::OpVariable) {
    const auto it = pointers_.find(id);
    if (it == pointers_.end() || !it->second.addressed()) return false;
    out = it->second;
    return true;
  }
  bool found = false;
  for (const Id source : pointer_sources(in)) found = found || pointer_shape(source, seen, out);
  if (!found) return false;
  const bool by_element = in.op == spv::OpPtrAccessChain || in.op == spv::OpInBoundsPtrAccessChain;
  if (by_element || in.op == spv::OpAccessChain || in.op == spv::OpInBoundsAccessChain)
    for (size_t i = by_element ? 2 : 1; i < in.size(); ++i) step_shape(out, in[i]);
  return true;
}

/// As step_into_address(), without code.
void Translator::step_shape(Pointer& p, Id index) {
  const Inst& t = spv_.def(p.type);
  if (t.op == spv::OpTypeStruct && !p.block_array) {
    p = member_of(p, p.type, spv_.constant_u32(index));
    return;
  }
  if (t.op == spv::OpTypeMatrix || t.op == spv::OpTypeVector) p.in_matrix = t.op == spv::OpTypeMatrix;
  p.type = t[0];
  const spv::Op inner = spv_.def(p.type).op;
  p.block_array = p.block_array && (inner == spv::OpTypeArray || inner == spv::OpTypeRuntimeArray);
}

// ------------------------------------------------------------------------------------------------------------------ choices

namespace {
/// Whether an access through either means the same, the address aside.
bool same_layout(const Pointer& a, const Pointer& b) {
  const bool matrix = a.row_major == b.row_major && a.column_stride == b.column_stride;
  return a.kind == b.kind && a.addressed() && a.kind != Pointer::Kind::image && a.type == b.type && a.in_matrix == b.in_matrix &&
         a.block_array == b.block_array && (matrix || !a.in_matrix);
}
}  // namespace

Pointer Translator::null_pointer(Id type) const {
  Pointer p;
  p.kind = Pointer::Kind::buffer;
  p.type = spv_.def(type)[1];
  p.storage = p.null = true;
  return p;
}

Pointer Translator::select_pointer(const Operand& condition, const Pointer& a, const Pointer& b) {
  if (a.null && b.null) return a;
  if (a.null || b.null) {
    Pointer p = a.null ? b : a;
    p.address = b_.sel(condition, address_of(a), address_of(b));
    p.offset = 0;
    return p;
  }
  if (!same_layout(a, b)) throw Unsupported{kOtherLayout};
  Pointer p = a;
  p.address = b_.sel(condition, address_of(a), address_of(b));
  p.offset = 0;
  p.coherent |= b.coherent;
  if (a.kind != Pointer::Kind::buffer || (a.choices.empty() && b.choices.empty() && same_descriptor(a.descriptor, b.descriptor))) return p;
  if (a.choices.empty()) p.choices = {a.descriptor};
  const auto place = [&](const Descriptor& d) {
    const auto at = std::find_if(p.choices.begin(), p.choices.end(), [&](const Descriptor& c) { return same_descriptor(c, d); });
    if (at != p.choices.end()) return uint32_t(at - p.choices.begin());
    p.choices.push_back(d);
    return uint32_t(p.choices.size() - 1);
  };
  Operand of_b;
  if (b.choices.empty()) {
    of_b = constant_word(place(b.descriptor), 1, Type::u32);
  } else {
    for (uint32_t i = 0; i < b.choices.size(); ++i) {
      const Operand here = constant_word(place(b.choices[i]), 1, Type::u32);
      of_b = of_b ? b_.sel(b_.op(Op::ieq, {b.choice, integer(i, b.choice)}), here, of_b) : here;
    }
  }
  p.choice = b_.sel(condition, a.choices.empty() ? constant_word(0, 1, Type::u32) : a.choice, of_b);
  return p;
}

/// The pointer with its i-th buffer as the only one.
Pointer Translator::chosen(const Pointer& p, uint32_t i) {
  Pointer one = p;
  one.descriptor = p.choices[i];
  one.choices.clear();
  return one;
}

Operand Translator::is_chosen(const Pointer& p, uint32_t i) { return b_.op(Op::ieq, {p.choice, integer(i, p.choice)}); }

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

// -------------------------------------------------------------------------------------------------------------------- slots

/// The temporaries of an OpPhi, a variable that holds pointers, or a call that returns one.
const Translator::PointerSlot& Translator::pointer_slot(Id key) {
  const auto [it, added] = pointer_slots_.try_emplace(key);
  PointerSlot& slot = it->second;
  if (!added) return slot;
  const Inst& in = spv_.def(key);
  const bool variable = in.op == spv::OpVariable;
  Vec<Id> sources;
  if (variable) {
    find_pointer_flow();
    sources = pointer_flow_[key];
    for (const Inst& v : spv_.variables())
      if (v.result == key && v.size() > 1) sources.push_back(v[1]);
    for (const auto& [to, stored] : pointer_flow_)  // through a parameter
      if (spv_.def(to).op == spv::OpFunctionParameter && std::find(stored.begin(), stored.end(), key) != stored.end())
        sources.insert(sources.end(), pointer_flow_[to].begin(), pointer_flow_[to].end());
    sources.erase(std::remove(sources.begin(), sources.end(), key), sources.end());
  } else {
    sources = pointer_sources(in);
  }
  Set<Id> seen{key}, seen_shape{key};
  Vec<Id> roots;
  Pointer& p = slot.pointer;
  p = null_pointer(variable ? spv_.def(in.type)[1] : in.type);
  const Id pointee = p.type;
  bool found = false;
  for (const Id source : sources) {
    pointer_roots(source, seen, roots);
    found = found || pointer_shape(source, seen_shape, p);
  }
  p.type = pointee;
  p.address = {};
  p.offset = 0;
  const auto temp = [&] {
    m_.temps.push_back({1, 1, Type::u32});
    return uint32_t(m_.temps.size() - 1);
  };
  slot.address = temp();
  if (p.kind != Pointer::Kind::buffer || !found) return slot;
  p.choices.clear();
  for (const Id root : roots) {
    const Pointer& variable_pointer = pointers_.at(root);
    if (variable_pointer.kind != Pointer::Kind::buffer) throw Unsupported{kOtherLayout};
    slot.has_index |= variable_pointer.block_array;
    p.choices.push_back({variable_pointer.descriptor.row, 0, {}});
  }
  slot.has_choice = p.choices.size() > 1;
  if (slot.has_choice) slot.choice = temp();
  if (slot.has_index) slot.index = temp();
  return slot;
}

void Translator::store_temp_word(uint32_t temp, const Operand& word) {
  ir::Instruction store{.op = Op::store_temp, .source_count = 1, .mask = 1, .index = temp};
  store.source[0] = word.source;
  b_.append(store, Type::u32, 0);
}

void Translator::store_pointer(Id key, const Pointer& p) {
  const PointerSlot& slot = pointer_slot(key);
  store_temp_word(slot.address, address_of(p));
  if (p.null) return;
  if (!same_layout(slot.pointer, p)) throw Unsupported{kOtherLayout};
  if (p.kind != Pointer::Kind::buffer) return;
  const auto bytes_of = [&](const Descriptor& d) {
    const Operand element = constant_word(d.element * m_.resources[d.row].layout.stride, 1, Type::u32);
    return d.index ? b_.op(Op::iadd, {d.index, element}) : element;
  };
  const auto place_of = [&](const Descriptor& d) {
    for (uint32_t i = 0; i < slot.pointer.choices.size(); ++i)
      if (slot.pointer.choices[i].row == d.row) return constant_word(i, 1, Type::u32);
    throw Unsupported{"a pointer whose variable is not known"};
  };
  const auto by_choice = [&](const auto& of) {
    if (p.choices.empty()) return of(p.descriptor);
    Operand all = of(p.choices[0]);
    for (uint32_t i = 1; i < p.choices.size(); ++i) {
      const Operand other = of(p.choices[i]);
      all = b_.sel(is_chosen(p, i), other, all);
    }
    return all;
  };
  if (slot.has_choice) store_temp_word(slot.choice, by_choice(place_of));
  if (slot.has_index) store_temp_word(slot.index, by_choice(bytes_of));
}

Pointer Translator::loaded_pointer(Id key) {
  const PointerSlot& slot = pointer_slot(key);
  const auto load = [&](uint32_t temp) { return b_.append({.op = Op::load_temp, .index = temp}, Type::u32, 1); };
  Pointer p = slot.pointer;
  p.address = load(slot.address);
  if (p.null || p.kind != Pointer::Kind::buffer) return p;
  if (slot.has_index) {
    const Operand index = load(slot.index);
    for (Descriptor& d : p.choices) d.index = index;
  }
  if (slot.has_choice) {
    p.choice = load(slot.choice);
  } else {
    p.descriptor = p.choices.at(0);
    p.choices.clear();
  }
  return p;
}

}  // namespace pumice::compiler::frontend
