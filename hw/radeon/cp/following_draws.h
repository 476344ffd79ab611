// SPDX-License-Identifier: MIT
/// Draws of a command stream that differ little from the one before them, as applications make them that draw pieces of the same
/// buffers: executors may draw them together.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hw/db/regs_r500.h"
#include "hw/db/regs_r5x.h"
#include "hw/radeon/regfile/chip_state.h"
#include "hw/radeon/regfile/register_value.h"
#include "hw/types.h"

namespace pumice::hw {

struct FollowingDraw {
  regs::VAP_VF_CNTL vf_cntl;
  uint32_t base_vertex = 0;  ///< X_DRAW_BASE_VERTEX
  uint32_t number = 0;       ///< X_DRAW_NUMBER
  uint32_t moved = 0;        ///< vertices: MovedBuffers
  GpuAddress indices = 0;
  uint32_t index_dwords = 0;  ///< 0: vertices are counted
  uint32_t at = 0, end = 0;   ///< dwords of the packet that begins the draw, and behind the draw
  uint32_t bindings = 0;      ///< how many of FollowingDraws::bindings are written in front of it
};

struct FollowingDraws {
  std::vector<FollowingDraw> draws;
  std::vector<RegisterValue> bindings;  ///< of the draws in turn
  void clear() { draws.clear(), bindings.clear(); }
};

/// At a time, so that helpers can begin with the first ones; and vertices of each: larger draws gain nothing.
inline constexpr uint32_t kMostFollowing = 64, kMostFollowingVertices = 96;

/// Vertex buffers that begin further on in front of a later draw and still end at the same byte, as applications bind pieces of a buffer:
/// vertex i of them is vertex i + n of what was bound before.
class MovedBuffers {
 public:
  /// `state`: of the draw in front.
  explicit MovedBuffers(const ChipState& state) : state_(state) {}
  /// False: the write of registers from `offset` on changes more than places of a few vertex buffers.
  bool write(uint32_t offset, std::span<const uint32_t> values);
  /// By how many whole vertices all that were written have moved; nothing: not all alike, not forward, or not with the same end.
  std::optional<uint32_t> distance() const;
  /// What was written belongs to a draw, `distance` from the first one. False: a buffer that was not written before stayed while others had
  /// moved.
  bool keep(uint32_t distance);
  /// Of buffers that moved, before keep(); 0: none did.
  uint32_t kept_mask() const;
  /// f(offset, value) for registers that were written before keep().
  template <class F>
  void each_kept(F f) const {
    for (uint32_t i = 0; i < kept_; ++i)
      for (uint32_t k = 0; k < kWords; ++k) f(regs::r5x::X_VTX_BUFFER_LO::at(buffers_[i].number) + 4 * k, buffers_[i].kept[k]);
  }

 private:
  static constexpr uint32_t kMost = 8, kWords = 3;  ///< address, size
  struct Buffer {
    uint32_t number;
    std::array<uint32_t, kWords> before, now, kept;
  };
  const ChipState& state_;
  std::array<Buffer, kMost> buffers_;
  uint32_t count_ = 0, kept_ = 0;
  bool has_moved_ = false;
};

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
/// A write of registers first <= x < behind alone, one after the other.
inline bool writes_only(uint32_t header, uint32_t first, uint32_t behind) {
  const regs::PM4_TYPE0_HEADER h{header};
  return h.TYPE() == 0 && !h.ONE_REG_WR() && h.BASE_INDEX() >= first / 4 && h.BASE_INDEX() + h.COUNT() < behind / 4;
}
/// Of vertex buffers.
inline bool writes_vertex_buffers(uint32_t header) {
  using Lo = regs::r5x::X_VTX_BUFFER_LO;
  return writes_only(header, Lo::offset, Lo::offset + 16 * Lo::count);
}
/// Of descriptor sets and push constants.
inline bool writes_bindings(uint32_t header) {
  using Lo = regs::r5x::X_GFX_SET_LO;
  static_assert(Lo::offset + 8 * Lo::count == regs::r5x::X_GFX_PUSH_LO::offset);
  return writes_only(header, Lo::offset, regs::r5x::X_GFX_PUSH_SIZE::offset + 4);
}
}  // namespace following

/// Whether find_following() may find a draw in front of which this packet header is the first.
inline bool may_follow(uint32_t header) {
  using namespace following;
  return header == kBaseVertex || header == kCounted || header == kIndexed || header == kNumber || header == kBoth ||
         writes_vertex_buffers(header) || writes_bindings(header);
}

/// Fills `out` with the draws at the beginning of `next` that need no other packets than the one that ends `done` has (N3D_DRAW_VBUF_2, or
/// N3D_DRAW_INDX_2 and INDX_BUFFER of whole dwords) and writes of X_DRAW_BASE_VERTEX and X_DRAW_NUMBER, of what `moved` tells, or of
/// bindings; not both of these. `state`: of the draw in front. Returns how many dwords they take.
uint32_t find_following(std::span<const uint32_t> done, std::span<const uint32_t> next, const ChipState& state, MovedBuffers& moved,
                        FollowingDraws& out);

}  // namespace pumice::hw
