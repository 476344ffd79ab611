// SPDX-License-Identifier: MIT
/// From GA's primitive to a Record: the reference's own setup (hw/radeon/ref/su, hw/radeon/ref/sc), stored for tiles.
#pragma once
#include "hw/radeon/draw/shape.h"
#include "hw/radeon/fast/raster/inputs.h"
#include "hw/radeon/fast/raster/record.h"
#include "hw/radeon/fast/raster/rs_layout.h"
#include "hw/radeon/ref/sc/sc.h"

namespace pumice::hw::fast::raster {

inline constexpr size_t kMaxRecordBytes = Record::bytes(kMaxInterpolants, sc::Samples::kMost);

/// False when the primitive covers nothing. `record` has room for kMaxRecordBytes. Called without FTZ and DAZ.
bool set_up(const ChipState& state, const Routing& routing, const Shape& shape, Record& record);

/// The same for extended draws (hw/radeon/ref/xr), but for Extended::layer and so on. `record` has room for kMaxExtendedBytes.
inline constexpr uint32_t kMaxComponents = 128;  ///< of all varyings
inline constexpr size_t kMaxExtendedBytes = Record::bytes(kMaxComponents + 8, sc::Samples::kMost, Extended::dwords(kMaxComponents));
bool set_up(const ChipState& state, const PixelInputs& inputs, const sc::Samples& samples, const sc::Bounds& bounds, const Shape& shape,
            Record& record);

/// Clip rectangles, screen door, sample positions: what of coverage does not depend on the shape.
struct Stencil {
  uint32_t clip_rule = 0xFFFF;
  std::array<sc::Rectangle, 4> clip{};
  LaneMask door = 0xFFFF;  ///< of all samples
  // Multisampled:
  uint32_t samples = 1;
  LaneMask sample_door[sc::Samples::kMost] = {};
  sc::Samples::Position at[sc::Samples::kMost];
  double x[sc::Samples::kMost], y[sc::Samples::kMost];  ///< from the pixel centre to the samples, in grid steps of plain triangles
};
Stencil read_stencil(const ChipState& state);

}  // namespace pumice::hw::fast::raster
