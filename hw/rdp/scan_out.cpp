// SPDX-License-Identifier: MIT
#include "hw/rdp/scan_out.h"

#include <algorithm>
#include <array>
#include <vector>

namespace pumice::hw::rdp {
namespace {

/// Pixels in the order they are written, alpha included: channels move together.
using Line = std::vector<std::array<uint8_t, 4>>;

/// A line of the picture; lines beyond the last repeat it.
void read_line(const Rdram& ram, const ScanOut& s, uint32_t y, Line& out) {
  const uint32_t line = std::min(y, s.size.HEIGHT() - 1) * s.stride.PIXELS();
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

std::array<uint8_t, 4> lerp(const std::array<uint8_t, 4>& a, const std::array<uint8_t, 4>& b, int32_t f) {
  std::array<uint8_t, 4> p;
  for (size_t i = 0; i < 4; ++i) p[i] = static_cast<uint8_t>(a[i] + (((b[i] - a[i]) * f + 16) >> 5));
  return p;
}

/// A position in the picture: a pixel or line, the next one, and how far it is towards that.
struct Step {
  uint32_t here, next;
  int32_t fraction;
};
Step step_at(uint32_t i, uint32_t step, uint32_t size, bool bilinear) {
  const uint64_t at = uint64_t{i} * step;  // 12 + 22 bits: may lie far beyond the picture
  const auto here = static_cast<uint32_t>(std::min<uint64_t>(at >> 10, size - 1));
  return {here, std::min(here + 1, size - 1), bilinear ? static_cast<int32_t>(at >> 5 & 31) : 0};
}

}  // namespace

void scan_out(Rdram& ram, const ScanOut& s) {
  const uint32_t width = s.size.WIDTH(), height = s.size.HEIGHT(), out_width = s.dst_size.WIDTH();
  if (!width || !height) return;
  const bool bilinear = s.control.BILINEAR();
  std::vector<Step> columns(out_width);
  for (uint32_t x = 0; x < out_width; ++x) columns[x] = step_at(x, s.x_scale.STEP(), width, bilinear);
  Line above(width), below(width), mixed(width);
  std::vector<uint8_t> out(size_t{4} * out_width);
  for (uint32_t y = 0; y < s.dst_size.HEIGHT(); ++y) {
    const uint64_t row = s.dst.ADDRESS() + uint64_t{y} * s.dst_pitch.BYTES();
    if (row >= ram.size()) return;
    const Step line = step_at(y, s.y_scale.STEP(), height, bilinear);
    read_line(ram, s, line.here, above);
    if (line.fraction) {
      read_line(ram, s, line.next, below);
      for (uint32_t x = 0; x < width; ++x) mixed[x] = lerp(above[x], below[x], line.fraction);
    } else {
      mixed = above;
    }
    for (uint32_t x = 0; x < out_width; ++x) {
      const auto p = lerp(mixed[columns[x].here], mixed[columns[x].next], columns[x].fraction);
      std::copy(p.begin(), p.end(), out.begin() + 4 * x);
    }
    ram.cpu_write(row, out);
  }
}

}  // namespace pumice::hw::rdp
