// SPDX-License-Identifier: MIT
/// Blocks that are expensive to decode are decoded by a call from generated code and cached, because neighbouring pixels read the same
/// blocks repeatedly.
#pragma once
#include "hw/common/simd/lanes.h"
#include "hw/db/formats.h"

namespace pumice::hw::fast::extended::format {

/// Arguments and results of the call.
struct alignas(64) BlockTexels {
  Lanes raw[4];  ///< each lane's block, as many dwords as it has
  Lanes place;   ///< in the block: x | y << 8
  Lanes out[4];  ///< as xt::decode_texel
  uint32_t format = 0;
};

/// (BlockTexels*, BlockTexels*). For all compressed formats with blocks of 8 or 16 bytes.
const void* block_decoder();

}  // namespace pumice::hw::fast::extended::format
