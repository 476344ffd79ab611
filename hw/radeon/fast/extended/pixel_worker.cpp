// SPDX-License-Identifier: MIT
/// See pixel.h: blocks of one thread.
#include <bit>
#include <cstring>

#include "hw/radeon/draw/draw.h"
#include "hw/radeon/fast/draw/draw.h"
#include "hw/radeon/fast/draw/reports.h"
#include "hw/radeon/fast/extended/caller.h"
#include "hw/radeon/fast/extended/pixel_job.h"
#include "hw/radeon/fast/extended/planes.h"
#include "hw/radeon/ref/sc/sc.h"

namespace pumice::hw::fast::extended {

struct PixelWorker::Impl {
  Impl(Memory& m, ReportQueue& q, const std::atomic<bool>& stop_flag, std::atomic<uint64_t>& lost, Cpu cpu)
      : memory(m), stop(stop_flag), lost_draw(lost), routines(plane_routines(cpu)) {
    config.on_report = [this, &q](const Report& r) { q.add(draw->number, r.kind, r.text); };
  }
  void begin_primitive(const raster::Record& r);
  void stopped();

  Memory& memory;
  const std::atomic<bool>& stop;
  std::atomic<uint64_t>& lost_draw;
  const PlaneRoutines routines;
  PixelArgs args{};
  Planes planes;
  const DrawJob* job = nullptr;
  const Draw* draw = nullptr;
  int64_t budget = 0, left = 0;
  uint32_t slots = 0;
  // Of the primitive.
  const raster::Record* record = nullptr;
  const Routine* routine = nullptr;  ///< null: nothing is drawn
  uint64_t depth_base = 0;
  std::array<uint64_t, kColorTargets> color_base{};
  std::array<double, kMostSamples> sample_x{}, sample_y{};  ///< grid steps from the centre
  int32_t unit = 0;                                         ///< that they are of
  // For slots that the reference's code executes.
  GpuConfig config;
  DrawCounters counters;
  std::optional<DrawContext> context;
  std::optional<hw::us::GroupThread<hw::x::kGroupLanes>> thread;
  Caller caller;
  std::vector<std::byte> scratch;
};

PixelWorker::PixelWorker(Memory& memory, ReportQueue& reports, const std::atomic<bool>& stop, std::atomic<uint64_t>& lost_draw, Cpu cpu)
    : impl_(std::make_unique<Impl>(memory, reports, stop, lost_draw, cpu)) {}
PixelWorker::~PixelWorker() = default;

void PixelWorker::begin(const PixelJob& job, const Draw& draw) {
  Impl& w = *impl_;
  const auto& j = static_cast<const DrawJob&>(job);
  const PreparedStage& s = *j.stage[0];
  w.job = &j, w.draw = &draw, w.record = nullptr, w.unit = 0;
  w.slots = uint32_t(s.program->code.size());
  w.budget = w.left = std::max<int64_t>(draw.instructions_left.load(std::memory_order_relaxed), 0);
  w.args.constants = &j.constants;
  GroupArgs& g = w.args.group;
  g.exists = 0xFFFF, g.active = 0xFFFF;
  g.bools = s.bools;
  g.literals = s.literals;
  w.scratch.resize(size_t{s.needs.scratch} * kLanes);
  g.scratch = {w.scratch.data(), uint32_t(w.scratch.size())};
  g.user = &w.caller;
  w.caller = {};
  w.caller.program = s.program.get();
  w.caller.reported = &draw.reported;
  w.caller.budget = {.per_group = true, .stopping = &w.stop};
  if (!j.snapshot) return;
  w.counters = {};
  w.context.emplace(DrawContext{*j.snapshot, w.memory, w.counters, w.config});
  static hw::x::StageLink nothing;
  w.thread.emplace(*w.context, *s.program, s.needs, hw::x::Group{.stage = hw::x::Stage::fragment, .active = 0xFFFF, .link = &nothing},
                   std::span<uint8_t>());
  w.caller.thread = &*w.thread;
}

void PixelWorker::Impl::begin_primitive(const raster::Record& r) {
  const DrawJob& j = *job;
  record = &r;
  const PreparedStage& s = *j.stage[j.two_sided && r.back_facing];
  routine = s.full.routine.get();
  args.group.views = s.full.views.data();
  args.group.textures = s.textures.views.data();
  args.group.images = s.images.views.data();
  args.front = r.back_facing ? 0 : ~0u;
  const DrawJob::Face& face = j.face[r.back_facing];
  args.reference = face.reference, args.compare = face.compare, args.write = face.write;
  const raster::Extended& e = r.extended();
  args.extended = &e;
  depth_base = j.depth.base + e.layer * j.depth.layer_pitch;
  // Without colour targets the number of layers is open.
  if (j.key.depth_format && e.layer >= j.depth.layers && !memory.backed(depth_base, j.depth.layer_bytes)) routine = nullptr;
  for (uint32_t i = 0; i < j.colors; ++i) color_base[i] = j.color[i].base + e.layer * j.color[i].layer_pitch;
  if (j.uses_z) {
    args.z_step_x = float(r.z_dx * r.unit), args.z_step_y = float(r.z_dy * r.unit);
    const DrawJob::Range& range = j.z_range[e.viewport % j.z_range.size()];
    args.z_low = range.low, args.z_high = range.high;
    if (j.samples > 1 && unit != r.unit) {
      unit = r.unit;
      for (uint32_t i = 0; i < j.samples; ++i) {
        sample_x[i] = double(j.constants.sample_x[i]) * unit;
        sample_y[i] = double(j.constants.sample_y[i]) * unit;
      }
    } else if (j.samples == 1) {
      sample_x[0] = sample_y[0] = 0, unit = 0;
    }
  }
  if (!j.uses_w) return;
  args.values = r.values();
  routines.make(planes, args, r, j.key.linear.data());
}

LaneMask PixelWorker::block(const raster::Record& r, int32_t x, int32_t y, const LaneMask* covered) {
  Impl& w = *impl_;
  PixelArgs& a = w.args;
  if (w.record != &r) w.begin_primitive(r);
  if (!w.routine) return 0;
  const DrawJob& j = *w.job;
  uint32_t any = 0, all = 0xFFFF;
  for (uint32_t s = 0; s < j.samples; ++s) {
    a.covered[s] = covered[s];
    any |= covered[s], all &= covered[s];
    a.passed[s] = 0;
    if (j.counts_covered) zpass += uint32_t(std::popcount(covered[s]));
  }
  a.quads = with_helpers(LaneMask(any));
  a.x = float(x) + 0.5f, a.y = float(y) + 0.5f;
  const double px = x * r.unit - r.from_x, py = y * r.unit - r.from_y;
  if (j.uses_z)
    for (uint32_t s = 0; s < j.samples; ++s) a.z[s] = float((r.z + (px + w.sample_x[s]) * r.z_dx) + (py + w.sample_y[s]) * r.z_dy);
  if (j.uses_w) w.routines.at(w.planes, a, r.stride, px, py);
  const auto view = [&](uint64_t base, const Surface& s) {
    return lane::BufferView{w.memory.host_pointer(base + uint64_t(uint32_t(y)) * s.row_pitch + uint64_t(uint32_t(x)) * s.pixel_bytes),
                            s.block_bytes};
  };
  if (j.key.depth_format) a.depth = view(w.depth_base, j.depth);
  for (uint32_t i = 0; i < j.colors; ++i) a.color[j.color_number[i]] = view(w.color_base[i], j.color[i]);
  if (!w.scratch.empty()) std::memset(w.scratch.data(), 0, w.scratch.size());

  w.caller.budget.own = j.group_budget ? int64_t(j.group_budget) : w.left;
  w.caller.grant(a.group, w.slots);
  w.routine->run(a.group);
  const bool ok = w.caller.settle(a.group);
  if (!j.group_budget) w.left = w.caller.budget.own;
  if (!ok) w.stopped();
  if (j.counts_covered) return LaneMask(all);
  if (j.counts_bits) {
    for (const float bits : a.passed_bits.v) zpass += uint32_t(std::popcount(std::bit_cast<uint32_t>(bits)));
    return 0;
  }
  all = 0xFFFF;
  for (uint32_t s = 0; s < j.samples; ++s) zpass += uint32_t(std::popcount(a.passed[s] & 0xFFFFu)), all &= a.passed[s];
  return LaneMask(j.early ? all : 0);
}

void PixelWorker::Impl::stopped() {
  if (stop.load(std::memory_order_relaxed)) return;
  uint64_t none = 0;
  lost_draw.compare_exchange_strong(none, draw->number, std::memory_order_relaxed);
}

void PixelWorker::end() {
  Impl& w = *impl_;
  if (!w.draw) return;
  if (w.left != w.budget) w.draw->instructions_left.fetch_sub(w.budget - w.left, std::memory_order_relaxed);
  w.thread.reset(), w.context.reset();
  w.job = nullptr, w.draw = nullptr, w.record = nullptr;
}

}  // namespace pumice::hw::fast::extended
