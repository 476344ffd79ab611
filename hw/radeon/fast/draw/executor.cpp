// SPDX-License-Identifier: MIT
/// See executor.h. Per draw: derive dirty state, wait for dependencies, put the primitives into the open batch (vap -> ga ->
/// shape()). Draws that tiles cannot reproduce run on the reference blocks, after everything queued.
#include "hw/radeon/fast/draw/executor.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "common/processors.h"
#include "hw/radeon/decode/us/program.h"
#include "hw/radeon/draw/extended.h"
#include "hw/radeon/fast/blit/scale.h"
#include "hw/radeon/fast/draw/check.h"
#include "hw/radeon/fast/draw/choose_cpu.h"
#include "hw/radeon/fast/draw/clears.h"
#include "hw/radeon/fast/draw/derived.h"
#include "hw/radeon/fast/draw/held_fills.h"
#include "hw/radeon/fast/draw/lots.h"
#include "hw/radeon/fast/draw/parts.h"
#include "hw/radeon/fast/draw/pool.h"
#include "hw/radeon/fast/draw/queued.h"
#include "hw/radeon/fast/draw/surfaces.h"
#include "hw/radeon/fast/extended/dispatch.h"
#include "hw/radeon/fast/extended/plan.h"
#include "hw/radeon/fast/extended/runner.h"
#include "hw/radeon/fast/extended/vertex.h"
#include "hw/radeon/fast/raster/half_rectangle.h"
#include "hw/radeon/fast/vertex/vertex.h"

namespace pumice::hw::fast {

namespace {

/// Bounds how long a `used` list may grow between two finish().
constexpr size_t kMostUsed = 1024;
/// It and its parts that each draw writes begin with a cache line, whatever is added before them: small draws notice.
class alignas(64) FastExecutor final : public DrawExecutor,
                                       private ShapeSink,
                                       private raster::TriangleSink,
                                       private extended::TriangleSink {
 public:
  FastExecutor(const GpuConfig& config, Memory& memory, Team& team)
      : memory_(memory),
        derived_(memory, choose_cpu(config.cpu), {config.names_for_perf, config.names_for_gdb}),
        cpu_(choose_cpu(config.cpu)),
        names_{config.names_for_perf, config.names_for_gdb},
        set_up_(raster::setup_routine(choose_cpu(config.cpu))),
        pool_(team, choose_cpu(config.cpu), memory, reports_, capabilities(config.profile).has_extended_shaders),
        dispatcher_(memory, team, cpu_, names_, config.collect_after),
        runner_(dispatcher_.routines()),
        planner_(memory, dispatcher_.routines()) {
    if (team.seats())
      parts_ = std::make_unique<PartRunner>(team, config.part_primitives, pool_, reports_,
                                            [this](DrawContext& ctx) { return begin_parts(ctx); });
    pool_.fill_now = [this](const Clear& c) {
      fills_.rarely_drawn(c.base);
      fill_now({c.base, uint64_t{static_cast<uint32_t>(c.width)} * c.pixel_bytes, c.pitch,
                uint64_t{static_cast<uint32_t>(c.height)} * c.samples, std::to_array(c.pattern)});
    };
  }

  void draw(DrawContext& ctx, const DrawInput& input) override;
  bool draw_more(DrawContext& ctx, std::span<const NextDraw> draws) override;
  void dispatch(DrawContext& ctx, const DispatchInput& input) override {
    finish(ctx);
    if (!ctx.counters.hung && !dispatcher_.run(ctx, input)) execute_dispatch(ctx, input);
  }
  bool scale(const ScaleInput& input, const ScalePart& part) const override {
    fast::scale(cpu_, input, part);
    return true;
  }
  bool fill(DrawContext& ctx, const FillInput& input) override;
  void finish(DrawContext& ctx) override;
  void abandon() override;
  void interrupt() override { pool_.interrupt(); }
  bool writes(GpuAddress address, uint64_t size) const override {
    return pending_.writes({address, address + size}) || fills_.overlaps(ByteRange{address, address + size});
  }
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
  void begin(DrawContext& ctx);
  void begin_number(uint64_t number);
  // Extended draws:
  void draw_extended(DrawContext& ctx, const DrawInput& input);
  void draw_discarded(DrawContext& ctx, const DrawInput& input);
  void describe_extended(bool counts);
  bool plan_extended(DrawContext& ctx);
  static void describe(const extended::DrawPlan& plan, DrawState& d);
  void extended_shape(DrawContext& ctx, const Shape& shape);
  bool triangles(DrawContext& ctx, std::span<const raster::Triangle> triangles, const extended::PrimitiveInfo* info) override;
  void choose_draw(uint32_t draw) override;
  void release() override { settle_held(); }
  LotState lot_state(DrawContext& ctx, uint32_t viewport);
  RecordMaker begin_parts(DrawContext& ctx);
  bool hold(DrawContext& ctx, std::span<const raster::Triangle> triangles, const extended::PrimitiveInfo* info);
  /// Before anything else comes behind the triangles that wait, or overwrites what they need.
  void settle_held() {
    if (held_.count) held_.set_up(pool_.open());
  }
  void keep(const std::shared_ptr<const extended::PixelJob>& job, Batch& batch);
  const extended::PixelBindings* bindings_in(Batch& batch);
  // Fills that are held back:
  void drain(DrawContext& ctx);
  void fill_held() { fills_.fill_all(fill_now); }

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
  extended::Planner planner_;
  std::optional<extended::VertexFront> extended_front_;  ///< created by the first extended draw: strict chips need none
  uint8_t extended_changes_ = 0;                         ///< groups of registers that strict draws have not seen change
  PendingMemory pending_;
  HeldFills fills_;
  Clears clears_;                 ///< those that the current draw's tiles begin with
  QueuedDraws queued_;            ///< extended ones in pending_
  uint64_t described_state_ = 0;  ///< PlanVersion::state of the last describe()
  alignas(64) Draw now_;          ///< the current draw; tiles use copies of it
  uint32_t chosen_ = 0;           ///< its place among those drawn together
  int64_t budget_ = 0;            ///< instructions of each of them
  const Draw* copied_ = nullptr;  ///< now_ in the batch `copied_to_`
  uint64_t copied_to_ = 0;
  /// What the last draws put into batches, for draws that alternate.
  template <class T>
  struct Recent {
    T what{};
    uint64_t version = 0;  ///< that it is of
    uint64_t batch = 0;    ///< that it is in
  };
  static constexpr size_t kRecent = 4;
  std::array<Recent<const extended::PixelJob*>, kRecent> jobs_{};
  std::array<Recent<const extended::PixelBindings*>, kRecent> bindings_{};  ///< version: PlanVersion::fragment
  uint32_t next_job_ = 0, next_bindings_ = 0;
  alignas(64) HeldTriangles held_;
  std::unique_ptr<PartRunner> parts_;
  raster::HalfRectangle half_;  ///< the last triangle, if the next may complete a rectangle; in the open batch
  // Since the last finish(): they may have pending reports.
  std::vector<std::shared_ptr<const output::State>> used_outputs_;
  std::vector<std::shared_ptr<const void>> used_units_;
};

void FastExecutor::draw(DrawContext& ctx, const DrawInput& input) {
  if (x::shaders(ctx.state)) return draw_extended(ctx, input);
  settle_held();
  fill_held();
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

/// False: the reference must draw it.
bool FastExecutor::plan_extended(DrawContext& ctx) {
  const uint8_t groups = ctx.changes ? std::exchange(ctx.changes->groups, uint8_t{0}) : Changes::kAll;
  extended_changes_ |= groups;
  planner_.changed(groups);
  if (planner_.holds(ctx)) return true;
  if (held_.count && !planner_.same_state(ctx)) settle_held();
  using Begun = extended::Planner::Begun;
  Begun begun = planner_.begin(ctx);
  if (begun == Begun::reads) {
    const footprint::Extended& touched = planner_.now().footprint;
    if (fills_.overlaps(touched.read) || fills_.overlaps(touched.read_early)) fill_held();
    if (pending_.writes(touched.read) || pending_.writes(touched.read_early)) {
      drain(ctx);
      begun = planner_.begin(ctx);
    }
  }
  if (begun != Begun::reads) return begun == Begun::valid;
  return !ctx.counters.hung && planner_.update(ctx);
}

/// In place: a copy would wait for the stores of its parts.
void FastExecutor::describe(const extended::DrawPlan& plan, DrawState& d) {
  d = {};
  d.pixel = plan.pixel.get();
  d.samples = plan.samples.count;
  d.sample_mask = plan.sample_mask;
  d.fills = plan.pixel->fills;
  d.pixel_work = d.fills ? 4 : plan.pixel_work;
  d.hiz = hiz_use(plan.depth, plan.pixel->early, plan.any_depth);
  if (!plan.depth.passes_all() && plan.depth.depth_test) {
    const xt::Image& image = plan.depth.image;
    d.depth_at = image.base + image.first_layer * image.layer_pitch;
    d.depth_layer_pitch = image.layer_pitch;
  }
}

void FastExecutor::draw_extended(DrawContext& ctx, const DrawInput& input) {
  const bool counts = x::counts(ctx) != nullptr;
  if (counts && ctx.state.get<regs::r5x::X_RS_CTRL>().DISCARD()) return draw_discarded(ctx, input);
  if (!fills_.empty())
    for (const hw::x::Stage stage : {hw::x::Stage::vertex, hw::x::Stage::fragment})
      if (const hw::x::CodeRange code = hw::x::code_range(ctx.state, stage); fills_.overlaps(ByteRange{code.begin, code.end})) fill_held();
  bool tiles = plan_extended(ctx);
  const auto touched = [&]() -> const footprint::Extended& { return planner_.now().footprint; };
  const bool alone = !tiles || touched().stores || !touched().backed;
  if (alone) fill_held();
  if (alone || queued_.wait(pending_, planner_.now())) {
    drain(ctx);
    tiles = tiles && !ctx.counters.hung && plan_extended(ctx);  // the plan has copies of constants
  }
  if (ctx.counters.hung) return;
  if (!tiles) fill_held();
  clears_.count = 0;
  if (!fills_.empty())
    fills_.place(touched(), memory_, fill_now, clears_, [this](const footprint::TargetUse& t) { queued_.add(pending_, t); });
  const extended::Runner::Draw native(runner_, ctx);
  if (!extended_front_) extended_front_.emplace(cpu_, dispatcher_.routines());
  if (!tiles) {
    if (begin_draw(ctx)) extended_front_->run(ctx, input, {});
    return;
  }
  queued_.add(pending_, planner_.now());
  describe_extended(counts);
  begin(ctx);
  if (clears_.count) {
    settle_held();
    pool_.submit();  // a batch begins with its clears
    pool_.open().clears = clears_;
  }
  const extended::DrawPlan& plan = planner_.now();
  if (!plan.triangles.usable || !extended::VertexFront::makes_triangles(input.vf_cntl)) settle_held();
  if (begin_draw(ctx)) extended_front_->run(ctx, input, plan.version, plan.triangles.usable ? this : nullptr, plan.varyings, parts_.get());
  ctx.sink = nullptr;
  if (alone || ctx.counters.hung) finish(ctx);
}

/// now_ as the state of the current plan.
void FastExecutor::describe_extended(bool counts) {
  const extended::DrawPlan& plan = planner_.now();
  if (described_state_ != plan.version.state || now_.pixel != plan.pixel.get()) {
    describe(plan, now_);
    described_state_ = plan.version.state;
  }
  now_.counts = counts;
  now_.feeds_back = plan.footprint.feeds_back;
  // Programs of pixels that fail the depth test are counted, too, unless the test comes first.
  if (counts) now_.hiz = {}, described_state_ = 0;
}

bool FastExecutor::draw_more(DrawContext& ctx, std::span<const NextDraw> draws) {
  if (!x::shaders(ctx.state) || x::counts(ctx) || !fills_.empty() || !extended_front_) return false;
  if (!plan_extended(ctx) || ctx.counters.hung) return false;
  const extended::DrawPlan& plan = planner_.now();
  if (plan.footprint.stores || !plan.footprint.backed || !plan.triangles.usable || queued_.wait(pending_, plan)) return false;
  clears_.count = 0;
  const extended::Runner::Draw native(runner_, ctx);
  queued_.add(pending_, plan);
  describe_extended(false);
  begin(ctx);
  budget_ /= static_cast<int64_t>(draws.size());
  begin_number(ctx.draw);
  const bool drawn = !begin_draw(ctx) || extended_front_->run_more(ctx, draws, plan.version, *this, plan.varyings);
  ctx.sink = nullptr;
  if (ctx.counters.hung) finish(ctx);
  return drawn;
}

void FastExecutor::choose_draw(uint32_t draw) {
  if (draw == chosen_) return;
  const uint64_t first = now_.number - chosen_;
  chosen_ = draw;
  begin_number(first + draw);
}

/// Only its vertices and primitives are counted.
void FastExecutor::draw_discarded(DrawContext& ctx, const DrawInput& input) {
  finish(ctx);
  if (ctx.counters.hung) return;
  const extended::Runner::Draw native(runner_, ctx);
  if (!extended_front_) extended_front_.emplace(cpu_, dispatcher_.routines());
  if (begin_draw(ctx)) extended_front_->run(ctx, input, {}, nullptr, 0);
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
  static_cast<DrawState&>(*copy) = now_;
  if (now_.pixel)
    keep(planner_.now().pixel, batch), copy->bindings = bindings_in(batch);
  else
    derived_.keep(*copy, batch);
  copied_ = copy;
  copied_to_ = batch.sequence;
  return *copy;
}

void FastExecutor::keep(const std::shared_ptr<const extended::PixelJob>& job, Batch& batch) {
  for (const auto& known : jobs_)
    if (known.what == job.get() && known.batch == batch.sequence) return;
  jobs_[next_job_++ % kRecent] = {job.get(), 0, batch.sequence};
  batch.kept.push_back(job);
  batch.kept_bytes += extended::PixelJob::kBytes;
}

/// Draws of the same bindings share a copy.
const extended::PixelBindings* FastExecutor::bindings_in(Batch& batch) {
  const uint64_t version = planner_.now().version.fragment;
  for (const auto& known : bindings_)
    if (known.version == version && known.batch == batch.sequence) return known.what;
  const extended::PixelJobs& pixels = planner_.pixels();
  const size_t bytes = pixels.binding_bytes();
  void* to = nullptr;
  if (bytes <= Arena::kBlock) {
    to = batch.arena.allocate(bytes);
  } else {  // copies of large constants
    struct alignas(64) Line {
      std::byte bytes[64];
    };
    auto lines = std::make_shared<Line[]>(bytes / sizeof(Line));
    to = lines.get();
    batch.kept.push_back(std::move(lines));
    batch.kept_bytes += bytes;
  }
  auto& known = bindings_[next_bindings_++ % kRecent];
  known = {pixels.copy_bindings(to), version, batch.sequence};
  return known.what;
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

void FastExecutor::extended_shape(DrawContext& ctx, const Shape& shape) {
  const extended::DrawPlan& plan = planner_.now();
  settle_held();
  const x::Vertex& provoking = x::extended(*shape.provoking);
  if (provoking.layer >= plan.pixel->layers) return;
  Batch& batch = batch_with_room();
  const sc::Bounds bounds = planner_.bounds(ctx.state, provoking.viewport, shape.kind == PrimitiveKind::triangle);
  add_shape(ctx, plan, bounds, shape, batch, [&]() -> const Draw& { return draw_in(batch); });
}

RecordMaker FastExecutor::begin_parts(DrawContext& ctx) {
  settle_held();
  Batch& batch = batch_with_room();
  return {&planner_.now(), lot_state(ctx, 0), planner_.bounds(ctx.state, 0, true), &batch, &draw_in(batch), &pool_};
}

bool FastExecutor::triangles(DrawContext& ctx, std::span<const raster::Triangle> triangles, const extended::PrimitiveInfo* info) {
  if (pool_.lost_draw()) {
    ctx.counters.hung = true;
    return false;
  }
  if (triangles.size() <= HeldTriangles::kMost && hold(ctx, triangles, info)) return true;
  settle_held();
  Batch* batch = nullptr;
  const Draw* draw = nullptr;
  for (size_t first = 0, count; first < triangles.size(); first += count) {
    if (pool_.lost_draw()) {
      ctx.counters.hung = true;
      return false;
    }
    const uint32_t viewport = info[first].viewport;
    for (count = 1; count < size_t{kLanes} && first + count < triangles.size() && info[first + count].viewport == viewport;) ++count;
    set_up_lot(lot_state(ctx, viewport), triangles.subspan(first, count), info + first, [&](uint32_t i) {
      if (const uint32_t of = info[first + i].draw; !batch || batch->full() || of != chosen_) {
        choose_draw(of);
        batch = &batch_with_room();
        draw = &draw_in(*batch);
      }
      return RecordPlace<Batch>{batch, draw};
    });
  }
  return false;
}

LotState FastExecutor::lot_state(DrawContext& ctx, uint32_t viewport) {
  const extended::DrawPlan& plan = planner_.now();
  return {&planner_.triangles(ctx.state, viewport), set_up_, plan.samples.count, plan.pixel->layers};
}

/// False: they are to be set up at once.
bool FastExecutor::hold(DrawContext& ctx, std::span<const raster::Triangle> triangles, const extended::PrimitiveInfo* info) {
  const uint32_t viewport = info[0].viewport;
  for (size_t i = 1; i < triangles.size(); ++i)
    if (info[i].viewport != viewport) return false;
  if (held_.count + triangles.size() > size_t{kLanes} || held_.viewport != viewport || pool_.open().full()) settle_held();
  Batch& batch = batch_with_room();
  if (batch.full()) return false;  // of draws without a record
  if (!held_.count) held_.state = lot_state(ctx, viewport), held_.viewport = viewport;
  for (size_t i = 0; i < triangles.size(); ++i) {
    choose_draw(info[i].draw);
    held_.add(triangles[i], info[i], draw_in(batch));
  }
  return true;
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

/// The open batch; a new one if it is full.
Batch& FastExecutor::batch_with_room() {
  if (pool_.open().full()) {
    settle_held();
    now_.instructions_left.store((copied_ ? *copied_ : now_).instructions_left.load(std::memory_order_relaxed), std::memory_order_relaxed);
    pool_.submit();
    copied_ = nullptr;
    half_ = {};
  }
  return pool_.open();
}

void FastExecutor::finish(DrawContext& ctx) {
  drain(ctx);
  if (!ctx.counters.hung) fill_held();
}

bool FastExecutor::fill(DrawContext& ctx, const FillInput& input) {
  planner_.forget();  // of bindings that do not change descriptors are not looked at again
  if (!fill_now || !HeldFills::can_hold(input)) return false;
  fills_.make_room(input, fill_now);
  if (pending_.touches(range_of(input))) drain(ctx);
  if (!ctx.counters.hung) fills_.add(input, fill_now);
  return true;
}

/// Everything queued is in memory, but not the fills that are held back.
void FastExecutor::drain(DrawContext& ctx) {
  settle_held();
  planner_.forget();
  if (!pool_.idle()) pool_.drain();
  ctx.counters.zpass += static_cast<uint32_t>(pool_.take_zpass());
  ctx.counters.counts.fragment_invocations += pool_.take_runs();
  if (pool_.lost_draw()) ctx.counters.hung = true;
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
  pending_.clear();
  queued_.clear();
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
