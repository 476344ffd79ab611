// SPDX-License-Identifier: MIT
/// Reference against SIMD on a random list.
#pragma once
#include <cstdint>
#include <string>

namespace pumice::hw::rdp {

/// Empty if the reference, the SIMD path, and the SIMD path with threads leave the same bytes and hidden bits.
std::string differential(uint64_t seed, bool damage);

}  // namespace pumice::hw::rdp
