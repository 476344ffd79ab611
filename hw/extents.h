// SPDX-License-Identifier: MIT
/// How large addresses, targets and screens may be in the model's data structures; what a chip has is in its capabilities (hw/db/chips.xml).
#pragma once
#include <cstdint>

namespace pumice::hw {

/// The largest Capabilities::raster_extent that tile numbers, boxes and pixel arithmetic hold.
inline constexpr int32_t kMaxExtent = 16384;
/// The most address bits: what a process can reserve (Memory).
inline constexpr uint32_t kMaxAddressBits = 46;

}  // namespace pumice::hw
