// SPDX-License-Identifier: MIT
/// Colour images as pictures for people: the part of the video interface that is needed to put a frame into a window. 5551 and 8888 become
/// 8-bit channels, scaled by its 10-bit stepping with 5-bit bilinear weights. Its other filters are not modelled.
#pragma once
#include "hw/rdp/rdram.h"
#include "rdp_card_registers.h"

namespace pumice::hw::rdp {

struct ScanOut {
  SCAN_ORIGIN origin;
  SCAN_STRIDE stride;
  SCAN_SIZE size;
  SCAN_DST dst;
  SCAN_DST_PITCH dst_pitch;
  SCAN_DST_SIZE dst_size;
  SCAN_X_SCALE x_scale;
  SCAN_Y_SCALE y_scale;
  SCAN_CNTL control;
};

/// Reads a line before it writes one; where source and destination overlap, later lines see what was written.
void scan_out(Rdram& ram, const ScanOut& s);

}  // namespace pumice::hw::rdp
