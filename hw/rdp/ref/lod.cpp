// SPDX-License-Identifier: MIT
/// Level of detail (docs/reference/rdp.md section 11).
#include "hw/rdp/ref/lod.h"

#include <algorithm>

#include "hw/rdp/ref/bits.h"

namespace pumice::hw::rdp {
namespace {

uint32_t distance(uint32_t current, uint32_t next) {
  const uint32_t d = static_cast<uint32_t>(sign_extend<17>(next) - sign_extend<17>(current));
  return d & 0x20000 ? ~d & 0x1FFFF : d & 0x1FFFF;
}

uint32_t log2_floor(uint32_t v) {
  uint32_t n = 0;
  while (v >>= 1) ++n;
  return n;
}

}  // namespace

void LodMagnitude::add(const DividedCoord& current, const DividedCoord& next) {
  greatest_ = std::max({greatest_, distance(current.s, next.s), distance(current.t, next.t)});
  too_far_ |= ((current.s | current.t | next.s | next.t) & (DividedCoord::kUnder | DividedCoord::kOver)) != 0;
}

uint32_t LodMagnitude::lod() const { return (greatest_ & 0x7FFF) | (greatest_ & 0x1C000 ? 0x4000 : 0); }

Lod level_of_detail(const LodMagnitude& m, const State& state, uint32_t tile, uint32_t max_level) {
  const bool sharpen = state.modes.sharpen_tex_en(), detail = state.modes.detail_tex_en();
  const uint32_t lod = m.lod();
  bool magnify = false, distant = false;
  uint32_t level = 0, fraction = 0;
  if (m.too_far() || (lod & 0x4000)) {
    distant = true;
    fraction = 0xFF;
  } else if (lod < 32 || lod < state.min_level) {
    magnify = true;
    distant = max_level == 0;
    if (!sharpen && !detail)
      fraction = distant ? 0xFF : 0;
    else
      fraction = (std::max(lod, state.min_level) << 3) | (sharpen ? 0x100 : 0);
  } else {
    level = log2_floor(lod >> 5 & 0xFF);
    distant = max_level == 0 || (lod & 0x6000) || level >= max_level;
    fraction = !sharpen && !detail && distant ? 0xFF : (lod << 3 >> level) & 0xFF;
  }

  Lod out;
  out.fraction = fraction;
  out.tile0 = tile;
  out.tile1 = (tile + 1) & 7;
  if (!state.modes.tex_lod_en()) return out;
  if (distant) level = max_level;
  if (!detail) {
    out.tile0 = tile + level;
    out.tile1 = distant || (magnify && !sharpen) ? out.tile0 : tile + level + 1;
  } else {
    out.tile0 = tile + level + (magnify ? 0 : 1);
    out.tile1 = tile + level + (distant || magnify ? 1 : 2);
  }
  out.tile0 &= 7;
  out.tile1 &= 7;
  return out;
}

}  // namespace pumice::hw::rdp
