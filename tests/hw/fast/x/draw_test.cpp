// SPDX-License-Identifier: MIT
/// Random sequences of extended draws on the fast executor of each instruction set, queued, with one and with several threads, against the
/// reference: targets and counts of samples bit for bit. Which sequences: tests/fuzz.h.
#include <algorithm>
#include <cstring>

#include "hw/common/threads/team.h"
#include "hw/radeon/fast/draw/check.h"
#include "hw/radeon/fast/make.h"
#include "hw/radeon/footprint/extended.h"
#include "tests/fuzz.h"
#include "tests/hw/fast/cpus.h"
#include "tests/hw/fast/x/draw_rig.h"

namespace pumice::hw::x_test {
namespace {

class XDraw : public DrawRig {
 protected:
  /// Blending by the program: what a target holds at the pixel, or, rarely, beside it.
  void read_target(std::vector<Instruction>& f) {
    f.push_back(X{.op = XOp::SYS, .dest = 6, .mask = kXyzw, .immediate = 0});
    f.push_back(xi(XiOp::F2I, 6, kXyzw, r(6)));
    if (one_in(4)) f.push_back(xi(XiOp::MOV, 6, kXyzw, r(6)));
    if (one_in(12)) f.push_back(xi(XiOp::IADD, 6, kX, r(6), n(1)));
    f.push_back(xi(XiOp::MOV, 7, kXyzw, n(0)));
    f.push_back(xi(XiOp::MOV, 6, uint8_t(kXyzw & ~3), n(0)));
    f.push_back(
        X{.op = XOp::FETCH, .dest = 7, .mask = kXyzw, .source = 6, .src2 = 7, .descriptor = at(kTargetAt + 2 * (one_in(5) ? 1 : 0))});
    if (one_in(8)) f.push_back(xi(XiOp::DDXF, 7, kXyzw, r(7)));
    f.push_back(alu(AluOp::MAD, 5, kXyzw, r(7), c(0), r(5)));
  }
  static uint32_t word_of(const Selector& s) { return uint32_t(s.set) | s.offset << 14; }

  void stage(const std::vector<Instruction>& code, uint32_t first) {
    const auto low = [&](uint32_t n, uint32_t offset) { return uint32_t(low_[n]) + offset; };
    program(code, {{bits(0.25f), bits(0.5f), bits(0.75f), bits(1)},
                   {},
                   {},
                   {},
                   {low(0, 0), low(1, 0), low(0, 2 * kPageBytes - kRead - 100), low(1, kPageBytes - kRead - 100)}});
    for (uint32_t i = 0; i < 4; ++i) state->reg[first / 4 + i] = state->raw(r5x::X_CS_CODE_LO::offset + 4 * i);
  }
  void shaders() {
    const auto exports = [](uint32_t slot, uint8_t mask, uint8_t source) {
      return X{.op = XOp::EXP, .mask = mask, .source = source, .immediate = slot};
    };
    std::vector<Instruction> v;
    for (uint8_t a = 0; a < 4; ++a) v.push_back(X{.op = XOp::LDA, .dest = uint8_t(a + 1), .mask = kXyzw, .immediate = a});
    if (!binds_ && one_in(4)) {  // what draws that are drawn together must not read
      v.push_back(X{.op = XOp::SYS, .dest = 7, .mask = kX, .immediate = one_in(2) ? 18u : 20u});
      v.push_back(xi(XiOp::U2F, 3, kX, r(7)));
    }
    if (binds_ || one_in(2)) constants(v, one_in(3) ? 1 : 2, 2);
    v.push_back(xi(XiOp::MOV, 5, kX, r(4).x(1)));
    v.push_back(xi(XiOp::MOV, 6, kX, r(4).x(2)));
    for (const X& x : {exports(16, kXyzw, 1), exports(32, kXyzw, 2), exports(33, kXyzw, 3), exports(34, kXyzw, 2), exports(17, kX, 6),
                       exports(18, kX, 4), exports(19, kX, 5)})
      v.push_back(x);
    stage(v, r5x::X_VS_CODE_LO::offset);
    if (!small_ && one_in(8)) return set(r5x::X_FS_CODE_SIZE{});  // no fragment program
    if (!small_ && one_in(6)) {                                   // one colour of each draw
      std::vector<Instruction> one;
      constants(one, 5, 5);
      for (const X& x : {exports(0, kXyzw, 5), exports(1, kXyzw, 5)}) one.push_back(x);
      return stage(one, r5x::X_FS_CODE_LO::offset);
    }
    if (!small_ && one_in(4))  // one colour
      return stage({xi(XiOp::MOV, 5, kXyzw, c(0)), exports(0, kXyzw, 5), exports(1, kXyzw, 5)}, r5x::X_FS_CODE_LO::offset);
    std::vector<Instruction> f;
    for (uint8_t n = 0; n < 3; ++n) f.push_back(X{.op = XOp::LDV, .dest = uint8_t(n + 1), .mask = kXyzw, .immediate = n});
    f.push_back(X{.op = XOp::SYS, .dest = 4, .mask = kXyzw, .immediate = small_ ? below(2) : below(11)});
    f.push_back(alu(AluOp::MAD, 5, kXyzw, r(1), c(0), r(uint8_t(2 + below(2)))));
    if (one_in(2)) f.push_back(xi(XiOp::U2F, 5, kXyzw, r(4)));
    if (one_in(3)) constants(f, 5, 5);
    if (one_in(4)) f.push_back(xi(XiOp::DDXF, 5, kXyzw, r(1)));
    if (one_in(6)) turns(f);
    if (textured_) {
      Instruction x = X{.op = XOp::SAMPLE, .dest = 7, .mask = kXyzw, .source = uint8_t(1 + below(3)), .descriptor = at(kImageAt)};
      x.tex.x.immediate = word_of(at(kSamplerAt));
      f.push_back(x);
      f.push_back(one_in(2) ? xi(XiOp::MOV, 5, kXyzw, r(7)) : alu(AluOp::MAD, 5, kXyzw, r(7), c(0), r(5)));
    }
    if (feeds_back_) {
      if (!one_in(4)) read_target(f);
    } else if (one_in(small_ ? 8 : 3)) {
      by_address(f);
    }
    if (one_in(3)) across(f);
    if (one_in(4)) {
      f.push_back(xi(XiOp::FLT, 6, kX, r(2), c(0)));
      f.push_back(X{.op = XOp::KILL, .source = 6});
    }
    f.push_back(exports(0, kXyzw, 5)), f.push_back(exports(1, kXyzw, uint8_t(1 + below(3))));
    stage(f, r5x::X_FS_CODE_LO::offset);
  }

  /// Adds four constants of the draw to temp `from`: push constants or a buffer's, at a known offset or, rarely, one of the lane's.
  void constants(std::vector<Instruction>& code, uint8_t to, uint8_t from) {
    const bool push = one_in(2);
    code.push_back(xi(XiOp::MOV, 7, kX, n(0)));
    if (one_in(6)) {
      code.push_back(xi(XiOp::F2U, 7, kX, r(from)));
      code.push_back(xi(XiOp::AND, 7, kX, r(7), n(12)));
    }
    if (one_in(8)) {
      code.push_back(xi(XiOp::FLT, 6, kX, r(from), c(0)));
      code.push_back(test_not_zero(r(6).x()));
      code.push_back(flow(Jump::if_, 0));
    }
    const bool branches = code.back().type == isa::us_r500::Type::FLOW_CONTROL;
    const size_t begin = code.size() - 1;
    code.push_back(X{.op = push ? XOp::LDU : XOp::LDC,
                     .dest = 7,
                     .mask = kXyzw,
                     .source = 7,
                     .components = uint8_t(1 + below(4)),
                     .immediate = 4 * below(4),
                     .descriptor = push ? Selector{} : at(kConstantsAt)});
    code.push_back(alu(AluOp::MAD, to, kXyzw, r(7), c(0), r(from)));
    if (!branches) return;
    code.push_back(flow(Jump::endif, uint16_t(code.size() + 1)));
    code[begin].flow.target = uint16_t(code.size());
  }
  /// A loop of less than eight turns, as many as an input says.
  void turns(std::vector<Instruction>& f) {
    constexpr uint8_t kY = 2;
    f.push_back(xi(XiOp::F2U, 6, kX, r(uint8_t(1 + below(3)))));
    f.push_back(xi(XiOp::AND, 6, kX, r(6), n(7)));
    f.push_back(xi(XiOp::MOV, 6, kY, n(0)));
    const size_t begin = f.size();
    f.push_back(flow(Jump::loop, 0));
    f.push_back(xi(XiOp::IEQ, 7, kX, r(6), r(6).x(1)));
    f.push_back(test_not_zero(r(7).x()));
    const auto end = uint16_t(begin + 7);
    f.push_back(flow(Jump::break_, end));
    f.push_back(alu(AluOp::MAD, 5, kXyzw, r(5), c(0), r(1)));
    f.push_back(xi(XiOp::IADD, 6, kY, r(6), n(1)));
    f.push_back(flow(Jump::endloop, uint16_t(begin + 1)));
    f[begin].flow.target = end;
  }
  /// Bindings of a draw: another set, other push constants, or some of both.
  std::vector<RegisterValue> bindings() {
    std::vector<RegisterValue> out;
    const uint64_t set = kept_ + 64 * below(kSets), push = kept_ + 64 * kSets + 16 * below(kPushes);
    if (!textured_ && !feeds_back_ && one_in(2))
      out.push_back({r5x::X_GFX_SET_LO::offset, uint32_t(set)}), out.push_back({r5x::X_GFX_SET_HI::offset, uint32_t(set >> 32)});
    if (one_in(2)) out.push_back({r5x::X_GFX_PUSH_LO::offset, uint32_t(push)});
    if (one_in(8)) out.push_back({r5x::X_GFX_PUSH_SIZE::offset, one_in(2) ? 32u : 4 * below(9)});
    return out;
  }
  /// Loads and additions at addresses; some in a gap.
  void by_address(std::vector<Instruction>& f) {
    if (!low_[0]) low_[0] = allocate_low(2 * kPageBytes), low_[1] = allocate_low(kPageBytes);
    gaps_ = true;
    const Src from = n(uint8_t(below(2) ? 8 : 4 * below(20)));  // of c[4]
    f.push_back(xi(XiOp::F2U, 7, kX, r(uint8_t(1 + below(3))).x(uint8_t(below(4)))));
    f.push_back(xi(XiOp::AND, 7, kX, r(7), n(uint8_t(below(64)))));
    f.push_back(xi(XiOp::IMAD, 7, kX, r(7), n(uint8_t(4 * below(16))), from));
    f.push_back(xi(XiOp::IADD, 7, kX, r(7), c(4).x(uint8_t(one_in(6) ? below(4) : below(2)))));
    const Selector all{.set = x::kWholeMemory};
    if (one_in(3)) f.push_back(X{.op = XOp::ATB, .source = 7, .src2 = 4, .components = uint8_t(1 + below(2)), .descriptor = all});
    if (one_in(6)) return;
    f.push_back(X{
        .op = XOp::LDB, .dest = 7, .mask = kXyzw, .source = 7, .components = uint8_t(1 + below(4)), .immediate = kRead, .descriptor = all});
    f.push_back(xi(XiOp::U2F, 5, kXyzw, r(7)));
  }

  /// An operation over the lanes of a quad, of which some are discarded or wait.
  void across(std::vector<Instruction>& f) {
    using isa::us_r500::SubOp;
    if (one_in(2)) {
      f.push_back(xi(XiOp::FLT, 6, kX, r(2), c(0)));
      f.push_back(X{.op = XOp::KILL, .source = 6});
    }
    const bool branches = one_in(2);
    const size_t begin = f.size() + 1;
    if (branches) {
      f.push_back(xi(XiOp::FLT, 6, kX, r(3), c(0)));
      f.push_back(test_not_zero(r(6).x()));
      f.push_back(flow(Jump::if_, 0));
    }
    static constexpr XOp kOps[] = {XOp::BALLOT, XOp::SHUFFLE, XOp::FIRST, XOp::REDUCE, XOp::SCANI, XOp::SCANX, XOp::SYS, XOp::WIDE};
    static constexpr SubOp kSubs[] = {SubOp::ADD, SubOp::SMIN, SubOp::SMAX, SubOp::UMIN, SubOp::UMAX,
                                      SubOp::AND, SubOp::OR,   SubOp::XOR,  SubOp::MUL};
    X x{.op = kOps[below(8)], .dest = uint8_t(5 + below(2)), .mask = uint8_t(1 + below(15)), .source = uint8_t(1 + below(4))};
    if (x.op == XOp::SHUFFLE) {
      f.push_back(xi(XiOp::AND, 7, kX, r(4), n(7)));
      x.src2 = 7;
    }
    if (x.op == XOp::SYS) x.source = 0, x.immediate = 48;
    if (x.op == XOp::WIDE) {
      x.src2 = uint8_t(1 + below(4)), x.src3 = uint8_t(1 + below(4));
      x.components = one_in(2) ? 2 : 4;
      x.immediate = below(uint32_t(isa::us_r500::kWideOps.size()));
    }
    if (x.op >= XOp::REDUCE && x.op <= XOp::SCANX) {
      x.sub = kSubs[below(9)];
      x.is_float = one_in(2) && (x.sub <= SubOp::SMAX || x.sub == SubOp::MUL);
    }
    f.push_back(x);
    if (branches) {
      f.push_back(flow(Jump::endif, uint16_t(f.size() + 1)));
      f[begin + 1].flow.target = uint16_t(f.size());
    }
    if (one_in(2)) f.push_back(xi(XiOp::U2F, 5, kXyzw, r(x.dest)));
  }

  DrawInput sequence() {
    constexpr uint32_t kTypes[] = {Vf::PRIM_TYPE__POINT_LIST,    Vf::PRIM_TYPE__LINE_LIST,      Vf::PRIM_TYPE__TRIANGLE_LIST,
                                   Vf::PRIM_TYPE__TRIANGLE_LIST, Vf::PRIM_TYPE__TRIANGLE_STRIP, Vf::PRIM_TYPE__TRIANGLE_LIST};
    return {Vf{}.PRIM_TYPE(kTypes[binds_ ? 2 + below(4) : below(6)])
                .PRIM_WALK(Vf::PRIM_WALK__SEQUENTIAL_VERTICES_FROM_MEMORY)
                .NUM_VERTICES(3 + below(kVertices - 2)),
            {}};
  }

  struct Draw {
    ChipState state{Profile::r5x};
    DrawInput input;
    std::vector<NextDraw> more;  ///< that follow it
    std::vector<std::vector<RegisterValue>> bindings;
    bool together = true;  ///< by draw_more(); or one by one, without other changes
  };
  /// Smaller ones of the same state.
  void more(Draw& to) {
    const DrawInput& first = to.input;
    std::vector<NextDraw>& draws = to.more;
    draws.resize(!binds_ && one_in(2) ? 0 : 1 + below(20));
    const bool buffers_move = !binds_ && one_in(3), others = binds_ || (!buffers_move && one_in(2));
    for (NextDraw& d : draws) {
      to.bindings.push_back(others && !one_in(4) ? bindings() : std::vector<RegisterValue>{});
      d.bindings = to.bindings.back();
      d.input = {Vf{first.vf_cntl}.NUM_VERTICES(1 + below(one_in(3) ? kVertices : 9)), {}};
      d.base_vertex = one_in(20) ? random() : below(kVertices);
      d.number = below(9);
      if (!buffers_move) continue;
      d.base_vertex %= 1u << 30;
      d.moved = one_in(3) ? 0 : below(kVertices), d.moved_buffers = 1;
    }
  }
  void make(uint32_t seed) {
    engine_.seed(seed);
    draws_.clear();
    surfaces();
    gaps_ = false;
    constant_memory();
    if (textured_ = small_ || (!binds_ && one_in(2)); textured_) texture();
    if (feeds_back_) targets_as_images();
    for (uint32_t n = 1 + below(5); n > 0; --n) {
      draw_registers();
      vertices();
      shaders();
      const DrawInput input = sequence();
      Draw& draw = draws_.emplace_back(Draw{*state, input, {}, {}, binds_ || !one_in(3)});
      more(draw);
      if (!feeds_back_) continue;
      programs.invalidate();
      footprint::ExtendedDraws footprints(*memory);
      const auto touched = footprints.of(
          *state, {programs.find(*state, *memory, x::Stage::vertex), programs.find(*state, *memory, x::Stage::fragment), {}, {}});
      fed_back_ += touched.tiles && touched.feeds_back;
    }
  }
  /// What a sequence leaves: the targets, and what is counted.
  std::vector<uint32_t> results() {
    std::vector<uint32_t> out{counters.zpass, counters.stipple};
    const PipelineCounts& c = counters.counts;
    for (const uint64_t n : {c.vertices, c.primitives, c.vertex_invocations, c.clip_invocations, c.clip_primitives, c.fragment_invocations})
      out.push_back(uint32_t(n));
    for (const uint64_t low : low_)
      if (low) out.insert(out.end(), dwords(low), dwords(low) + kRead / 4);
    for (const Target& t : {color_[0], color_[1], depth_}) out.insert(out.end(), dwords(t.address), dwords(t.address) + t.bytes / 4);
    return out;
  }
  void execute(DrawExecutor& executor) {
    for (const Target& t : color_) std::memset(dwords(t.address), 0, t.bytes);
    for (const uint64_t low : low_)
      if (low)
        for (uint32_t i = 0; i < kPageBytes / 4; ++i) dwords(low)[i] = i * 4 < kRead ? 0 : i * 7919u;
    std::fill_n(dwords(depth_.address), depth_.bytes / 4, cleared_word_);
    counters = {};
    reports.clear();
    programs.invalidate();
    for (const Draw& d : draws_) {
      counters.instructions_left = 1u << 30;
      ChipState now = d.state;
      DrawContext ctx{now, *memory, counters, config};
      ctx.draw = ++number_;
      ctx.programs = &programs;
      executor.draw(ctx, d.input);
      if (d.more.empty()) continue;
      counters.instructions_left = (1u << 30) * d.more.size();
      ctx.draw = number_ + 1;
      number_ += d.more.size();
      struct Bindings final : NextBindings {
        explicit Bindings(ChipState& s) : state(s) {}
        void write(const NextDraw& draw) override {
          for (const auto& [offset, value] : draw.bindings) state.reg[offset / 4] = value;
        }
        ChipState& state;
      } bindings(now);
      const size_t drawn = d.together ? executor.draw_more(ctx, d.more, bindings) : 0;
      together_ += drawn;
      bound_ += std::any_of(d.more.begin(), d.more.begin() + ptrdiff_t(drawn), [](const NextDraw& n) { return !n.bindings.empty(); });
      ctx.draw += drawn;
      ChipState of_draw = d.state;
      for (const NextDraw& further : d.more) {
        fast::set_registers(d.state, further, of_draw);
        if (&further < &d.more[drawn]) continue;
        counters.instructions_left = 1u << 30;
        DrawContext one{of_draw, *memory, counters, config};
        one.draw = ctx.draw++;
        Changes changes;
        changes.groups = Changes::kConstants | Changes::kVertexConstants;
        one.changes = &changes;
        one.programs = &programs;
        executor.draw(one, further.input);
      }
    }
  }

  uint64_t compare(const FuzzRange& range);

  static constexpr uint32_t kRead = 2048;  ///< bytes of low memory that are written; those behind them are read
  std::array<uint64_t, 2> low_{};
  bool gaps_ = false;        ///< addresses of the sequence may be those of pages that are missing
  uint64_t number_ = 0;      ///< of draws; a chip never uses one twice
  uint64_t together_ = 0;    ///< draws of draw_more()
  uint64_t bound_ = 0;       ///< calls of it that drew some with bindings of their own
  bool binds_ = false;       ///< most draws are drawn together with others of other bindings
  bool feeds_back_ = false;  ///< programs read targets
  uint64_t fed_back_ = 0;    ///< draws that do, and that run on tiles
  bool textured_ = false;    ///< the draws of the sequence read `texels_`
  std::vector<Draw> draws_;
};

/// Samples that passed.
uint64_t XDraw::compare(const FuzzRange& range) {
  uint64_t passed = 0;
  struct Executor {
    std::unique_ptr<Team> team;
    std::unique_ptr<DrawExecutor> executor;
  };
  std::vector<Executor> executors;
  ReferenceExecutor reference;
  for (const CpuChoice cpu : {CpuChoice::portable, CpuChoice::avx2, CpuChoice::best})
    for (const uint32_t threads : {1u, 3u}) {
      if (!available(cpu) || (cpu == CpuChoice::avx2 && threads > 1)) continue;
      GpuConfig c = config;
      c.cpu = cpu;
      c.executor = ExecutorKind::fast;
      c.collect_after = threads > 1 ? 0 : 20;
      c.part_primitives = 2;
      Executor e{std::make_unique<Team>(threads), nullptr};
      e.executor = hw::make_executor(c, *memory, *e.team);
      executors.push_back(std::move(e));
    }
  for (uint32_t seed = range.first; seed < range.end(); ++seed) {
    make(seed);
    execute(reference);
    const auto wanted = results();
    const auto reported = reports;
    passed += counters.zpass;
    for (Executor& e : executors) {
      execute(*e.executor);
      DrawContext ctx{draws_.back().state, *memory, counters, config};
      e.executor->finish(ctx);
      const auto got = results();
      const auto at = std::mismatch(got.begin(), got.end(), wanted.begin()).first;
      EXPECT_EQ(got[0], wanted[0]) << rerun(seed);
      EXPECT_EQ(at, got.end()) << at - got.begin() << rerun(seed);
      // Fragments that a test hides need not execute what would be reported, nor in the same order.
      if (gaps_) {
        EXPECT_LE(reports.size(), reported.size()) << rerun(seed);
      } else {
        EXPECT_EQ(reports, reported) << rerun(seed);
      }
      if (HasFailure()) return passed;
    }
  }
  return passed;
}

TEST_F(XDraw, SamePixelsAsTheReference) {
  const FuzzRange range = fuzz_range(120);
  const uint64_t passed = compare(range);
  if (range.usual) {
    EXPECT_GT(passed, 100'000u);
    EXPECT_GT(together_, 500u);
    EXPECT_GT(bound_, 10u);
  }
}

/// Programs that read the targets that they write: where they read their own pixels, on tiles.
TEST_F(XDraw, SamePixelsWhereTargetsAreRead) {
  const FuzzRange range = fuzz_range(120);
  feeds_back_ = true;
  const uint64_t passed = compare(range);
  if (range.usual) {
    EXPECT_GT(passed, 100'000u);
    EXPECT_GT(fed_back_, 25u);
  }
}

/// Vertices of several draws are shaded together, each with its draw's constants.
TEST_F(XDraw, SamePixelsOfDrawsWithOtherBindings) {
  const FuzzRange range = fuzz_range(60);
  binds_ = true;
  const uint64_t passed = compare(range);
  if (range.usual) {
    EXPECT_GT(passed, 25'000u);
    EXPECT_GT(bound_, 60u);
  }
}

/// Quads of several primitives are drawn together.
TEST_F(XDraw, SamePixelsOfSmallPrimitives) {
  const FuzzRange range = fuzz_range(240);
  small_ = true;
  const uint64_t passed = compare(range);
  if (range.usual) {
    EXPECT_GT(passed, 10'000u);
  }
}

TEST_F(XDraw, SamePixelsOfTheLargestTargets) {
  const FuzzRange range = fuzz_range(16);
  largest_ = true;
  const uint64_t passed = compare(range);
  if (range.usual) {
    EXPECT_GT(passed, 100'000u);
  }
}

}  // namespace
}  // namespace pumice::hw::x_test
