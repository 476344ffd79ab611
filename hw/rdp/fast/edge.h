// SPDX-License-Identifier: MIT
/// SIMD edge walker: the four sublines of a scanline in the lanes of one small vector. Steps as in edge.cpp.
#pragma once
#include "hw/rdp/fast/lanes.h"
#include "hw/rdp/fast/primitive.h"

namespace pumice::hw::rdp::fast {
namespace {

typedef int32_t Q __attribute__((vector_size(16)));
typedef uint32_t QU __attribute__((vector_size(16)));

struct Line {
  int32_t y;
  bool valid;
  int32_t start, end;  // first and last pixel in walking order
  int32_t count, skip;
  uint32_t latched[8];
  uint32_t sublines;          // bit i: subline i is valid
  int32_t left[4], right[4];  // edges, 1/8 pixels
  int32_t run() const { return count - 1 + skip; }
};

struct Snapped {
  Q x, raw, under, over;
};

PUMICE_INLINE Snapped snap(const Mode& m, QU position) {
  const Q v = (Q)position;
  const Q negative = -(v >> 27 & 1), beyond = -(v >> 26 & 1);
  const Q low = (v >> 13 & 0x1FFE) | (((v & 0x3FFE) != 0) & 1);
  Snapped s;
  s.raw = (Q)(position << 4) >> 18;
  s.under = negative | (~beyond & (low < m.scissor_xh));
  s.x = s.under ? (Q{} + m.scissor_xh) : low;
  s.over = (~s.under & beyond) | (s.x >= m.scissor_xl);
  s.x = s.over ? (Q{} + m.scissor_xl) : s.x;
  return s;
}

PUMICE_INLINE bool all_set(Q mask) { return (mask[0] & mask[1] & mask[2] & mask[3]) != 0; }

PUMICE_STEP void walk_line(const Mode& m, const Shape& p, int32_t y, Line& line) {
  line.y = y;
  line.valid = false;
  line.count = 0;
  if (y < p.first || y > p.last) return;
  const Q k = Q{0, 1, 2, 3} + 4 * y;
  const QU n = (QU)(k - p.top);
  const QU h = p.xh + n * p.dh;
  QU minor = p.xm + n * p.dm;
  if (p.ym >= p.top && 4 * y + 3 >= p.ym) {
    const Q low = k >= p.ym;
    minor = (QU)(low ? (Q)(p.xl + (QU)(k - p.ym) * p.dl) : (Q)minor);
  }
  const Snapped hs = snap(m, h), ms = snap(m, minor);
  const Q crossed = p.left_major ? hs.raw > ms.raw : ms.raw > hs.raw;
  const Q valid = (k >= p.y_lo) & (k < p.y_hi) & ~crossed;
  if (all_set(hs.under & ms.under) || all_set(hs.over & ms.over)) return;
  if (m.field_lines && static_cast<uint32_t>(y & 1) != m.field_odd) return;
  line.sublines = static_cast<uint32_t>((valid[0] & 1) | (valid[1] & 2) | (valid[2] & 4) | (valid[3] & 8));
  if (!line.sublines) return;
  line.valid = true;
  store(line.left, p.left_major ? hs.x : ms.x);
  store(line.right, p.left_major ? ms.x : hs.x);
  const Q from = hs.x >> 3, to = ms.x >> 3;
  if (p.left_major) {
    const Q a = valid ? from : (Q{} + INT32_MAX), b = valid ? to : (Q{} + INT32_MIN);
    const int32_t a01 = a[0] < a[1] ? a[0] : a[1], a23 = a[2] < a[3] ? a[2] : a[3];
    const int32_t b01 = b[0] > b[1] ? b[0] : b[1], b23 = b[2] > b[3] ? b[2] : b[3];
    line.start = a01 < a23 ? a01 : a23;
    line.end = b01 > b23 ? b01 : b23;
    line.count = line.end - line.start + 1;
  } else {
    const Q a = valid ? from : (Q{} + INT32_MIN), b = valid ? to : (Q{} + INT32_MAX);
    const int32_t a01 = a[0] > a[1] ? a[0] : a[1], a23 = a[2] > a[3] ? a[2] : a[3];
    const int32_t b01 = b[0] < b[1] ? b[0] : b[1], b23 = b[2] < b[3] ? b[2] : b[3];
    line.start = a01 > a23 ? a01 : a23;
    line.end = b01 < b23 ? b01 : b23;
    line.count = line.start - line.end + 1;
  }
  if (line.count < 0) line.count = 0;
  if (m.cycle == Cycle::fill) return;

  const uint32_t latch_x = p.late ? h[3] : h[0];
  const int32_t x_base = static_cast<int32_t>(latch_x << 4) >> 20;
  const uint32_t x_fraction = latch_x >> 8 & 0xFF;
  line.skip = (p.left_major ? line.start - x_base : x_base - line.start) & 0xFFF;
  const uint32_t lines = static_cast<uint32_t>(y - p.base_line);
  for (int a = 0; a < 8; ++a)
    line.latched[a] = (((p.base[a] + lines * p.de[a]) & ~0x1FFu) + p.correction[a] - x_fraction * p.dxh[a]) & ~0x3FFu;
}

/// Columns that may have coverage, both ends included.
struct Columns {
  int32_t first, last;
};

PUMICE_INLINE Columns covered(const Line& l) {
  int32_t left = INT32_MAX, right = 0;
  for (int i = 0; i < 4; ++i) {
    if (!(l.sublines >> i & 1)) continue;
    left = l.left[i] < left ? l.left[i] : left;
    right = l.right[i] > right ? l.right[i] : right;
  }
  // The first sample of a pixel is at 8x, the last at 8x + 6.
  return {left > 6 ? (left + 1) >> 3 : 0, (right - 1) >> 3};
}

}  // namespace
}  // namespace pumice::hw::rdp::fast
