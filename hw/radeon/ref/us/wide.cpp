// SPDX-License-Identifier: MIT
/// WIDE slots (docs/r5x.md s.4.2). Every function of the library that is called here is exact or correctly rounded, so that it is the same
/// everywhere.
#include "hw/radeon/ref/us/wide.h"

#include <bit>
#include <cmath>

#include "hw/radeon/ref/us/arith.h"
#include "hw/radeon/ref/us/group.h"

namespace pumice::hw::us {

using isa::us_r500::Extended;
using isa::us_r500::WideOp;

namespace wide {
namespace {

double real(uint64_t bits) { return std::bit_cast<double>(bits); }
uint64_t number(double x) { return std::isnan(x) ? kNan : std::bit_cast<uint64_t>(x); }
uint64_t truth(bool x) { return x ? 0xFFFFFFFFu : 0u; }

/// binary32 as the rest of US has it: denormals are zeros.
double from_float(uint32_t word) {
  const bool denormal = !(word & 0x7F800000u);
  return double(std::bit_cast<float>(denormal ? word & 0x80000000u : word));
}
uint32_t to_float(double x) {
  const float f = float(x);
  if (std::isnan(f)) return 0x7FFFFFFFu;
  // Tiny is what is below 2^-126 when rounded with an unbounded exponent.
  const bool tiny = std::fabs(float(x * 0x1p60)) < 0x1p-66f;
  return std::bit_cast<uint32_t>(tiny ? std::copysign(0.0f, f) : f);
}

constexpr double kTwo63 = 9223372036854775808.0;
uint64_t to_signed(double x) {
  if (std::isnan(x)) return 0;
  if (x >= kTwo63) return ~uint64_t{0} >> 1;
  return x < -kTwo63 ? uint64_t{1} << 63 : uint64_t(int64_t(x));
}
uint64_t to_unsigned(double x) {
  if (!(x > 0)) return 0;
  return x >= 2 * kTwo63 ? ~uint64_t{0} : uint64_t(x);
}

double nearest_even(double x) {
  if (!(std::fabs(x) < 4503599627370496.0)) return x;
  const double below = std::floor(x), rest = x - below;
  const bool up = rest > 0.5 || (rest == 0.5 && below * 0.5 != std::floor(below * 0.5));
  return std::copysign(up ? below + 1 : below, x);
}

double mantissa(double x) {
  if (!std::isfinite(x)) return x;
  int exponent = 0;
  return std::frexp(x, &exponent);
}
uint32_t exponent(double x) {
  int e = 0;
  if (std::isfinite(x)) static_cast<void>(std::frexp(x, &e));
  return uint32_t(e);
}

}  // namespace

uint64_t evaluate(WideOp op, uint64_t a, uint64_t b, uint64_t c) {
  const double x = real(a), y = real(b);
  switch (op) {
    case WideOp::DADD: return number(x + y);
    case WideOp::DMUL: return number(x * y);
    case WideOp::DFMA: return number(std::fma(x, y, real(c)));
    case WideOp::DDIV: return number(x / y);
    case WideOp::DSQRT: return number(std::sqrt(x));
    case WideOp::DMIN: return std::isnan(x) ? number(y) : std::isnan(y) || x < y ? number(x) : number(y);
    case WideOp::DMAX: return std::isnan(x) ? number(y) : std::isnan(y) || x > y ? number(x) : number(y);
    case WideOp::DLT: return truth(x < y);
    case WideOp::DGE: return truth(x >= y);
    case WideOp::DEQ: return truth(x == y);
    case WideOp::DFLOOR: return number(std::floor(x));
    case WideOp::DCEIL: return number(std::ceil(x));
    case WideOp::DTRUNC: return number(std::trunc(x));
    case WideOp::DRNE: return number(nearest_even(x));
    case WideOp::F2D: return number(from_float(uint32_t(a)));
    case WideOp::D2F: return to_float(x);
    case WideOp::L2D: return number(double(int64_t(a)));
    case WideOp::UL2D: return number(double(a));
    case WideOp::D2L: return to_signed(x);
    case WideOp::D2UL: return to_unsigned(x);
    case WideOp::DLDEXP: return number(std::ldexp(x, int32_t(uint32_t(b))));
    case WideOp::DFREXPM: return number(mantissa(x));
    case WideOp::DFREXPE: return exponent(x);
  }
  return 0;
}

}  // namespace wide

template <size_t N>
void execute_wide(GroupThread<N>& t, const Instruction& x) {
  const Extended& e = x.tex.x;
  const auto a = t.read(x.tex.source), b = t.read(x.tex.dx), c = t.read(x.tex.dy);
  typename GroupThread<N>::Lanes4 out{};
  for (uint32_t l = 0; l < N; ++l) {
    if (!(t.live(x) >> l & 1u)) continue;
    for (uint32_t n = 0; n <= e.components; n += 2) {
      const auto pair = [&](const Bits4& v) { return uint64_t{v[n + 1]} << 32 | v[n]; };
      const uint64_t r = wide::evaluate(e.wide(), pair(a[l]), pair(b[l]), pair(c[l]));
      out[l][n] = uint32_t(r);
      out[l][n + 1] = uint32_t(r >> 32);
    }
  }
  t.write(x, out);
}

template void execute_wide(GroupThread<4>&, const Instruction&);
template void execute_wide(GroupThread<kGroupLanes>&, const Instruction&);

}  // namespace pumice::hw::us
