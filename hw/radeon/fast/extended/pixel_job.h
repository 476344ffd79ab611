// SPDX-License-Identifier: MIT
/// What PixelWorker knows of a draw. Private to hw/radeon/fast/extended.
#pragma once
#include <optional>

#include "hw/radeon/fast/extended/pixel.h"
#include "hw/radeon/fast/extended/pixel_block.h"
#include "hw/radeon/fast/extended/pixel_code.h"
#include "hw/radeon/fast/extended/stage.h"

namespace pumice::hw::fast::extended {

struct DrawJob final : PixelJob {
  PixelKey key;
  std::array<std::optional<PreparedStage>, 2> stage;  ///< [1]: of back facing primitives, where two_sided
  bool two_sided = false;
  PixelConstants constants;
  BlockDraw blocks;
  uint64_t group_budget = 0;
  std::shared_ptr<const ChipState> snapshot;  ///< where slots are executed by the reference's code
};

}  // namespace pumice::hw::fast::extended
