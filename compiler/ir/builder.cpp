// SPDX-License-Identifier: MIT
/// See builder.h.
#include "compiler/ir/builder.h"

#include <algorithm>

namespace pumice::compiler::ir {

Operand Operand::lane(unsigned i) const { return lanes(i, 1); }

Operand Operand::lanes(unsigned first, unsigned n) const {
  Operand r = *this;
  r.comps = uint8_t(n);
  for (unsigned i = 0; i < 4; ++i) r.source.swizzle[i] = source.swizzle[std::min(first + std::min(i, n - 1), 3u)];
  return r;
}

Operand Operand::swizzle(std::initializer_list<unsigned> order) const {
  Operand r = *this;
  r.comps = uint8_t(order.size());
  for (unsigned i = 0; i < 4; ++i) r.source.swizzle[i] = source.swizzle[order.begin()[std::min<size_t>(i, order.size() - 1)]];
  return r;
}

Operand Operand::operator-() const {
  Operand r = *this;
  r.source.negate = !r.source.negate;
  return r;
}

Operand Operand::abs() const {
  Operand r = *this;
  r.source.abs = true;
  r.source.negate = false;
  return r;
}

Operand Operand::as(Type t) const {
  Operand r = *this;
  r.type = t;
  return r;
}

Operand Builder::append(const Instruction& instruction, Type type, unsigned comps) {
  if (out_->empty() || out_->back().kind != Node::Kind::block) out_->emplace_back();
  Instruction& in = out_->back().instructions.emplace_back(instruction);
  if (comps) in.result = m_.new_value(type, comps);
  in.precise = precise && (in.op == Op::add || in.op == Op::mul);
  return in.result ? value(in.result) : Operand{};
}

Operand Builder::op_typed(Op op, Type type, std::initializer_list<Operand> operands) {
  Instruction in{.op = op};
  unsigned comps = 1;
  for (const Operand& o : operands) {
    in.source[in.source_count++] = o.source;
    comps = std::max<unsigned>(comps, o.comps);
  }
  if (info(op).shape != OpInfo::Shape::cw) comps = 1;
  return append(in, type, comps);
}

Operand Builder::op(Op op, std::initializer_list<Operand> operands) {
  const bool compares = info(op).to == OpInfo::Class::bit;
  return op_typed(op, compares ? m_.truth() : operands.begin()[op == Op::sel ? 1 : 0].type, operands);
}

Operand Builder::constant(float x, unsigned comps, Type type) {
  Instruction in{.op = Op::constant};
  in.constant = std::array{x, x, x, x};
  return append(in, type, comps);
}

Operand Builder::constants(std::initializer_list<float> lanes, Type type) {
  Instruction in{.op = Op::constant};
  std::array<float, 4> x{};
  std::copy(lanes.begin(), lanes.end(), x.begin());
  in.constant = x;
  return append(in, type, unsigned(lanes.size()));
}

Operand Builder::truth(bool x) {
  if (m_.floats_only) return constant(x ? 1.0f : 0.0f, 1, Type::bool_f32);
  return append({.op = Op::constant, .constant = Lanes(std::array{uint32_t{x}, 0u, 0u, 0u})}, Type::boolean, 1);
}

Operand Builder::vec(std::span<const Operand> lanes) {
  if (lanes.size() == 1) return lanes[0];
  // Lanes of one value in any order need no instruction.
  bool same = true;
  Operand r = lanes[0];
  r.comps = uint8_t(lanes.size());
  for (unsigned i = 0; i < 4; ++i) {
    const Source& s = lanes[std::min<size_t>(i, lanes.size() - 1)].source;
    same = same && s.value == r.source.value && s.abs == r.source.abs && s.negate == r.source.negate;
    r.source.swizzle[i] = s.swizzle[0];
  }
  if (same) return r;
  Instruction in{.op = Op::vec};
  for (const Operand& o : lanes) in.source[in.source_count++] = o.lane(0).source;
  return append(in, lanes[0].type, unsigned(lanes.size()));
}

Operand Builder::mov(const Operand& operand, Type type) { return op_typed(Op::mov, type, {operand}); }

ValueId Builder::materialize(const Operand& operand) {
  const Source& s = operand.source;
  bool plain = !s.abs && !s.negate && m_.comps(s.value) == operand.comps && m_.value(s.value).type == operand.type;
  for (unsigned i = 0; i < operand.comps; ++i) plain = plain && s.swizzle[i] == i;
  return plain ? s.value : mov(operand, operand.type).source.value;
}

/// A product that is zero with the sign of its factors: the multiplier adds, and loses the sign if it adds +0.
Operand Builder::signed_product(const Operand& a, const Operand& b) {
  if (a.type != Type::f32) return op(Op::mul, {a, b});
  Operand zero = append({.op = Op::constant, .constant = Lanes(std::array{0x80000000u, 0u, 0u, 0u})}, Type::f32, 1);
  zero.comps = std::max(a.comps, b.comps);
  return mad(a, b, zero);
}

Operand Builder::dot(const Operand& a, const Operand& b) {
  if (m_.signed_zeros && a.type == Type::f32) {
    Operand sum = mul(a.lane(0), b.lane(0));
    for (unsigned i = 1; i < std::max(a.comps, b.comps); ++i) sum = mad(a.lane(i), b.lane(i), sum);
    return sum;
  }
  switch (std::max(a.comps, b.comps)) {
    case 1: return mul(a, b);
    case 2: return op(Op::dot2, {a, b});
    case 3: return op(Op::dot3, {a, b});
    default: return op(Op::dot4, {a, b});
  }
}

Operand Builder::logical_and(const Operand& a, const Operand& b) {
  return op_typed(m_.floats_only ? Op::mul : Op::iand, m_.truth(), {a, b});
}
Operand Builder::logical_or(const Operand& a, const Operand& b) { return op_typed(m_.floats_only ? Op::max : Op::ior, m_.truth(), {a, b}); }
Operand Builder::logical_not(const Operand& a) {
  if (!m_.floats_only) return op_typed(Op::inot, Type::boolean, {a});
  return op_typed(Op::seq, Type::bool_f32, {a, constant(0.0f, a.comps, Type::bool_f32)});
}
Operand Builder::integer(uint32_t x, const Operand& like) {
  if (!is_typed(like.type)) return constant(float(x), 1, Type::int_f32);
  return append({.op = Op::constant, .constant = Lanes(std::array{x, 0u, 0u, 0u})}, like.type, 1);
}
Operand Builder::at_least(const Operand& index, uint32_t i) {
  return op(index.type == Type::i32 ? Op::ige : index.type == Type::u32 ? Op::uge : Op::sge, {index, integer(i, index)});
}
Operand Builder::is(const Operand& index, uint32_t i) { return op(is_typed(index.type) ? Op::ieq : Op::seq, {index, integer(i, index)}); }
Operand Builder::number(const Operand& truth) { return m_.floats_only ? truth.as(Type::f32) : op_typed(Op::b2f, Type::f32, {truth}); }

}  // namespace pumice::compiler::ir
