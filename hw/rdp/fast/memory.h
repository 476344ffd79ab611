// SPDX-License-Identifier: MIT
/// Lanes and memory: segments of the colour and depth image to lanes and back. A 16-bit image is read and written by 32-bit words;
/// the other half of a word at either end stays as it is. Formats as in framebuffer.cpp.
#pragma once
#include "hw/rdp/fast/lanes.h"
#include "hw/rdp/fast/primitive.h"

namespace pumice::hw::rdp::fast {
namespace {

/// Words as memory has them to two halfwords in order, and back.
PUMICE_INLINE WU ordered(const Mode& m, WU v) {
  if (m.host_words) return v << 16 | v >> 16;
  return (v & 0x00FF00FF) << 8 | (v >> 8 & 0x00FF00FF);
}

PUMICE_STEP void read_halves(const Mode& m, const Chunk& c, uint32_t base, int16_t* out, int16_t* hidden) {
  for (int k = 0; k < c.segments; ++k) {
    const Segment& s = c.segment[k];
    const uint32_t at = base + s.pixel, odd = at & 1;
    const int words = (s.count + static_cast<int>(odd) + 1) / 2;
    const uint8_t* from = m.ram + 2 * static_cast<uint64_t>(at - odd);
    int16_t* to = out + s.lane - odd;
    const int16_t before = to[0];
    for (int j = 0; j < words; j += kW) store(to + 2 * j, ordered(m, load_words(from + 4 * j, words - j)));
    if (odd) to[0] = before;
    const uint8_t* bits = m.hidden + at;
    for (int j = 0; j < s.count; j += kH) store(hidden + s.lane + j, load_bytes(bits + j, s.count - j));
  }
}

/// Writes the lanes that are inside.
PUMICE_STEP void write_halves(const Mode& m, const Chunk& c, uint32_t base, const int16_t* value, const int16_t* hidden) {
  for (int k = 0; k < c.segments; ++k) {
    const Segment& s = c.segment[k];
    const uint32_t at = base + s.pixel, odd = at & 1;
    const int words = (s.count + static_cast<int>(odd) + 1) / 2;
    uint8_t* to = m.ram + 2 * static_cast<uint64_t>(at - odd);
    const int lane = s.lane - static_cast<int>(odd);
    for (int j = 0; j < words; j += kW) {
      const HU position = (HU)(iota() + static_cast<int16_t>(2 * j - static_cast<int>(odd)));
      const H mask = load(c.inside + lane + 2 * j) & (H)(position < static_cast<uint16_t>(s.count));
      store_words(to + 4 * j, words - j, ordered(m, (WU)load(value + lane + 2 * j)), ordered(m, (WU)mask));
    }
    uint8_t* bits = m.hidden + at;
    for (int j = 0; j < s.count; j += kH) {
      const H mask = load(c.inside + s.lane + j) & (H)((HU)(iota() + static_cast<int16_t>(j)) < static_cast<uint16_t>(s.count));
      store_bytes(bits + j, s.count - j, load(hidden + s.lane + j), mask);
    }
  }
}

PUMICE_INLINE WU swapped32(const Mode& m, WU v) {
  if (m.host_words) return v;
  v = v << 16 | v >> 16;
  return (v & 0x00FF00FF) << 8 | (v >> 8 & 0x00FF00FF);
}

PUMICE_STEP void read_words(const Mode& m, Chunk& c) {
  for (int k = 0; k < c.segments; ++k) {
    const Segment& s = c.segment[k];
    const uint8_t* from = m.ram + 4 * static_cast<uint64_t>(m.color_base + s.pixel);
    for (int j = 0; j < s.count; j += kW) store(c.memory32 + s.lane + j, swapped32(m, load_words(from + 4 * j, s.count - j)));
  }
}

PUMICE_STEP void write_words(const Mode& m, Chunk& c) {
  for (int i = kFront; i < c.end; i += kW) store(c.out32 + i, (WU)(widen_u(c.color[0] + i) << 16 | widen_u(c.color[1] + i)));
  for (int k = 0; k < c.segments; ++k) {
    const Segment& s = c.segment[k];
    const uint32_t at = m.color_base + s.pixel;
    uint8_t* to = m.ram + 4 * static_cast<uint64_t>(at);
    for (int j = 0; j < s.count; j += kW) {
      const W mask = widen(c.inside + s.lane + j) & (W)(iota_w() < s.count - j);
      store_words(to + 4 * j, s.count - j, swapped32(m, load(c.out32 + s.lane + j)), (WU)mask);
    }
    uint8_t* bits = m.hidden + 2 * static_cast<uint64_t>(at);
    for (int j = 0; j < s.count; ++j) {
      if (!c.inside[s.lane + j]) continue;
      bits[2 * j] = static_cast<uint8_t>(c.out_hidden[s.lane + j]);
      bits[2 * j + 1] = 0;
    }
  }
}

/// Bytes. A pair's hidden bits follow its odd byte (rdram.h).
PUMICE_INLINE void write_byte(const Mode& m, uint32_t at, int32_t v) {
  m.ram[m.host_words ? at ^ 3 : at] = static_cast<uint8_t>(v);
  if (at & 1) m.hidden[at >> 1] = v & 1 ? 3 : 0;
}
PUMICE_STEP void read_bytes(const Mode& m, Chunk& c) {
  for (int k = 0; k < c.segments; ++k) {
    const Segment& s = c.segment[k];
    for (int j = 0; j < s.count; ++j) {
      const uint32_t at = m.color_base + s.pixel + static_cast<uint32_t>(j);
      c.memory[s.lane + j] = m.ram[m.host_words ? at ^ 3 : at];
    }
  }
}
PUMICE_STEP void write_bytes(const Mode& m, const Chunk& c) {
  for (int k = 0; k < c.segments; ++k) {
    const Segment& s = c.segment[k];
    for (int j = 0; j < s.count; ++j) {
      const uint32_t at = m.color_base + s.pixel + static_cast<uint32_t>(j);
      if (c.inside[s.lane + j]) write_byte(m, at, c.color[at & 1][s.lane + j]);
    }
  }
}

/// Memory colour and coverage of all lanes.
PUMICE_STEP void read_color(const Mode& m, Chunk& c) {
  if (!m.image_read) {
    for (int i = kFront; i < c.end; i += kH) store(c.memory_coverage + i, splat(7));
    if (m.uses_memory_color)
      for (int n = 0; n < 3; ++n)
        for (int i = kFront; i < c.end; i += kH) store(c.memory_rgb[n] + i, splat(0));
    return;
  }
  switch (m.pixels) {
    case Pixels::rgba16:
      read_halves(m, c, m.color_base, c.memory, c.memory_hidden);
      for (int i = kFront; i < c.end; i += kH) {
        const H v = load(c.memory + i);
        store(c.memory_coverage + i, (v & 1) << 2 | load(c.memory_hidden + i));
        store(c.memory_rgb[0] + i, v >> 8 & 0xF8);
        store(c.memory_rgb[1] + i, v >> 3 & 0xF8);
        store(c.memory_rgb[2] + i, v << 2 & 0xF8);
      }
      return;
    case Pixels::ia16:
      read_halves(m, c, m.color_base, c.memory, c.memory_hidden);
      for (int i = kFront; i < c.end; i += kH) {
        const H v = load(c.memory + i);
        store(c.memory_coverage + i, v >> 5 & 7);
        for (int n = 0; n < 3; ++n) store(c.memory_rgb[n] + i, v >> 8 & 0xFF);
      }
      return;
    case Pixels::rgba32:
      read_words(m, c);
      for (int i = kFront; i < c.end; i += kW) {
        const W v = (W)load(c.memory32 + i);
        narrow(c.memory_coverage + i, v >> 5 & 7);
        for (int n = 0; n < 3; ++n) narrow(c.memory_rgb[n] + i, v >> (24 - 8 * n) & 0xFF);
      }
      return;
    default:
      read_bytes(m, c);
      for (int i = kFront; i < c.end; i += kH) {
        store(c.memory_coverage + i, splat(7));
        for (int n = 0; n < 3; ++n) store(c.memory_rgb[n] + i, load(c.memory + i));
      }
      return;
  }
}

PUMICE_STEP void write_chunk(const Mode& m, const Shape& p, Chunk& c) {
  switch (m.pixels) {
    case Pixels::rgba32: write_words(m, c); break;
    case Pixels::byte: write_bytes(m, c); break;
    default: write_halves(m, c, m.color_base, c.out, c.out_hidden); break;
  }
  if (!m.z_update) return;
  for (int i = kFront; i < c.end; i += kH) store(c.out_z_hidden + i, splat(p.dz_code & 3));
  write_halves(m, c, m.z_base, c.out_z, c.out_z_hidden);
}

}  // namespace
}  // namespace pumice::hw::rdp::fast
