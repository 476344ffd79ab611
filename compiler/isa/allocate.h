// SPDX-License-Identifier: MIT
/// Register allocation shared by both back ends: exact per-lane liveness over a flat instruction list, then greedy placement of
/// virtual registers (1..4 lanes) into the channels of a file of vec4 registers. Values of different virtual registers may share
/// a physical register channel by channel; the lanes of one virtual register stay in one physical register.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "compiler/isa/small.h"
#include "compiler/memory.h"

namespace pumice::compiler::isa {

/// Small, as Point: a compilation touches less memory that the cache does not hold.
struct Lane {
  Lane() = default;
  constexpr Lane(uint32_t r, uint8_t l) : reg(r), lane(l & 3u) {}
  uint32_t reg : 30, lane : 2;
  bool operator==(const Lane&) const = default;
};

/// One instruction as the allocator sees it: all reads happen before all writes.
struct Point {
  Small<Lane, 16> reads;  ///< three operands of three lanes and three of one; three ports of a texture instruction
  Small<Lane, 8> writes;
  Small<uint32_t, 4> next;  ///< indices of the points that may follow
};

struct VirtualRegister {
  uint8_t lanes = 4;
  std::array<uint8_t, 4> channels{15, 15, 15, 15};  ///< per lane: mask of channels it may live in
  bool at_entry = false;                            ///< written before point 0, all four channels (rasterizer, vertex fetch)
};

struct Hint {  ///< better if both lanes share a place (a copy disappears)
  Lane a, b;
};

struct Placement {
  uint32_t reg = 0;
  std::array<uint8_t, 4> channel{0, 1, 2, 3};
};

struct Allocation {
  Vec<Placement> of;  ///< per virtual register; meaningful for those that occur
  uint32_t used = 0;  ///< registers needed; may exceed the file: then the program does not fit
};

/// `spread`: values take turns in the first so many registers where there is room, which leaves a scheduler more freedom; 1 = lowest first.
Allocation allocate(const Vec<VirtualRegister>& registers, const Vec<Point>& points, const Vec<Hint>& hints, uint32_t spread = 1);

}  // namespace pumice::compiler::isa
