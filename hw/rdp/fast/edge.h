// SPDX-License-Identifier: MIT
/// SIMD edge walker: the sublines of one, two or four scanlines in the lanes of a vector. Steps as in edge.cpp.
#pragma once
#include "hw/rdp/fast/lanes.h"
#include "hw/rdp/fast/primitive.h"

namespace pumice::hw::rdp::fast {
namespace {

/// Scanlines that are walked at once; their numbers begin at a multiple of it.
constexpr int kLines = kW / 4;

struct Line {
  int32_t y;
  bool valid;
  int32_t start, end;  // first and last pixel in walking order
  int32_t count, skip;
  uint32_t latch_x;
  uint32_t sublines;            // bit i: subline i is valid
  const int32_t *left, *right;  // edges of the sublines, 1/8 pixels
  int32_t run() const { return count - 1 + skip; }
};

struct Lines {
  int32_t first = INT32_MIN;
  Line line[kLines];
  alignas(kBytes) int32_t left[kW], right[kW];
};

struct Snapped {
  W x, raw, under, over;
};

PUMICE_INLINE Snapped snap(const Mode& m, WU position) {
  const W v = (W)position;
  const W negative = -(v >> 27 & 1), beyond = -(v >> 26 & 1);
  const W low = (v >> 13 & 0x1FFE) | (((v & 0x3FFE) != 0) & 1);
  Snapped s;
  s.raw = (W)(position << 4) >> 18;
  s.under = negative | (~beyond & (low < m.scissor_xh));
  s.x = s.under ? splat_w(m.scissor_xh) : low;
  s.over = (~s.under & beyond) | (s.x >= m.scissor_xl);
  s.x = s.over ? splat_w(m.scissor_xl) : s.x;
  return s;
}

/// `f` over the four sublines of each scanline.
template <typename F>
PUMICE_INLINE W over_sublines(W v, F&& f) {
  const W other = iota_w() ^ 1, far = iota_w() ^ 2;
  v = f(v, __builtin_shuffle(v, other));
  return f(v, __builtin_shuffle(v, far));
}

PUMICE_STEP void walk(const Mode& m, const Shape& p, int32_t first, Lines& out) {
  out.first = first;
  const W k = iota_w() + 4 * first;
  const WU n = (WU)(k - p.top);
  const WU h = p.xh + n * p.dh;
  WU minor = p.xm + n * p.dm;
  if (p.ym >= p.top && 4 * (first + kLines) > p.ym) {
    const W low = k >= p.ym;
    minor = (WU)(low ? (W)(p.xl + (WU)(k - p.ym) * p.dl) : (W)minor);
  }
  const Snapped hs = snap(m, h), ms = snap(m, minor);
  const W crossed = p.left_major ? hs.raw > ms.raw : ms.raw > hs.raw;
  const W valid = (k >= p.y_lo) & (k < p.y_hi) & ~crossed;
  store(out.left, p.left_major ? hs.x : ms.x);
  store(out.right, p.left_major ? ms.x : hs.x);
  const auto both = [](W a, W b) __attribute__((always_inline)) { return a & b; };
  const auto either = [](W a, W b) __attribute__((always_inline)) { return a | b; };
  const auto least = [](W a, W b) __attribute__((always_inline)) { return min(a, b); };
  const auto most = [](W a, W b) __attribute__((always_inline)) { return max(a, b); };
  const W clipped = over_sublines(hs.under & ms.under, both) | over_sublines(hs.over & ms.over, both);
  const W sublines = over_sublines(valid & (1 << (iota_w() & 3)), either) & ~clipped;
  const W from = hs.x >> 3, to = ms.x >> 3, large = splat_w(INT32_MAX), small = splat_w(INT32_MIN);
  const W start = p.left_major ? over_sublines(valid ? from : large, least) : over_sublines(valid ? from : small, most);
  const W end = p.left_major ? over_sublines(valid ? to : small, most) : over_sublines(valid ? to : large, least);
  alignas(kBytes) int32_t bits[kW], starts[kW], ends[kW], latch[kW];
  store(bits, sublines);
  store(starts, start);
  store(ends, end);
  store(latch, h);
  for (int i = 0; i < kLines; ++i) {
    Line& l = out.line[i];
    l.y = first + i;
    l.sublines = static_cast<uint32_t>(bits[4 * i]);
    l.valid = l.sublines && (!m.field_lines || static_cast<uint32_t>(l.y & 1) == m.field_odd);
    if (!l.valid) continue;
    l.start = starts[4 * i];
    l.end = ends[4 * i];
    l.count = p.left_major ? l.end - l.start + 1 : l.start - l.end + 1;
    if (l.count < 0) l.count = 0;
    l.latch_x = static_cast<uint32_t>(latch[4 * i + (p.late ? 3 : 0)]);
    const int32_t x_base = static_cast<int32_t>(l.latch_x << 4) >> 20;
    l.skip = (p.left_major ? l.start - x_base : x_base - l.start) & 0xFFF;
    l.left = out.left + 4 * i;
    l.right = out.right + 4 * i;
  }
}

/// Attributes at the latch of a line.
struct Latched {
  uint32_t v[8];
};
PUMICE_INLINE Latched latched(const Shape& p, const Line& l) {
  const uint32_t fraction = l.latch_x >> 8 & 0xFF, lines = static_cast<uint32_t>(l.y - p.base_line);
  Latched out;
  for (int a = 0; a < 8; ++a) out.v[a] = (((p.base[a] + lines * p.de[a]) & ~0x1FFu) + p.correction[a] - fraction * p.dxh[a]) & ~0x3FFu;
  return out;
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
