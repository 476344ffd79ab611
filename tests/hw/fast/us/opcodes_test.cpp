// SPDX-License-Identifier: MIT
/// Every operation of hw/db/isa/us_r500.xml runs on the reference without a complaint, computes something, and has native code that gives
/// the same bits.
#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>

#include "hw/db/isa_us_r500.h"
#include "tests/hw/fast/cpus.h"
#include "tests/hw/fast/us/shade_rig.h"

namespace pumice::hw::fast::us {
namespace {

using namespace isa::us_r500;

/// OUT to target 0, both units MAD of constants 0, 1 and 2 as they are.
Instruction out() {
  Instruction x;
  x.type = Type::OUTPUT;
  x.tex_sem_wait = true;
  for (Unit* u : {&x.rgb, &x.alpha}) {
    const bool alpha = u == &x.alpha;
    for (uint8_t i = 0; i < 3; ++i) {
      u->address[i] = {Address::File::constant, i, false};
      u->operand[i] = {i, {uint8_t(alpha ? 3 : 0), 1, 2}, 0};
    }
    u->output = alpha ? 1 : 7;
  }
  return x;
}

/// Runs it on the reference and on native code of every processor; the bits of target 0.
std::vector<uint32_t> run(const std::vector<Instruction>& program, const std::string& what) {
  Bench b;
  std::vector<Code> words;
  for (const Instruction& x : program) {
    EXPECT_EQ(find_misfit(x), nullptr) << what << ": " << find_misfit(x);
    words.push_back(pack(x));
    EXPECT_FALSE(find_illegal(words.back())) << what << ": " << find_illegal(words.back())->name;
  }
  b.load(words);
  for (uint32_t c = 0; c < 3; ++c)
    for (uint32_t k = 0; k < 4; ++k) b.state->us_const[c][k] = std::bit_cast<uint32_t>(0.3f + 0.25f * float(c) + 0.0625f * float(k));
  b.state->set(regs::US_FC_INT_CONST{}.KR(2).KG(0).KB(1), 0);
  const auto execute = [&](const auto& routine, const char* how) {
    for (auto& t : b.args.color)
      for (Lanes& l : t) l = {};
    b.args.sample.killed = 0;
    b.args.instructions_left = 20000;
    b.counters.reported = 0;
    b.counters.instructions_left = 20000;
    {
      const FlushDenormals flush;
      routine(b.args);
    }
    EXPECT_EQ(b.args.stopped, 0u) << what << " " << how;
    EXPECT_EQ(b.counters.reported, 0u) << what << " " << how;
    std::vector<uint32_t> bits(64);
    std::memcpy(bits.data(), b.args.color[0], 256);
    return bits;
  };
  b.prepare(Cpu::portable);
  const std::vector<uint32_t> want = execute(interpret, "reference");
  for (const Cpu cpu : cpus()) {
    b.prepare(cpu);
    EXPECT_TRUE(b.shade->native()) << what << ": " << b.shade->why();
    EXPECT_EQ(execute(b.shade->routine(), "native"), want) << what << " cpu " << int(cpu);
  }
  return want;
}

bool all_zero(const std::vector<uint32_t>& bits, size_t from, size_t to) {
  for (size_t i = from; i < to; ++i)
    if (bits[i] != 0) return false;
  return true;
}

TEST(UsOperations, OfTheAluAreComplete) {
  for (const AluOpInfo& op : kAluOps) {
    if (op.extended) continue;  // of programs in memory
    // What couples the units gets its partner.
    if (op.rgb >= 0) {
      Instruction x = out();
      x.rgb.op = op.op;
      if (op.takes_scalar) x.alpha.op = AluOp::RCP;
      EXPECT_FALSE(all_zero(run({x}, std::string("RGB ") + op.name), 0, 48)) << op.name.c_str();
    }
    if (op.alpha >= 0) {
      Instruction x = out();
      x.alpha.op = op.op;
      if (op.takes_dot) x.rgb.op = AluOp::DP3;
      EXPECT_FALSE(all_zero(run({x}, std::string("alpha ") + op.name), 48, 64)) << op.name.c_str();
    }
  }
}

TEST(UsOperations, OfTexturesAreComplete) {
  for (const TexOpInfo& op : kTexOps) {
    if (op.extended) continue;
    Instruction x;
    x.type = Type::TEXTURE;
    x.tex.inst = op.op;
    x.tex.acquire = x.tex_sem_wait = true;
    x.rgb.write = 7, x.alpha.write = 1;
    Instruction o = out();
    o.rgb.address[0] = o.alpha.address[0] = {Address::File::temp, 0, false};
    // The units are disabled: 0, 0, 0, 1 where something is fetched.
    run({x, o}, op.name.c_str());
  }
}

TEST(UsOperations, OfFlowControlAreComplete) {
  std::set<FlowOp> seen;
  for (const bool loop : {true, false}) {
    // Nothing leaves: JUMP_FUNC of BREAK and CONTINUE is never true.
    std::vector<Instruction> program;
    const auto flow = [&](FlowOp op, uint8_t func, bool any, uint16_t target) -> isa::us_r500::Flow& {
      Instruction x;
      x.type = Type::FLOW_CONTROL;
      x.alu_wait = true;
      x.flow.op = op, x.flow.jump_func = func, x.flow.jump_any = any, x.flow.target = target;
      program.push_back(x);
      seen.insert(op);
      return program.back().flow;
    };
    flow(loop ? FlowOp::LOOP : FlowOp::REP, 0, false, 4);
    flow(loop ? FlowOp::BREAKLOOP : FlowOp::BREAKREP, 0, false, 4);
    flow(FlowOp::CONTINUE, 0, false, 3);
    flow(loop ? FlowOp::ENDLOOP : FlowOp::ENDREP, 0xFF, true, 1);
    flow(FlowOp::JUMP, 0x0F, false, 6).branch_op0 = regs::US_FC_INST::B_OP0__INCREMENT;
    isa::us_r500::Flow& endif = flow(FlowOp::JUMP, 0, true, 6);
    endif.branch_op0 = regs::US_FC_INST::B_OP0__DECREMENT, endif.pop_count = 1;
    program.push_back(out());
    EXPECT_FALSE(all_zero(run(program, loop ? "LOOP" : "REP"), 0, 64));
  }
  for (const FlowOpInfo& op : kFlowOps)
    EXPECT_TRUE(op.extended || seen.count(op.op)) << op.name.c_str() << " is not in any program of this test";
}

}  // namespace
}  // namespace pumice::hw::fast::us
