// SPDX-License-Identifier: MIT
/// Blocks whose decoding is long are decoded by a call from generated code, each texel once: neighbouring pixels read the same blocks again
/// and again.
#pragma once
#include "hw/common/simd/lanes.h"
#include "hw/db/formats.h"

namespace pumice::hw::fast::extended::format {

/// What generated code hands over and gets back.
struct alignas(64) BlockTexels {
  Lanes raw[4];  ///< each lane's block, dwords that it has
  Lanes place;   ///< in the block: x | y << 8
  Lanes out[4];  ///< as xt::decode_texel
  uint32_t format = 0;
};

/// (BlockTexels*, BlockTexels*). Of all compressed formats of 8 or 16 bytes.
const void* block_decoder();

}  // namespace pumice::hw::fast::extended::format
