// SPDX-License-Identifier: MIT
/// The SIMD path for one instruction set: a primitive's scanlines into lanes, and the stages over the lanes. Compiled once for each
/// set; PUMICE_RDP_DRAW names the routine. one_cycle.cpp and two_cycle.cpp say what happens.
#include "hw/rdp/fast/blend.h"
#include "hw/rdp/fast/combine.h"
#include "hw/rdp/fast/copy.h"
#include "hw/rdp/fast/depth.h"
#include "hw/rdp/fast/filter.h"
#include "hw/rdp/fast/shade.h"

namespace pumice::hw::rdp::fast {
namespace {

/// All stages; then the lanes are empty.
PUMICE_STEP void finish(const Mode& m, const Shape& p, Chunk& c) {
  if (c.end == kFront) return;
  if (m.cycle == Cycle::copy) {
    finish_copy(m, p, c);
  } else {
    count_samples(c);
    read_color(m, c);
    if (m.z_compare) read_halves(m, c, m.z_base, c.depth, c.depth_hidden);
    // Depth first, so that hidden pixels cost little, unless colour affects coverage or depth affects colour inputs.
    const bool depth_first = !m.cvg_times_alpha && m.z_mode != 1;
    bool some = !depth_first || depth_test(m, p, c);
    if (some) {
      shade(m, p, c);
      if (m.uses_noise) combiner_noise(c);
      if (m.uses_texel0 || m.uses_texel1 || m.lod) texture(m, p, c);
      combiner(m, p, c);
      fix_alpha(m, p, c);
      some = depth_first || depth_test(m, p, c);
    }
    if (some) {
      blend(m, p, c);
      write_chunk(m, p, c);
    }
  }
  c.end = kFront;
  c.segments = c.patches = 0;
}

/// Are these pixels in memory, and colour and depth disjoint?
PUMICE_INLINE bool safe(const Mode& m, uint64_t first, uint64_t last) {
  const uint64_t base = m.color_base;
  uint64_t low = base + first, high = base + last;  // in halfwords
  if (m.pixels == Pixels::rgba32) {
    low *= 2;
    high = 2 * high + 1;
  } else if (m.pixels == Pixels::byte) {
    low /= 2;
    high /= 2;
  }
  if (high >= m.halfwords) return false;
  if (!m.uses_z) return true;
  // In words: a word that holds a half of each would be written twice.
  const uint64_t z_low = m.z_base + first, z_high = m.z_base + last;
  return z_high < m.halfwords && (z_low >> 1 > high >> 1 || low >> 1 > z_high >> 1);
}

/// One scanline: its columns into the lanes, as many at a time as there is room for.
PUMICE_INLINE void take_line(const Mode& m, const Shape& p, const Line& l, const Line& next, Chunk& c) {
  int low = p.left_major ? l.start : l.end, high = p.left_major ? l.end : l.start;
  if (m.cycle == Cycle::one || m.cycle == Cycle::two) {
    low = l.first_column > low ? l.first_column : low;
    high = l.last_column < high ? l.last_column : high;
  }
  if (high < low) return;
  if (!p.apart) {
    const uint64_t row = static_cast<uint64_t>(static_cast<uint32_t>(l.y) * m.width);
    if (!safe(m, row + static_cast<uint64_t>(low), row + static_cast<uint64_t>(high))) return p.slow_line(p.context, l.y);
  }
  if (m.cycle == Cycle::fill) return fill_line(m, static_cast<uint32_t>(l.y) * m.width + static_cast<uint32_t>(low), high - low + 1);
  for (int x = low; x <= high;) {
    const int left = high - x + 1, room = kFront + kLanes - c.end - (m.needs_next ? 1 : 0);
    if (room < left && room < kLanes / 2) {  // a few lanes are not worth cutting a line
      finish(m, p, c);
      continue;
    }
    const int n = left < room ? left : room;
    if (m.cycle == Cycle::copy)
      append_copy(m, p, l, x, n, c);
    else
      append(m, p, l, next, x, n, c);
    x += n;
  }
  if (!p.apart) finish(m, p, c);
}

void draw(const Mode& m, const Shape& p, Chunk& c) {
  begin(p, c);
  Lines lines[2];
  Line none{};
  for (int32_t y = p.first, i = 0; y <= p.last; ++y) {
    const int32_t first = y & -kLines;
    if (lines[i].first != first) {
      i ^= 1;  // the lines after those before
      if (lines[i].first != first) walk(m, p, first, lines[i]);
    }
    const Line& line = lines[i].line[y - first];
    if (!line.valid || line.count == 0) continue;
    if (!m.needs_next_line) {
      take_line(m, p, line, none, c);
    } else if (y + 1 < first + kLines) {
      take_line(m, p, line, lines[i].line[y + 1 - first], c);
    } else {
      walk(m, p, y + 1, lines[i ^ 1]);
      take_line(m, p, line, lines[i ^ 1].line[0], c);
    }
  }
  finish(m, p, c);
}

}  // namespace

extern const Routine PUMICE_RDP_DRAW;
const Routine PUMICE_RDP_DRAW = draw;

}  // namespace pumice::hw::rdp::fast
