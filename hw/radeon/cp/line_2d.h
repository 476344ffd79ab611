// SPDX-License-Identifier: MIT
/// Lines of the 2D engine (cp-pm4 s.3: CNTL_POLYLINE), as runs of pixels of one row.
#pragma once
#include <cstdint>
#include <cstdlib>

namespace pumice::hw {

struct Point2d {
  uint32_t x = 0, y = 0;
};

/// Calls run(x, y, width) for the pixels of the line from `a` up to, not including, `b`: public drivers draw the last pixel themselves.
/// UNCONFIRMED: of two pixels equally far from the line the one nearer to the row or column of `a` is taken.
template <class Run>
void line_runs(Point2d a, Point2d b, Run run) {
  const int64_t dx = int64_t{b.x} - a.x, dy = int64_t{b.y} - a.y;
  const int64_t across = std::abs(dx), down = std::abs(dy), step_x = dx < 0 ? -1 : 1, step_y = dy < 0 ? -1 : 1;
  const bool steep = down > across;
  const int64_t length = steep ? down : across, minor = steep ? across : down;
  // Distance of pixel i from the major axis: the smaller of the two nearest integers to i * minor / length.
  const auto aside = [&](int64_t i) { return (2 * i * minor + length - 1) / (2 * length); };
  for (int64_t i = 0; i < length;) {
    const int64_t at = aside(i);
    int64_t n = 1;
    while (!steep && i + n < length && aside(i + n) == at) ++n;
    const int64_t x = a.x + step_x * (steep ? at : step_x < 0 ? i + n - 1 : i), y = a.y + step_y * (steep ? i : at);
    run(static_cast<uint32_t>(x), static_cast<uint32_t>(y), static_cast<uint32_t>(n));
    i += n;
  }
}

}  // namespace pumice::hw
