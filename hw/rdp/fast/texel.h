// SPDX-License-Identifier: MIT
/// SIMD texel fetch: placement in a tile, addresses in TMEM, what stands there. Steps as in texcoord.cpp (place) and tmem.cpp.
#pragma once
#include "hw/rdp/fast/lanes.h"
#include "hw/rdp/fast/primitive.h"

namespace pumice::hw::rdp::fast {
namespace {

struct Placed {
  H index, fraction, next;
};

/// Level of detail shift: right up to 10, then left.
PUMICE_INLINE H shifted(const Axis& a, H coordinate) {
  return a.shift <= 10 ? coordinate >> a.shift : (H)((HU)coordinate << (16 - a.shift));
}

/// All in 16 bits: the low three bits of a coordinate, s10.5, pass the subtraction of a 10.2 corner unchanged.
PUMICE_INLINE Placed place(const Axis& a, H coordinate, int16_t wrap_mask) {
  const H v = shifted(a, coordinate), quarter = v >> 3;
  const H relative = quarter - static_cast<int16_t>(a.low);
  Placed p{relative >> 2, (relative & 3) << 3 | (v & 7), splat(1)};
  if (a.clamp) {
    const H at_max = quarter >= static_cast<int16_t>(a.high), below = ~at_max & (relative < 0);
    p.index = at_max ? splat(a.extent) : p.index & ~below;
    p.fraction &= ~(at_max | below);
  }
  if (a.mask == 0) return p;
  const int16_t bits = static_cast<int16_t>(a.mask_bits);
  if (a.mirror) {
    const H mirrored = -(p.index >> a.mirror_bit & 1);
    p.index = (p.index ^ mirrored) & bits;
    p.next = ~(((p.index + mirrored) & bits) == bits) & (mirrored | 1);
  } else {
    p.index &= bits;
    p.next = p.index == bits ? -(p.index & wrap_mask) : splat(1);
  }
  return p;
}

/// Address of texel (s, t) by size class, and what a nibble's position needs.
enum class Unit : uint8_t { half, byte, nibble };
PUMICE_INLINE Unit unit_of(Texel t) {
  switch (t) {
    case Texel::byte4:
    case Texel::byte_ia:
    case Texel::tlut8: return Unit::byte;
    case Texel::nibble_ci:
    case Texel::nibble_ia:
    case Texel::nibble_i:
    case Texel::tlut4: return Unit::nibble;
    default: return Unit::half;
  }
}
PUMICE_INLINE int16_t address_mask(Texel t) {
  switch (t) {
    case Texel::rgba32:
    case Texel::tlut16: return 0x3FF;
    case Texel::tlut4:
    case Texel::tlut8: return 0x7FF;
    default: return unit_of(t) == Unit::half ? 0x7FF : 0xFFF;
  }
}
PUMICE_INLINE H address(const TileInfo& tile, Unit unit, int16_t mask, H s, H t) {
  const H row = (t & 0xFF) * static_cast<int16_t>(tile.line) + static_cast<int16_t>(tile.tmem), odd = -(t & 1);
  switch (unit) {
    case Unit::half: return ((row * 4 + s) ^ (odd & 2)) & mask;
    case Unit::byte: return ((row * 8 + s) ^ (odd & 4)) & mask;
    default: return ((H)((HU)(row * 16 + s) >> 1) ^ (odd & 4)) & mask;
  }
}

PUMICE_INLINE bool is_tlut(Texel t) { return t == Texel::tlut4 || t == Texel::tlut8 || t == Texel::tlut16; }

PUMICE_INLINE void gather_halves(const uint8_t* tmem, const int16_t* at, int16_t* out, int n) {
  for (int i = 0; i < n; i += 8)
    for (int j = 0; j < 8; ++j) __builtin_memcpy(out + i + j, tmem + 2 * static_cast<uint32_t>(static_cast<uint16_t>(at[i + j])), 2);
}
PUMICE_INLINE void gather_bytes(const uint8_t* tmem, const int16_t* at, int16_t* out, int n) {
  for (int i = 0; i < n; i += 8)
    for (int j = 0; j < 8; ++j) out[i + j] = tmem[static_cast<uint16_t>(at[i + j])];
}

PUMICE_INLINE H swapped(H v) { return (H)((HU)v << 8 | (HU)v >> 8); }

/// Reads c.raw (and c.raw_low) of `texels` addresses. `copies` says which copy of the table texel k reads: k, or 3 - k in the
/// upper triangle.
PUMICE_STEP void fetch(const uint8_t* tmem, const TileInfo& tile, int texels, bool by_triangle, Chunk& c) {
  // Whole vectors, so that later stages find nothing unset; addresses past the end are whole numbers in range, too.
  const int n = (c.end - kFront + kH - 1) / kH * kH;
  const Unit unit = unit_of(tile.texel);
  for (int k = 0; k < texels; ++k) {
    int16_t* raw = c.raw[k];
    if (unit == Unit::half) {
      gather_halves(tmem, c.at[k] + kFront, raw + kFront, n);
    } else {
      gather_bytes(tmem, c.at[k] + kFront, raw + kFront, n);
    }
    if (tile.texel == Texel::rgba32) gather_halves(tmem + 0x800, c.at[k] + kFront, c.raw_low[k] + kFront, n);
    for (int i = kFront; i < c.end; i += kH) {
      H v = load(raw + i);
      if (unit == Unit::half) v = swapped(v);
      if (unit == Unit::nibble) v = load(c.parity[k] + i) != 0 ? v & 15 : v >> 4;
      if (tile.texel == Texel::rgba32) store(c.raw_low[k] + i, swapped(load(c.raw_low[k] + i)));
      if (is_tlut(tile.texel)) {
        if (unit == Unit::nibble) v |= static_cast<int16_t>(tile.palette << 4);
        if (unit == Unit::half) v = (H)((HU)v >> 8);
        const H copy = by_triangle ? (load(c.upper + i) & 3) ^ static_cast<int16_t>(k) : splat(k);
        store(c.at[k] + i, 1024 + v * 4 + copy);
      } else {
        store(raw + i, v);
      }
    }
    if (!is_tlut(tile.texel)) continue;
    gather_halves(tmem, c.at[k] + kFront, raw + kFront, n);
    for (int i = kFront; i < c.end; i += kH) store(raw + i, swapped(load(raw + i)));
  }
}

struct Rgba {
  H c[4];
};

PUMICE_INLINE H expand5(H v) { return v << 3 | v >> 2; }
PUMICE_INLINE Rgba decode_5551(H v) { return {{expand5((H)((HU)v >> 11)), expand5(v >> 6 & 31), expand5(v >> 1 & 31), -(v & 1) & 255}}; }
PUMICE_INLINE Rgba decode_ia16(H v) {
  const H i = (H)((HU)v >> 8);
  return {{i, i, i, v & 255}};
}

template <Texel kTexel>
PUMICE_INLINE Rgba decode(const TileInfo& tile, H v, H low) {
  if constexpr (kTexel == Texel::rgba16) return decode_5551(v);
  if constexpr (kTexel == Texel::ia16) return decode_ia16(v);
  if constexpr (kTexel == Texel::hi_lo) {
    const H hi = (H)((HU)v >> 8), lo = v & 255;
    return {{hi, lo, hi, lo}};
  }
  if constexpr (kTexel == Texel::rgba32) return {{(H)((HU)v >> 8), v & 255, (H)((HU)low >> 8), low & 255}};
  if constexpr (kTexel == Texel::byte4) return {{v, v, v, v}};
  if constexpr (kTexel == Texel::byte_ia) {
    const H i = (v >> 4) * 17;
    return {{i, i, i, (v & 15) * 17}};
  }
  if constexpr (kTexel == Texel::nibble_ci) {
    const H i = v | static_cast<int16_t>(tile.palette << 4);
    return {{i, i, i, i}};
  }
  if constexpr (kTexel == Texel::nibble_i) return {{v * 17, v * 17, v * 17, v * 17}};
  if constexpr (kTexel == Texel::nibble_ia) {
    const H i3 = v >> 1, i = i3 << 5 | i3 << 2 | i3 >> 1;
    return {{i, i, i, -(v & 1) & 255}};
  }
  return {{v, v, v, v}};
}

/// Calls `f` with the decoder of the tile's texels as its template argument.
template <typename F>
PUMICE_INLINE void with_decoder(const Mode& m, const TileInfo& tile, F&& f) {
  switch (tile.texel) {
    case Texel::rgba16: return f.template operator()<Texel::rgba16>();
    case Texel::ia16: return f.template operator()<Texel::ia16>();
    case Texel::hi_lo: return f.template operator()<Texel::hi_lo>();
    case Texel::rgba32: return f.template operator()<Texel::rgba32>();
    case Texel::byte4: return f.template operator()<Texel::byte4>();
    case Texel::byte_ia: return f.template operator()<Texel::byte_ia>();
    case Texel::nibble_ci: return f.template operator()<Texel::nibble_ci>();
    case Texel::nibble_ia: return f.template operator()<Texel::nibble_ia>();
    case Texel::nibble_i: return f.template operator()<Texel::nibble_i>();
    case Texel::yuv: return;
    default: return m.tlut_ia ? f.template operator()<Texel::ia16>() : f.template operator()<Texel::rgba16>();
  }
}

}  // namespace
}  // namespace pumice::hw::rdp::fast
