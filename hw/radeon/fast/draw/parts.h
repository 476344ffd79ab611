// SPDX-License-Identifier: MIT
/// Parts of a large extended draw whose records several threads make, apart from the open batch, which takes them in order.
#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "hw/common/threads/crew.h"
#include "hw/radeon/fast/draw/lots.h"
#include "hw/radeon/fast/draw/pool.h"
#include "hw/radeon/fast/extended/plan.h"
#include "hw/radeon/fast/extended/vertex.h"

namespace pumice::hw::fast {

/// What of a draw the records of its primitives need, and the batch that takes them. Constant while parts are made.
struct RecordMaker {
  const extended::DrawPlan* plan = nullptr;
  LotState lots;       ///< of viewport 0
  sc::Bounds clipped;  ///< of the pixels that pieces of clipped triangles may touch
  Batch* batch = nullptr;
  const Draw* draw = nullptr;  ///< in the batch
  const Pool* pool = nullptr;  ///< which knows if a draw is lost
};

/// A record for a primitive that comes through ga in `to`, a Batch or a Part; `draw`() is called if it has one.
template <class To, class F>
void add_shape(const DrawContext& ctx, const extended::DrawPlan& plan, const sc::Bounds& bounds, const Shape& shape, To& to, F draw) {
  const x::Vertex& provoking = x::extended(*shape.provoking);
  void* room = to.arena.allocate(raster::kMaxExtendedBytes);
  auto* record = new (room) raster::Record;
  if (!raster::set_up(ctx.state, plan.pixel->inputs(), plan.samples, bounds, shape, *record)) return to.arena.shrink(room, 0);
  to.arena.shrink(room, raster::Record::bytes(record->stride, plan.samples.count, record->more));
  raster::Extended& more = record->extended();
  more.layer = provoking.layer, more.viewport = provoking.viewport, more.primitive = provoking.primitive, more.unused = 0;
  record->draw = &draw();
  to.add(*record);
}

class PartRunner final : public extended::PartThreads {
 public:
  /// `begin`: what comes first, before each run() and when its batch is full.
  PartRunner(Team& team, uint32_t smallest, Pool& pool, ReportQueue& reports, std::function<RecordMaker(DrawContext&)> begin)
      : crew_(team, team.seats()),
        threads_(team.threads()),
        smallest_(smallest),
        room_(Batch::kBytes * std::clamp(team.threads() / kThreadsOfABatch, 1u, kMostBatches)),
        pool_(pool),
        reports_(reports),
        begin_(std::move(begin)) {}

  uint32_t threads() const override { return threads_; }
  uint32_t smallest() const override { return smallest_; }
  uint32_t wanted() const override;
  const Listener& listener(uint64_t number) override;
  void run(DrawContext& ctx, uint32_t parts, uint32_t primitives,
           const std::function<void(uint32_t part, extended::PartSink& sink)>& make) override;

 private:
  /// Records of kBytes keep that many threads busy; for more, a run() makes up to kMostBatches times as much.
  static constexpr uint32_t kThreadsOfABatch = 4, kMostBatches = 4;
  std::vector<std::shared_ptr<Part>> take(uint32_t count);

  Crew crew_;
  const uint32_t threads_, smallest_;
  const size_t room_;  ///< for the records of a run(), in bytes
  Pool& pool_;
  ReportQueue& reports_;
  Listener listener_;
  const std::function<RecordMaker(DrawContext&)> begin_;
  std::vector<std::shared_ptr<Part>> all_;  ///< used again when the batch that keeps them is drawn
  size_t bytes_of_primitive_ = 256;         ///< in a batch, on average, as far as known
};

}  // namespace pumice::hw::fast
