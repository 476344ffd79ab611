// SPDX-License-Identifier: MIT
/// Float, integer and boolean instructions.
#include <bit>

#include "compiler/frontend/translator.h"

namespace pumice::compiler::frontend {

using ir::Op;
using ir::Type;

namespace {
constexpr float kSmallestHalf = 1.0f / 16384.0f;  // 2^-14, the smallest normal one
}  // namespace

bool Translator::arithmetic(const Inst& in) {
  auto a = [&] { return operand(in[0]); };
  auto b = [&] { return operand(in[1]); };
  switch (in.op) {
    case spv::OpFNegate: set(in, -a()); return true;
    case spv::OpFAdd: set(in, b_.add(a(), b())); return true;
    case spv::OpFSub: set(in, b_.sub(a(), b())); return true;
    case spv::OpFMul:
    case spv::OpVectorTimesScalar: set(in, product(in, a(), b())); return true;
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
    case spv::OpQuantizeToF16:
      if (memory_) {
        // What a normal 16-bit float cannot hold becomes zero of the same sign, which the multiplier would lose.
        const Operand x = a(), r = quantized(x), word = b_.op_typed(Op::bitcast, Type::u32, {x});
        const Operand zero = b_.op_typed(Op::bitcast, Type::f32, {b_.op(Op::iand, {word, integer(0x80000000u, word)})});
        set(in, b_.sel(b_.op(Op::slt, {r.abs(), constant(kSmallestHalf)}), zero, r));
        return true;
      }
      fail(in, "rounding to 16-bit floats", "the chip has no such conversion in its shaders");
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
    case spv::OpFwidthFine: {
      // Where the fragment unit has none, what takes their place is each pixel's own (passes/lower_derivatives.cpp).
      const bool own = target_.chip && !target_.chip->derivatives;
      if (memory_ || own) {
        const Operand x = a();
        const Op dx = own ? Op::ddx : Op::ddx_fine, dy = own ? Op::ddy : Op::ddy_fine;
        const auto fine = [&](Op op) { return b_.op(op, {x}); };
        set(in, in.op == spv::OpDPdxFine ? fine(dx) : in.op == spv::OpDPdyFine ? fine(dy) : b_.add(fine(dx).abs(), fine(dy).abs()));
        return true;
      }
      fail(in, "fine derivatives", "the chip computes one derivative for each 2x2 quad and cannot reach the bottom right neighbour");
    }
    default: return false;
  }
}

/// UConvert, SConvert, FConvert: values of 8 and 16 bits lie in registers as 32-bit ones that they are equal to.
Operand Translator::narrowed(const Operand& x, Id type, spv::Op op, bool toward_zero) {
  const LeafType to = leaf_type(type);
  const unsigned bits = 8 * scalar_bytes(type);
  if (op != spv::OpFConvert && (ir::is_wide(x.type) || ir::is_wide(to.type))) return resized(x, type, op == spv::OpSConvert);
  if (bits == 16 && op == spv::OpFConvert) {
    const Operand single = ir::is_wide(x.type) ? rounded_to_odd(x) : x;
    return toward_zero ? truncated(single) : quantized(single);
  }
  if (op == spv::OpFConvert) return x.type == to.type ? x : b_.op_typed(Op::resize_float, to.type, {x});
  return wrapped(retag(x, to.type), type);
}

bool Translator::conversion(const Inst& in) {
  auto a = [&] { return operand(in[0]); };
  switch (in.op) {
    case spv::OpConvertFToS:
    case spv::OpConvertFToU:
      set(in, wrapped(b_.op_typed(in.op == spv::OpConvertFToS ? Op::f2i : Op::f2u, leaf_type(in.type).type, {a()}), in.type));
      return true;
    case spv::OpConvertSToF: set(in, b_.op_typed(Op::i2f, leaf_type(in.type).type, {integer_operand(in[0], true)})); return true;
    case spv::OpConvertUToF: set(in, b_.op_typed(Op::u2f, leaf_type(in.type).type, {integer_operand(in[0], false)})); return true;
    case spv::OpUConvert:
    case spv::OpSConvert:
    case spv::OpFConvert:
      if (memory_) {
        const bool toward_zero = spv_.decoration(in.result, spv::DecorationFPRoundingMode) == uint32_t(spv::FPRoundingModeRTZ);
        const Operand x = in.op == spv::OpFConvert ? a() : integer_operand(in[0], in.op == spv::OpSConvert);
        return set(in, narrowed(x, in.type, in.op, toward_zero)), true;
      }
      leaf_type(in.type);
      set(in, retag(a(), leaf_type(in.type).type));
      return true;
    case spv::OpBitcast: {
      if (memory_ && pointers_.count(in[0])) fail(in, "a pointer as another one", "addresses are not numbers here");
      const Operand x = a();
      const LeafType to = leaf_type(in.type);
      if (memory_) return set(in, bitcast(x, spv_.def(in[0]).type, in.type)), true;
      if (x.comps != to.comps) fail(in, "a vector as one of another size", "there are no types of other widths than 32 bits");
      if ((x.type == Type::f32) == (to.type == Type::f32)) return set(in, retag(x, to.type)), true;
      const Operand bits = b_.op_typed(Op::bitcast, to.type, {x});
      note_origin(in, bits);
      return set(in, bits), true;
    }
    default: return false;
  }
}

namespace {

/// Integer instructions that are one operation of the IR. `hardly`: not every chip can, or only for some operands.
struct IntegerRow {
  Op op;
  bool hardly = false;
  enum class As { bits, i, u } as = As::bits;  ///< what of an operand of fewer than 32 bits counts
};
std::optional<IntegerRow> integer_row(spv::Op op) {
  switch (op) {
    case spv::OpSNegate: return IntegerRow{Op::ineg};
    case spv::OpIAdd: return IntegerRow{Op::iadd};
    case spv::OpISub: return IntegerRow{Op::isub};
    case spv::OpIMul: return IntegerRow{Op::imul};
    case spv::OpSDiv: return IntegerRow{Op::idiv, false, IntegerRow::As::i};
    case spv::OpUDiv: return IntegerRow{Op::udiv, false, IntegerRow::As::u};
    case spv::OpSMod: return IntegerRow{Op::imod, false, IntegerRow::As::i};
    case spv::OpUMod: return IntegerRow{Op::umod, false, IntegerRow::As::u};
    case spv::OpSRem: return IntegerRow{Op::irem, false, IntegerRow::As::i};
    case spv::OpShiftLeftLogical: return IntegerRow{Op::ishl, true};
    case spv::OpShiftRightLogical: return IntegerRow{Op::ushr, true, IntegerRow::As::u};
    case spv::OpShiftRightArithmetic: return IntegerRow{Op::ishr, true, IntegerRow::As::i};
    case spv::OpBitwiseAnd: return IntegerRow{Op::iand, true};
    case spv::OpBitwiseOr: return IntegerRow{Op::ior, true};
    case spv::OpBitwiseXor: return IntegerRow{Op::ixor, true};
    case spv::OpNot: return IntegerRow{Op::inot, true};
    case spv::OpBitFieldSExtract: return IntegerRow{Op::ibfe, true};
    case spv::OpBitFieldUExtract: return IntegerRow{Op::ubfe, true};
    case spv::OpBitFieldInsert: return IntegerRow{Op::bfi, true};
    case spv::OpBitReverse: return IntegerRow{Op::bit_reverse, true};
    case spv::OpBitCount: return IntegerRow{Op::bit_count, true};
    default: return std::nullopt;
  }
}

/// Both halves of a result of 64 bits, or a sum and its carry.
struct WideRow {
  Op low, high;
};
std::optional<WideRow> wide_row(spv::Op op) {
  switch (op) {
    case spv::OpIAddCarry: return WideRow{Op::iadd, Op::uadd_carry};
    case spv::OpISubBorrow: return WideRow{Op::isub, Op::usub_borrow};
    case spv::OpUMulExtended: return WideRow{Op::imul, Op::umul_high};
    case spv::OpSMulExtended: return WideRow{Op::imul, Op::imul_high};
    default: return std::nullopt;
  }
}

}  // namespace

bool Translator::integer(const Inst& in) {
  if (const auto row = integer_row(in.op)) {
    // Integer operands may differ in signedness: the result's type counts.
    const Type type = leaf_type(in.type).type;
    const bool shifts = row->op == Op::ishl || row->op == Op::ishr || row->op == Op::ushr;
    const bool fields = row->op >= Op::ibfe;
    if (fields && ir::is_wide(operand(in[0]).type))
      fail(in, "an operation on bits of 64-bit integers", "SPIR-V for Vulkan has it of 32 bits");
    const auto x = [&](size_t i) {
      if (i && (shifts || fields)) return word_of(operand(in[i]));
      return row->as == IntegerRow::As::bits ? operand(in[i]) : integer_operand(in[i], row->as == IntegerRow::As::i);
    };
    Operand r;
    switch (ir::info(row->op).sources) {
      case 1: r = b_.op_typed(row->op, type, {x(0)}); break;
      case 2: r = b_.op_typed(row->op, type, {x(0), x(1)}); break;
      case 3: r = b_.op_typed(row->op, type, {x(0), x(1), x(2)}); break;
      default: r = b_.op_typed(row->op, type, {x(0), x(1), x(2), x(3)}); break;
    }
    if (row->hardly) note_origin(in, r);
    set(in, wrapped(r, in.type));
    return true;
  }
  if (const auto row = wide_row(in.op)) {
    if (memory_ && integer_bits(member_type(in.type, 0)) < 32) return set(in, wide_narrow(in)), true;
    const Operand a = operand(in[0]), b = operand(in[1]);
    const Type type = leaf_type(member_type(in.type, 0)).type;
    if (ir::is_wide(type) && (in.op == spv::OpIAddCarry || in.op == spv::OpISubBorrow)) return set(in, carried(in, a, b)), true;
    const Operand low = b_.op_typed(row->low, type, {a, b}), high = b_.op_typed(row->high, type, {a, b});
    note_origin(in, high);
    set(in, Leaves{low, high});
    return true;
  }
  switch (in.op) {
    case spv::OpAtomicIAdd:
    case spv::OpAtomicLoad:
    case spv::OpAtomicStore:
    case spv::OpAtomicExchange: fail(in, "atomic operations", "the chip's shaders cannot read or write memory by address");
    default: return false;
  }
}

/// Comparisons that are not the chip's, whose ordered ones are false with a NaN and != is true.
Operand Translator::compare_with_nan(spv::Op op, const Operand& a, const Operand& b) {
  const auto test = [&](Op o, const Operand& x, const Operand& y) { return b_.op_typed(o, Type::boolean, {x, y}); };
  switch (op) {
    case spv::OpFUnordEqual: return b_.logical_not(b_.op(Op::ior, {test(Op::slt, a, b), test(Op::slt, b, a)}));
    case spv::OpFOrdNotEqual: return b_.op(Op::ior, {test(Op::slt, a, b), test(Op::slt, b, a)});
    case spv::OpFUnordLessThan: return b_.logical_not(test(Op::sge, a, b));
    case spv::OpFUnordGreaterThan: return b_.logical_not(test(Op::sge, b, a));
    case spv::OpFUnordLessThanEqual: return b_.logical_not(test(Op::slt, b, a));
    default: return b_.logical_not(test(Op::slt, a, b));
  }
}

bool Translator::logic(const Inst& in) {
  auto a = [&] { return operand(in[0]); };
  auto b = [&] { return operand(in[1]); };
  auto boolean = [&](Op op, const Operand& x, const Operand& y) { set(in, b_.op_typed(op, Type::boolean, {x, y})); };
  auto si = [&](unsigned k) { return integer_operand(in[k], true); };
  auto ui = [&](unsigned k) { return integer_operand(in[k], false); };
  switch (in.op) {
    case spv::OpFUnordEqual:
    case spv::OpFOrdNotEqual:
    case spv::OpFUnordLessThan:
    case spv::OpFUnordGreaterThan:
    case spv::OpFUnordLessThanEqual:
    case spv::OpFUnordGreaterThanEqual:
      if (memory_) return set(in, compare_with_nan(in.op, a(), b())), true;
      break;
    default: break;
  }
  switch (in.op) {
    case spv::OpFOrdEqual:
    case spv::OpFUnordEqual: boolean(Op::seq, a(), b()); return true;
    case spv::OpIEqual: boolean(Op::ieq, ui(0), ui(1)); return true;
    case spv::OpLogicalEqual: boolean(Op::ieq, a(), b()); return true;
    case spv::OpFOrdNotEqual:
    case spv::OpFUnordNotEqual: boolean(Op::sne, a(), b()); return true;
    case spv::OpINotEqual: boolean(Op::ine, ui(0), ui(1)); return true;
    case spv::OpLogicalNotEqual: boolean(Op::ine, a(), b()); return true;
    case spv::OpFOrdLessThan:
    case spv::OpFUnordLessThan: boolean(Op::slt, a(), b()); return true;
    case spv::OpSLessThan: boolean(Op::ilt, si(0), si(1)); return true;
    case spv::OpULessThan: boolean(Op::ult, ui(0), ui(1)); return true;
    case spv::OpFOrdGreaterThan:
    case spv::OpFUnordGreaterThan: boolean(Op::slt, b(), a()); return true;
    case spv::OpSGreaterThan: boolean(Op::ilt, si(1), si(0)); return true;
    case spv::OpUGreaterThan: boolean(Op::ult, ui(1), ui(0)); return true;
    case spv::OpFOrdLessThanEqual:
    case spv::OpFUnordLessThanEqual: boolean(Op::sge, b(), a()); return true;
    case spv::OpSLessThanEqual: boolean(Op::ige, si(1), si(0)); return true;
    case spv::OpULessThanEqual: boolean(Op::uge, ui(1), ui(0)); return true;
    case spv::OpFOrdGreaterThanEqual:
    case spv::OpFUnordGreaterThanEqual: boolean(Op::sge, a(), b()); return true;
    case spv::OpSGreaterThanEqual: boolean(Op::ige, si(0), si(1)); return true;
    case spv::OpUGreaterThanEqual: boolean(Op::uge, ui(0), ui(1)); return true;
    case spv::OpLogicalAnd: boolean(Op::iand, a(), b()); return true;
    case spv::OpLogicalOr: boolean(Op::ior, a(), b()); return true;
    case spv::OpLogicalNot: set(in, b_.op_typed(Op::inot, Type::boolean, {a()})); return true;
    case spv::OpIsNan: {
      const Operand x = a();
      boolean(Op::sne, x, x);
      return true;
    }
    case spv::OpIsInf: boolean(Op::seq, a().abs(), real(std::bit_cast<float>(0x7F800000u), a())); return true;
    case spv::OpAny:
    case spv::OpAll: {
      const Operand x = a();
      Operand r = x.lane(0);
      for (unsigned i = 1; i < x.comps; ++i) r = b_.op_typed(in.op == spv::OpAny ? Op::ior : Op::iand, Type::boolean, {r, x.lane(i)});
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
