// SPDX-License-Identifier: MIT
/// See queued.h.
#include "hw/radeon/fast/draw/queued.h"

#include <algorithm>

namespace pumice::hw::fast {

std::array<QueuedDraws::Known, 8>::const_iterator QueuedDraws::find(const extended::PlanVersion& version) const {
  return std::find_if(known_.begin(), known_.end(), [&](const Known& k) { return k.version.state == version.state; });
}

bool QueuedDraws::wait(const PendingMemory& pending, const extended::DrawPlan& draw) const {
  const extended::PlanVersion& now = draw.version;
  const auto known = find(now);
  if (known == known_.end()) return pending.conflicts(draw.footprint);
  // What fragments read is in `pending`, so that nothing was queued since that writes it; what vertices read is not.
  const bool more = known->writers != writers_;
  const auto before = known->version;
  return (before.fragment != now.fragment && pending.writes(draw.footprint.read)) ||
         ((more || before.vertex != now.vertex) && pending.writes(draw.footprint.read_early)) ||
         ((more || before.buffers != now.buffers) && pending.writes(draw.footprint.buffers));
}

void QueuedDraws::add(PendingMemory& pending, const extended::DrawPlan& draw) {
  const auto known = known_.begin() + (find(draw.version) - known_.begin());
  if (known != known_.end()) {
    if (known->version.fragment != draw.version.fragment) pending.add_reads(draw.footprint);
  } else {
    pending.add(draw.footprint);
    ++writers_;
    if (pending.conflicts(draw.footprint)) return;  // the next draw must wait for this one
  }
  (known != known_.end() ? *known : known_[next_++ % known_.size()]) = {draw.version, writers_};
}

void QueuedDraws::add(PendingMemory& pending, const footprint::TargetUse& target) {
  pending.add(target);
  ++writers_;
}

}  // namespace pumice::hw::fast
