// SPDX-License-Identifier: MIT
/// The load commands: RDRAM to TMEM (docs/reference/rdp.md section 13). The tile already holds the command's coordinates.
#pragma once
#include "hw/rdp/ref/rdram.h"
#include "hw/rdp/ref/state.h"
#include "hw/rdp/ref/tmem.h"

namespace pumice::hw::rdp {

void load_tile(const State& state, const Tile& tile, const Rdram& ram, Tmem& tmem);
void load_block(const State& state, const Tile& tile, const Rdram& ram, Tmem& tmem);
void load_tlut(const State& state, const Tile& tile, const Rdram& ram, Tmem& tmem);

}  // namespace pumice::hw::rdp
