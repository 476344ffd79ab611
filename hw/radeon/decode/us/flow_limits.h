// SPDX-License-Identifier: MIT
/// How deep flow control nests (us-isa A9, docs/r5x.md s.2.1). The documents of strict chips give no depths of the stacks (UNCONFIRMED);
/// SM3.0 requires 4 of each.
#pragma once
#include <cstdint>

namespace pumice::hw::us {

inline constexpr uint32_t kLoopDepth = 8, kAddressDepth = 8;
/// Branch nesting of the two modes of US_FC_CTRL: the counter is five bits, partial mode counts to 4.
inline constexpr uint32_t kFullNesting = 32, kPartialNesting = 4;

}  // namespace pumice::hw::us

namespace pumice::hw::x {

/// Extended programs: loops and calls, branches.
inline constexpr uint32_t kFlowDepth = 64, kNesting = 255;

}  // namespace pumice::hw::x
