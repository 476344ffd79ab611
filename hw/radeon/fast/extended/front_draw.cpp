// SPDX-License-Identifier: MIT
/// See front_draw.h.
#include "hw/radeon/fast/extended/front_draw.h"

#include <algorithm>
#include <bitset>
#include <cstring>
#include <new>

#include "hw/common/simd/flush.h"
#include "hw/radeon/ref/xv/draw.h"

namespace pumice::hw::fast::extended {

namespace r = regs::r5x;
using Vf = regs::VAP_VF_CNTL;

static_assert(sizeof(WindowVertex) == kWindowVarying && sizeof(hw::x::Window) == kWindowBytes && offsetof(WindowVertex, x) == 0 &&
              offsetof(WindowVertex, inv_w) == 12 && offsetof(WindowVertex, point_size) == kWindowPointSize &&
              offsetof(hw::x::Vertex, varying) == 0 && offsetof(hw::x::Vertex, layer) == kWindowLayer - kWindowVarying &&
              offsetof(hw::x::Vertex, viewport) == kWindowViewport - kWindowVarying);

namespace {

const hw::x::Window& window(const PoolVertex& v) { return *std::launder(reinterpret_cast<const hw::x::Window*>(v.window)); }

class FrontDraw {
 public:
  /// `resumes`: the pieces follow those that `s` was used for last.
  FrontDraw(DrawContext& ctx, Vf vf_cntl, VertexFront::State& s, TriangleSink* sink, bool resumes = false);
  /// One draw, whose sequence has been read, or several with one instance each. Returns how many are drawn.
  size_t run(std::span<const NextDraw> draws, DrawBinder* binder);
  /// Pieces of one draw, others of which other threads may be making. What they share was prepared by VertexFront.
  void run(std::span<const Piece> pieces, uint32_t base_vertex);

 private:
  /// The next vertex of the pool, kept in registers while primitives are collected.
  struct Cursor {
    uint32_t next, pending;
  };

  bool run_list(std::span<const uint32_t> run);
  template <class F>
  bool collect(uint32_t count, uint32_t first, uint32_t each, F f);
  uint64_t slot(Cursor& c, uint32_t number);
  void counted(Cursor& c, const uint32_t* number, uint32_t count);
  void shaded_when_full(Cursor& c);
  void add(uint32_t i, Places corners, uint32_t provoking);
  bool room();
  void shade();
  void shade_varyings();
  void forget_batches();
  void make_alike(uint32_t n);
  template <class F>
  void run_with(F f);
  bool bind_next(DrawBinder& binder);
  enum class Seen : uint8_t { some, none, beyond };  ///< beyond: a side of the viewport; the clipper keeps all
  Seen seen() const;
  Seen shade_rest();
  bool flush();
  bool pass_on(Seen what, bool last);
  bool to_sink() const { return sink_ && kind_ == PrimitiveKind::triangle && !plan_.viewports; }
  void primitive(const Waiting& p);
  void careful(const Waiting& p);
  void plain(const Waiting& p);
  void hand_over();
  void begin_pool();
  void begin_segment();
  void release();

  DrawContext& ctx_;
  VertexFront::State& s_;
  TriangleSink* const sink_;
  PipelineCounts* const counts_;  ///< null while they stand
  const EmitPlan& plan_;
  Tag* const tags_;
  xv::PrimitiveStage stage_;
  const uint32_t type_, provoking_;
  uint32_t base_ = 0;
  const PrimitiveKind kind_;
  const bool unique_;    ///< triangles of which no vertex is used twice
  const uint32_t most_;  ///< vertices of a segment
  const uint64_t written_;
  const bool chooses_;  ///< vertices have layers or viewports
  const bool stipples_strips_;
  const bool discards_;  ///< primitives are only counted
  uint32_t instance_ = 0, number_ = 0, draw_ = 0;
  uint32_t segment_ = 0;    ///< sequence number where the segment began
  uint32_t first_ = 0;      ///< sequence number from which vertices of the pool are this instance's
  uint32_t oldest_ = 0;     ///< sequence number from which they may be found: others could be overwritten while the segment waits
  uint32_t used_from_ = 0;  ///< sequence number of the oldest vertex that what waits may use
  uint32_t waiting_ = 0;

  bool shared_ = false;           ///< other threads are at work: nothing is compiled
  bool binds_ = false;            ///< draws have bindings of their own
  bool positions_first_ = false;  ///< nothing was seen of the segment before: the next one's vertices wait until something is
  uint32_t pending_ = 0;
  std::array<uint32_t, kLanes> index_, of_instance_;
  EmitTo to_;

  uint32_t plain_count_ = 0;  ///< triangles for the sink
};

FrontDraw::FrontDraw(DrawContext& ctx, Vf vf_cntl, VertexFront::State& s, TriangleSink* sink, bool resumes)
    : ctx_(ctx),
      s_(s),
      sink_(sink),
      counts_(x::counts(ctx)),
      plan_(s.emit->plan),
      tags_(s.tags.data()),
      stage_(ctx),
      type_(vf_cntl.PRIM_TYPE()),
      provoking_(std::min(xv::provoking(ctx.state, vf_cntl), 2u)),
      kind_(kind_of(type_)),
      unique_(type_ == Vf::PRIM_TYPE__TRIANGLE_LIST && vf_cntl.PRIM_WALK() == Vf::PRIM_WALK__SEQUENTIAL_VERTICES_FROM_MEMORY),
      most_(unique_ ? kUniqueSegment : kSegment),
      written_(written(plan_)),
      chooses_(plan_.layers || plan_.viewports),
      stipples_strips_(xv::stipples_strips(ctx.state)),
      discards_(ctx.state.get<r::X_RS_CTRL>().DISCARD() != 0) {
  if (!resumes) begin_pool();
  first_ = resumes ? s.end.first : s.next;
  to_.pool = s.pool, to_.flags = s.flags.get(), to_.distances = s.distances.data();
  if (!resumes) s.batches.clear();
  begin_segment();
  if (s.alike != written_) s.alike = written_, s.alike_since = s.next;
}

/// A draw finds no vertices of earlier ones. Where no triangles of those wait, it uses the pool's first places, which small draws before
/// have brought into the caches.
void FrontDraw::begin_pool() {
  if (s_.needed_from) {
    if (!sink_ || sink_->holds()) return;
    s_.needed_from.reset();
  }
  const uint32_t next = (s_.next + kPool - 1) & ~(kPool - 1);
  if (next < s_.next) return;  // wraps, which begin_segment() is for
  if (s_.next - s_.alike_since < kPool) s_.alike_since = next;
  s_.next = next;
}

void FrontDraw::begin_segment() {
  // Sequence numbers start again before they wrap.
  if (s_.next > ~0u - kPool) {
    release();
    std::fill(s_.tags.begin(), s_.tags.end(), Tag{});
    s_.next = s_.alike_since = first_ = kPool;
    s_.batches.clear();
  }
  if (!unique_) {
    if (s_.needed_from && s_.next + most_ - *s_.needed_from > kPool) release();
  } else if (const uint32_t place = s_.next & (kPool - 1); !s_.needed_from || place + most_ > kUniqueEnd) {
    release();
    s_.next = s_.alike_since = (s_.next + kPool - 1) & ~(kPool - 1);
  }
  segment_ = s_.next;
  used_from_ = oldest_ = unique_ ? segment_ : std::max(first_, segment_ - (kPool - kSegment));
  if (!s_.batches.empty()) forget_batches();
}

void FrontDraw::release() {
  if (std::exchange(s_.needed_from, std::nullopt) && sink_) sink_->release();
}

/// Batches that cannot be found any more. Of one that could in part, the rest is not found either: its places are written again as a whole.
void FrontDraw::forget_batches() {
  const auto gone = [&](const Batch& b) { return b.sequence < oldest_; };
  const auto kept = std::find_if_not(s_.batches.begin(), s_.batches.end(), gone);
  if (kept != s_.batches.begin()) {
    const Batch& last = kept[-1];
    used_from_ = oldest_ = std::max(oldest_, last.sequence + last.count);
  }
  s_.batches.erase(s_.batches.begin(), kept);
}

size_t FrontDraw::run(std::span<const NextDraw> draws, DrawBinder* binder) {
  const uint32_t instances = std::max(ctx_.state.get<r::X_DRAW_INSTANCES>().raw, 1u);
  size_t drawn = draws.size();
  if (binder) binds_ = true, s_.stage.begin_lanes(ctx_);
  run_with([&] {
    bool on = true;
    for (draw_ = 0; on && draw_ < draws.size(); ++draw_) {
      if (draw_ > 0 && binder && !bind_next(*binder)) {
        drawn = draw_;
        break;
      }
      if (draw_ > 0 && !s_.sequence.read(ctx_, draws[draw_].input)) continue;
      base_ = draws[draw_].base_vertex + draws[draw_].moved;
      for (instance_ = 0; on && instance_ < instances; ++instance_) {
        number_ = 0;
        if (instance_ > 0) first_ = oldest_ = s_.next;
        on = s_.sequence.for_each_run([this](std::span<const uint32_t> run) { return run_list(run); });
      }
    }
    return on;
  });
  return drawn;
}

/// False: the draw is not drawn with those before.
bool FrontDraw::bind_next(DrawBinder& binder) {
  if (binder.is_full() && !flush()) return false;
  const PlanVersion* const version = binder.next(ctx_, draw_);
  if (!version) return false;
  if (s_.stage.is_bound(*version)) return true;
  if (pending_ && !s_.stage.has_lanes()) shade();
  if (!s_.stage.bind_next(ctx_, *version, pending_)) return false;
  first_ = oldest_ = s_.next;  // the same vertex has other outputs now
  return true;
}

void FrontDraw::run(std::span<const Piece> pieces, uint32_t base_vertex) {
  base_ = base_vertex;
  shared_ = true;
  positions_first_ = s_.hidden && s_.stage.knows_positions();
  run_with([&] {
    bool on = true;
    for (size_t i = 0; on && i < pieces.size(); ++i) {
      if (i > 0 && pieces[i].instance != instance_) first_ = oldest_ = s_.next;
      instance_ = pieces[i].instance, number_ = pieces[i].number;
      on = run_list(pieces[i].numbers);
    }
    return on;
  });
  s_.end = {instance_, number_, first_};
}

/// Calls f, which is false if the chip hangs, and ends what it began. The last segment is passed on outside: changing the float state twice
/// more would cost a small draw a tenth of its time.
template <class F>
void FrontDraw::run_with(F f) {
  Seen what;
  {
    const FlushDenormals flush_denormals;
    if (!f()) return;
    what = shade_rest();
  }
  pass_on(what, true);
}

/// False: nothing more is to be drawn.
bool FrontDraw::run_list(std::span<const uint32_t> v) {
  if (stipples_strips_) {  // begins anew
    if (!flush()) return false;
    ctx_.counters.stipple = 0;
  }
  const auto count = uint32_t(v.size());
  switch (type_) {
    case Vf::PRIM_TYPE__POINT_LIST:
      return collect(count, 0, 1, [&](Cursor& c, uint32_t i, uint32_t n) {
        for (uint32_t k = 0; k < n; ++k) {
          const uint64_t a = slot(c, v[i + k]);
          add(k, places(a, a, a), 0);
        }
      });
    case Vf::PRIM_TYPE__LINE_LIST:
    case Vf::PRIM_TYPE__LINE_STRIP: {
      const uint32_t step = type_ == Vf::PRIM_TYPE__LINE_LIST ? 2 : 1;
      return collect(step == 2 ? count / 2 : std::max(count, 1u) - 1, 0, 2, [&](Cursor& c, uint32_t i, uint32_t n) {
        for (uint32_t k = 0; k < n; ++k) {
          const uint64_t a = slot(c, v[(i + k) * step]), b = slot(c, v[(i + k) * step + 1]);
          add(k, places(a, b, 0), std::min(provoking_, 1u));
        }
      });
    }
    case Vf::PRIM_TYPE__TRIANGLE_LIST:
      if (unique_)
        return collect(count / 3, 0, 3, [&](Cursor& c, uint32_t i, uint32_t n) {
          for (uint32_t k = 0, at = c.next; k < n; ++k, at += 3)
            add(k, places(at & (kPool - 1), (at + 1) & (kPool - 1), (at + 2) & (kPool - 1)), provoking_);
          counted(c, &v[size_t{3} * i], 3 * n);
        });
      return collect(count / 3, 0, 3, [&](Cursor& c, uint32_t i, uint32_t n) {
        const uint32_t* number = &v[size_t{3} * i];
        for (uint32_t k = 0; k < n; ++k, number += 3) {
          const uint64_t a = slot(c, number[0]), b = slot(c, number[1]), third = slot(c, number[2]);
          add(k, places(a, b, third), provoking_);
        }
      });
    case Vf::PRIM_TYPE__TRIANGLE_STRIP:
      return collect(std::max(count, 2u) - 2, 2, 1, [&](Cursor& c, uint32_t i, uint32_t n) {
        uint64_t a = slot(c, v[i]), b = slot(c, v[i + 1]);
        for (uint32_t k = 0; k < n; ++k) {
          const uint64_t third = slot(c, v[i + k + 2]);
          const bool odd = (i + k) & 1;
          // The provoking vertex is the strip's first, second or third, which an odd triangle has in another order.
          add(k, odd ? places(b, a, third) : places(a, b, third), odd && provoking_ < 2 ? 1 - provoking_ : provoking_);
          a = b, b = third;
        }
      });
    default:
      return collect(std::max(count, 2u) - 2, 2, 1, [&](Cursor& c, uint32_t i, uint32_t n) {
        const uint64_t a = slot(c, v[0]);
        uint64_t b = slot(c, v[i + 1]);
        for (uint32_t k = 0; k < n; ++k) {
          const uint64_t third = slot(c, v[i + k + 2]);
          add(k, places(a, b, third), provoking_);
          b = third;
        }
      });
  }
}

/// Calls f(cursor, i, n) for primitives i to i+n-1 of `count`, as many as the segment has room for: they need at most `first` new vertices
/// and `each` for each of them. False: the chip hangs.
template <class F>
bool FrontDraw::collect(uint32_t count, uint32_t first, uint32_t each, F f) {
  for (uint32_t i = 0; i < count;) {
    if (!room()) return false;
    const uint32_t vertices = most_ - (s_.next - segment_);
    const uint32_t n = std::min({count - i, kMostPrimitives - waiting_, (vertices - first) / each});
    Cursor c{s_.next, pending_};
    f(c, i, n);
    s_.next = c.next, pending_ = c.pending;
    i += n, waiting_ += n, number_ += n;
  }
  return true;
}

/// Makes room for another primitive. False: the chip hangs.
bool FrontDraw::room() { return (waiting_ < kMostPrimitives && s_.next - segment_ <= most_ - 3) || flush(); }

/// The slot of a vertex, shaded by flush() at the latest; 64 bits, for the compiler spilled 32 and loaded 64, which waits for the store.
inline __attribute__((always_inline)) uint64_t FrontDraw::slot(Cursor& c, uint32_t number) {
  const uint32_t index = number + base_;
  Tag& tag = tags_[index & (kTags - 1)];
  if (tag.index == index && tag.sequence >= oldest_) return tag.sequence & (kPool - 1);
  tag = {index, c.next};
  const uint32_t at = c.next++ & (kPool - 1);
  index_[c.pending] = index, of_instance_[c.pending++] = instance_;
  shaded_when_full(c);
  return at;
}

/// Vertices that are not looked up, in order.
void FrontDraw::counted(Cursor& c, const uint32_t* number, uint32_t count) {
  for (uint32_t i = 0; i < count;) {
    const uint32_t n = std::min({count - i, kLanes - c.pending, kPool - (c.next & (kPool - 1))});
    for (uint32_t k = 0; k < n; ++k) index_[c.pending + k] = number[i + k] + base_, of_instance_[c.pending + k] = instance_;
    i += n, c.next += n, c.pending += n;
    shaded_when_full(c);
  }
}

/// A batch lies in consecutive places.
inline __attribute__((always_inline)) void FrontDraw::shaded_when_full(Cursor& c) {
  if (c.pending < uint32_t(kLanes) && (c.next & (kPool - 1)) != 0) return;
  s_.next = c.next, pending_ = c.pending;
  shade();
  c.pending = 0;
}

/// The i-th of those that collect() asked for.
inline void FrontDraw::add(uint32_t i, Places corners, uint32_t provoking) {
  s_.waiting[waiting_ + i] = {corners | uint64_t{place(corners, provoking)} << 16 * kProvoking, number_ + i, draw_};
}

/// What `plan_` does not write of the next n vertices is zero.
void FrontDraw::make_alike(uint32_t n) {
  for (uint32_t i = 0; i < n; ++i) {
    uint64_t& before = s_.pool_written[to_.first + i];
    if (before == written_) continue;
    std::memset(s_.pool[to_.first + i].window, 0, kWindowBytes);
    before = written_;
  }
}

void FrontDraw::shade() {
  const uint32_t first = s_.next - pending_;
  to_.first = first & (kPool - 1);
  if (positions_first_) {
    s_.batches.push_back({first, pending_, index_, of_instance_});
    s_.stage.shade_positions(ctx_, index_.data(), of_instance_.data(), pending_);
    s_.simd.emit(s_.emit->positions, s_.stage.rows(), to_, pending_);
    ++s_.statistics.positions;
    s_.alike_since = s_.next;  // these were not filled
  } else {
    if (first - s_.alike_since < kPool) make_alike(pending_);
    s_.stage.shade(ctx_, index_.data(), of_instance_.data(), pending_);
    s_.simd.emit(plan_, s_.stage.rows(), to_, pending_);
  }
  ++s_.statistics.batches;
  s_.statistics.vertices += pending_;
  pending_ = 0;
}

/// Not `some` if the flags shared by all vertices of the segment show that primitive() or flush() would drop every primitive.
FrontDraw::Seen FrontDraw::seen() const {
  const uint32_t from = used_from_ & (kPool - 1), to = from + (s_.next - used_from_), end = std::min(to, kPool);
  CommonFlags c;
  if (to - from <= uint32_t(kLanes) && to == end) {
    for (uint32_t i = from; i < end; ++i) c.all &= s_.flags[i], c.any |= s_.flags[i];
  } else {
    s_.simd.common(s_.flags.get() + from, end - from, c);
    if (to != end) s_.simd.common(s_.flags.get(), to - end, c);
  }
  const uint32_t all = c.all, any = c.any;
  const uint32_t outside = any & kOutside, first = outside & (0u - outside);
  if (all & kNear) return Seen::none;
  if (any & kCareful) return Seen::some;
  if (all & (first | kUnusable | kCull)) return Seen::none;
  return to_sink() && !(any & ~kBeyond) && all & kBeyond ? Seen::beyond : Seen::some;
}

/// The whole of the vertices of which shade() made the flags, where primitives that wait use them.
void FrontDraw::shade_varyings() {
  std::bitset<kPool> used;
  for (uint32_t i = 0; i < waiting_; ++i)
    for (uint32_t corner = 0; corner < 3; ++corner) used.set(place(s_.waiting[i].at, corner));
  std::erase_if(s_.batches, [&](Batch& b) {
    to_.first = b.sequence & (kPool - 1);
    uint32_t any = 0;
    for (uint32_t i = 0; i < b.count; ++i) any |= uint32_t{used[to_.first + i]};
    if (!any) return false;
    make_alike(b.count);
    s_.stage.shade(ctx_, b.index.data(), b.instance.data(), b.count);
    s_.simd.emit(plan_, s_.stage.rows(), to_, b.count);
    return true;
  });
}

/// Shades what the segment still needs. With FTZ and DAZ set, as everything up to the end of a segment.
FrontDraw::Seen FrontDraw::shade_rest() {
  if (pending_) shade();
  const Seen what = this->seen();
  if (what == Seen::some && !s_.batches.empty()) shade_varyings();
  return what;
}

/// Ends the segment. False: the chip hangs.
bool FrontDraw::flush() {
  const Seen what = shade_rest();
  const OrdinaryFloats ordinary_floats;
  return pass_on(what, false);
}

/// Without FTZ and DAZ. False: the chip hangs.
bool FrontDraw::pass_on(Seen what, bool last) {
  const bool seen = what == Seen::some;
  const uint32_t count = seen ? waiting_ : 0;
  if (counts_ && what == Seen::beyond) counts_->clip_primitives += waiting_;
  for (uint32_t i = 0; i < count && !ctx_.counters.hung; ++i) {
    const Waiting& p = s_.waiting[i];
    const uint32_t a = s_.flags[place(p.at, 0)], b = s_.flags[place(p.at, 1)], c = s_.flags[place(p.at, 2)];
    if (!to_sink() || ((a | b | c) & ~kBeyond))
      primitive(p);
    else if (!(a & b & c))  // else all are beyond one side of the viewport
      plain(p);
    else if (counts_)
      ++counts_->clip_primitives;
  }
  s_.statistics.primitives += waiting_;
  hand_over();
  waiting_ = 0;
  s_.hidden = !seen;
  positions_first_ = !last && !seen && !binds_ && (shared_ ? s_.stage.knows_positions() : s_.stage.has_positions(ctx_));
  begin_segment();
  return !ctx_.counters.hung;
}

/// Passes plain triangles to the sink; all other primitives call it first, to keep the order.
void FrontDraw::hand_over() {
  if (plain_count_ == 0) return;
  const uint32_t count = plain_count_;
  plain_count_ = 0;
  if (ctx_.counters.hung || !sink_->triangles(ctx_, std::span(s_.plain).first(count), s_.info.data())) return;
  if (!s_.needed_from) s_.needed_from = used_from_;
}

void FrontDraw::primitive(const Waiting& p) {
  const uint32_t corners = kind_ == PrimitiveKind::triangle ? 3 : kind_ == PrimitiveKind::line ? 2 : 1;
  uint32_t any = 0, all = ~0u;
  for (uint32_t i = 0; i < corners; ++i) any |= s_.flags[place(p.at, i)], all &= s_.flags[place(p.at, i)];
  if (any != 0) {
    if ((any & kUnusable) || (all & (kCull | kNear))) return;
    if (any & kCareful) return careful(p);
    const uint32_t outside = any & kOutside, first = outside & (0u - outside);
    if (all & first) return;  // all beyond the first plane that any vertex is beyond
    if (outside) return careful(p);
    if (any & kNotFinite) return;
  }
  const PoolVertex& provoking = s_.pool[place(p.at, kProvoking)];
  const hw::x::Vertex& flat = window(provoking).extended;
  if (plan_.viewports)  // vertices were transformed by their own viewport
    for (uint32_t i = 0; i < corners; ++i)
      if (window(s_.pool[place(p.at, i)]).extended.viewport != flat.viewport) return careful(p);
  if (sink_ && kind_ == PrimitiveKind::triangle) return plain(p);
  if (counts_) ++counts_->clip_primitives;
  if (discards_) return;
  hw::x::Window of_primitive;
  of_primitive.extended = flat;
  of_primitive.extended.layer = (plan_.layers ? flat.layer : 0) + plan_.view;  // not written without them
  if (!plan_.viewports) of_primitive.extended.viewport = 0;
  of_primitive.extended.primitive = p.number;
  Primitive out{kind_};
  for (uint32_t i = 0; i < corners; ++i) out.v[i] = &window(s_.pool[place(p.at, i)]);
  out.provoking = &of_primitive;
  out.edge_flags = kind_ == PrimitiveKind::triangle ? 7 : kind_ == PrimitiveKind::line;
  ga::primitive(ctx_, out);
}

/// A triangle for the sink.
void FrontDraw::plain(const Waiting& p) {
  if (counts_) ++counts_->clip_primitives;
  if (discards_) return;
  const auto floats = [this](uint32_t at) { return reinterpret_cast<const float*>(s_.pool[at].window); };
  s_.plain[plain_count_] = {{floats(place(p.at, 0)), floats(place(p.at, 1)), floats(place(p.at, 2))}, floats(place(p.at, kProvoking))};
  PrimitiveInfo& info = s_.info[plain_count_++];
  info = {p.number, plan_.view, 0, p.draw};
  if (chooses_) {
    const hw::x::Vertex& flat = window(s_.pool[place(p.at, kProvoking)]).extended;
    info.layer = flat.layer + plan_.view, info.viewport = flat.viewport;
  }
  if (plain_count_ == s_.plain.size()) hand_over();
}

/// Through the reference's clipper.
void FrontDraw::careful(const Waiting& p) {
  hand_over();
  if (ctx_.counters.hung) return;
  if (sink_) sink_->choose_draw(p.draw);
  ++s_.statistics.slow;
  s_.corners.resize(kind_ == PrimitiveKind::triangle ? 3 : kind_ == PrimitiveKind::line ? 2 : 1);
  for (uint32_t i = 0; i < s_.corners.size(); ++i) {
    const PoolVertex& from = s_.pool[place(p.at, i)];
    xv::Corner& to = s_.corners[i];
    to = {};
    std::copy_n(from.position, 4, to.v.position.begin());
    to.v.point_size = window(from).point_size;
    to.v.vertex = window(from).extended;
    if (plan_.clips) std::copy_n(s_.distances[place(p.at, i)].clip, 8, to.v.clip.begin());
    if (plan_.culls) std::copy_n(s_.distances[place(p.at, i)].cull, 8, to.v.cull.begin());
    to.edge = kind_ == PrimitiveKind::triangle || i == 0;
  }
  stage_.run(kind_, s_.corners, window(s_.pool[place(p.at, kProvoking)]).extended, p.number);
}

}  // namespace

PrimitiveKind kind_of(uint32_t type) {
  switch (type) {
    case Vf::PRIM_TYPE__POINT_LIST: return PrimitiveKind::point;
    case Vf::PRIM_TYPE__LINE_LIST:
    case Vf::PRIM_TYPE__LINE_STRIP: return PrimitiveKind::line;
    default: return PrimitiveKind::triangle;
  }
}

bool is_common(uint32_t type) {
  return type == Vf::PRIM_TYPE__POINT_LIST || type == Vf::PRIM_TYPE__LINE_LIST || type == Vf::PRIM_TYPE__LINE_STRIP ||
         type == Vf::PRIM_TYPE__TRIANGLE_LIST || type == Vf::PRIM_TYPE__TRIANGLE_STRIP || type == Vf::PRIM_TYPE__TRIANGLE_FAN;
}

size_t draw_front(DrawContext& ctx, Vf vf, VertexFront::State& s, TriangleSink* sink, std::span<const NextDraw> draws, DrawBinder* binder) {
  return FrontDraw(ctx, vf, s, sink).run(draws, binder);
}

void draw_pieces(DrawContext& ctx, Vf vf, VertexFront::State& s, TriangleSink& sink, std::span<const Piece> pieces, uint32_t base_vertex) {
  FrontDraw(ctx, vf, s, &sink, s.end == pieces.front()).run(pieces, base_vertex);
}

}  // namespace pumice::hw::fast::extended
