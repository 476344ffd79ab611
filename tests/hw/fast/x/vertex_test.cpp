// SPDX-License-Identifier: MIT
/// Random extended draws up to GA: the front end of each instruction set against xv::run, bit for bit, with and without a TriangleSink.
/// Which draws: tests/fuzz.h.
#include "hw/radeon/fast/extended/vertex.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <random>
#include <thread>

#include "hw/common/numerics/float_bits.h"
#include "hw/db/formats.h"
#include "hw/radeon/decode/us/numbers.h"
#include "hw/radeon/draw/shape.h"
#include "hw/radeon/ref/xr/raster.h"
#include "hw/radeon/ref/xv/draw.h"
#include "tests/fuzz.h"
#include "tests/hw/fast/cpus.h"
#include "tests/hw/fast/x/random_rig.h"

namespace pumice::hw::x_test {
namespace {

using fast::Cpu;
using Vf = regs::VAP_VF_CNTL;
namespace r5x = regs::r5x;

constexpr uint32_t kAttributes = 6, kBuffers = 4, kVertices = 40;

/// Everything that GA makes of the primitives of a draw, as words.
class Shapes final : public fast::extended::PartSink {
 public:
  void shape(DrawContext& ctx, const Shape& s) override {
    ++seen;
    if (beyond(ctx, s)) return;
    put(uint32_t(s.kind) | uint32_t(s.corners) << 8 | uint32_t(s.back_facing) << 16);
    for (uint32_t i = 0; i < s.corners; ++i) put(uint32_t(s.corner[i].x)), put(uint32_t(s.corner[i].y));
    for (const WindowVertex* v : s.vertex) {
      for (const float f : {v->x, v->y, v->z, v->inv_w, v->point_size}) put(num::bits(f));
      put(x::extended(*v).varying);
    }
    const x::Vertex& flat = x::extended(*s.provoking);
    put(flat.varying);
    put(flat.layer), put(flat.viewport), put(flat.primitive);
  }
  /// As the chip would go on with them.
  bool triangles(DrawContext& ctx, std::span<const fast::raster::Triangle> triangles, const fast::extended::PrimitiveInfo* info) override {
    for (const fast::raster::Triangle& t : triangles) {
      const auto window = [](const float* p) { return reinterpret_cast<const x::Window*>(p); };
      x::Window flat;
      flat.extended = window(t.provoking)->extended;
      flat.extended.primitive = info->number, flat.extended.layer = info->layer, flat.extended.viewport = info->viewport;
      Primitive p{PrimitiveKind::triangle};
      for (uint32_t i = 0; i < 3; ++i) p.v[i] = window(t.vertex[i]);
      p.provoking = &flat;
      ga::primitive(ctx, p);
      ++info, ++taken;
    }
    return false;
  }
  void release() override {}
  void choose_draw(uint32_t) override {}
  std::vector<uint32_t> words;
  uint64_t taken = 0, seen = 0;
  uint32_t varyings = ~0u;  ///< that count

 private:
  /// Triangles that miss all that the viewport and the scissor leave may be dropped anywhere.
  static bool beyond(const DrawContext& ctx, const Shape& s) {
    if (s.kind != PrimitiveKind::triangle) return false;
    const sc::Rectangle box = xr::bounds_of(ctx.state, x::extended(*s.provoking).viewport, true).box;
    const auto all = [&](auto f) {
      return std::all_of(std::begin(s.vertex), std::end(s.vertex), [&](const WindowVertex* v) { return f(*v); });
    };
    return all([&](const WindowVertex& v) { return v.x < float(box.x0) - 0.5f; }) ||
           all([&](const WindowVertex& v) { return v.x > float(box.x1) + 1.5f; }) ||
           all([&](const WindowVertex& v) { return v.y < float(box.y0) - 0.5f; }) ||
           all([&](const WindowVertex& v) { return v.y > float(box.y1) + 1.5f; });
  }
  void put(uint32_t w) { words.push_back(w); }
  void put(const std::array<Vec4, x::kVaryings>& varying) {
    for (uint32_t i = 0; i < varying.size(); ++i)
      for (const float f : varying[i]) put(varyings >> i & 1u ? num::bits(f) : 0);
  }
};

/// Parts of few primitives on three threads.
class SmallParts final : public fast::extended::PartThreads {
 public:
  SmallParts(Shapes& all, const Listener& listener, uint32_t smallest, uint32_t wanted)
      : all_(all), listener_(listener), smallest_(smallest), wanted_(wanted) {}
  uint32_t threads() const override { return 3; }
  uint32_t smallest() const override { return smallest_; }
  uint32_t wanted() const override { return wanted_; }
  const Listener& listener(uint64_t) override { return listener_; }
  void run(DrawContext&, uint32_t parts, uint32_t, const std::function<void(uint32_t, fast::extended::PartSink&)>& make) override {
    std::vector<Shapes> of(parts);
    std::atomic<uint32_t> next = 0;
    const auto work = [&] {
      for (uint32_t i; (i = next++) < parts;) of[i].varyings = all_.varyings, make(i, of[i]);
    };
    std::thread others[] = {std::thread(work), std::thread(work)};
    work();
    for (std::thread& t : others) t.join();
    for (const Shapes& s : of) {
      all_.words.insert(all_.words.end(), s.words.begin(), s.words.end());
      all_.taken += s.taken, all_.seen += s.seen;
    }
    made += parts, several += parts > 1;
  }
  uint64_t made = 0, several = 0;

 private:
  Shapes& all_;
  const Listener& listener_;
  const uint32_t smallest_, wanted_;
};

class XVertex : public RandomRig {
 protected:
  /// Mostly inside or near the volume.
  float coordinate() {
    switch (below(rough_ ? 12 : 40)) {
      case 0: return num::from_bits(random());
      case 1: return num::from_bits(random() & 0x807FFFFFu);
      case 2: return 0.0f;
      case 3: return between(-300, 300);
      case 4: return between(-1e9f, 1e9f);
      case 5: return one_in(2) ? 1.0f : -1.0f;
      default: return between(-1.2f, 1.2f);
    }
  }
  float w() {
    switch (below(rough_ ? 10 : 60)) {
      case 0: return coordinate();
      case 1: return -between(0, 2);
      case 2: return between(0, 1) * 0x1p-70f;
      case 3: return between(0, 1) * 0x1p-100f;
      default: return one_in(2) ? 1.0f : between(0.5f, 3);
    }
  }

  void make(uint32_t seed) {
    engine_.seed(seed);
    rough_ = one_in(4);
    registers();
    attributes();
    shader();
    sequence();
    clipping_and_stipple();
    set(r5x::X_BUDGET{one_in(4) ? 0 : 1u << 14});  // stages share no other one
  }

  void clipping_and_stipple() {
    auto rs = state->get<r5x::X_RS_CTRL>();
    set(rs.DEPTH_CLIP(one_in(2) ? below(3) : 0).NEGATIVE_DEPTH(one_in(4)));
    set(r5x::X_RS_STIPPLE{}.ENABLE(one_in(4)).PATTERN(one_in(4) ? 0xFFFF : below(65536)).LENGTH(one_in(2) ? 0 : below(40)));
    set(regs::GA_LINE_STIPPLE_CONFIG{}.LINE_RESET(below(3)));
  }

  void registers() {
    const bool viewports = one_in(4), layers = one_in(4);
    for (uint32_t n = 0; n < 16; ++n) {
      set_float<r5x::X_VIEWPORT_XSCALE>(between(1, 400), n), set_float<r5x::X_VIEWPORT_XOFFSET>(between(0, 400), n);
      set_float<r5x::X_VIEWPORT_YSCALE>(between(-400, 400), n), set_float<r5x::X_VIEWPORT_YOFFSET>(between(0, 400), n);
      set_float<r5x::X_VIEWPORT_ZSCALE>(one_in(2) ? 1 : between(-1, 1), n),
          set_float<r5x::X_VIEWPORT_ZOFFSET>(one_in(2) ? 0 : between(0, 1), n);
    }
    clips_ = one_in(3) ? random() & 0xFF : 0, culls_ = one_in(3) ? random() & 0xFF : 0;
    set(r5x::X_VS_CTRL{}.CLIP_DISTANCES(clips_).CULL_DISTANCES(culls_).VIEWPORT(viewports).LAYER(layers).POINT_SIZE(1));
    set(r5x::X_RS_CTRL{}.LAST_PROVOKING(random() & 1).DEPTH_CLAMP(one_in(3)).DISCARD(one_in(6)));
    set(regs::GA_POINT_MINMAX{}.MIN_SIZE(1).MAX_SIZE(60000));
    set(regs::GA_LINE_CNTL{}.WIDTH(6).END_TYPE(3));
    set(r5x::X_DRAW_INSTANCES{one_in(2) ? below(3) : 1 + below(40)});
    set(r5x::X_DRAW_FIRST_INSTANCE{below(3)});
    set(r5x::X_DRAW_BASE_VERTEX{one_in(2) ? 0u : one_in(8) ? random() : 0u - below(5)});
    set(r5x::X_DRAW_NUMBER{below(100)});
    set(r5x::X_QUERY_CTRL{}.STATISTICS(one_in(2)));
  }

  void attributes() {
    for (uint32_t b = 0; b < kBuffers; ++b) {
      const uint32_t size = one_in(8) ? below(200) : kVertices * 64;
      if (!buffer_[b]) buffer_[b] = allocate(kVertices * 64 + 64);
      for (uint32_t i = 0; i < kVertices * 16; ++i) dwords(buffer_[b])[i] = one_in(10) ? random() : bits(coordinate());
      set(r5x::X_VTX_BUFFER_LO{uint32_t(buffer_[b]) + (one_in(4) ? below(16) : 0)}, b);
      set(r5x::X_VTX_BUFFER_HI{uint32_t(buffer_[b] >> 32)}, b);
      set(r5x::X_VTX_BUFFER_SIZE{size}, b);
      set(r5x::X_VTX_BUFFER_STRIDE{one_in(10) ? below(80) : 4 * below(16)}, b);
    }
    for (uint32_t v = 0; v < kVertices; ++v) {
      const float position[4] = {coordinate(), coordinate(), !rough_ && !one_in(6) ? between(0, 0.5f) : coordinate(), w()};
      std::memcpy(dwords(buffer_[0]) + 16 * v, position, 16);
    }
    set(r5x::X_VTX_BUFFER_LO{uint32_t(buffer_[0])}, 0);
    set(r5x::X_VTX_BUFFER_STRIDE{64}, 0);
    for (uint32_t a = 0; a < kAttributes; ++a) {
      uint32_t format = 1 + below(formats::kFormats - 1);
      if (a == 0 || one_in(3)) format = 109;  // R32G32B32A32_SFLOAT
      const uint32_t rate = a == 0 || one_in(2) ? 0 : one_in(3) ? ~0u : 1 + below(3);
      set(r5x::X_VTX_ATTR_FORMAT{}
              .BUFFER(a == 0 ? 0 : below(kBuffers))
              .FORMAT(format)
              .OFFSET(a == 0       ? 0
                      : one_in(10) ? below(70)
                                   : 4 * below(12)),
          a);
      set(r5x::X_VTX_ATTR_RATE{rate}, a);
    }
  }

  /// Attribute `a` in r[a + 1], then exports, some of them computed or for some lanes only.
  void shader() {
    std::vector<Instruction> code;
    for (uint8_t a = 0; a < kAttributes; ++a) code.push_back(X{.op = XOp::LDA, .dest = uint8_t(a + 1), .mask = kXyzw, .immediate = a});
    const auto system = [&] { return uint32_t(16 + below(6)); };
    code.push_back(X{.op = XOp::SYS, .dest = 8, .mask = kXyzw, .immediate = 16});
    code.push_back(X{.op = XOp::SYS, .dest = 9, .mask = kXyzw, .immediate = system()});
    code.push_back(xi(XiOp::AND, 10, kXyzw, r(8).x(), n(uint8_t(below(32)))));
    code.push_back(alu(AluOp::MAD, 11, kXyzw, r(2), c(0), r(uint8_t(1 + below(kAttributes)))));
    code.push_back(xi(XiOp::AND, 12, kXyzw, r(9).x(), n(uint8_t(below(32)))));
    code.push_back(alu(AluOp::MAD, 13, kXyzw, r(1), c(1).x(), c(2)));
    if (one_in(3)) {
      if (!low_) {
        low_ = allocate_low(kPageBytes);
        for (uint32_t i = 0; i < kPageBytes / 4; ++i) dwords(low_)[i] = bits(between(-2, 2));
      }
      code.push_back(xi(XiOp::IMAD, 13, kX, r(10), n(16), c(3).x(uint8_t(one_in(8)))));
      code.push_back(X{.op = XOp::LDB,
                       .dest = 13,
                       .mask = uint8_t(1 + below(15)),
                       .source = 13,
                       .components = uint8_t(1 + below(4)),
                       .descriptor = {.set = x::kWholeMemory}});
    }
    const auto value = [&] { return uint8_t(1 + below(13)); };
    const auto exports = [&](uint32_t slot, uint8_t mask, uint8_t source) {
      code.push_back(X{.op = XOp::EXP, .mask = mask, .source = source, .immediate = slot});
    };
    if (!one_in(20)) exports(16, one_in(10) ? uint8_t(1 + below(15)) : kXyzw, one_in(4) ? 13 : 1);
    for (uint32_t i = below(10); i > 0; --i) exports(32 + below(32), uint8_t(1 + below(15)), value());
    if (!one_in(5)) exports(17, kX, value());
    exports(18, kX, 10), exports(19, kX, one_in(2) ? 12 : 10);
    for (uint32_t s = 20; s < 24; ++s)
      if (!one_in(4)) exports(s, one_in(3) ? uint8_t(1 + below(15)) : kXyzw, one_in(3) ? value() : 13);
    if (one_in(2)) {  // in half of the lanes only
      code.push_back(test_not_zero(r(10).x()));
      const size_t begin = code.size();
      code.push_back(flow(Jump::if_, 0));
      for (uint32_t i = 1 + below(3); i > 0; --i) exports(one_in(4) ? 16 : one_in(4) ? 17 : 32 + below(4), uint8_t(1 + below(15)), value());
      code[begin].flow.target = uint16_t(code.size() + 1);
      code.push_back(flow(Jump::endif, uint16_t(code.size() + 1)));
    }
    // The last: memory, and nearly its end.
    vertex_program(code, {{number(), number(), number(), number()},
                          {bits(0.5f), 0, 0, 0},
                          {bits(0.1f), bits(0.2f), bits(0.3f), bits(0.4f)},
                          {uint32_t(low_) + 16, uint32_t(low_ + kPageBytes) - 100}});
  }
  void vertex_program(const std::vector<Instruction>& code, const std::vector<Bits4>& literals = {}) {
    program(code, literals);
    for (uint32_t i = 0; i < 4; ++i) state->reg[r5x::X_VS_CODE_LO::offset / 4 + i] = state->raw(r5x::X_CS_CODE_LO::offset + 4 * i);
    programs.invalidate();
  }
  uint32_t number() { return bits(between(-2, 2)); }

  void sequence() {
    constexpr uint32_t kTypes[] = {Vf::PRIM_TYPE__POINT_LIST,    Vf::PRIM_TYPE__LINE_LIST,      Vf::PRIM_TYPE__LINE_STRIP,
                                   Vf::PRIM_TYPE__TRIANGLE_LIST, Vf::PRIM_TYPE__TRIANGLE_STRIP, Vf::PRIM_TYPE__TRIANGLE_FAN,
                                   Vf::PRIM_TYPE__TRIANGLE_LIST, Vf::PRIM_TYPE__TRIANGLE_STRIP, Vf::PRIM_TYPE__QUAD_LIST};
    const bool indexed = !one_in(3), wide = one_in(2);
    const uint32_t count = one_in(10) ? below(4) : one_in(8) ? below(1500) : below(200);
    const bool restart = one_in(2);
    set(r5x::X_DRAW_CTRL{}.RESTART(restart).ADJACENCY(one_in(5)));
    const uint32_t instances = state->get<r5x::X_DRAW_INSTANCES>().raw;
    if (count > 200 && instances > 4) set(r5x::X_DRAW_INSTANCES{2});
    data_.assign(wide ? count : (count + 1) / 2, 0);
    const uint32_t range = one_in(4) ? 3 : kVertices + 2;
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t index = restart && one_in(7) ? ~0u : one_in(3) ? i % range : below(range);
      if (wide)
        data_[i] = index;
      else
        data_[i / 2] |= (index & 0xFFFF) << 16 * (i & 1);
    }
    if (!indexed) data_.clear();
    vf_ = Vf{}.PRIM_TYPE(kTypes[below(std::size(kTypes))])
              .PRIM_WALK(indexed ? Vf::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY : Vf::PRIM_WALK__SEQUENTIAL_VERTICES_FROM_MEMORY)
              .INDEX_SIZE(wide ? Vf::INDEX_SIZE__N32_BIT : 0)
              .NUM_VERTICES(count);
  }

  template <class F>
  std::vector<uint32_t> shapes(Shapes& sink, F f) {
    counters = {};
    counters.instructions_left = 1u << 30;
    reports.clear();
    DrawContext ctx{*state, *memory, counters, config};
    ctx.programs = &programs;
    ctx.sink = &sink;
    f(ctx);
    if (!sink.words.empty()) sink.words.push_back(counters.stipple);
    const PipelineCounts& c = counters.counts;
    if (c != PipelineCounts{})
      for (const uint64_t n : {c.vertices, c.primitives, c.vertex_invocations, c.clip_invocations, c.clip_primitives})
        sink.words.push_back(uint32_t(n));
    return std::move(sink.words);
  }

  bool rough_ = false;
  uint32_t clips_ = 0, culls_ = 0;
  uint64_t low_ = 0;
  std::array<uint64_t, kBuffers> buffer_{};
  std::vector<uint32_t> data_;
  Vf vf_;
};

TEST_F(XVertex, SamePrimitivesAsTheReference) {
  const FuzzRange range = fuzz_range(200);
  uint64_t some = 0, direct = 0, parts = 0, waves = 0;
  std::vector<std::unique_ptr<fast::extended::Routines>> routines;
  std::vector<std::unique_ptr<fast::extended::VertexFront>> fronts;
  for (const Cpu cpu : fast::cpus()) {
    routines.push_back(std::make_unique<fast::extended::Routines>(cpu, fast::CodeNames{}));
    fronts.push_back(std::make_unique<fast::extended::VertexFront>(cpu, *routines.back()));
  }
  for (uint32_t seed = range.first; seed < range.end(); ++seed) {
    make(seed);
    const DrawInput input{vf_, data_};
    Shapes sink;
    const uint32_t varyings = sink.varyings = one_in(2) ? ~0u : random();
    const auto wanted = shapes(sink, [&](DrawContext& ctx) { xv::run(ctx, input); });
    const auto reported = reports;
    some += sink.seen != 0;
    enum class To { reference_ga, own_sink, small_parts };
    for (auto& front : fronts)
      for (const To to : {To::reference_ga, To::own_sink, To::small_parts}) {
        Shapes other;
        other.varyings = varyings;
        SmallParts small(other, config, 2 + seed % 40, 1 + seed % 300);
        const auto got = shapes(other, [&](DrawContext& ctx) {
          front->run(ctx, input, {}, to == To::reference_ga ? nullptr : &other, varyings, to == To::small_parts ? &small : nullptr);
        });
        parts += small.made, waves += small.several;
        ASSERT_EQ(got.size(), wanted.size()) << rerun(seed);
        if (!got.empty()) {
          ASSERT_EQ(std::memcmp(got.data(), wanted.data(), 4 * got.size()), 0) << rerun(seed);
        }
        ASSERT_EQ(reports, reported) << rerun(seed);
        direct += other.taken;
      }
  }
  if (!range.usual) return;
  EXPECT_GT(some, range.count / 2);
  EXPECT_GT(direct, 10'000u);
  EXPECT_GT(parts, 2 * range.count);
  EXPECT_GT(waves, range.count / 4);
  for (const auto& front : fronts) {
    const auto& s = front->statistics();
    EXPECT_GT(s.draws, range.count);  // of twice as many
    EXPECT_GT(s.slow, 1'000u);
    EXPECT_GT(2 * s.primitives, 3 * s.slow);  // vertices outside of their buffers have w = 0
    EXPECT_GT(s.vertices, 8 * s.batches);
  }
}

/// Runs of vertices out of view, whose varyings wait until something of a segment is seen.
TEST_F(XVertex, PartsOutOfView) {
  constexpr uint32_t kMany = 8000, kTypes[] = {Vf::PRIM_TYPE__TRIANGLE_LIST, Vf::PRIM_TYPE__TRIANGLE_LIST, Vf::PRIM_TYPE__TRIANGLE_STRIP,
                                               Vf::PRIM_TYPE__LINE_LIST};
  const uint64_t large = allocate(kMany * 64);
  for (const Cpu cpu : fast::cpus()) {
    fast::extended::Routines routines(cpu, {});
    fast::extended::VertexFront front(cpu, routines);
    uint64_t indexed_positions = 0;  // batches of draws whose vertices may be found again
    uint64_t positions_of_parts = 0;
    for (uint32_t seed = 0; seed < 48; ++seed) {
      make(seed);
      const uint32_t length = 300 + below(1200);
      for (uint32_t v = 0; v < kMany; ++v) {
        const bool away = v / length % 3 != 1;
        const float position[4] = {away ? between(3, 4) : between(-1, 1), between(-1, 1), 0.25f, 1};
        std::memcpy(dwords(large) + 16 * v, position, 16);
      }
      set(r5x::X_VTX_BUFFER_LO{uint32_t(large)}, 0), set(r5x::X_VTX_BUFFER_HI{uint32_t(large >> 32)}, 0);
      set(r5x::X_VTX_BUFFER_SIZE{kMany * 64}, 0);
      set(r5x::X_DRAW_BASE_VERTEX{0}), set(r5x::X_DRAW_INSTANCES{1 + below(2)}), set(r5x::X_DRAW_CTRL{});
      const bool indexed = one_in(2);
      data_.clear();
      for (uint32_t i = 0; indexed && i < kMany; ++i) data_.push_back(i - std::min(i, below(one_in(8) ? 350 : 12)));
      const DrawInput input{
          Vf{}.PRIM_TYPE(kTypes[below(std::size(kTypes))])
              .PRIM_WALK(indexed ? Vf::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY : Vf::PRIM_WALK__SEQUENTIAL_VERTICES_FROM_MEMORY)
              .INDEX_SIZE(Vf::INDEX_SIZE__N32_BIT)
              .NUM_VERTICES(kMany),
          data_};
      Shapes sink, other;
      const uint64_t before = front.statistics().positions;
      const auto wanted = shapes(sink, [&](DrawContext& ctx) { xv::run(ctx, input); });
      SmallParts parts(other, config, 30 + below(200), 300 + below(4000));
      const bool in_parts = seed % 4 == 1;
      const auto got = shapes(
          other, [&](DrawContext& ctx) { front.run(ctx, input, {}, seed % 8 ? &other : nullptr, ~0u, in_parts ? &parts : nullptr); });
      if (in_parts) positions_of_parts += front.statistics().positions - before;
      if (indexed) indexed_positions += front.statistics().positions - before;
      ASSERT_EQ(got.size(), wanted.size()) << seed;
      ASSERT_TRUE(got.empty() || !std::memcmp(got.data(), wanted.data(), 4 * got.size())) << seed;
    }
    EXPECT_GT(front.statistics().positions, 500u);
    EXPECT_GT(indexed_positions, 200u);
    EXPECT_GT(positions_of_parts, 20u);  // how many depends on which thread takes which piece: 49 and more seen
    EXPECT_GT(front.statistics().batches, 2 * front.statistics().positions);
  }
}

/// The chip hangs, whether all instructions count together or those of each group.
TEST_F(XVertex, EndlessProgramsHang) {
  const DrawInput input{
      Vf{}.PRIM_TYPE(Vf::PRIM_TYPE__TRIANGLE_LIST).PRIM_WALK(Vf::PRIM_WALK__SEQUENTIAL_VERTICES_FROM_MEMORY).NUM_VERTICES(300), {}};
  vertex_program({flow(Jump::loop, 3), xi(XiOp::IADD, 0, kX, r(0), n(1)), flow(Jump::endloop, 1)});
  for (const Cpu cpu : fast::cpus())
    for (const uint32_t budget : {0u, 1u}) {
      set(r5x::X_BUDGET{budget});
      fast::extended::Routines routines(cpu, {});
      fast::extended::VertexFront front(cpu, routines);
      Shapes sink;
      EXPECT_TRUE(shapes(sink, [&](DrawContext& ctx) {
                    ctx.counters.instructions_left = 1u << 20;
                    front.run(ctx, input, {}, &sink);
                  }).empty());
      EXPECT_EQ(front.statistics().draws, 1u);
      EXPECT_EQ(sink.taken, 0u);
      EXPECT_TRUE(counters.hung);
      EXPECT_EQ(counters.instructions_left, budget ? 1u << 20 : 0u);
      SmallParts parts(sink, config, 10, 40);
      EXPECT_TRUE(shapes(sink, [&](DrawContext& ctx) {
                    ctx.counters.instructions_left = 1u << 20;
                    front.run(ctx, input, {}, &sink, ~0u, &parts);
                  }).empty());
      EXPECT_EQ(parts.made > 1, budget != 0) << "instructions that count together are one thread's";
      EXPECT_LT(parts.made, 10u) << "nothing more is made once one hangs";
      EXPECT_EQ(sink.taken, 0u);
      EXPECT_TRUE(counters.hung);
    }
}

/// How often a vertex is shaded can be seen then, and in which order.
TEST_F(XVertex, ProgramsThatWriteMemoryAreTheReferences) {
  const uint64_t counter = allocate(4096);
  buffer(0, counter, 4096);
  set(r5x::X_GFX_SET_LO{uint32_t(sets)}), set(r5x::X_GFX_SET_HI{uint32_t(sets >> 32)});
  vertex_program({
      xi(XiOp::MOV, 1, kX, n(1)),
      X{.op = XOp::ATB, .dest = 2, .mask = kX, .source = 0, .src2 = 1, .descriptor = at(0)},
      X{.op = XOp::EXP, .mask = kX, .source = 2, .immediate = 32},
  });
  data_ = {0, 1, 2, 2, 1, 3, 0, 1, 4};
  const DrawInput input{Vf{}.PRIM_TYPE(Vf::PRIM_TYPE__TRIANGLE_LIST)
                            .PRIM_WALK(Vf::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY)
                            .INDEX_SIZE(Vf::INDEX_SIZE__N32_BIT)
                            .NUM_VERTICES(9),
                        data_};
  for (const Cpu cpu : fast::cpus()) {
    *dwords(counter) = 0;
    fast::extended::Routines routines(cpu, {});
    fast::extended::VertexFront front(cpu, routines);
    Shapes sink;
    shapes(sink, [&](DrawContext& ctx) { front.run(ctx, input, {}, &sink); });
    EXPECT_EQ(front.statistics().draws, 0u);
    EXPECT_EQ(*dwords(counter), 5u);
    EXPECT_FALSE(counters.hung);
  }
}

}  // namespace
}  // namespace pumice::hw::x_test
