// SPDX-License-Identifier: MIT
/// Integers of 8 and 16 bits on chips with memory: registers hold them as 32-bit numbers of the same value, extended by the
/// signedness of their type. Operands of instructions that read more than the lowest bits are extended by the signedness of the
/// instruction, and results are wrapped to the type.
#include "spirv/unified1/GLSL.std.450.h"

#include "compiler/frontend/translator.h"

namespace pumice::compiler::frontend {

using ir::Op;
using ir::Type;

namespace {
constexpr unsigned kWord = 32;
}  // namespace

/// Bits of an integer type's components; 32 of everything that is no integer (and has no 64).
unsigned Translator::integer_bits(Id type) const {
  const Inst& t = spv_.def(type);
  if (t.op == spv::OpTypeVector) return integer_bits(t[0]);
  return t.op == spv::OpTypeInt || (t.op == spv::OpTypeFloat && t[0] > kWord) ? t[0] : kWord;
}

Operand Translator::extended(const Operand& x, unsigned bits, bool is_signed) {
  const Operand r = retag(x, is_signed ? Type::i32 : Type::u32);
  return b_.op(is_signed ? Op::ibfe : Op::ubfe, {r, integer(0, r), integer(bits, r)});
}

/// The operand as a signed or an unsigned number, whatever its type says.
Operand Translator::integer_operand(Id id, bool is_signed) {
  const Operand x = operand(id);
  const unsigned bits = integer_bits(spv_.def(id).type);
  return bits >= kWord || (x.type == Type::i32) == is_signed ? x : extended(x, bits, is_signed);
}

/// A result of which the lowest bits count.
Operand Translator::wrapped(const Operand& r, Id type) {
  const unsigned bits = integer_bits(type);
  return bits >= kWord ? r : extended(r, bits, leaf_type(type).type == Type::i32);
}

/// Functions of GLSL.std.450 on such integers.
bool Translator::glsl_narrow(const Inst& in, uint32_t f) {
  if (!memory_ || integer_bits(in.type) >= kWord) return false;
  const auto i = [&](size_t k) { return integer_operand(in[2 + k], true); };
  const auto u = [&](size_t k) { return integer_operand(in[2 + k], false); };
  const auto result = [&](const Operand& r) { return set(in, wrapped(r, in.type)), true; };
  switch (f) {
    case GLSLstd450SAbs: return result(b_.op_typed(Op::iabs, Type::i32, {i(0)}));
    case GLSLstd450SSign: return result(b_.op_typed(Op::isign, Type::i32, {i(0)}));
    case GLSLstd450SMin: return result(b_.op_typed(Op::imin, Type::i32, {i(0), i(1)}));
    case GLSLstd450SMax: return result(b_.op_typed(Op::imax, Type::i32, {i(0), i(1)}));
    case GLSLstd450UMin: return result(b_.op_typed(Op::umin, Type::u32, {u(0), u(1)}));
    case GLSLstd450UMax: return result(b_.op_typed(Op::umax, Type::u32, {u(0), u(1)}));
    case GLSLstd450SClamp: {
      const Operand low = b_.op_typed(Op::imax, Type::i32, {i(0), i(1)});
      return result(b_.op_typed(Op::imin, Type::i32, {low, i(2)}));
    }
    case GLSLstd450UClamp: {
      const Operand low = b_.op_typed(Op::umax, Type::u32, {u(0), u(1)});
      return result(b_.op_typed(Op::umin, Type::u32, {low, u(2)}));
    }
    default: return false;
  }
}

/// OpIAddCarry and its relatives: all of the result fits a register.
Leaves Translator::wide_narrow(const Inst& in) {
  const Id type = member_type(in.type, 0);
  const bool is_signed = in.op == spv::OpSMulExtended;
  const Operand a = integer_operand(in[0], is_signed), b = integer_operand(in[1], is_signed);
  const Type word = is_signed ? Type::i32 : Type::u32;
  if (in.op == spv::OpISubBorrow)
    return {wrapped(b_.op_typed(Op::isub, word, {a, b}), type),
            wrapped(b_.op_typed(Op::b2i, word, {b_.op_typed(Op::ult, Type::boolean, {a, b})}), type)};
  const Operand whole = b_.op_typed(in.op == spv::OpIAddCarry ? Op::iadd : Op::imul, word, {a, b});
  const Operand high = b_.op_typed(is_signed ? Op::ishr : Op::ushr, word, {whole, integer(integer_bits(type), whole)});
  return {wrapped(whole, type), wrapped(high, type)};
}

/// As many bits of components of any width, halves aside: in order, the first component's lowest.
Operand Translator::bits_as(const Operand& x, unsigned from_bits, const LeafType& to, unsigned to_bits) {
  if (ir::is_wide(x.type) || ir::is_wide(to.type)) return bitcast_wide(x, from_bits, to, to_bits);
  if (from_bits != kWord || to_bits != kWord) return bitcast_narrow(x, from_bits, to, to_bits);
  return (x.type == Type::f32) == (to.type == Type::f32) ? retag(x, to.type) : b_.op_typed(Op::bitcast, to.type, {x});
}

/// From or to integers of fewer than 32 bits.
Operand Translator::bitcast_narrow(const Operand& x, unsigned from_bits, const LeafType& to, unsigned to_bits) {
  const auto wrap = [&](const Operand& r) { return to_bits < kWord ? extended(r, to_bits, to.type == Type::i32) : retag(r, to.type); };
  if (from_bits == to_bits) return wrap(x);
  Vec<Operand> lanes;
  for (unsigned k = 0; k < to.comps; ++k) {
    if (to_bits < from_bits) {
      const unsigned at = k * to_bits;
      const Operand whole = b_.op_typed(Op::bitcast, Type::u32, {x.lane(at / from_bits)});
      const Operand piece = b_.op_typed(Op::ushr, Type::u32, {whole, integer(at % from_bits, whole)});
      lanes.push_back(extended(piece, to_bits, to.type == Type::i32));
      continue;
    }
    Operand whole;
    for (unsigned n = 0; n < to_bits / from_bits; ++n) {
      Operand piece = extended(x.lane(k * (to_bits / from_bits) + n), from_bits, false);
      if (n) piece = b_.op_typed(Op::ishl, Type::u32, {piece, integer(n * from_bits, piece)});
      whole = n ? b_.op_typed(Op::ior, Type::u32, {whole, piece}) : piece;
    }
    lanes.push_back(to.type == Type::f32 ? b_.op_typed(Op::bitcast, Type::f32, {whole}) : wrap(whole));
  }
  return b_.vec(lanes);
}

}  // namespace pumice::compiler::frontend
