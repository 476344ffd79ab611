// SPDX-License-Identifier: MIT
#pragma once
#include "icd/physical_device.h"

namespace pumice::icd {

/// The row of r5x in the chip table.
ChipInfo r5x_chip();

}  // namespace pumice::icd
