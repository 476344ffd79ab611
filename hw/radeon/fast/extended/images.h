// SPDX-License-Identifier: MIT
/// Images and texel buffers that a program names in its code, read from their descriptors for one draw or dispatch.
#pragma once
#include <span>
#include <vector>

#include "hw/radeon/decode/us/program.h"
#include "hw/radeon/draw/draw.h"
#include "hw/radeon/jit/x/image.h"

namespace pumice::hw::fast::extended {

struct Images {
  std::vector<ImageKey> keys;  ///< by number of image_uses()
  std::vector<ImageView> views;
};

/// Images that are not native (not backed, too large) get a key that says so: the reference's code executes their slots and reports them.
/// Replaces the contents of `out`. Returns whether its keys changed.
bool read_images(const DrawContext& ctx, const hw::x::Resources& needs, std::span<const ImageUse> uses, Images& out);

}  // namespace pumice::hw::fast::extended
