// SPDX-License-Identifier: MIT
/// The executor's class; private to executor.cpp (strict draws, batches, what is pending) and executor_extended.cpp. Per draw: derive dirty
/// state, wait for dependencies, put the primitives into the open batch (vap -> ga -> shape()). Draws that tiles cannot reproduce run on
/// the reference blocks, after everything queued.
#pragma once
#include <optional>
#include <vector>

#include "hw/radeon/fast/blit/resolve.h"
#include "hw/radeon/fast/blit/scale.h"
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

/// It and its parts that each draw writes begin with a cache line, whatever is added before them: small draws notice.
class alignas(64) FastExecutor final : public DrawExecutor,
                                       private ShapeSink,
                                       private raster::TriangleSink,
                                       private extended::TriangleSink,
                                       private extended::DrawBinder {
 public:
  FastExecutor(const GpuConfig& config, Memory& memory, Team& team)
      : memory_(memory),
        derived_(memory, choose_cpu(config.cpu), {config.names_for_perf, config.names_for_gdb}),
        cpu_(choose_cpu(config.cpu)),
        names_{config.names_for_perf, config.names_for_gdb},
        set_up_(raster::setup_routine(choose_cpu(config.cpu))),
        pool_(team, choose_cpu(config.cpu), memory, reports_),
        dispatcher_(memory, team, cpu_, names_, config.collect_after),
        runner_(dispatcher_.routines()),
        planner_(memory, dispatcher_.routines()) {
    if (team.seats())
      parts_ = std::make_unique<PartRunner>(team, config.part_primitives, pool_, reports_,
                                            [this](DrawContext& ctx) { return begin_parts(ctx); });
    pool_.fill_now = [this](const Clear& c) {
      fills_.rarely_drawn(c.base);
      filled_.fill(c, fill_now);
    };
  }

  void draw(DrawContext& ctx, const DrawInput& input) override;
  size_t draw_more(DrawContext& ctx, std::span<const NextDraw> draws, NextBindings& bindings) override;
  void dispatch(DrawContext& ctx, const DispatchInput& input) override {
    finish(ctx);
    filled_.forget();
    if (!ctx.counters.hung && !dispatcher_.run(ctx, input)) execute_dispatch(ctx, input);
  }
  bool scale(const ScaleInput& input, const RowsPart& part) const override {
    fast::scale(cpu_, input, part);
    return true;
  }
  bool resolve_part(const ResolveInput& input, const RowsPart& part) const override {
    fast::resolve(cpu_, input, part);
    return true;
  }
  bool resolve(DrawContext& ctx, const ResolveInput& input) override;
  bool fill(DrawContext& ctx, const FillInput& input) override;
  void wrote(GpuAddress address, uint64_t size) override { filled_.forget({address, address + size}); }
  void order() override {
    if (pending_.order()) queued_.clear();
  }
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
  /// The open batch; a new one if it is full.
  Batch& batch_with_room() { return pool_.open().full() && group_.draws.empty() ? next_batch() : pool_.open(); }
  Batch& next_batch();
  bool reads_pending(const DrawContext& ctx, const DrawInput& input) const;
  /// The copy of the current draw for tiles of `batch`.
  const Draw& draw_in(Batch& batch) {
    if (!group_.draws.empty()) return *group_.copies[chosen_];
    return copied_ && copied_to_ == batch.sequence ? *copied_ : copy_into(batch);
  }
  const Draw& copy_into(Batch& batch);
  void begin(DrawContext& ctx);
  void begin_number(uint64_t number);
  // Extended draws:
  void draw_extended(DrawContext& ctx, const DrawInput& input);
  extended::VertexFront& extended_front();
  void draw_discarded(DrawContext& ctx, const DrawInput& input);
  void describe_extended(bool counts);
  bool plan_extended(DrawContext& ctx);
  static void describe(const extended::DrawPlan& plan, DrawState& d);
  void extended_shape(DrawContext& ctx, const Shape& shape);
  bool triangles(DrawContext& ctx, std::span<const raster::Triangle> triangles, const extended::PrimitiveInfo* info) override;
  void choose_draw(uint32_t draw) override;
  bool is_full() const override { return pool_.open().full(); }
  const extended::PlanVersion* next(DrawContext& ctx, uint32_t draw) override;
  bool plan_next(DrawContext& ctx);
  void release() override { settle_held(); }
  bool holds() const override { return held_.count != 0; }
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
  /// Does one of them now, behind the queued draws that touch its memory.
  HeldFills::FillNow fill_behind(DrawContext& ctx) {
    return [this, &ctx](const FillInput& f) {
      if (fills_.behind()) drain(ctx);
      filled_.fill(f, fill_now);
    };
  }
  void fill_held(DrawContext& ctx) {
    if (!fills_.empty()) fills_.fill_all(fill_behind(ctx));
  }

  Memory& memory_;
  ReportQueue reports_;
  Derived derived_;
  const Cpu cpu_;
  const CodeNames names_;
  std::optional<vertex::Front> front_;  ///< created by the first draw
  const raster::SetupRoutine set_up_;
  Pool pool_;
  FilledTiles& filled_ = pool_.filled_tiles;
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
  /// Draws that are drawn together with bindings of their own: all of those so far, in the open batch, which is not closed before their
  /// primitives are in it.
  struct Group {
    std::span<const NextDraw> draws;  ///< empty: none now
    NextBindings* bindings = nullptr;
    std::vector<const Draw*> copies;  ///< by number in the group
  } group_;
  std::unique_ptr<PartRunner> parts_;
  raster::HalfRectangle half_;  ///< the last triangle, if the next may complete a rectangle; in the open batch
  // Since the last finish(): they may have pending reports.
  std::vector<std::shared_ptr<const output::State>> used_outputs_;
  std::vector<std::shared_ptr<const void>> used_units_;
};

}  // namespace pumice::hw::fast
