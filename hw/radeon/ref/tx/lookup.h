// SPDX-License-Identifier: MIT
/// A texture lookup with registers already decoded: used by tx::sample for every instruction and by the fast executor for unusual units.
#pragma once
#include "hw/radeon/decode/tx/texture.h"

namespace pumice::hw::tx {

/// ChipState::filter4
using Filter4Kernel = decltype(ChipState::filter4);

/// See tx::sample.
uint8_t lookup(const Memory& memory, const Filter4Kernel& kernel, const Texture& tex, const Request& request, std::array<Vec4, 4>& out,
               Inspector* inspector = nullptr);

}  // namespace pumice::hw::tx
