// SPDX-License-Identifier: MIT
/// Loops without counters, barriers, budgets, and programs that cannot run.
#include "tests/hw/x/rig.h"

namespace pumice::hw::x_test {
namespace {

class XFlow : public XRig {
 protected:
  void SetUp() override {
    out = allocate(65536);
    buffer(0, out, 65536);
  }
  uint64_t out = 0;
};

TEST_F(XFlow, LanesLeaveALoopOneByOne) {
  // sum of the odd numbers below the lane's number, with continue and break:
  // loop { if (i == lane) break; i++; if (i & 1) continue; sum += i - 1 ... }
  std::vector<Instruction> code = {
      X{.op = XOp::SYS, .dest = 1, .mask = kX, .immediate = 35},
      flow(Jump::loop, 11),               // 1
      xi(XiOp::IEQ, 4, kX, r(2), r(1)),   // 2  r2 = i, r3 = sum
      test_not_zero(r(4)),                // 3
      flow(Jump::break_, 11),             // 4
      xi(XiOp::IADD, 2, kX, r(2), n(1)),  // 5
      xi(XiOp::AND, 4, kX, r(2), n(1)),   // 6
      test_not_zero(r(4)),                // 7
      flow(Jump::continue_, 10),          // 8
      xi(XiOp::IADD, 3, kX, r(3), r(2)),  // 9
      flow(Jump::endloop, 2),             // 10
      xi(XiOp::SHL, 0, kX, r(1), n(2)),   // 11
      X{.op = XOp::STB, .source = 0, .src2 = 3, .descriptor = at(0)},
  };
  local_size(40);  // the last group has eight lanes
  program(code);
  run();
  ASSERT_TRUE(reports.empty()) << reports[0];
  for (uint32_t l = 0; l < 40; ++l) {
    uint32_t sum = 0;
    for (uint32_t i = 1; i <= l; ++i) sum += i % 2 ? 0 : i;
    EXPECT_EQ(dwords(out)[l], sum) << l;
  }
  EXPECT_EQ(dwords(out)[40], 0u);
}

TEST_F(XFlow, NeighboursThatDoNotExistDecide) {
  local_size(5);  // the second quad has one lane
  program({
      X{.op = XOp::SYS, .dest = 1, .mask = kX, .immediate = 35},
      xi(XiOp::MOV, 2, kX, n(7)),
      xi(XiOp::QBC2, 4, kX, r(2)),
      test_not_zero(r(4)),
      flow(Jump::if_, 7),
      xi(XiOp::MOV, 3, kX, n(1)),
      flow(Jump::endif, 7),
      xi(XiOp::SHL, 0, kX, r(1), n(2)),
      X{.op = XOp::STB, .source = 0, .src2 = 3, .descriptor = at(0)},
  });
  run();
  EXPECT_TRUE(is_native);
  for (uint32_t l = 0; l < 5; ++l) EXPECT_EQ(dwords(out)[l], uint32_t(l < 4)) << l;
}

TEST_F(XFlow, LoopsNestDeeperThanStrictOnesAndAreSkippedByNoLane) {
  constexpr uint32_t kDepth = 60;
  std::vector<Instruction> code = {X{.op = XOp::SYS, .dest = 1, .mask = kX, .immediate = 35}};
  // Every loop runs its body once; the innermost adds 1.
  std::vector<size_t> begins;
  for (uint32_t d = 0; d < kDepth; ++d) {
    begins.push_back(code.size());
    code.push_back(flow(Jump::loop, 0));
  }
  code.push_back(xi(XiOp::IADD, 3, kX, r(3), n(1)));
  for (uint32_t d = kDepth; d-- > 0;) {
    code.push_back(test_not_zero(n(1)));
    code.push_back(flow(Jump::break_, uint16_t(code.size() + 2)));
    code.push_back(flow(Jump::endloop, uint16_t(begins[d] + 1)));
    code[begins[d]].flow.target = uint16_t(code.size());
  }
  code.push_back(xi(XiOp::SHL, 0, kX, r(1), n(2)));
  code.push_back(X{.op = XOp::STB, .source = 0, .src2 = 3, .descriptor = at(0)});
  program(code);
  run();
  ASSERT_TRUE(reports.empty()) << reports[0];
  for (uint32_t l = 0; l < 16; ++l) EXPECT_EQ(dwords(out)[l], 1u);
}

TEST_F(XFlow, BranchesWithElse) {
  // r3 = lane < 5 ? 7 : 9
  Instruction begin = flow(Jump::if_, 5);
  begin.flow.branch_op1 = 2;  // with an else: those who jump are counted too
  program({
      X{.op = XOp::SYS, .dest = 1, .mask = kX, .immediate = 35},
      xi(XiOp::ULT, 4, kX, r(1), n(5)),
      test_not_zero(r(4)),
      begin,                       // 3: to 5
      xi(XiOp::MOV, 3, kX, n(7)),  // 4
      flow(Jump::else_, 8),        // 5
      xi(XiOp::MOV, 3, kX, n(9)),  // 6
      flow(Jump::endif, 8),        // 7
      xi(XiOp::SHL, 0, kX, r(1), n(2)),
      X{.op = XOp::STB, .source = 0, .src2 = 3, .descriptor = at(0)},
  });
  run();
  ASSERT_TRUE(reports.empty()) << reports[0];
  for (uint32_t l = 0; l < 16; ++l) EXPECT_EQ(dwords(out)[l], l < 5 ? 7u : 9u) << l;
}

TEST_F(XFlow, BarriersShareLocalMemory) {
  constexpr uint32_t kLanes = 100;
  local_size(10, 5, 2);
  set(regs::r5x::X_CS_LDS_SIZE{}.BYTES(4 * kLanes));
  // LDS[i] = i + 100 * workgroup; barrier; out[workgroup][i] = LDS[99 - i]; barrier; the same once more, shifted by the loop's number.
  program(
      {
          X{.op = XOp::SYS, .dest = 1, .mask = kX, .immediate = 35},
          X{.op = XOp::SYS, .dest = 2, .mask = kXyzw, .immediate = 33},
          xi(XiOp::SHL, 0, kX, r(1), n(2)),
          xi(XiOp::IMAD, 3, kX, r(2), n(100), r(1)),
          X{.op = XOp::STL, .source = 0, .src2 = 3},
          X{.op = XOp::BARRIER},
          xi(XiOp::IADD, 4, kX, c(0), -r(0)),
          X{.op = XOp::LDL, .dest = 5, .mask = kX, .source = 4},
          X{.op = XOp::BARRIER},
          xi(XiOp::SHL, 6, kX, r(3), n(2)),
          X{.op = XOp::STB, .source = 6, .src2 = 5, .descriptor = at(0)},
      },
      {{4 * (kLanes - 1), 0, 0, 0}});
  run({3, 1, 1});
  ASSERT_TRUE(reports.empty()) << reports[0];
  for (uint32_t w = 0; w < 3; ++w)
    for (uint32_t i = 0; i < kLanes; ++i) EXPECT_EQ(dwords(out)[w * kLanes + i], w * 100 + 99 - i) << w << " " << i;
}

TEST_F(XFlow, SystemValues) {
  // Rows of 16 invocations in turn, two of 8 below each other, and others.
  constexpr std::array<uint32_t, 3> kSizes[] = {{5, 3, 2}, {16, 2, 1}, {24, 1, 1}, {5, 1, 1}, {32, 1, 1},
                                                {8, 2, 2}, {8, 3, 1},  {4, 4, 2},  {48, 1, 1}};
  for (const auto& [x, y, z] : kSizes) {
    SCOPED_TRACE(std::to_string(x) + " x " + std::to_string(y) + " x " + std::to_string(z));
    const uint32_t lanes = x * y * z;
    local_size(x, y, z);
    // out[((wz * 3 + wy) * 2 + wx) * lanes + index] of a dispatch of 2 x 3 x 2: eight values each.
    const std::vector<Instruction> code = {
        X{.op = XOp::SYS, .dest = 1, .mask = kX, .immediate = 35},
        X{.op = XOp::SYS, .dest = 2, .mask = kXyzw, .immediate = 33},
        X{.op = XOp::SYS, .dest = 3, .mask = kXyzw, .immediate = 32},
        X{.op = XOp::SYS, .dest = 4, .mask = kXyzw, .immediate = 34},
        X{.op = XOp::SYS, .dest = 5, .mask = kXyzw, .immediate = 36},
        X{.op = XOp::SYS, .dest = 6, .mask = kX, .immediate = 48},
        xi(XiOp::MOV, 3, 8, r(6).x()),
        xi(XiOp::MOV, 4, 8, r(5).x()),
        xi(XiOp::IADD, 7, 7, r(2), -c(0)),  // the first workgroup is 1, 2, 3
        xi(XiOp::IMAD, 8, kX, r(7).x(2), n(3), r(7).x(1)),
        xi(XiOp::IMAD, 8, kX, r(8), n(2), r(7)),
        xi(XiOp::IMAD, 8, kX, r(8), n(lanes), r(1)),
        xi(XiOp::SHL, 8, kX, r(8), n(5)),
        X{.op = XOp::STB, .source = 8, .src2 = 3, .components = 4, .descriptor = at(0)},
        X{.op = XOp::STB, .source = 8, .src2 = 4, .components = 4, .immediate = 16, .descriptor = at(0)},
    };
    program(code, {{1, 2, 3, 0}});
    run({2, 3, 2}, {1, 2, 3});
    ASSERT_TRUE(reports.empty()) << reports[0];
    for (uint32_t w = 0; w < 12; ++w)
      for (uint32_t i = 0; i < lanes; ++i) {
        const uint32_t* o = dwords(out) + (w * lanes + i) * 8;
        ASSERT_EQ(std::vector(o, o + 8), (std::vector<uint32_t>{i % x, i / x % y, i / (x * y), i % 16, 2, 3, 2, i / 16})) << w << " " << i;
      }
  }
}

TEST_F(XFlow, BudgetsAreOfAnInvocationOrOfAll) {
  const std::vector<Instruction> endless = {flow(Jump::loop, 3), xi(XiOp::IADD, 3, kX, r(3), n(1)), flow(Jump::endloop, 1)};
  program(endless);
  run();
  EXPECT_TRUE(counters.hung);
  EXPECT_EQ(counters.instructions_left, 0u);
  set(regs::r5x::X_BUDGET{1});
  run();
  EXPECT_TRUE(counters.hung);
  EXPECT_EQ(counters.instructions_left, kInstructions);  // its own ran out
  // Work that is large in all is not stopped: 40 groups of 60000 instructions.
  program({flow(Jump::loop, 5), xi(XiOp::IADD, 3, kX, r(3), n(1)), xi(XiOp::UGE, 4, kX, r(3), c(0)), test_not_zero(r(4)),
           flow(Jump::break_, 6), flow(Jump::endloop, 1)},
          {{12000, 0, 0, 0}});
  run({40, 1, 1});
  EXPECT_FALSE(counters.hung);
  set(regs::r5x::X_BUDGET{0});
  run({40, 1, 1});
  EXPECT_TRUE(counters.hung);
}

TEST_F(XFlow, ProgramsThatCannotRunAreReported) {
  const auto expect = [&](const char* text) {
    run();
    ASSERT_EQ(reports.size(), 1u) << text;
    EXPECT_NE(reports[0].find(text), std::string::npos) << reports[0];
    EXPECT_EQ(dwords(out)[0], 0u);
  };
  const std::vector<Instruction> store = {xi(XiOp::MOV, 3, kX, n(1)), X{.op = XOp::STB, .source = 0, .src2 = 3, .descriptor = at(0)}};
  program(store);
  const uint64_t address = state->raw(regs::r5x::X_CS_CODE_LO::offset) | uint64_t{state->raw(regs::r5x::X_CS_CODE_HI::offset)} << 32;
  dwords(address)[6 + 1] |= 63;  // a reserved XOP
  expect("slot 1: illegal US_TEX_INST.XOP");
  // What was read stays until it is invalidated.
  dwords(address)[6 + 1] &= ~63u, dwords(address)[6 + 1] |= uint32_t(XOp::STB);
  expect("slot 1: illegal");
  programs.invalidate();
  run();
  EXPECT_TRUE(reports.empty());
  EXPECT_EQ(dwords(out)[0], 1u);
  dwords(out)[0] = 0;
  set(regs::r5x::X_CS_CODE_SIZE{}.SLOTS(1000));
  expect("are not backed");
  set(regs::r5x::X_CS_CODE_SIZE{}.SLOTS(0));
  expect("no slots");
  program({flow(Jump::loop, 7)});
  expect("slot 0: jumps behind its end");
  program(store, {}, 16, 262144 + 16);
  expect("262160 bytes is more than 262144");
  program(store);
  local_size(1024, 2);
  expect("2048 invocations are more than 1024");
  local_size(1);
  set(regs::r5x::X_CS_LDS_SIZE{}.BYTES(65540));
  expect("65540 bytes are more than 65536");
}

}  // namespace
}  // namespace pumice::hw::x_test
