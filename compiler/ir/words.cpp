// SPDX-License-Identifier: MIT
/// What the typed operations compute, on words: see scalar.h. Where SPIR-V leaves a result undefined this is what the compiler promises.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "compiler/ir/scalar.h"

namespace pumice::compiler::ir {
namespace {

constexpr float as_float(uint32_t word) { return std::bit_cast<float>(word); }
constexpr uint32_t as_word(float x) { return std::bit_cast<uint32_t>(x); }

uint32_t to_signed(float x) {
  if (std::isnan(x)) return 0;
  if (x >= 2147483648.0f) return 0x7FFFFFFFu;
  return x < -2147483648.0f ? 0x80000000u : uint32_t(int32_t(x));
}
uint32_t to_unsigned(float x) {
  if (!(x > 0.0f)) return 0;
  return x >= 4294967296.0f ? ~0u : uint32_t(x);
}

uint32_t field_mask(uint32_t bits) { return bits >= 32 ? ~0u : (1u << bits) - 1; }
/// `bits` bits of x from `offset`; what lies beyond bit 31 is zero.
uint32_t field(uint32_t x, uint32_t offset, uint32_t bits) { return offset >= 32 ? 0 : x >> offset & field_mask(bits); }
uint32_t sign_extended(uint32_t x, uint32_t bits) {
  if (bits == 0 || bits >= 32) return bits ? x : 0;
  const uint32_t sign = 1u << (bits - 1);
  return (x ^ sign) - sign;
}
uint32_t reversed(uint32_t x) {
  uint32_t r = 0;
  for (unsigned i = 0; i < 32; ++i) r |= (x >> i & 1) << (31 - i);
  return r;
}
uint32_t highest(uint32_t x) { return x ? 31u - uint32_t(std::countl_zero(x)) : ~0u; }

/// Binary16 of a float, to the nearest even; and back.
uint32_t to_half(float x) {
  const uint32_t word = as_word(x), sign = word >> 16 & 0x8000u, magnitude = word & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) return sign | 0x7E00u;
  if (magnitude >= 0x47800000u) return sign | 0x7C00u;
  if (magnitude < 0x38800000u) {  // below 2^-14: multiples of 2^-24
    const float scaled = as_float(magnitude) * 16777216.0f;
    const float whole = std::floor(scaled), rest = scaled - whole;
    const bool up = rest > 0.5f || (rest == 0.5f && (uint32_t(whole) & 1));
    return sign | (uint32_t(whole) + up);
  }
  const uint32_t rounded = magnitude + 0xFFFu + (magnitude >> 13 & 1);
  return sign | std::min((rounded - 0x38000000u) >> 13, 0x7C00u);
}
float from_half(uint32_t half) {
  const uint32_t sign = (half & 0x8000u) << 16, exponent = half >> 10 & 31, mantissa = half & 0x3FFu;
  if (exponent == 31) return as_float(sign | 0x7F800000u | mantissa << 13);
  if (exponent == 0) return std::copysign(float(mantissa) / 16777216.0f, as_float(sign | as_word(1.0f)));
  return as_float(sign | (exponent + 112) << 23 | mantissa << 13);
}

/// The mantissa of a float in [0.5, 1) and its exponent; of zero, Inf and NaN the number itself and 0.
std::pair<float, int> split(float x) {
  x = flush(x);
  if (x == 0.0f || !std::isfinite(x)) return {x, 0};
  const uint32_t word = as_word(x);
  return {as_float((word & 0x807FFFFFu) | 126u << 23), int(word >> 23 & 0xFF) - 126};
}
float scaled(float x, int32_t exponent) {
  const auto [mantissa, e] = split(x);
  if (mantissa == 0.0f || !std::isfinite(mantissa)) return mantissa;
  const int64_t sum = int64_t{e} + exponent;
  if (sum > 128) return std::copysign(std::numeric_limits<float>::infinity(), x);
  return sum < -125 ? std::copysign(0.0f, x) : std::ldexp(mantissa, int(sum));
}

struct Packing {
  unsigned lanes, bits;
  bool is_signed, half;
};
Packing packing(Op op) {
  switch (op) {
    case Op::pack_snorm4x8:
    case Op::unpack_snorm4x8: return {4, 8, true, false};
    case Op::pack_unorm4x8:
    case Op::unpack_unorm4x8: return {4, 8, false, false};
    case Op::pack_snorm2x16:
    case Op::unpack_snorm2x16: return {2, 16, true, false};
    case Op::pack_unorm2x16:
    case Op::unpack_unorm2x16: return {2, 16, false, false};
    default: return {2, 16, false, true};
  }
}

}  // namespace

uint32_t eval_word(Op op, const std::array<uint32_t, 4>& s) {
  const uint32_t a = s[0], b = s[1];
  const auto sa = int32_t(a), sb = int32_t(b);
  const bool divides = b != 0 && !(sa == std::numeric_limits<int32_t>::min() && sb == -1);
  switch (op) {
    case Op::iadd: return a + b;
    case Op::isub: return a - b;
    case Op::imul: return a * b;
    case Op::ineg: return 0u - a;
    case Op::iabs: return sa < 0 ? 0u - a : a;
    case Op::isign: return sa > 0 ? 1u : sa < 0 ? ~0u : 0u;
    case Op::idiv: return divides ? uint32_t(sa / sb) : 0;
    case Op::udiv: return b ? a / b : 0;
    case Op::irem: return divides ? uint32_t(sa % sb) : 0;
    case Op::umod: return b ? a % b : 0;
    case Op::imod: {
      const int32_t r = divides ? sa % sb : 0;
      return uint32_t(r != 0 && (r < 0) != (sb < 0) ? r + sb : r);
    }
    case Op::imin: return sa < sb ? a : b;
    case Op::imax: return sa < sb ? b : a;
    case Op::umin: return std::min(a, b);
    case Op::umax: return std::max(a, b);
    case Op::ishl: return a << (b & 31);
    case Op::ishr: return uint32_t(sa >> (b & 31));
    case Op::ushr: return a >> (b & 31);
    case Op::iand: return a & b;
    case Op::ior: return a | b;
    case Op::ixor: return a ^ b;
    case Op::inot: return ~a;
    case Op::ilt: return sa < sb;
    case Op::ige: return sa >= sb;
    case Op::ult: return a < b;
    case Op::uge: return a >= b;
    case Op::ieq: return a == b;
    case Op::ine: return a != b;
    case Op::i2f: return as_word(float(sa));
    case Op::u2f: return as_word(float(a));
    case Op::f2i:
    case Op::whole2i: return to_signed(as_float(a));
    case Op::f2u:
    case Op::whole2u: return to_unsigned(as_float(a));
    case Op::b2f: return a ? as_word(1.0f) : 0;
    case Op::b2i: return a ? 1 : 0;
    case Op::bitcast: return a;
    case Op::ibfe: return sign_extended(field(a, b, s[2]), s[2]);
    case Op::ubfe: return field(a, b, s[2]);
    case Op::bfi: {
      const uint32_t mask = s[2] >= 32 ? 0 : field_mask(s[3]) << s[2];
      return (a & ~mask) | (s[2] >= 32 ? 0 : b << s[2] & mask);
    }
    case Op::bit_reverse: return reversed(a);
    case Op::bit_count: return uint32_t(std::popcount(a));
    case Op::find_lsb: return a ? uint32_t(std::countr_zero(a)) : ~0u;
    case Op::ifind_msb: return highest(sa < 0 ? ~a : a);
    case Op::ufind_msb: return highest(a);
    case Op::uadd_carry: return a + b < a;
    case Op::usub_borrow: return a < b;
    case Op::umul_high: return uint32_t(uint64_t{a} * b >> 32);
    case Op::imul_high: return uint32_t(uint64_t(int64_t{sa} * sb) >> 32);
    case Op::nmin:
    case Op::nmax: {
      const float x = flush(as_float(a)), y = flush(as_float(b));
      if (std::isnan(x)) return as_word(y);
      if (std::isnan(y)) return as_word(x);
      return as_word(eval_scalar(op == Op::nmin ? Op::min : Op::max, x, y, 0));
    }
    case Op::ldexp: return as_word(scaled(as_float(a), sb));
    case Op::frexp_mant: return as_word(split(as_float(a)).first);
    case Op::frexp_exp: return uint32_t(split(as_float(a)).second);
    default: return 0;
  }
}

uint32_t eval_pack(Op op, const std::array<uint32_t, 4>& s) {
  const Packing p = packing(op);
  uint32_t word = 0;
  for (unsigned i = 0; i < p.lanes; ++i) {
    const float x = as_float(s[i]);
    uint32_t part;
    if (p.half) {
      part = to_half(x);
    } else {
      const float top = float(p.is_signed ? (1u << (p.bits - 1)) - 1 : (1u << p.bits) - 1), low = p.is_signed ? -1.0f : 0.0f;
      part = uint32_t(int32_t(std::nearbyint((x > low ? std::min(x, 1.0f) : low) * top)));
    }
    word |= (part & field_mask(p.bits)) << (i * p.bits);
  }
  return word;
}

std::array<uint32_t, 4> eval_unpack(Op op, uint32_t word) {
  const Packing p = packing(op);
  std::array<uint32_t, 4> out{};
  for (unsigned i = 0; i < p.lanes; ++i) {
    const uint32_t part = field(word, i * p.bits, p.bits);
    if (p.half)
      out[i] = as_word(from_half(part));
    else if (p.is_signed)
      out[i] = as_word(std::max(float(int32_t(sign_extended(part, p.bits))) / float((1u << (p.bits - 1)) - 1), -1.0f));
    else
      out[i] = as_word(float(part) / float((1u << p.bits) - 1));
  }
  return out;
}

}  // namespace pumice::compiler::ir
