// SPDX-License-Identifier: MIT
/// A test bench for fragment programs: builds instruction words, runs them on one quad, keeps the reports.
#pragma once
#include <gtest/gtest.h>

#include <bit>
#include <memory>
#include <string>
#include <vector>

#include "hw/radeon/decode/us/strict.h"
#include "hw/radeon/draw/draw.h"

namespace pumice::hw::us_test {

using Code = std::array<uint32_t, 6>;
using Cmn = regs::US_CMN_INST;
using RgbaInst = regs::US_ALU_RGBA_INST;
using AlphaInst = regs::US_ALU_ALPHA_INST;
using TexInst = regs::US_TEX_INST;
using FcInst = regs::US_FC_INST;

inline constexpr uint32_t kR = 0, kG = 1, kB = 2, kA = 3, kZero = 4, kHalf = 5, kOne = 6;

/// r10 = A op B op C with A = t0, B = t1, C = t2 in both units, everything written, unless changed.
struct Alu {
  Cmn cmn;
  regs::US_ALU_RGB_ADDR ra;
  regs::US_ALU_ALPHA_ADDR aa;
  regs::US_ALU_RGB_INST ri;
  AlphaInst ai;
  RgbaInst x;

  Alu(uint32_t rgb_op, uint32_t alpha_op, uint32_t dst = 10) {
    cmn.TYPE(Cmn::TYPE__ALU).RGB_WMASK(7).ALPHA_WMASK(1);
    ra.ADDR0(0).ADDR1(1).ADDR2(2);
    aa.ADDR0(0).ADDR1(1).ADDR2(2);
    ri.RGB_SEL_A(0).RED_SWIZ_A(kR).GREEN_SWIZ_A(kG).BLUE_SWIZ_A(kB);
    ri.RGB_SEL_B(1).RED_SWIZ_B(kR).GREEN_SWIZ_B(kG).BLUE_SWIZ_B(kB);
    x.RGB_SEL_C(2).RED_SWIZ_C(kR).GREEN_SWIZ_C(kG).BLUE_SWIZ_C(kB);
    ai.ALPHA_SEL_A(0).ALPHA_SWIZ_A(kA).ALPHA_SEL_B(1).ALPHA_SWIZ_B(kA);
    x.ALPHA_SEL_C(2).ALPHA_SWIZ_C(kA);
    x.RGB_OP(rgb_op).RGB_ADDRD(dst);
    ai.ALPHA_OP(alpha_op).ALPHA_ADDRD(dst);
  }
  Alu& omod(uint32_t v) {
    ri.OMOD(v), ai.OMOD(v);
    return *this;
  }
  Alu& src(uint32_t a, uint32_t b = 1, uint32_t c = 2) {
    ra.ADDR0(a).ADDR1(b).ADDR2(c), aa.ADDR0(a).ADDR1(b).ADDR2(c);
    return *this;
  }
  Alu& mask(uint32_t rgb, uint32_t a) {
    cmn.RGB_WMASK(rgb).ALPHA_WMASK(a);
    return *this;
  }
  operator Code() const { return {cmn.raw, ra.raw, aa.raw, ri.raw, ai.raw, x.raw}; }
};

/// dst = src, bit exact.
inline Alu mov(uint32_t dst, uint32_t src) { return Alu(RgbaInst::RGB_OP__MAX, AlphaInst::ALPHA_OP__MAX, dst).src(src, src).omod(7); }
/// dst += v (all four channels), v an inline constant code.
inline Alu add_inline(uint32_t dst, uint32_t code) {
  Alu i(RgbaInst::RGB_OP__MAD, AlphaInst::ALPHA_OP__MAD, dst);
  i.src(dst, 0x80u | code);
  i.ri.RED_SWIZ_B(kOne).GREEN_SWIZ_B(kOne).BLUE_SWIZ_B(kOne);
  i.ai.ALPHA_SWIZ_B(kOne);
  i.x.RGB_SEL_C(1).ALPHA_SEL_C(1);
  return i;
}
inline constexpr uint32_t kInlineOne = 7 << 3;
/// Target 0 = src.
inline Alu out(uint32_t src, uint32_t target = 0) {
  Alu i = mov(0, src);
  i.cmn.TYPE(Cmn::TYPE__OUTPUT).RGB_WMASK(0).ALPHA_WMASK(0).RGB_OMASK(7).ALPHA_OMASK(1);
  i.ri.TARGET(target), i.ai.TARGET(target);
  return i;
}
/// ALU result = (src.r op 0); op 0 EQ 1 LT 2 GE 3 NE.
inline Alu test_red(uint32_t src, uint32_t op) {
  Alu i = mov(0, src).mask(0, 0);
  i.ri.ALU_WMASK(1);
  i.cmn.ALU_RESULT_SEL(0).ALU_RESULT_OP(op);
  return i;
}

/// A flow control row of us-isa A9's table.
struct Flow {
  uint32_t op, func, any, a_op, b_op0, b_op1, pop, is_else, target;
  uint32_t int_const = 0, bool_const = 0, ignore = 0;
  operator Code() const {
    FcInst i;
    i.OP(op).JUMP_FUNC(func).JUMP_ANY(any).A_OP(a_op).B_OP0(b_op0).B_OP1(b_op1).B_POP_CNT(pop).B_ELSE(is_else).IGNORE_UNCOVERED(ignore);
    regs::US_FC_ADDR a;
    a.JUMP_ADDR(target).INT_ADDR(int_const).BOOL_ADDR(bool_const);
    return {Cmn{}.TYPE(Cmn::TYPE__FLOW_CONTROL).ALU_WAIT(1).raw, 0, i.raw, a.raw, 0, 0};
  }
};
enum : uint32_t {
  kNever = 0x00,
  kAlways = 0xFF,
  kNotAlu = 0x0F,
  kAlu = 0xF0,
  kNotPred = 0x33,
  kPred = 0xCC,
  kNotBool = 0x55,
  kBool = 0xAA
};
enum : uint32_t { kNone = 0, kDecr = 1, kIncr = 2, kPop = 1, kPush = 2 };

class UsRig : public ::testing::Test {
 protected:
  UsRig() {
    config.on_report = [this](const Report& r) { reports.push_back(r.text); };
    state->set(regs::US_PIXSIZE{}.PIX_SIZE(127));
    state->set(regs::US_FC_CTRL{}.FULL_FC_EN(1));
    state->set(regs::US_CODE_RANGE{}.CODE_SIZE(511));
    q.quad.coverage = 15;
    // Every temp counts as routed by RS unless a test says otherwise: 16 registers 0..15.
    state->set(regs::RS_INST_COUNT{}.INST_COUNT(15));
    for (uint32_t i = 0; i < 16; ++i) state->set(regs::RS_INST{}.TEX_CN(1).TEX_ADDR(i), i);
  }
  void load(const std::vector<Code>& program, uint32_t at = 0) {
    for (size_t i = 0; i < program.size(); ++i) state->us_code[at + i] = program[i];
    state->set(regs::US_CODE_OFFSET{}.OFFSET_ADDR(at));
    state->set(regs::US_CODE_ADDR{}.START_ADDR(0).END_ADDR(uint32_t(program.size() - 1)));
  }
  void run() {
    counters.instructions_left = 100000;
    counters.hung = false;
    counters.reported = 0;
    reports.clear();
    DrawContext ctx{*state, *memory, counters, config};
    ctx.strict = &decoded;
    us::run(ctx, q);
  }
  void run(const std::vector<Code>& program) {
    load(program);
    run();
  }
  void fill(uint32_t reg, float v) { q.temp[reg].fill({v, v, v, v}); }
  void per_pixel(uint32_t reg, float a, float b, float c, float d) {
    const float v[4] = {a, b, c, d};
    for (uint32_t p = 0; p < 4; ++p) q.temp[reg][p].fill(v[p]);
  }
  Vec4 red(uint32_t reg) const { return {q.temp[reg][0][0], q.temp[reg][1][0], q.temp[reg][2][0], q.temp[reg][3][0]}; }

  std::unique_ptr<ChipState> state = std::make_unique<ChipState>(Profile::r500);
  std::unique_ptr<Memory> memory = Memory::create();
  DrawCounters counters;
  us::StrictPrograms decoded;
  Listener config;
  std::vector<std::string> reports;
  PixelQuad q;
};

inline uint32_t bits(float x) { return std::bit_cast<uint32_t>(x); }
inline float flt(uint32_t x) { return std::bit_cast<float>(x); }

}  // namespace pumice::hw::us_test
