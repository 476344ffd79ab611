// SPDX-License-Identifier: MIT
#include "hw/rdp/scan_out.h"

#include <algorithm>
#include <array>
#include <vector>

namespace pumice::hw::rdp {
namespace {

using Pixel = std::array<uint8_t, 3>;

/// A line of the picture; lines beyond the last repeat it.
void read_line(const Rdram& ram, const ScanOut& s, uint32_t y, std::vector<Pixel>& out) {
  const uint32_t width = s.size.WIDTH(), line = std::min(y, s.size.HEIGHT() - 1) * s.stride.PIXELS();
  const auto five = [](uint32_t v) { return static_cast<uint8_t>((v & 31) << 3 | (v & 31) >> 2); };
  for (uint32_t x = 0; x < width; ++x) {
    if (s.control.SIZE() == 3) {
      const uint32_t v = ram.read32((s.origin.ADDRESS() >> 2) + line + x);
      out[x] = {static_cast<uint8_t>(v >> 24), static_cast<uint8_t>(v >> 16), static_cast<uint8_t>(v >> 8)};
    } else if (s.control.SIZE() == 2) {
      const uint32_t v = ram.read16((s.origin.ADDRESS() >> 1) + line + x);
      out[x] = {five(v >> 11), five(v >> 6), five(v >> 1)};
    } else {
      out[x] = {};
    }
  }
}

Pixel lerp(const Pixel& a, const Pixel& b, int32_t f) {
  Pixel p;
  for (size_t i = 0; i < 3; ++i) p[i] = static_cast<uint8_t>(a[i] + (((b[i] - a[i]) * f + 16) >> 5));
  return p;
}

}  // namespace

void scan_out(Rdram& ram, const ScanOut& s) {
  const uint32_t width = s.size.WIDTH();
  if (!width || !s.size.HEIGHT()) return;
  const bool bilinear = s.control.BILINEAR();
  std::vector<Pixel> line(width), below(width);
  int64_t have = -1;  // the line of the picture that `line` holds
  for (uint32_t y = 0; y < s.dst_size.HEIGHT(); ++y) {
    // 12 + 22 bits: the last pixels may lie far beyond the picture.
    const uint64_t py = uint64_t{y} * s.y_scale.STEP();
    const auto iy = static_cast<uint32_t>(std::min<uint64_t>(py >> 10, s.size.HEIGHT() - 1));
    const auto fy = static_cast<int32_t>(py >> 5 & 31);
    if (bilinear || have != iy) read_line(ram, s, iy, line);
    have = iy;
    if (bilinear && fy) {
      read_line(ram, s, iy + 1, below);
      for (uint32_t x = 0; x < width; ++x) line[x] = lerp(line[x], below[x], fy);
    }
    const uint64_t row = s.dst.ADDRESS() + uint64_t{y} * s.dst_pitch.BYTES();
    if (row >= ram.size()) return;
    uint64_t px = 0;
    for (uint32_t x = 0; x < s.dst_size.WIDTH(); ++x, px += s.x_scale.STEP()) {
      const auto ix = static_cast<uint32_t>(std::min<uint64_t>(px >> 10, width - 1));
      Pixel p = line[ix];
      if (bilinear) p = lerp(p, line[std::min(ix + 1, width - 1)], static_cast<int32_t>(px >> 5 & 31));
      if (s.control.BGRA()) std::swap(p[0], p[2]);
      const auto at = static_cast<uint32_t>(row + 4 * x);
      for (uint32_t i = 0; i < 3; ++i) ram.write8(at + i, p[i]);
      ram.write8(at + 3, 255);
    }
    ram.cpu_wrote(static_cast<uint32_t>(row), 4 * s.dst_size.WIDTH());
  }
}

}  // namespace pumice::hw::rdp
