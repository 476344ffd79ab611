// SPDX-License-Identifier: MIT
/// Numbers of ASTC blocks: bounded integer sequences, weights and colour components, endpoints, partitions. Integer arithmetic, as the
/// format is defined.
#include <algorithm>

#include "hw/radeon/decode/xt/block_astc.h"

namespace pumice::hw::xt::astc {
namespace {

uint64_t mirrored(uint64_t v) {
  uint64_t r = 0;
  for (uint32_t i = 0; i < 64; ++i) r |= (v >> i & 1) << (63 - i);
  return r;
}

/// Five trits in 8 bits.
uint32_t trit(uint32_t t, uint32_t i) {
  const auto bit = [](uint32_t v, uint32_t n) { return v >> n & 1u; };
  uint32_t c, high[2];
  if ((t >> 2 & 7) == 7) {
    c = (t >> 5 & 7) << 2 | (t & 3);
    high[0] = high[1] = 2;
  } else {
    c = t & 31;
    const bool two = (t >> 5 & 3) == 3;
    high[1] = two ? 2 : bit(t, 7);
    high[0] = two ? bit(t, 7) : t >> 5 & 3;
  }
  if (i >= 3) return high[i - 3];
  if ((c & 3) == 3) return i == 2 ? 2 : i == 1 ? bit(c, 4) : bit(c, 3) << 1 | (bit(c, 2) & ~bit(c, 3) & 1u);
  if ((c >> 2 & 3) == 3) return i == 0 ? c & 3 : 2;
  return i == 2 ? bit(c, 4) : i == 1 ? c >> 2 & 3 : bit(c, 1) << 1 | (bit(c, 0) & ~bit(c, 1) & 1u);
}

/// Three quints in 7 bits.
uint32_t quint(uint32_t q, uint32_t i) {
  const auto bit = [](uint32_t v, uint32_t n) { return v >> n & 1u; };
  const bool high = (q >> 1 & 3) == 3;
  if (high && (q >> 5 & 3) == 0) {
    const uint32_t off = ~bit(q, 0) & 1u;
    return i == 2 ? bit(q, 0) << 2 | (bit(q, 4) & off) << 1 | (bit(q, 3) & off) : 4;
  }
  if (i == 2) return high ? 4 : q >> 5 & 3;
  const uint32_t c = high ? (q >> 3 & 3) << 3 | (~(q >> 5) & 3) << 1 | bit(q, 0) : q & 31;
  if ((c & 7) == 5) return i == 1 ? 4 : c >> 3 & 3;
  return i == 1 ? c >> 3 & 3 : c & 7;
}

/// The code of `bits` bits, repeated to `wide` bits.
uint32_t repeated(uint32_t v, uint32_t bits, uint32_t wide) {
  uint32_t r = 0;
  int32_t at = int32_t(wide);
  while (at > 0) {
    at -= int32_t(bits);
    r |= at >= 0 ? v << at : v >> -at;
  }
  return r;
}

/// Spreads the bits of `v` from bit 1 on to the places of a pattern: a letter for each place, from the highest down; 'b' is bit 1 of v.
uint32_t spread(uint32_t v, const char* pattern) {
  uint32_t r = 0;
  for (; *pattern; ++pattern) r = r << 1 | (*pattern == '0' ? 0u : v >> (*pattern - 'a') & 1u);
  return r;
}

struct Unpacking {
  const char* pattern;
  uint32_t factor;
};

}  // namespace

Bits Bits::reversed() const {
  Bits r = *this;
  r.half_[0] = mirrored(half_[1]);
  r.half_[1] = mirrored(half_[0]);
  return r;
}

uint32_t sequence_bits(const Range& r, uint32_t count) {
  return count * r.bits + (r.trits * 8 * count + 4) / 5 + (r.quints * 7 * count + 2) / 3;
}

uint32_t sequence_value(const Bits& block, const Range& r, uint32_t first, uint32_t end, uint32_t i) {
  if (!r.trits && !r.quints) return block.field(first + i * r.bits, r.bits, end);
  // Between the low bits of the numbers of a group lie pieces of what they share.
  static constexpr uint8_t kTritPieces[5] = {2, 2, 1, 2, 1}, kQuintPieces[3] = {3, 2, 2};
  const uint32_t group = r.trits ? 5 : 3, index = i % group;
  const uint8_t* const pieces = r.trits ? kTritPieces : kQuintPieces;
  uint32_t at = first + i / group * (group * r.bits + (r.trits ? 8 : 7)), shared = 0, filled = 0, low = 0;
  for (uint32_t k = 0; k < group; ++k) {
    if (k == index) low = block.field(at, r.bits, end);
    at += r.bits;
    shared |= block.field(at, pieces[k], end) << filled;
    at += pieces[k];
    filled += pieces[k];
  }
  return (r.trits ? trit(shared, index) : quint(shared, index)) << r.bits | low;
}

uint32_t weight_of(const Range& r, uint32_t v) {
  static constexpr uint8_t kTrit[3] = {0, 32, 63}, kQuint[5] = {0, 16, 32, 47, 63};
  static constexpr Unpacking kTrits[4] = {{"", 0}, {"0000000", 50}, {"b000b0b", 23}, {"cb000cb", 11}};
  static constexpr Unpacking kQuints[3] = {{"", 0}, {"0000000", 28}, {"b0000b0", 13}};
  uint32_t w;
  if (!r.trits && !r.quints) {
    w = repeated(v, r.bits, 6);
  } else if (!r.bits) {
    w = r.trits ? kTrit[v] : kQuint[v];
  } else {
    const Unpacking& u = r.trits ? kTrits[r.bits] : kQuints[r.bits];
    const uint32_t a = v & 1 ? 0x7Fu : 0u;
    w = (a & 0x20) | (((v >> r.bits) * u.factor + spread(v, u.pattern)) ^ a) >> 2;
  }
  return w > 32 ? w + 1 : w;
}

uint32_t component_of(const Range& r, uint32_t v) {
  static constexpr Unpacking kTrits[7] = {{"", 0},           {"000000000", 204}, {"b000b0bb0", 93}, {"cb000cbcb", 44},
                                          {"dcb000dcb", 22}, {"edcb000ed", 11},  {"fedcb000f", 5}};
  static constexpr Unpacking kQuints[6] = {{"", 0},           {"000000000", 113}, {"b0000bb00", 54},
                                           {"cb0000cbc", 26}, {"dcb0000dc", 13},  {"edcb0000e", 6}};
  if (!r.trits && !r.quints) return repeated(v, r.bits, 8);
  const Unpacking& u = r.trits ? kTrits[r.bits] : kQuints[r.bits];
  const uint32_t a = v & 1 ? 0x1FFu : 0u;
  return (a & 0x80) | (((v >> r.bits) * u.factor + spread(v, u.pattern)) ^ a) >> 2;
}

bool is_low_range(uint32_t mode) { return 0x3773u >> mode & 1u; }

Endpoints endpoints_of(uint32_t mode, const std::array<int32_t, 8>& values) {
  std::array<int32_t, 8> v = values;
  const auto clamped = [](Color c) {
    for (int32_t& x : c) x = std::clamp(x, 0, 255);
    return c;
  };
  // Base and offset: the base's lowest bit is the offset's highest.
  const auto offset = [&](uint32_t i) {
    v[i] = v[i] >> 1 | (v[i + 1] & 0x80);
    v[i + 1] = v[i + 1] >> 1 & 0x3F;
    if (v[i + 1] & 0x20) v[i + 1] -= 0x40;
  };
  // Blue is closer to the others' mean.
  const auto contracted = [](const Color& c) { return Color{(c[0] + c[2]) >> 1, (c[1] + c[2]) >> 1, c[2], c[3]}; };
  switch (mode) {
    case 0: return {{v[0], v[0], v[0], 255}, {v[1], v[1], v[1], 255}};
    case 1: {
      const int32_t low = v[0] >> 2 | (v[1] & 0xC0), high = std::min(low + (v[1] & 0x3F), 255);
      return {{low, low, low, 255}, {high, high, high, 255}};
    }
    case 4: return {{v[0], v[0], v[0], v[2]}, {v[1], v[1], v[1], v[3]}};
    case 5: {
      offset(0), offset(2);
      const int32_t sum = v[0] + v[1];
      return {clamped({v[0], v[0], v[0], v[2]}), clamped({sum, sum, sum, v[2] + v[3]})};
    }
    case 6:
    case 10: {
      const int32_t low = mode == 6 ? 255 : v[4], high = mode == 6 ? 255 : v[5];
      return {{v[0] * v[3] >> 8, v[1] * v[3] >> 8, v[2] * v[3] >> 8, low}, {v[0], v[1], v[2], high}};
    }
    case 8:
    case 12: {
      const Color a{v[0], v[2], v[4], mode == 8 ? 255 : v[6]}, b{v[1], v[3], v[5], mode == 8 ? 255 : v[7]};
      if (b[0] + b[1] + b[2] >= a[0] + a[1] + a[2]) return {a, b};
      return {contracted(b), contracted(a)};
    }
    default: {  // 9, 13
      offset(0), offset(2), offset(4);
      if (mode == 13) offset(6);
      const Color a{v[0], v[2], v[4], mode == 9 ? 255 : v[6]}, b{v[0] + v[1], v[2] + v[3], v[4] + v[5], mode == 9 ? 255 : v[6] + v[7]};
      if (v[1] + v[3] + v[5] >= 0) return {clamped(a), clamped(b)};
      return {clamped(contracted(b)), clamped(contracted(a))};
    }
  }
}

uint32_t partition_of(uint32_t seed, uint32_t x, uint32_t y, uint32_t count, bool small) {
  if (small) x <<= 1, y <<= 1;
  seed += (count - 1) * 1024;
  uint32_t n = seed;
  n ^= n >> 15;
  n -= n << 17;
  n += n << 7;
  n += n << 4;
  n ^= n >> 5;
  n += n << 16;
  n ^= n >> 7;
  n ^= n >> 3;
  n ^= n << 6;
  n ^= n >> 17;
  const uint32_t wide = seed & 2 ? 4 : 5, narrow = count == 3 ? 6 : 5;
  const uint32_t shift[2] = {seed & 1 ? wide : narrow, seed & 1 ? narrow : wide};
  const auto factor = [&](uint32_t i) {
    const uint32_t nibble = n >> 4 * i & 15;
    return nibble * nibble >> shift[i & 1];
  };
  std::array<uint32_t, 4> at;
  for (uint32_t i = 0; i < 4; ++i) at[i] = (factor(2 * i) * x + factor(2 * i + 1) * y + (n >> (14 - 4 * i))) & 63;
  if (count <= 3) at[3] = 0;
  if (count <= 2) at[2] = 0;
  uint32_t best = 0;
  for (uint32_t i = 1; i < 4; ++i)
    if (at[i] > at[best]) best = i;
  return best;
}

}  // namespace pumice::hw::xt::astc
