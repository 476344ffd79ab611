// SPDX-License-Identifier: MIT
/// US slots: encode and decode are inverse, inline constants, and the checker finds each broken rule.
#include <gtest/gtest.h>

#include <random>

#include "compiler/us/machine.h"

namespace pumice::compiler::us {
namespace {

TEST(UsMachine, DecodeThenEncodeKeepsEveryDefinedBit) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; i++) {
    Words w;
    for (uint32_t& x : w) x = static_cast<uint32_t>(random());
    const Instruction x = unpack(w);
    EXPECT_EQ(unpack(pack(x)), x) << disassemble(x);
    if (x.type == Type::ALU || x.type == Type::OUTPUT) {
      // Every bit of the ALU words is defined.
      EXPECT_EQ(pack(x)[3], w[3]);
      EXPECT_EQ(pack(x)[4], w[4]);
      EXPECT_EQ(pack(x)[5], w[5]);
      EXPECT_EQ(pack(x)[0], w[0]);
      EXPECT_EQ(pack(x)[1], w[1]);
    }
    EXPECT_FALSE(disassemble(x).empty());
  }
}

Instruction end() {
  Instruction x;
  x.type = Type::OUTPUT;
  x.tex_sem_wait = true;
  return x;
}
Instruction move(uint8_t dst, uint8_t src) {
  Instruction x;
  x.rgb.op = AluOp::MAX;
  x.rgb.omod = 7;
  x.rgb.address[0] = {Address::File::temp, src, false};
  for (int i = 0; i < 2; i++) x.rgb.operand[i] = {0, {0, 1, 2}, 0};
  x.rgb.dest = dst;
  x.rgb.write = 7;
  return x;
}
Instruction tex(uint8_t dst, uint8_t src) {
  Instruction x;
  x.type = Type::TEXTURE;
  x.tex.inst = TexOp::LD;
  x.tex.acquire = x.tex_sem_wait = x.alu_wait = true;
  x.tex.dest.temp = dst;
  x.tex.source.temp = src;
  x.rgb.write = 7;
  return x;
}

std::vector<std::string> problems(std::vector<Instruction> code, unsigned frame = 4, bool full = false) {
  std::vector<Words> words;
  for (const Instruction& x : code) words.push_back(pack(x));
  return check({words, frame, full, &kR500});
}
void expect_problem(std::vector<Instruction> code, const std::string& part, unsigned frame = 4, bool full = false) {
  const std::vector<std::string> found = problems(std::move(code), frame, full);
  bool hit = false;
  for (const std::string& p : found) hit |= p.find(part) != std::string::npos;
  EXPECT_TRUE(hit) << "no problem mentions: " << part << (found.empty() ? "" : "; first: " + found[0]);
}

TEST(UsCheck, AcceptsALegalProgram) {
  EXPECT_EQ(problems({move(1, 0), tex(2, 1),
                      [] {
                        auto x = move(3, 2);
                        x.tex_sem_wait = true;
                        return x;
                      }(),
                      end()}),
            std::vector<std::string>{});
}

TEST(UsCheck, FindsEveryBrokenRule) {
  expect_problem({}, "empty program");
  expect_problem(std::vector<Instruction>(513, end()), "513 slots");
  expect_problem({move(1, 0)}, "not an OUT");
  expect_problem({[] {
                   auto x = end();
                   x.tex_sem_wait = false;
                   return x;
                 }()},
                 "lacks TEX_SEM_WAIT");
  expect_problem({move(4, 0), end()}, "outside the frame");
  expect_problem({tex(1, 0), move(2, 1), end()}, "in flight");
  expect_problem({tex(1, 0), move(1, 2), end()}, "in flight");
  expect_problem({[] {
                    auto x = tex(1, 0);
                    x.tex_sem_wait = false;
                    return x;
                  }(),
                  end()},
                 "acquiring TEX");
  expect_problem({move(0, 1),
                  [] {
                    auto x = tex(1, 0);
                    x.alu_wait = x.tex_sem_wait = x.tex.acquire = false;
                    return x;
                  }(),
                  end()},
                 "without ALU_WAIT");
  expect_problem({[] {
                    auto x = move(1, 0);
                    x.rgb.op = AluOp::MAD;
                    return x;
                  }(),
                  end()},
                 "OMOD 7");
  expect_problem({[] {
                    auto x = move(1, 0);
                    x.rgb.clamp = true;
                    return x;
                  }(),
                  end()},
                 "clamp with OMOD 7");
  expect_problem({[] {
                    auto x = move(1, 0);
                    x.rgb.op = AluOp::SOP;
                    x.rgb.omod = 0;
                    return x;
                  }(),
                  end()},
                 "SOP without");
  expect_problem({[] {
                    auto x = move(1, 0);
                    x.alpha.op = AluOp::DP;
                    return x;
                  }(),
                  end()},
                 "alpha DP without");
  expect_problem({[] {
                    auto x = move(1, 0);
                    x.rgb.op = rgb_op(6);
                    return x;
                  }(),
                  end()},
                 "reserved RGB opcode");
  expect_problem({[] {
                    auto x = move(1, 0);
                    x.depth_write = true;
                    return x;
                  }(),
                  end()},
                 "W_OMASK");
  expect_problem({[] {
                   auto x = end();
                   x.result_write = true;
                   return x;
                 }()},
                 "ALU result and output");
  const auto derivative = [] {
    auto x = move(1, 0);
    x.rgb.op = AluOp::MDH;
    x.rgb.omod = 0;
    return x;
  };
  expect_problem({move(0, 2), derivative(), end()}, "MDH/MDV reads");
  EXPECT_TRUE(problems({[] {
                          auto x = move(0, 2);
                          x.nop = true;
                          return x;
                        }(),
                        derivative(), end()})
                  .empty());
  const auto presubtract = [] {
    auto x = move(1, 0);
    x.rgb.operand[0].select = 3;
    x.rgb.presubtract = 3;
    return x;
  };
  expect_problem({move(0, 2), presubtract(), end()}, "presubtract reads");
  const auto flow = [](FlowOp op) {
    Instruction x;
    x.type = Type::FLOW_CONTROL;
    x.alu_wait = true;
    x.flow.op = op;
    return x;
  };
  expect_problem({flow(FlowOp::LOOP), end()}, "partial flow-control");
  expect_problem({flow(FlowOp::LOOP), end()}, "unbalanced", 4, true);
  expect_problem({[&] {
                    auto x = flow(FlowOp::JUMP);
                    x.alu_wait = false;
                    return x;
                  }(),
                  end()},
                 "without ALU_WAIT");
  expect_problem({[&] {
                    auto x = flow(FlowOp::JUMP);
                    x.flow.target = 7;
                    return x;
                  }(),
                  end()},
                 "jump outside");
  expect_problem({tex(1, 0), flow(FlowOp::JUMP), end()}, "control flow with texture results in flight");
}

}  // namespace
}  // namespace pumice::compiler::us
