// SPDX-License-Identifier: MIT
/// Arithmetic of f64 by the operations that the chip has for numbers of 64 bits (docs/r5x.md, 4.2), two numbers at a time.
#pragma once
#include <initializer_list>

#include "compiler/passes/wide_integers.h"
#include "hw/db/isa_us_r500.h"

namespace pumice::compiler::passes {

using pumice::isa::us_r500::WideOp;

class WideFloats {
 public:
  WideFloats(WideIntegers& words, ir::Builder& b) : words_(words), b_(b) {}

  Pair of(WideOp op, std::initializer_list<Pair> operands);
  ir::Operand test(WideOp op, const Pair& a, const Pair& b);
  Pair constant(double x);
  Pair difference(const Pair& a, const Pair& b);
  Pair sign(const Pair& a);  ///< -1, 0, 1
  Pair dot(const Pair& a, const Pair& b, unsigned lanes);

 private:
  WideIntegers& words_;
  ir::Builder& b_;
};

}  // namespace pumice::compiler::passes
