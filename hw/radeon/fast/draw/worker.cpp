// SPDX-License-Identifier: MIT
/// See worker.h.
#include "hw/radeon/fast/draw/worker.h"

#include <algorithm>
#include <cstring>

#include "hw/common/simd/choose.h"
#include "hw/common/simd/flush.h"
#include "hw/radeon/fast/draw/reports.h"
#include "hw/radeon/fast/extended/pixel.h"
#include "hw/radeon/fast/extended/pixel_block.h"

namespace pumice::hw::fast {

Worker::Worker(Memory& used_memory, ReportQueue& queue, const std::atomic<bool>& stop_flag, std::atomic<uint64_t>& lost)
    : args{}, memory(&used_memory), stop(&stop_flag), lost_draw(&lost) {
  config.on_report = [this, &queue](const Report& r) { queue.add(draw->number, r.kind, r.text); };
}

Worker::~Worker() = default;

void add_pixel_worker(Worker& w, ReportQueue& queue, Cpu cpu) {
  w.pixel = std::make_unique<extended::PixelWorker>(
      *w.memory, [&queue](uint64_t number, const Report& r) { queue.add(number, r.kind, r.text); }, *w.stop, *w.lost_draw, cpu);
  w.blocks = &w.pixel->state();
}

namespace portable {
extern const TileRoutines kTileRoutines;
}
namespace avx2 {
extern const TileRoutines kTileRoutines;
}
namespace avx512 {
extern const TileRoutines kTileRoutines;
}

TileRoutines tile_routines(Cpu cpu) { PUMICE_RETURN_FOR(cpu, kTileRoutines); }

// instructions_left is written by Pool::interrupt() as well, from another thread, to end a program that does not terminate.

void end_draw(Worker& w) {
  if (!w.draw) return;
  const int64_t left = __atomic_load_n(&w.args.instructions_left, __ATOMIC_RELAXED);
  if (left != w.budget) w.draw->instructions_left.fetch_sub(w.budget - left, std::memory_order_relaxed);
  if (w.context && w.counters.reported) w.draw->reported.fetch_or(w.counters.reported, std::memory_order_relaxed);
  w.draw = nullptr;
}

void begin_draw(Worker& w, const Draw& draw) {
  end_draw(w);
  w.draw = &draw;
  w.colors_of = nullptr;
  if (w.deferred.use.draw != draw.number) w.deferred.use = {.draw = draw.number};
  w.hiz.begin_draw(*draw.output, draw.hiz);
  w.budget = std::max<int64_t>(draw.instructions_left.load(std::memory_order_relaxed), 0);
  __atomic_store_n(&w.args.instructions_left, w.budget, __ATOMIC_RELAXED);
  w.args.constant = draw.constant;
  w.args.flow_constant = draw.flow_constant;
  w.args.unit = draw.unit;
  w.args.factor = w.planes.factor;
  w.args.offset = w.offset;
  w.args.offset_w = &w.offset_w;
  for (uint32_t t = 0; t < 4; ++t)
    if (!(draw.writes >> t & 1) && !(w.zero >> t & 1)) std::memset(w.args.color[t], 0, sizeof w.args.color[t]);
  w.zero = static_cast<uint8_t>(~draw.writes & 15);
  if (!draw.writes_depth) w.args.depth = {};
  w.user.shade = draw.program;
  w.user.context = nullptr;
  w.context.reset();
  if (draw.snapshot) {
    w.counters = {.reported = draw.reported.load(std::memory_order_relaxed)};
    w.user.context = &w.context.emplace(DrawContext{*draw.snapshot, *w.memory, w.counters, w.config});
    w.context->strict = &w.strict;
  }
  w.args.user = &w.user;
}

void begin_extended(Worker& w, const Draw& draw) {
  end_extended(w);
  w.hiz_layer = 0;
  w.extended_draw = &draw;
  if (draw.by_rows && !w.picture_unit) w.picture_unit = std::make_unique<tx::Unit>();
  w.pixel->begin(*draw.pixel, *draw.bindings, {draw.number, draw.instructions_left, draw.reported, draw.counts});
}

void end_extended(Worker& w) {
  if (!w.extended_draw) return;
  w.pixel->end();
  w.extended_draw = nullptr;
}

void begin_own_targets(Worker& w, const Clears& targets, int32_t tile_x, int32_t tile_y) {
  if (!w.blocks) return;
  extended::OwnTargets& own = w.blocks->own_targets;
  static_assert(extended::kColorTargets + 1 >= Clears::kMost);
  own.count = targets.count;
  for (uint32_t i = 0; i < targets.count; ++i) {
    Clear target = targets.clear[i];
    target.to = w.own_rows[i]->data() - static_cast<uint64_t>(tile_y) * target.samples * target.pitch -
                static_cast<uint64_t>(tile_x) * target.pixel_bytes;
    fill(target, tile_x, tile_y, 1);
    own.base[i] = target.base, own.to[i] = target.to;
  }
}

std::span<std::byte* const> own_targets(const Worker& w) {
  return w.blocks ? std::span<std::byte* const>(w.blocks->own_targets.to, w.blocks->own_targets.count) : std::span<std::byte* const>();
}

void end_own_targets(Worker& w) {
  if (w.blocks) w.blocks->own_targets.count = 0;
}

bool extended_ready_fill(Worker& w, const raster::Record& record) { return w.pixel->ready_fill(record); }

void extended_fill(Worker& w, const raster::Record& record, const output::Rect& rect) {
  w.pixel->fill(record, rect.x0, rect.y0, rect.x1, rect.y1);
}

namespace {

/// `of`: the draw or primitive that has one colour.
bool make_fill(Worker& w, const void* of) {
  const Draw& d = *w.draw;
  w.fill.usable = false;
  float color[4][4] = {};
  if (d.shade) {
    w.args.covered = 0xFFFF;
    w.args.killed = w.args.stopped = 0;
    d.shade(w.args);
    w.colors_of = of;
    if (w.args.stopped) {
      stop_draw(w);
      return false;
    }
    for (int t = 0; t < 4; ++t)
      for (int c = 0; c < 4; ++c) color[t][c] = w.args.color[t][c].v[0];
  }
  if (d.codes) {
    w.fill = output::make_fill_of_codes(*d.output, color);
    return true;
  }
  const OrdinaryFloats ordinary;
  w.fill = output::make_fill(*d.output, color);
  return w.fill.usable;
}

}  // namespace

bool ready_fill(Worker& w) {
  const Draw& d = *w.draw;
  if (w.filled == d.number) return w.fill.usable;
  w.filled = d.number;
  w.fill.usable = false;
  return make_fill(w, &d);
}

bool ready_fill(Worker& w, const raster::Record& r) {
  w.filled = ~uint64_t{0};
  w.args.back_facing = r.back_facing;
  return make_fill(w, &r);
}

void stop_draw(Worker& w) {
  if (w.stop->load(std::memory_order_relaxed)) return;
  uint64_t none = 0;
  w.lost_draw->compare_exchange_strong(none, w.draw->number, std::memory_order_relaxed);
}

}  // namespace pumice::hw::fast
