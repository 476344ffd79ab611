// SPDX-License-Identifier: MIT
/// The load commands by whole runs of 64-bit words. They take what games load: texels that keep their size and lie in their own order, from
/// addresses inside RDRAM that are multiples of four; the reference (ref/load.h) has the rest.
#pragma once
#include "hw/rdp/ref/rdram.h"
#include "hw/rdp/ref/state.h"
#include "hw/rdp/ref/tmem.h"

namespace pumice::hw::rdp::fast {

/// As the functions of ref/load.h; false, with nothing loaded, for the reference's cases.
bool load_tile(const State& state, const Tile& tile, const Rdram& ram, Tmem& tmem);
bool load_block(const State& state, const Tile& tile, const Rdram& ram, Tmem& tmem);
bool load_tlut(const State& state, const Tile& tile, const Rdram& ram, Tmem& tmem);

}  // namespace pumice::hw::rdp::fast
