// SPDX-License-Identifier: MIT
/// Level of detail: fraction and tiles (docs/reference/rdp.md section 11).
#pragma once
#include "hw/rdp/ref/texcoord.h"

namespace pumice::hw::rdp {

struct Lod {
  uint32_t fraction = 0;  // 9 bits, LOD_FRAC
  uint32_t tile0 = 0, tile1 = 1;
};

/// Collects coordinate differences and keeps the greatest.
class LodMagnitude {
 public:
  void add(const DividedCoord& current, const DividedCoord& next);
  uint32_t lod() const;
  bool too_far() const { return too_far_; }

 private:
  uint32_t greatest_ = 0;
  bool too_far_ = false;
};

/// `select_tiles` is tex_lod_en; without it only the fraction counts.
Lod level_of_detail(const LodMagnitude& m, const State& state, uint32_t tile, uint32_t max_level);

}  // namespace pumice::hw::rdp
