// SPDX-License-Identifier: MIT
/// Which parts of ChipState changed since the last look: what keeps derived state between draws (hw/radeon/fast) decodes again only
/// what is in a changed group. A register may be in several groups (group= in hw/db/regs); too many only cost time, too few would be
/// wrong. Registers that only command or count are in none.
#pragma once
#include <cstdint>

#include "hw/db/groups.h"

namespace pumice::hw {

struct Changes : Groups {
  uint8_t groups = kAll;
  uint32_t constants_end = 0;  ///< one past the last US constant written since reset; the others are zero
};

}  // namespace pumice::hw
