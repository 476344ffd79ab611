// SPDX-License-Identifier: MIT
/// Scratch memory of the lanes of a group (docs/r5x.md s.4: LDP, STP) as routines lay it out: a row that notes how far the stores of each
/// lane have reached, then the lanes' memory. It is zero where a group begins: arrays are often large and little used, so what has been
/// stored is cleared behind each group.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "hw/common/simd/lanes.h"
#include "hw/radeon/jit/lane/ir.h"

namespace pumice::hw::fast::extended {

/// Bytes of a lane that STP slots store to at offsets that the code names. Others are noted while the routine runs.
struct ScratchStores {
  uint32_t begin = ~0u, end = 0;
  void add(uint32_t at, uint32_t bytes) { begin = std::min(begin, at), end = std::max(end, at + bytes); }
};

struct ScratchLayout {
  uint32_t bytes = 0;   ///< of a lane
  uint32_t stride = 0;  ///< from lane to lane

  ScratchLayout() = default;
  explicit ScratchLayout(uint32_t lane_bytes);
  static constexpr uint32_t kLane0 = sizeof(Lanes);  ///< where the memory of lane 0 begins, behind the row
  uint32_t group_bytes() const { return bytes ? kLane0 + stride * uint32_t(kLanes) : 0; }
};

/// The memory of groups of one worker.
class Scratch {
 public:
  /// Before groups of another program.
  void begin(uint32_t lane_bytes, uint32_t groups = 1);
  bool empty() const { return layout_.bytes == 0; }
  lane::BufferView of(uint32_t group = 0) { return {first(group), layout_.group_bytes()}; }
  /// Zeroes what a group has stored. `named`: of the routine that has run.
  void clear(const ScratchStores& named, uint32_t group = 0);

 private:
  std::byte* first(uint32_t group) { return reinterpret_cast<std::byte*>(rows_.data()) + size_t{group} * layout_.group_bytes(); }
  ScratchLayout layout_;
  std::vector<Lanes> rows_;
};

}  // namespace pumice::hw::fast::extended
