// SPDX-License-Identifier: MIT
/// A random scene as packets, from a number: registers of raster, texture, depth, stencil, fog and blending at random, and primitives with
/// every kind of coordinate.
#pragma once
#include "tests/hw/chip/chip.h"

namespace pumice::hw::test {

/// Memory of a case, at the same addresses in every chip.
struct Arena {
  static constexpr uint32_t kColors = 4;
  static constexpr size_t kDwords = 0x10000;  ///< a surface; the largest case uses less
  std::array<uint32_t, kColors> color{};
  uint32_t depth = 0, texture = 0, results = 0;
  explicit Arena(Chip& chip);
  /// What a draw may read or write, as seeded noise.
  void fill(Chip& chip, uint32_t seed) const;
};

Packets random_case(uint32_t seed, const Arena& arena);

}  // namespace pumice::hw::test
