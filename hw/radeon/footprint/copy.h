// SPDX-License-Identifier: MIT
/// The memory that the CP and the 2D engine read and write, in rows of linear surfaces.
#pragma once
#include "hw/radeon/footprint/rows.h"

namespace pumice::hw::footprint {

/// A linear surface as the 2D engine addresses it.
struct Linear {
  uint64_t base = 0, pitch = 0;
  uint32_t bytes = 0;  ///< per pixel
};

/// `height` rows of `width` pixels from (x, y) on, each `step` surface rows after the previous one.
constexpr Rows rows(const Linear& s, uint32_t x, uint32_t y, uint32_t width, uint32_t height, uint32_t step = 1) {
  return {s.base + y * s.pitch + uint64_t{x} * s.bytes, uint64_t{width} * s.bytes, step * s.pitch, height};
}

}  // namespace pumice::hw::footprint
