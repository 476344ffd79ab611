// SPDX-License-Identifier: MIT
/// Where variable pointers (pointers.cpp) come from: which variables a pointer may point into and how what it points to is laid out, found
/// by following the module's instructions back to its variables, before any code exists.
#include <algorithm>

#include "compiler/frontend/translator.h"

namespace pumice::compiler::frontend {

namespace {
constexpr const char* kNoOrigin = "a pointer whose variable is not known";
constexpr unsigned kMostSteps = 1000;  // from a pointer to its variable: protects the stack, and ends circles of modules that are not valid
}  // namespace

/// Whether an access through either means the same, the address aside.
bool Pointer::laid_out_as(const Pointer& b) const {
  const bool matrix = row_major == b.row_major && column_stride == b.column_stride;
  return kind == b.kind && laid_out == b.laid_out && physical == b.physical && addressed() && kind != Pointer::Kind::image &&
         type == b.type && in_matrix == b.in_matrix && block_array == b.block_array && (matrix || !in_matrix);
}

void Translator::join_shape(std::optional<Pointer>& shape, const std::optional<Pointer>& other) {
  if (!other) return;
  if (!shape) {
    shape = other;
    return;
  }
  if (!shape->laid_out_as(*other)) throw Unsupported{kOtherLayout};
  shape->coherent |= other->coherent;
}

bool Translator::is_pointer(Id type) const { return spv_.def(type).op == spv::OpTypePointer; }

bool Translator::holds_pointers(Id type) {
  const auto known = holds_pointers_.find(type);
  if (known != holds_pointers_.end()) return known->second;
  const Inst& t = spv_.def(type);
  bool holds = (t.op == spv::OpTypePointer && !is_physical(type)) || (t.op == spv::OpTypeArray && holds_pointers(t[0]));
  if (t.op == spv::OpTypeStruct) holds = std::any_of(t.operands.begin(), t.operands.end(), [&](Id m) { return holds_pointers(m); });
  return holds_pointers_[type] = holds;
}

/// The variable or parameter that a pointer to the invocation's own memory names a part of.
Id Translator::holder_of(Id id) const {
  for (unsigned i = 0; i < kMostSteps; ++i) {
    const Inst& in = spv_.def(id);
    if (in.op != spv::OpAccessChain && in.op != spv::OpInBoundsAccessChain && in.op != spv::OpCopyObject) return id;
    id = in[0];
  }
  throw Unsupported{kNoOrigin};
}

/// What the module's functions store, pass and return as pointers, or with pointers inside.
void Translator::find_pointer_flow() {
  if (std::exchange(pointer_flow_known_, true)) return;
  const auto holds = [&](Id value) { return holds_pointers(spv_.def(value).type); };
  const auto initialized = [&](const Inst& v) {
    if (v.size() > 1 && holds(v[1])) pointer_flow_[v.result].push_back(v[1]);
  };
  for (const Inst& v : spv_.variables()) initialized(v);
  for (const Function& f : spv_.functions()) {
    for (const Id label : f.labels) {
      const Block& block = spv_.block(label);
      for (const Inst& in : block.body) {
        if (in.op == spv::OpStore && holds(in[1])) pointer_flow_[holder_of(in[0])].push_back(in[1]);
        if (in.op == spv::OpCopyMemory && holds_pointers(spv_.type_of(in[1])[1]))
          pointer_flow_[holder_of(in[0])].push_back(holder_of(in[1]));
        if (in.op != spv::OpFunctionCall) continue;
        const Function& callee = spv_.function(in[0]);
        for (size_t i = 0; i < callee.parameters.size() && i + 1 < in.size(); ++i) {
          const Inst& parameter = callee.parameters[i];
          if (!holds_pointers(parameter.type)) continue;
          pointer_flow_[parameter.result].push_back(in[i + 1]);
          // What the function stores through it.
          if (is_pointer(parameter.type)) pointer_flow_[holder_of(in[i + 1])].push_back(parameter.result);
        }
      }
      const Inst& t = block.terminator;
      if (t.op == spv::OpReturnValue && holds(t[0])) pointer_flow_[f.inst.result].push_back(t[0]);
    }
    for (const Inst& v : f.variables) initialized(v);
  }
}

/// The values that a pointer may be equal to, or a value with pointers inside be made of.
Vec<Id> Translator::pointer_sources(const Inst& in) {
  switch (in.op) {
    case spv::OpAccessChain:
    case spv::OpInBoundsAccessChain:
    case spv::OpPtrAccessChain:
    case spv::OpInBoundsPtrAccessChain:
    case spv::OpCopyObject:
    case spv::OpCopyLogical:
    case spv::OpLoad:
    case spv::OpCompositeExtract: return {in[0]};
    case spv::OpCompositeInsert: return {in[0], in[1]};
    case spv::OpSelect: return {in[1], in[2]};
    case spv::OpPhi: {
      Vec<Id> all;
      for (size_t i = 0; i + 1 < in.size(); i += 2) all.push_back(in[i]);
      return all;
    }
    case spv::OpCompositeConstruct: return Vec<Id>(in.operands.begin(), in.operands.end());
    case spv::OpFunctionCall: find_pointer_flow(); return pointer_flow_[in[0]];
    case spv::OpVariable:
    case spv::OpFunctionParameter: find_pointer_flow(); return pointer_flow_[in.result];
    case spv::OpConstantNull:
    case spv::OpConstantComposite:  // of nulls
    case spv::OpUndef: return {};
    default: throw Unsupported{kNoOrigin};
  }
}

/// What `id` points to, without its address: type and layout. Nothing: it is null on every way that the trail has not been on yet.
std::optional<Pointer> Translator::pointer_shape(Id id, PointerTrail& trail) {
  if (const auto [known, added] = trail.shapes.try_emplace(id); !added) return known->second;
  const Inst& in = spv_.def(id);
  if (++trail.depth > kMostSteps) throw Unsupported{kNoOrigin};
  std::optional<Pointer> shape;
  const bool by_element = in.op == spv::OpPtrAccessChain || in.op == spv::OpInBoundsPtrAccessChain;
  if (const auto variable = pointers_.find(id); in.op == spv::OpVariable && variable != pointers_.end() && variable->second.addressed()) {
    shape = variable->second;
    trail.roots.push_back(id);
  } else if (in.op == spv::OpLoad || in.op == spv::OpCompositeExtract) {
    Set<Id> seen;
    held_shapes(in[0], in.type, seen, trail, shape);
  } else if (in.op != spv::OpVariable) {
    for (const Id source : pointer_sources(in)) join_shape(shape, pointer_shape(source, trail));
    if (shape && (by_element || in.op == spv::OpAccessChain || in.op == spv::OpInBoundsAccessChain))
      for (size_t i = by_element ? 2 : 1; i < in.size(); ++i) step_shape(*shape, in[i]);
  }
  trail.shapes[id] = shape;
  --trail.depth;
  return shape;
}

/// Adds the pointers of type `wanted` that are in `id`: a value, or the memory of a variable.
void Translator::held_shapes(Id id, Id wanted, Set<Id>& seen, PointerTrail& trail, std::optional<Pointer>& shape) {
  const Id type = spv_.def(id).type;
  if (type == wanted) return join_shape(shape, pointer_shape(id, trail));
  if (!type || !holds_pointers(type) || !seen.insert(id).second) return;
  if (++trail.depth > kMostSteps) throw Unsupported{kNoOrigin};
  for (const Id source : pointer_sources(spv_.def(id))) held_shapes(source, wanted, seen, trail, shape);
  --trail.depth;
}

/// As step_into_address(), without code.
void Translator::step_shape(Pointer& p, Id index) {
  const Inst& t = spv_.def(p.type);
  if (t.op == spv::OpTypeStruct && !p.block_array) {
    p = member_of(p, p.type, spv_.constant_u32(index));
    return;
  }
  if (t.op == spv::OpTypeMatrix || t.op == spv::OpTypeVector)
    p.in_matrix = t.op == spv::OpTypeMatrix;
  else if (!p.block_array)
    p.stride = array_stride(p, p.type);
  p.type = t[0];
  const spv::Op inner = spv_.def(p.type).op;
  p.block_array = p.block_array && (inner == spv::OpTypeArray || inner == spv::OpTypeRuntimeArray);
}

}  // namespace pumice::compiler::frontend
