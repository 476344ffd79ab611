// SPDX-License-Identifier: MIT
/// Two triangles that form an axis-aligned rectangle, as used by clears: with one colour and one depth they are equivalent to their box,
/// and the diagonal need not be walked through the tiles.
#pragma once
#include <algorithm>

#include "hw/radeon/fast/raster/record.h"
#include "hw/radeon/fast/raster/triangles.h"

namespace pumice::hw::fast::raster {

/// A triangle whose corners are three corners of its bounding box, no edge of which goes through pixel centres (so that no edge rule
/// matters). Single-sampled only: otherwise colour mask compression depends on which primitive covers a block.
struct HalfRectangle {
  Record* record = nullptr;                ///< null: not such a triangle
  int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;  ///< on the grid
  uint32_t missing = 0;                    ///< the corner that is not a vertex: bit 0: at x1, bit 1: at y1

  /// Whether both together cover the box; with one depth and one facing.
  bool completes(const HalfRectangle& other) const {
    return record && other.record && record->draw == other.record->draw && record->back_facing == other.record->back_facing &&
           record->z == other.record->z && x0 == other.x0 && y0 == other.y0 && x1 == other.x1 && y1 == other.y1 &&
           missing == (other.missing ^ 3);
  }
};

/// Of triangle `i` of the lot. The edge rule must assign a pixel on the diagonal to exactly one of the two.
inline HalfRectangle half_rectangle(const TrianglePlan& plan, const Lot& lot, uint32_t i, Record& record) {
  if (plan.lot.samples > 1 || record.z_dx != 0 || record.z_dy != 0) return {};
  const int32_t x[3] = {lot.x[0][i], lot.x[1][i], lot.x[2][i]}, y[3] = {lot.y[0][i], lot.y[1][i], lot.y[2][i]};
  HalfRectangle h{&record, std::min({x[0], x[1], x[2]}), std::min({y[0], y[1], y[2]}), std::max({x[0], x[1], x[2]}),
                  std::max({y[0], y[1], y[2]})};
  uint32_t seen = 0;
  for (int k = 0; k < 3; ++k) {
    if ((x[k] != h.x0 && x[k] != h.x1) || (y[k] != h.y0 && y[k] != h.y1)) return {};
    seen |= 1u << ((x[k] == h.x1 ? 1u : 0u) | (y[k] == h.y1 ? 2u : 0u));
  }
  for (const int32_t v : {h.x0, h.y0, h.x1, h.y1})
    if ((v & (plan.lot.unit() - 1)) == plan.lot.unit() / 2) return {};
  while (seen >> h.missing & 1) ++h.missing;
  if ((seen | 1u << h.missing) != 0xF) return {};
  const bool down_right = h.missing == 1 || h.missing == 2;  // the diagonal from the upper left to the lower right corner
  const bool once = down_right ? plan.edge_out[2][2] != plan.edge_out[0][0] : plan.edge_out[2][0] != plan.edge_out[0][2];
  return once ? h : HalfRectangle{};
}

}  // namespace pumice::hw::fast::raster
