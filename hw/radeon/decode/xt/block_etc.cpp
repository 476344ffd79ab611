// SPDX-License-Identifier: MIT
/// ETC2 and EAC blocks: 64 bits, most significant byte first; texels in columns. Integer arithmetic, as the format is defined.
#include <algorithm>

#include "hw/radeon/decode/xt/block.h"

namespace pumice::hw::xt {
namespace {

using Rgb = std::array<int32_t, 3>;

uint64_t big_endian(const uint8_t* p) {
  uint64_t v = 0;
  for (int i = 0; i < 8; ++i) v = v << 8 | p[i];
  return v;
}
/// Bits high..low of the block.
uint32_t field(uint64_t v, uint32_t high, uint32_t low) { return uint32_t(v >> low) & ((1u << (high - low + 1)) - 1u); }
int32_t widen4(uint32_t v) { return int32_t(v * 17); }
int32_t widen5(uint32_t v) { return int32_t(v << 3 | v >> 2); }
int32_t widen6(uint32_t v) { return int32_t(v << 2 | v >> 4); }
int32_t widen7(uint32_t v) { return int32_t(v << 1 | v >> 6); }
uint8_t byte(int32_t v) { return uint8_t(std::clamp(v, 0, 255)); }
std::array<uint8_t, 4> opaque(const Rgb& c, int32_t add) { return {byte(c[0] + add), byte(c[1] + add), byte(c[2] + add), 255}; }

std::array<uint8_t, 4> planar(uint64_t v, uint32_t x, uint32_t y) {
  const Rgb o = {widen6(field(v, 62, 57)), widen7(field(v, 56, 56) << 6 | field(v, 54, 49)),
                 widen6(field(v, 48, 48) << 5 | field(v, 44, 43) << 3 | field(v, 41, 39))};
  const Rgb h = {widen6(field(v, 38, 34) << 1 | field(v, 32, 32)), widen7(field(v, 31, 25)), widen6(field(v, 24, 19))};
  const Rgb d = {widen6(field(v, 18, 13)), widen7(field(v, 12, 6)), widen6(field(v, 5, 0))};
  std::array<uint8_t, 4> out{0, 0, 0, 255};
  for (uint32_t c = 0; c < 3; ++c) out[c] = byte((int32_t(x) * (h[c] - o[c]) + int32_t(y) * (d[c] - o[c]) + 4 * o[c] + 2) >> 2);
  return out;
}

/// The 3-bit code of a texel of an EAC block.
int32_t eac_modifier(const uint8_t* block, uint32_t x, uint32_t y) {
  const uint32_t code = uint32_t(big_endian(block) >> (45 - 3 * (4 * x + y))) & 7u;
  return kEacModifier[block[1] & 15][code];
}

}  // namespace

std::array<uint8_t, 4> decode_etc2(const uint8_t* block, uint32_t x, uint32_t y, bool punch_through) {
  const uint64_t v = big_endian(block);
  const uint32_t at = 4 * x + y, index = field(v, 16 + at, 16 + at) << 1 | field(v, at, at);
  const bool flag = field(v, 33, 33);  // differential; with punch-through: opaque
  const bool transparent = punch_through && !flag && index == 2;
  std::array<Rgb, 2> base;
  if (!flag && !punch_through) {
    for (uint32_t c = 0; c < 3; ++c) {
      base[0][c] = widen4(field(v, 63 - 8 * c, 60 - 8 * c));
      base[1][c] = widen4(field(v, 59 - 8 * c, 56 - 8 * c));
    }
  } else {
    for (uint32_t c = 0; c < 3; ++c) {
      const uint32_t first = field(v, 63 - 8 * c, 59 - 8 * c);
      const int32_t second = int32_t(first) + (int32_t(field(v, 58 - 8 * c, 56 - 8 * c) << 29) >> 29);
      if (second < 0 || second > 31) {
        if (c == 2) return planar(v, x, y);
        if (transparent) return {0, 0, 0, 0};
        if (c == 0) {  // T
          const Rgb one = {widen4(field(v, 60, 59) << 2 | field(v, 57, 56)), widen4(field(v, 55, 52)), widen4(field(v, 51, 48))};
          const Rgb two = {widen4(field(v, 47, 44)), widen4(field(v, 43, 40)), widen4(field(v, 39, 36))};
          const int32_t d = kEtcDistance[field(v, 35, 34) << 1 | field(v, 32, 32)];
          return index == 0 ? opaque(one, 0) : opaque(two, index == 1 ? d : index == 2 ? 0 : -d);
        }
        const std::array<uint32_t, 3> a = {field(v, 62, 59), field(v, 58, 56) << 1 | field(v, 52, 52),
                                           field(v, 51, 51) << 3 | field(v, 49, 47)};
        const std::array<uint32_t, 3> b = {field(v, 46, 43), field(v, 42, 39), field(v, 38, 35)};
        const uint32_t order = (a[0] << 8 | a[1] << 4 | a[2]) >= (b[0] << 8 | b[1] << 4 | b[2]);
        const int32_t d = kEtcDistance[field(v, 34, 34) << 2 | field(v, 32, 32) << 1 | order];
        const std::array<uint32_t, 3>& chosen = index < 2 ? a : b;
        return opaque({widen4(chosen[0]), widen4(chosen[1]), widen4(chosen[2])}, index & 1 ? -d : d);
      }
      base[0][c] = widen5(first);
      base[1][c] = widen5(uint32_t(second));
    }
  }
  if (transparent) return {0, 0, 0, 0};
  const uint32_t half = (field(v, 32, 32) ? y : x) / 2;
  const int32_t* const m = kEtcModifier[half ? field(v, 36, 34) : field(v, 39, 37)];
  const int32_t small = punch_through && !flag ? 0 : m[0];
  const int32_t add = index == 0 ? small : index == 1 ? m[1] : index == 2 ? -small : -m[1];
  return opaque(base[half], add);
}

uint8_t decode_eac8(const uint8_t* block, uint32_t x, uint32_t y) { return byte(block[0] + eac_modifier(block, x, y) * (block[1] >> 4)); }

int32_t decode_eac11(const uint8_t* block, uint32_t x, uint32_t y, bool is_signed) {
  const int32_t multiplier = block[1] >> 4, m = eac_modifier(block, x, y) * (multiplier ? 8 * multiplier : 1);
  if (!is_signed) return std::clamp(block[0] * 8 + 4 + m, 0, 2047);
  return std::clamp(std::max(int32_t(int8_t(block[0])), -127) * 8 + m, -1023, 1023);
}

}  // namespace pumice::hw::xt
