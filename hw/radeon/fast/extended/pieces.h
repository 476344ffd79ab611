// SPDX-License-Identifier: MIT
/// A draw cut into pieces whose primitives can be made apart from each other. Private to vertex.cpp and front_draw.cpp.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "hw/radeon/ref/xv/sequence.h"

namespace pumice::hw::fast::extended {

/// Consecutive primitives of one instance, as a list or strip of its own; a strip begins at an even primitive.
struct Piece {
  std::span<const uint32_t> numbers;  ///< of vertices, less base vertex
  uint32_t instance, number;          ///< number: of the first primitive in the instance
};

/// Hands out the pieces of a draw in order.
class Pieces {
 public:
  /// Lists and strips of triangles without adjacency only.
  static bool can_cut(regs::VAP_VF_CNTL vf, const ChipState& state);
  /// `sequence` was read for the draw and stays as it is.
  Pieces(xv::Sequence& sequence, regs::VAP_VF_CNTL vf, uint32_t instances);

  /// Primitives that have not been handed out.
  uint64_t left() const { return left_; }
  /// Appends pieces of at most `most` (2 or more) primitives in all, one fewer where a strip would begin at an odd primitive.
  void take(uint32_t most, std::vector<Piece>& to);

 private:
  uint32_t primitives(std::span<const uint32_t> run) const;

  const bool strips_;
  std::vector<std::span<const uint32_t>> runs_;  ///< that have primitives
  uint64_t left_ = 0;
  // The next primitive.
  size_t run_ = 0;
  uint32_t instance_ = 0, in_run_ = 0, number_ = 0;
};

}  // namespace pumice::hw::fast::extended
