// SPDX-License-Identifier: MIT
/// The texture that every unit of a strict chip has (inputs.h, Sampling).
#pragma once
#include <vector>

#include "compiler/compiler.h"
#include "hw/radeon/draw/draw.h"
#include "tools/run/inputs.h"

namespace pumice::run {

void load_textures(hw::ChipState& state, hw::Memory& memory, const std::vector<compiler::TextureUse>& uses, const Sampling& sampling);

/// Its texels, rows `pitch` bytes apart; maps the memory.
void store_texels(hw::Memory& memory, uint64_t base, uint32_t pitch, const Sampling& sampling);

}  // namespace pumice::run
