// SPDX-License-Identifier: MIT
/// Textures that a program names in its code, read from their descriptors for one draw or dispatch.
#pragma once
#include <span>
#include <vector>

#include "hw/radeon/decode/us/program.h"
#include "hw/radeon/draw/draw.h"
#include "hw/radeon/footprint/rows.h"
#include "hw/radeon/jit/x/texture.h"

namespace pumice::hw::fast::extended {

struct Textures {
  std::vector<TextureKey> keys;  ///< by number of texture_uses()
  std::vector<TextureView> views;
  std::vector<ByteRange> read;  ///< what native lookups read
};

/// Textures that are not native (not backed, too large) keep a key that says so: the reference's code looks them up, and reports them.
Textures read_textures(DrawContext& ctx, const hw::x::Resources& needs, std::span<const TextureUse> uses);

}  // namespace pumice::hw::fast::extended
