// SPDX-License-Identifier: MIT
/// Which extended draws are queued, so that the next one of a state that is among them looks at what can differ only.
#pragma once
#include <array>
#include <cstdint>

#include "hw/radeon/fast/draw/surfaces.h"
#include "hw/radeon/fast/extended/plan.h"

namespace pumice::hw::fast {

class QueuedDraws {
 public:
  /// Whether the draw must wait for the queued ones, whose memory `pending` has.
  bool wait(const PendingMemory& pending, const extended::DrawPlan& draw) const;
  /// Adds a draw that does not wait, also to `pending`.
  void add(PendingMemory& pending, const extended::DrawPlan& draw);
  /// What the next draw writes besides.
  void add(PendingMemory& pending, const footprint::TargetUse& target);
  /// `pending` has been cleared, or has got a strict draw.
  void clear() { known_ = {}; }

 private:
  /// The last draw of a state, if it does not conflict with itself. In another one of the same state only what programs and vertices read
  /// can conflict: the targets are the same, and what was queued since does not touch them.
  struct Known {
    extended::PlanVersion version;
    uint64_t writers = 0;  ///< as `writers_`
  };
  std::array<Known, 8>::const_iterator find(const extended::PlanVersion& version) const;

  std::array<Known, 8> known_{};
  uint32_t next_ = 0;
  uint64_t writers_ = 0;  ///< how often something else has been written
};

}  // namespace pumice::hw::fast
