// SPDX-License-Identifier: MIT
/// PVS instructions: encode and decode are inverse, and the checker finds each broken rule.
#include <gtest/gtest.h>

#include <random>

#include "compiler/pvs/machine.h"
#include "hw/db/regs_r500.h"

namespace pumice::compiler::pvs {
namespace {

using D = regs::PVS_INST_DST;
using S = regs::PVS_INST_SRC;

TEST(PvsMachine, DecodeThenEncodeKeepsEveryDefinedBit) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; i++) {
    Words w;
    for (uint32_t& x : w) x = static_cast<uint32_t>(random());
    const Instruction x = unpack(w);
    EXPECT_EQ(unpack(pack(x)), x) << disassemble(x);
    EXPECT_EQ(pack(x)[1], w[1] & ~4u);  // bit 2 is spare
    EXPECT_FALSE(disassemble(x).empty());
  }
}

constexpr ChipLimits::Vertex kGranted = [] {
  ChipLimits::Vertex granted = kR500.vertex;
  granted.constants = 8;
  granted.outputs = 2;
  return granted;
}();

Source temp(uint8_t index) { return {S::PVS_SRC_REG_TYPE__TEMPORARY, index, Addressing::absolute, 0, {0, 1, 2, 3}, 0, false}; }
Source constant(uint8_t index) { return {S::PVS_SRC_REG_TYPE__CONSTANT, index, Addressing::absolute, 0, {0, 1, 2, 3}, 0, false}; }
Source input(uint8_t index) { return {S::PVS_SRC_REG_TYPE__INPUT, index, Addressing::absolute, 0, {0, 1, 2, 3}, 0, false}; }

Instruction op(uint8_t code, Source a, Source b = temp(0), Source c = temp(0)) {
  Instruction x;
  x.op = code;
  x.write = 15;
  x.source = {a, b, c};
  return x;
}

void expect_problem(const Instruction& x, const std::string& part) {
  const std::vector<Words> words{pack(x)};
  const std::vector<std::string> found = check({words, kGranted});
  bool hit = false;
  for (const std::string& p : found) hit |= p.find(part) != std::string::npos;
  EXPECT_TRUE(hit) << "no problem mentions: " << part << (found.empty() ? "" : "; first: " + found[0]);
}

TEST(PvsCheck, FindsEveryBrokenRule) {
  EXPECT_FALSE(check({{}, kGranted}).empty());
  const std::vector<Words> legal{pack(op(D::PVS_DST_OPCODE__ADD, input(1), constant(2))),
                                 pack(op(D::PVS_DST_OPCODE__MULTIPLY_ADD, temp(1), temp(2), temp(1)))};
  EXPECT_TRUE(check({legal, kGranted}).empty());
  EXPECT_FALSE(check({std::vector<Words>(1025, legal[0]), kGranted}).empty());
  expect_problem(op(29, temp(0)), "reserved opcode");
  expect_problem(op(D::PVS_DST_OPCODE__ADD, input(0), input(1)), "two input registers");
  expect_problem(op(D::PVS_DST_OPCODE__ADD, constant(0), constant(1)), "two constant registers");
  Source relative = constant(0);
  relative.addressing = Addressing::a0;
  expect_problem(op(D::PVS_DST_OPCODE__ADD, relative, relative), "two constant registers");
  expect_problem(op(D::PVS_DST_OPCODE__MULTIPLY_ADD, temp(0), temp(1), temp(2)), "macro form");
  expect_problem(op(D::PVS_DST_OPCODE__ADD, temp(32)), "source register 32");
  expect_problem(op(D::PVS_DST_OPCODE__ADD, constant(8)), "source register 8");
  Instruction x = op(D::PVS_DST_OPCODE__ADD, temp(0));
  x.dst = 32;
  expect_problem(x, "temporary 32");
  x.dst_file = D::PVS_DST_REG_TYPE__OUTPUT;
  x.dst = 2;
  expect_problem(x, "output 2");
  x.dst_file = D::PVS_DST_REG_TYPE__ADDRESS_REGISTER_A0;
  x.dst = 0;
  expect_problem(x, "A0 is written by FLT2FIX");
  expect_problem(op(D::PVS_DST_OPCODE__FLT2FIX_DX, temp(0)), "A0 is written by FLT2FIX");
  x = op(0, temp(0), temp(1), relative);
  x.engine = Engine::macro;
  expect_problem(x, "macro operation with relative");
  x = op(D::PVS_DST_OPCODE__ADD, temp(0));
  x.source[0].swizzle[1] = 6;
  expect_problem(x, "reserved swizzle");
  x.source[0].addressing = Addressing::reserved;
  expect_problem(x, "reserved address mode");
}

}  // namespace
}  // namespace pumice::compiler::pvs
