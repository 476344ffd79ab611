// SPDX-License-Identifier: MIT
/// The RS program of a draw, decoded once: which interpolants exist, where their values come from and which temps they go to
/// (pipeline s.5; hw/radeon/ref/rs reads the same registers per primitive).
#pragma once
#include "hw/radeon/jit/us/block.h"
#include "hw/radeon/regfile/chip_state.h"

namespace pumice::hw::fast::raster {

/// The location of an interpolant in GA's packet: texcoord slot `index`, or channel `channel` of colour pointer `index`.
struct InterpolantSource {
  bool color = false;
  uint8_t index = 0, channel = 0;
  bool operator==(const InterpolantSource&) const = default;
};

struct Routing {
  RsLayout layout;
  std::array<InterpolantSource, kMaxInterpolants> source{};  ///< the first layout.interpolants are valid
  uint64_t linear = 0;  ///< bit n: interpolant n is linear on the screen (generated coordinates), not in space
};

Routing read_routing(const ChipState& state);

}  // namespace pumice::hw::fast::raster
