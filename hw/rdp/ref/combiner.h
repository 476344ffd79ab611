// SPDX-License-Identifier: MIT
/// Colour combiner, alpha fix-up and chroma key (docs/reference/rdp.md section 15).
#pragma once
#include "hw/rdp/ref/coverage.h"
#include "hw/rdp/ref/state.h"

namespace pumice::hw::rdp {

/// What the selectors choose from, per pixel; 9 bits each. The constants come from the state.
struct CombineInputs {
  Color combined{}, texel0{}, texel1{}, shade{};
  uint32_t lod_frac = 0;
  int32_t noise = 0;
};

struct Combined {
  std::array<int32_t, 3> key{};  // 17-bit sums of the colour channels, for the chroma key
  std::array<int32_t, 3> sub_a{};
  Color color{};  // 9 bits, wraps
};

Combined combine(const State& state, const CombineCycle& cycle, const CombineInputs& in);

/// What leaves the combiner.
struct CombinedPixel {
  Color color{};  // 8 bits; alpha is the pixel alpha
  int32_t shade_alpha = 0;
};

/// Last cycle only. May lower the coverage count (cvg_times_alpha).
CombinedPixel fix_up(const State& state, const Combined& c, const Color& shade, int32_t alpha_dither, int& coverage);

/// Which inputs a pair of combiner cycles reads; `cycles` is 1 or 2.
struct CombineUse {
  bool texel0 = false, texel1 = false, lod_frac = false;
  void add(const CombineCycle& c);
};

}  // namespace pumice::hw::rdp
