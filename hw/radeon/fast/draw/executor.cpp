// SPDX-License-Identifier: MIT
/// See executor.h. Per draw: derive dirty state, wait for dependencies, put the primitives into the open batch (vap -> ga ->
/// shape()). Draws that tiles cannot reproduce run on the reference blocks, after everything queued.
#include "hw/radeon/fast/draw/executor.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "common/processors.h"
#include "hw/radeon/draw/extended.h"
#include "hw/radeon/fast/draw/check.h"
#include "hw/radeon/fast/draw/derived.h"
#include "hw/radeon/fast/draw/pool.h"
#include "hw/radeon/fast/draw/surfaces.h"
#include "hw/radeon/fast/extended/dispatch.h"
#include "hw/radeon/fast/extended/runner.h"
#include "hw/radeon/fast/extended/vertex.h"
#include "hw/radeon/fast/raster/half_rectangle.h"
#include "hw/radeon/fast/vertex/vertex.h"

namespace pumice::hw::fast {

namespace {

/// The configured CPU is available() here: Gpu::create and Player::create reject others.
Cpu choose_cpu(CpuChoice choice) {
  switch (choice) {
    case CpuChoice::portable: return Cpu::portable;
    case CpuChoice::avx2: return Cpu::avx2;
    case CpuChoice::avx512: return Cpu::avx512;
    case CpuChoice::best: break;
  }
  return best_cpu();
}

/// Bounds how long a `used` list may grow between two finish().
constexpr size_t kMostUsed = 1024;

class FastExecutor final : public DrawExecutor, private ShapeSink, private raster::TriangleSink {
 public:
  FastExecutor(const GpuConfig& config, Memory& memory, Team& team)
      : memory_(memory),
        derived_(memory, choose_cpu(config.cpu), {config.names_for_perf, config.names_for_gdb}),
        cpu_(choose_cpu(config.cpu)),
        names_{config.names_for_perf, config.names_for_gdb},
        set_up_(raster::setup_routine(choose_cpu(config.cpu))),
        pool_(team, choose_cpu(config.cpu), memory, reports_),
        dispatcher_(memory, team, cpu_, names_),
        runner_(dispatcher_.routines()),
        extended_front_(cpu_, dispatcher_.routines()) {}

  void draw(DrawContext& ctx, const DrawInput& input) override;
  void dispatch(DrawContext& ctx, const DispatchInput& input) override {
    finish(ctx);
    if (!ctx.counters.hung && !dispatcher_.run(ctx, input)) execute_dispatch(ctx, input);
  }
  void finish(DrawContext& ctx) override;
  void abandon() override;
  void interrupt() override { pool_.interrupt(); }
  bool writes(GpuAddress address, uint64_t size) const override { return pending_.writes({address, address + size}); }
  RamRange in_use(OnChipRam which) const override { return pending_.in_use(which); }
  uint64_t lost_draw() const override { return pool_.lost_draw(); }
  uint64_t stretched_pixels() const override { return pool_.stretched(); }
  std::vector<DrawReport> take_reports() override { return reports_.take(); }

 private:
  void shape(DrawContext& ctx, const Shape& shape) override;
  void triangles(DrawContext& ctx, std::span<const raster::Triangle> triangles) override;
  Batch& batch_with_room();
  bool reads_pending(const DrawContext& ctx, const DrawInput& input) const;
  const Draw& draw_in(Batch& batch);

  Memory& memory_;
  ReportQueue reports_;
  Derived derived_;
  const Cpu cpu_;
  const CodeNames names_;
  std::optional<vertex::Front> front_;  ///< created by the first draw
  const raster::SetupRoutine set_up_;
  Pool pool_;
  extended::Dispatcher dispatcher_;
  extended::Runner runner_;
  extended::VertexFront extended_front_;
  PendingMemory pending_;
  Draw now_;                      ///< the current draw; tiles use copies of it
  const Draw* copied_ = nullptr;  ///< now_ in the batch `copied_to_`
  uint64_t copied_to_ = 0;
  raster::HalfRectangle half_;  ///< the last triangle, if the next may complete a rectangle; in the open batch
  // Since the last finish(): they may have pending reports.
  std::vector<std::shared_ptr<const output::State>> used_outputs_;
  std::vector<std::shared_ptr<const void>> used_units_;
};

void FastExecutor::draw(DrawContext& ctx, const DrawInput& input) {
  if (x::shaders(ctx.state)) {
    finish(ctx);
    if (ctx.counters.hung) return;
    const extended::Runner::Draw native(runner_, ctx);
    if (begin_draw(ctx)) extended_front_.run(ctx, input);
    return;
  }
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
  now_.number = ctx.draw;
  now_.instructions_left.store(static_cast<int64_t>(std::min<uint64_t>(ctx.counters.instructions_left, INT64_MAX)),
                               std::memory_order_relaxed);
  now_.reported.store(0, std::memory_order_relaxed);
  static_cast<DrawState&>(now_) = derived_.described();
  pool_.offer();
  copied_ = nullptr;
  half_ = {};
  ctx.sink = this;
  if (!front_) front_.emplace(cpu_, vertex::Front::kNativeAfter, names_);
  if (begin_draw(ctx)) front_->run(ctx, input, derived_.triangles().usable ? this : nullptr, derived_.take_vertex_changed());
  ctx.sink = nullptr;
  if (alone || ctx.counters.hung) finish(ctx);
}

/// Vertex fetch happens now, ahead of the queued draws.
bool FastExecutor::reads_pending(const DrawContext& ctx, const DrawInput& input) const {
  return !pool_.idle() && derived_.fetches_from(pending_, ctx.state, input.vf_cntl);
}

/// The copy of now_ for tiles of `batch`.
const Draw& FastExecutor::draw_in(Batch& batch) {
  if (copied_ && copied_to_ == batch.sequence) return *copied_;
  auto* copy = new (batch.arena.allocate(sizeof(Draw))) Draw;
  copy->number = now_.number;
  copy->instructions_left.store((copied_ ? *copied_ : now_).instructions_left.load(std::memory_order_relaxed), std::memory_order_relaxed);
  copy->reported.store(now_.reported.load(std::memory_order_relaxed), std::memory_order_relaxed);
  static_cast<DrawState&>(*copy) = derived_.described();
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
      Batch& batch = batch_with_room();
      const Draw& draw = draw_in(batch);
      const bool planes = draw.shade && draw.colors != Colors::per_draw;
      const size_t bytes =
          small ? raster::Record::small_bytes(plan.stride, planes, plan.lot.samples) : raster::Record::bytes(plan.stride, plan.lot.samples);
      auto* record = static_cast<raster::Record*>(batch.arena.allocate(bytes));  // only the first part if it is small
      record->draw = &draw;
      if (!raster::set_up(plan, triangles[i], lot, i, planes, draw.colors == Colors::per_shape, *record)) {
        batch.arena.shrink(record, 0);
        continue;
      }
      const raster::HalfRectangle half =
          draw.colors == Colors::per_draw && !small ? raster::half_rectangle(plan, lot, i, *record) : raster::HalfRectangle{};
      if (half.completes(half_)) {
        half_.record->edges = 0;  // the box is the rectangle
        half_.record->boxed = true;
        half_ = {};
        batch.arena.shrink(record, 0);
        continue;
      }
      half_ = half;
      batch.add(*record);
    }
  }
}

/// The open batch; a new one if it is full.
Batch& FastExecutor::batch_with_room() {
  if (pool_.open().full()) {
    now_.instructions_left.store((copied_ ? *copied_ : now_).instructions_left.load(std::memory_order_relaxed), std::memory_order_relaxed);
    pool_.submit();
    copied_ = nullptr;
    half_ = {};
  }
  return pool_.open();
}

void FastExecutor::finish(DrawContext& ctx) {
  if (!pool_.idle()) pool_.drain();
  ctx.counters.zpass += static_cast<uint32_t>(pool_.take_zpass());
  if (pool_.lost_draw()) ctx.counters.hung = true;
  GpuConfig config;
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
}

void FastExecutor::abandon() {
  pool_.interrupt();
  pool_.drain();
  pool_.resume();
  pool_.take_zpass();
  reports_.take();
  used_outputs_.clear();
  used_units_.clear();
  pending_.clear();
}

}  // namespace

std::unique_ptr<DrawExecutor> make_executor(const GpuConfig& config, Memory& memory, Team& team) {
  if (config.executor == ExecutorKind::check) {
    GpuConfig fast = config;
    fast.executor = ExecutorKind::fast;
    return std::make_unique<CheckExecutor>(memory, choose_cpu(config.cpu), std::make_unique<FastExecutor>(fast, memory, team));
  }
  return std::make_unique<FastExecutor>(config, memory, team);
}

}  // namespace pumice::hw::fast
