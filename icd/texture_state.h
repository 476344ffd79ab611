// SPDX-License-Identifier: MIT
/// Facts of the textures bound now that the program must know (compiler.h, TextureFacts).
#pragma once
#include "icd/gfx_state.h"

namespace pumice::icd {

compiler::TextureFacts texture_facts(const GfxState& g, const compiler::TextureUse& use);

}  // namespace pumice::icd
