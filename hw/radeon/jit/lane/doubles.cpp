// SPDX-License-Identifier: MIT
/// Numbers of binary64: building, and what their operations do to one of them.
#include <bit>
#include <cmath>

#include "hw/radeon/jit/lane/evaluate.h"

namespace pumice::hw::fast::lane {

/// What unzips have taken apart needs no zip; words of constants are a table.
Value Builder::zip(Op op, Value a, Value b) {
  const Node &even = node(a), &odd = node(b);
  if (even.op == Op::unzip_even && odd.op == Op::unzip_odd && even.a == odd.a && even.b == odd.b)
    return {op == Op::zip_low ? even.a : even.b};
  if (even.op == Op::constant && odd.op == Op::constant) {
    std::array<uint32_t, kLanes> lanes;
    for (size_t l = 0; l < kLanes; ++l) lanes[l] = l % 2 ? odd.imm : even.imm;
    return table(lanes);
  }
  return pure({.op = op, .a = a.id, .b = b.id});
}

/// Which NaN an operand is does not matter.
Value Builder::of_doubles(Op op, Value a, Value b, Value c) {
  for (Value* v : {&a, &b, &c})
    if (*v && node(*v).op == Op::dnumber) v->id = node(*v).a;
  return pure({.op = op, .a = a.id, .b = b.id, .c = c.id});
}

namespace {
uint64_t bits(double x) { return std::bit_cast<uint64_t>(x); }
uint64_t bits(bool x) { return x ? ~uint64_t{0} : 0; }
}  // namespace

uint64_t evaluate_double(Op op, uint64_t a, uint64_t b, uint64_t c) {
  [[maybe_unused]] const auto x = std::bit_cast<double>(a), y = std::bit_cast<double>(b), z = std::bit_cast<double>(c);
  switch (op) {
#define PUMICE_LANE_ROW(name, signature, traits, latency, scalar, code) \
  case Op::name: return bits(scalar);
    PUMICE_LANE_DOUBLES(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
    default: return 0;
  }
}

double widened(uint32_t word) {
  const bool denormal = !(word & 0x7F800000u);
  return double(std::bit_cast<float>(denormal ? word & 0x80000000u : word));
}
uint32_t narrowed(double x) {
  const auto f = float(x);
  // Tiny is what is below 2^-126 when rounded with an unbounded exponent.
  const bool tiny = std::fabs(float(x * 0x1p60)) < 0x1p-66f;
  return std::bit_cast<uint32_t>(tiny ? std::copysign(0.0f, f) : f);
}

}  // namespace pumice::hw::fast::lane
