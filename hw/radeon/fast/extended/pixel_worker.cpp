// SPDX-License-Identifier: MIT
/// See pixel.h: blocks of one thread.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "common/zero_pages.h"
#include "hw/common/simd/rows.h"
#include "hw/radeon/draw/draw.h"
#include "hw/radeon/fast/extended/caller.h"
#include "hw/radeon/fast/extended/chosen.h"
#include "hw/radeon/fast/extended/pixel_job.h"
#include "hw/radeon/jit/x/block_cache.h"
#include "hw/radeon/ref/sc/sc.h"

namespace pumice::hw::fast::extended {

namespace {

/// Everything but the registers of calls, which straight routines do not make.
void copy_inputs(GroupArgs& to, const GroupArgs& from) {
  static_assert(std::is_trivially_copyable_v<GroupArgs>);
  std::memcpy(static_cast<void*>(&to), &from, offsetof(GroupArgs, temp));
  to.textures = from.textures, to.images = from.images, to.blocks = from.blocks, to.first_block = from.first_block;
}

}  // namespace

struct PixelWorker::Impl {
  Impl(Memory& m, ReportDraw report, const std::atomic<bool>& stop_flag, std::atomic<uint64_t>& lost, Cpu cpu)
      : memory(m), stop(stop_flag), lost_draw(lost), routines(block_routines(cpu)) {
    config.on_report = [this, report = std::move(report)](const Report& r) { report(draw->number, r); };
    state.args.z_high = state.collected_args.z_high = 1, state.batch = 1;
    state.memory = memory.host_pointer(0);
    state.user = this;
    state.call = [](BlockState& s) { of(s).call(); };
    state.call_collected = [](BlockState& s, bool back) {
      of(s).job->face[of(s).job->state->two_sided && back].collected->get()->run(s.collected_args.group);
    };
    state.refill = [](BlockState& s) { Caller::refill(&s.args.group, nullptr); };
    state.stopped = [](BlockState& s) { of(s).stopped(); };
    state.clear_scratch = [](BlockState& s) { of(s).scratch.clear(of(s).routine().scratch()); };
  }
  static Impl& of(BlockState& s) { return *static_cast<Impl*>(s.user); }
  void prepare(const DrawJob& j);
  static bool has_collected(const DrawJob& j);
  const Routine& routine() const { return *job->face[job->state->two_sided && state.now == &state.code[1]].routine; }
  void call();
  void stopped();

  Memory& memory;
  const std::atomic<bool>& stop;
  std::atomic<uint64_t>& lost_draw;
  const BlockRoutines routines;
  /// Most of it are planes and inputs that small programs never touch. The initial values of its members, all 0 but for those that the
  /// constructor sets, are not written, so that these pages stay without memory.
  ZeroPages<BlockState> state_pages{1};
  BlockState& state = state_pages[0];
  // Allocated by the first draw that has them. Half a megabyte of blocks, of which few wait in most tiles: what is not 0 of the rest comes
  // from begin().
  std::optional<ZeroPages<Collected>> collected;
  std::unique_ptr<Packed> packed;
  const DrawJob* job = nullptr;
  uint64_t prepared = 0;  ///< DrawJob::number of the job that prepare() was called with
  std::optional<DrawProgress> draw;
  int64_t budget = 0;  ///< of the draw when it began here
  bool spent = false;
  // For draws that fill.
  uint64_t filled = 0;  ///< number of the draw that these values belong to
  bool fill_usable = false;
  PixelConstants fill_constants;
  std::array<std::array<uint32_t, 4>, kColorTargets> pattern;  ///< fill_pattern()
  // For slots that the reference's code executes.
  Listener config;
  DrawCounters counters;
  std::optional<DrawContext> context;
  std::optional<hw::us::GroupThread<hw::x::kGroupLanes>> thread;
  Caller caller;
  ChosenDescriptors chosen;
  Scratch scratch;
  BlockCache blocks;
};

PixelWorker::PixelWorker(Memory& memory, ReportDraw report, const std::atomic<bool>& stop, std::atomic<uint64_t>& lost_draw, Cpu cpu)
    : impl_(std::make_unique<Impl>(memory, std::move(report), stop, lost_draw, cpu)) {}
PixelWorker::~PixelWorker() = default;
BlockState& PixelWorker::state() { return impl_->state; }

/// The part that draws with the same job share: small draws of one state follow one another.
void PixelWorker::Impl::prepare(const DrawJob& j) {
  BlockState& b = state;
  const PixelState& s = *j.state;
  b.unit = 0;
  b.slots = uint32_t(s.program->code.size());
  b.group_budget = int64_t(std::min<uint64_t>(s.group_budget, INT64_MAX));
  b.slice = Caller::kSlice;
  b.own = &caller.budget.own;
  std::array<const Routine*, 2> together{};  // looked up once: another thread may be making one
  for (const uint32_t back : {0u, 1u}) {
    const DrawJob::Face& of = j.face[s.two_sided ? back : 0];
    together[back] = of.collected ? of.collected->get() : nullptr;
    b.code[back].native = of.routine->native(), b.code[back].collected = together[back] ? together[back]->native() : nullptr;
  }
  b.args.constants = &s.constants;
  b.plane_count = uint32_t(j.inputs().planes.size()), b.flat_count = uint32_t(j.inputs().flat.size());
  GroupArgs& g = b.args.group;
  g.exists = 0xFFFF, g.active = 0xFFFF;
  g.literals = s.literals;
  g.blocks = &blocks;
  scratch.begin(s.scratch);
  g.scratch = scratch.of();
  b.has_scratch = !scratch.empty();
  g.user = &caller;
  // Loops count a budget for each block, and scratch is zero where each begins.
  const auto straight = [](const DrawJob::Face& of) { return of.routine->is_straight(); };
  const bool plain = scratch.empty() && !s.blocks.counts_bits && (!b.group_budget || b.group_budget >= b.slice);
  b.batch = plain && straight(j.face[0]) && (!s.two_sided || straight(j.face[1])) ? kMostBlocks : 1;
  b.collected = nullptr, b.packed = nullptr;
  const bool collects = plain && together[0] && together[1];
  b.counts_alone = plain && !collects && j.face[0].collected && (!s.two_sided || j.face[1].collected);
  if (collects) {
    if (j.face[0].packed) {
      if (!packed) packed = std::make_unique<Packed>();
      b.packed = packed.get();
    } else {
      if (!collected) collected.emplace(1);
      b.collected = collected->data();
    }
    b.collected_args.constants = b.args.constants, b.collected_args.count = 1;
  }
  caller = {};
  caller.program = s.program.get();
  prepared = j.number;
}

/// Whether the code for collected blocks has been made.
bool PixelWorker::Impl::has_collected(const DrawJob& j) {
  return j.face[0].collected->get() && (!j.state->two_sided || j.face[1].collected->get());
}

void PixelWorker::begin(const PixelJob& job, const PixelBindings& bindings, const DrawProgress& draw) {
  Impl& w = *impl_;
  BlockState& b = w.state;
  const auto& j = static_cast<const DrawJob&>(job);
  const PixelState& s = *j.state;
  w.job = &j, w.spent = false;
  w.draw.emplace(draw);
  w.budget = std::max<int64_t>(draw.instructions_left.load(std::memory_order_relaxed), 0);
  if (w.prepared != j.number || (b.counts_alone && w.has_collected(j))) w.prepare(j);
  b.draw = &s.blocks, b.record = nullptr, b.picture = &j.rows;
  if (j.rows.is) b.picture_texture = picture_texture(bindings.textures[0]);
  b.counts_runs = draw.counts_runs;
  for (const uint32_t back : {0u, 1u}) {
    BlockState::Code& code = b.code[back];
    code.views = bindings.views[s.two_sided ? back : 0], code.textures = bindings.textures, code.images = bindings.images;
  }
  b.args.count = 0;
  GroupArgs& g = b.args.group;
  g.bools = bindings.bools;
  if (bindings.kept_blocks) g.first_block = w.blocks.begin(bindings.kept_blocks);
  w.caller.reported = &draw.reported;
  w.caller.budget = {.per_group = true, .own = w.budget, .stopping = &w.stop};
  w.caller.grant(g, 0);
  if (b.collected) b.collected->begin(j.number);
  if (b.packed) w.packed->begin(j.number);
  if (b.collected || b.packed) copy_inputs(b.collected_args.group, g);
  if (!j.registers) return;
  w.counters = {};
  w.context.emplace(DrawContext{*j.registers, w.memory, w.counters, w.config});
  static hw::x::StageLink nothing;
  w.thread.emplace(*w.context, *s.program, *bindings.needs,
                   hw::x::Group{.stage = hw::x::Stage::fragment, .active = 0xFFFF, .link = &nothing}, std::span<uint8_t>());
  w.caller.thread = &*w.thread;  // until end()
  w.caller.chosen = nullptr;
  if (SlotRoutines* const slots = j.face[0].routine->slots()) w.chosen.begin(*w.thread, *s.program, *slots), w.caller.chosen = &w.chosen;
}

/// With a budget of the group's own, or not by native code.
void PixelWorker::Impl::call() {
  GroupArgs& g = state.args.group;
  const Routine& routine = this->routine();
  if (job->state->group_budget) {
    caller.budget.own = int64_t(job->state->group_budget);
    caller.grant(g, state.slots);
    routine.run(g);
    if (!caller.settle(g)) stopped();
    return;
  }
  g.left -= int64_t{state.slots} * state.args.count;
  g.stop = 0;
  if (g.left < 0) Caller::refill(&g, nullptr);
  if (!g.stop) routine.run(g);
  if (g.stop || g.stopped) stopped();
}

/// Runs the program once, on a block of scratch memory.
bool PixelWorker::ready_fill(const raster::Record& r) {
  Impl& w = *impl_;
  BlockState& b = w.state;
  const BlockDraw& d = *b.draw;
  w.routines.settle(b);
  if (b.record != &r) w.routines.begin(b, r);
  if (!b.now) return false;
  if (w.filled == w.draw->number) return w.fill_usable;
  w.filled = w.draw->number;
  PixelArgs& a = b.args;
  constexpr uint32_t kMostBytes = 16;  ///< of a pixel
  std::array<std::array<std::byte, kMostBytes * kLanes>, kColorTargets> block{};
  w.fill_constants = w.job->state->constants;
  for (uint32_t i = 0; i < d.colors; ++i) {
    TargetConstants& c = w.fill_constants.color[d.color_number[i]];
    for (int l = 0; l < kLanes; ++l)
      c.offset.v[l] = std::bit_cast<float>(d.color[i].pixel_bytes * uint32_t(kBlockSize * lane_y(l) + lane_x(l)));
    for (uint32_t& of_sample : c.of_sample) of_sample = 0;
    for (lane::BlockRows& rows : c.rows) rows = {d.color[i].pixel_bytes * uint32_t(kBlockSize), 0};
    a.color[d.color_number[i]][0] = {block[i].data(), d.color[i].pixel_bytes * uint32_t(kLanes)};
  }
  for (uint32_t s = 0; s < d.samples; ++s) a.covered[s][0] = 0xFFFF, a.passed[s][0] = 0;
  a.quads[0] = 0xFFFF;
  a.count = 1;
  a.constants = &w.fill_constants;
  w.call();
  if (b.has_scratch) b.clear_scratch(b);
  a.count = 0;
  a.constants = &w.job->state->constants;
  for (uint32_t i = 0; i < d.colors; ++i)
    for (uint32_t at = 0; at < sizeof w.pattern[i]; at += d.color[i].pixel_bytes)
      std::memcpy(reinterpret_cast<std::byte*>(w.pattern[i].data()) + at, block[i].data(), d.color[i].pixel_bytes);
  return w.fill_usable = !w.spent;
}

void PixelWorker::fill(const raster::Record& r, int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
  Impl& w = *impl_;
  BlockState& b = w.state;
  const BlockDraw& d = *b.draw;
  if (b.record != &r) w.routines.begin(b, r);
  const uint64_t width = uint32_t(x1 - x0), rows = uint64_t{uint32_t(y1 - y0)} * d.samples;
  b.zpass += width * rows;
  if (b.counts_runs) b.runs += width * uint32_t(y1 - y0);
  for (uint32_t i = 0; i < d.colors; ++i) {
    const Surface& s = d.color[i];
    std::byte* const first = b.color[i] + uint64_t(uint32_t(y0)) * s.row_pitch + uint64_t(uint32_t(x0)) * s.pixel_bytes;
    fill_pattern(first, s.row_pitch / d.samples, width * s.pixel_bytes, rows, w.pattern[i].data());
  }
}

void PixelWorker::Impl::stopped() {
  spent = true;
  if (stop.load(std::memory_order_relaxed)) return;
  uint64_t none = 0;
  lost_draw.compare_exchange_strong(none, draw->number, std::memory_order_relaxed);
}

void PixelWorker::end() {
  Impl& w = *impl_;
  if (!w.draw) return;
  w.routines.settle(w.state);
  if (!w.job->state->group_budget) {
    w.caller.settle(w.state.args.group);
    if (const int64_t used = w.budget - w.caller.budget.own) w.draw->instructions_left.fetch_sub(used, std::memory_order_relaxed);
  }
  zpass += std::exchange(w.state.zpass, 0);
  runs += std::exchange(w.state.runs, 0);
  if (const uint64_t alone = std::exchange(w.state.alone, 0))
    for (const DrawJob::Face& of : w.job->face)
      if (of.collected) of.collected->missed(alone);
  if (w.context) w.thread.reset(), w.context.reset(), w.caller.thread = nullptr;
  w.job = nullptr, w.draw.reset(), w.state.record = nullptr, w.state.draw = nullptr;
}

}  // namespace pumice::hw::fast::extended
