// SPDX-License-Identifier: MIT
/// Dirty state: which parts of ChipState changed since the bits were cleared. Code that caches derived state between draws
/// (hw/radeon/fast) decodes only the dirty groups again. A register may be in several groups (group= in hw/db/regs); too many only cost
/// time, too few would be wrong. Command and counter registers are in none.
#pragma once
#include <cstdint>

#include "hw/db/groups.h"

namespace pumice::hw {

struct Changes : Groups {
  uint8_t groups = kAll;
  uint32_t constants_end = 0;  ///< one past the last US constant written since reset; the others are zero
};

}  // namespace pumice::hw
