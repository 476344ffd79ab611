// SPDX-License-Identifier: MIT
/// Which memory a primitive may touch.
#include "hw/rdp/ref/extent.h"

#include <algorithm>

namespace pumice::hw::rdp {
namespace {

/// Fill and copy mode write the column that holds the right edge, too; they leave depth alone.
bool whole_columns(const State& s) { return s.cycle_type() == kFill || s.cycle_type() == kCopy; }
bool uses_depth(const State& s) { return !whole_columns(s) && (s.modes.z_compare_en() || s.modes.z_update_en()); }

}  // namespace

int64_t last_column(const State& s, const Primitive& p) {
  int64_t right = whole_columns(s) ? s.scissor.xl >> 2 : (static_cast<int64_t>(s.scissor.xl) + 3) / 4 - 1;
  if (whole_columns(s) && !p.dxhdy && !p.dxmdy && !p.dxldy) right = std::min<int64_t>(right, std::max({p.xh, p.xm, p.xl}) >> 16);
  return right;
}

bool rows_apart(const State& s, const Primitive& p, int last_line) {
  if (last_column(s, p) >= static_cast<int64_t>(s.color_image.width)) return false;
  if (!uses_depth(s)) return true;
  const uint64_t pixels = s.color_image.width * (static_cast<uint64_t>(last_line) + 1);
  const uint64_t color = s.color_image.address & ~3u, color_end = s.color_image.address + (pixels << s.color_image.size >> 1);
  const uint64_t z = s.z_address & ~3u, z_end = s.z_address + 2 * pixels;
  return color_end <= z || z_end <= color;
}

bool rows_aligned(const State& s) {
  if (s.color_image.size == k16b && (s.color_image.address % 4 || s.color_image.width % 2)) return false;
  return !uses_depth(s) || (s.z_address % 4 == 0 && s.color_image.width % 2 == 0);
}

}  // namespace pumice::hw::rdp
