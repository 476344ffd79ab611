// SPDX-License-Identifier: MIT
/// Floats of 16 bits on chips with memory: registers hold them as 32-bit floats of the same value, denormals included, which are normal
/// numbers there. Instructions compute with 32 bits, and what may have more bits than a half is rounded to the nearest even one. For sums,
/// products, quotients and square roots that is the correctly rounded result: 24 bits are enough not to round twice (2 * 11 + 2).
#include "spirv/unified1/GLSL.std.450.h"

#include "compiler/frontend/translator.h"

namespace pumice::compiler::frontend {

using ir::Op;
using ir::Type;

namespace {

constexpr unsigned kHalf = 16, kWord = 32;

/// Whether results of the instruction may have more bits than its operands.
bool widens(const Inst& in) {
  switch (in.op) {
    case spv::OpFAdd:
    case spv::OpFSub:
    case spv::OpFMul:
    case spv::OpFDiv:
    case spv::OpFRem:
    case spv::OpFMod:
    case spv::OpVectorTimesScalar:
    case spv::OpMatrixTimesScalar:
    case spv::OpVectorTimesMatrix:
    case spv::OpMatrixTimesVector:
    case spv::OpMatrixTimesMatrix:
    case spv::OpOuterProduct:
    case spv::OpDot:
    case spv::OpGroupNonUniformFAdd:
    case spv::OpGroupNonUniformFMul:
    case spv::OpConvertSToF:
    case spv::OpConvertUToF: return true;
    case spv::OpExtInst: break;
    default: return in.op >= spv::OpDPdx && in.op <= spv::OpFwidthCoarse;
  }
  switch (in[1]) {
    case GLSLstd450Round:
    case GLSLstd450RoundEven:
    case GLSLstd450Trunc:
    case GLSLstd450FAbs:
    case GLSLstd450FSign:
    case GLSLstd450Floor:
    case GLSLstd450Ceil:
    case GLSLstd450Modf:
    case GLSLstd450FMin:
    case GLSLstd450FMax:
    case GLSLstd450FClamp:
    case GLSLstd450NMin:
    case GLSLstd450NMax:
    case GLSLstd450NClamp:
    case GLSLstd450Step:
    case GLSLstd450Frexp:
    case GLSLstd450FaceForward: return false;
    default: return true;
  }
}

}  // namespace

/// Whether its scalars are floats of 16 bits.
bool Translator::is_half(Id type) const {
  const Inst& t = spv_.def(type);
  if (t.op == spv::OpTypeVector || t.op == spv::OpTypeMatrix) return is_half(t[0]);
  return t.op == spv::OpTypeFloat && t[0] == kHalf;
}

/// The value of an instruction's result as its type holds it; of modules with halves_.
Operand Translator::held(const Inst& in, const Operand& value) { return widens(in) && is_half(in.type) ? quantized(value) : value; }

/// Products that are zero have the sign of their factors if they are halves (of floats the multiplier adds +0).
Operand Translator::product(const Inst& in, const Operand& a, const Operand& b) {
  return halves_ && is_half(in.type) ? b_.mad(a, b, constant(-0.0f)) : b_.mul(a, b);
}

Operand Translator::packed_pair(const Operand& x, const Operand& y) {
  ir::Instruction pack{.op = Op::pack_half2x16, .source_count = 1};
  pack.source[0] = b_.vec(std::array{x, y}).source;
  return b_.append(pack, Type::u32, 1);
}

Operand Translator::unpacked_pair(const Operand& word) {
  ir::Instruction unpack{.op = Op::unpack_half2x16, .source_count = 1};
  unpack.source[0] = word.source;
  return b_.append(unpack, Type::f32, 2);
}

/// Floats as the nearest 16-bit ones.
Operand Translator::quantized(const Operand& x) {
  Vec<Operand> lanes;
  for (unsigned i = 0; i < x.comps; i += 2) {
    const bool both = i + 1 < x.comps;
    const Operand pair = unpacked_pair(packed_pair(x.lane(i), both ? x.lane(i + 1) : constant(0.0f)));
    lanes.push_back(pair.lane(0));
    if (both) lanes.push_back(pair.lane(1));
  }
  return b_.vec(lanes);
}

/// A float as the 16-bit one toward zero: the nearest one, or the code before it.
Operand Translator::truncated(const Operand& x) {
  Vec<Operand> lanes;
  for (unsigned i = 0; i < x.comps; ++i) {
    const Operand code = packed_pair(x.lane(i), constant(0.0f));
    const Operand larger = b_.op(Op::slt, {x.lane(i).abs(), unpacked_pair(code).lane(0).abs()});
    lanes.push_back(unpacked_pair(b_.sel(larger, b_.op(Op::isub, {code, integer(1, code)}), code)).lane(0));
  }
  return b_.vec(lanes);
}

/// A float of 64 bits as one of 32 that rounds to the same half: of the two next to it the one whose last bit is 1, unless it is equal.
Operand Translator::rounded_to_odd(const Operand& x) {
  const Operand near = b_.op_typed(Op::resize_float, Type::f32, {x}), back = b_.op_typed(Op::resize_float, Type::f64, {near});
  const Operand code = b_.op_typed(Op::bitcast, Type::u32, {near}), one = integer(1, code);
  const Operand inexact = b_.op(Op::ior, {b_.op(Op::slt, {x, back}), b_.op(Op::slt, {back, x})});
  const Operand even = b_.op_typed(Op::ieq, Type::boolean, {b_.op(Op::iand, {code, one}), integer(0, code)});
  const Operand outward = b_.op(Op::slt, {back.abs(), x.abs()});
  const Operand odd = b_.sel(outward, b_.op(Op::iadd, {code, one}), b_.op(Op::isub, {code, one}));
  return b_.op_typed(Op::bitcast, Type::f32, {b_.sel(b_.op(Op::iand, {inexact, even}), odd, code)});
}

/// OpBitcast on chips with memory.
Operand Translator::bitcast(const Operand& x, Id from, Id type) {
  const unsigned from_bits = 8 * scalar_bytes(from), to_bits = 8 * scalar_bytes(type);
  const LeafType to = leaf_type(type);
  if (x.comps * from_bits != to.comps * to_bits)
    throw Unsupported{"the SPIR-V is not valid: the bits of a value as a type of another size"};
  Vec<Operand> lanes;
  if (is_half(from)) {
    // Pairs as words, or halves as integers of 16 bits, from there as others.
    const unsigned step = to_bits < kWord ? 1 : 2;
    for (unsigned i = 0; i < x.comps; i += step) lanes.push_back(packed_pair(x.lane(i), step == 2 ? x.lane(i + 1) : constant(0.0f)));
    return bits_as(b_.vec(lanes), step * kHalf, to, to_bits);
  }
  if (!is_half(type)) return bits_as(x, from_bits, to, to_bits);
  const unsigned step = from_bits < kWord ? 1 : 2;
  const Operand codes = bits_as(x, from_bits, {Type::u32, to.comps / step}, step * kHalf);
  for (unsigned i = 0; i < to.comps; ++i) lanes.push_back(unpacked_pair(codes.lane(i / step)).lane(i % step));
  return b_.vec(lanes);
}

}  // namespace pumice::compiler::frontend
