// SPDX-License-Identifier: MIT
/// Part of the facade of the chip (gpu.h): statistics about how the model executed work, for tests and measurements. No
/// result depends on it.
#pragma once
#include <cstdint>

namespace pumice::hw {

class Gpu;

struct Statistics {
  uint64_t stretched_pixels = 0;  ///< drawn by rows instead of blocks (hw/radeon/fast/blit), since the chip was made
};
/// Any thread; complete for what is finished.
Statistics statistics(Gpu& gpu);

}  // namespace pumice::hw
