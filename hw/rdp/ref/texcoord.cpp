// SPDX-License-Identifier: MIT
/// Texture coordinates (docs/reference/rdp.md section 10).
#include "hw/rdp/ref/texcoord.h"

#include "hw/rdp/ref/bits.h"

namespace pumice::hw::rdp {
namespace {

/// Reciprocals of 1.0 .. 2.0 in 64 steps, rounded; entry 6 is what the chip's ROM holds.
constexpr std::array<int32_t, 65> make_reciprocals() {
  std::array<int32_t, 65> t{};
  for (int i = 0; i <= 64; ++i) t[i] = ((1 << 20) + (64 + i) / 2) / (64 + i);
  t[6] = 14979;
  return t;
}
constexpr std::array<int32_t, 65> kReciprocal = make_reciprocals();

struct Reciprocal {
  int32_t value;
  int shift;
};

Reciprocal reciprocal(uint32_t w) {
  const uint32_t w15 = w & 0x7FFF;
  int shift = 0;
  while (shift < 14 && !(w15 << shift & 0x4000)) ++shift;
  const uint32_t n = w15 << shift & 0x3FFF;
  const int i = static_cast<int>(n >> 8), f = static_cast<int>(n & 0xFF) * 4;
  const int32_t slope = kReciprocal[i + 1] - kReciprocal[i];
  return {(kReciprocal[i] + (slope * f >> 10)) & 0x7FFF, shift};
}

uint32_t divide_one(uint32_t v, Reciprocal r, bool w_not_positive) {
  const int32_t p = (static_cast<int32_t>(v) >> 16) * r.value;
  const uint32_t mask = ((2u << r.shift) - 1) << (29 - r.shift);
  const uint32_t out_of_range = static_cast<uint32_t>(p) & mask;
  const uint32_t q = r.shift == 14 ? static_cast<uint32_t>(p) << 1 : static_cast<uint32_t>(p >> (13 - r.shift));
  uint32_t result = q & 0x1FFFF;
  if (out_of_range != 0 && out_of_range != mask) {
    const uint32_t sign = r.shift == 14 ? static_cast<uint32_t>(p) : q;
    result |= sign >> 29 & 1 ? DividedCoord::kUnder : DividedCoord::kOver;
  }
  if (w_not_positive) result |= DividedCoord::kOver;
  return result;
}

}  // namespace

DividedCoord divide(const TexPosition& p, bool perspective) {
  if (!perspective)
    return {static_cast<uint32_t>(static_cast<int32_t>(p.s) >> 16) & 0x1FFFF,
            static_cast<uint32_t>(static_cast<int32_t>(p.t) >> 16) & 0x1FFFF};
  const Reciprocal r = reciprocal(p.w >> 16);
  const bool not_positive = (static_cast<int32_t>(p.w) >> 16) <= 0;
  return {divide_one(p.s, r, not_positive), divide_one(p.t, r, not_positive)};
}

int32_t clamp_coord(uint32_t v) {
  if (v & DividedCoord::kOver) return 0x7FFF;
  if (v & DividedCoord::kUnder) return -0x8000;
  switch (v >> 15 & 3) {
    case 1: return 0x7FFF;
    case 2: return -0x8000;
    default: return sign_extend<16>(v);
  }
}

namespace {

/// Level of detail shift: right up to 10, then left.
int32_t shifted(const TileAxis& axis, int32_t coord) {
  return axis.shift <= 10 ? coord >> axis.shift : sign_extend<16>(static_cast<uint32_t>(coord) << (16 - axis.shift));
}

}  // namespace

TexelAxis place(const TileAxis& axis, int32_t coord, int32_t wrap_mask) {
  int32_t v = shifted(axis, coord);
  const bool at_max = (v >> 3) >= static_cast<int32_t>(axis.high);
  v -= static_cast<int32_t>(axis.low) * 8;
  TexelAxis out;
  out.index = v >> 5;
  out.fraction = v & 31;
  if (axis.clamp) {
    if (at_max) {
      out.index = static_cast<int32_t>(axis.extent);
      out.fraction = 0;
    } else if (v < 0) {
      out.index = 0;
      out.fraction = 0;
    }
  }
  out.next = 1;
  if (axis.mask == 0) return out;
  const int32_t m = static_cast<int32_t>(axis.mask_bits);
  if (axis.mirror) {
    const int32_t mirrored = out.index >> axis.mirror_bit & 1;
    if (mirrored) out.index = ~out.index;
    out.index &= m;
    out.next = ((out.index - mirrored) & m) == m ? 0 : (mirrored ? -1 : 1);
  } else {
    out.index &= m;
    if (out.index == m) out.next = -(out.index & wrap_mask);
  }
  return out;
}

int32_t place_copy(const TileAxis& axis, int32_t coord) { return (shifted(axis, coord) - static_cast<int32_t>(axis.low) * 8) >> 5; }

int32_t mask_index(const TileAxis& axis, int32_t index) {
  if (axis.mask == 0) return index;
  if (axis.mirror && (index >> axis.mirror_bit & 1)) index = ~index;
  return index & static_cast<int32_t>(axis.mask_bits);
}

}  // namespace pumice::hw::rdp
