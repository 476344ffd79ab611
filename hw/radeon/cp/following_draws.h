// SPDX-License-Identifier: MIT
/// Draws of a command stream that differ little from the one before them, as applications make them that draw pieces of the same
/// buffers: executors may draw them together.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "hw/db/regs_r500.h"
#include "hw/db/regs_r5x.h"
#include "hw/types.h"

namespace pumice::hw {

struct FollowingDraw {
  regs::VAP_VF_CNTL vf_cntl;
  uint32_t base_vertex = 0;  ///< X_DRAW_BASE_VERTEX
  uint32_t number = 0;       ///< X_DRAW_NUMBER
  GpuAddress indices = 0;
  uint32_t index_dwords = 0;  ///< 0: vertices are counted
  uint32_t at = 0;            ///< dword of the packet that begins the draw
};

/// At a time, so that helpers can begin with the first ones; and vertices of each: larger draws gain nothing.
inline constexpr uint32_t kMostFollowing = 64, kMostFollowingVertices = 96;

namespace following {
constexpr uint32_t header(pm4::Op op, uint32_t payload) {
  return regs::PM4_TYPE3_HEADER{}.TYPE(3).IT_OPCODE(static_cast<uint32_t>(op)).COUNT(payload - 1).raw;
}
inline constexpr uint32_t kCounted = header(pm4::Op::N3D_DRAW_VBUF_2, 1), kIndexed = header(pm4::Op::N3D_DRAW_INDX_2, 1),
                          kIndices = header(pm4::Op::INDX_BUFFER, 3);
constexpr uint32_t write(uint32_t offset, uint32_t count) { return regs::PM4_TYPE0_HEADER{}.BASE_INDEX(offset / 4).COUNT(count - 1).raw; }
inline constexpr uint32_t kBaseVertex = write(regs::r5x::X_DRAW_BASE_VERTEX::offset, 1),
                          kBoth = write(regs::r5x::X_DRAW_BASE_VERTEX::offset, 2), kNumber = write(regs::r5x::X_DRAW_NUMBER::offset, 1);
static_assert(regs::r5x::X_DRAW_NUMBER::offset == regs::r5x::X_DRAW_BASE_VERTEX::offset + 4);
}  // namespace following

/// Whether find_following() may find a draw in front of which this packet header is the first.
inline bool may_follow(uint32_t header) {
  using namespace following;
  return header == kBaseVertex || header == kCounted || header == kIndexed || header == kNumber || header == kBoth;
}

/// Fills `out` with the draws at the beginning of `next` that need no other packets than the one that ends `done` has (N3D_DRAW_VBUF_2, or
/// N3D_DRAW_INDX_2 and INDX_BUFFER of whole dwords) and writes of X_DRAW_BASE_VERTEX and X_DRAW_NUMBER; `base_vertex` and `number`: their
/// values. Returns how many dwords they take.
uint32_t find_following(std::span<const uint32_t> done, std::span<const uint32_t> next, uint32_t base_vertex, uint32_t number,
                        std::vector<FollowingDraw>& out);

}  // namespace pumice::hw
