// SPDX-License-Identifier: MIT
/// Rows of a frame as B,G,R,A.
#pragma once
#include <cstring>

#include "winsys/winsys.h"

namespace pumice::winsys {

/// Copies `rows` rows of the frame from row `first` on to `out`, from row to row `out_pitch` bytes; what lies behind a row stays as it is.
inline void copy_rows(const Frame& frame, uint32_t first, uint32_t rows, uint8_t* out, size_t out_pitch) {
  const size_t row = size_t{frame.extent.width} * 4;
  const uint8_t* in = frame.pixels + size_t{first} * frame.pitch_bytes;
  if (!frame.red_first && row == frame.pitch_bytes && row == out_pitch) {
    std::memcpy(out, in, row * rows);
    return;
  }
  for (uint32_t y = 0; y < rows; ++y, in += frame.pitch_bytes, out += out_pitch) {
    std::memcpy(out, in, row);
    if (!frame.red_first) continue;
    for (size_t i = 0; i < row; i += 4) {
      out[i] = in[i + 2];
      out[i + 2] = in[i];
    }
  }
}

}  // namespace pumice::winsys
