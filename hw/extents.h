// SPDX-License-Identifier: MIT
/// How large addresses, targets and screens are: of a chip, and the most that the model's data structures hold (of any chip).
#pragma once
#include <cstdint>

#include "hw/types.h"

namespace pumice::hw {

/// Bits of a GpuAddress: what lies beyond is not backed and faults.
constexpr uint32_t address_bits(Profile profile) {
  switch (profile) {
    case Profile::r300:
    case Profile::r500:
    case Profile::r5x: return 32;
  }
  return 0;
}

/// Pixels of the screen space of SC, both ways; pixels beyond are dropped. 13 bits.
constexpr int32_t screen_extent(Profile profile) {
  switch (profile) {
    case Profile::r300:
    case Profile::r500:
    case Profile::r5x: return 8192;
  }
  return 0;
}

/// The largest screen_extent() that tile numbers, boxes and pixel arithmetic hold.
inline constexpr int32_t kMaxExtent = 16384;
/// The most address bits: what a process can reserve (Memory).
inline constexpr uint32_t kMaxAddressBits = 46;

}  // namespace pumice::hw
