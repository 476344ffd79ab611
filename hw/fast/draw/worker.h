// SPDX-License-Identifier: MIT
/// What a thread that draws has of its own, and the routines that run a tile's shapes through the pixel pipe (tile_simd.cpp).
#pragma once
#include "hw/fast/block.h"
#include "hw/fast/draw/bins.h"
#include "hw/fast/draw/draw.h"
#include "hw/fast/simd/cpu.h"

namespace pumice::hw::fast {

struct alignas(64) Worker {
  ShadeArgs args;
  Lanes z;  ///< of the block, 0..1
  Lanes offset_z, offset_w;
  Lanes offset[kMaxInterpolants];
  const Draw* draw = nullptr;  ///< whose routines and constants `args` holds
  uint64_t zpass = 0;          ///< since the worker was asked last
};

/// All shapes of a tile in order. Called with FTZ and DAZ set.
using TileRoutine = void (*)(Worker& worker, const Bin& bin, int32_t tile_x, int32_t tile_y);

TileRoutine tile_routine(Cpu cpu);

}  // namespace pumice::hw::fast
