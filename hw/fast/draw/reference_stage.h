// SPDX-License-Identifier: MIT
/// A block through the reference pixel blocks, quad by quad. On the chip's thread only: the blocks report.
#pragma once
#include "hw/fast/draw/worker.h"

namespace pumice::hw::fast {

void reference_stage(Worker& w, const raster::Record& record, int32_t x, int32_t y, LaneMask mask);

}  // namespace pumice::hw::fast
