// SPDX-License-Identifier: MIT
/// See draw_lines.h.
#include "hw/rdp/draw_lines.h"

#include <algorithm>
#include <climits>

#include "hw/rdp/ref/span.h"

namespace pumice::hw::rdp {

void draw_lines(const DrawTarget& target, const Primitive& primitive, Execution execution, LineRange lines, fast::Painter& painter) {
  if (execution != Execution::reference && painter.draw(target, primitive, execution, lines)) return;
  const EdgeWalker edges(primitive, target.state);
  const SpanSetup setup(primitive, edges, target.state);
  Span next;
  int next_line = INT_MIN;  // the line that `next` is
  for (int y = std::max(edges.first_line(), lines.first); y <= std::min(edges.last_line(), lines.last); ++y) {
    const Span span = next_line == y ? next : edges.line(y);
    next = edges.line(y + 1);
    next_line = y + 1;
    draw_span(target, primitive, setup, span, next);
  }
}

}  // namespace pumice::hw::rdp
