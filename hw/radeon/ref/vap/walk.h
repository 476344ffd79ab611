// SPDX-License-Identifier: MIT
/// The sequence of vertex numbers of a draw: indices, auto-generated indices, or embedded vertices (cp-pm4 s.5).
#pragma once
#include "hw/radeon/draw/draw.h"

namespace pumice::hw::vap {

/// The number of vertices that the draw specifies.
uint32_t wanted_vertices(const ChipState& state, regs::VAP_VF_CNTL vf);

/// The source of a draw's vertex numbers.
class IndexWalk {
 public:
  /// Reports errors; count() is then 0 or limited by the data.
  IndexWalk(DrawContext& ctx, const DrawInput& input);
  uint32_t count() const { return count_; }
  /// The vertex number of position k < count(). With embedded data it is k itself. With DUAL_INDEX_MODE bits 31:24 are the index of array
  /// 0.
  uint32_t operator[](uint32_t k) const;
  /// The vertex numbers of positions first..first+n-1.
  void numbers(uint32_t first, uint32_t n, uint32_t* out) const;
  /// Whether the vertices are embedded in the draw, in the stream or in vertex state; then the dwords per vertex.
  bool embedded() const {
    return vf_.PRIM_WALK() == regs::VAP_VF_CNTL::PRIM_WALK__VERTICES_IN_STREAM ||
           vf_.PRIM_WALK() == regs::VAP_VF_CNTL::PRIM_WALK__STATE_BASED;
  }
  uint32_t embedded_dwords() const { return embedded_dwords_; }
  bool dual() const {
    return vf_.PRIM_WALK() == regs::VAP_VF_CNTL::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY && vf_.DUAL_INDEX_MODE();
  }

 private:
  const DrawInput& input_;
  regs::VAP_VF_CNTL vf_;
  bool flag_words_;  ///< primitive type 7: a word after each triple
  uint32_t count_ = 0, min_, max_, embedded_dwords_ = 0;
  int32_t offset_ = 0;
};

}  // namespace pumice::hw::vap
