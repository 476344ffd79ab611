// SPDX-License-Identifier: MIT
/// Coverage (docs/reference/rdp.md section 7).
#include "hw/rdp/ref/coverage.h"

namespace pumice::hw::rdp {

Coverage coverage_at(const Span& span, int x) {
  Coverage c;
  for (int i = 0; i < 4; ++i) {
    if (!span.sub_valid[i]) continue;
    for (int column = i & 1; column < 4; column += 2) {
      const int sample = 8 * x + 2 * column;
      if (sample < span.left[i] || sample >= span.right[i]) continue;
      if (c.count++ == 0) {
        c.off_x = column;
        c.off_y = i;
      }
      c.bit |= i == 0 && column == 0;
    }
  }
  return c;
}

}  // namespace pumice::hw::rdp
