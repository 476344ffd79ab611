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
  const int32_t *left, *width;        // left edges of the sublines and what lies right of them, 1/8 pixels; 0 if not valid
  int32_t first_column, last_column;  // columns that may have coverage
  int32_t full_left, full_right;      // samples between these are covered on all sublines
  int32_t run() const { return count - 1 + skip; }
};

struct Lines {
  int32_t first = INT32_MIN;
  Line line[kLines];
  alignas(kBytes) int32_t left[kW], width[kW];
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
  v = f(v, swap_words(v));
  return f(v, swap_pairs(v));
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
  const W left = p.left_major ? hs.x : ms.x, right = p.left_major ? ms.x : hs.x;
  store(out.left, left);
  store(out.width, valid & max(right - left, splat_w(0)));
  const auto both = [](W a, W b) __attribute__((always_inline)) { return a & b; };
  const auto either = [](W a, W b) __attribute__((always_inline)) { return a | b; };
  const auto least = [](W a, W b) __attribute__((always_inline)) { return min(a, b); };
  const auto most = [](W a, W b) __attribute__((always_inline)) { return max(a, b); };
  const W clipped = over_sublines(hs.under & ms.under, both) | over_sublines(hs.over & ms.over, both);
  const W some = over_sublines(valid, either) & ~clipped;
  const W from = hs.x >> 3, to = ms.x >> 3, large = splat_w(INT32_MAX), small = splat_w(INT32_MIN);
  const W start = p.left_major ? over_sublines(valid ? from : large, least) : over_sublines(valid ? from : small, most);
  const W end = p.left_major ? over_sublines(valid ? to : small, most) : over_sublines(valid ? to : large, least);
  // The first sample of a pixel is at 8x, the last at 8x + 6.
  const W first_column = (max(over_sublines(valid ? left : large, least), splat_w(6)) + 1) >> 3;
  const W last_column = (over_sublines(valid ? right : splat_w(0), most) - 1) >> 3;
  alignas(kBytes) int32_t lines[kW], starts[kW], ends[kW], latch[kW], columns[2][kW], full[2][kW];
  store(lines, some);
  store(columns[0], first_column);
  store(columns[1], last_column);
  store(full[0], over_sublines(left, most));
  store(full[1], over_sublines(valid ? right : small, least));
  store(starts, start);
  store(ends, end);
  store(latch, h);
  for (int i = 0; i < kLines; ++i) {
    Line& l = out.line[i];
    l.y = first + i;
    l.valid = lines[4 * i] && (!m.field_lines || static_cast<uint32_t>(l.y & 1) == m.field_odd);
    if (!l.valid) continue;
    l.start = starts[4 * i];
    l.end = ends[4 * i];
    l.count = p.left_major ? l.end - l.start + 1 : l.start - l.end + 1;
    if (l.count < 0) l.count = 0;
    l.latch_x = static_cast<uint32_t>(latch[4 * i + (p.late ? 3 : 0)]);
    const int32_t x_base = static_cast<int32_t>(l.latch_x << 4) >> 20;
    l.skip = (p.left_major ? l.start - x_base : x_base - l.start) & 0xFFF;
    l.left = out.left + 4 * i;
    l.width = out.width + 4 * i;
    l.first_column = columns[0][4 * i];
    l.last_column = columns[1][4 * i];
    l.full_left = full[0][4 * i];
    l.full_right = full[1][4 * i];
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

}  // namespace
}  // namespace pumice::hw::rdp::fast
