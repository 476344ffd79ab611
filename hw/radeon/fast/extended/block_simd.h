// SPDX-License-Identifier: MIT
/// What drawing a block alone (pixel_block_simd.cpp) and collecting blocks (collect_simd.h) have in common.
#pragma once
#include "hw/common/simd/simd.h"
#include "hw/radeon/fast/extended/pixel_block.h"

namespace pumice::hw::fast::PUMICE_SIMD {

using extended::BlockDraw;
using extended::BlockState;
using extended::GroupArgs;
using extended::PixelArgs;
using extended::Planes;
using extended::Surface;

namespace {

uint32_t ones(uint32_t bits) { return static_cast<uint32_t>(__builtin_popcount(bits)); }

/// `first`: the first pixel of the layer. All rows of a block are read where the last pixel of the block is within the layer.
lane::BufferView view(std::byte* first, const Surface& s, int32_t x, int32_t y, bool whole) {
  const uint64_t at = static_cast<uint64_t>(y) * s.row_pitch + static_cast<uint64_t>(x) * s.pixel_bytes;
  if (whole) return {first + at, s.block_bytes};
  const uint64_t rest = s.layer_bytes - at;
  return {first + at, rest < s.block_bytes ? static_cast<uint32_t>(rest) : s.block_bytes};
}

/// Takes the slots of that many blocks off the budget.
void charge(BlockState& s, uint32_t blocks) {
  GroupArgs& g = s.args.group;
  if (s.group_budget) *s.own = s.group_budget, g.left = s.slice;
  g.left -= s.group_budget ? s.slots : int64_t{s.slots} * blocks;
  g.stop = 0;
  if (g.left < 0) s.refill(s);
}

}  // namespace
}  // namespace pumice::hw::fast::PUMICE_SIMD
