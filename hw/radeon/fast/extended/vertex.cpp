// SPDX-License-Identifier: MIT
/// Primitives collect the slots of their vertices in the pool; vertices that are not there yet wait until 16 are shaded together. Before
/// the pool could overwrite pending vertices, a segment ends: everything is shaded, and the primitives are passed on in order.
#include "hw/radeon/fast/extended/vertex.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "hw/common/simd/flush.h"
#include "hw/radeon/fast/extended/vertex_stage.h"
#include "hw/radeon/ref/xv/draw.h"
#include "hw/radeon/ref/xv/primitive.h"
#include "hw/radeon/ref/xv/sequence.h"

namespace pumice::hw::fast::extended {
namespace {

namespace r = regs::r5x;
using Vf = regs::VAP_VF_CNTL;

/// kPool vertices, of which the last kPool - kSegment may be found again: what a segment uses stays until its end.
constexpr uint32_t kPool = 1024, kSegment = 384, kTags = 2048, kMostPrimitives = 512;

static_assert(sizeof(WindowVertex) == kWindowVarying && sizeof(hw::x::Window) == kWindowBytes && offsetof(WindowVertex, x) == 0 &&
              offsetof(WindowVertex, inv_w) == 12 && offsetof(WindowVertex, point_size) == kWindowPointSize &&
              offsetof(hw::x::Vertex, varying) == 0 && offsetof(hw::x::Vertex, layer) == kWindowLayer - kWindowVarying &&
              offsetof(hw::x::Vertex, viewport) == kWindowViewport - kWindowVarying);

const hw::x::Window& window(const PoolVertex& v) { return *std::launder(reinterpret_cast<const hw::x::Window*>(v.window)); }

struct Tag {
  uint32_t index = 0, sequence = 0;
};

/// The fields of a window vertex that a plan writes; the rest is zero.
uint64_t written(const EmitPlan& plan) { return plan.varyings | uint64_t{plan.layers || plan.viewports} << 32; }

/// Places in the pool.
struct Waiting {
  std::array<uint16_t, 3> corner;
  uint16_t provoking;
  uint32_t number;
};

}  // namespace

/// State kept from draw to draw.
class VertexFront::State {
 public:
  State(Cpu cpu, Routines& routines)
      : emit(emit_routine(cpu)),
        stage(cpu, routines),
        pool(new PoolVertex[kPool]()),
        pool_written(kPool),
        tags(kTags),
        waiting(kMostPrimitives) {}

  const EmitRoutine emit;
  VertexStage stage;
  EmitPlan plan;
  uint64_t plan_state = 0;  ///< PlanVersion::state that `plan` is of
  PrimitiveKind plan_kind{};
  xv::Sequence sequence;
  std::unique_ptr<PoolVertex[]> pool;
  std::unique_ptr<uint32_t[]> flags{new uint32_t[kPool]()};        ///< by vertex of the pool
  std::unique_ptr<Distances[]> distances{new Distances[kPool]()};  ///< likewise
  std::vector<uint64_t> pool_written;                              ///< by vertex of the pool: written() of the plan that filled it last
  std::vector<Tag> tags;
  /// Sequence number of the next vertex that enters the pool; its slot is the low bits. Starts shortly before it wraps, so that tests
  /// cover wrapping.
  uint32_t next = 0u - 64 * kPool;
  std::vector<Waiting> waiting;
  std::vector<xv::Corner> corners;
  Statistics statistics;
};

namespace {

class FrontDraw {
 public:
  FrontDraw(DrawContext& ctx, const DrawInput& input, VertexFront::State& s, TriangleSink* sink);
  void run();

 private:
  bool run_list(std::span<const uint32_t> run);
  uint16_t slot(uint32_t index);
  void add(std::array<uint16_t, 3> corner, uint16_t provoking);
  bool room();
  void shade();
  bool flush();
  void primitive(const Waiting& p);
  void careful(const Waiting& p);
  void plain(const Waiting& p);
  void hand_over();
  void begin_segment();

  DrawContext& ctx_;
  VertexFront::State& s_;
  TriangleSink* const sink_;
  const EmitPlan& plan_;
  xv::PrimitiveStage stage_;
  const uint32_t type_, provoking_, base_;
  const PrimitiveKind kind_;
  const bool unique_;  ///< no vertex is used twice
  const uint64_t written_;
  const bool chooses_;  ///< vertices have layers or viewports
  uint32_t instance_ = 0, number_ = 0;
  uint32_t segment_ = 0;  ///< sequence number where the segment began
  uint32_t first_ = 0;    ///< sequence number from which vertices of the pool are this instance's
  uint32_t oldest_ = 0;   ///< sequence number from which they may be found: others could be overwritten while the segment waits
  uint32_t waiting_ = 0;

  uint32_t pending_ = 0;
  std::array<uint32_t, kLanes> index_, of_instance_;
  EmitTo to_;

  std::array<raster::Triangle, 4 * kLanes> plain_;  ///< for the sink
  std::array<PrimitiveInfo, 4 * kLanes> info_;
  uint32_t plain_count_ = 0;
};

PrimitiveKind kind_of(uint32_t type) {
  switch (type) {
    case Vf::PRIM_TYPE__POINT_LIST: return PrimitiveKind::point;
    case Vf::PRIM_TYPE__LINE_LIST:
    case Vf::PRIM_TYPE__LINE_STRIP: return PrimitiveKind::line;
    default: return PrimitiveKind::triangle;
  }
}

bool is_list(uint32_t type) {
  return type == Vf::PRIM_TYPE__POINT_LIST || type == Vf::PRIM_TYPE__LINE_LIST || type == Vf::PRIM_TYPE__TRIANGLE_LIST;
}

bool is_common(uint32_t type) {
  return is_list(type) || type == Vf::PRIM_TYPE__LINE_STRIP || type == Vf::PRIM_TYPE__TRIANGLE_STRIP || type == Vf::PRIM_TYPE__TRIANGLE_FAN;
}

FrontDraw::FrontDraw(DrawContext& ctx, const DrawInput& input, VertexFront::State& s, TriangleSink* sink)
    : ctx_(ctx),
      s_(s),
      sink_(sink),
      plan_(s.plan),
      stage_(ctx),
      type_(input.vf_cntl.PRIM_TYPE()),
      provoking_(std::min(xv::provoking(ctx.state, input.vf_cntl), 2u)),
      base_(ctx.state.get<r::X_DRAW_BASE_VERTEX>().raw),
      kind_(kind_of(type_)),
      unique_(is_list(type_) && input.vf_cntl.PRIM_WALK() == Vf::PRIM_WALK__SEQUENTIAL_VERTICES_FROM_MEMORY),
      written_(written(plan_)),
      chooses_(plan_.layers || plan_.viewports) {
  to_.pool = s.pool.get(), to_.flags = s.flags.get(), to_.distances = s.distances.get();
  begin_segment();
}

void FrontDraw::begin_segment() {
  // Sequence numbers start again before they wrap.
  if (s_.next > ~0u - kPool) {
    std::fill(s_.tags.begin(), s_.tags.end(), Tag{});
    s_.next = first_ = kPool;
  }
  segment_ = s_.next;
  oldest_ = std::max(first_, segment_ - (kPool - kSegment));
}

void FrontDraw::run() {
  const uint32_t instances = std::max(ctx_.state.get<r::X_DRAW_INSTANCES>().raw, 1u);
  bool on = true;
  for (instance_ = 0; on && instance_ < instances; ++instance_) {
    number_ = 0;
    first_ = oldest_ = s_.next;
    on = s_.sequence.for_each_run([this](std::span<const uint32_t> run) { return run_list(run); });
  }
  if (on && flush()) hand_over();
}

/// False: nothing more is to be drawn.
bool FrontDraw::run_list(std::span<const uint32_t> v) {
  const uint32_t count = uint32_t(v.size());
  const auto last = [this](uint32_t corners) { return std::min(provoking_, corners - 1); };
  switch (type_) {
    case Vf::PRIM_TYPE__POINT_LIST:
      for (uint32_t i = 0; i < count; ++i) {
        if (!room()) return false;
        const uint16_t a = slot(v[i]);
        add({a, a, a}, a);
      }
      return true;
    case Vf::PRIM_TYPE__LINE_LIST:
    case Vf::PRIM_TYPE__LINE_STRIP:
      for (uint32_t i = 0; i + 1 < count; i += type_ == Vf::PRIM_TYPE__LINE_LIST ? 2 : 1) {
        if (!room()) return false;
        const std::array<uint16_t, 3> at = {slot(v[i]), slot(v[i + 1]), 0};
        add(at, at[last(2)]);
      }
      return true;
    case Vf::PRIM_TYPE__TRIANGLE_LIST:
      for (uint32_t i = 0; i + 2 < count; i += 3) {
        if (!room()) return false;
        const std::array<uint16_t, 3> at = {slot(v[i]), slot(v[i + 1]), slot(v[i + 2])};
        add(at, at[provoking_]);
      }
      return true;
    case Vf::PRIM_TYPE__TRIANGLE_STRIP:
      for (uint32_t i = 0; i + 2 < count; ++i) {
        if (!room()) return false;
        const std::array<uint16_t, 3> at = {slot(v[i]), slot(v[i + 1]), slot(v[i + 2])};
        add(i & 1 ? std::array{at[1], at[0], at[2]} : at, at[provoking_]);
      }
      return true;
    default:
      for (uint32_t i = 1; i + 1 < count; ++i) {
        if (!room()) return false;
        const std::array<uint16_t, 3> at = {slot(v[0]), slot(v[i]), slot(v[i + 1])};
        add(at, at[provoking_]);
      }
      return true;
  }
}

/// Makes room for another primitive. False: the chip hangs.
bool FrontDraw::room() { return (waiting_ < kMostPrimitives && s_.next - segment_ <= kSegment - 3) || flush(); }

/// The slot of a vertex, which is shaded by flush() at the latest.
uint16_t FrontDraw::slot(uint32_t number) {
  const uint32_t index = number + base_;
  if (!unique_) {
    Tag& tag = s_.tags[index & (kTags - 1)];
    if (tag.index == index && tag.sequence >= oldest_) return uint16_t(tag.sequence & (kPool - 1));
    tag = {index, s_.next};
  }
  const auto place = uint16_t(s_.next++ & (kPool - 1));
  index_[pending_] = index, of_instance_[pending_] = instance_;
  to_.place[pending_++] = place;
  if (pending_ == kLanes) shade();
  return place;
}

void FrontDraw::add(std::array<uint16_t, 3> corner, uint16_t provoking) { s_.waiting[waiting_++] = {corner, provoking, number_++}; }

void FrontDraw::shade() {
  for (uint32_t i = 0; i < pending_; ++i) {
    uint64_t& before = s_.pool_written[to_.place[i]];
    if (before == written_) continue;
    std::memset(s_.pool[to_.place[i]].window, 0, kWindowBytes);
    before = written_;
  }
  s_.stage.shade(ctx_, index_.data(), of_instance_.data(), pending_);
  const FlushDenormals flush_denormals;
  s_.emit(plan_, s_.stage.rows(), to_, pending_);
  ++s_.statistics.batches;
  s_.statistics.vertices += pending_;
  pending_ = 0;
}

/// Ends the segment. False: the chip hangs.
bool FrontDraw::flush() {
  if (pending_) shade();
  const bool triangles = sink_ && kind_ == PrimitiveKind::triangle && !plan_.viewports;
  for (uint32_t i = 0; i < waiting_ && !ctx_.counters.hung; ++i) {
    const Waiting& p = s_.waiting[i];
    const uint32_t a = s_.flags[p.corner[0]], b = s_.flags[p.corner[1]], c = s_.flags[p.corner[2]];
    if (!triangles || ((a | b | c) & ~kBeyond))
      primitive(p);
    else if (!(a & b & c))  // else all are beyond one side of the viewport
      plain(p);
  }
  s_.statistics.primitives += waiting_;
  hand_over();
  waiting_ = 0;
  begin_segment();
  return !ctx_.counters.hung;
}

/// Passes plain triangles to the sink; all other primitives call it first, to keep the order.
void FrontDraw::hand_over() {
  if (plain_count_ == 0) return;
  const uint32_t count = plain_count_;
  plain_count_ = 0;
  if (!ctx_.counters.hung) sink_->triangles(ctx_, std::span(plain_).first(count), info_.data());
}

void FrontDraw::primitive(const Waiting& p) {
  const uint32_t corners = kind_ == PrimitiveKind::triangle ? 3 : kind_ == PrimitiveKind::line ? 2 : 1;
  uint32_t any = 0, all = ~0u;
  for (uint32_t i = 0; i < corners; ++i) any |= s_.flags[p.corner[i]], all &= s_.flags[p.corner[i]];
  if (any != 0) {
    if ((any & kUnusable) || (all & kCull)) return;
    if (any & kCareful) return careful(p);
    const uint32_t outside = any & kOutside, first = outside & (0u - outside);
    if (all & first) return;  // all beyond the first plane that any vertex is beyond
    if (outside) return careful(p);
    if (any & kNotFinite) return;
  }
  const PoolVertex& provoking = s_.pool[p.provoking];
  const hw::x::Vertex& flat = window(provoking).extended;
  if (plan_.viewports)  // vertices were transformed by their own viewport
    for (uint32_t i = 0; i < corners; ++i)
      if (window(s_.pool[p.corner[i]]).extended.viewport != flat.viewport) return careful(p);
  if (sink_ && kind_ == PrimitiveKind::triangle) return plain(p);
  hw::x::Window of_primitive;
  of_primitive.extended = flat;
  of_primitive.extended.layer = (plan_.layers ? flat.layer : 0) + plan_.view;  // not written without them
  if (!plan_.viewports) of_primitive.extended.viewport = 0;
  of_primitive.extended.primitive = p.number;
  Primitive out{kind_};
  for (uint32_t i = 0; i < corners; ++i) out.v[i] = &window(s_.pool[p.corner[i]]);
  out.provoking = &of_primitive;
  out.edge_flags = kind_ == PrimitiveKind::triangle ? 7 : kind_ == PrimitiveKind::line;
  ga::primitive(ctx_, out);
}

/// A triangle for the sink.
void FrontDraw::plain(const Waiting& p) {
  const auto floats = [this](uint16_t place) { return reinterpret_cast<const float*>(s_.pool[place].window); };
  plain_[plain_count_] = {{floats(p.corner[0]), floats(p.corner[1]), floats(p.corner[2])}, floats(p.provoking)};
  PrimitiveInfo& info = info_[plain_count_++];
  info = {p.number, plan_.view, 0};
  if (chooses_) {
    const hw::x::Vertex& flat = window(s_.pool[p.provoking]).extended;
    info.layer = flat.layer + plan_.view, info.viewport = flat.viewport;
  }
  if (plain_count_ == plain_.size()) hand_over();
}

/// Through the reference's clipper.
void FrontDraw::careful(const Waiting& p) {
  hand_over();
  if (ctx_.counters.hung) return;
  ++s_.statistics.slow;
  s_.corners.resize(kind_ == PrimitiveKind::triangle ? 3 : kind_ == PrimitiveKind::line ? 2 : 1);
  for (uint32_t i = 0; i < s_.corners.size(); ++i) {
    const PoolVertex& from = s_.pool[p.corner[i]];
    xv::Corner& to = s_.corners[i];
    to = {};
    std::copy_n(from.position, 4, to.v.position.begin());
    to.v.point_size = window(from).point_size;
    to.v.vertex = window(from).extended;
    if (plan_.clips) std::copy_n(s_.distances[p.corner[i]].clip, 8, to.v.clip.begin());
    if (plan_.culls) std::copy_n(s_.distances[p.corner[i]].cull, 8, to.v.cull.begin());
    to.edge = kind_ == PrimitiveKind::triangle || i == 0;
  }
  stage_.run(kind_, s_.corners, window(s_.pool[p.provoking]).extended, p.number);
}

void make_plan(const ChipState& state, uint32_t varyings, PrimitiveKind kind, EmitPlan& plan) {
  const auto control = state.get<r::X_VS_CTRL>();
  plan = {};
  plan.varyings = varyings;
  plan.clips = control.CLIP_DISTANCES(), plan.culls = control.CULL_DISTANCES();
  plan.layers = control.LAYER(), plan.viewports = control.VIEWPORT();
  plan.view = state.get<r::X_DRAW_VIEW>().NUMBER();
  plan.depth_clamp = state.get<r::X_RS_CTRL>().DEPTH_CLAMP();
  for (uint32_t n = 0; n < (plan.viewports ? xv::kViewports : 1); ++n) {
    const xv::Viewport viewport = xv::viewport(state, n);
    const xv::ClipVolume volume = xv::clip_volume(state, kind, viewport);
    EmitPlan::Viewport& to = plan.viewport[n];
    std::copy_n(viewport.scale, 3, to.scale), std::copy_n(viewport.offset, 3, to.offset);
    to.guard[0] = volume.guard_x, to.guard[1] = volume.guard_y;
  }
}

}  // namespace

VertexFront::VertexFront(Cpu cpu, Routines& routines) : state_(std::make_unique<State>(cpu, routines)) {}
VertexFront::~VertexFront() = default;
const VertexFront::Statistics& VertexFront::statistics() const { return state_->statistics; }

void VertexFront::run(DrawContext& ctx, const DrawInput& input, const PlanVersion& version, TriangleSink* sink, uint32_t varyings) {
  if (ctx.counters.hung) return;
  State& s = *state_;
  const uint32_t type = input.vf_cntl.PRIM_TYPE();
  if (!is_common(type) || !s.stage.begin(ctx, varyings, version)) return xv::run(ctx, input);
  if (!s.sequence.read(ctx, input)) return;
  ++s.statistics.draws;
  const PrimitiveKind kind = kind_of(type);
  if (!version.state || s.plan_state != version.state || s.plan_kind != kind) {
    make_plan(ctx.state, s.stage.program().varyings & varyings, kind, s.plan);
    s.plan_state = version.state, s.plan_kind = kind;
  }
  FrontDraw(ctx, input, s, sink).run();
}

EmitRoutine emit_routine([[maybe_unused]] Cpu cpu) {
#if defined(__x86_64__)
  if (cpu == Cpu::avx512) return avx512::emit_vertices;
  if (cpu == Cpu::avx2) return avx2::emit_vertices;
#endif
  return portable::emit_vertices;
}

}  // namespace pumice::hw::fast::extended
