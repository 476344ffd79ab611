// SPDX-License-Identifier: MIT
/// Limits of addresses, targets and screens in the model's data structures; a chip's own limits are in its capabilities (hw/db/chips.xml).
#pragma once
#include <cstdint>

namespace pumice::hw {

/// The largest Capabilities::raster_extent and x_extent that tile numbers, boxes and pixel arithmetic hold.
inline constexpr int32_t kMaxExtent = 16384;
/// The maximum number of address bits: the range that a process can reserve (Memory).
inline constexpr uint32_t kMaxAddressBits = 46;

}  // namespace pumice::hw
