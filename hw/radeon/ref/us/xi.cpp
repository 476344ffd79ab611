// SPDX-License-Identifier: MIT
/// See xi.h.
#include "hw/radeon/ref/us/xi.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "hw/radeon/ref/us/arith.h"

namespace pumice::hw::us::xi {
namespace {

uint32_t truth(bool b) { return b ? ~0u : 0u; }
uint32_t out(float x) { return bits(canonical(x)); }
float in(uint32_t x) { return flush_denormal(from_bits(x)); }

int32_t quotient(int32_t a, int32_t b) {
  if (b == 0) return 0;
  return b == -1 ? int32_t(0u - uint32_t(a)) : a / b;  // the smallest has no positive
}

/// Toward zero into [low, high]; NaN 0.
template <class T>
T to_integer(float x, double low, double high) {
  if (is_nan(x)) return 0;
  return T(std::clamp(std::trunc(double(x)), low, high));
}

uint32_t highest(uint32_t x) { return x ? 31u - uint32_t(std::countl_zero(x)) : ~0u; }

uint32_t reverse(uint32_t x) {
  uint32_t r = 0;
  for (int i = 0; i < 32; ++i) r |= (x >> i & 1u) << (31 - i);
  return r;
}

/// `count` bits of x from bit `first`; as many as there are.
uint32_t extract(uint32_t x, uint32_t first, uint32_t count, bool sign) {
  if (count == 0 || first > 31) return 0;
  const uint32_t n = std::min(count, 32 - first), top = x << (32 - first - n);
  return sign ? uint32_t(int32_t(top) >> (32 - n)) : top >> (32 - n);
}

float min_max(float a, float b, bool is_min) {
  if (is_nan(b)) return a;
  if (is_nan(a)) return b;
  return (is_min ? a < b : a > b) ? a : b;
}

uint32_t from_half(uint32_t h) {
  const float f = num::half_to_float(uint16_t(h));
  return is_nan(f) ? kUsNan : bits(f);
}

bool is_special(float x) { return x == 0.0f || !num::is_finite(x); }

float ldexp(float a, int32_t b) { return num::round_exact(std::ldexp(double(a), std::clamp(b, -400, 400))); }

}  // namespace

uint32_t evaluate(XiOp op, uint32_t a, uint32_t b, uint32_t c) {
  const int32_t sa = int32_t(a), sb = int32_t(b);
  switch (op) {
    case XiOp::IADD: return a + b;
    case XiOp::IMUL: return a * b;
    case XiOp::IMAD: return a * b + c;
    case XiOp::IMULH: return uint32_t(uint64_t(int64_t(sa) * int64_t(sb)) >> 32);
    case XiOp::UMULH: return uint32_t(uint64_t(a) * uint64_t(b) >> 32);
    case XiOp::IDIV: return uint32_t(quotient(sa, sb));
    case XiOp::UDIV: return b ? a / b : 0;
    case XiOp::IREM: return a - uint32_t(quotient(sa, sb)) * b;
    case XiOp::UREM: return b ? a % b : a;
    case XiOp::AND: return a & b;
    case XiOp::OR: return a | b;
    case XiOp::XOR: return a ^ b;
    case XiOp::BITSEL: return (a & c) | (b & ~c);
    case XiOp::SHL: return a << (b & 31);
    case XiOp::LSHR: return a >> (b & 31);
    case XiOp::ASHR: return uint32_t(sa >> (b & 31));
    case XiOp::IMIN: return uint32_t(std::min(sa, sb));
    case XiOp::IMAX: return uint32_t(std::max(sa, sb));
    case XiOp::UMIN: return std::min(a, b);
    case XiOp::UMAX: return std::max(a, b);
    case XiOp::IEQ: return truth(a == b);
    case XiOp::INE: return truth(a != b);
    case XiOp::ILT: return truth(sa < sb);
    case XiOp::IGE: return truth(sa >= sb);
    case XiOp::ULT: return truth(a < b);
    case XiOp::UGE: return truth(a >= b);
    case XiOp::FEQ: return truth(in(a) == in(b));
    case XiOp::FNE: return truth(!(in(a) == in(b)));
    case XiOp::FLT: return truth(in(a) < in(b));
    case XiOp::FGE: return truth(in(a) >= in(b));
    case XiOp::SEL: return c ? a : b;
    case XiOp::MOV: return a;
    case XiOp::F2I: return uint32_t(to_integer<int32_t>(in(a), -0x1p31, 0x1p31 - 1));
    case XiOp::F2U: return to_integer<uint32_t>(in(a), 0, 0x1p32 - 1);
    case XiOp::I2F: return bits(float(sa));
    case XiOp::U2F: return bits(float(a));
    case XiOp::FLOOR: return out(std::floor(in(a)));
    case XiOp::CEIL: return out(std::ceil(in(a)));
    case XiOp::TRUNC: return out(std::trunc(in(a)));
    case XiOp::RNE: return out(std::nearbyint(in(a)));
    case XiOp::FDIV: return out(num::div(in(a), in(b)));
    case XiOp::FSQRT: return out(num::sqrt(in(a)));
    case XiOp::FMIN: return out(min_max(in(a), in(b), true));
    case XiOp::FMAX: return out(min_max(in(a), in(b), false));
    case XiOp::LDEXP: return out(ldexp(in(a), sb));
    case XiOp::FREXPM: return is_special(in(a)) || is_nan(in(a)) ? out(in(a)) : (a & 0x807FFFFFu) | 0x3F000000u;
    case XiOp::FREXPE: return is_special(in(a)) || is_nan(in(a)) ? 0 : (a >> 23 & 255u) - 126u;
    case XiOp::BCNT: return uint32_t(std::popcount(a));
    case XiOp::FFBL: return a ? uint32_t(std::countr_zero(a)) : ~0u;
    case XiOp::FFBH: return highest(a);
    case XiOp::FFBI: return highest(sa < 0 ? ~a : a);
    case XiOp::BREV: return reverse(a);
    case XiOp::BFM: return (a > 31 ? ~0u : (1u << a) - 1) << (b & 31);
    case XiOp::UBFE: return extract(a, b, c, false);
    case XiOp::IBFE: return extract(a, b, c, true);
    case XiOp::PKH: return num::float_to_half(from_bits(a)) | uint32_t(num::float_to_half(from_bits(b))) << 16;
    case XiOp::UNPKL: return from_half(a & 0xFFFFu);
    case XiOp::UNPKH: return from_half(a >> 16);
    case XiOp::QBC0:
    case XiOp::QBC1:
    case XiOp::QBC2:
    case XiOp::QBC3:
    case XiOp::QSWH:
    case XiOp::QSWV:
    case XiOp::QSWD:
    case XiOp::DDXC:
    case XiOp::DDYC:
    case XiOp::DDXF:
    case XiOp::DDYF: break;  // across()
  }
  return 0;  // reserved: a program with such a code does not run
}

uint32_t across(XiOp op, const uint32_t* a, uint32_t pixel) {
  const auto difference = [&](uint32_t to, uint32_t from) { return out(num::sub(in(a[to]), in(a[from]))); };
  switch (op) {
    case XiOp::QBC0:
    case XiOp::QBC1:
    case XiOp::QBC2:
    case XiOp::QBC3: return a[uint32_t(op) & 3u];
    case XiOp::QSWH: return a[pixel ^ 1u];
    case XiOp::QSWV: return a[pixel ^ 2u];
    case XiOp::QSWD: return a[pixel ^ 3u];
    case XiOp::DDXC: return difference(1, 0);
    case XiOp::DDYC: return difference(2, 0);
    case XiOp::DDXF: return difference(pixel | 1u, pixel & 2u);
    case XiOp::DDYF: return difference(pixel | 2u, pixel & 1u);
    default: return 0;
  }
}

}  // namespace pumice::hw::us::xi
