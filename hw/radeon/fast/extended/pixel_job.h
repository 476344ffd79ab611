// SPDX-License-Identifier: MIT
/// What PixelWorker knows of a draw. Private to hw/radeon/fast/extended.
#pragma once
#include <optional>

#include "hw/radeon/fast/extended/pixel.h"
#include "hw/radeon/fast/extended/pixel_code.h"
#include "hw/radeon/fast/extended/stage.h"

namespace pumice::hw::fast::extended {

/// A target in memory, from the first layer that is drawn to.
struct Surface {
  uint64_t base = 0, layer_pitch = 0, layer_bytes = 0;
  uint32_t layers = 0;     ///< that are known to be backed
  uint32_t row_pitch = 0;  ///< bytes from a row of pixels to the next
  uint32_t pixel_bytes = 0;
  uint32_t block_bytes = 0;  ///< of four rows
};

struct DrawJob final : PixelJob {
  PixelKey key;
  std::array<std::optional<PreparedStage>, 2> stage;  ///< [1]: of back facing primitives, where two_sided
  bool two_sided = false;
  PixelConstants constants;
  Surface depth;
  uint32_t colors = 0;
  std::array<Surface, kColorTargets> color;
  std::array<uint32_t, kColorTargets> color_number{};  ///< its number among the targets
  struct Face {
    uint32_t reference = 0, compare = 0, write = 0;
  };
  std::array<Face, 2> face;
  struct Range {
    float low = 0, high = 1;
  };
  std::array<Range, 16> z_range;  ///< by viewport
  bool counts_covered = false;    ///< every covered sample passes
  bool counts_bits = false;       ///< PixelArgs::passed_bits
  bool uses_w = false;            ///< 1/w and planes
  uint64_t group_budget = 0;
  std::shared_ptr<const ChipState> snapshot;  ///< where slots are executed by the reference's code
};

}  // namespace pumice::hw::fast::extended
