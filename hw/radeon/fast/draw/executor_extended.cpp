// SPDX-License-Identifier: MIT
/// See fast_executor.h: extended draws (docs/r5x.md), one by one and together.
#include <algorithm>
#include <utility>

#include "hw/radeon/decode/us/program.h"
#include "hw/radeon/draw/extended.h"
#include "hw/radeon/fast/draw/fast_executor.h"

namespace pumice::hw::fast {

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
    if (fills_.overlaps(touched.read) || fills_.overlaps(touched.read_early)) fill_held(ctx);
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
  d.by_rows = plan.pixel->picture;
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
      if (const hw::x::CodeRange code = hw::x::code_range(ctx.state, stage); fills_.overlaps(ByteRange{code.begin, code.end}))
        fill_held(ctx);
  bool tiles = plan_extended(ctx);
  const auto touched = [&]() -> const footprint::Extended& { return planner_.now().footprint; };
  const bool alone = !tiles || touched().stores || !touched().backed;
  if (alone) fill_held(ctx);
  if (alone || queued_.wait(pending_, planner_.now())) {
    drain(ctx);
    tiles = tiles && !ctx.counters.hung && plan_extended(ctx);  // the plan has copies of constants
  }
  if (ctx.counters.hung) return;
  if (!tiles) fill_held(ctx);
  if (!tiles || touched().stores) filled_.forget();
  clears_.count = 0;
  if (!fills_.empty())
    fills_.place(touched(), memory_, fill_behind(ctx), clears_, [this](const footprint::TargetUse& t) { queued_.add(pending_, t); });
  const extended::Runner::Draw native(runner_, ctx);
  extended::VertexFront& front = extended_front();
  if (!tiles) {
    if (begin_draw(ctx)) front.run(ctx, input, {});
    return;
  }
  queued_.add(pending_, planner_.now());
  describe_extended(counts && x::counts_fragments(ctx.state));
  begin(ctx);
  if (clears_.count) {
    settle_held();
    pool_.submit();  // a batch begins with its clears
    pool_.open().clears = clears_;
  }
  filled_.draw(planner_.now().version.state, touched().uses());
  const extended::DrawPlan& plan = planner_.now();
  if (!plan.triangles.usable || !extended::VertexFront::makes_triangles(input.vf_cntl)) settle_held();
  if (begin_draw(ctx)) front.run(ctx, input, plan.version, plan.triangles.usable ? this : nullptr, plan.varyings, parts_.get());
  ctx.sink = nullptr;
  if (alone || ctx.counters.hung) finish(ctx);
}

extended::VertexFront& FastExecutor::extended_front() {
  if (!extended_front_) {
    pool_.begin_extended();
    extended_front_.emplace(cpu_, dispatcher_.routines());
  }
  return *extended_front_;
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

size_t FastExecutor::draw_more(DrawContext& ctx, std::span<const NextDraw> draws, NextBindings& bindings) {
  if (!x::shaders(ctx.state) || x::counts(ctx) || !fills_.empty() || !extended_front_) return 0;
  if (!draws.front().bindings.empty()) bindings.write(draws.front());
  if (!plan_extended(ctx) || ctx.counters.hung) return 0;
  const extended::DrawPlan& plan = planner_.now();
  if (plan.footprint.stores || !plan.footprint.backed || !plan.triangles.usable || queued_.wait(pending_, plan)) return 0;
  clears_.count = 0;
  const extended::Runner::Draw native(runner_, ctx);
  queued_.add(pending_, plan);
  describe_extended(false);
  begin(ctx);
  filled_.draw(plan.version.state, plan.footprint.uses());
  budget_ /= static_cast<int64_t>(draws.size());
  begin_number(ctx.draw);
  size_t drawn = draws.size();
  if (begin_draw(ctx)) {
    const bool bind = std::any_of(draws.begin() + 1, draws.end(), [](const NextDraw& d) { return !d.bindings.empty(); });
    if (bind) {
      Batch& batch = batch_with_room();
      group_.draws = draws, group_.bindings = &bindings;
      group_.copies.assign(1, &copy_into(batch));
    }
    drawn = extended_front_->run_more(ctx, draws, plan.version, *this, plan.varyings, bind ? this : nullptr);
    group_.draws = {};
  }
  ctx.sink = nullptr;
  if (ctx.counters.hung) finish(ctx);
  return drawn;
}

void FastExecutor::choose_draw(uint32_t draw) {
  if (draw == chosen_) return;
  const uint64_t first = now_.number - chosen_;
  chosen_ = draw;
  if (group_.draws.empty()) begin_number(first + draw);
}

const extended::PlanVersion* FastExecutor::next(DrawContext& ctx, uint32_t draw) {
  if (const NextDraw& d = group_.draws[draw]; !d.bindings.empty()) {
    group_.bindings->write(d);
    if (!plan_next(ctx)) return nullptr;
  }
  Batch& batch = is_full() ? next_batch() : pool_.open();
  begin_number(ctx.draw + draw);
  group_.copies.push_back(&copy_into(batch));
  return &planner_.now().version;
}

/// plan_extended() where only bindings have changed. False: the draw needs more than a plan.
bool FastExecutor::plan_next(DrawContext& ctx) {
  if (ctx.changes) extended_changes_ |= std::exchange(ctx.changes->groups, uint8_t{0});
  planner_.changed(Changes::kConstants);
  if (!planner_.same_state(ctx)) return false;
  using Begun = extended::Planner::Begun;
  const Begun begun = planner_.begin(ctx);
  if (begun == Begun::unable) return false;
  const extended::DrawPlan& plan = planner_.now();
  if (begun == Begun::reads &&
      (pending_.writes(plan.footprint.read) || pending_.writes(plan.footprint.read_early) || !planner_.update(ctx)))
    return false;
  if (queued_.wait(pending_, plan)) return false;
  queued_.add(pending_, plan);
  describe_extended(false);
  return true;
}

/// Only its vertices and primitives are counted.
void FastExecutor::draw_discarded(DrawContext& ctx, const DrawInput& input) {
  finish(ctx);
  if (ctx.counters.hung) return;
  const extended::Runner::Draw native(runner_, ctx);
  if (begin_draw(ctx)) extended_front().run(ctx, input, {}, nullptr, 0);
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
  if (batch.full() && group_.draws.empty()) return false;  // of draws without a record
  if (!held_.count) held_.state = lot_state(ctx, viewport), held_.viewport = viewport;
  for (size_t i = 0; i < triangles.size(); ++i) {
    choose_draw(info[i].draw);
    held_.add(triangles[i], info[i], draw_in(batch));
  }
  return true;
}

}  // namespace pumice::hw::fast
