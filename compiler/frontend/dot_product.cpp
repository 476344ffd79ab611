// SPDX-License-Identifier: MIT
/// Dot products of integers (SPV_KHR_integer_dot_product) on chips with memory, which have no instruction for them: products and sums of
/// the result's width, where only the addition of the accumulator saturates. Vectors of four bytes may come as one word.
#include <algorithm>

#include "compiler/frontend/translator.h"

namespace pumice::compiler::frontend {

using ir::Op;
using ir::Type;

namespace {
constexpr unsigned kWord = 32;

struct Dot {
  bool a_signed, b_signed, accumulates;
};
std::optional<Dot> dot_of(spv::Op op) {
  switch (op) {
    case spv::OpSDotKHR: return Dot{true, true, false};
    case spv::OpUDotKHR: return Dot{false, false, false};
    case spv::OpSUDotKHR: return Dot{true, false, false};
    case spv::OpSDotAccSatKHR: return Dot{true, true, true};
    case spv::OpUDotAccSatKHR: return Dot{false, false, true};
    case spv::OpSUDotAccSatKHR: return Dot{true, false, true};
    default: return std::nullopt;
  }
}
}  // namespace

/// The components of a vector as numbers of the result's type, or those of a word as signed or unsigned bytes.
Vec<Operand> Translator::dot_lanes(const Inst& in, Id id, bool is_signed) {
  const bool wide = integer_bits(in.type) > kWord, packed = spv_.type_of(id).op != spv::OpTypeVector;
  const Type word = is_signed ? Type::i32 : Type::u32;
  const Operand x = packed ? operand(id) : integer_operand(id, is_signed);
  if (packed && (x.comps != 1 || integer_bits(spv_.def(id).type) != kWord)) fail(in, "a dot product", "the SPIR-V is not valid");
  Vec<Operand> lanes;
  for (unsigned i = 0; i < (packed ? 4u : x.comps); ++i) {
    Operand lane = x.lane(packed ? 0 : i);
    if (packed) {
      lane = retag(lane, word);
      lane = b_.op(is_signed ? Op::ibfe : Op::ubfe, {lane, integer(8 * i, lane), integer(8, lane)});
    }
    lanes.push_back(wide ? resized(lane, in.type, is_signed) : retag(word_of(lane), word));
  }
  return lanes;
}

/// a + b, or what of the type is nearest.
Operand Translator::saturated_sum(const Inst& in, const Operand& a, const Operand& b, bool is_signed) {
  const unsigned bits = integer_bits(in.type);
  const Operand sum = b_.op(Op::iadd, {a, b});
  if (bits < kWord) {
    const uint32_t most = (1u << (bits - 1)) - 1;
    if (!is_signed) return b_.op(Op::umin, {sum, integer(2 * most + 1, sum)});
    return b_.op(Op::imax, {b_.op(Op::imin, {sum, integer(most, sum)}), integer(~most, sum)});
  }
  const auto test = [&](Op op, const Operand& x, const Operand& y) { return b_.op_typed(op, Type::boolean, {x, y}); };
  const bool wide = bits > kWord;
  const auto number = [&](uint64_t x) { return wide ? wide_constant({x}, 1, a.type) : integer(uint32_t(x), a); };
  if (!is_signed) return b_.sel(test(Op::ult, sum, a), number(~uint64_t{0}), sum);
  // It overflows where both have the same sign and the sum another one.
  const Operand over = test(Op::ilt, b_.op(Op::iand, {b_.op(Op::ixor, {a, sum}), b_.op(Op::ixor, {b, sum})}), number(0));
  const uint64_t least = uint64_t{1} << (bits - 1);
  return b_.sel(over, b_.sel(test(Op::ilt, a, number(0)), number(least), number(least - 1)), sum);
}

/// Operands: two vectors, [accumulator], [format of packed vectors].
bool Translator::dot_product(const Inst& in) {
  const auto dot = dot_of(in.op);
  if (!dot) return false;
  const LeafType result = leaf_type(in.type);
  const Vec<Operand> a = dot_lanes(in, in[0], dot->a_signed), b = dot_lanes(in, in[1], dot->b_signed);
  if (a.size() != b.size() || result.comps != 1) fail(in, "a dot product", "the SPIR-V is not valid");
  const bool is_signed = dot->a_signed;
  const Type type = ir::is_wide(result.type) ? (is_signed ? Type::i64 : Type::u64) : is_signed ? Type::i32 : Type::u32;
  Operand sum;
  for (size_t i = 0; i < a.size(); ++i) {
    const Operand term = b_.op_typed(Op::imul, type, {a[i], b[i]});
    sum = sum ? b_.op(Op::iadd, {sum, term}) : term;
  }
  if (dot->accumulates) sum = saturated_sum(in, sum, retag(integer_operand(in[2], is_signed), type), is_signed);
  set(in, wrapped(retag(sum, result.type), in.type));
  return true;
}

}  // namespace pumice::compiler::frontend
