// SPDX-License-Identifier: MIT
/// Coverage counts, shade and noise of a chunk. Steps as in coverage.cpp, span.cpp and dither.cpp.
#pragma once
#include "hw/rdp/fast/lanes.h"
#include "hw/rdp/fast/primitive.h"

namespace pumice::hw::rdp::fast {
namespace {

/// Number of samples, and offset of the first one, from the bits.
PUMICE_STEP void count_samples(Chunk& c) {
  store(c.cover + c.end, splat(0));  // lanes past the end are never inside
  if (kH < 32) store(c.cover + c.end + kH, splat(0));
  for (int i = kFront; i < c.end; i += kH) {
    const H b = load(c.cover + i);
    if (!any(b != 0xFF)) {
      store(c.count + i, splat(8));
      store(c.off_x + i, splat(0));
      store(c.off_y + i, splat(0));
      store(c.inside + i, splat(-1));
      continue;
    }
    H n = b - (b >> 1 & 0x55);
    n = (n & 0x33) + (n >> 2 & 0x33);
    store(c.count + i, (n + (n >> 4)) & 15);
    const H first = b & -b;
    store(c.off_x + i, (((first & 0xAA) != 0) & 2) | (((first & 0xCC) != 0) & 1));
    store(c.off_y + i, (((first & 0xF0) != 0) & 2) | (((first & 0xCC) != 0) & 1));
    store(c.inside + i, b != 0);
  }
}

PUMICE_STEP void shade(const Mode& m, const Shape& p, Chunk& c) {
  for (int a = m.uses_shade ? 0 : 3; a < (m.uses_shade_alpha ? 4 : 3); ++a) {
    const int16_t dx = static_cast<int16_t>(p.dx[a]), dy = static_cast<int16_t>(p.dy[a]);
    for (int i = kFront; i < c.end; i += kH) {
      const H v = load(c.shade[a] + i) + load(c.off_x + i) * dx + load(c.off_y + i) * dy;
      store(c.shade[a] + i, clamp9(v >> 4));
    }
  }
}

PUMICE_STEP void combiner_noise(Chunk& c) {
  for (int i = kFront; i < c.end; i += kW) {
    const W v = ((W)load(c.noise + i) & 7) << 6 | 0x20;
    narrow(c.noise9 + i, ((v + 0x80) & 0x1FF) - 0x80);
  }
}

}  // namespace
}  // namespace pumice::hw::rdp::fast
