// SPDX-License-Identifier: MIT
/// Addresses of the chip's memory as pointers (SPV_KHR_physical_storage_buffer). Such a pointer is a value of two words; an access names a
/// row of Module::resources that stands for all of memory (kWholeMemory) and gives the low word as its offset: buffers lie in the lowest
/// 4 GiB. How what it points to is laid out is a matter of its type alone.
#include "compiler/frontend/translator.h"

namespace pumice::compiler::frontend {

using ir::Op;
using ir::Type;

bool Translator::is_physical(Id type) const {
  const Inst& t = spv_.def(type);
  return t.op == spv::OpTypePointer && t.as<spv::StorageClass>(0) == spv::StorageClassPhysicalStorageBuffer;
}

/// The pointer of the type with this address: two words, the low one first.
Pointer Translator::physical_pointer(Id type, const Operand& words) {
  if (whole_memory_ < 0) {
    whole_memory_ = int32_t(m_.resources.size());
    ir::Resource& row = m_.resources.emplace_back();
    row.layout = {.set = kWholeMemory, .kind = DescriptorLayout::Kind::storage_buffer};
    row.written = true;  // others may
  }
  Pointer p{.kind = Pointer::Kind::buffer, .type = spv_.def(type)[1]};
  p.storage = p.physical = true;
  p.descriptor.row = uint32_t(whole_memory_);
  p.address = words.lane(0);
  p.high = words.lane(1);
  return p;
}

/// Where the access begins: addresses beyond 4 GiB are page 0, which nothing is at.
Operand Translator::physical_address(const Pointer& p) {
  if (!p.high) return p.address;
  const Operand zero = integer(0, p.high);
  return b_.sel(b_.op_typed(Op::ieq, Type::boolean, {p.high, zero}), p.address, zero);
}

/// The address as words of a value.
Operand Translator::physical_words(const Pointer& p) {
  return b_.vec(std::array{address_of(p), p.high ? p.high : constant_word(0, 1, Type::u32)});
}

/// Conversions between addresses and numbers.
bool Translator::physical(const Inst& in) {
  const auto as_number = [&](const Operand& words) {
    const LeafType to = leaf_type(in.type);
    if (ir::is_wide(to.type)) return joined(words.lane(0), words.lane(1), to.type);
    return to.comps == 2 ? retag(words, to.type) : wrapped(retag(words.lane(0), to.type), in.type);
  };
  const auto as_words = [&](Id id) {
    const Operand x = operand(id);
    if (ir::is_wide(x.type)) return b_.vec(std::array{low_words(x), high_words(x)});
    if (x.comps == 2) return retag(x, Type::u32);
    const Operand word = retag(x, Type::u32);
    return b_.vec(std::array{word, integer(0, word)});
  };
  const auto value_is_pointer = [&] { return is_physical(spv_.def(in[0]).type); };
  switch (in.op) {
    case spv::OpConvertPtrToU: set(in, as_number(physical_words(pointer(in[0])))); return true;
    case spv::OpConvertUToPtr: pointers_[in.result] = physical_pointer(in.type, as_words(in[0])); return true;
    case spv::OpBitcast: {
      const bool from = value_is_pointer(), to = is_physical(in.type);
      if (!from && !to) return false;
      const Operand words = from ? physical_words(pointer(in[0])) : as_words(in[0]);
      if (to)
        pointers_[in.result] = physical_pointer(in.type, words);
      else
        set(in, as_number(words));
      return true;
    }
    case spv::OpPtrEqual:
    case spv::OpPtrNotEqual: {
      if (!value_is_pointer()) return false;
      const Operand a = physical_words(pointer(in[0])), b = physical_words(pointer(in[1]));
      const auto same = [&](unsigned i) { return b_.op_typed(Op::ieq, Type::boolean, {a.lane(i), b.lane(i)}); };
      const Operand equal = b_.op(Op::iand, {same(0), same(1)});
      set(in, in.op == spv::OpPtrEqual ? equal : b_.logical_not(equal));
      return true;
    }
    default: return false;
  }
}

}  // namespace pumice::compiler::frontend
