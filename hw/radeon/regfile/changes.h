// SPDX-License-Identifier: MIT
/// Which parts of ChipState changed since somebody asked: whoever keeps derived state between draws (hw/radeon/fast) decodes again only
/// what is in a changed group. A register may be in several groups; too many only cost time, too few would be wrong.
#pragma once
#include <cstdint>

namespace pumice::hw {

struct Changes {
  static constexpr uint8_t kRaster = 1;     ///< GA, SU, SC, RS and the vertex format: everything between a window vertex and a block
  static constexpr uint8_t kShader = 2;     ///< US program and its registers
  static constexpr uint8_t kConstants = 4;  ///< US constants, float and flow control
  static constexpr uint8_t kTexture = 8;
  static constexpr uint8_t kOutput = 16;           ///< FG, ZB, RB3D, US_OUT_FMT, scissor
  static constexpr uint8_t kVertex = 32;           ///< VAP and its code
  static constexpr uint8_t kVertexConstants = 64;  ///< the rest of the PVS memory: constants and clip planes
  static constexpr uint8_t kAll = 127;

  uint8_t groups = kAll;
  uint32_t constants_end = 0;  ///< one past the last US constant written since reset; the others are zero

  /// The groups of the register at a byte offset.
  static uint8_t of(uint32_t offset);
};

}  // namespace pumice::hw
