// SPDX-License-Identifier: MIT
/// The pool of vertices and what waits for vertices that are not shaded yet. Private to vertex.cpp.
#pragma once
#include <array>
#include <cstdint>

#include "hw/common/simd/lanes.h"

namespace pumice::hw::fast::extended {

/// kPool vertices, of which the last kPool - kSegment may be found again: what a segment uses stays until its end.
inline constexpr uint32_t kPool = 1024, kSegment = 384, kTags = 2048, kMostPrimitives = 512;
/// The same where none is found again: the pool's first vertices, so that they stay in the first cache; to kUniqueEnd behind vertices that
/// a sink still needs.
inline constexpr uint32_t kUniqueSegment = 192, kUniqueEnd = 2 * kUniqueSegment;

struct Tag {
  uint32_t index = 0, sequence = 0;
};

/// Places in the pool, 16 bits each: three corners, the provoking vertex.
using Places = uint64_t;
constexpr Places places(uint64_t a, uint64_t b, uint64_t c) { return a | b << 16 | c << 32; }
constexpr uint32_t place(Places p, uint32_t corner) { return uint32_t(p >> 16 * corner) & 0xFFFF; }
inline constexpr uint32_t kProvoking = 3;

/// Vertices of which only the flags are known; they lie in consecutive places of the pool.
struct Batch {
  uint32_t sequence, count;
  std::array<uint32_t, kLanes> index, instance;
};

/// A primitive whose vertices are shaded by flush().
struct Waiting {
  Places at;
  uint32_t number;
  uint32_t draw;  ///< PrimitiveInfo
};

}  // namespace pumice::hw::fast::extended
