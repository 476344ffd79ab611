// SPDX-License-Identifier: MIT
#include "hw/radeon/jit/lane/evaluate.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "hw/common/numerics/half_words.h"
#include "hw/common/numerics/scalar_math.h"
#include "hw/common/numerics/srgb.h"

namespace pumice::hw::fast::lane {
namespace {

using S = num::ScalarMath;

uint32_t word(float v) { return num::bits(v); }
template <std::integral T>
uint32_t word(T v) {
  return uint32_t(v);
}

int32_t truncated(float v) { return v >= -0x1p31f && v < 0x1p31f ? int32_t(v) : INT32_MIN; }
int32_t int_clamped(float v) { return num::is_nan(v) ? 0 : v < 0x1p31f ? truncated(v) : INT32_MAX; }
uint32_t uint_clamped(float v) { return !(v > 0) ? 0 : v < 0x1p32f ? uint32_t(v) : UINT32_MAX; }

uint32_t from_half(uint32_t half) { return num::half_word_to_float(half); }
uint32_t to_half(float v) { return num::float_word_to_half(num::bits(v)); }
uint32_t reversed(uint32_t v) {
  uint32_t r = 0;
  for (int i = 0; i < 32; ++i) r |= (v >> i & 1u) << (31 - i);
  return r;
}
uint32_t dot_words(uint32_t a, uint32_t b) { return uint32_t(int16_t(a) * int16_t(b)) + uint32_t(int16_t(a >> 16) * int16_t(b >> 16)); }
int32_t quotient(int32_t a, int32_t b) {
  if (b == 0) return -1;
  return b == -1 ? int32_t(0u - uint32_t(a)) : a / b;
}

/// What is written where other threads and programs see the bits.
uint32_t written(float v) { return num::is_nan(v) ? 0x7FFFFFFFu : num::bits(num::flush_denormal(v)); }
uint32_t extreme(uint32_t a, uint32_t b, bool least) {
  const float x = num::flush_denormal(num::from_bits(a)), y = num::flush_denormal(num::from_bits(b));
  if (num::is_nan(y)) return written(x);
  return written(!num::is_nan(x) && (least ? x < y : x > y) ? x : y);
}

}  // namespace

uint32_t float_sum(uint32_t a, uint32_t b) { return written(S::add(num::from_bits(a), num::from_bits(b))); }
uint32_t float_product(uint32_t a, uint32_t b) { return written(S::mul(num::from_bits(a), num::from_bits(b))); }
uint32_t float_least(uint32_t a, uint32_t b) { return extreme(a, b, true); }
uint32_t float_greatest(uint32_t a, uint32_t b) { return extreme(a, b, false); }

uint64_t combined(Atomic64 op, uint64_t old, uint64_t b, uint64_t c) {
  switch (op) {
    case Atomic64::add: return old + b;
    case Atomic64::imin: return uint64_t(std::min(int64_t(old), int64_t(b)));
    case Atomic64::imax: return uint64_t(std::max(int64_t(old), int64_t(b)));
    case Atomic64::umin: return std::min(old, b);
    case Atomic64::umax: return std::max(old, b);
    case Atomic64::bit_and: return old & b;
    case Atomic64::bit_or: return old | b;
    case Atomic64::bit_xor: return old ^ b;
    case Atomic64::exchange: return b;
    case Atomic64::compare_exchange: return old == c ? b : old;
    case Atomic64::mul: return old * b;
  }
  return old;
}

uint32_t evaluate(Op op, [[maybe_unused]] uint32_t imm, uint32_t a, uint32_t b, uint32_t c) {
  const float fa = num::from_bits(a), fb = num::from_bits(b), fc = num::from_bits(c);
  const int32_t ia = int32_t(a), ib = int32_t(b);
  switch (op) {
#define PUMICE_LANE_ROW(name, signature, traits, latency, scalar, ...) \
  case Op::name: return word(scalar);
    PUMICE_LANE_ELEMENTWISE(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
    default: return 0;
  }
}

}  // namespace pumice::hw::fast::lane
