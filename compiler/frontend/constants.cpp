// SPDX-License-Identifier: MIT
/// OpSpecConstantOp, decided once the specialization is known, in true integers of 8, 16 and 32 bits. What is left undecided (operations on
/// floats, on 64 bits) the translator turns into instructions.
#include <algorithm>

#include "compiler/frontend/spirv.h"

namespace pumice::compiler::frontend {
namespace {

/// One component; a, b, c as words, booleans as 0 or 1. Division by zero and shifts by too much give 0: undefined in SPIR-V.
std::optional<uint32_t> evaluate(spv::Op op, uint32_t a, uint32_t b, uint32_t c) {
  const auto sa = int32_t(a), sb = int32_t(b);
  const bool divides = b != 0 && !(sa == INT32_MIN && sb == -1);
  switch (op) {
    case spv::OpSConvert:
    case spv::OpUConvert: return a;
    case spv::OpSNegate: return 0u - a;
    case spv::OpNot: return ~a;
    case spv::OpIAdd: return a + b;
    case spv::OpISub: return a - b;
    case spv::OpIMul: return a * b;
    case spv::OpUDiv: return b ? a / b : 0;
    case spv::OpSDiv: return divides ? uint32_t(sa / sb) : 0;
    case spv::OpUMod: return b ? a % b : 0;
    case spv::OpSRem: return divides ? uint32_t(sa % sb) : 0;
    case spv::OpSMod: {
      if (!divides) return 0;
      const int32_t r = sa % sb;
      return uint32_t(r != 0 && (r < 0) != (sb < 0) ? r + sb : r);
    }
    case spv::OpShiftRightLogical: return b < 32 ? a >> b : 0;
    case spv::OpShiftRightArithmetic: return b < 32 ? uint32_t(sa >> b) : 0;
    case spv::OpShiftLeftLogical: return b < 32 ? a << b : 0;
    case spv::OpBitwiseOr:
    case spv::OpLogicalOr: return a | b;
    case spv::OpBitwiseXor: return a ^ b;
    case spv::OpBitwiseAnd:
    case spv::OpLogicalAnd: return a & b;
    case spv::OpLogicalNot: return !a;
    case spv::OpLogicalEqual:
    case spv::OpIEqual: return a == b;
    case spv::OpLogicalNotEqual:
    case spv::OpINotEqual: return a != b;
    case spv::OpULessThan: return a < b;
    case spv::OpSLessThan: return sa < sb;
    case spv::OpUGreaterThan: return a > b;
    case spv::OpSGreaterThan: return sa > sb;
    case spv::OpULessThanEqual: return a <= b;
    case spv::OpSLessThanEqual: return sa <= sb;
    case spv::OpUGreaterThanEqual: return a >= b;
    case spv::OpSGreaterThanEqual: return sa >= sb;
    case spv::OpSelect: return a ? b : c;
    default: return std::nullopt;
  }
}

/// Operands of few bits are extended as the instruction means them; where it does not say, only their lowest bits count.
bool is_signed(spv::Op op) {
  switch (op) {
    case spv::OpSConvert:
    case spv::OpSDiv:
    case spv::OpSRem:
    case spv::OpSMod:
    case spv::OpShiftRightArithmetic:
    case spv::OpSLessThan:
    case spv::OpSGreaterThan:
    case spv::OpSLessThanEqual:
    case spv::OpSGreaterThanEqual: return true;
    default: return false;
  }
}

/// Bits of a scalar type that is decided here, otherwise 0.
unsigned decided_bits(const Inst& type) {
  if (type.op == spv::OpTypeBool) return 32;
  return type.op == spv::OpTypeInt && (type[0] == 8 || type[0] == 16 || type[0] == 32) ? type[0] : 0;
}

uint32_t extended(uint32_t word, unsigned bits, bool by_sign) {
  const unsigned unused = 32 - bits;
  return by_sign ? uint32_t(int32_t(word << unused) >> unused) : word << unused >> unused;
}

}  // namespace

Id SpirvModule::scalar(Id type, uint32_t word) {
  Inst in{.op = spv::OpConstant, .type = type, .result = bound_++};
  if (def(type).op == spv::OpTypeBool) {
    in.op = word ? spv::OpConstantTrue : spv::OpConstantFalse;
  } else {
    own_words_.push_back({word});
    in.operands = std::span(own_words_.back()).first(def(type)[0] > 32 ? 2 : 1);
  }
  index_.push_back(0);
  define(in);
  return in.result;
}

/// Defines the result as a constant if it can be decided.
bool SpirvModule::fold_constant(const Inst& in) {
  const Inst type = def(in.type);  // a copy: definitions made here move the table
  const unsigned comps = type.op == spv::OpTypeVector ? type[1] : 1;
  const Id scalar_type = type.op == spv::OpTypeVector ? type[0] : in.type;
  auto component = [&](Id id, unsigned i) -> std::optional<Id> {
    const Inst& c = def(id);
    if (c.op == spv::OpConstantComposite) return i < c.size() ? std::optional(c[i]) : std::nullopt;
    return id;  // scalar, null or undefined: see decided()
  };
  auto alias = [&](Id of) {
    Inst same = def(of);
    if (same.type != in.type || !is_constant(of)) return false;
    same.result = in.result;
    define(same);
    return true;
  };
  if (in.op == spv::OpCompositeExtract) {
    Id id = in[0];
    for (size_t i = 1; i < in.size(); ++i) {
      if (def(id).op != spv::OpConstantComposite || in[i] >= def(id).size()) return false;
      id = def(id)[in[i]];
    }
    return alias(id);
  }
  if (in.op == spv::OpCompositeInsert) {
    const Inst whole = def(in[1]);
    if (type.op != spv::OpTypeVector || in.size() != 3 || in[2] >= comps || whole.type != in.type || !is_constant(in[0]) ||
        def(in[0]).type != scalar_type || (whole.op != spv::OpConstantComposite && whole.op != spv::OpConstantNull))
      return false;
    std::array<uint32_t, 4> parts{};
    for (unsigned i = 0; i < comps; ++i)
      parts[i] = i == in[2] ? in[0] : whole.op == spv::OpConstantNull ? scalar(scalar_type, 0) : whole[i];
    own_words_.push_back(parts);
    Inst all{.op = spv::OpConstantComposite, .type = in.type, .result = in.result};
    all.operands = std::span(own_words_.back()).first(comps);
    define(all);
    return true;
  }
  if (in.op == spv::OpSelect && type.op != spv::OpTypeVector) {
    const auto condition = decided(in[0]);
    return condition && alias(*condition ? in[1] : in[2]);
  }
  const unsigned bits = decided_bits(def(scalar_type));
  if (!bits) return false;
  const bool by_sign = bits < 32 && def(scalar_type)[1];
  std::array<uint32_t, 4> words{};
  for (unsigned i = 0; i < comps; ++i) {
    std::array<uint32_t, 3> x{};
    if (in.op == spv::OpVectorShuffle) {
      const Inst& a = def(in[0]);
      const uint32_t k = in[2 + i], n = def(a.type).op == spv::OpTypeVector ? def(a.type)[1] : 1;
      const auto id = k < n ? component(in[0], k) : component(in[1], k - n);
      const auto word = id ? decided(*id) : std::nullopt;
      if (!word) return false;
      words[i] = *word;
      continue;
    }
    if (in.size() < 1 || in.size() > 3) return false;
    for (size_t o = 0; o < in.size(); ++o) {
      // Operands may have other types than the result: comparisons, conversions.
      const Inst& t = type_of(in[o]);
      const unsigned operand_bits = decided_bits(t.op == spv::OpTypeVector ? def(t[0]) : t);
      if (!operand_bits) return false;
      const auto id = component(in[o], i);
      const auto word = id ? decided(*id) : std::nullopt;
      if (!word) return false;
      x[o] = extended(*word, operand_bits, is_signed(in.op) && !(o && in.op == spv::OpShiftRightArithmetic));
    }
    const auto r = evaluate(in.op, x[0], x[1], x[2]);
    if (!r) return false;
    words[i] = extended(*r, bits, by_sign);
  }
  if (comps == 1) {
    Inst one = def(scalar(scalar_type, words[0]));
    one.result = in.result;
    define(one);
    return true;
  }
  Inst all{.op = spv::OpConstantComposite, .type = in.type, .result = in.result};
  std::array<uint32_t, 4> parts{};
  for (unsigned i = 0; i < comps; ++i) parts[i] = scalar(scalar_type, words[i]);
  own_words_.push_back(parts);
  all.operands = std::span(own_words_.back()).first(comps);
  define(all);
  return true;
}

void SpirvModule::constant_operation(const Inst& in) {
  const Inst operation{in.as<spv::Op>(0), in.type, in.result, in.operands.subspan(1)};
  if (!known(in.type)) throw Unsupported{"OpSpecConstantOp of an unknown type"};
  bool constants = true;
  for (uint32_t id : operation.operands) constants = constants && (!known(id) || def(id).op != spv::OpSpecConstantOp);
  if (constants && fold_constant(operation)) return;
  define(in);
  constant_operations_.push_back(operation);
}

}  // namespace pumice::compiler::frontend
