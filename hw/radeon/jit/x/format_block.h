// SPDX-License-Identifier: MIT
/// Texels of compressed blocks in the lane IR.
#pragma once
#include "hw/radeon/jit/x/format.h"

namespace pumice::hw::fast::extended::format {

/// format::decode() of a compressed format: `raw` is the block, (x, y) the place in it.
Color decode_block(Builder& b, const formats::Info& f, const Raw& raw, Value x, Value y);

}  // namespace pumice::hw::fast::extended::format
