// SPDX-License-Identifier: MIT
/// What the SIMD files of this folder give each other.
#pragma once
#include "hw/fast/output/routines.h"
#include "hw/fast/simd/simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {

output::DepthRoutine depth_routine(const output::State& s);
output::DepthRoutine fast_fill_routine(const output::State& s);
output::FogAlphaRoutine fog_alpha_routine(const output::State& s);
LaneMask sample_mask(const output::State& s, const Lanes (&color)[4], uint32_t sample);
output::Resolving::Row resolve_row(const output::Resolving& r);
output::ColorRoutine color_routine(const output::State& s, const output::Target& t);
output::ColorRoutine color_general(const output::Target& t);
void fill_row(std::byte* to, const uint32_t* bits, uint32_t bytes, size_t count);
void merge_row(std::byte* to, uint32_t keep, uint32_t value, size_t count);

}  // namespace pumice::hw::fast::PUMICE_SIMD
