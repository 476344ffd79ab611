// SPDX-License-Identifier: MIT
/// The fragment program of a block by the reference interpreter: for programs without native code. args.user is the Worker; the draw has a
/// snapshot of the chip's state.
#pragma once
#include "hw/fast/block.h"

namespace pumice::hw::fast {

void shade_reference(ShadeArgs& args);

}  // namespace pumice::hw::fast
