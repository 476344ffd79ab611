// SPDX-License-Identifier: MIT
/// US flow control (us-isa A9): every idiom row with every pattern of divergent pixels, stacks, windows, the watchdog, and random
/// structured programs against a pixel-at-a-time evaluation.
#include <cmath>
#include <random>

#include "tests/hw/us/us_rig.h"

namespace pumice::hw::us_test {
namespace {

using F = FcInst;

constexpr uint32_t kTwo = 8 << 3;

class FlowTest : public UsRig {
 protected:
  /// r0.x of pixel p = bit p of pattern.
  void pattern(uint32_t bits, uint32_t reg = 0) {
    per_pixel(reg, float(bits & 1), float(bits >> 1 & 1), float(bits >> 2 & 1), float(bits >> 3 & 1));
  }
  static Flow if_then(uint32_t target, uint32_t func = kNotAlu) { return {F::OP__JUMP, func, 0, 0, kIncr, kNone, 0, 0, target}; }
  static Flow if_else(uint32_t target) { return {F::OP__JUMP, kNotAlu, 0, 0, kIncr, kIncr, 0, 0, target}; }
  static Flow else_(uint32_t target) { return {F::OP__JUMP, kNever, 0, 0, kNone, kDecr, 1, 1, target}; }
  static Flow endif(uint32_t n = 1) { return {F::OP__JUMP, kNever, 1, 0, kDecr, kNone, n, 0, 0}; }
  static Flow loop(uint32_t target, uint32_t k = 0) { return {F::OP__LOOP, kNever, 0, 0, 0, 0, 0, 0, target, k}; }
  static Flow endloop(uint32_t target) { return {F::OP__ENDLOOP, kAlways, 1, 0, 0, 0, 0, 0, target}; }
  static Flow break_(uint32_t target, uint32_t depth) { return {F::OP__BREAKLOOP, kAlways, 0, 0, 0, kDecr, depth, 0, target}; }
  static Flow continue_(uint32_t target, uint32_t depth) { return {F::OP__CONTINUE, kAlways, 0, 0, 0, kDecr, depth, 0, target}; }
  void loop_constant(uint32_t i, uint32_t count, uint32_t start = 0, int step = 1) {
    state->set(regs::US_FC_INT_CONST{}.KR(count).KG(start).KB(uint32_t(step) & 255), i);
  }
};

TEST_F(FlowTest, IfWithoutElse) {
  for (uint32_t m = 0; m < 16; ++m) {
    pattern(m), fill(1, 0);
    run({test_red(0, 3), if_then(4), add_inline(1, kInlineOne), endif(), out(1)});
    for (uint32_t p = 0; p < 4; ++p) EXPECT_EQ(q.color[0][p][0], float(m >> p & 1)) << m;
  }
}

TEST_F(FlowTest, IfElse) {
  for (uint32_t m = 0; m < 16; ++m) {
    pattern(m), fill(1, 0);
    run({test_red(0, 3), if_else(4), add_inline(1, kInlineOne), else_(6), add_inline(1, kTwo), endif(), out(1)});
    for (uint32_t p = 0; p < 4; ++p) EXPECT_EQ(q.color[0][p][0], (m >> p & 1) ? 1 : 2) << m;
    EXPECT_TRUE(reports.empty());
  }
}

TEST_F(FlowTest, NestedIfsWithOneMergedEndif) {
  for (uint32_t m = 0; m < 256; ++m) {
    pattern(m & 15), pattern(m >> 4, 2), fill(1, 0);
    const Flow inner{F::OP__JUMP, kNotAlu, 0, 0, kIncr, kDecr, 1, 0, 6};
    run({test_red(0, 3), if_then(6), test_red(2, 3), inner, add_inline(1, kInlineOne), endif(2), add_inline(1, kTwo), out(1)});
    for (uint32_t p = 0; p < 4; ++p) EXPECT_EQ(q.color[0][p][0], ((m & m >> 4) >> p & 1) + 2.0f) << m;
  }
}

TEST_F(FlowTest, NestedIfElse) {
  for (uint32_t m = 0; m < 256; ++m) {
    pattern(m & 15), pattern(m >> 4, 2), fill(1, 0);
    // if (r0) { if (r2) r1 += 1 else r1 += 2; } else { r1 += 4; if (r2) r1 += 1 }
    run({test_red(0, 3), if_else(9), test_red(2, 3), if_else(6), add_inline(1, kInlineOne), else_(8), add_inline(1, kTwo), endif(),
         else_(14), add_inline(1, 9 << 3), test_red(2, 3), if_then(14), add_inline(1, kInlineOne), endif(), endif(), out(1)});
    // The jumps that skip an ELSE part land behind its own ENDIF, not behind the outer one.
    for (uint32_t p = 0; p < 4; ++p) {
      const bool a = m >> p & 1, b = m >> (4 + p) & 1;
      EXPECT_EQ(q.color[0][p][0], a ? (b ? 1 : 2) : (b ? 5 : 4)) << m << " pixel " << p;
    }
  }
}

TEST_F(FlowTest, LoopCountsAndRelativeAddresses) {
  for (uint32_t i = 0; i < 256; ++i) state->us_const[i].fill(bits(float(i)));
  Alu add_const = add_inline(1, 0);
  add_const.ra.ADDR1(100).ADDR1_CONST(1).ADDR1_REL(1);
  add_const.aa.ADDR1(100).ADDR1_CONST(1).ADDR1_REL(1);
  const struct {
    uint32_t count, start;
    int step;
    float expected;
  } rows[] = {{0, 0, 1, 0}, {1, 0, 1, 100}, {3, 0, 1, 303}, {3, 5, 2, 105 + 107 + 109}, {3, 50, -10, 150 + 140 + 130}, {2, 250, 1, 0}};
  for (const auto& row : rows) {
    loop_constant(7, row.count, row.start, row.step);
    fill(1, 0);
    run({loop(3, 7), add_const, endloop(1), out(1)});
    EXPECT_EQ(q.color[0][3][0], row.expected) << row.count << " from " << row.start;
    EXPECT_EQ(reports.size(), row.start == 250 ? 1u : 0u);  // constant 350 does not exist
  }
}

TEST_F(FlowTest, RelativeTempsBothWays) {
  loop_constant(0, 3, 2, 1);
  fill(2, 20), fill(3, 30), fill(4, 40);
  Alu copy = mov(60, 0);  // r[60 + aL] = r[0 + aL]
  copy.ra.ADDR0_REL(1).ADDR1_REL(1), copy.aa.ADDR0_REL(1).ADDR1_REL(1);
  copy.x.RGB_ADDRD_REL(1), copy.ai.ALPHA_ADDRD_REL(1);
  run({loop(3), copy, endloop(1), out(0)});
  EXPECT_EQ(q.temp[62][0], (Vec4{20, 20, 20, 20}));
  EXPECT_EQ(q.temp[64][2], (Vec4{40, 40, 40, 40}));
}

TEST_F(FlowTest, NestedLoopsKeepTheirAl) {
  for (uint32_t i = 0; i < 256; ++i) state->us_const[i].fill(bits(float(i)));
  loop_constant(0, 2, 10, 1), loop_constant(1, 3, 100, 10);
  Alu add_const = add_inline(1, 0);
  add_const.ra.ADDR1_CONST(1).ADDR1_REL(1), add_const.aa.ADDR1_CONST(1).ADDR1_REL(1);
  add_const.ra.ADDR1(0), add_const.aa.ADDR1(0);
  const Flow rep{F::OP__REP, kNever, 0, 0, 0, 0, 0, 0, 9, 0}, endrep{F::OP__ENDREP, kAlways, 1, 0, 0, 0, 0, 0, 5};
  fill(1, 0);
  run({loop(9, 0), loop(4, 1), add_const, endloop(2), rep, add_const, endrep, add_const, endloop(1), out(1)});
  // Each outer turn: 100+110+120, then aL twice in the REP and once after it.
  EXPECT_EQ(q.color[0][0][0], 2 * 330 + 3 * 10 + 3 * 11);
}

TEST_F(FlowTest, DivergentBreak) {
  loop_constant(0, 5);
  Alu minus(RgbaInst::RGB_OP__MAD, AlphaInst::ALPHA_OP__MAD, 3);  // r3 = r1 * 1 - r0
  minus.src(1, 1, 0);
  minus.ri.RED_SWIZ_B(kOne);
  minus.x.RGB_MOD_C(1);
  for (uint32_t m = 0; m < 7 * 7; ++m) {
    per_pixel(0, float(m % 7), float(m / 7), 2, 9), fill(1, 0);
    run({loop(8), minus, test_red(3, 2), if_then(6), break_(8, 1), endif(), add_inline(1, kInlineOne), endloop(1), out(1)});
    const float limit[4] = {float(m % 7), float(m / 7), 2, 9};
    for (uint32_t p = 0; p < 4; ++p) EXPECT_EQ(q.color[0][p][0], std::min(limit[p], 5.0f)) << m << " pixel " << p;
    // The same by REP, which has no aL.
    const auto as = [](Flow f, uint32_t op) {
      f.op = op;
      return f;
    };
    fill(1, 0);
    run({as(loop(8), F::OP__REP), minus, test_red(3, 2), if_then(6), as(break_(8, 1), F::OP__BREAKREP), endif(), add_inline(1, kInlineOne),
         as(endloop(1), F::OP__ENDREP), out(1)});
    for (uint32_t p = 0; p < 4; ++p) EXPECT_EQ(q.color[0][p][0], std::min(limit[p], 5.0f)) << m << " pixel " << p << " of REP";
  }
}

TEST_F(FlowTest, BreakUnderIgnoreUncoveredFollowsTheCoveredPixels) {
  loop_constant(0, 255);
  q.quad.coverage = 1;
  pattern(1), fill(1, 0);
  Flow guard = if_then(4), leave = break_(6, 1), end = endloop(1);
  guard.ignore = leave.ignore = end.ignore = 1;
  run({loop(6), test_red(0, 3), guard, leave, endif(), end, out(0)});
  EXPECT_FALSE(counters.hung);
  EXPECT_GT(counters.instructions_left, 100000u - 20u);
}

TEST_F(FlowTest, CallsAndReturns) {
  // 0 call 4; 1 conditional call 4; 2 out; 3 (unused); 4 r1 += 1; 5 return
  const Flow call{F::OP__JUMP, kAlways, 1, kPush, 0, 0, 0, 0, 5}, ret{F::OP__JUMP, kAlways, 1, kPop, 0, 0, 0, 0, 0};
  const Flow maybe{F::OP__JUMP, kAlu, 1, kPush, 0, kIncr, 0, 0, 5}, ret_decr{F::OP__JUMP, kAlways, 1, kPop, 0, kDecr, 1, 0, 0};
  for (uint32_t m = 0; m < 16; ++m) {
    pattern(m), fill(1, 0);
    std::vector<Code> program = {call, test_red(0, 3), maybe, add_inline(1, kTwo), out(1), add_inline(1, kInlineOne), ret_decr};
    load(program);
    state->set(regs::US_CODE_ADDR{}.END_ADDR(4));
    run();
    for (uint32_t p = 0; p < 4; ++p) EXPECT_EQ(q.color[0][p][0], 3.0f + float(m >> p & 1)) << m;
    EXPECT_TRUE(reports.empty());
  }
  fill(1, 0);
  load({call, out(1), out(1), out(1), out(1), add_inline(1, kInlineOne), ret});
  state->set(regs::US_CODE_ADDR{}.END_ADDR(1));
  run();
  EXPECT_EQ(q.color[0][0][0], 1);
}

TEST_F(FlowTest, JumpFunctionSeesAllThreeBits) {
  // pixel: bit 0 of its number = predicate, bit 1 = ALU result
  per_pixel(0, 0, 1, 0, 1), per_pixel(2, 0, 0, 1, 1);
  Alu set = mov(0, 0).mask(0, 0);
  set.cmn.RGB_OMASK(1);
  set.ri.TARGET(3);
  for (uint32_t boolean = 0; boolean < 2; ++boolean) {
    state->set(regs::US_FC_BOOL_CONST{}.KBOOL(boolean << 13));
    for (uint32_t func = 0; func < 256; ++func) {
      fill(1, 0);
      Flow f = if_then(5, func);
      f.bool_const = 13;
      Code code = f;
      code[0] = Cmn{code[0]}.RGB_PRED_SEL(Cmn::RGB_PRED_SEL__REPLICATE_R).raw;
      run({set, test_red(2, 3), code, add_inline(1, kInlineOne), endif(), out(1)});
      for (uint32_t p = 0; p < 4; ++p) {
        const bool skip = func >> ((p >> 1) << 2 | (p & 1) << 1 | boolean) & 1;
        EXPECT_EQ(q.color[0][p][0], skip ? 0 : 1) << "func " << func << " pixel " << p;
      }
    }
  }
}

TEST_F(FlowTest, InactivePixelsWriteOnlyWhenAsked) {
  pattern(5), fill(1, 0), fill(4, 0);
  Alu always = add_inline(4, kInlineOne);
  always.cmn.WRITE_INACTIVE(1);
  run({test_red(0, 3), if_then(5), add_inline(1, kInlineOne), always, endif(), out(1)});
  EXPECT_EQ(red(1), (Vec4{1, 0, 1, 0}));
  EXPECT_EQ(red(4), (Vec4{1, 1, 1, 1}));
}

TEST_F(FlowTest, TheAluResultDoesNotSurviveFlowControl) {
  pattern(15), fill(1, 0);
  run({test_red(0, 3), if_then(4), endif(), if_then(5), add_inline(1, kInlineOne), endif(), out(1)});
  EXPECT_EQ(q.color[0][0][0], 0);
}

TEST_F(FlowTest, StackErrorsStopTheProgramWithOneReport) {
  loop_constant(0, 255);
  const Flow call{F::OP__JUMP, kAlways, 1, kPush, 0, 0, 0, 0, 0}, ret{F::OP__JUMP, kAlways, 1, kPop, 0, 0, 0, 0, 0};
  const Flow relooping = {F::OP__LOOP, kNever, 0, 0, 0, 0, 0, 0, 0};
  const std::vector<Code> programs[] = {
      {call, out(0)},        // recursion
      {ret, out(0)},         // nothing to return to
      {endloop(0), out(0)},  // no loop
      {break_(0, 0), out(0)},
      {continue_(0, 0), out(0)},
      {relooping, Flow{F::OP__JUMP, kAlways, 0, 0, 0, 0, 0, 0, 0}, out(0)},  // loops without an end
  };
  for (const auto& program : programs) {
    run(program);
    EXPECT_EQ(reports.size(), 1u);
    EXPECT_FALSE(counters.hung);
  }
  // Branch counters: 32 levels, one more is too deep.
  for (uint32_t levels : {32u, 33u}) {
    pattern(1);
    std::vector<Code> program;
    for (uint32_t i = 0; i < levels; ++i) program.push_back(test_red(0, 3)), program.push_back(if_then(0));
    program.push_back(endif(31)), program.push_back(endif()), program.push_back(out(0));
    run(program);
    EXPECT_EQ(reports.size(), levels - 32) << levels;
  }
}

TEST_F(FlowTest, PartialModeHasNoLoopsAndFourLevels) {
  state->set(regs::US_FC_CTRL{}.FULL_FC_EN(0));
  loop_constant(0, 2);
  run({loop(2), endloop(1), out(0)});
  EXPECT_EQ(reports.size(), 1u);
  for (uint32_t levels : {4u, 5u}) {
    pattern(1);
    std::vector<Code> program;
    for (uint32_t i = 0; i < levels; ++i) program.push_back(test_red(0, 3)), program.push_back(if_then(0));
    program.push_back(endif(levels)), program.push_back(out(0));
    run(program);
    EXPECT_EQ(reports.size(), levels - 4) << levels;
  }
}

TEST_F(FlowTest, WatchdogStopsEndlessPrograms) {
  load({Flow{F::OP__JUMP, kAlways, 1, 0, 0, 0, 0, 0, 0}, out(0)});
  counters.hung = false;
  counters.instructions_left = 1000;
  DrawContext ctx{*state, *memory, counters, config};
  us::run(ctx, q);
  EXPECT_TRUE(counters.hung);
  EXPECT_EQ(counters.instructions_left, 0u);
}

TEST_F(FlowTest, OffsetWindowAndEnd) {
  fill(0, 3), fill(1, 0);
  // Relative jumps add the offset, global ones do not; execution starts at offset + START.
  Flow global{F::OP__JUMP, kAlways, 1, 0, 0, 0, 0, 0, 103};
  Code jump = global;
  jump[3] = regs::US_FC_ADDR{jump[3]}.JUMP_GLOBAL(1).raw;
  load({add_inline(1, kTwo), Flow{F::OP__JUMP, kAlways, 1, 0, 0, 0, 0, 0, 4}, add_inline(1, kTwo), out(1), jump}, 100);
  state->set(regs::US_CODE_ADDR{}.START_ADDR(1).END_ADDR(3));
  run();
  EXPECT_EQ(q.color[0][0][0], 0);
  EXPECT_TRUE(reports.empty());
  // The same program with a window that ends too early.
  state->set(regs::US_CODE_RANGE{}.CODE_ADDR(100).CODE_SIZE(3));
  run();
  EXPECT_EQ(reports.size(), 1u);
  // Running off the end of the store.
  state->set(regs::US_CODE_RANGE{}.CODE_ADDR(500).CODE_SIZE(511));
  state->set(regs::US_CODE_OFFSET{}.OFFSET_ADDR(505));
  state->set(regs::US_CODE_ADDR{}.START_ADDR(0).END_ADDR(511));
  run();
  EXPECT_EQ(reports.size(), 1u);
}

// ---------------------------------------------------------------------------------------------------------------------
// Random structured programs. r1 is an accumulator of small integers; conditions look at its low bits, so pixels part ways.

struct Node {
  enum Kind { add, add_al, branch, loop, break_out, go_on } kind;
  uint32_t value = 0;  ///< add: 1..8; branch: divisor code; loop: constant
  bool has_else = false;
  std::vector<Node> body, other;
};

struct Generator {
  std::mt19937 rng;
  uint32_t below(uint32_t n) { return rng() % n; }
  std::vector<Node> block(uint32_t depth, bool in_loop, bool in_branch) {
    std::vector<Node> out;
    const uint32_t n = 1 + below(3);
    for (uint32_t i = 0; i < n; ++i) {
      const uint32_t kind = below(8);
      if (depth > 0 && kind < 3) {
        Node node{Node::branch, 1 + below(4), below(2) == 0, block(depth - 1, in_loop, true), {}};
        if (node.has_else) node.other = block(depth - 1, in_loop, true);
        out.push_back(node);
      } else if (depth > 0 && kind == 3) {
        out.push_back({Node::loop, below(4), false, block(depth - 1, true, false), {}});
      } else if (in_loop && in_branch && kind == 4) {
        out.push_back({below(2) ? Node::break_out : Node::go_on});
      } else {
        out.push_back(in_loop && kind == 5 ? Node{Node::add_al} : Node{Node::add, 1 + below(7)});
      }
    }
    return out;
  }
};

class StructuredTest : public FlowTest {
 protected:
  void emit(const std::vector<Node>& block, uint32_t branch_depth) {
    for (const Node& n : block) switch (n.kind) {
        case Node::add: {
          uint32_t code = 0;
          for (uint32_t c = 0; c < 128; ++c)
            if (c >= 8 && (1 + (c & 7) / 8.0) * std::ldexp(1.0, int(c >> 3) - 7) == double(n.value)) code = c;
          code_.push_back(add_inline(1, code));
          break;
        }
        case Node::add_al: {
          Alu add = add_inline(1, 0);
          add.ra.ADDR1(0).ADDR1_CONST(1).ADDR1_REL(1), add.aa.ADDR1(0).ADDR1_CONST(1).ADDR1_REL(1);
          code_.push_back(add);
          break;
        }
        case Node::branch: {
          // r3 = frc(r1 / 2^value) - 0.5; taken when >= 0
          Alu mul(RgbaInst::RGB_OP__MAD, AlphaInst::ALPHA_OP__MAD, 3);
          mul.src(1, 0x80 | (7 - n.value) << 3);
          mul.x.RED_SWIZ_C(kZero).GREEN_SWIZ_C(kZero).BLUE_SWIZ_C(kZero).ALPHA_SWIZ_C(kZero);
          Alu frc = Alu(RgbaInst::RGB_OP__FRC, AlphaInst::ALPHA_OP__FRC, 3).src(3);
          Alu minus = add_inline(3, 6 << 3);
          minus.x.RGB_MOD_C(1), minus.x.ALPHA_MOD_C(1);
          code_.insert(code_.end(), {mul, frc, minus, test_red(3, 2)});
          const size_t at = code_.size();
          code_.push_back({});
          emit(n.body, branch_depth + 1);
          if (n.has_else) {
            const size_t mid = code_.size();
            code_.push_back({});
            code_[at] = if_else(uint32_t(mid + 1));
            emit(n.other, branch_depth + 1);
            code_[mid] = else_(uint32_t(code_.size() + 1));
          } else {
            code_[at] = if_then(uint32_t(code_.size() + 1));
          }
          code_.push_back(endif());
          break;
        }
        case Node::loop: {
          const size_t at = code_.size();
          code_.push_back({});
          std::vector<std::pair<size_t, std::pair<bool, uint32_t>>> outer;
          outer.swap(exits_);
          const uint32_t outer_base = std::exchange(loop_base_, branch_depth);
          emit(n.body, branch_depth);
          const uint32_t end = uint32_t(code_.size());
          code_.push_back(endloop(uint32_t(at + 1)));
          code_[at] = loop(end + 1, n.value);
          for (const auto& [slot, how] : exits_) code_[slot] = how.first ? break_(end + 1, how.second) : continue_(end, how.second);
          exits_.swap(outer);
          loop_base_ = outer_base;
          break;
        }
        case Node::break_out:
        case Node::go_on:
          exits_.push_back({code_.size(), {n.kind == Node::break_out, branch_depth - loop_base_}});
          code_.push_back({});
          break;
      }
  }

  enum Exit { normal, broke, continued };
  Exit evaluate(const std::vector<Node>& block, float& r1, int al) const {
    for (const Node& n : block) switch (n.kind) {
        case Node::add: r1 += float(n.value); break;
        case Node::add_al: r1 += float(al); break;
        case Node::branch: {
          const float x = std::ldexp(r1, -int(n.value));
          const Exit e = x - std::floor(x) >= 0.5f ? evaluate(n.body, r1, al) : n.has_else ? evaluate(n.other, r1, al) : normal;
          if (e != normal) return e;
          break;
        }
        case Node::loop:
          for (uint32_t i = 0; i < n.value; ++i)
            if (evaluate(n.body, r1, int(3 + 2 * i)) == broke) break;
          break;
        case Node::break_out: return broke;
        case Node::go_on: return continued;
      }
    return normal;
  }

  std::vector<Code> code_;
  std::vector<std::pair<size_t, std::pair<bool, uint32_t>>> exits_;
  uint32_t loop_base_ = 0;
};

TEST_F(StructuredTest, RandomProgramsMatchPixelByPixelEvaluation) {
  for (uint32_t i = 0; i < 4; ++i) loop_constant(i, i, 3, 2);
  for (uint32_t i = 0; i < 256; ++i) state->us_const[i].fill(bits(float(i)));
  uint32_t ran = 0;
  for (uint32_t seed = 0; seed < 4000; ++seed) {
    Generator g{std::mt19937(seed)};
    const std::vector<Node> program = g.block(4, false, false);
    code_.clear();
    emit(program, 0);
    code_.push_back(out(1));
    if (code_.size() > 512) continue;
    ++ran;
    per_pixel(1, 0, 1, 2, float(g.below(16)));
    const Vec4 start = red(1);
    run(code_);
    ASSERT_TRUE(reports.empty()) << "seed " << seed << ": " << reports[0];
    for (uint32_t p = 0; p < 4; ++p) {
      float r1 = start[p];
      evaluate(program, r1, 0);
      ASSERT_EQ(q.color[0][p][0], r1) << "seed " << seed << " pixel " << p << " of a program of " << code_.size() << " slots";
    }
  }
  EXPECT_GT(ran, 2000u);
}

}  // namespace
}  // namespace pumice::hw::us_test
