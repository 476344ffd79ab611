// SPDX-License-Identifier: MIT
/// BC6H and BC7 blocks are decoded whole, by a call from generated code: neighbouring pixels read the same blocks again and again.
#pragma once
#include "hw/common/simd/lanes.h"
#include "hw/db/formats.h"

namespace pumice::hw::fast::extended::format {

/// What generated code hands over and gets back.
struct alignas(64) BlockTexels {
  Lanes raw[4];  ///< each lane's block
  Lanes texel;   ///< 0..15, in rows
  Lanes out[4];  ///< as xt::decode_texel
};

/// (BlockTexels*, BlockTexels*). Of BC6H and BC7 formats.
const void* block_decoder(const formats::Info& f);

}  // namespace pumice::hw::fast::extended::format
