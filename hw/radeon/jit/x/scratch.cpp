// SPDX-License-Identifier: MIT
/// See scratch.h.
#include "hw/radeon/jit/x/scratch.h"

#include <cstring>

namespace pumice::hw::fast::extended {

namespace {
constexpr uint32_t kLine = 64;
/// Lanes whose memory is as large as this are an odd number of cache lines apart: places of 16 lanes that are some 4 KiB apart would share
/// a set of the first-level cache, which has 8 to 12.
constexpr uint32_t kLarge = 256;
}  // namespace

ScratchLayout::ScratchLayout(uint32_t lane_bytes)
    : bytes(lane_bytes), stride(lane_bytes < kLarge ? lane_bytes : ((lane_bytes + kLine - 1) / kLine | 1) * kLine) {}

void Scratch::begin(uint32_t lane_bytes, uint32_t groups) {
  layout_ = ScratchLayout(lane_bytes);
  // Groups that waited at a barrier when their dispatch was stopped have not been cleared.
  rows_.assign(size_t{layout_.group_bytes()} / sizeof(Lanes) * groups, {});
}

void Scratch::clear(const ScratchStores& named, uint32_t group) {
  if (empty()) return;
  std::byte* const memory = first(group);
  if (layout_.bytes < kLarge) {  // at most 4 KiB in one piece: faster than lane by lane
    std::memset(memory, 0, layout_.group_bytes());
    return;
  }
  auto* const reached = reinterpret_cast<uint32_t*>(memory);
  std::byte* lane = memory + ScratchLayout::kLane0;
  for (uint32_t l = 0; l < uint32_t(kLanes); ++l, lane += layout_.stride) {
    std::memset(lane, 0, std::min(reached[l], layout_.bytes));
    if (named.begin < named.end) std::memset(lane + named.begin, 0, named.end - named.begin);
  }
  std::memset(reached, 0, ScratchLayout::kLane0);
}

}  // namespace pumice::hw::fast::extended
