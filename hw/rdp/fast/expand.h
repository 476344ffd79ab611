// SPDX-License-Identifier: MIT
/// Spans to lanes: attributes, samples, dither and noise of each pixel. Steps as in span.cpp, coverage.cpp and dither.cpp.
#pragma once
#include "hw/rdp/fast/edge.h"

namespace pumice::hw::rdp::fast {
namespace {

enum Attribute : uint8_t { kR, kG, kB, kA, kS, kT, kW0, kZ };

/// Rows of the dither matrices, repeated so that a vector can start at any column.
struct Patterns {
  int16_t v[2][4][36];
  constexpr Patterns() : v() {
    constexpr int16_t kMagic[4][4] = {{0, 6, 1, 7}, {4, 2, 5, 3}, {3, 5, 2, 4}, {7, 1, 6, 0}};
    constexpr int16_t kBayer[4][4] = {{0, 4, 1, 5}, {4, 0, 5, 1}, {3, 7, 2, 6}, {7, 3, 6, 2}};
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 36; ++x) {
        v[0][y][x] = kMagic[y][x & 3];
        v[1][y][x] = kBayer[y][x & 3];
      }
  }
};
constexpr Patterns kPatterns;

/// Once for each primitive.
PUMICE_INLINE void begin(const Shape& p, Chunk& c) {
  c.end = kFront;
  c.segments = c.patches = 0;
  for (int a = 0; a < 8; ++a) {
    const uint32_t step = p.left_major ? p.step[a] : 0u - p.step[a];
    store(c.ramp[a], (WU)iota_w() * step);
    c.jump[a] = step * kW;
  }
}

/// Samples of the lanes from column x on: one bit each, in the order of sublines and columns.
PUMICE_INLINE H samples(const Line& l, H x8) {
  H cover = splat(0);
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    const HU width = (HU)splat(l.width[i]);
    const H from = x8 - splat(l.left[i]) + splat(2 * (i & 1));
    cover |= (H)((HU)from < width) & splat(1 << 2 * i);
    cover |= (H)((HU)(from + splat(4)) < width) & splat(2 << 2 * i);
  }
  return cover;
}

PUMICE_INLINE void put_samples(const Line& l, int x, int lanes, int16_t* out) {
  for (int j = 0; j < lanes; j += kH) {
    const int x0 = x + j, last = x + (j + kH < lanes ? j + kH : lanes) - 1;
    if (8 * x0 >= l.full_left && 8 * last + 6 < l.full_right)
      store(out + j, splat(0xFF));
    else
      store(out + j, samples(l, (iota() + splat(x0)) * 8));
  }
}

/// dither.cpp's hash.
PUMICE_INLINE WU noise(const Shape& p, int32_t y, W x) {
  WU h = (WU)x * 0xC2B2AE3Du + (p.noise_seed * 0x9E3779B1u + static_cast<uint32_t>(y) * 0x85EBCA77u);
  h = (h ^ h >> 15) * 0x2C1B3C6Du;
  h = (h ^ h >> 12) * 0x297A2D39u;
  return h ^ h >> 15;
}

PUMICE_INLINE void put_ramp(const Chunk& c, int a, uint32_t base, int lanes, uint32_t* out) {
  WU v = load(c.ramp[a]) + base;
  for (int j = 0; j < lanes; j += kW) {
    store(out + j, v);
    v += c.jump[a];
  }
}
/// Shade with two fraction bits, which is all that the centroid needs; it is worked out modulo 512.
PUMICE_INLINE void put_shade(const Chunk& c, int a, uint32_t base, int lanes, int16_t* out) {
  WU v = load(c.ramp[a]) + base;
  for (int j = 0; j < lanes; j += kW) {
    narrow(out + j, (W)v >> 12 & ~3);
    v += c.jump[a];
  }
}

/// One-cycle LOD compares the next position with the one after it; near the end of a span, with others.
PUMICE_STEP void put_lod_positions(const Shape& p, const Line& l, const Line& next, Chunk& c, int lane, int k0, int lanes,
                                   const uint32_t* base, const Latched& start, const Latched& below_start) {
  for (int i = 0; i < 3; ++i) {
    put_ramp(c, kS + i, base[kS + i] + p.step[kS + i], lanes, c.near[i] + lane);
    put_ramp(c, kS + i, base[kS + i] + 2 * p.step[kS + i], lanes, c.far[i] + lane);
  }
  if (!next.valid) return;
  const int32_t last = l.count - 1, run = l.run(), direction = p.left_major ? 1 : -1;
  for (int k = last - 1; k <= last + 1; ++k) {
    const int j = (k - k0) * direction;
    if (j < 0 || j >= lanes) continue;
    for (int i = 0; i < 3; ++i) {
      const uint32_t step = p.step[kS + i], below = below_start.v[kS + i];
      const auto here = [&](int n) { return start.v[kS + i] + step * static_cast<uint32_t>(l.skip + n); };
      uint32_t &near = c.near[i][lane + j], &far = c.far[i][lane + j];
      if (k == last && run > 7) {
        near = below;
        far = below + step;
      } else if ((k == last - 1 && run > 7) || (k == last && run == 7) || (k == last + 1 && run == 6)) {
        far = here(k - 1);
      } else if (k == last + 1 && run >= 7) {
        near = below + (run > 7 ? step : 0);
        far = below + step * (run > 7 ? 2 : 1);
      }
    }
  }
}

/// Puts columns x to x + n - 1 of a line into the lanes, and the pixel after them if its values are looked at.
PUMICE_STEP void append(const Mode& m, const Shape& p, const Line& l, const Line& next, int x, int n, Chunk& c) {
  const int ghosts = m.needs_next;
  const int x0 = p.left_major ? x : x - ghosts, lane = c.end, lanes = n + ghosts;
  const int k0 = p.left_major ? x0 - l.start : l.start - x0;
  const uint32_t steps = static_cast<uint32_t>(l.skip + k0);
  const Latched start = latched(p, l), below = m.needs_next_line && next.valid ? latched(p, next) : Latched{};
  uint32_t base[8];
  for (int a = 0; a < 8; ++a) base[a] = start.v[a] + p.step[a] * steps;

  put_samples(l, x0, lanes, c.cover + lane);
  if (m.uses_shade)
    for (int a = kR; a <= kB; ++a) put_shade(c, a, base[a], lanes, c.shade[a] + lane);
  if (m.uses_shade_alpha) put_shade(c, kA, base[kA], lanes, c.shade[kA] + lane);
  const bool texels = m.uses_texel0 || m.uses_texel1;
  if (texels || m.lod) {
    put_ramp(c, kS, base[kS], lanes, c.s + lane);
    put_ramp(c, kT, base[kT], lanes, c.t + lane);
    if (m.perspective) put_ramp(c, kW0, base[kW0], lanes, c.w + lane);
  }
  if (m.uses_z && !m.prim_z) put_ramp(c, kZ, base[kZ], lanes, c.z + lane);
  if (m.rgb_sel < 3 || m.alpha_sel < 2) {
    const H v = load(kPatterns.v[m.rgb_sel & 1][(m.field ? l.y >> 1 : l.y) & 3] + (x0 & 3));
    for (int j = 0; j < lanes; j += kH) store(c.dither + lane + j, v);
  }
  if (m.uses_noise)
    for (int j = 0; j < lanes; j += kW) store(c.noise + lane + j, noise(p, l.y, iota_w() + (x0 + j)));
  if (m.lod && m.cycle == Cycle::one) put_lod_positions(p, l, next, c, lane, k0, lanes, base, start, below);

  if (ghosts) {
    const int ghost = p.left_major ? lane + n : lane;
    const int k = p.left_major ? k0 + n : k0;
    const bool past_end = k >= l.count;
    if (past_end) c.cover[ghost] = 0;
    // The pipeline already holds the start of the following line.
    if (past_end && next.valid && m.cycle == Cycle::one && l.run() > 7) {
      c.s[ghost] = below.v[kS];
      c.t[ghost] = below.v[kT];
      c.w[ghost] = below.v[kW0];
    }
    if (past_end && next.valid && m.cycle == Cycle::two && l.run() >= 3 && (m.lod || m.first_texel1_compared))
      c.patch[c.patches++] = {ghost, l.y, k};
  }
  c.segment[c.segments++] = {p.left_major ? lane : lane + ghosts, n, static_cast<uint32_t>(l.y) * m.width + static_cast<uint32_t>(x)};
  c.end += lanes;
}

}  // namespace
}  // namespace pumice::hw::rdp::fast
