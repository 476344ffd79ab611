// SPDX-License-Identifier: MIT
/// The vertex program as a whole: registers, addressing, modifiers, predication, flow control, dual issue, profiles, watchdog.
#include "hw/radeon/ref/vap/pvs_engine.h"
#include "tests/hw/vap/fixture.h"

namespace pumice::hw::test {
namespace {

using vap::PvsInputs;
using vap::PvsOutputs;
using Fc = regs::VAP_PVS_FLOW_CNTL_OPC;

class Pvs : public VapTest {
 protected:
  Pvs() {
    inputs.fill(vap::kDefaultVector);
    inputs[0] = {1, 2, 3, 4};
    inputs[1] = {-5, 0.25f, -0.5f, 8};
  }
  PvsOutputs go() {
    PvsOutputs out;
    out.fill(vap::kDefaultVector);
    const auto p = vap::decode_program(state);
    complaint = p.complaint;
    finished = vap::run_program(p, state, inputs, out, counters.instructions_left);
    return out;
  }
  PvsInputs inputs;
  std::string complaint;
  bool finished = false;
};

TEST_F(Pvs, SwizzleAbsNegateMask) {
  program({mov(to_output(0), source(1, 0, "wzyx", 0b0101)), mov(to_output(1, 0b0110), source(1, 1, "xxzz", 0b1111, true)),
           mov(to_output(2), input(0, "01xy"))});
  const auto out = go();
  EXPECT_EQ(out[0], (Vec4{-4, 3, -2, 1}));
  EXPECT_EQ(out[1], (Vec4{0, -5, -0.5f, 1}));
  EXPECT_EQ(out[2], (Vec4{0, 1, 1, 2}));
}

TEST_F(Pvs, Saturate) {
  program({mov(to_output(0).PVS_DST_VE_SAT(1), input(1)),
           math_op(Math::PVS_DST_OPCODE__MULTIPLY, to_output(1).PVS_DST_ME_SAT(1), input(1), input(1)),
           mov(to_output(2).PVS_DST_ME_SAT(1), input(1))});
  const auto out = go();
  EXPECT_EQ(out[0], (Vec4{0, 0.25f, 0, 1}));
  EXPECT_EQ(out[1], (Vec4{1, 1, 1, 1}));
  EXPECT_EQ(out[2], inputs[1]);  // the other engine's bit
}

TEST_F(Pvs, ProfileR300IgnoresAbsSaturateAndPredication) {
  program({mov(to_output(0).PVS_DST_VE_SAT(1).PVS_DST_PRED_ENABLE(1).PVS_DST_PRED_SENSE(1), source(1, 1, "xyzw", 0, true))});
  state.profile = Profile::r300;
  EXPECT_EQ(go()[0], inputs[1]);
  program({vector_op(Dst::PVS_DST_OPCODE__SET_EQUAL, to_output(0), input(0))});
  EXPECT_EQ(go()[0], vap::kDefaultVector);
  EXPECT_NE(complaint, "");
}

TEST_F(Pvs, DenormalsAreFlushedAndTempsStartAtZero) {
  inputs[0] = {f(1), f(0x807FFFFF), 1, 2};
  program({vector_op(Dst::PVS_DST_OPCODE__MAXIMUM, to_output(0), input(0), input(0)), mov(to_output(1), temp(31))});
  const auto out = go();
  EXPECT_EQ(num::bits(out[0][0]), 0u);
  EXPECT_EQ(num::bits(out[0][1]), 0x80000000u);
  EXPECT_EQ(out[1], Vec4{});
}

TEST_F(Pvs, RegisterFilesAndRanges) {
  program({mov(to_temp(31), input(0)), mov(dest(Dst::PVS_DST_REG_TYPE__ALTERNATE_TEMPORARY, 19), temp(31)),
           mov(dest(Dst::PVS_DST_REG_TYPE__INPUT_MEMORY, 15), alt(19)), mov(to_output(15), input(15)),
           mov(dest(Dst::PVS_DST_REG_TYPE__OUTPUT_WITH_X_REPLICATED, 1, 0xE), input(0, "zyxw")),
           // Out of range: written nowhere, read as zero.
           mov(to_temp(100), input(0)), mov(to_output(100), input(0)), mov(to_output(2), temp(100)), mov(to_output(3), input(200)),
           mov(to_output(4), alt(20)), mov(dest(9, 0), input(0))});
  const auto out = go();
  EXPECT_EQ(out[15], inputs[0]);
  EXPECT_EQ(out[1], (Vec4{0, 3, 3, 3}));
  for (int i : {2, 3, 4}) EXPECT_EQ(out[i], Vec4{}) << i;
  EXPECT_NE(complaint.find("destination type 9"), std::string::npos);
}

TEST_F(Pvs, ConstantsAndRelativeAddressing) {
  for (uint32_t i = 0; i < 256; ++i) set_constant(i, {float(i), 0, 0, 0});
  inputs[2] = {2.75f, -3.0f, 1000, 0};
  program({vector_op(Dst::PVS_DST_OPCODE__FLT2FIX_DX, to_a0(), input(2)), mov(to_output(0), constant(7)),
           mov(to_output(1), relative(constant(7), 1, 0)), mov(to_output(2), relative(constant(2), 1, 1)),
           mov(to_output(3), relative(constant(7), 1, 2)), mov(to_output(4), relative(constant(7), 3)),
           // Relative destination: output 3 + A0.x(2).
           mov(to_output(3).PVS_DST_ADDR_MODE_0(1), input(0)), mov(to_output(6), constant(200))});
  state.set(regs::VAP_PVS_CONST_CNTL{}.PVS_CONST_BASE_OFFSET(10).PVS_MAX_CONST_ADDR(100));
  const auto out = go();
  EXPECT_EQ(out[0][0], 17);
  EXPECT_EQ(out[1][0], 19);
  EXPECT_EQ(out[2], Vec4{});  // 2 - 3 < 0
  EXPECT_EQ(out[3], Vec4{});  // 7 + 255 > 100
  EXPECT_EQ(out[4][0], 17);   // mode 3: absolute
  EXPECT_EQ(out[5], inputs[0]);
  EXPECT_EQ(out[6], Vec4{});  // beyond MAX_CONST_ADDR
}

TEST_F(Pvs, OperandsAreReadBeforeTheWrite) {
  program({mov(to_temp(0), input(0)), mov(to_temp(0), temp(0, "wzyx")), mov(to_output(0), temp(0))});
  EXPECT_EQ(go()[0], (Vec4{4, 3, 2, 1}));
}

TEST_F(Pvs, MacroMultiplyAdd) {
  program({{to_output(0).PVS_DST_MACRO_INST(1).PVS_DST_OPCODE(0).raw, input(0), input(1), input(0)},
           {to_output(1).PVS_DST_MACRO_INST(1).PVS_DST_OPCODE(1).raw, input(0), input(1), input(0)}});
  const auto out = go();
  EXPECT_EQ(out[0], (Vec4{-4, 2.5f, 1.5f, 36}));
  EXPECT_EQ(out[1], (Vec4{-9, 3, 0, 68}));
}

TEST_F(Pvs, PredicationIfElseEndif) {
  // if (in1.x != 0) t1 = 1 else t1 = 2, nested if inside, as pvs-isa s.8 lowers it.
  const auto on = [](Dst d) { return d.PVS_DST_PRED_ENABLE(1).PVS_DST_PRED_SENSE(1); };
  const std::vector<Words> code = {
      math_op(Math::PVS_DST_OPCODE__PRED_SET_NEQ, to_temp(0, 8), input(1, "xxxx")),
      mov(on(to_output(0, 1)), constant(0, "xxxx")),
      vector_op(Dst::PVS_DST_OPCODE__PRED_SET_NEQ_PUSH, to_temp(0, 8), temp(0, "wwww"), input(1, "yyyy")),
      mov(on(to_output(0, 2)), constant(0, "yyyy")),
      math_op(Math::PVS_DST_OPCODE__PRED_SET_INV, to_temp(0, 8), temp(0, "wwww")),
      mov(on(to_output(0, 2)), constant(0, "zzzz")),
      math_op(Math::PVS_DST_OPCODE__PRED_SET_POP, to_temp(0, 8), temp(0, "wwww")),
      math_op(Math::PVS_DST_OPCODE__PRED_SET_INV, to_temp(0, 8), temp(0, "wwww")),
      mov(on(to_output(0, 1)), constant(0, "wwww")),
      math_op(Math::PVS_DST_OPCODE__PRED_SET_POP, to_temp(0, 8), temp(0, "wwww")),
      mov(on(to_output(0, 8)), constant(0, "xxxx")),
  };
  program(code);
  set_constant(0, {10, 20, 30, 40});
  const float table[4][4] = {{0, 0, 40, 0}, {0, 1, 40, 0}, {1, 0, 10, 30}, {1, 1, 10, 20}};  // outer, inner, out.x, out.y
  for (auto& t : table) {
    inputs[1] = {t[0], t[1], 0, 0};
    const auto out = go();
    EXPECT_EQ(out[0], (Vec4{t[2], t[3], 0, 10})) << t[0] << t[1];
  }
  // Sense 0 runs when the predicate is false, as it is at the start; a predicated-off instruction leaves A0 and the predicate alone.
  program({mov(to_output(0).PVS_DST_PRED_ENABLE(1), input(0)), math_op(Math::PVS_DST_OPCODE__PRED_SET_EQ, on(to_temp(0)), zero()),
           mov(on(to_output(1)), input(0))});
  const auto out = go();
  EXPECT_EQ(out[0], inputs[0]);
  EXPECT_EQ(out[1], vap::kDefaultVector);
}

TEST_F(Pvs, DualIssue) {
  using Dual = regs::PVS_INST_DUAL_MATH;
  // temp1 = in0 + in0 while alt2.z = -rcp(temp1.y): the math unit reads temp1 before it is written.
  const Words first = mov(to_temp(1), input(0));
  Words dual = vector_op(Dst::PVS_DST_OPCODE__ADD, to_temp(1).PVS_DST_DUAL_MATH_OP(1), input(0), input(0));
  const uint32_t rcp = Math::PVS_DST_OPCODE__RECIP_IEEE;
  dual[3] = Dual{}
                .PVS_SRC_REG_TYPE(0)
                .PVS_SRC_OFFSET(1)
                .PVS_SRC_SWIZZLE_X(1)
                .PVS_SRC_MODIFIER_X(1)
                .PVS_DST_OPCODE_MSB(rcp >> 4)
                .PVS_DST_OPCODE(rcp & 15)
                .DUAL_MATH_DST_OFFSET(2)
                .PVS_DST_WE_SEL(2)
                .raw;
  Words mul = vector_op(Dst::PVS_DST_OPCODE__NOP, Dst{}.PVS_DST_DUAL_MATH_OP(1).PVS_DST_ME_SAT(1), zero());
  mul[3] = Dual{}.PVS_SRC_REG_TYPE(1).PVS_SRC_OFFSET(0).PVS_SRC_SWIZZLE_X(1).PVS_SRC_SWIZZLE_Y(3).PVS_DST_OPCODE(10).PVS_DST_WE_SEL(0).raw;
  program({first, dual, mul, mov(to_output(0), temp(1)), mov(to_output(1), alt(2)), mov(to_output(2), alt(0))});
  const auto out = go();
  EXPECT_EQ(out[0], (Vec4{2, 4, 6, 8}));
  EXPECT_EQ(out[1], (Vec4{0, 0, -0.5f, 0}));
  EXPECT_EQ(out[2], (Vec4{1, 0, 0, 0}));  // 2*4, saturated
}

TEST_F(Pvs, Loop) {
  for (uint32_t i = 0; i < 16; ++i) set_constant(i, {float(1 << i), 0, 0, 0});
  // temp0 += const[aL], aL = 1, 3, 5; the loop ends at the last instruction but one.
  program({mov(to_temp(0), zero()), vector_op(Dst::PVS_DST_OPCODE__ADD, to_temp(0), temp(0), relative(constant(0), 2)),
           mov(to_output(0), temp(0)), mov(to_output(1), relative(constant(0), 2))});
  flow(3, Fc::PVS_FC_OPC_0__LOOP, 0, 3, 1, 1, 1 | 2 << 8);
  const auto out = go();
  EXPECT_EQ(out[0][0], 2 + 8 + 32);
  EXPECT_EQ(out[1][0], 1);  // aL is back at 0
  EXPECT_TRUE(finished);
}

/// R3xx has all of an entry in one register.
TEST_F(Pvs, LoopOfR300) {
  program({mov(to_temp(0), zero()), vector_op(Dst::PVS_DST_OPCODE__ADD, to_temp(0), temp(0), input(0)), mov(to_output(0), temp(0))});
  state.profile = Profile::r300;
  state.set(Fc{state.get<Fc>()}.PVS_FC_OPC_0(Fc::PVS_FC_OPC_0__LOOP));
  for (const uint32_t count : {1u, 3u, 200u}) {
    state.set(
        regs::VAP_PVS_FLOW_CNTL_ADDRS{}.PVS_FC_ACT_ADRS_0(0).PVS_FC_LOOP_CNT_JMP_INST_0(count).PVS_FC_LAST_INST_0(1).PVS_FC_RTN_INST_0(1));
    EXPECT_EQ(go()[0][0], float(count));
    EXPECT_TRUE(finished);
  }
}

TEST_F(Pvs, LoopEndingAtTheLastInstructionRunsItsCount) {
  set_constant(0, {1, 1, 1, 1});
  program({mov(to_temp(0), zero()), vector_op(Dst::PVS_DST_OPCODE__ADD, to_temp(0), temp(0), constant(0)), mov(to_output(0), temp(0))});
  flow(0, Fc::PVS_FC_OPC_0__LOOP, 0, 255, 2, 1);
  EXPECT_EQ(go()[0][0], 255);
}

TEST_F(Pvs, NestedLoopsInheritAndRestoreIndex) {
  for (uint32_t i = 0; i < 64; ++i) set_constant(i, {float(i), 0, 0, 0});
  // outer aL = 10, 20; inner (inherits, step 1) three times; after the inner loop const[aL] is the outer's again.
  const auto add = [](uint32_t t) { return vector_op(Dst::PVS_DST_OPCODE__ADD, to_temp(t), temp(t), relative(constant(0), 2)); };
  program({mov(to_temp(9), zero()), mov(to_temp(8), zero()), add(0), add(1), mov(to_output(0), temp(0)), mov(to_output(1), temp(1))});
  flow(0, Fc::PVS_FC_OPC_0__LOOP, 0, 2, 3, 1, 10 | 10 << 8);
  flow(1, Fc::PVS_FC_OPC_0__LOOP, 1, 3, 2, 2, 99 | 1 << 8 | 1u << 31);
  const auto out = go();
  EXPECT_EQ(out[0][0], 10 + 11 + 12 + 20 + 21 + 22);
  EXPECT_EQ(out[1][0], 10 + 20);
}

TEST_F(Pvs, JumpAndSubroutine) {
  set_constant(0, {1, 1, 1, 1});
  const Words bump = vector_op(Dst::PVS_DST_OPCODE__ADD, to_temp(0), temp(0), constant(0));
  // 0 bump, 1 call -> 6, 2 call -> 6, 3 jump -> 5, 4 bump (skipped), 5 out; 6..7 subroutine bumps twice.
  program({bump, bump, bump, bump, bump, mov(to_output(0), temp(0)), bump, bump});
  state.set(regs::VAP_PVS_CODE_CNTL_0{}.PVS_FIRST_INST(0).PVS_LAST_INST(5));
  flow(0, Fc::PVS_FC_OPC_0__JSR, 1, 6, 7, 2);
  flow(1, Fc::PVS_FC_OPC_0__JSR, 2, 6, 7, 3);
  flow(2, Fc::PVS_FC_OPC_0__JUMP, 3, 5);
  EXPECT_EQ(go()[0][0], 4 + 2 + 2);
}

TEST_F(Pvs, WatchdogStopsEndlessJump) {
  program({mov(to_temp(0), zero()), mov(to_temp(0), zero())});
  flow(0, Fc::PVS_FC_OPC_0__JUMP, 1, 0);
  counters.instructions_left = 1000;
  go();
  EXPECT_FALSE(finished);
  EXPECT_EQ(counters.instructions_left, 0u);
}

TEST_F(Pvs, EveryInstructionCosts) {
  program({mov(to_temp(0), zero()), vector_op(0, Dst{}, zero()), mov(to_temp(0).PVS_DST_PRED_ENABLE(1).PVS_DST_PRED_SENSE(1), zero())});
  counters.instructions_left = 3;
  go();
  EXPECT_TRUE(finished);
  EXPECT_EQ(counters.instructions_left, 0u);
}

TEST_F(Pvs, StartsAtFirstInstruction) {
  program({mov(to_output(0), input(1))}, 1000);
  EXPECT_EQ(go()[0], inputs[1]);
}

}  // namespace
}  // namespace pumice::hw::test
