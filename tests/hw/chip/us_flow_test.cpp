// SPDX-License-Identifier: MIT
/// Flow control of the fragment shader by packets: the idioms of us-isa A9, texture kill, shader depth.
#include <gtest/gtest.h>

#include "tests/hw/chip/chip.h"
#include "tests/hw/chip/edge_values.h"
#include "tests/hw/chip/us_slot.h"

namespace pumice::hw::test {
namespace {

using Rgba = regs::US_ALU_RGBA_INST;
using Alpha = regs::US_ALU_ALPHA_INST;
using Slot = std::array<uint32_t, 6>;
using Fc = regs::US_FC_INST;

/// temp `dst` = constant `c`.
AluSlot load(uint32_t dst, uint32_t c) {
  AluSlot s = constants_slot(Rgba::RGB_OP__MAX, Alpha::ALPHA_OP__MAX);
  s.cmn.TYPE(0).LAST(0).RGB_OMASK(0).ALPHA_OMASK(0).RGB_WMASK(7).ALPHA_WMASK(1);
  s.rgb_addr.ADDR0(c);
  s.alpha_addr.ADDR0(c);
  s.rgb.RGB_SEL_B(0).OMOD(7);
  s.alpha.ALPHA_SEL_B(0).OMOD(7).ALPHA_ADDRD(dst);
  s.rgba.RGB_ADDRD(dst);
  return s;
}
/// temp `dst` += constant `c` (+ aL when relative).
AluSlot add(uint32_t dst, uint32_t c, bool relative = false) {
  AluSlot s = constants_slot(Rgba::RGB_OP__MAD, Alpha::ALPHA_OP__MAD);
  s.cmn.TYPE(0).LAST(0).RGB_OMASK(0).ALPHA_OMASK(0).RGB_WMASK(7).ALPHA_WMASK(1);
  s.rgb_addr = regs::US_ALU_RGB_ADDR().ADDR0(dst).ADDR1(c).ADDR1_CONST(1).ADDR1_REL(relative);
  s.alpha_addr = regs::US_ALU_ALPHA_ADDR().ADDR0(dst).ADDR1(c).ADDR1_CONST(1).ADDR1_REL(relative);
  s.rgb.RED_SWIZ_B(6).GREEN_SWIZ_B(6).BLUE_SWIZ_B(6).RGB_SEL_B(0);
  s.alpha.ALPHA_SWIZ_B(6);
  s.alpha.ALPHA_ADDRD(dst);
  s.rgba.RGB_ADDRD(dst).RGB_SEL_C(1).ALPHA_SEL_C(1);
  return s;
}
/// The ALU result := constant `c`.r op 0.
AluSlot test(uint32_t c, uint32_t op) {
  AluSlot s = load(0, c);
  s.cmn.RGB_WMASK(0).ALPHA_WMASK(0).ALU_RESULT_OP(op);
  s.rgb.ALU_WMASK(1);
  return s;
}
FlowSlot flow(uint32_t op, uint32_t function, uint32_t target) {
  FlowSlot s;
  s.inst.OP(op).JUMP_FUNC(function);
  s.addr.JUMP_ADDR(target);
  return s;
}
Packets program(std::vector<Slot> slots, uint32_t temps = 2) {
  slots.push_back(out_slot(1));
  Packets p = fragment_program(slots, temps);
  p.set(regs::US_FC_CTRL().FULL_FC_EN(1));
  p.append(us_constants(0, {as_bits({1, 1, 1, 1}), as_bits({10, 10, 10, 10}), as_bits({100, 100, 100, 100}),
                            as_bits({1000, 1000, 1000, 1000}), as_bits({-1, 0, 0, 0}), as_bits({0, 0, 0, 0})}));
  return p;
}

/// Runs one program on one pixel; its answer is temp 1's red.
float run(const Packets& p) {
  Chip chip;
  Sheet sheet(chip);
  sheet.add(p);
  EXPECT_TRUE(sheet.run());
  for (const Report& r : chip.reports()) ADD_FAILURE() << r.text;
  return sheet.value(0, 0);
}

/// IF alu_result ... ELSE ... ENDIF for each comparison with zero.
TEST(UsFlow, IfElseOnTheAluResult) {
  for (uint32_t op = 0; op < 4; ++op)
    for (const uint32_t c : {0u, 4u, 5u}) {
      const float v = c == 0 ? 1.0f : c == 4 ? -1.0f : 0.0f;
      const bool holds = op == 0 ? v == 0 : op == 1 ? v < 0 : op == 2 ? v >= 0 : v != 0;
      FlowSlot branch = flow(Fc::OP__JUMP, 0x0F, 5), otherwise = flow(Fc::OP__JUMP, 0x00, 6), end = flow(Fc::OP__JUMP, 0x00, 0);
      branch.inst.B_OP0(2).B_OP1(2);
      otherwise.inst.B_ELSE(1).B_OP1(1).B_POP_CNT(1);
      end.inst.JUMP_ANY(1).B_OP0(1).B_POP_CNT(1);
      // 0 load, 1 test, 2 if, 3 +10, 4 else, 5 +100, 6 endif, 7 out. The targets lie behind ELSE and behind ENDIF's predecessor.
      branch.addr.JUMP_ADDR(5);
      otherwise.addr.JUMP_ADDR(7);
      EXPECT_EQ(run(program({load(1, 0).words(), test(c, op).words(), branch.words(), add(1, 1).words(), otherwise.words(),
                             add(1, 2).words(), end.words()})),
                holds ? 11.0f : 101.0f)
          << op << " " << v;
    }
}

/// Pixels of one quad take both sides: the ALU result comes from the interpolated texcoord.
TEST(UsFlow, DivergentBranch) {
  Chip chip;
  Target t = make_target(chip, 16, 16);
  t.color = chip.allocate(16 * 16 * 4);
  Packets p = plain_state(t);
  p.append(float_target(t.color, 16));
  AluSlot compare = test(0, 1);  // red < 0
  compare.rgb_addr = regs::US_ALU_RGB_ADDR().ADDR0(0);
  FlowSlot branch = flow(Fc::OP__JUMP, 0x0F, 5), otherwise = flow(Fc::OP__JUMP, 0x00, 7), end = flow(Fc::OP__JUMP, 0x00, 0);
  branch.inst.B_OP0(2).B_OP1(2);
  otherwise.inst.B_ELSE(1).B_OP1(1).B_POP_CNT(1);
  end.inst.JUMP_ANY(1).B_OP0(1).B_POP_CNT(1);
  p.append(
      program({load(1, 0).words(), compare.words(), branch.words(), add(1, 1).words(), otherwise.words(), add(1, 2).words(), end.words()}));
  // Zero between columns 6 and 7, inside a quad.
  p.append(gradient_quad({std::array<float, 4>{-7, 0, 0, 1}, {9, 0, 0, 1}, {9, 0, 0, 1}, {-7, 0, 0, 1}}));
  ASSERT_TRUE(chip.run(p));
  for (uint32_t i = 0; i < 256; ++i) EXPECT_EQ(from_bits(chip.memory(t.color)[4 * i]), i % 16 < 7 ? 11.0f : 101.0f) << i;
}

TEST(UsFlow, LoopsCountAndStepAl) {
  // sum of constants 1+0, 1+2 over two iterations of aL = 0, 2 with KR 2, KG 0, KB 2: 1 + 10 + 1000.
  const FlowSlot loop = flow(Fc::OP__LOOP, 0x00, 4);
  FlowSlot end = flow(Fc::OP__ENDLOOP, 0xFF, 2);
  end.inst.JUMP_ANY(1);
  Packets p = program({load(1, 0).words(), loop.words(), add(1, 1, true).words(), end.words()});
  p.set(regs::US_FC_INT_CONST().KR(2).KG(0).KB(2));
  EXPECT_EQ(run(p), 1 + 10 + 1000.0f);
  // Backwards from aL = 2: constants 3 and 2.
  p.set(regs::US_FC_INT_CONST().KR(2).KG(2).KB(0xFF));
  EXPECT_EQ(run(p), 1 + 1000 + 100.0f);
  // No iteration.
  p.set(regs::US_FC_INT_CONST().KR(0));
  EXPECT_EQ(run(p), 1.0f);
  // REP leaves aL alone.
  Packets rep = program({load(1, 0).words(), flow(Fc::OP__REP, 0x00, 4).words(), add(1, 1, true).words(), [] {
                           FlowSlot s = flow(Fc::OP__ENDREP, 0xFF, 2);
                           s.inst.JUMP_ANY(1);
                           return s.words();
                         }()});
  rep.set(regs::US_FC_INT_CONST().KR(255).KG(1).KB(1));
  EXPECT_EQ(run(rep), 1 + 255 * 10.0f);
}

TEST(UsFlow, BreakAndContinue) {
  for (const uint32_t op : {Fc::OP__BREAKLOOP, Fc::OP__CONTINUE}) {
    // loop 3: +10; break or continue; +100.
    FlowSlot leave = flow(op, 0xFF, op == Fc::OP__BREAKLOOP ? 6 : 5), end = flow(Fc::OP__ENDLOOP, 0xFF, 2);
    end.inst.JUMP_ANY(1);
    Packets p = program(
        {load(1, 0).words(), flow(Fc::OP__LOOP, 0x00, 6).words(), add(1, 1).words(), leave.words(), add(1, 2).words(), end.words()});
    p.set(regs::US_FC_INT_CONST().KR(3));
    EXPECT_EQ(run(p), op == Fc::OP__BREAKLOOP ? 11.0f : 31.0f);
  }
}

TEST(UsFlow, CallsAndBooleans) {
  // 0 load, 1 call 4 when the bool is set, 2 +10, 3 jump to the end (6), 4 +100, 5 return, 6 out
  for (const bool set : {false, true}) {
    FlowSlot call = flow(Fc::OP__JUMP, 0xAA, 4), leave = flow(Fc::OP__JUMP, 0xFF, 6), back = flow(Fc::OP__JUMP, 0xFF, 0);
    call.inst.JUMP_ANY(1).A_OP(2).B_OP1(2);
    call.addr.BOOL_ADDR(17);
    leave.inst.JUMP_ANY(1);
    back.inst.JUMP_ANY(1).A_OP(1).B_OP1(1).B_POP_CNT(1);
    Packets p = program({load(1, 0).words(), call.words(), add(1, 1).words(), leave.words(), add(1, 2).words(), back.words()});
    const uint32_t bools = set ? 1u << 17 : ~(1u << 17);
    p.write(regs::US_FC_BOOL_CONST::offset, {&bools, 1});
    EXPECT_EQ(run(p), set ? 111.0f : 11.0f);
  }
}

/// US_CODE_OFFSET moves START, END and jump targets; JUMP_GLOBAL does not move.
TEST(UsFlow, CodeOffset) {
  for (const bool global : {false, true}) {
    FlowSlot jump = flow(Fc::OP__JUMP, 0xFF, global ? 103 : 3);
    jump.inst.JUMP_ANY(1);
    jump.addr.JUMP_GLOBAL(global);
    Packets p = program({});  // constants and control
    p.set(regs::GA_US_VECTOR_INDEX().INDEX(100));
    for (const Slot& s : {load(1, 0).words(), jump.words(), add(1, 2).words(), add(1, 1).words(), out_slot(1)})
      p.write_port(regs::GA_US_VECTOR_DATA::offset, s);
    p.set(regs::US_CODE_OFFSET().OFFSET_ADDR(100));
    p.set(regs::US_CODE_RANGE().CODE_ADDR(100).CODE_SIZE(4));
    p.set(regs::US_CODE_ADDR().START_ADDR(0).END_ADDR(4));
    EXPECT_EQ(run(p), 11.0f);
  }
}

/// TEXKILL takes the pixels of negative coordinates out of colour and depth.
TEST(UsFlow, TextureKill) {
  for (uint32_t component = 0; component < 4; ++component) {
    Chip chip;
    const Target t = make_target(chip, 16, 16);
    Packets p = plain_state(t);
    AluSlot white = load(1, 0);
    p.append(program({tex_slot(regs::US_TEX_INST::INST__TEXKILL).words(), white.words()}));
    p.set(regs::ZB_CNTL().Z_ENABLE(1).ZWRITEENABLE(1));
    p.set(regs::ZB_ZSTENCILCNTL().ZFUNC(regs::ZB_ZSTENCILCNTL::ZFUNC__ALWAYS));
    std::array<float, 4> left{1, 1, 1, 1}, right{1, 1, 1, 1};
    left[component] = -5;
    right[component] = 11;
    p.append(gradient_quad({left, right, right, left}, 0.5f));
    ASSERT_TRUE(chip.run(p));
    for (uint32_t i = 0; i < 256; ++i) {
      EXPECT_EQ(chip.memory(t.color)[i], i % 16 < 5 ? 0u : 0xFFFFFFFFu) << component << " " << i;
      EXPECT_EQ(chip.memory(t.depth)[i] != 0, i % 16 >= 5);
    }
  }
}

/// The alpha result of an OUT with W_OMASK is the depth of the pixel, clamped to [0,1]; or US_W_FMT makes it zero.
TEST(UsFlow, ShaderDepth) {
  using W = regs::US_W_FMT;
  constexpr uint32_t kFixed = W::W_FMT__N24_BIT_FIXED;
  const struct {
    float z;
    uint32_t stored, w_format;
  } cases[] = {{0.25f, 0x400000, kFixed},
               {-1, 0, kFixed},
               {3, 0xFFFFFF, kFixed},
               {1, 0xFFFFFF, kFixed},
               {0, 0, kFixed},
               {1, 0, W::W_FMT__ZERO},
               {0.25f, 0, W::W_FMT__ZERO},
               {0.25f, 0x800000 | 61 << 16, W::W_FMT__N24_BIT_FLOAT},  // 2^-2; depth_source_test.cpp has more
               {0.25f, 0x400000, 3}};
  for (const auto& c : cases) {
    Chip chip;
    const Target t = make_target(chip, 16, 16);
    Packets p = plain_state(t);
    AluSlot s = constants_slot(Rgba::RGB_OP__MAX, Alpha::ALPHA_OP__MAX);
    s.alpha.ALPHA_SEL_B(0).W_OMASK(1);
    p.append(fragment_program({s.words()}, 1));
    p.append(us_constants(0, {as_bits({0, 0, 0, c.z})}));
    p.set(W().W_FMT(c.w_format).W_SRC(W::W_SRC__SHADER));
    p.set(regs::FG_DEPTH_SRC().DEPTH_SRC(1));
    p.set(regs::ZB_CNTL().Z_ENABLE(1).ZWRITEENABLE(1));
    p.set(regs::ZB_ZSTENCILCNTL().ZFUNC(regs::ZB_ZSTENCILCNTL::ZFUNC__ALWAYS));
    p.append(full_quad({0, 0, 0, 1}, 0.75f));
    ASSERT_TRUE(chip.run(p));
    EXPECT_NEAR(double(chip.memory(t.depth)[17] >> 8), double(c.stored), 1.0) << c.z;
    EXPECT_EQ(chip.reports().size(), c.w_format == 3 ? 1u : 0u) << "reserved";
  }
}

}  // namespace
}  // namespace pumice::hw::test
