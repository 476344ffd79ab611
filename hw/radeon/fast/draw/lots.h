// SPDX-License-Identifier: MIT
/// Plain triangles of extended draws become records in lots of up to 16. Triangles of small draws wait for those of the next ones, as long
/// as these have the same state of the rasterizer: a lot costs about as much as a few triangles one by one.
#pragma once
#include <array>
#include <bit>
#include <span>
#include <utility>

#include "hw/radeon/fast/draw/bins.h"
#include "hw/radeon/fast/draw/pool.h"
#include "hw/radeon/fast/extended/vertex.h"
#include "hw/radeon/fast/raster/triangles.h"

namespace pumice::hw::fast {

/// What of a draw its lots need.
struct LotState {
  const raster::TrianglePlan* plan = nullptr;
  raster::SetupRoutine many = nullptr;  ///< for more than raster::kFew
  uint32_t samples = 1;
  uint32_t layers = 1;  ///< primitives of others are dropped
};

/// `to`: a Batch or a Part.
template <class To>
struct RecordPlace {
  To* to;
  const Draw* draw;
};

/// Of 1 to 16 triangles; `place`(i) says where the record of triangle i goes, and is called for those only that have one.
template <class F>
void set_up_lot(const LotState& s, std::span<const raster::Triangle> triangles, const extended::PrimitiveInfo* info, F place) {
  raster::Lot lot;
  const raster::TrianglePlan& plan = *s.plan;
  const raster::SetupRoutine set_up = triangles.size() > raster::kFew ? s.many : raster::set_up_few;
  const size_t large_bytes = raster::Record::bytes(plan.stride, s.samples, plan.more);
  const size_t small_bytes = raster::Record::small_bytes(plan.stride, true, s.samples, plan.more);
  for (uint32_t alive = set_up(plan.lot, triangles.data(), static_cast<uint32_t>(triangles.size()), lot); alive; alive &= alive - 1) {
    const auto i = static_cast<uint32_t>(std::countr_zero(alive));
    const extended::PrimitiveInfo& of = info[i];
    if (of.layer >= s.layers) continue;
    const bool small = (lot.small >> i & 1) != 0;
    const auto [to, draw] = place(i);
    const size_t bytes = !small ? large_bytes : small_bytes + (lot.larger >> i & 1) * raster::Record::kBlocksBytes;
    auto* record = static_cast<raster::Record*>(to->arena.allocate(bytes));
    record->draw = draw;
    if (!raster::set_up(plan, triangles[i], lot, i, true, false, *record)) {
      to->arena.shrink(record, 0);
      continue;
    }
    raster::Extended& more = record->extended();
    more.layer = of.layer, more.viewport = of.viewport, more.primitive = of.number, more.unused = 0;
    to->add(*record);
  }
}

/// Triangles that wait. Their vertices stay where they are, and the draws in the open batch.
struct HeldTriangles {
  /// A draw of more does not wait: its own lots are full enough.
  static constexpr size_t kMost = 7;
  LotState state;
  uint32_t viewport = 0;  ///< of all
  uint32_t count = 0;
  std::array<raster::Triangle, kLanes> triangle;
  std::array<extended::PrimitiveInfo, kLanes> info;
  std::array<const Draw*, kLanes> draw;

  void add(const raster::Triangle& t, const extended::PrimitiveInfo& of, const Draw& by) {
    triangle[count] = t, info[count] = of, draw[count++] = &by;
  }
  /// Records of all; a batch that is full takes them, too.
  void set_up(Batch& batch) {
    set_up_lot(state, std::span(triangle).first(std::exchange(count, 0)), info.data(), [&](uint32_t i) {
      return RecordPlace<Batch>{&batch, draw[i]};
    });
  }
};

}  // namespace pumice::hw::fast
