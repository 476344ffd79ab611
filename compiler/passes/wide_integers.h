// SPDX-License-Identifier: MIT
/// Arithmetic of 64-bit integers in operations on words: what lower_wide makes of the typed operations. All of it is branch free; what is
/// computed twice (the quotient beside the remainder) eliminate_common merges.
#pragma once
#include "compiler/ir/builder.h"

namespace pumice::compiler::passes {

/// A value of 64 bits: its low and its high words, both unsigned.
struct Pair {
  ir::Operand low, high;
};

class WideIntegers {
 public:
  explicit WideIntegers(ir::Builder& b) : b_(b) {}

  ir::Operand word(uint32_t x);
  ir::Operand op(ir::Op op, const ir::Operand& a) { return b_.op_typed(op, ir::Type::u32, {a}); }
  ir::Operand op(ir::Op op, const ir::Operand& a, const ir::Operand& b) { return b_.op_typed(op, ir::Type::u32, {a, b}); }
  ir::Operand test(ir::Op op, const ir::Operand& a, const ir::Operand& b) { return b_.op_typed(op, ir::Type::boolean, {a, b}); }
  ir::Operand sel(const ir::Operand& c, const ir::Operand& a, const ir::Operand& b) {
    return b_.op_typed(ir::Op::sel, ir::Type::u32, {c, a, b});
  }
  Pair sel(const ir::Operand& c, const Pair& a, const Pair& b) { return {sel(c, a.low, b.low), sel(c, a.high, b.high)}; }

  Pair add(const Pair& a, const Pair& b);
  Pair sub(const Pair& a, const Pair& b);
  Pair mul(const Pair& a, const Pair& b);
  Pair negated(const Pair& a);
  Pair shifted_left(const Pair& a, const ir::Operand& by);
  Pair shifted_right(const Pair& a, const ir::Operand& by, bool arithmetic);
  Pair each(ir::Op op, const Pair& a, const Pair& b) { return {this->op(op, a.low, b.low), this->op(op, a.high, b.high)}; }
  Pair mul_high(const Pair& a, const Pair& b, bool is_signed);
  Pair sign(const Pair& a);
  Pair magnitude(const Pair& a) { return flipped(a, op(ir::Op::ishr, a.high, word(31))); }
  /// By zero: some number.
  Pair unsigned_quotient(const Pair& a, const Pair& b) { return divided(a, b).quotient; }
  Pair unsigned_remainder(const Pair& a, const Pair& b) { return divided(a, b).remainder; }
  Pair signed_quotient(const Pair& a, const Pair& b);
  Pair signed_remainder(const Pair& a, const Pair& b);  ///< sign of a
  Pair modulus(const Pair& a, const Pair& b);           ///< sign of b
  ir::Operand less(const Pair& a, const Pair& b, bool is_signed);
  ir::Operand equal(const Pair& a, const Pair& b);

  ir::Operand to_float(const Pair& a, bool is_signed);  ///< nearest even
  /// Toward zero. Of NaN and what is negative 0, of 2^64 and above some number.
  Pair from_float(const ir::Operand& x, bool is_signed);

 private:
  struct Division {
    Pair quotient, remainder;
  };
  Division divided(const Pair& a, const Pair& b);
  ir::Operand long_quotient(const ir::Operand& high, const ir::Operand& low, const ir::Operand& divisor);
  /// Negative where `sign` is ~0, as it is where that is 0.
  Pair flipped(const Pair& a, const ir::Operand& sign);
  Pair product(const ir::Operand& a, const ir::Operand& b);
  ir::Operand number(const ir::Operand& truth) { return b_.op_typed(ir::Op::b2i, ir::Type::u32, {truth}); }
  ir::Operand inverted(const ir::Operand& truth) { return b_.op_typed(ir::Op::inot, ir::Type::boolean, {truth}); }
  ir::Operand carry_of(const ir::Operand& sum, const ir::Operand& term) { return number(test(ir::Op::ult, sum, term)); }

  ir::Builder& b_;
};

}  // namespace pumice::compiler::passes
