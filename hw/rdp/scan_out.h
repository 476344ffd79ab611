// SPDX-License-Identifier: MIT
/// Conversion of colour images for display: the part of the video interface that is needed to show a frame in a window. 5551 and 8888
/// become 8-bit channels, scaled by its 10-bit stepping with 5-bit bilinear weights. Its other filters are not modelled.
#pragma once
#include <array>
#include <functional>
#include <vector>

#include "hw/db/rdp_card_registers.h"
#include "hw/rdp/ref/rdram.h"

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

/// Four bytes per pixel, in any channel order.
using ScanLine = std::vector<std::array<uint8_t, 4>>;

struct ScanShape {
  uint32_t width = 0, height = 0;          // of the picture
  uint32_t out_width = 0, out_height = 0;  // of what it becomes
  uint32_t x_step = 1024, y_step = 1024;   // in 1/1024 pixel
  bool bilinear = false;
};

/// The scaler: `read` fills a line of the picture, `put` takes the scaled ones from the top and returns whether it needs more.
void scan_lines(const ScanShape& shape, const std::function<void(uint32_t y, ScanLine&)>& read,
                const std::function<bool(uint32_t y, const ScanLine&)>& put);

/// Reads a line before it writes one; where source and destination overlap, later lines see what was written.
void scan_out(Rdram& ram, const ScanOut& s);

}  // namespace pumice::hw::rdp
