// SPDX-License-Identifier: MIT
/// Callbacks::wide: an operation on numbers of 64 bits (docs/r5x.md s.4.2) that has no code, in all lanes of a group.
#pragma once
#include "hw/radeon/jit/x/args.h"

namespace pumice::hw::fast::extended {

void wide_lanes(GroupArgs* args, GroupArgs*);

}  // namespace pumice::hw::fast::extended
