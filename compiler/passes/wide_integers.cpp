// SPDX-License-Identifier: MIT
/// See wide_integers.h. Shifts of words count modulo 32 (ops.h), so that ~n means 31 - n as a distance below 32.
#include "compiler/passes/wide_integers.h"

#include <bit>

namespace pumice::compiler::passes {

using namespace ir;

Operand WideIntegers::word(uint32_t x) {
  return b_.append({.op = Op::constant, .constant = Lanes(std::array{x, 0u, 0u, 0u})}, Type::u32, 1);
}

Pair WideIntegers::add(const Pair& a, const Pair& b) {
  const Operand low = op(Op::iadd, a.low, b.low);
  return {low, op(Op::iadd, op(Op::iadd, a.high, b.high), carry_of(low, a.low))};
}

Pair WideIntegers::sub(const Pair& a, const Pair& b) {
  const Operand borrow = number(test(Op::ult, a.low, b.low));
  return {op(Op::isub, a.low, b.low), op(Op::isub, op(Op::isub, a.high, b.high), borrow)};
}

Pair WideIntegers::negated(const Pair& a) {
  return {op(Op::ineg, a.low), op(Op::iadd, op(Op::inot, a.high), number(test(Op::ieq, a.low, word(0))))};
}

Pair WideIntegers::product(const Operand& a, const Operand& b) { return {op(Op::imul, a, b), op(Op::umul_high, a, b)}; }

Pair WideIntegers::mul(const Pair& a, const Pair& b) {
  const Pair low = product(a.low, b.low);
  return {low.low, op(Op::iadd, low.high, op(Op::iadd, op(Op::imul, a.low, b.high), op(Op::imul, a.high, b.low)))};
}

/// The upper half of the product of 128 bits, word by word; of signed factors what is negative counts 2^64 too much.
Pair WideIntegers::mul_high(const Pair& a, const Pair& b, bool is_signed) {
  const Pair lh = product(a.low, b.high), hl = product(a.high, b.low), hh = product(a.high, b.high);
  const Operand ll = op(Op::umul_high, a.low, b.low);
  const Operand first = op(Op::iadd, ll, lh.low), second = op(Op::iadd, first, hl.low);
  const Operand carry = op(Op::iadd, carry_of(first, ll), carry_of(second, first));
  Pair r = add(hh, {lh.high, word(0)});
  r = add(r, {hl.high, word(0)});
  r = add(r, {carry, word(0)});
  if (!is_signed) return r;
  const Operand sign_a = op(Op::ishr, a.high, word(31)), sign_b = op(Op::ishr, b.high, word(31));
  r = sub(r, each(Op::iand, b, {sign_a, sign_a}));
  return sub(r, each(Op::iand, a, {sign_b, sign_b}));
}

Pair WideIntegers::shifted_left(const Pair& a, const Operand& by) {
  const Operand far = test(Op::ine, op(Op::iand, by, word(32)), word(0));
  const Operand low = op(Op::ishl, a.low, by), over = op(Op::ushr, op(Op::ushr, a.low, word(1)), op(Op::inot, by));
  const Operand high = op(Op::ior, op(Op::ishl, a.high, by), over);
  return {sel(far, word(0), low), sel(far, low, high)};
}

Pair WideIntegers::shifted_right(const Pair& a, const Operand& by, bool arithmetic) {
  const Op shift = arithmetic ? Op::ishr : Op::ushr;
  const Operand far = test(Op::ine, op(Op::iand, by, word(32)), word(0));
  const Operand high = op(shift, a.high, by), over = op(Op::ishl, op(Op::ishl, a.high, word(1)), op(Op::inot, by));
  const Operand low = op(Op::ior, op(Op::ushr, a.low, by), over);
  return {sel(far, high, low), sel(far, arithmetic ? op(Op::ishr, a.high, word(31)) : word(0), high)};
}

Operand WideIntegers::less(const Pair& a, const Pair& b, bool is_signed) {
  const Operand same = b_.op_typed(Op::iand, Type::boolean, {test(Op::ieq, a.high, b.high), test(Op::ult, a.low, b.low)});
  return b_.op_typed(Op::ior, Type::boolean, {test(is_signed ? Op::ilt : Op::ult, a.high, b.high), same});
}

Operand WideIntegers::equal(const Pair& a, const Pair& b) {
  return b_.op_typed(Op::iand, Type::boolean, {test(Op::ieq, a.low, b.low), test(Op::ieq, a.high, b.high)});
}

Pair WideIntegers::sign(const Pair& a) {
  const Operand high = op(Op::ishr, a.high, word(31));
  return {op(Op::ior, high, number(test(Op::ine, op(Op::ior, a.low, a.high), word(0)))), high};
}

Pair WideIntegers::flipped(const Pair& a, const Operand& sign) { return sub(each(Op::ixor, a, {sign, sign}), {sign, sign}); }

/// (high, low) / divisor, a quotient below 2^32 (high < divisor): two digits of 16 bits, each estimated by the upper half of the divisor,
/// whose highest bit is set, and at most 2 too large (Knuth, algorithm D).
Operand WideIntegers::long_quotient(const Operand& high, const Operand& low, const Operand& divisor) {
  const Operand distance = op(Op::isub, word(31), op(Op::ufind_msb, divisor));
  const Operand d = op(Op::ishl, divisor, distance), d_high = op(Op::ushr, d, word(16)), d_low = op(Op::iand, d, word(0xFFFF));
  const Operand over = op(Op::ushr, op(Op::ushr, low, word(1)), op(Op::inot, distance));
  const Operand top = op(Op::ior, op(Op::ishl, high, distance), over), rest = op(Op::ishl, low, distance);
  const auto too_large = [&](const Operand& q, const Operand& r, const Operand& next) {
    const Operand left = op(Op::ior, op(Op::ishl, r, word(16)), next);
    return b_.op_typed(Op::ior, Type::boolean, {test(Op::uge, q, word(0x10000)), test(Op::ult, left, op(Op::imul, q, d_low))});
  };
  const auto digit = [&](const Operand& n, const Operand& next) {
    Operand q = op(Op::udiv, n, d_high);
    const Operand r = op(Op::isub, n, op(Op::imul, q, d_high));
    const Operand once = too_large(q, r, next);
    q = op(Op::isub, q, number(once));
    // The remainder grows by d_high; beyond 16 bits the estimate is right.
    const Operand r2 = op(Op::iadd, r, d_high);
    const Operand again = b_.op_typed(Op::iand, Type::boolean, {test(Op::ult, r2, word(0x10000)), too_large(q, r2, next)});
    return op(Op::isub, q, number(b_.op_typed(Op::iand, Type::boolean, {once, again})));
  };
  const Operand next = op(Op::ushr, rest, word(16));
  const Operand q1 = digit(top, next);
  const Operand left = op(Op::isub, op(Op::ior, op(Op::ishl, top, word(16)), next), op(Op::imul, q1, d));
  const Operand q0 = digit(left, op(Op::iand, rest, word(0xFFFF)));
  return op(Op::ior, op(Op::ishl, q1, word(16)), q0);
}

/// A divisor of one word: the high word first, then its remainder with the low word. A longer one: the dividend's half by the upper 32 bits
/// of the divisor moved up to its highest bit, which gives a quotient that is right or 1 too large, so that one less is right or 1 too
/// small.
WideIntegers::Division WideIntegers::divided(const Pair& a, const Pair& b) {
  const Operand one_word = test(Op::ieq, b.high, word(0));
  const Operand q_high = op(Op::udiv, a.high, b.low), r_high = op(Op::isub, a.high, op(Op::imul, q_high, b.low));
  const Operand distance = op(Op::isub, word(31), op(Op::ufind_msb, b.high)), opposite = op(Op::inot, distance);
  const Operand over = op(Op::ushr, op(Op::ushr, b.low, word(1)), opposite);
  const Operand b_top = op(Op::ior, op(Op::ishl, b.high, distance), over);
  const Operand half_high = op(Op::ushr, a.high, word(1));
  const Operand half_low = op(Op::ior, op(Op::ushr, a.low, word(1)), op(Op::ishl, a.high, word(31)));
  const Operand q = long_quotient(sel(one_word, r_high, half_high), sel(one_word, a.low, half_low), sel(one_word, b.low, b_top));
  const Operand estimate = op(Op::ushr, q, opposite);
  const Operand below = op(Op::isub, estimate, number(test(Op::ine, estimate, word(0))));
  const Pair quotient = sel(one_word, {q, q_high}, {below, word(0)});
  const Pair remainder = sub(a, mul(quotient, b));
  const Operand small = inverted(less(remainder, b, false));
  return {add(quotient, {number(small), word(0)}), sel(small, sub(remainder, b), remainder)};
}

Pair WideIntegers::signed_quotient(const Pair& a, const Pair& b) {
  return flipped(unsigned_quotient(magnitude(a), magnitude(b)), op(Op::ishr, op(Op::ixor, a.high, b.high), word(31)));
}

Pair WideIntegers::signed_remainder(const Pair& a, const Pair& b) {
  return flipped(unsigned_remainder(magnitude(a), magnitude(b)), op(Op::ishr, a.high, word(31)));
}

Pair WideIntegers::modulus(const Pair& a, const Pair& b) {
  const Pair r = signed_remainder(a, b);
  const Operand differs = test(Op::ilt, op(Op::ixor, r.high, b.high), word(0)), some = test(Op::ine, op(Op::ior, r.low, r.high), word(0));
  return sel(b_.op_typed(Op::iand, Type::boolean, {differs, some}), add(r, b), r);
}

/// The highest 32 bits from the highest one on; what is below them decides between neighbours only, one bit stands for it.
Operand WideIntegers::to_float(const Pair& a, bool is_signed) {
  const Pair m = is_signed ? magnitude(a) : a;
  const Operand one_word = test(Op::ieq, m.high, word(0));
  const Operand distance = op(Op::isub, word(31), op(Op::ufind_msb, m.high));
  const Operand over = op(Op::ushr, op(Op::ushr, m.low, word(1)), op(Op::inot, distance));
  const Operand top = op(Op::ior, op(Op::ishl, m.high, distance), over);
  const Operand rest = number(test(Op::ine, op(Op::ishl, m.low, distance), word(0)));
  const Operand small = b_.op_typed(Op::u2f, Type::f32, {sel(one_word, m.low, op(Op::ior, top, rest))});
  // 2^(32 - distance), as bits; of one word 2^0.
  const Operand exponent = sel(one_word, word(127), op(Op::isub, word(127 + 32), distance));
  const Operand scale = b_.op_typed(Op::bitcast, Type::f32, {op(Op::ishl, exponent, word(23))});
  const Operand r = b_.mul(small, scale);
  if (!is_signed) return r;
  return b_.op_typed(Op::sel, Type::f32, {test(Op::ilt, a.high, word(0)), -r, r});
}

Pair WideIntegers::from_float(const Operand& x, bool is_signed) {
  const Operand m = is_signed ? x.abs() : x;
  const Operand high = b_.op_typed(Op::trunc, Type::f32, {b_.mul(m, b_.constant(1.0f / 4294967296.0f))});
  const Operand low = b_.mad(high, b_.constant(-4294967296.0f), m);
  const Pair r{b_.op_typed(Op::f2u, Type::u32, {low}), b_.op_typed(Op::f2u, Type::u32, {high})};
  if (!is_signed) return r;
  const Operand word_of_x = b_.op_typed(Op::bitcast, Type::u32, {x});
  return flipped(r, op(Op::ishr, word_of_x, word(31)));
}

}  // namespace pumice::compiler::passes
