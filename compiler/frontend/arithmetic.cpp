// SPDX-License-Identifier: MIT
/// Float, integer and boolean instructions. Integers are floats: what stays exact that way is translated, bit logic is refused unless it
/// has an exact arithmetic meaning (masks, shifts by constants).
#include <bit>

#include "compiler/frontend/translator.h"

namespace pumice::compiler::frontend {

using ir::Op;
using ir::Type;

namespace {
constexpr const char* kNoBits = "this chip computes in 32-bit floats and has no operations on bits; integers are exact up to 2^24 only";
}

bool Translator::arithmetic(const Inst& in) {
  auto a = [&] { return operand(in[0]); };
  auto b = [&] { return operand(in[1]); };
  switch (in.op) {
    case spv::OpFNegate: set(in, -a()); return true;
    case spv::OpFAdd: set(in, b_.add(a(), b())); return true;
    case spv::OpFSub: set(in, b_.sub(a(), b())); return true;
    case spv::OpFMul:
    case spv::OpVectorTimesScalar: set(in, b_.mul(a(), b())); return true;
    case spv::OpFDiv: set(in, b_.op(Op::div, {a(), b()})); return true;
    case spv::OpFMod: {
      const Operand x = a(), y = b();
      set(in, b_.sub(x, b_.mul(y, b_.op(Op::floor, {b_.op(Op::div, {x, y})}))));
      return true;
    }
    case spv::OpFRem: {
      const Operand x = a(), y = b();
      set(in, b_.sub(x, b_.mul(y, b_.op(Op::trunc, {b_.op(Op::div, {x, y})}))));
      return true;
    }
    case spv::OpDot: set(in, b_.dot(a(), b())); return true;
    case spv::OpQuantizeToF16: fail(in, "rounding to 16-bit floats", "the chip has no such conversion in its shaders");
    case spv::OpDPdx:
    case spv::OpDPdxCoarse: set(in, b_.op(Op::ddx, {a()})); return true;
    case spv::OpDPdy:
    case spv::OpDPdyCoarse: set(in, b_.op(Op::ddy, {a()})); return true;
    case spv::OpFwidth:
    case spv::OpFwidthCoarse: {
      const Operand x = a();
      set(in, b_.add(b_.op(Op::ddx, {x}).abs(), b_.op(Op::ddy, {x}).abs()));
      return true;
    }
    case spv::OpDPdxFine:
    case spv::OpDPdyFine:
    case spv::OpFwidthFine:
      fail(in, "fine derivatives", "the chip computes one derivative for each 2x2 quad and cannot reach the bottom right neighbour");
    case spv::OpConvertFToS:
    case spv::OpConvertFToU: set(in, b_.op_typed(Op::trunc, leaf_type(in.type).type, {a()})); return true;
    case spv::OpConvertSToF:
    case spv::OpConvertUToF: set(in, b_.mov(a(), Type::f32)); return true;
    case spv::OpUConvert:
    case spv::OpSConvert:
    case spv::OpFConvert:
      leaf_type(in.type);
      set(in, retag(a(), leaf_type(in.type).type));
      return true;
    case spv::OpBitcast: {
      const Operand x = a();
      const LeafType to = leaf_type(in.type);
      if (x.comps != to.comps || (x.type == Type::f32) != (to.type == Type::f32)) fail(in, "reinterpreting the bits of a value", kNoBits);
      set(in, retag(x, to.type));
      return true;
    }
    default: return false;
  }
}

/// x & mask for masks of one run of ones, by differences of remainders (exact, also for negative x in two's complement).
Operand Translator::mask_bits(const Operand& x, uint32_t mask, const Inst& in) {
  if (mask == 0) return constant(0.0f, x.comps, x.type);
  const int low = std::countr_zero(mask), width = std::popcount(mask);
  if (width + low > 24 || (mask >> low) != (width == 32 ? ~0u : (1u << width) - 1)) fail(in, "bit logic on integers", kNoBits);
  auto remainder = [&](int bits) {
    const Operand floored = b_.op(Op::floor, {b_.mul(x, constant(1.0f / float(1u << bits), 1, x.type))});
    return b_.mad(floored, constant(-float(1u << bits), 1, x.type), x);
  };
  const Operand high = remainder(low + width);
  return low == 0 ? high : b_.sub(high, remainder(low));
}

bool Translator::integer(const Inst& in) {
  auto a = [&] { return operand(in[0]); };
  auto b = [&] { return operand(in[1]); };
  // Integer operands may differ in signedness: the result's type counts.
  auto typed = [&](Op op, std::initializer_list<Operand> o) { set(in, b_.op_typed(op, leaf_type(in.type).type, o)); };
  auto uniform_constant = [&](Id id) -> std::optional<uint32_t> {
    const Inst& c = spv_.def(id);
    if (c.op == spv::OpConstant || c.op == spv::OpConstantNull) return leaf_type(c.type).comps == 1 ? spv_.constant_u32(id) : 0;
    if (c.op != spv::OpConstantComposite) return std::nullopt;
    for (uint32_t part : c.operands)
      if (!spv_.is_constant(part) || spv_.constant_u32(part) != spv_.constant_u32(c[0])) return std::nullopt;
    return spv_.constant_u32(c[0]);
  };
  switch (in.op) {
    case spv::OpSNegate: set(in, retag(-a(), leaf_type(in.type).type)); return true;
    case spv::OpIAdd: typed(Op::add, {a(), b()}); return true;
    case spv::OpISub: typed(Op::add, {a(), -b()}); return true;
    case spv::OpIMul: typed(Op::mul, {a(), b()}); return true;
    case spv::OpSDiv:
    case spv::OpUDiv: typed(Op::idiv, {a(), b()}); return true;
    case spv::OpSMod:
    case spv::OpUMod: typed(Op::imod, {a(), b()}); return true;
    case spv::OpSRem: typed(Op::irem, {a(), b()}); return true;
    case spv::OpShiftLeftLogical:
    case spv::OpShiftRightLogical:
    case spv::OpShiftRightArithmetic: {
      const auto amount = uniform_constant(in[1]);
      if (!amount || *amount > 23) fail(in, "a shift by a variable or large amount", kNoBits);
      const float scale = float(1u << *amount);
      const Type t = leaf_type(in.type).type;
      if (in.op == spv::OpShiftLeftLogical)
        typed(Op::mul, {a(), constant(scale, 1, t)});
      else
        typed(Op::floor, {b_.mul(a(), constant(1.0f / scale, 1, t))});
      return true;
    }
    case spv::OpBitwiseAnd: {
      const auto right = uniform_constant(in[1]), left = uniform_constant(in[0]);
      if (!right && !left) fail(in, "bit logic on integers", kNoBits);
      set(in, retag(right ? mask_bits(a(), *right, in) : mask_bits(b(), *left, in), leaf_type(in.type).type));
      return true;
    }
    case spv::OpBitFieldUExtract:
    case spv::OpBitFieldSExtract: {
      const auto offset = uniform_constant(in[1]), bits = uniform_constant(in[2]);
      if (!offset || !bits || *offset + *bits > 24) fail(in, "a bit field with a variable or large place", kNoBits);
      const LeafType t = leaf_type(in.type);
      if (!*bits) return set(in, constant(0.0f, t.comps, t.type)), true;
      // Moved down first: what lies above the field goes with the remainder.
      const Operand moved = b_.op(Op::floor, {b_.mul(a(), constant(1.0f / float(1u << *offset), 1, a().type))});
      Operand field = mask_bits(moved, (1u << *bits) - 1, in);
      if (in.op == spv::OpBitFieldSExtract) {
        const Operand half = constant(float(1u << (*bits - 1)), 1, field.type);
        const Operand sign = b_.mov(b_.op_typed(Op::sge, Type::boolean, {field, half}), field.type);
        field = b_.mad(sign, constant(-float(1u << *bits), 1, field.type), field);
      }
      set(in, retag(field, t.type));
      return true;
    }
    case spv::OpNot:
      if (leaf_type(in.type).type != Type::i32) fail(in, "bit logic on integers", kNoBits);
      set(in, b_.add(-a(), constant(-1.0f, 1, Type::i32)));
      return true;
    case spv::OpBitwiseOr:
    case spv::OpBitwiseXor:
    case spv::OpBitFieldInsert:
    case spv::OpBitReverse:
    case spv::OpBitCount: fail(in, "bit logic on integers", kNoBits);
    case spv::OpIAddCarry:
    case spv::OpISubBorrow:
    case spv::OpUMulExtended:
    case spv::OpSMulExtended: fail(in, "integer arithmetic with a carry or a wide result", kNoBits);
    case spv::OpAtomicIAdd:
    case spv::OpAtomicLoad:
    case spv::OpAtomicStore:
    case spv::OpAtomicExchange: fail(in, "atomic operations", "the chip's shaders cannot read or write memory by address");
    default: return false;
  }
}

bool Translator::logic(const Inst& in) {
  auto a = [&] { return operand(in[0]); };
  auto b = [&] { return operand(in[1]); };
  auto boolean = [&](Op op, const Operand& x, const Operand& y) { set(in, b_.op_typed(op, Type::boolean, {x, y})); };
  switch (in.op) {
    case spv::OpFOrdEqual:
    case spv::OpFUnordEqual:
    case spv::OpIEqual:
    case spv::OpLogicalEqual: boolean(Op::seq, a(), b()); return true;
    case spv::OpFOrdNotEqual:
    case spv::OpFUnordNotEqual:
    case spv::OpINotEqual:
    case spv::OpLogicalNotEqual: boolean(Op::sne, a(), b()); return true;
    case spv::OpFOrdLessThan:
    case spv::OpFUnordLessThan:
    case spv::OpSLessThan:
    case spv::OpULessThan: boolean(Op::slt, a(), b()); return true;
    case spv::OpFOrdGreaterThan:
    case spv::OpFUnordGreaterThan:
    case spv::OpSGreaterThan:
    case spv::OpUGreaterThan: boolean(Op::slt, b(), a()); return true;
    case spv::OpFOrdLessThanEqual:
    case spv::OpFUnordLessThanEqual:
    case spv::OpSLessThanEqual:
    case spv::OpULessThanEqual: boolean(Op::sge, b(), a()); return true;
    case spv::OpFOrdGreaterThanEqual:
    case spv::OpFUnordGreaterThanEqual:
    case spv::OpSGreaterThanEqual:
    case spv::OpUGreaterThanEqual: boolean(Op::sge, a(), b()); return true;
    case spv::OpLogicalAnd: boolean(Op::mul, a(), b()); return true;
    case spv::OpLogicalOr: boolean(Op::max, a(), b()); return true;
    case spv::OpLogicalNot: set(in, b_.op_typed(Op::seq, Type::boolean, {a(), constant(0.0f)})); return true;
    case spv::OpIsNan: {
      const Operand x = a();
      boolean(Op::sne, x, x);
      return true;
    }
    case spv::OpIsInf: boolean(Op::seq, a().abs(), constant(std::bit_cast<float>(0x7F800000u))); return true;
    case spv::OpAny:
    case spv::OpAll: {
      const Operand x = a();
      Operand r = x.lane(0);
      for (unsigned i = 1; i < x.comps; ++i) r = b_.op_typed(in.op == spv::OpAny ? Op::max : Op::mul, Type::boolean, {r, x.lane(i)});
      set(in, r);
      return true;
    }
    case spv::OpSelect: {
      const Operand condition = operand(in[0]);
      const Leaves x = leaves(in[1]), y = leaves(in[2]);
      Leaves r;
      if (x.size() != y.size()) fail(in, "a choice between values of different types", "the SPIR-V is not valid");
      for (size_t i = 0; i < x.size(); ++i) r.push_back(b_.op(Op::sel, {condition, x[i], y[i]}));
      set(in, r);
      return true;
    }
    default: return false;
  }
}

}  // namespace pumice::compiler::frontend
