// SPDX-License-Identifier: MIT
/// Segments of the vertex sequence: each looks its vertices up in the post-transform cache, shades what is missing in batches of 16, then
/// its primitives are assembled. The cache holds kPool vertices, first in, first out; it is found by vertex number through a direct-mapped
/// table.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <list>
#include <new>
#include <optional>

#include "hw/common/numerics/float_bits.h"
#include "hw/common/simd/choose.h"
#include "hw/common/simd/flush.h"
#include "hw/radeon/fast/vertex/plan.h"
#include "hw/radeon/fast/vertex/vertex.h"
#include "hw/radeon/jit/pvs/code.h"
#include "hw/radeon/jit/pvs/native.h"
#include "hw/radeon/ref/vap/primitive_stage.h"
#include "hw/radeon/ref/vap/vap.h"
#include "hw/radeon/ref/vap/walk.h"

namespace pumice::hw::fast::vertex {
namespace {

using Vf = regs::VAP_VF_CNTL;

/// kPool vertices, of which the last kPool - kSegment may be found again: what a segment uses stays until its end.
constexpr uint32_t kPool = 1024, kSegment = 384, kTags = 2048;
static_assert(kSegment % 12 == 0);  // a segment holds whole primitives of lists
constexpr size_t kMaxPrograms = 64;

static_assert(sizeof(WindowVertex) == kWindowBytes && offsetof(WindowVertex, x) == 0 && offsetof(WindowVertex, inv_w) == 12 &&
              offsetof(WindowVertex, point_size) == kWindowPointSize && offsetof(WindowVertex, color) == kWindowColor &&
              offsetof(WindowVertex, tex) == kWindowTex);

const WindowVertex& window(const Vertex& v) { return *std::launder(reinterpret_cast<const WindowVertex*>(v.window)); }

vap::ClipVertex clip_vertex(const Vertex& v) {
  vap::ClipVertex c;
  std::memcpy(c.position.data(), v.position, sizeof v.position);
  c.window = window(v);
  c.window.x = c.window.y = c.window.z = 0;
  c.window.inv_w = 1;
  return c;
}

struct Tag {
  uint32_t number = 0, sequence = 0;
};

/// Attributes that a plan writes, one bit each: the others of a vertex are zero.
uint32_t written(const EmitPlan& plan) {
  uint32_t mask = plan.point_size_row >= 0;
  for (uint32_t i = 0; i < plan.attributes; ++i) mask |= 2u << ((plan.attribute[i].offset - kWindowColor) / 16);
  return mask;
}

}  // namespace

/// What stays from draw to draw.
class Front::State {
 public:
  State(Cpu which, uint32_t after, CodeNames told)
      : cpu(which),
        native_after(after),
        names(told),
        routines(vertex::routines(which)),
        pool(new Vertex[kPool]()),
        pool_written(kPool),
        tags(kTags) {}

  Program& program(const ChipState& state) {
    for (auto it = programs.begin(); it != programs.end(); ++it) {
      if (!it->made_from(state)) continue;
      programs.splice(programs.begin(), programs, it);
      return programs.front();
    }
    if (programs.size() >= kMaxPrograms) programs.pop_back();
    make_program(state, programs.emplace_front());
    return programs.front();
  }

  const Cpu cpu;
  const uint32_t native_after;
  const CodeNames names;
  const std::shared_ptr<lane::CodeMemory> memory = std::make_shared<lane::CodeMemory>();
  const Routines& routines;
  std::unique_ptr<Batch> batch{new Batch};
  alignas(64) float constant[kConstants][4] = {};
  std::unique_ptr<Vertex[]> pool;
  std::vector<uint32_t> pool_written;  ///< by vertex of the pool: written() of the plan that filled it last
  std::vector<Tag> tags;
  uint32_t sequence = kPool;  ///< of the next vertex that enters the pool; its place is the low bits
  std::list<Program> programs;
  // Of the registers as of the last draw, unless `stale`.
  bool stale = true;
  Program* current = nullptr;  ///< null: none looked up
  Layout layout;
  EmitPlan plan;
  vap::VertexStream stream;
  Statistics statistics;
};

namespace {

class FrontDraw {
 public:
  FrontDraw(DrawContext& ctx, const DrawInput& input, Front::State& s, Program* program, raster::TriangleSink* sink);
  void run() {
    primitives();
    flush();
  }

 private:
  // Vertices.
  void need(uint32_t first, uint32_t last) {
    if (last >= end_) resolve(first);
  }
  void resolve(uint32_t first);
  void shade();
  void interpret();
  void compile();
  void fill_unwritten();
  void fetch();
  bool fetch_run(const FetchRun& run);
  void fetch_carefully();
  const Vertex& at(uint32_t k) const { return k >= begin_ ? *slot_[k - begin_] : first_[k & 1]; }

  // Primitives.
  void primitives();
  void flush();
  void triangles(uint32_t count, uint32_t step);
  bool triangle(const std::array<uint32_t, 3>& k, uint32_t provoking, uint8_t edges);
  bool assembled(const vap::Assembled& a);
  void reference(const vap::Assembled& a);

  DrawContext& ctx_;
  const DrawInput& input_;
  Front::State& s_;
  Program* program_;            ///< null: TCL bypass
  raster::TriangleSink* sink_;  ///< null: everything to ga::primitive
  vap::IndexWalk walk_;
  const EmitPlan& plan_;
  uint32_t written_ = 0, provoking_code_;
  std::optional<vap::PrimitiveStage> stage_;

  uint32_t used_ = 0;             ///< positions that primitives use
  uint32_t begin_ = 0, end_ = 0;  ///< positions of the segment
  std::array<const Vertex*, kSegment> slot_;
  Vertex first_[2];      ///< positions 0 and 1, for later segments of fans, loops and polygons
  uint32_t oldest_ = 0;  ///< sequence number from which vertices of the cache are this draw's

  std::array<raster::Triangle, 4 * kLanes> plain_;  ///< for the sink, before their vertices leave the pool
  uint32_t plain_count_ = 0;

  uint32_t pending_ = 0;
  std::array<uint32_t, kLanes> number_;
  std::array<Vertex*, kLanes> into_;
  struct Backed {
    uint64_t begin = 0, end = 0;
  };
  std::array<Backed, 16> backed_{};  ///< by array: addresses known to be backed
};

FrontDraw::FrontDraw(DrawContext& ctx, const DrawInput& input, Front::State& s, Program* program, raster::TriangleSink* sink)
    : ctx_(ctx),
      input_(input),
      s_(s),
      program_(program),
      sink_(sink),
      walk_(ctx, input),
      plan_(s.plan),
      provoking_code_(ctx.state.get<regs::GA_COLOR_CONTROL>().PROVOKING_VERTEX()) {}

void FrontDraw::primitives() {
  const uint32_t type = input_.vf_cntl.PRIM_TYPE(), count = walk_.count();
  if (count == 0) return;
  used_ = vap::used_vertices(type, count);
  written_ = written(plan_);
  FetchPlan& fetch = s_.layout.plan;
  fetch.swap = walk_.embedded() ? 0 : s_.layout.reference.swap;
  fetch.flush = program_ != nullptr;
  fetch.inputs = program_ ? program_->inputs : (1u << kInputs) - 1;
  vap::report_problems(ctx_, s_.layout.reference.complaint, program_ ? program_->complaint : "");

  if (program_) {
    for (const uint32_t i : program_->constants) {
      const auto& words = ctx_.state.pvs[program_->constant_base + i];
      for (uint32_t c = 0; c < 4; ++c) s_.constant[i][c] = num::flush_denormal(num::from_bits(words[c]));
    }
    s_.batch->constant = s_.constant;
    fill_unwritten();
    if (!program_->native && !program_->interpreter) program_->interpreter = std::make_unique<const lane::Interpreter>(program_->lanes);
  }
  // Sequence numbers start again before they wrap.
  if (s_.sequence > 0xFFFFFFFFu - 2 * (count + kPool)) {
    std::fill(s_.tags.begin(), s_.tags.end(), Tag{});
    s_.sequence = kPool;
  }
  oldest_ = s_.sequence;

  switch (type) {
    case Vf::PRIM_TYPE__TRIANGLE_LIST:
    case Vf::PRIM_TYPE__TRIANGLES_WITH_FLAGS: return triangles(count, 3);
    case Vf::PRIM_TYPE__TRIANGLE_STRIP: return triangles(count, 1);
    default: break;
  }
  if (!vap::assemble(type, count, provoking_code_, [this](const vap::Assembled& a) { return assembled(a); }))
    ctx_.report(ReportKind::bad_packet, "reserved VAP_VF_CNTL.PRIM_TYPE " + std::to_string(type) + "; draw skipped");
}

// ---- Vertices ----------------------------------------------------------------------------------------------------------------------

void FrontDraw::resolve(uint32_t first) {
  flush();
  compile();
  const FlushDenormals flush_denormals;
  begin_ = first;
  end_ = std::min(first + kSegment, used_);
  // Old enough to be overwritten while this segment is resolved: gone already.
  const uint32_t oldest = std::max(oldest_, s_.sequence - (kPool - kSegment));
  uint32_t numbers[kSegment];
  walk_.numbers(begin_, end_ - begin_, numbers);
  for (uint32_t k = begin_; k < end_; ++k) {
    const uint32_t number = numbers[k - begin_];
    Tag& tag = s_.tags[number & (kTags - 1)];
    if (tag.number != number || tag.sequence < oldest) {
      tag = {number, s_.sequence++};
      const uint32_t place = tag.sequence & (kPool - 1);
      if (s_.pool_written[place] != written_) {
        std::memset(s_.pool[place].window, 0, kWindowBytes);
        s_.pool_written[place] = written_;
      }
      number_[pending_] = number;
      into_[pending_++] = &s_.pool[place];
      if (pending_ == kLanes) shade();
    }
    slot_[k - begin_] = &s_.pool[tag.sequence & (kPool - 1)];
  }
  if (pending_) shade();
  for (uint32_t k = begin_; k < std::min(end_, 2u); ++k) first_[k] = *slot_[k - begin_];
}

void FrontDraw::shade() {
  if (walk_.embedded()) {
    const size_t size = walk_.embedded_dwords();
    for (uint32_t row = 0; row < s_.layout.plan.rows; ++row) {
      const uint32_t dword = s_.layout.stream_dword[row];
      for (uint32_t i = 0; i < pending_; ++i) s_.batch->stage[row][i] = dword < size ? input_.data[number_[i] * size + dword] : 0;
    }
  } else {
    fetch();
  }
  s_.routines.convert(s_.layout.plan, *s_.batch);
  if (program_) {
    if (program_->native)
      ++s_.statistics.native, program_->native->function()(s_.batch.get());
    else
      interpret();
    ctx_.counters.instructions_left -= std::min<uint64_t>(ctx_.counters.instructions_left, uint64_t{program_->steps} * pending_);
  }
  ++s_.statistics.batches;
  s_.statistics.vertices += pending_;
  s_.routines.emit(plan_, *s_.batch, into_.data(), pending_);
  pending_ = 0;
}

void FrontDraw::interpret() {
  program_->interpreter->run(s_.batch.get());
  program_->shaded = uint32_t(std::min<uint64_t>(uint64_t{program_->shaded} + pending_, ~0u));
}

/// Long programs take longer to compile, so they wait longer.
void FrontDraw::compile() {
  if (!program_ || program_->lanes.nodes.empty() || program_->shaded < uint64_t{s_.native_after} + program_->code.count / 8) return;
  program_->native = lane::assemble(program_->lanes, s_.cpu, "pvs", s_.names, cpu_extras(), s_.memory);
  program_->lanes = {};  // once, whether it could be had or not
  if (program_->native) program_->interpreter = nullptr;
}

/// Output rows that are read later and that the program does not write.
void FrontDraw::fill_unwritten() {
  const auto fill = [&](int32_t row, int32_t n) {
    for (int32_t r = row; r < row + n; ++r)
      if (!(program_->written_rows >> (r - kOutputRow) & 1)) std::fill_n(s_.batch->row[r].v, kLanes, (r & 3) == 3 ? 1.0f : 0.0f);
  };
  fill(plan_.position_row, 4);
  if (plan_.point_size_row >= 0) fill(plan_.point_size_row, 1);
  for (uint32_t i = 0; i < plan_.attributes; ++i) fill(plan_.attribute[i].row, 4);
}

void FrontDraw::fetch() {
  for (const uint32_t row : s_.layout.zero_rows) std::memset(s_.batch->stage[row], 0, sizeof s_.batch->stage[row]);
  for (const FetchRun& run : s_.layout.runs)
    if (!fetch_run(run)) return fetch_carefully();
}

/// False when not all of it is backed.
bool FrontDraw::fetch_run(const FetchRun& run) {
  const vap::VertexArray& array = s_.layout.reference.arrays[run.array];
  std::array<uint32_t, kLanes> index = number_;
  if (walk_.dual())
    for (uint32_t i = 0; i < pending_; ++i) index[i] = run.array == 0 ? index[i] >> 24 : index[i] & 0xFFFFFFu;
  const auto [low, high] = std::minmax_element(index.begin(), index.begin() + pending_);
  const uint64_t first = array.address + uint64_t{*low} * array.stride,
                 end = array.address + uint64_t{*high} * array.stride + 4 * array.dwords;
  Backed& known = backed_[run.array];
  if (first < known.begin || end > known.end) {
    if (!ctx_.memory.backed(first, end - first)) return false;
    // Grow by what touches, else start again.
    if (first <= known.end && end >= known.begin)
      known = {std::min(first, known.begin), std::max(end, known.end)};
    else
      known = {first, end};
  }
  if (run.count == 0) return true;
  const std::byte* const base = ctx_.memory.host_pointer(array.address) + run.offset;
  // Whole pages are backed: what is read beyond the vertex is there, if it is on the last vertex' page.
  const uint64_t last = array.address + uint64_t{*high} * array.stride + run.offset;
  if (last + 4 * ((run.count + 3) & ~3u) <= ((end + 0xFFF) & ~uint64_t{0xFFF})) {
    const std::byte* p[kLanes];
    for (uint32_t i = 0; i < pending_; ++i) p[i] = base + uint64_t{index[i]} * array.stride;
    for (uint32_t i = pending_; i < kLanes; ++i) p[i] = p[0];
    s_.routines.load_rows(*s_.batch, run.row, run.count, p);
    return true;
  }
  for (uint32_t i = 0; i < pending_; ++i) {
    const std::byte* const p = base + uint64_t{index[i]} * array.stride;
    for (uint32_t d = 0; d < run.count; ++d) std::memcpy(&s_.batch->stage[run.row + d][i], p + 4 * d, 4);
  }
  return true;
}

/// The reference's fetch, which reports faults.
void FrontDraw::fetch_carefully() {
  const vap::VertexLayout& layout = s_.layout.reference;
  vap::VertexLayout raw = layout;
  raw.swap = 0;
  for (uint32_t i = 0; i < pending_; ++i) {
    const uint32_t index = walk_.dual() ? number_[i] & 0xFFFFFFu : number_[i];
    vap::fetch_stream(raw, ctx_.memory, walk_.dual() ? number_[i] >> 24 : index, index, s_.stream);
    for (uint32_t row = 0; row < s_.layout.plan.rows; ++row) s_.batch->stage[row][i] = s_.stream[s_.layout.stream_dword[row]];
  }
}

// ---- Primitives --------------------------------------------------------------------------------------------------------------------

/// Lists and strips.
void FrontDraw::triangles(uint32_t count, uint32_t step) {
  const uint32_t provoking = std::min(provoking_code_, 2u);
  for (uint32_t i = 0; i + 2 < count; i += step) {
    need(i, i + 2);
    const bool odd = step == 1 && (i & 1);
    if (!triangle({i + odd, i + !odd, i + 2}, i + provoking, 7)) return;
  }
}

/// Passes collected plain triangles to the sink; called before any other primitive, to keep the order.
void FrontDraw::flush() {
  if (plain_count_ == 0) return;
  sink_->triangles(ctx_, std::span(plain_).first(plain_count_));
  plain_count_ = 0;
}

bool FrontDraw::triangle(const std::array<uint32_t, 3>& k, uint32_t provoking, uint8_t edges) {
  ++s_.statistics.primitives;
  const Vertex &a = at(k[0]), &b = at(k[1]), &c = at(k[2]);
  const uint32_t any = a.flags | b.flags | c.flags, all = a.flags & b.flags & c.flags;
  if (any != 0) {
    if ((any & kUnusable) || (plan_.clip && (all & 1))) return true;  // beyond the near plane, which is the first
    if (any & kCareful) return reference({PrimitiveKind::triangle, k, provoking, edges, false}), !ctx_.counters.hung;
    if (all & kDiscard) return true;
    const uint32_t outside = any & kOutside, first = outside & (0u - outside);
    if (all & first) return true;  // beyond a plane before which nothing was cut
    if (outside) return reference({PrimitiveKind::triangle, k, provoking, edges, false}), !ctx_.counters.hung;
    if (any & kNotFinite) return true;
  }
  if (sink_) {
    const auto floats = [](const Vertex& v) { return reinterpret_cast<const float*>(v.window); };
    plain_[plain_count_++] = {{floats(a), floats(b), floats(c)}, floats(at(provoking))};
    if (plain_count_ == plain_.size()) flush();
    return !ctx_.counters.hung;
  }
  Primitive p{PrimitiveKind::triangle};
  p.v = {&window(a), &window(b), &window(c)};
  p.provoking = &window(at(provoking));
  p.edge_flags = edges;
  ga::primitive(ctx_, p);
  return !ctx_.counters.hung;
}

bool FrontDraw::assembled(const vap::Assembled& a) {
  const uint32_t corners = vap::corner_count(a.kind);
  // The segment must hold all but positions 0 and 1.
  uint32_t low = ~0u, high = 0;
  for (uint32_t i = 0; i <= corners; ++i) {
    const uint32_t k = i == corners ? a.provoking : a.element[i];
    if (k > 1) low = std::min(low, k);
    high = std::max(high, k);
  }
  if (begin_ == end_) low = 0;
  need(low, high);
  if (a.rectangle) return reference(a), !ctx_.counters.hung;
  if (a.kind == PrimitiveKind::triangle) return triangle(a.element, a.provoking, a.edge_flags);

  ++s_.statistics.primitives;
  uint32_t any = 0, all = ~0u;
  for (uint32_t i = 0; i < corners; ++i) any |= at(a.element[i]).flags, all &= at(a.element[i]).flags;
  if (any & kUnusable) return true;
  if (any & kCareful) return reference(a), !ctx_.counters.hung;
  if (a.kind == PrimitiveKind::point ? (any & (kOutside | kDiscard)) != 0 : (all & kDiscard) != 0) return true;
  if (any & kOutside) return reference(a), !ctx_.counters.hung;
  if (any & kNotFinite) return true;
  Primitive p{a.kind};
  for (uint32_t i = 0; i < corners; ++i) p.v[i] = &window(at(a.element[i]));
  p.provoking = &window(at(a.provoking));
  p.edge_flags = a.kind == PrimitiveKind::line;
  ga::primitive(ctx_, p);
  return !ctx_.counters.hung;
}

/// Through the reference's clipper.
void FrontDraw::reference(const vap::Assembled& a) {
  flush();
  if (!stage_) stage_.emplace(ctx_);
  ++s_.statistics.careful;
  const uint32_t corners = vap::corner_count(a.kind);
  std::array<vap::ClipVertex, 3> v;
  uint32_t provoking_slot = vap::PrimitiveStage::kNoSlot;
  for (uint32_t i = 0; i < corners; ++i) {
    v[i] = clip_vertex(at(a.element[i]));
    if (a.element[i] == a.provoking) provoking_slot = i;
  }
  const WindowVertex provoking = clip_vertex(at(a.provoking)).window;
  stage_->run(a, v, provoking, provoking_slot);
}

}  // namespace

Front::Front(Cpu cpu, uint32_t native_after, CodeNames names) : state_(std::make_unique<State>(cpu, native_after, names)) {}
Front::~Front() = default;
const Front::Statistics& Front::statistics() const { return state_->statistics; }

void Front::run(DrawContext& ctx, const DrawInput& input, raster::TriangleSink* sink, bool changed) {
  const ChipState& state = ctx.state;
  state_->stale |= changed;
  if (state.chip().has_vap_no_render && state.get<regs::VAP_CNTL>().VAP_NO_RENDER()) return;
  if (ctx.counters.hung) return;
  Program* program = nullptr;
  if (!state.get<regs::VAP_CNTL_STATUS>().PVS_BYPASS()) {
    program = state_->stale || !state_->current ? &state_->program(state) : state_->current;
    // Primitives may need a vertex again that was shaded before.
    const uint64_t most = 4 * uint64_t{program->steps} * (vap::wanted_vertices(state, input.vf_cntl) + 1);
    if (program->steps == 0 || most > ctx.counters.instructions_left) return vap::run(ctx, input);
  }
  if (state_->stale) {
    update_layout(state, state_->layout);
    make_emit_plan(state, state_->plan);
    state_->stale = false;
    state_->current = program;
  }
  FrontDraw(ctx, input, *state_, program, sink).run();
}

const Routines& routines(Cpu cpu) { PUMICE_RETURN_FOR(cpu, kVertexRoutines); }

}  // namespace pumice::hw::fast::vertex
