// SPDX-License-Identifier: MIT
/// The vertex processor, one draw at a time: index walk -> fetch -> PVS (or bypass) -> assembly -> clip -> viewport -> GA.
/// Follows pipeline s.2, pvs-isa s.11 and cp-pm4 s.5. Reference executor: vertices are shaded when a primitive needs them.
#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "hw/draw/draw.h"
#include "hw/numerics/float_bits.h"
#include "hw/vap/assemble.h"
#include "hw/vap/clip.h"
#include "hw/vap/fetch.h"
#include "hw/vap/outputs.h"
#include "hw/vap/pvs_engine.h"
#include "hw/vap/vertex_state.h"
#include "hw/vap/viewport.h"

namespace pumice::hw::vap {
namespace {

using Vf = regs::VAP_VF_CNTL;

/// Shaded vertices of this draw by vertex number, direct mapped: shading depends on the number alone, so any size is correct.
/// (VTX_REUSE_DIS therefore changes nothing.)
constexpr uint32_t kMaxCacheEntries = 1024;

/// Where the sequence of a draw takes its vertex numbers from.
class IndexWalk {
 public:
  /// Reports what is wrong; count() is then 0 or what the data allows.
  IndexWalk(DrawContext& ctx, const DrawInput& input);
  uint32_t count() const { return count_; }
  /// The vertex number of position k < count(). With embedded data it is k itself. With DUAL_INDEX_MODE bits 31:24 are the index of array
  /// 0.
  uint32_t operator[](uint32_t k) const;
  /// The draw brought the vertices with it, from the stream or from state: each so many dwords.
  bool embedded() const { return vf_.PRIM_WALK() == Vf::PRIM_WALK__VERTICES_IN_STREAM || vf_.PRIM_WALK() == Vf::PRIM_WALK__STATE_BASED; }
  uint32_t embedded_dwords() const { return embedded_dwords_; }
  bool dual() const { return vf_.PRIM_WALK() == Vf::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY && vf_.DUAL_INDEX_MODE(); }

 private:
  const DrawInput& input_;
  Vf vf_;
  bool flag_words_;  ///< primitive type 7: a word after each triple
  uint32_t count_ = 0, min_, max_, embedded_dwords_ = 0;
  int32_t offset_ = 0;
};

IndexWalk::IndexWalk(DrawContext& ctx, const DrawInput& input) : input_(input), vf_(input.vf_cntl) {
  const ChipState& state = ctx.state;
  const bool r500 = state.profile != Profile::r300;
  const uint32_t wanted = r500 && vf_.USE_ALT_NUM_VERTS() ? state.get<regs::VAP_ALT_NUM_VERTICES>().NUM_VERTICES() : vf_.NUM_VERTICES();
  min_ = state.get<regs::VAP_VF_MIN_VTX_INDX>().MIN_INDX();
  max_ = state.get<regs::VAP_VF_MAX_VTX_INDX>().MAX_INDX();
  if (r500) offset_ = int32_t(state.get<regs::VAP_INDEX_OFFSET>().INDEX_OFFSET() << 7) >> 7;  // 25 bits, signed
  flag_words_ = vf_.PRIM_TYPE() == Vf::PRIM_TYPE__TRIANGLES_WITH_FLAGS;

  uint64_t available = wanted;
  switch (vf_.PRIM_WALK()) {
    case Vf::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY: {
      const uint64_t words = uint64_t(input.data.size()) * (vf_.INDEX_SIZE() == Vf::INDEX_SIZE__N32_BIT ? 1 : 2);
      available = flag_words_ ? words / 4 * 3 + std::min<uint64_t>(words % 4, 3) : words;
      break;
    }
    case Vf::PRIM_WALK__SEQUENTIAL_VERTICES_FROM_MEMORY: break;
    case Vf::PRIM_WALK__VERTICES_IN_STREAM:
    case Vf::PRIM_WALK__STATE_BASED:
      embedded_dwords_ =
          vf_.PRIM_WALK() == Vf::PRIM_WALK__STATE_BASED ? state_vertex_dwords(state) : state.get<regs::VAP_VTX_SIZE>().DWORDS_PER_VTX();
      if (embedded_dwords_ != 0) available = input.data.size() / embedded_dwords_;
      break;
  }
  if (available < wanted)
    ctx.report(ReportKind::bad_packet,
               "draw of " + std::to_string(wanted) + " vertices carries data for " + std::to_string(available) + "; shortened");
  count_ = uint32_t(std::min<uint64_t>(wanted, available));
}

/// The offset is added first, then the result is clamped: an application's index range check must hold for what is fetched. UNCONFIRMED.
uint32_t IndexWalk::operator[](uint32_t k) const {
  if (embedded()) return k;
  int64_t index = k;
  if (vf_.PRIM_WALK() == Vf::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY) {
    const uint32_t word = flag_words_ ? k + k / 3 : k;
    index = vf_.INDEX_SIZE() == Vf::INDEX_SIZE__N32_BIT ? input_.data[word] : input_.data[word / 2] >> (16 * (word & 1)) & 0xFFFFu;
  }
  uint32_t first = 0;
  if (dual()) {
    first = uint32_t(index) << 8 & 0xFF000000u;
    index &= 0xFFFF;
  }
  index = std::min<int64_t>(std::max<int64_t>(index + offset_, min_), max_);
  return uint32_t(index) | first;
}

class Draw {
 public:
  Draw(DrawContext& ctx, const DrawInput& input)
      : ctx_(ctx),
        input_(input),
        walk_(ctx, input),
        layout_(decode_layout(ctx.state)),
        map_(decode_output_map(ctx.state)),
        clipper_(ctx.state),
        viewport_(ctx.state),
        bypass_(ctx.state.get<regs::VAP_CNTL_STATUS>().PVS_BYPASS()),
        color_(ctx.state.get<regs::GA_COLOR_CONTROL>()) {}

  void run();

 private:
  struct CacheEntry {
    bool valid = false;
    uint32_t number = 0;
    ClipVertex vertex;
  };

  bool shade(uint32_t number, ClipVertex& out);
  /// The vertex at position k of the sequence. False: the watchdog ended the draw.
  bool vertex(uint32_t k, ClipVertex& out);
  bool primitive(const Assembled& a);
  void point(ClipVertex& v);
  void line(std::array<ClipVertex, 3>& v, const WindowVertex& provoking, uint32_t provoking_slot);
  void triangle(const ClipVertex& a, const ClipVertex& b, const ClipVertex& c, const WindowVertex& provoking, uint32_t provoking_slot,
                uint8_t edges);
  void rectangle(std::array<ClipVertex, 3>& v, const WindowVertex& provoking, uint32_t provoking_slot);

  DrawContext& ctx_;
  const DrawInput& input_;
  IndexWalk walk_;
  VertexLayout layout_;
  OutputMap map_;
  Clipper clipper_;
  Viewport viewport_;
  bool bypass_;
  regs::GA_COLOR_CONTROL color_;
  PvsProgram program_;
  std::vector<CacheEntry> cache_;
  VertexStream stream_;
};

constexpr uint32_t kNoSlot = 3;  ///< the provoking vertex is none of the primitive's own

bool Draw::shade(uint32_t number, ClipVertex& out) {
  PvsInputs inputs;
  if (walk_.embedded()) {
    const size_t size = walk_.embedded_dwords();
    convert_stream(layout_, size ? input_.data.subspan(number * size, size) : std::span<const uint32_t>{}, inputs);
  } else {
    const uint32_t index = walk_.dual() ? number & 0xFFFFFFu : number;
    fetch_stream(layout_, ctx_.memory, walk_.dual() ? number >> 24 : index, index, stream_);
    convert_stream(layout_, std::span(stream_).first(layout_.stream_dwords), inputs);
  }
  if (bypass_) {
    out = map_outputs(map_, inputs);
    return true;
  }
  PvsOutputs outputs;
  outputs.fill(kDefaultVector);
  if (!run_program(program_, ctx_.state, inputs, outputs, ctx_.counters.instructions_left)) {
    ctx_.counters.hung = true;
    ctx_.report(ReportKind::lockup, "the watchdog stopped the draw in the vertex program of vertex " + std::to_string(number));
    return false;
  }
  out = map_outputs(map_, outputs);
  return true;
}

bool Draw::vertex(uint32_t k, ClipVertex& out) {
  const uint32_t number = walk_[k];
  CacheEntry& entry = cache_[number & (cache_.size() - 1)];
  if (!entry.valid || entry.number != number) {
    entry.valid = false;
    if (!shade(number, entry.vertex)) return false;
    entry.number = number;
    entry.valid = true;
  }
  out = entry.vertex;
  return true;
}

void Draw::point(ClipVertex& v) {
  if (clipper_.enabled() && !clipper_.keep_point(v)) return;
  if (!viewport_.transform(v)) return;
  Primitive p{PrimitiveKind::point};
  p.v[0] = p.provoking = &v.window;
  p.edge_flags = 0;
  ga::primitive(ctx_, p);
}

void Draw::line(std::array<ClipVertex, 3>& v, const WindowVertex& provoking, uint32_t provoking_slot) {
  const std::array<Vec4, 2> before = {v[0].position, v[1].position};
  if (clipper_.enabled() && !clipper_.clip_line(v[0], v[1])) return;
  if (!viewport_.transform(v[0]) || !viewport_.transform(v[1])) return;
  Primitive p{PrimitiveKind::line};
  p.v = {&v[0].window, &v[1].window, nullptr};
  const bool own = provoking_slot < 2 && v[provoking_slot].position == before[provoking_slot];
  p.provoking = own ? p.v[provoking_slot] : &provoking;
  p.edge_flags = 1;
  ga::primitive(ctx_, p);
}

void Draw::triangle(const ClipVertex& a, const ClipVertex& b, const ClipVertex& c, const WindowVertex& provoking, uint32_t provoking_slot,
                    uint8_t edges) {
  const std::array<const ClipVertex*, 3> corner = {&a, &b, &c};
  if (clipper_.enabled() && clipper_.discards(corner)) return;
  if (!clipper_.enabled() || clipper_.triangle_inside(corner)) {
    std::array<ClipVertex, 3> v = {a, b, c};
    for (ClipVertex& x : v)
      if (!viewport_.transform(x)) return;
    Primitive p{PrimitiveKind::triangle};
    p.v = {&v[0].window, &v[1].window, &v[2].window};
    p.provoking = provoking_slot < 3 ? p.v[provoking_slot] : &provoking;
    p.edge_flags = edges;
    return ga::primitive(ctx_, p);
  }
  ClipPolygon polygon;
  polygon.count = 3;
  for (uint32_t i = 0; i < 3; ++i) {
    polygon.v[i] = *corner[i];
    polygon.edge[i] = edges >> i & 1;
  }
  clipper_.clip_polygon(polygon);
  const uint32_t n = polygon.count;
  for (uint32_t i = 0; i < n; ++i)
    if (!viewport_.transform(polygon.v[i])) return;
  for (uint32_t i = 1; i + 1 < n; ++i) {
    Primitive p{PrimitiveKind::triangle};
    p.v = {&polygon.v[0].window, &polygon.v[i].window, &polygon.v[i + 1].window};
    p.provoking = &provoking;
    p.edge_flags = uint8_t((i == 1 && polygon.edge[0]) | polygon.edge[i] << 1 | (i + 2 == n && polygon.edge[n - 1]) << 2);
    ga::primitive(ctx_, p);
  }
}

/// (v0, v1, v2) and (v0, v2, v3) with v3 = v0 + v2 - v1 in clip space, attributes likewise.
void Draw::rectangle(std::array<ClipVertex, 3>& v, const WindowVertex& provoking, uint32_t provoking_slot) {
  const auto corner = [](const Vec4& a, const Vec4& b, const Vec4& c) {
    Vec4 r;
    for (int i = 0; i < 4; ++i) r[i] = num::canonical((a[i] + c[i]) - b[i]);
    return r;
  };
  ClipVertex fourth;
  fourth.position = corner(v[0].position, v[1].position, v[2].position);
  if (Clipper::unusable(fourth)) return;
  fourth.window.point_size = v[0].window.point_size;
  for (uint32_t i = 0; i < kMaxColors; ++i)
    fourth.window.color[i] = corner(v[0].window.color[i], v[1].window.color[i], v[2].window.color[i]);
  for (uint32_t i = 0; i < kMaxTexcoords; ++i) fourth.window.tex[i] = corner(v[0].window.tex[i], v[1].window.tex[i], v[2].window.tex[i]);
  triangle(v[0], v[1], v[2], provoking, provoking_slot, 3);
  constexpr uint32_t kSlotInSecond[4] = {0, kNoSlot, 1, kNoSlot};
  triangle(v[0], v[2], fourth, provoking, kSlotInSecond[provoking_slot], 6);
}

bool Draw::primitive(const Assembled& a) {
  const uint32_t corners = a.kind == PrimitiveKind::point ? 1 : a.kind == PrimitiveKind::line ? 2 : 3;
  std::array<ClipVertex, 3> v;
  uint32_t provoking_slot = kNoSlot;
  for (uint32_t i = 0; i < corners; ++i) {
    if (!vertex(a.element[i], v[i])) return false;
    if (a.element[i] == a.provoking) provoking_slot = i;
  }
  // Its attributes only: the position of a provoking vertex that is none of the primitive's corners stays at the default.
  WindowVertex provoking;
  if (provoking_slot != kNoSlot) {
    provoking = v[provoking_slot].window;
  } else {
    ClipVertex p;
    if (!vertex(a.provoking, p)) return false;
    provoking = p.window;
  }
  for (uint32_t i = 0; i < corners; ++i)
    if (Clipper::unusable(v[i])) return true;
  if (a.rectangle)
    rectangle(v, provoking, provoking_slot);
  else if (a.kind == PrimitiveKind::triangle)
    triangle(v[0], v[1], v[2], provoking, provoking_slot, a.edge_flags);
  else if (a.kind == PrimitiveKind::line)
    line(v, provoking, provoking_slot);
  else
    point(v[0]);
  return !ctx_.counters.hung;
}

void Draw::run() {
  const uint32_t type = input_.vf_cntl.PRIM_TYPE(), count = walk_.count();
  if (count == 0) return;
  if (!layout_.complaint.empty()) ctx_.report(ReportKind::bad_register, layout_.complaint + "; it reads as (0,0,0,1)");
  if (!bypass_) {
    program_ = decode_program(ctx_.state);
    if (!program_.complaint.empty()) ctx_.report(ReportKind::bad_register, program_.complaint + "; it does nothing");
  }
  const auto clip = ctx_.state.get<regs::VAP_CLIP_CNTL>();
  const bool user_planes = clip.UCP_ENA_0() | clip.UCP_ENA_1() | clip.UCP_ENA_2() | clip.UCP_ENA_3() | clip.UCP_ENA_4() | clip.UCP_ENA_5();
  if (type == Vf::PRIM_TYPE__POINT_LIST && clipper_.enabled() && user_planes &&
      clip.PS_UCP_MODE() != regs::VAP_CLIP_CNTL::PS_UCP_MODE__CULL_BY_CENTRE_DISTANCE)
    ctx_.report(ReportKind::bad_register, "VAP_CLIP_CNTL.PS_UCP_MODE: points are culled by centre distance only");

  cache_.resize(std::bit_ceil(std::min(count, kMaxCacheEntries)));
  if (!assemble(type, count, color_.PROVOKING_VERTEX(), [this](const Assembled& a) { return primitive(a); }))
    ctx_.report(ReportKind::bad_packet, "reserved VAP_VF_CNTL.PRIM_TYPE " + std::to_string(type) + "; draw skipped");
}

}  // namespace

void run(DrawContext& ctx, const DrawInput& input) {
  const ChipState& state = ctx.state;
  if (state.profile != Profile::r300 && state.get<regs::VAP_CNTL>().VAP_NO_RENDER()) return;
  if (ctx.counters.hung) return;
  Draw(ctx, input).run();
}

}  // namespace pumice::hw::vap
