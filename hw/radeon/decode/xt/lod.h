// SPDX-License-Identifier: MIT
/// Level of detail of X lookups where it differs from the strict TX (decode/tx/lod.h). docs/r5x.md section 4.1.
#pragma once

namespace pumice::hw::xt {

/// Limit of the sum of biases: maxSamplerLodBias.
inline constexpr float kMostBias = 16.0f;
/// Of the longer squared step before probes are counted: rounding makes the steps of an isotropic lookup differ by some units in the
/// last place, which must not cost a second probe.
inline constexpr float kProbeSlack = 31.0f / 32.0f;

}  // namespace pumice::hw::xt
