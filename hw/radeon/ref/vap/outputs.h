// SPDX-License-Identifier: MIT
/// From PVS outputs (or, with TCL bypass, PSC inputs) to the vertex used by clipping and setup (pvs-isa s.11).
#pragma once
#include "hw/radeon/draw/draw.h"
#include "hw/radeon/ref/vap/pvs_engine.h"

namespace pumice::hw::vap {

/// A vertex before perspective divide. `window` holds the attributes; its x, y, z, inv_w are filled by the VTE.
struct ClipVertex {
  Vec4 position = kDefaultVector;
  WindowVertex window;
};

/// Which register holds which item; -1: the item is absent.
struct OutputMap {
  int8_t point_size = -1;
  std::array<int8_t, kMaxColors> color{-1, -1, -1, -1};
  std::array<int8_t, kMaxTexcoords> tex{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
  std::array<uint8_t, kMaxTexcoords> tex_components{};  ///< components beyond read (0,0,0,1)
};

OutputMap decode_output_map(const ChipState& state);
ClipVertex map_outputs(const OutputMap& map, const std::array<Vec4, kPvsOutputs>& registers);

}  // namespace pumice::hw::vap
