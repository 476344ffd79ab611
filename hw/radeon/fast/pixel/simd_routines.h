// SPDX-License-Identifier: MIT
/// Declarations shared by the SIMD files of this folder.
#pragma once
#include "hw/common/simd/rows.h"
#include "hw/common/simd/simd.h"
#include "hw/radeon/fast/pixel/routines.h"

namespace pumice::hw::fast::PUMICE_SIMD {

output::DepthRoutine depth_routine(const output::State& s);
output::DepthRoutine fast_fill_routine(const output::State& s);
output::FogAlphaRoutine fog_alpha_routine(const output::State& s);
LaneMask sample_mask(const output::State& s, const Lanes (&color)[4], uint32_t sample);
output::Resolving::Row resolve_row(const output::Resolving& r);
output::ColorRoutine color_routine(const output::State& s, const output::Target& t);
output::ColorRoutine color_general(const output::Target& t);

}  // namespace pumice::hw::fast::PUMICE_SIMD
