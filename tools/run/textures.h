// SPDX-License-Identifier: MIT
/// The texture that every unit has: 4x4 texels of 8 bits, nearest, repeated (inputs.h).
#pragma once
#include <vector>

#include "compiler/compiler.h"
#include "hw/radeon/draw/draw.h"

namespace pumice::run {

void load_textures(hw::ChipState& state, hw::Memory& memory, const std::vector<compiler::TextureUse>& uses);

}  // namespace pumice::run
