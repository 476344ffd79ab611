// SPDX-License-Identifier: MIT
/// Literals that routines read from memory (hw/radeon/jit/x/literals.h): which ones, that programs share routines, and results.
#include "hw/radeon/jit/x/literals.h"
#include "hw/common/threads/team.h"
#include "hw/radeon/fast/extended/dispatch.h"
#include "tests/hw/fast/cpus.h"
#include "tests/hw/x/rig.h"

namespace pumice::hw::x_test {
namespace {

using fast::extended::open_literals;

x::Program of(std::vector<Instruction> code, std::vector<Bits4> literals) {
  x::Program p(std::make_shared<const x::Code>(std::move(code)));
  p.literals = std::move(literals);
  return p;
}
constexpr uint32_t kOrdinary = 0x3E99999A, kOther = 0x40490FDB;  // 0.3, pi
const Bits4 kAllOrdinary{kOrdinary, kOther, kOrdinary, kOther};
using Open = std::vector<uint8_t>;

TEST(OpenLiterals, OperandsOfFloatOperationsBesideTemps) {
  EXPECT_EQ(open_literals(of({alu(AluOp::MAD, 0, kXyzw, r(1), c(0), r(2))}, {kAllOrdinary})), Open{kXyzw});
  EXPECT_EQ(open_literals(of({alu(AluOp::MAD, 0, kX, r(1), c(0), c(1))}, {kAllOrdinary, kAllOrdinary})), (Open{kXyzw, kXyzw}));
  EXPECT_EQ(open_literals(of({alu(AluOp::MAD, 0, kXyzw, c(0), c(0), c(0))}, {kAllOrdinary})), Open{0}) << "folds";
  EXPECT_EQ(open_literals(of({alu(AluOp::MAX, 0, kXyzw, r(1), c(0))}, {kAllOrdinary})), Open{0}) << "ranges of what is clamped";
  EXPECT_EQ(open_literals(of({xi(XiOp::IMUL, 0, kXyzw, r(1), c(0))}, {kAllOrdinary})), Open{0}) << "integers";
}

TEST(OpenLiterals, AnotherUseKeepsThemKnown) {
  const Instruction sum = alu(AluOp::MAD, 0, kXyzw, r(1), c(0), r(2));
  EXPECT_EQ(open_literals(of({sum, xi(XiOp::IADD, 3, kXyzw, r(1), c(0).x(1))}, {kAllOrdinary})), Open{kXyzw & ~2});
  EXPECT_EQ(open_literals(of({sum, X{.op = XOp::LDK, .dest = 2, .mask = kX}}, {kAllOrdinary})), Open{0}) << "loads of any";
}

TEST(OpenLiterals, NumbersThatCodeDependsOn) {
  const Instruction sum = alu(AluOp::MAD, 0, kXyzw, r(1), c(0), r(2));
  const auto first = [&](uint32_t bits) { return open_literals(of({sum}, {{bits, kOrdinary, kOrdinary, kOrdinary}}))[0] & 1; };
  for (const float f : {0.0f, -0.0f, 1.0f, -2.0f, 0.5f, 0x1p-20f, INFINITY, 3e-39f, 1e30f, 1e-30f}) EXPECT_FALSE(first(bits(f))) << f;
  EXPECT_FALSE(first(0x7FC00001));
  EXPECT_FALSE(first(17)) << "an integer";
  for (const float f : {0.3f, -3.0f, 1e10f, 1e-10f}) EXPECT_TRUE(first(bits(f))) << f;
}

TEST(OpenLiterals, CopiesWhereNothingIsFetched) {
  const Instruction copy = xi(XiOp::MOV, 0, kXyzw, c(0));
  EXPECT_EQ(open_literals(of({copy}, {kAllOrdinary})), Open{kXyzw});
  EXPECT_EQ(open_literals(of({copy, X{.op = XOp::SAMPLE, .dest = 1, .mask = kXyzw}}, {kAllOrdinary})), Open{0}) << "may be a level";
}

class OpenLiteralsRun : public XRig {
 protected:
  /// out[lane] = float(lane) * literal x + literal y, 0.25 of it in the next component.
  void make(float x, float y) {
    programs.invalidate();
    out_ = allocate(64 * 16);
    buffer(0, out_, 64 * 16);
    program({X{.op = XOp::SYS, .dest = 0, .mask = kX, .immediate = 35}, xi(XiOp::U2F, 1, kX, r(0)),
             alu(AluOp::MAD, 2, kX, r(1), c(0), c(0).x(1)), alu(AluOp::MAD, 2, 2, r(2).x(), c(0).x(2), n(0)),
             xi(XiOp::SHL, 3, kX, r(0), n(3)), X{.op = XOp::STB, .source = 3, .src2 = 2, .components = 2, .descriptor = at(0)}},
            {{bits(x), bits(y), bits(0.25f), 0}});
    local_size(64);
  }
  DrawContext context() {
    counters = {};
    counters.instructions_left = kInstructions;
    DrawContext ctx{*state, *memory, counters, config};
    ctx.programs = &programs;
    return ctx;
  }
  uint64_t out_ = 0;
};

TEST_F(OpenLiteralsRun, ProgramsShareRoutinesAndReadTheirOwn) {
  for (const fast::Cpu cpu : fast::cpus()) {
    Team team(1);
    fast::extended::Dispatcher dispatcher(*memory, team, cpu, {});
    std::vector<std::shared_ptr<const fast::extended::Routine>> routines;
    constexpr float kNumbers[][2] = {{0.3f, 1.7f}, {123.4f, 5e-4f}, {0.3f, -1.7f}, {2.0f, 1.7f}};
    for (const auto& [x, y] : kNumbers) {
      make(x, y);
      DrawContext ctx = context();
      const auto stage = fast::extended::prepare(ctx, dispatcher.routines(), x::Stage::compute, false, true);
      ASSERT_TRUE(stage);
      routines.push_back(stage->full.routine);
      DispatchInput input;
      input.groups = {1, 1, 1};
      ASSERT_TRUE(dispatcher.run(ctx, input, true));
      for (uint32_t i = 0; i < 64; ++i) {
        const float sum = std::fma(float(i), x, y);
        ASSERT_EQ(flt(dwords(out_)[2 * i]), sum) << i << " of " << x << ", " << y;
        ASSERT_EQ(flt(dwords(out_)[2 * i + 1]), sum * 0.25f) << i;
      }
    }
    if (cpu == fast::Cpu::avx512) {
      EXPECT_EQ(routines[1], routines[0]);
      EXPECT_NE(routines[2], routines[0]) << "another sign";
      EXPECT_NE(routines[3], routines[0]) << "a power of two";
    }
  }
}

}  // namespace
}  // namespace pumice::hw::x_test
