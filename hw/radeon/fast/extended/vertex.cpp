// SPDX-License-Identifier: MIT
/// See vertex.h.
#include "hw/radeon/fast/extended/vertex.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "hw/radeon/fast/extended/front_draw.h"
#include "hw/radeon/ref/xv/counts.h"
#include "hw/radeon/ref/xv/draw.h"

namespace pumice::hw::fast::extended {

namespace r = regs::r5x;
using Vf = regs::VAP_VF_CNTL;

namespace {

/// A part costs some vertices that the one before has shaded, too. Of parts of the smallest size: what is worth more than one thread, and a
/// part that is large enough for any number of threads.
constexpr uint32_t kWorthParts = 3, kLargestPart = 8;

}  // namespace

/// One of those that make parts at the same time.
struct VertexFront::Thread {
  State* state = nullptr;
  std::unique_ptr<State> own;
  std::atomic<bool> busy = false;
  DrawCounters counters;
};

VertexFront::VertexFront(Cpu cpu, Routines& routines) : cpu_(cpu), routines_(routines), state_(std::make_unique<State>(cpu, routines)) {}
VertexFront::~VertexFront() = default;
const VertexFront::Statistics& VertexFront::statistics() const { return state_->statistics; }

bool VertexFront::makes_triangles(Vf vf_cntl) {
  return is_common(vf_cntl.PRIM_TYPE()) && kind_of(vf_cntl.PRIM_TYPE()) == PrimitiveKind::triangle;
}

void VertexFront::run(DrawContext& ctx, const DrawInput& input, const PlanVersion& version, TriangleSink* sink, uint32_t varyings,
                      PartThreads* parts) {
  if (ctx.counters.hung) return;
  State& s = *state_;
  if (!is_common(input.vf_cntl.PRIM_TYPE()) || !s.stage.begin(ctx, varyings, version)) return xv::run(ctx, input);
  if (!s.sequence.read(ctx, input)) return;
  ++s.statistics.draws;
  choose_emit(s, ctx, kind_of(input.vf_cntl.PRIM_TYPE()), version, varyings);
  if (PipelineCounts* const counts = x::counts(ctx)) xv::count_vertices(ctx, input, s.sequence, *counts);
  if (sink && parts && draw_in_parts(ctx, input, version, varyings, *parts)) return;
  const NextDraw draw{input, ctx.state.get<r::X_DRAW_BASE_VERTEX>().raw};
  draw_front(ctx, input.vf_cntl, s, sink, {&draw, 1}, nullptr);
}

size_t VertexFront::run_more(DrawContext& ctx, std::span<const NextDraw> draws, const PlanVersion& version, TriangleSink& sink,
                             uint32_t varyings, DrawBinder* binder) {
  State& s = *state_;
  const Vf vf = draws.front().input.vf_cntl;
  if (!makes_triangles(vf) || x::counts(ctx) || ctx.state.get<r::X_DRAW_INSTANCES>().raw > 1) return 0;
  if (!s.stage.begin(ctx, varyings, version) || s.stage.depends_on_draw() || !s.stage.moves(draws.back().moved_buffers)) return 0;
  if (!s.sequence.read(ctx, draws.front().input)) return 0;
  choose_emit(s, ctx, PrimitiveKind::triangle, version, varyings);
  const size_t drawn = draw_front(ctx, vf, s, &sink, draws, binder);
  s.statistics.draws += drawn;
  return drawn;
}

/// False: nothing was done.
bool VertexFront::draw_in_parts(DrawContext& ctx, const DrawInput& input, const PlanVersion& version, uint32_t varyings,
                                PartThreads& parts) {
  State& s = *state_;
  const Vf vf = input.vf_cntl;
  const uint64_t instances = std::max(ctx.state.get<r::X_DRAW_INSTANCES>().raw, 1u);
  const uint32_t smallest = parts.smallest(), worthwhile = kWorthParts * smallest;
  if (s.sequence.size() * instances < worthwhile || !Pieces::can_cut(vf, ctx.state) || s.emit->plan.viewports ||
      xv::stipples_strips(ctx.state) || !s.stage.can_share(ctx.state))
    return false;
  Pieces pieces(s.sequence, vf, static_cast<uint32_t>(instances));
  if (pieces.left() < worthwhile) return false;
  const auto threads = uint32_t(std::min<uint64_t>(parts.threads(), pieces.left() / smallest + 1));
  prepare_threads(ctx, threads, version, varyings);
  const uint32_t base = ctx.state.get<r::X_DRAW_BASE_VERTEX>().raw;
  const Listener& listener = parts.listener(ctx.draw);
  std::vector<Piece> taken;
  std::vector<size_t> begin;  // in `taken`, of each part
  while (pieces.left() && !ctx.counters.hung) {
    const auto wanted = uint32_t(std::min<uint64_t>(pieces.left(), parts.wanted()));
    const uint32_t size = std::clamp(wanted / (2 * threads), smallest, kLargestPart * smallest);
    const uint64_t before = pieces.left();
    taken.clear(), begin.assign(1, 0);
    for (uint32_t n = 0; n < wanted && pieces.left(); n += size) pieces.take(size, taken), begin.push_back(taken.size());
    parts.run(ctx, uint32_t(begin.size() - 1), uint32_t(before - pieces.left()), [&](uint32_t part, PartSink& sink) {
      size_t i = 0;
      while (threads_[i]->busy.exchange(true, std::memory_order_acquire)) i = (i + 1) % threads;
      Thread& t = *threads_[i];
      DrawContext own{.state = ctx.state, .memory = ctx.memory, .counters = t.counters, .config = listener};
      own.sink = &sink, own.draw = ctx.draw, own.programs = ctx.programs, own.stopping = ctx.stopping;
      draw_pieces(own, vf, *t.state, sink, std::span(taken).subspan(begin[part], begin[part + 1] - begin[part]), base);
      t.busy.store(false, std::memory_order_release);
    });
    end_wave(ctx, threads);
  }
  return true;
}

void VertexFront::prepare_threads(DrawContext& ctx, uint32_t count, const PlanVersion& version, uint32_t varyings) {
  while (threads_.size() < count) {
    auto t = std::make_unique<Thread>();
    if (!threads_.empty()) t->own = std::make_unique<State>(cpu_, routines_);
    t->state = threads_.empty() ? state_.get() : t->own.get();
    threads_.push_back(std::move(t));
  }
  for (uint32_t i = 0; i < count; ++i) {
    Thread& t = *threads_[i];
    t.state->hidden = false, t.state->end = {};
    t.counters = {};
    t.counters.instructions_left = ctx.counters.instructions_left;
    if (i == 0) continue;
    t.state->stage.begin(ctx, varyings, version);  // it is true, as for the first
    choose_emit(*t.state, ctx, PrimitiveKind::triangle, version, varyings);
  }
}

/// What threads have found out.
void VertexFront::end_wave(DrawContext& ctx, uint32_t threads) {
  bool hidden = false;
  for (uint32_t i = 0; i < threads; ++i) {
    Thread& t = *threads_[i];
    ctx.counters.hung |= t.counters.hung;
    ctx.counters.counts.clip_primitives += std::exchange(t.counters.counts.clip_primitives, 0);
    hidden |= t.state->hidden;
    if (i > 0) state_->statistics += std::exchange(t.state->statistics, {});
  }
  if (hidden)
    for (uint32_t i = 0; i < threads; ++i) threads_[i]->state->stage.has_positions(ctx);
}

void VertexFront::choose_emit(State& s, const DrawContext& ctx, PrimitiveKind kind, const PlanVersion& version, uint32_t varyings) {
  const auto is_it = [&](const State::Emit& e) { return version.state && e.state == version.state && e.kind == kind; };
  if (is_it(*s.emit)) return;
  const auto found = std::find_if(s.known.begin(), s.known.end(), is_it);
  s.emit = found != s.known.end() ? &*found : &s.known[s.next_known++ % s.known.size()];
  if (found != s.known.end()) return;
  make_emit_plan(ctx.state, s.stage.program().varyings & varyings, kind, s.emit->plan);
  s.emit->positions = s.emit->plan;
  s.emit->positions.flags_only = true;
  s.emit->state = version.state, s.emit->kind = kind;
}

}  // namespace pumice::hw::fast::extended
