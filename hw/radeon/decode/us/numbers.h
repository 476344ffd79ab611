// SPDX-License-Identifier: MIT
/// Numbers in extended slots that mean something to every stage (docs/r5x.md s.4, s.5).
#pragma once
#include <cstdint>

namespace pumice::hw::x {

/// Of a descriptor selector, in place of a set: the lowest 4 GiB of memory, without a descriptor.
inline constexpr uint32_t kWholeMemory = 15;
/// Of SYS: the clock.
inline constexpr uint32_t kClock = 49;

}  // namespace pumice::hw::x
