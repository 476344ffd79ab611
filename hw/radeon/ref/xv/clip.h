// SPDX-License-Identifier: MIT
/// Clipping of extended draws (README.md). Private to hw/radeon/ref/xv.
#pragma once
#include <span>
#include <vector>

#include "hw/radeon/ref/xv/shade.h"

namespace pumice::hw::xv {

/// What a primitive is clipped against.
struct ClipVolume {
  bool clips_depth = true;
  bool negative_depth = false;      ///< near is -w
  double guard_x = 1, guard_y = 1;  ///< times w; 1: the volume itself
  uint32_t distances = 0;           ///< mask of clip distances in use
};

/// A corner and whether the edge to the next one is drawn by polygon mode.
struct Corner {
  Shaded v;
  bool edge = true;
};

bool keep_point(const ClipVolume& volume, const Shaded& v);
/// False: nothing is left.
bool clip_line(const ClipVolume& volume, Shaded& a, Shaded& b);
/// Fewer than three corners: nothing is left.
void clip_polygon(const ClipVolume& volume, std::vector<Corner>& polygon);

}  // namespace pumice::hw::xv
