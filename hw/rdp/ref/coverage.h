// SPDX-License-Identifier: MIT
/// Coverage of one pixel: eight samples in a checkerboard (docs/reference/rdp.md section 7).
#pragma once
#include "hw/rdp/ref/edge.h"

namespace pumice::hw::rdp {

struct Coverage {
  int count = 0;             // covered samples, 0..8
  bool bit = false;          // sample (0,0): write enable without anti-aliasing
  int off_x = 0, off_y = 0;  // first covered sample, quarter pixels
};

Coverage coverage_at(const Span& span, int x);

}  // namespace pumice::hw::rdp
