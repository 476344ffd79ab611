// SPDX-License-Identifier: MIT
/// Texel addressing and decoding (docs/reference/rdp.md section 12). Odd rows have the halves of each 64-bit word exchanged.
#include "hw/rdp/ref/tmem.h"

namespace pumice::hw::rdp {
namespace {

uint32_t row_base(const Tile& tile, int32_t t) { return tile.line * (static_cast<uint32_t>(t) & 0xFF) + tile.tmem; }

uint32_t nibble_byte(const Tile& tile, int32_t s, int32_t t) {
  return ((row_base(tile, t) * 16 + static_cast<uint32_t>(s)) >> 1) ^ (t & 1 ? 4 : 0);
}
uint32_t byte_index(const Tile& tile, int32_t s, int32_t t) { return (row_base(tile, t) * 8 + static_cast<uint32_t>(s)) ^ (t & 1 ? 4 : 0); }
uint32_t half_index(const Tile& tile, int32_t s, int32_t t) { return (row_base(tile, t) * 4 + static_cast<uint32_t>(s)) ^ (t & 1 ? 2 : 0); }
uint32_t nibble(uint32_t byte, int32_t s) { return s & 1 ? byte & 15 : byte >> 4; }

int32_t expand5(uint32_t v) { return static_cast<int32_t>(v << 3 | v >> 2); }
int32_t expand3(uint32_t v) { return static_cast<int32_t>(v << 5 | v << 2 | v >> 1); }
Color all(uint32_t v) { return {static_cast<int32_t>(v), static_cast<int32_t>(v), static_cast<int32_t>(v), static_cast<int32_t>(v)}; }

Color decode_5551(uint32_t v) { return {expand5(v >> 11 & 31), expand5(v >> 6 & 31), expand5(v >> 1 & 31), v & 1 ? 255 : 0}; }
Color decode_ia16(uint32_t v) {
  const int32_t i = static_cast<int32_t>(v >> 8);
  return {i, i, i, static_cast<int32_t>(v & 0xFF)};
}
Color decode_hi_lo(uint32_t v) {
  const int32_t hi = static_cast<int32_t>(v >> 8), lo = static_cast<int32_t>(v & 0xFF);
  return {hi, lo, hi, lo};
}

}  // namespace

Color Tmem::texel(const Tile& tile, int32_t s, int32_t t, int32_t chroma_s) const {
  if (tile.format == kYuv) {
    // Every size is read like 16b; other sizes are UNCONFIRMED.
    const uint32_t uv = half((((row_base(tile, t) * 8 + static_cast<uint32_t>(chroma_s)) >> 1) ^ (t & 1 ? 2 : 0)) & 0x3FF);
    const int32_t y = static_cast<int32_t>(byte(0x800 | (byte_index(tile, s, t) & 0x7FF)));
    return {static_cast<int32_t>(uv >> 8) - 128, static_cast<int32_t>(uv & 0xFF) - 128, y, y};
  }
  switch (tile.size) {
    case k4b: {
      const uint32_t n = nibble(byte(nibble_byte(tile, s, t)), s);
      if (tile.format == kCi) return all(tile.palette << 4 | n);
      if (tile.format == kIa) {
        const int32_t i = expand3(n >> 1);
        return {i, i, i, n & 1 ? 255 : 0};
      }
      return all(n * 17);
    }
    case k8b: {
      const uint32_t b = byte(byte_index(tile, s, t));
      if (tile.format != kIa) return all(b);
      const int32_t i = static_cast<int32_t>(b >> 4) * 17;
      return {i, i, i, static_cast<int32_t>(b & 15) * 17};
    }
    case k16b: {
      const uint32_t v = half(half_index(tile, s, t));
      return tile.format == kRgba ? decode_5551(v) : tile.format == kIa ? decode_ia16(v) : decode_hi_lo(v);
    }
    default: {
      const uint32_t i = half_index(tile, s, t);
      if (tile.format != kRgba) return decode_hi_lo(half(i));
      const uint32_t rg = half(i & 0x3FF), ba = half(0x400 | (i & 0x3FF));
      return {static_cast<int32_t>(rg >> 8), static_cast<int32_t>(rg & 0xFF), static_cast<int32_t>(ba >> 8),
              static_cast<int32_t>(ba & 0xFF)};
    }
  }
}

uint32_t Tmem::tlut_index(const Tile& tile, int32_t s, int32_t t) const {
  switch (tile.size) {
    case k4b: return tile.palette << 4 | nibble(byte(nibble_byte(tile, s, t) & 0x7FF), s);
    case k8b: return byte(byte_index(tile, s, t) & 0x7FF);
    default: return half(half_index(tile, s, t) & 0x3FF) >> 8;
  }
}

Color Tmem::decode_tlut(uint32_t entry, bool ia) { return ia ? decode_ia16(entry) : decode_5551(entry); }

uint32_t Tmem::copy_half(const Tile& tile, int32_t s, int32_t t) const {
  switch (tile.size) {
    case k4b: return half(nibble_byte(tile, s, t) >> 1);
    case k8b: return half(byte_index(tile, s, t) >> 1);
    default: return half(half_index(tile, s, t));
  }
}

uint32_t Tmem::copy_byte(const Tile& tile, int32_t s, int32_t t) const {
  switch (tile.size) {
    case k4b: {
      const uint32_t n = nibble(byte(nibble_byte(tile, s, t)), s);
      if (tile.format == kCi) return tile.palette << 4 | n;
      return tile.format == kIa ? static_cast<uint32_t>(expand3(n >> 1)) : n * 17;
    }
    case k8b: {
      const uint32_t b = byte(byte_index(tile, s, t));
      return tile.format == kIa ? (b >> 4) * 17 : b;
    }
    default: return half(half_index(tile, s, t)) >> 8;  // UNCONFIRMED: 16- and 32-bit tiles into an 8-bit image
  }
}

}  // namespace pumice::hw::rdp
