// SPDX-License-Identifier: MIT
/// See fast_executor.h: strict draws, batches, what is pending.
#include <algorithm>
#include <bit>
#include <cstring>

#include "hw/extents.h"
#include "hw/radeon/draw/extended.h"
#include "hw/radeon/fast/draw/check.h"
#include "hw/radeon/fast/draw/executor.h"
#include "hw/radeon/fast/draw/fast_executor.h"

namespace pumice::hw::fast {

namespace {

/// Bounds how long a `used` list may grow between two finish().
constexpr size_t kMostUsed = 1024;

}  // namespace

void FastExecutor::draw(DrawContext& ctx, const DrawInput& input) {
  if (x::shaders(ctx.state)) return draw_extended(ctx, input);
  settle_held();
  fill_held(ctx);
  filled_.forget();
  planner_.changed(ctx.changes ? ctx.changes->groups : Changes::kAll);
  planner_.forget();
  if (ctx.changes) ctx.changes->groups |= std::exchange(extended_changes_, uint8_t{0});
  if (!derived_.update(ctx)) {  // cannot be tiled
    finish(ctx);
    if (!ctx.counters.hung) execute_draw(ctx, input);
    return;
  }
  const bool alone = !derived_.written().backed || !derived_.sampled().backed;  // faults must be reported with this draw's name
  if (alone || pending_.conflicts(derived_.written(), derived_.sampled()) || reads_pending(ctx, input) ||
      used_outputs_.size() >= kMostUsed || used_units_.size() >= kMostUsed)
    finish(ctx);
  if (ctx.counters.hung) return;
  pending_.add(derived_.written(), derived_.sampled());
  // Draws mostly repeat a few entries.
  const auto recent = used_outputs_.end() - static_cast<std::ptrdiff_t>(std::min<size_t>(used_outputs_.size(), 4));
  if (std::find(recent, used_outputs_.end(), derived_.output()) == used_outputs_.end()) used_outputs_.push_back(derived_.output());
  if (derived_.units() && (used_units_.empty() || used_units_.back() != derived_.units())) used_units_.push_back(derived_.units());
  static_cast<DrawState&>(now_) = derived_.described();
  queued_.clear();
  begin(ctx);
  half_ = {};
  if (!front_) front_.emplace(cpu_, vertex::Front::kNativeAfter, names_);
  if (begin_draw(ctx)) front_->run(ctx, input, derived_.triangles().usable ? this : nullptr, derived_.take_vertex_changed());
  ctx.sink = nullptr;
  if (alone || ctx.counters.hung) finish(ctx);
}

/// Of any draw, with now_ as its state: its shapes come here.
void FastExecutor::begin(DrawContext& ctx) {
  if (pool_.open().resolves.count) next_batch();
  chosen_ = 0;
  budget_ = static_cast<int64_t>(std::min<uint64_t>(ctx.counters.instructions_left, INT64_MAX));
  begin_number(ctx.draw);
  if (pool_.would_offer()) {
    settle_held();
    pool_.offer();
  }
  ctx.sink = this;
}

void FastExecutor::begin_number(uint64_t number) {
  now_.number = number;
  now_.instructions_left.store(budget_, std::memory_order_relaxed);
  now_.reported.store(0, std::memory_order_relaxed);
  copied_ = nullptr;
}

/// Vertex fetch happens now, ahead of the queued draws.
bool FastExecutor::reads_pending(const DrawContext& ctx, const DrawInput& input) const {
  return !pool_.idle() && derived_.fetches_from(pending_, ctx.state, input.vf_cntl);
}

const Draw& FastExecutor::copy_into(Batch& batch) {
  auto* copy = new (batch.arena.allocate(sizeof(Draw))) Draw;
  copy->number = now_.number;
  copy->instructions_left.store((copied_ ? *copied_ : now_).instructions_left.load(std::memory_order_relaxed), std::memory_order_relaxed);
  copy->reported.store(now_.reported.load(std::memory_order_relaxed), std::memory_order_relaxed);
  static_cast<DrawState&>(*copy) = now_;
  if (now_.pixel)
    keep(planner_.now().pixel, batch), copy->bindings = bindings_in(batch), batch.feeds_back |= now_.feeds_back;
  else
    derived_.keep(*copy, batch);
  copied_ = copy;
  copied_to_ = batch.sequence;
  return *copy;
}

void FastExecutor::shape(DrawContext& ctx, const Shape& shape) {
  if (pool_.lost_draw()) {
    ctx.counters.hung = true;  // a hung chip processes no further vertices
    return;
  }
  if (now_.pixel) return extended_shape(ctx, shape);
  Batch& batch = batch_with_room();
  const Draw& draw = draw_in(batch);
  void* room = batch.arena.allocate(raster::kMaxRecordBytes);
  auto* record = new (room) raster::Record;
  if (!raster::set_up(ctx.state, *draw.routing, shape, *record)) return batch.arena.shrink(room, 0);
  batch.arena.shrink(room, raster::Record::bytes(record->stride, draw.samples));
  record->draw = &draw;
  batch.add(*record);
}

void FastExecutor::triangles(DrawContext& ctx, std::span<const raster::Triangle> triangles) {
  const raster::TrianglePlan& plan = derived_.triangles();
  raster::Lot lot;
  Batch* batch = nullptr;
  const Draw* draw = nullptr;
  bool planes = false;
  const size_t large_bytes = raster::Record::bytes(plan.stride, plan.lot.samples);
  size_t small_bytes = 0;
  for (; !triangles.empty(); triangles = triangles.subspan(std::min<size_t>(kLanes, triangles.size()))) {
    if (pool_.lost_draw()) {
      ctx.counters.hung = true;
      return;
    }
    const auto count = static_cast<uint32_t>(std::min<size_t>(kLanes, triangles.size()));
    const raster::SetupRoutine set_up = count > raster::kFew ? set_up_ : raster::set_up_few;
    for (uint32_t alive = set_up(plan.lot, triangles.data(), count, lot); alive; alive &= alive - 1) {
      const auto i = static_cast<uint32_t>(std::countr_zero(alive));
      const bool small = (lot.small >> i & 1) != 0;
      if (!batch || batch->full()) {
        batch = &batch_with_room();
        draw = &draw_in(*batch);
        planes = draw->shade && draw->colors != Colors::per_draw;
        small_bytes = raster::Record::small_bytes(plan.stride, planes, plan.lot.samples);
      }
      // Only the first part if it is small.
      auto* record = static_cast<raster::Record*>(batch->arena.allocate(small ? small_bytes : large_bytes));
      record->draw = draw;
      if (!raster::set_up(plan, triangles[i], lot, i, planes, draw->colors == Colors::per_shape, *record)) {
        batch->arena.shrink(record, 0);
        continue;
      }
      if (const bool may_be_half = draw->colors == Colors::per_draw && !small; may_be_half || half_.record) {
        const raster::HalfRectangle half = may_be_half ? raster::half_rectangle(plan, lot, i, *record) : raster::HalfRectangle{};
        if (half.completes(half_)) {
          half_.record->edges = 0;  // the box is the rectangle
          half_.record->boxed = true;
          half_ = {};
          batch->arena.shrink(record, 0);
          continue;
        }
        half_ = half;
      }
      batch->add(*record);
    }
  }
}

Batch& FastExecutor::next_batch() {
  settle_held();
  now_.instructions_left.store((copied_ ? *copied_ : now_).instructions_left.load(std::memory_order_relaxed), std::memory_order_relaxed);
  pool_.submit();
  copied_ = nullptr;
  half_ = {};
  return pool_.open();
}

void FastExecutor::finish(DrawContext& ctx) {
  drain(ctx);
  if (!ctx.counters.hung) fill_held(ctx);
}

bool FastExecutor::fill(DrawContext& ctx, const FillInput& input) {
  planner_.forget();  // of bindings that do not change descriptors are not looked at again
  if (!fill_now || !HeldFills::can_hold(input)) {
    finish(ctx);  // as the caller is about to; what was held back is filled before the range is forgotten
    filled_.forget(range_of(input));
    return false;
  }
  const auto now = fill_behind(ctx);
  fills_.make_room(input, now);
  bool behind = pending_.touches(range_of(input));
  if (behind) {
    footprint::TargetUse rows;
    rows.base = input.address, rows.row = input.row_bytes, rows.rows = input.rows, rows.range = range_of(input);
    rows.pitch = static_cast<uint32_t>(input.pitch);
    const bool only_drawn_to = pending_.only_drawn_to(rows);
    if (input.unstored) {
      for (const bool depth : {false, true})
        if (only_drawn_to && pending_.only_targets(depth ? footprint::What::depth : footprint::What::color, rows.range))
          pool_.open().ends_unstored(input, depth);
    } else if (!only_drawn_to) {
      drain(ctx);
      behind = false;
    }
  }
  if (!ctx.counters.hung && !input.unstored) fills_.add(input, behind, now);
  return true;
}

bool FastExecutor::resolve(DrawContext& ctx, const ResolveInput& in) {
  if (in.width > kMaxExtent || in.height > kMaxExtent || in.source_pitch < in.row_bytes()) return false;
  planner_.forget();  // as in fill()
  const footprint::TargetUse source = source_use(in), destination = destination_use(in);
  if (fills_.overlaps(source.range)) fill_held(ctx);  // nothing has been drawn there since
  fills_.make_room({.address = in.destination, .row_bytes = in.row_bytes(), .pitch = in.pitch, .rows = in.height}, fill_behind(ctx));
  if (pending_.conflicts(destination) || pending_.conflicts(source) || pool_.open().resolves.count == Resolves::kMost) drain(ctx);
  if (ctx.counters.hung) return true;
  queued_.add(pending_, source);
  queued_.add(pending_, destination);
  settle_held();
  Resolves& resolves = pool_.open().resolves;
  resolves.resolve[resolves.count++] = {.input = in};
  return true;
}

/// Everything queued is in memory, but not the fills that are held back.
void FastExecutor::drain(DrawContext& ctx) {
  settle_held();
  planner_.forget();
  if (!pool_.idle()) pool_.drain();
  filled_.settle();
  ctx.counters.zpass += static_cast<uint32_t>(pool_.take_zpass());
  ctx.counters.counts.fragment_invocations += pool_.take_runs();
  if (pool_.lost_draw()) {
    ctx.counters.hung = true;
    filled_.forget();
  }
  Listener config;
  config.on_report = [&](const Report& r) { reports_.add(ctx.draw, r.kind, r.text); };
  for (const auto& state : used_outputs_) {
    DrawCounters counters;
    output::take_reports(*state, DrawContext{ctx.state, memory_, counters, config});
  }
  for (const auto& units : used_units_) {
    DrawCounters counters;
    DrawContext silent{ctx.state, memory_, counters, config};
    Derived::take_unit_reports(units.get(), silent);
  }
  used_outputs_.clear();
  used_units_.clear();
  pending_.clear();
  queued_.clear();
  fills_.settle();
}

void FastExecutor::abandon() {
  held_.count = 0;
  planner_.forget();
  pool_.interrupt();
  pool_.drain();
  pool_.resume();
  pool_.take_zpass(), pool_.take_runs();
  reports_.take();
  used_outputs_.clear();
  used_units_.clear();
  fills_.drop_all();
  filled_.forget();
  pending_.clear();
  queued_.clear();
}

std::unique_ptr<DrawExecutor> make_executor(const GpuConfig& config, Memory& memory, Team& team) {
  if (config.executor == ExecutorKind::check) {
    GpuConfig fast = config;
    fast.executor = ExecutorKind::fast;
    return std::make_unique<CheckExecutor>(memory, choose_cpu(config.cpu), std::make_unique<FastExecutor>(fast, memory, team));
  }
  return std::make_unique<FastExecutor>(config, memory, team);
}

}  // namespace pumice::hw::fast
