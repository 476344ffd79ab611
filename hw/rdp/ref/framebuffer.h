// SPDX-License-Identifier: MIT
/// Colour image access and the final coverage (docs/reference/rdp.md sections 4, 16.1 and 19).
#pragma once
#include "hw/rdp/ref/rdram.h"
#include "hw/rdp/ref/state.h"

namespace pumice::hw::rdp {

/// The memory contents of one pixel.
struct MemoryPixel {
  std::array<int32_t, 3> rgb{};
  int coverage = 7;  // 0..7, one less than the samples
};

/// image_read_en = 0 gives coverage 7 and black (UNCONFIRMED: the chip shows leftovers).
MemoryPixel read_pixel(const State& state, const Rdram& ram, int x, int y);
void write_pixel(const State& state, Rdram& ram, int x, int y, const std::array<int32_t, 3>& rgb, int coverage);

/// Coverage to store, by cvg_dest.
int final_coverage(const State& state, bool blend_en, int coverage, int memory_coverage);

/// Number of a pixel of the colour image, counted in pixels from the image's address.
inline uint32_t pixel_index(const Image& image, int x, int y) { return static_cast<uint32_t>(y) * image.width + static_cast<uint32_t>(x); }

}  // namespace pumice::hw::rdp
