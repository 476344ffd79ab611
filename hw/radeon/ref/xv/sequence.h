// SPDX-License-Identifier: MIT
/// The vertex numbers of an extended draw: indices, restart, adjacency (docs/r5x.md s.1). Of hw/radeon/ref/xv and hw/radeon/fast/extended.
#pragma once
#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "hw/radeon/draw/draw.h"

namespace pumice::hw::xv {

class Sequence {
 public:
  /// False: an error was reported, and nothing is to be drawn. `input` must live as long as the numbers are used.
  bool read(DrawContext& ctx, const DrawInput& input);

  /// Calls `f` with the numbers, less base vertex, of each list, strip or fan, which restart separates. They are valid during the call.
  /// Ends when `f` returns false.
  template <class F>
  bool for_each_run(F f) {
    for (size_t begin = 0; begin <= numbers_.size();) {
      const auto rest = numbers_.begin() + ptrdiff_t(begin);
      const auto end = restart_ ? std::find(rest, numbers_.end(), *restart_) : numbers_.end();
      if (!f(without_neighbours(std::span(rest, end)))) return false;
      begin = size_t(end - numbers_.begin()) + 1;
    }
    return true;
  }

  /// Numbers in all, restarts included.
  size_t size() const { return numbers_.size(); }
  /// Those of adjacency included, restarts not.
  uint64_t vertices() const { return numbers_.size() - (restart_ ? size_t(std::count(numbers_.begin(), numbers_.end(), *restart_)) : 0); }

 private:
  std::span<const uint32_t> without_neighbours(std::span<const uint32_t> all);

  uint32_t prim_type_ = 0;
  bool adjacency_ = false;
  std::optional<uint32_t> restart_;
  std::span<const uint32_t> numbers_;
  std::vector<uint32_t> counted_, widened_, drawn_;
};

/// GA_COLOR_CONTROL.PROVOKING_VERTEX as X_RS_CTRL has it: without LAST_PROVOKING the first vertex that a triangle of a fan does not share
/// with all others.
uint32_t provoking(const ChipState& state, regs::VAP_VF_CNTL vf);
/// Whether the stipple of lines begins anew with each strip (X_RS_STIPPLE, GA_LINE_STIPPLE_CONFIG.LINE_RESET).
bool stipples_strips(const ChipState& state);

}  // namespace pumice::hw::xv
