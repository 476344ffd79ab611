// SPDX-License-Identifier: MIT
/// What a program exchanges with its stage: attributes, varyings, system values, exports, discards; helpers store nothing.
#include <map>
#include <tuple>

#include "tests/hw/x/rig.h"

namespace pumice::hw::x_test {
namespace {

/// Returns numbers that identify the request, and records writes.
struct FakeLink final : x::StageLink {
  Bits4 attribute(uint32_t lane, uint32_t number) override { return {1000 + 10 * number + lane, 1, 2, 3}; }
  Bits4 varying(uint32_t lane, uint32_t number, uint32_t mode, const Bits4& where) override {
    return {2000 + 100 * mode + 10 * number + lane, where[0], where[1], 0};
  }
  Bits4 system(uint32_t lane, uint32_t number) override { return {3000 + 10 * number + lane, 0, 0, 0}; }
  void write(uint32_t lane, uint32_t slot, uint32_t mask, const Bits4& value) override {
    for (uint32_t c = 0; c < 4; ++c)
      if (mask >> c & 1) written[{lane, slot, c}] = value[c];
  }
  void kill(uint32_t lane) override { killed.push_back(lane); }
  uint32_t at(uint32_t lane, uint32_t slot, uint32_t c) const {
    const auto found = written.find({lane, slot, c});
    return found == written.end() ? 0xDEADu : found->second;
  }
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> written;
  std::vector<uint32_t> killed;
};

class XStage : public XRig {
 protected:
  /// The program becomes that of the fragment stage.
  void fragment(const std::vector<Instruction>& code, const std::vector<Bits4>& literals = {}) {
    program(code, literals);
    for (uint32_t i = 0; i < 4; ++i)
      state->reg[regs::r5x::X_FS_CODE_LO::offset / 4 + i] = state->raw(regs::r5x::X_CS_CODE_LO::offset + 4 * i);
    set(regs::r5x::X_GFX_SET_LO{uint32_t(sets)});
    set(regs::r5x::X_GFX_SET_HI{uint32_t(sets >> 32)});
  }
  void run_stage(uint32_t lanes, uint32_t active, uint32_t helpers) {
    counters = {};
    counters.instructions_left = kInstructions;
    DrawContext ctx{*state, *memory, counters, config};
    ctx.programs = &programs;
    x::run(ctx, {.stage = x::Stage::fragment, .lanes = lanes, .active = active, .helpers = helpers, .link = &link});
    ASSERT_TRUE(reports.empty()) << reports[0];
  }
  FakeLink link;
};

TEST_F(XStage, AsksAndExports) {
  for (const uint32_t lanes : {4u, 16u}) {
    link = {};
    fragment(
        {
            X{.op = XOp::LDA, .dest = 1, .mask = kXyzw, .immediate = 3},
            xi(XiOp::MOV, 5, 3, c(0)),
            X{.op = XOp::LDV, .dest = 2, .mask = kXyzw, .source = 5, .immediate = 7, .sub = SubOp(4)},
            X{.op = XOp::SYS, .dest = 3, .mask = kX, .immediate = 9},
            X{.op = XOp::SYS, .dest = 3, .mask = 2, .immediate = 48},  // x of it is the lane: .y gets component y, 0
            X{.op = XOp::EXP, .mask = 5, .source = 1, .immediate = 33},
            X{.op = XOp::EXP, .mask = kXyzw, .source = 2, .immediate = 16},
            X{.op = XOp::EXP, .mask = 3, .source = 3, .immediate = 8},
        },
        {{70, 71, 0, 0}});
    run_stage(lanes, lanes == 4 ? 0xD : 0xFFF7, 0);
    for (uint32_t l = 0; l < lanes; ++l) {
      const bool runs = lanes == 4 ? l != 1 : l != 3;
      EXPECT_EQ(link.at(l, 33, 0), runs ? 1030 + l : 0xDEAD) << l;
      EXPECT_EQ(link.at(l, 33, 1), 0xDEADu);
      EXPECT_EQ(link.at(l, 33, 2), runs ? 2u : 0xDEAD);
      EXPECT_EQ(link.at(l, 16, 0), runs ? 2470 + l : 0xDEAD);
      EXPECT_EQ(link.at(l, 16, 2), runs ? 71u : 0xDEAD);
      EXPECT_EQ(link.at(l, 8, 0), runs ? 3090 + l : 0xDEAD);
      EXPECT_EQ(link.at(l, 8, 1), runs ? 0u : 0xDEAD);
    }
  }
}

TEST_F(XStage, OutputSlotsWriteTargetsAndDepth) {
  Instruction out = alu(AluOp::MAX, 0, 0, c(0), c(0));
  out.type = Type::OUTPUT;
  out.rgb.output = 5, out.alpha.output = 1;
  out.rgb.target = 2, out.alpha.target = 1;
  out.rgb.omod = out.alpha.omod = 7;
  out.depth_write = true;
  fragment({out}, {{11, 12, 13, 14}});
  run_stage(4, 0xF, 0);
  for (uint32_t l = 0; l < 4; ++l) {
    EXPECT_EQ(link.at(l, 2, 0), 11u);
    EXPECT_EQ(link.at(l, 2, 1), 0xDEADu);
    EXPECT_EQ(link.at(l, 2, 2), 13u);
    EXPECT_EQ(link.at(l, 2, 3), 0xDEADu);
    EXPECT_EQ(link.at(l, 1, 3), 14u);
    EXPECT_EQ(link.at(l, 8, 0), 14u);
  }
}

TEST_F(XStage, DiscardedLanesGoOnAsHelpers) {
  const uint64_t out = allocate(4096);
  buffer(0, out, 4096);
  fragment({
      X{.op = XOp::SYS, .dest = 1, .mask = kX, .immediate = 48},
      xi(XiOp::SHL, 0, kX, r(1), n(2)),
      X{.op = XOp::STB, .source = 0, .src2 = 0, .descriptor = at(0)},
      xi(XiOp::IEQ, 2, kX, r(1), n(2)),
      X{.op = XOp::KILL, .source = 2},
      X{.op = XOp::KILL, .source = 2},  // once more changes nothing
      X{.op = XOp::STB, .source = 0, .src2 = 1, .immediate = 64, .descriptor = at(0)},
      X{.op = XOp::ATB, .dest = 4, .mask = kX, .source = 5, .src2 = 1, .immediate = 128, .descriptor = at(0)},
      xi(XiOp::QBC2, 3, kX, r(1)),
      X{.op = XOp::EXP, .mask = 1, .source = 3, .immediate = 0},
  });
  std::fill_n(dwords(out), 64, 99u);
  dwords(out)[32] = 0;
  run_stage(4, 0xF, 1);  // lane 0 is a helper from the start
  EXPECT_EQ(link.killed, std::vector<uint32_t>{2});
  EXPECT_EQ(std::vector(dwords(out), dwords(out) + 5), (std::vector<uint32_t>{99, 4, 8, 12, 99}));
  EXPECT_EQ(std::vector(dwords(out) + 16, dwords(out) + 21), (std::vector<uint32_t>{99, 1, 99, 3, 99}));
  EXPECT_EQ(dwords(out)[32], 4u);   // 1 + 3
  EXPECT_EQ(link.at(3, 0, 0), 2u);  // derivatives go on
}

}  // namespace
}  // namespace pumice::hw::x_test
