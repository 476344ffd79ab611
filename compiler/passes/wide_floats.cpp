// SPDX-License-Identifier: MIT
/// See wide_floats.h.
#include "compiler/passes/wide_floats.h"

#include <algorithm>
#include <bit>

namespace pumice::compiler::passes {

using namespace ir;

Pair WideFloats::of(WideOp op, std::initializer_list<Pair> operands) {
  unsigned comps = 1;
  for (const Pair& p : operands) comps = std::max({comps, unsigned{p.low.comps}, unsigned{p.high.comps}});
  const auto lane = [](const Operand& o, unsigned i) { return o.comps == 1 ? o.lane(0) : o.lane(i); };
  Vec<Operand> low, high;
  for (unsigned first = 0; first < comps; first += 2) {
    const unsigned numbers = std::min(comps - first, 2u);
    Instruction in{.op = Op::wide_op};
    for (const Pair& p : operands) {
      Vec<Operand> lanes;
      for (unsigned n = 0; n < numbers; ++n) {
        lanes.push_back(lane(p.low, first + n));
        lanes.push_back(lane(p.high, first + n));
      }
      in.source[in.source_count++] = b_.vec(lanes).source;
    }
    Access access;
    access.sub = uint8_t(op);
    in.set_access(access);
    const Operand r = b_.append(in, Type::u32, 2 * numbers);
    for (unsigned n = 0; n < numbers; ++n) {
      low.push_back(r.lane(2 * n));
      high.push_back(r.lane(2 * n + 1));
    }
  }
  return {b_.vec(low), b_.vec(high)};
}

Operand WideFloats::test(WideOp op, const Pair& a, const Pair& b) { return words_.test(Op::ine, of(op, {a, b}).low, words_.word(0)); }

Pair WideFloats::constant(double x) {
  const auto bits = std::bit_cast<uint64_t>(x);
  return {words_.word(uint32_t(bits)), words_.word(uint32_t(bits >> 32))};
}

Pair WideFloats::difference(const Pair& a, const Pair& b) {
  return of(WideOp::DADD, {a, {b.low, words_.op(Op::ixor, b.high, words_.word(0x80000000))}});
}

/// Of zeros and NaN 0.
Pair WideFloats::sign(const Pair& a) {
  const Pair zero = constant(0);
  const Pair negative = words_.sel(test(WideOp::DLT, a, zero), constant(-1), zero);
  return words_.sel(test(WideOp::DLT, zero, a), constant(1), negative);
}

/// The first product, then one after the other by fma.
Pair WideFloats::dot(const Pair& a, const Pair& b, unsigned lanes) {
  const auto lane = [](const Pair& p, unsigned i) { return Pair{p.low.lane(i), p.high.lane(i)}; };
  Pair sum = of(WideOp::DMUL, {lane(a, 0), lane(b, 0)});
  for (unsigned i = 1; i < lanes; ++i) sum = of(WideOp::DFMA, {lane(a, i), lane(b, i), sum});
  return sum;
}

}  // namespace pumice::compiler::passes
