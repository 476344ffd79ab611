// SPDX-License-Identifier: MIT
/// SIMD coverage, shade, depth value, combiner, dither and noise. Steps as in coverage.cpp, span.cpp, combiner.cpp, dither.cpp.
#pragma once
#include "hw/rdp/fast/lanes.h"
#include "hw/rdp/fast/primitive.h"

namespace pumice::hw::rdp::fast {
namespace {

struct Coverage {
  V count, bit, off_x, off_y;
  bool full;  // all lanes are covered completely
};

/// `inside` masks the lanes that belong to the span.
PUMICE_INLINE Coverage coverage(const Span& s, V x, V inside) {
  const int32_t x_low = x[0] < x[7] ? x[0] : x[7], x_high = x[0] < x[7] ? x[7] : x[0];
  if (8 * x_low >= s.full_left && 8 * x_high + 6 < s.full_right && inside[7]) return {splat(8), splat(-1), splat(0), splat(0), true};
  const V x8 = x * 8;
  Coverage c{splat(0), splat(0), splat(0), splat(0), false};
  V found = splat(0);
  for (int i = 0; i < 4; ++i) {
    if (!s.sub_valid[i]) continue;
    for (int column = i & 1; column < 4; column += 2) {
      const V sample = x8 + 2 * column;
      const V in = (sample >= s.left[i]) & (sample < s.right[i]) & inside;
      const V first = in & ~found;
      c.count -= in;
      c.off_x |= first & column;
      c.off_y |= first & i;
      found |= in;
      if (i == 0 && column == 0) c.bit = in;
    }
  }
  return c;
}

/// Shade of all channels at attribute values a[0..3].
PUMICE_INLINE Rgba shade(const Primitive& p, const U* a, const Coverage& c) {
  Rgba out;
  if (c.full) {
    for (int i = 0; i < 4; ++i) out.c[i] = clamp9(to_v(a[i]) >> 16);
    return out;
  }
  const V full = c.count == 8;
  for (int i = 0; i < 4; ++i) {
    const V v = to_v(a[i]) >> 14;
    const V n = select(full, v >> 2, (v * 4 + c.off_x * p.dx[i] + c.off_y * p.dy[i]) >> 4);
    out.c[i] = clamp9(n);
  }
  return out;
}

PUMICE_INLINE V depth_value(const Primitive& p, U z, const Coverage& c) {
  const V v = to_v((p.prim_z ? splat_u(p.prim_z_value) : z) >> 10) & 0x3FFFFF;
  const V n = c.full ? v >> 3 : select(c.count == 8, v >> 3, (v * 4 + c.off_x * p.z_dx + c.off_y * p.z_dy) >> 5);
  const V top = n >> 17 & 3;
  return select(top < 2, n & 0x3FFFF, select(top == 2, splat(0x3FFFF), splat(0)));
}

/// dither.cpp's hash.
PUMICE_INLINE U noise(const Primitive& p, int32_t y, V x) {
  U h = to_u(x) * 0xC2B2AE3Du + (p.noise_seed * 0x9E3779B1u + static_cast<uint32_t>(y) * 0x85EBCA77u);
  h = (h ^ h >> 15) * 0x2C1B3C6Du;
  h = (h ^ h >> 12) * 0x297A2D39u;
  return h ^ h >> 15;
}

struct Dither {
  V rgb[3], alpha;
};

PUMICE_INLINE V pattern(const uint8_t (&row)[4], V x) {
  const V c = x & 3;
  return select(c < 2, select(c == 0, splat(row[0]), splat(row[1])), select(c == 2, splat(row[2]), splat(row[3])));
}

PUMICE_INLINE Dither dither(const Primitive& p, int32_t y, V x, U noise_bits) {
  static constexpr uint8_t kMagic[4][4] = {{0, 6, 1, 7}, {4, 2, 5, 3}, {3, 5, 2, 4}, {7, 1, 6, 0}};
  static constexpr uint8_t kBayer[4][4] = {{0, 4, 1, 5}, {4, 0, 5, 1}, {3, 7, 2, 6}, {7, 3, 6, 2}};
  if (p.field) y >>= 1;
  const bool bayer = p.rgb_sel & 1;
  const V v = p.rgb_sel == 3 && p.alpha_sel >= 2 ? splat(0) : pattern(bayer ? kBayer[y & 3] : kMagic[y & 3], x);
  Dither d;
  for (int c = 0; c < 3; ++c) d.rgb[c] = p.rgb_sel < 2 ? v : p.rgb_sel == 3 ? splat(7) : to_v(noise_bits >> (3 + 3 * c)) & 7;
  d.alpha = p.alpha_sel == 0 ? v : p.alpha_sel == 1 ? 7 - v : p.alpha_sel == 2 ? to_v(noise_bits >> 12) & 7 : splat(0);
  return d;
}

/// (A - B) * C + D of every channel, 9 bits.
PUMICE_INLINE Rgba combine(const CombineInfo& info, const V* in) {
  Rgba out;
  for (int c = 0; c < 4; ++c) {
    const uint8_t* s = info.in[c];
    out.c[c] = ((ext9(in[s[0]]) - ext9(in[s[1]])) * sign_extend<9>(in[s[2]]) + ext9(in[s[3]]) * 256 + 128) >> 8 & 0x1FF;
  }
  return out;
}

}  // namespace
}  // namespace pumice::hw::rdp::fast
