// SPDX-License-Identifier: MIT
/// See parts.h.
#include "hw/radeon/fast/draw/parts.h"

#include <algorithm>

namespace pumice::hw::fast {

namespace {

/// Of a primitive, where most have no record: bounds how many are made between two looks at what was found.
constexpr size_t kFewestBytes = 32;
/// A wave of parts is one batch, of at most so many times the room that was planned: another batch would have to be named in the records
/// that the threads have made.
constexpr size_t kMostRooms = 2;

/// Makes the records of a part.
class RecordSink final : public extended::PartSink {
 public:
  RecordSink(const RecordMaker& maker, Part& part) : maker_(maker), part_(part) {}
  void shape(DrawContext& ctx, const Shape& shape) override;
  bool triangles(DrawContext& ctx, std::span<const raster::Triangle> triangles, const extended::PrimitiveInfo* info) override;
  void release() override {}  // none waits
  void choose_draw(uint32_t) override {}

 private:
  bool lost(DrawContext& ctx) const;
  const RecordMaker& maker_;
  Part& part_;
};

bool RecordSink::lost(DrawContext& ctx) const {
  if (maker_.pool->lost_draw()) ctx.counters.hung = true;
  return ctx.counters.hung;
}

void RecordSink::shape(DrawContext& ctx, const Shape& shape) {
  if (lost(ctx) || x::extended(*shape.provoking).layer >= maker_.plan->pixel->layers) return;
  add_shape(ctx, *maker_.plan, maker_.clipped, shape, part_, [this]() -> const Draw& { return *maker_.draw; });
}

bool RecordSink::triangles(DrawContext& ctx, std::span<const raster::Triangle> triangles, const extended::PrimitiveInfo* info) {
  for (size_t first = 0; first < triangles.size() && !lost(ctx); first += size_t{kLanes}) {
    const size_t count = std::min(size_t{kLanes}, triangles.size() - first);
    set_up_lot(maker_.lots, triangles.subspan(first, count), info + first, [this](uint32_t) {
      return RecordPlace<Part>{&part_, maker_.draw};
    });
  }
  return false;
}

}  // namespace

/// As many as fill the room that the open batch leaves, of which half a batch counts at most.
uint32_t PartRunner::wanted() const {
  const size_t filled = std::min(pool_.open().bytes(), Batch::kBytes / 2);
  return static_cast<uint32_t>(std::max<size_t>((room_ - filled) / bytes_of_primitive_, 1));
}

const Listener& PartRunner::listener(uint64_t number) {
  listener_.on_report = [this, number](const Report& r) { reports_.add(number, r.kind, r.text); };
  return listener_;
}

void PartRunner::run(DrawContext& ctx, uint32_t parts, uint32_t primitives,
                     const std::function<void(uint32_t part, extended::PartSink& sink)>& make) {
  RecordMaker maker = begin_(ctx);
  const std::vector<std::shared_ptr<Part>> taken = take(parts);
  crew_.run(parts, [&](uint32_t i) {
    taken[i]->draw = maker.draw;
    RecordSink sink(maker, *taken[i]);
    make(i, sink);
  });
  size_t bytes = 0, before = maker.batch->bytes();
  for (const auto& part : taken)
    for (size_t next = 0; next < part->entries.size();) {
      if (maker.batch->full() && (next > 0 || maker.batch->bytes() > kMostRooms * room_)) {
        bytes += maker.batch->bytes() - before;
        maker = begin_(ctx);
        before = maker.batch->bytes();
      }
      next = maker.batch->add(part, next, *maker.draw);
    }
  bytes += maker.batch->bytes() - before;
  bytes_of_primitive_ = std::max<size_t>(bytes / primitives, kFewestBytes);
}

std::vector<std::shared_ptr<Part>> PartRunner::take(uint32_t count) {
  std::vector<std::shared_ptr<Part>> taken;
  taken.reserve(count);
  for (const auto& part : all_) {
    if (taken.size() == count) return taken;
    if (part.use_count() == 1) part->clear(), taken.push_back(part);
  }
  while (taken.size() < count) taken.push_back(all_.emplace_back(std::make_shared<Part>()));
  return taken;
}

}  // namespace pumice::hw::fast
