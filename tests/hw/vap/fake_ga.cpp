// SPDX-License-Identifier: MIT
/// Stands in for hw/radeon/ref/ga, so that the vertex path is tested alone.
#include "tests/hw/vap/fixture.h"

namespace pumice::hw {

void ga::primitive(DrawContext&, const Primitive& p) {
  test::Collector& c = *test::g_collector;
  ++c.count;
  if (!c.keep) return;
  test::Collected r{p.kind};
  const uint32_t n = p.kind == PrimitiveKind::point ? 1 : p.kind == PrimitiveKind::line ? 2 : 3;
  for (uint32_t i = 0; i < n; ++i) {
    r.v[i] = *p.v[i];
    if (p.v[i] == p.provoking) r.provoking_slot = int(i);
  }
  r.provoking = *p.provoking;
  r.edge_flags = p.edge_flags;
  c.primitives.push_back(r);
}

}  // namespace pumice::hw
