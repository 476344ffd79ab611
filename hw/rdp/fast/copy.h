// SPDX-License-Identifier: MIT
/// SIMD copy mode into 16-bit images, and fill mode. Steps as in copy.cpp and fill.cpp.
#pragma once
#include "hw/rdp/fast/expand.h"
#include "hw/rdp/fast/memory.h"
#include "hw/rdp/fast/texcoord.h"
#include "hw/rdp/fast/texel.h"

namespace pumice::hw::rdp::fast {
namespace {

PUMICE_INLINE H place_copy(const Axis& a, H coordinate) { return ((shifted(a, coordinate) >> 3) - static_cast<int16_t>(a.low)) >> 2; }
PUMICE_INLINE H mask_index(const Axis& a, H index) {
  if (a.mask == 0) return index;
  if (a.mirror) index ^= -(index >> a.mirror_bit & 1);
  return index & static_cast<int16_t>(a.mask_bits);
}

/// The address unit of raw halfwords and of table indexes.
PUMICE_INLINE H copy_address(const Mode& m, const TileInfo& tile, H s, H t) {
  const H row = (t & 0xFF) * static_cast<int16_t>(tile.line) + static_cast<int16_t>(tile.tmem), odd = -(t & 1);
  const H nibble = (H)((HU)(row * 16 + s) >> 1) ^ (odd & 4), byte = (row * 8 + s) ^ (odd & 4), half = (row * 4 + s) ^ (odd & 2);
  if (m.tlut) return tile.size == 0 ? nibble & 0x7FF : tile.size == 1 ? byte & 0x7FF : half & 0x3FF;
  return (tile.size == 0 ? (H)((HU)nibble >> 1) : tile.size == 1 ? (H)((HU)byte >> 1) : half) & 0x7FF;
}

/// Columns x to x + n - 1 of a line: a group of four pixels has one position.
PUMICE_STEP void append_copy(const Mode& m, const Shape& p, const Line& l, int x, int n, Chunk& c) {
  const int lane = c.end, direction = p.left_major ? 1 : -1;
  const int first = (x - l.start) * direction;
  const TileInfo& tile = m.tile[p.tile & 7];
  const Latched start = latched(p, l);
  for (int j = 0; j < n; j += kW) {
    const WU group = (WU)((first + direction * (iota_w() + j)) >> 2) + static_cast<uint32_t>(l.skip);
    const Divided d =
        divide(m.perspective, start.v[kS] + p.step[kS] * group, start.v[kT] + p.step[kT] * group, start.v[kW0] + p.step[kW0] * group);
    narrow(c.coord_s + lane + j, clamp_coordinate(d.s));
    narrow(c.coord_t + lane + j, clamp_coordinate(d.t));
  }
  for (int j = 0; j < n; j += kH) {
    const H k = static_cast<int16_t>(first) + static_cast<int16_t>(direction) * (iota() + static_cast<int16_t>(j));
    const H s = mask_index(tile.s, place_copy(tile.s, load(c.coord_s + lane + j)) + (k & 3));
    const H t = mask_index(tile.t, place_copy(tile.t, load(c.coord_t + lane + j)));
    store(c.at[0] + lane + j, copy_address(m, tile, s, t));
    store(c.parity[0] + lane + j, -(s & 1));
    store(c.chroma[0] + lane + j, k & 3);  // copy of the table
  }
  c.segment[c.segments++] = {lane, n, static_cast<uint32_t>(l.y) * m.width + static_cast<uint32_t>(x)};
  c.end += n;
}

PUMICE_STEP void finish_copy(const Mode& m, const Shape& p, Chunk& c) {
  const TileInfo& tile = m.tile[p.tile & 7];
  const int n = c.end - kFront;
  if (m.tlut) {
    if (tile.size < 2)
      gather_bytes(p.tmem, c.at[0] + kFront, c.raw[0] + kFront, n);
    else
      gather_halves(p.tmem, c.at[0] + kFront, c.raw[0] + kFront, n);
    for (int i = kFront; i < c.end; i += kH) {
      H v = load(c.raw[0] + i);
      if (tile.size == 0) v = (load(c.parity[0] + i) != 0 ? v & 15 : v >> 4) | static_cast<int16_t>(tile.palette << 4);
      store(c.at[0] + i, 1024 + (v & 255) * 4 + load(c.chroma[0] + i));  // the high byte of a halfword comes first
    }
  }
  gather_halves(p.tmem, c.at[0] + kFront, c.raw[0] + kFront, n);
  for (int i = kFront; i < c.end; i += kH) {
    const H v = swapped(load(c.raw[0] + i));
    store(c.out + i, v);
    store(c.out_hidden + i, (v & 1) * 3);
    store(c.inside + i, m.alpha_compare ? -(v & 1) : splat(-1));
  }
  write_halves(m, c, m.color_base, c.out, c.out_hidden);
}

/// Words of fill colour from `at`, by vectors.
template <typename P, typename T, typename S>
PUMICE_INLINE void repeat(P* to, uint64_t n, T vector, S single) {
  constexpr uint64_t kStep = sizeof(T) / sizeof(S);
  uint64_t i = 0;
  for (; i + kStep <= n; i += kStep) store(to + i * sizeof(S), vector);
  for (; i < n; ++i) store(to + i * sizeof(S), single);
}

/// Columns x to x + n - 1; both ends are in memory.
PUMICE_STEP void fill_line(const Mode& m, uint32_t pixel, int n) {
  const uint32_t color = m.fill_color;
  if (m.pixels == Pixels::byte) {
    for (int j = 0; j < n; ++j) {
      const uint32_t at = m.color_base + pixel + static_cast<uint32_t>(j);
      write_byte(m, at, static_cast<int32_t>(color >> (24 - 8 * (at & 3)) & 0xFF));
    }
    return;
  }
  const uint16_t value[2] = {static_cast<uint16_t>(color >> 16), static_cast<uint16_t>(color)};
  const auto put = [&](uint64_t i) {
    const uint16_t v = value[i & 1], h = m.host_words ? v : static_cast<uint16_t>(v << 8 | v >> 8);
    __builtin_memcpy(m.ram + 2 * (m.host_words ? i ^ 1 : i), &h, 2);
    m.hidden[i] = v & 1 ? 3 : 0;
  };
  const uint32_t shift = m.pixels == Pixels::rgba32 ? 1 : 0;
  uint64_t i = static_cast<uint64_t>(m.color_base + pixel) << shift;
  const uint64_t end = i + (static_cast<uint64_t>(n) << shift);
  if (i & 1) put(i++);
  if (end & 1 && end > i) put(end - 1);
  const uint64_t words = (end - i) / 2;
  const uint32_t word = m.host_words ? color : __builtin_bswap32(color);
  const uint16_t bits = static_cast<uint16_t>((value[0] & 1 ? 3 : 0) | (value[1] & 1 ? 0x300 : 0));
  repeat(m.ram + 2 * i, words, splat_u(word), word);
  repeat(m.hidden + i, words, splat(static_cast<int16_t>(bits)), bits);
}

}  // namespace
}  // namespace pumice::hw::rdp::fast
