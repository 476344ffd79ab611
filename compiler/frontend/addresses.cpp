// SPDX-License-Identifier: MIT
/// Memory of chips that address it by byte (docs/r5x.md, XM): buffers, push constants and the workgroup's memory. A pointer is a literal
/// offset plus one dynamic address; buffers and push constants are laid out as the module's decorations say, the workgroup's memory without
/// gaps. Booleans in memory are words.
#include <bit>

#include "compiler/frontend/translator.h"

namespace pumice::compiler::frontend {

using ir::Access;
using ir::Atomic;
using ir::Op;
using ir::Type;

// -------------------------------------------------------------------------------------------------------------- layout

/// Bytes of a component in memory.
unsigned Translator::scalar_bytes(Id type) const {
  const Inst& t = spv_.def(type);
  if (t.op == spv::OpTypeVector || t.op == spv::OpTypeMatrix) return scalar_bytes(t[0]);
  return t.op == spv::OpTypeBool ? 4 : t.op == spv::OpTypePointer ? 8 : t[0] / 8;
}

/// In the workgroup's memory. Everything but components is a multiple of 4 bytes.
uint32_t Translator::own_size(Id type) const {
  const Inst& t = spv_.def(type);
  uint64_t size = 0;
  switch (t.op) {
    case spv::OpTypeStruct:
      for (unsigned i = 0; i < member_count(type); ++i) size += own_size(member_type(type, i));
      break;
    case spv::OpTypeArray:
    case spv::OpTypeMatrix: size = uint64_t(member_count(type)) * own_size(t[0]); break;
    case spv::OpTypePointer: size = scalar_bytes(type); break;
    default: size = uint64_t(leaf_type(type).comps) * scalar_bytes(type); break;
  }
  if (size > UINT32_MAX / 2) throw Unsupported{"a variable of " + std::to_string(size) + " bytes"};
  return uint32_t(size + 3) & ~3u;
}

uint32_t Translator::array_stride(const Pointer& p, Id type) const {
  if (p.own_layout()) return own_size(spv_.def(type)[0]);
  return spv_.decoration(type, spv::DecorationArrayStride).value_or(16);
}

/// The pointer with what member i of the struct says about matrices; its offset is not the member's.
Pointer Translator::member_of(const Pointer& p, Id type, uint32_t i) const {
  Pointer m = p;
  if (p.own_layout()) {
    for (uint32_t k = 0; k < i; ++k) m.offset += own_size(member_type(type, k));
  } else {
    m.offset += spv_.member_decoration(type, i, spv::DecorationOffset).value_or(0);
    m.row_major = spv_.member_decoration(type, i, spv::DecorationRowMajor).has_value();
    m.column_stride = spv_.member_decoration(type, i, spv::DecorationMatrixStride).value_or(16);
  }
  m.coherent =
      p.coherent || spv_.member_decoration(type, i, spv::DecorationCoherent) || spv_.member_decoration(type, i, spv::DecorationVolatile);
  m.type = member_type(type, i);
  return m;
}

// -------------------------------------------------------------------------------------------------------- access chains

void Translator::advance(Pointer& p, Id index, uint32_t stride) {
  if (spv_.is_constant(index)) {
    p.offset += spv_.constant_u32(index) * stride;
    return;
  }
  Operand term = retag(index_operand(index), Type::u32);
  if (stride != 1) term = b_.op(Op::imul, {term, integer(stride, term)});
  p.address = p.address ? b_.op(Op::iadd, {p.address, term}) : term;
}

/// An array of blocks, images or samplers.
void Translator::step_into_descriptors(Pointer& p, Id index) {
  const Inst& t = spv_.def(p.type);
  const DescriptorLayout& layout = m_.resources[p.descriptor.row].layout;
  // Arrays of arrays are one array of descriptors.
  uint32_t inner = 1;
  const auto is_array = [&](Id type) { return spv_.def(type).op == spv::OpTypeArray || spv_.def(type).op == spv::OpTypeRuntimeArray; };
  for (Id type = t[0]; is_array(type); type = spv_.def(type)[0]) inner *= member_count(type);
  if (spv_.is_constant(index)) {
    const uint32_t last = t.op == spv::OpTypeRuntimeArray ? UINT32_MAX : member_count(p.type) - 1;
    p.descriptor.element += std::min(spv_.constant_u32(index), last) * inner;
  } else {
    const Operand i = retag(index_operand(index), Type::u32), bytes = b_.op(Op::imul, {i, integer(inner * layout.stride, i)});
    p.descriptor.index = p.descriptor.index ? b_.op(Op::iadd, {p.descriptor.index, bytes}) : bytes;
  }
  p.block_array = is_array(t[0]);
  p.type = t[0];
}

void Translator::step_into_address(Pointer& p, Id index) {
  const Inst& t = spv_.def(p.type);
  if (p.kind == Pointer::Kind::image || p.block_array) return step_into_descriptors(p, index);
  const bool own = p.own_layout();
  switch (t.op) {
    case spv::OpTypeStruct: p = member_of(p, p.type, spv_.constant_u32(index)); return;
    case spv::OpTypeVector: {
      const uint32_t bytes = scalar_bytes(p.type);
      advance(p, index, p.in_matrix && p.row_major ? p.column_stride : bytes);
      p.in_matrix = false;
      break;
    }
    case spv::OpTypeMatrix:
      advance(p, index, own ? own_size(t[0]) : p.row_major ? scalar_bytes(p.type) : p.column_stride);
      p.in_matrix = true;
      break;
    case spv::OpTypeArray:
    case spv::OpTypeRuntimeArray:
      p.stride = array_stride(p, p.type);
      advance(p, index, p.stride);
      break;
    default: throw Unsupported{"the SPIR-V is not valid: an index into " + opcode_name(t.op)};
  }
  p.type = t[0];
}

// --------------------------------------------------------------------------------------------------------------- access

void Translator::add_index(ir::Instruction& in, const Descriptor& d) {
  Access a = in.access();
  a.element = d.element;
  if (d.index) {
    a.flags |= Access::kIndexed;
    in.source[in.source_count++] = d.index.source;
  }
  in.set_access(a);
}

/// The instruction for `offset` bytes from what the pointer's address says; `width`: bytes of a component.
ir::Instruction Translator::access(const Pointer& p, Op op, uint32_t offset, std::initializer_list<Operand> data, unsigned width) {
  ir::Instruction in{.op = op, .index = p.descriptor.row, .offset = offset};
  const Operand address = p.physical ? physical_address(p) : p.address;
  in.source[in.source_count++] = address ? address.source : constant_word(0, 1, Type::u32).source;
  physical_stores_ |= p.physical && op != Op::load_buffer;
  for (const Operand& d : data) in.source[in.source_count++] = d.source;
  Access a;
  a.width = uint8_t(width == 4 ? 0 : width * 8);
  a.flags = p.coherent ? Access::kCoherent : 0;
  in.set_access(a);
  if (p.kind == Pointer::Kind::buffer)
    add_index(in, p.descriptor);
  else
    in.index = 0;
  return in;
}

namespace {
Op load_op(const Pointer& p) {
  switch (p.kind) {
    case Pointer::Kind::buffer: return p.storage ? Op::load_buffer : Op::load_const;
    case Pointer::Kind::pushed: return Op::load_pushed;
    default: return Op::load_shared;
  }
}
}  // namespace

/// A scalar or vector.
Operand Translator::load_lanes(const Pointer& p, Id type, uint32_t offset) {
  const LeafType leaf = leaf_type(type);
  if (p.null) return constant_word(0, leaf.comps, leaf.type);
  if (!p.choices.empty()) return of_chosen(p, [&](const Pointer& one) { return load_lanes(one, type, offset); });
  const unsigned width = scalar_bytes(type), stride = p.in_matrix && p.row_major ? p.column_stride : width;
  const Type word = leaf.type == Type::boolean ? Type::u32 : leaf.type;
  const bool half = width == 2 && leaf.type == Type::f32;
  Operand all;
  if (leaf.pointer) {
    if (!is_physical(type)) throw Unsupported{"the SPIR-V is not valid: a pointer in memory that is no address"};
    return b_.append(access(p, load_op(p), offset, {}, 4), Type::u32, 2);
  }
  if (width == 8) {
    Vec<Operand> words;
    for (unsigned i = 0; i < leaf.comps; ++i) {
      const Operand both = b_.append(access(p, load_op(p), offset + i * stride, {}, 4), Type::u32, 2);
      words.push_back(both.lane(0));
      words.push_back(both.lane(1));
    }
    return from_words(words, leaf.type);
  }
  if (width == 4 && (stride == 4 || leaf.comps == 1)) {
    all = b_.append(access(p, load_op(p), offset, {}, 4), word, leaf.comps);
  } else {
    Vec<Operand> lanes;
    for (unsigned i = 0; i < leaf.comps; ++i) {
      ir::Instruction in = access(p, load_op(p), offset + i * stride, {}, width);
      if (width != 4 && leaf.type == Type::i32) {
        Access a = in.access();
        a.flags |= Access::kSigned;
        in.set_access(a);
      }
      Operand lane = b_.append(in, half ? Type::u32 : word, 1);
      if (half) {
        ir::Instruction unpack{.op = Op::unpack_half2x16, .source_count = 1};
        unpack.source[0] = lane.source;
        lane = b_.append(unpack, Type::f32, 2).lane(0);
      }
      lanes.push_back(lane);
    }
    all = b_.vec(lanes);
  }
  return leaf.type == Type::boolean ? b_.op_typed(Op::ine, Type::boolean, {all, integer(0, all)}) : all;
}

void Translator::store_lanes(const Pointer& p, Id type, uint32_t offset, const Operand& value) {
  const LeafType leaf = leaf_type(type);
  if (value.comps != leaf.comps) throw Unsupported{"the SPIR-V is not valid: a value of another type than what it is stored to"};
  if (p.null) return;
  const unsigned width = scalar_bytes(type), stride = p.in_matrix && p.row_major ? p.column_stride : width;
  const Operand words = leaf.type == Type::boolean ? b_.op_typed(Op::b2i, Type::u32, {value}) : value;
  const auto store = [&](uint32_t at, Operand data, unsigned bytes) {
    if (bytes == 2 && leaf.type == Type::f32) {
      ir::Instruction pack{.op = Op::pack_half2x16, .source_count = 1};
      pack.source[0] = b_.vec(std::array{data, constant(0.0f)}).source;
      data = b_.append(pack, Type::u32, 1);
    }
    with_chosen(p, [&](const Pointer& one) {
      if (one.kind == Pointer::Kind::buffer) m_.resources[one.descriptor.row].written = true;
      ir::Instruction in = access(one, one.kind == Pointer::Kind::shared ? Op::store_shared : Op::store_buffer, at, {data}, bytes);
      in.mask = uint8_t((1u << data.comps) - 1);
      b_.append(in, Type::f32, 0);
    });
  };
  if (leaf.pointer) {
    if (!is_physical(type)) throw Unsupported{"the SPIR-V is not valid: a pointer in memory that is no address"};
    return store(offset, value, 4);
  }
  if (width == 8) {
    const Vec<Operand> halves = to_words(value);
    for (unsigned i = 0; i < leaf.comps; ++i) store(offset + i * stride, b_.vec(std::array{halves[2 * i], halves[2 * i + 1]}), 4);
    return;
  }
  if (width == 4 && (stride == 4 || leaf.comps == 1)) return store(offset, words, width);
  for (unsigned i = 0; i < leaf.comps; ++i) store(offset + i * stride, words.lane(i), width);
}

void Translator::load_address(const Pointer& p, Id type, uint32_t offset, Leaves& out) {
  const Inst& t = spv_.def(type);
  switch (t.op) {
    case spv::OpTypeStruct:
      for (unsigned i = 0; i < member_count(type); ++i) {
        const Pointer member = member_of(p, type, i);
        load_address(member, member.type, offset + member.offset - p.offset, out);
      }
      break;
    case spv::OpTypeArray:
      for (uint32_t i = 0; i < member_count(type); ++i) load_address(p, t[0], offset + i * array_stride(p, type), out);
      break;
    case spv::OpTypeMatrix: {
      Pointer column = p;
      column.in_matrix = true;
      const uint32_t stride = p.own_layout() ? own_size(t[0]) : p.row_major ? scalar_bytes(type) : p.column_stride;
      for (uint32_t i = 0; i < member_count(type); ++i) out.push_back(load_lanes(column, t[0], offset + i * stride));
      break;
    }
    default: out.push_back(load_lanes(p, type, offset)); break;
  }
}

Leaves Translator::load_address(const Pointer& p) {
  Leaves out;
  if (p.block_array || p.kind == Pointer::Kind::image) throw Unsupported{"the SPIR-V is not valid: a load of an array of descriptors"};
  leaf_count(p.type);  // refuses absurd arrays
  load_address(p, p.type, p.offset, out);
  return out;
}

void Translator::store_address(const Pointer& p, Id type, uint32_t offset, std::span<const Operand>& in) {
  if (p.kind == Pointer::Kind::pushed || (p.kind == Pointer::Kind::buffer && !p.storage) || p.kind == Pointer::Kind::image)
    throw Unsupported{"the SPIR-V is not valid: a store to " + spv_.name(p.variable)};
  const Inst& t = spv_.def(type);
  switch (t.op) {
    case spv::OpTypeStruct:
      for (unsigned i = 0; i < member_count(type); ++i) {
        const Pointer member = member_of(p, type, i);
        store_address(member, member.type, offset + member.offset - p.offset, in);
      }
      break;
    case spv::OpTypeArray:
      for (uint32_t i = 0; i < member_count(type); ++i) store_address(p, t[0], offset + i * array_stride(p, type), in);
      break;
    case spv::OpTypeMatrix: {
      Pointer column = p;
      column.in_matrix = true;
      const uint32_t stride = p.own_layout() ? own_size(t[0]) : p.row_major ? scalar_bytes(type) : p.column_stride;
      for (uint32_t i = 0; i < member_count(type); ++i) store_address(column, t[0], offset + i * stride, in);
      break;
    }
    default:
      if (in.empty()) throw Unsupported{"the SPIR-V is not valid: a value of another type than what it is stored to"};
      store_lanes(p, type, offset, in.front());
      in = in.subspan(1);
      break;
  }
}

void Translator::array_length(const Inst& in) {
  const Pointer p = pointer(in[0]);
  const Pointer member = member_of(p, p.type, in[1]);
  if (p.null) return set(in, constant_word(0, 1, leaf_type(in.type).type));
  const Operand bytes = of_chosen(p, [&](const Pointer& one) {
    ir::Instruction size{.op = Op::buffer_size, .index = one.descriptor.row};
    add_index(size, one.descriptor);
    return b_.append(size, Type::u32, 1);
  });
  const Operand start = integer(member.offset, bytes);
  // A buffer shorter than what stands before the array has no elements.
  const Operand left = b_.op(Op::isub, {b_.op(Op::umax, {bytes, start}), start});
  set(in, b_.op(Op::udiv, {left, integer(array_stride(member, member.type), left)}));
}

// -------------------------------------------------------------------------------------------------------------- atomics

Operand Translator::atomic_on(const Inst& in, Atomic op, std::initializer_list<Operand> data) {
  const Type type = data.begin()->type;
  const unsigned comps = data.begin()->comps;
  const auto finish = [&](ir::Instruction atomic) {
    Access a = atomic.access();
    a.sub = uint8_t(op);
    a.flags |= Access::kCoherent;
    atomic.set_access(a);
    return b_.append(atomic, type, comps);
  };
  if (const auto texel = texels_.find(in[0]); texel != texels_.end()) {
    const ImageRef& ref = texel->second.image;
    m_.resources[ref.image.row].written = true;
    ir::Instruction atomic{.op = Op::atomic_image, .index = ref.image.row};
    atomic.source[atomic.source_count++] = texel->second.texel.source;
    for (const Operand& d : data) atomic.source[atomic.source_count++] = d.source;
    add_index(atomic, ref.image);
    return finish(atomic);
  }
  const Pointer p = pointer(in[0]);
  if (!p.addressed() || p.kind == Pointer::Kind::pushed || (p.kind == Pointer::Kind::buffer && !p.storage))
    fail(in, "an atomic operation on " + spv_.name(p.variable), "only storage buffers, images and the workgroup's memory have them");
  const auto one_buffer = [&](const Pointer& one) {
    if (one.kind == Pointer::Kind::buffer) m_.resources[one.descriptor.row].written = true;
    return finish(access(one, one.kind == Pointer::Kind::shared ? Op::atomic_shared : Op::atomic_buffer, one.offset, data, 4));
  };
  if (p.null) return constant_word(0, comps, type);
  if (p.choices.empty()) return one_buffer(p);
  m_.temps.push_back({1, uint8_t(comps), type});
  const auto temp = uint32_t(m_.temps.size() - 1);
  with_chosen(p, [&](const Pointer& one) { store_temp_word(temp, one_buffer(one)); });
  return b_.append({.op = Op::load_temp, .index = temp}, type, comps);
}

/// Accesses keep their order in the program, but loads may pass each other: semantics are fences around the operation.
void Translator::ordered_atomic(const Inst& in) {
  constexpr uint32_t kBoth = uint32_t{spv::MemorySemanticsAcquireReleaseMask} | uint32_t{spv::MemorySemanticsSequentiallyConsistentMask};
  const uint32_t semantics = spv_.constant_u32(in[2]);
  const auto fence_for = [&](uint32_t mask) {
    if (semantics & (kBoth | mask)) b_.append({.op = Op::fence}, Type::f32, 0);
  };
  fence_for(spv::MemorySemanticsReleaseMask);
  atomic(in);
  fence_for(spv::MemorySemanticsAcquireMask);
}

static bool is_float_atomic(spv::Op op) { return op == spv::OpAtomicFAddEXT || op == spv::OpAtomicFMinEXT || op == spv::OpAtomicFMaxEXT; }

/// Operands: pointer, scope, semantics, value. Floats are exchanged as their bits; of 64 bits are both words at once.
void Translator::atomic(const Inst& in) {
  const bool stores = in.op == spv::OpAtomicStore, computes = is_float_atomic(in.op);
  const Type type = stores ? operand(in[3]).type : leaf_type(in.type).type;
  const bool wide = ir::is_wide(type), is_float = ir::info(type).cls == ir::TypeClass::flt_;
  if (is_float && (wide || is_half(stores ? spv_.def(in[3]).type : in.type)))
    fail(in, "an atomic operation on floats of other than 32 bits", "the chip's have 32");
  const auto word = [&](const Operand& x) {
    if (wide) return b_.vec(std::array{low_words(x), high_words(x)});
    return is_float && !computes ? b_.op_typed(Op::bitcast, Type::u32, {x}) : retag(x, type);
  };
  const auto value = [&](const Operand& x) {
    if (wide) return joined(x.lane(0), x.lane(1), type);
    return x.type != Type::f32 && is_float ? b_.op_typed(Op::bitcast, type, {x}) : retag(x, type);
  };
  const auto one = [&](uint32_t low, uint32_t high) {
    return wide ? constant_lanes(ir::Lanes(std::array{low, high, 0u, 0u}), 2, Type::u32)
                : constant_word(low, 1, is_float ? Type::u32 : type);
  };
  const auto with = [&](Atomic op, const Operand& data) { set(in, value(atomic_on(in, op, {data}))); };
  const auto simple = [&](Atomic op) { with(op, word(operand(in[3]))); };
  const bool plain = !texels_.count(in[0]) && !wide;
  switch (in.op) {
    case spv::OpAtomicLoad: {
      if (!plain) return with(Atomic::bor, one(0, 0));
      Pointer p = pointer(in[0]);
      p.coherent = true;
      return set(in, load(p));
    }
    case spv::OpAtomicStore: {
      if (!plain) return static_cast<void>(atomic_on(in, Atomic::exchange, {word(operand(in[3]))}));
      Pointer p = pointer(in[0]);
      p.coherent = true;
      return store(p, leaves(in[3]));
    }
    case spv::OpAtomicExchange: return simple(Atomic::exchange);
    case spv::OpAtomicCompareExchange:
      return set(in, value(atomic_on(in, Atomic::compare_exchange, {word(operand(in[4])), word(operand(in[5]))})));
    case spv::OpAtomicIIncrement: return with(Atomic::add, one(1, 0));
    case spv::OpAtomicIDecrement: return with(Atomic::add, one(~0u, ~0u));
    case spv::OpAtomicFAddEXT:
    case spv::OpAtomicIAdd: return simple(Atomic::add);
    case spv::OpAtomicISub: return with(Atomic::add, word(b_.op_typed(Op::ineg, type, {operand(in[3])})));
    case spv::OpAtomicSMin: return simple(Atomic::smin);
    case spv::OpAtomicFMinEXT: return simple(Atomic::smin);
    case spv::OpAtomicFMaxEXT: return simple(Atomic::smax);
    case spv::OpAtomicUMin: return simple(Atomic::umin);
    case spv::OpAtomicSMax: return simple(Atomic::smax);
    case spv::OpAtomicUMax: return simple(Atomic::umax);
    case spv::OpAtomicAnd: return simple(Atomic::band);
    case spv::OpAtomicOr: return simple(Atomic::bor);
    default: return simple(Atomic::bxor);
  }
}

bool Translator::addresses(const Inst& in) {
  switch (in.op) {
    case spv::OpPtrAccessChain:
    case spv::OpInBoundsPtrAccessChain: {
      Pointer p = pointer(in[0]);
      if (!p.addressed() || p.kind == Pointer::Kind::image) fail(in, "arithmetic on a pointer", "it does not point into memory");
      const Inst& type = spv_.def(spv_.def(in[0]).type);
      advance(p, in[1], p.own_layout() ? own_size(p.type) : spv_.decoration(type.result, spv::DecorationArrayStride).value_or(0));
      for (size_t i = 2; i < in.size(); ++i) step_into(p, in[i]);
      pointers_[in.result] = p;
      return true;
    }
    case spv::OpArrayLength: array_length(in); return true;
    case spv::OpImageTexelPointer: texel_pointer(in); return true;
    case spv::OpSelect: {
      if (!is_pointer(in.type)) return false;
      pointers_[in.result] = select_pointer(operand(in[0]), pointer(in[1]), pointer(in[2]));
      return true;
    }
    default:
      if (!is_float_atomic(in.op) && (in.op < spv::OpAtomicLoad || in.op > spv::OpAtomicXor || in.op == spv::OpAtomicCompareExchangeWeak))
        return false;
      ordered_atomic(in);
      return true;
  }
}

}  // namespace pumice::compiler::frontend
