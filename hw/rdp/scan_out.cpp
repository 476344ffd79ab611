// SPDX-License-Identifier: MIT
#include "hw/rdp/scan_out.h"

#include <algorithm>

namespace pumice::hw::rdp {
namespace {

using Pixel = ScanLine::value_type;

Pixel lerp(const Pixel& a, const Pixel& b, int32_t f) {
  Pixel p;
  for (size_t i = 0; i < 4; ++i) p[i] = static_cast<uint8_t>(a[i] + (((b[i] - a[i]) * f + 16) >> 5));
  return p;
}

/// A position in the picture: a pixel or line, the next one, and how far it is towards that.
struct Step {
  uint32_t here, next;
  int32_t fraction;
};
Step step_at(uint32_t i, uint32_t step, uint32_t size, bool bilinear) {
  const uint64_t at = uint64_t{i} * step;  // may lie far beyond the picture
  const auto here = static_cast<uint32_t>(std::min<uint64_t>(at >> 10, size - 1));
  return {here, std::min(here + 1, size - 1), bilinear ? static_cast<int32_t>(at >> 5 & 31) : 0};
}

void read_line(const Rdram& ram, const ScanOut& s, uint32_t y, ScanLine& out) {
  const uint32_t line = y * s.stride.PIXELS();
  const auto five = [](uint32_t v) { return static_cast<uint8_t>((v & 31) << 3 | (v & 31) >> 2); };
  for (uint32_t x = 0; x < out.size(); ++x) {
    if (s.control.SIZE() == 3) {
      const uint32_t v = ram.read32((s.origin.ADDRESS() >> 2) + line + x);
      out[x] = {static_cast<uint8_t>(v >> 24), static_cast<uint8_t>(v >> 16), static_cast<uint8_t>(v >> 8), 255};
    } else if (s.control.SIZE() == 2) {
      const uint32_t v = ram.read16((s.origin.ADDRESS() >> 1) + line + x);
      out[x] = {five(v >> 11), five(v >> 6), five(v >> 1), 255};
    } else {
      out[x] = {0, 0, 0, 255};
    }
    if (s.control.BGRA()) std::swap(out[x][0], out[x][2]);
  }
}

}  // namespace

void scan_lines(const ScanShape& s, const std::function<void(uint32_t y, ScanLine&)>& read,
                const std::function<bool(uint32_t y, const ScanLine&)>& put) {
  if (!s.width || !s.height) return;
  std::vector<Step> columns(s.out_width);
  for (uint32_t x = 0; x < s.out_width; ++x) columns[x] = step_at(x, s.x_step, s.width, s.bilinear);
  ScanLine line(s.width), below(s.width), out(s.out_width);
  for (uint32_t y = 0; y < s.out_height; ++y) {
    const Step row = step_at(y, s.y_step, s.height, s.bilinear);
    read(row.here, line);
    if (row.fraction) {
      read(row.next, below);
      for (uint32_t x = 0; x < s.width; ++x) line[x] = lerp(line[x], below[x], row.fraction);
    }
    for (uint32_t x = 0; x < s.out_width; ++x) out[x] = lerp(line[columns[x].here], line[columns[x].next], columns[x].fraction);
    if (!put(y, out)) return;
  }
}

void scan_out(Rdram& ram, const ScanOut& s) {
  const ScanShape shape{.width = s.size.WIDTH(),
                        .height = s.size.HEIGHT(),
                        .out_width = s.dst_size.WIDTH(),
                        .out_height = s.dst_size.HEIGHT(),
                        .x_step = s.x_scale.STEP(),
                        .y_step = s.y_scale.STEP(),
                        .bilinear = s.control.BILINEAR() != 0};
  scan_lines(
      shape, [&](uint32_t y, ScanLine& line) { read_line(ram, s, y, line); },
      [&](uint32_t y, const ScanLine& line) {
        const uint64_t row = s.dst.ADDRESS() + uint64_t{y} * s.dst_pitch.BYTES();
        ram.cpu_write(row, {reinterpret_cast<const uint8_t*>(line.data()), 4 * line.size()});
        return row < ram.size();
      });
}

}  // namespace pumice::hw::rdp
