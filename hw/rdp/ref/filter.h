// SPDX-License-Identifier: MIT
/// Texture filter and colour convert: one TEXEL from a tile (docs/reference/rdp.md section 14).
#pragma once
#include "hw/rdp/ref/state.h"
#include "hw/rdp/ref/texcoord.h"
#include "hw/rdp/ref/tmem.h"

namespace pumice::hw::rdp {

/// `second` selects the settings of cycle 1 (bi_lerp_1, convert_one); prev is then TEXEL0 of the same pixel.
/// The result's channels are 9 bits.
Color sample(const State& state, const Tmem& tmem, uint32_t tile, const DividedCoord& coord, bool second, const Color& prev);

}  // namespace pumice::hw::rdp
