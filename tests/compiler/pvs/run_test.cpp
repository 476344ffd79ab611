// SPDX-License-Identifier: MIT
/// Vertex programs compiled and executed by the chip's PVS, against the IR evaluator.
#include <gtest/gtest.h>

#include "compiler/isa/error.h"
#include "compiler/pvs/compile.h"
#include "tests/compiler/pvs/vertex_rig.h"
#include "tests/compiler/random_ir.h"

namespace pumice::compiler {
namespace {

void expect_same(const std::string& text, float tolerance, uint32_t seed = 1, unsigned vertices = 6) {
  ir::Module module;
  std::string error;
  ASSERT_TRUE(ir::parse(text, module, error)) << error << "\n" << text;
  ASSERT_EQ(ir::validate_chip_form(module, kR500), "") << text;
  testing::expect_same_vertex(module, module, text, tolerance, seed, vertices);
}

TEST(PvsRun, CubeWithIndexedUniforms) {
  std::string text = R"(shader vertex "cube" floats_only
input 0 vertex_index f32i
output 0 position f32x4
output 1 location=0 component=0 f32x4
output 2 location=1 component=0 f32x3
uniform 0 set=0 binding=0 element=0 size=1216
%1:f32i = load_input 0
%2:f32x4 = load_uniform 0 offset=40 [%1.x max=35]
%3:f32x4 = load_uniform 0 offset=4 [%1.x max=35]
%4:f32x4 = load_uniform 0 offset=0
%5:f32x4 = load_uniform 0 offset=1
%6:f32x4 = load_uniform 0 offset=2
%7:f32x4 = load_uniform 0 offset=3
%8:f32x4 = mul %4.xyzw %3.xxxx
%9:f32x4 = mad %5.xyzw %3.yyyy %8.xyzw
%10:f32x4 = mad %6.xyzw %3.zzzz %9.xyzw
%11:f32x4 = mad %7.xyzw %3.wwww %10.xyzw
store_output 0 %11.xyzw mask=xyzw
store_output 1 %2.xyzw mask=xyzw
store_output 2 %11.xyz mask=xyz
)";
  expect_same(text, 1e-6f);
}

TEST(PvsRun, ScalarFunctions) {
  const std::string head =
      "shader vertex \"scalar\"\ninput 0 location=0 component=0 f32x4\noutput 0 position f32x4\n%1:f32x4 = load_input 0\n";
  for (const char* op : {"rcp", "rsq", "exp2", "sin", "cos", "floor"}) {
    expect_same(head + "%2:f32 = " + op + " %1.x\n%3:f32 = " + op +
                    " -%1.y\n%4:f32x4 = vec %2.x %3.x %1.z %2.x\nstore_output 0 %4.xyzw mask=xyzw\n",
                4e-6f);
  }
  expect_same(
      head + "%2:f32 = log2 |%1.x|\n%3:f32 = rcp.sat |%1.y|\n%4:f32x4 = vec %2.x %3.x -%1.z |%2.x|\nstore_output 0 %4.xyzw mask=xyzw\n",
      4e-6f);
}

TEST(PvsRun, EveryKindOfConstant) {
  expect_same(R"(shader vertex "constants" floats_only
input 0 location=2 component=1 f32x3
input 1 instance_index f32i
output 0 position f32x4
push size=64
uniform 0 set=0 binding=0 element=0 size=64
uniform 1 immediate 1 2 3 4 5 6 7 8 9 10 11 12
%1:f32x3 = load_input 0
%2:f32i = load_input 1
%3:f32 = constant 0.08
%4:f32 = mul %2.x %3.x
%5:f32 = floor %4.x
%6:f32x4 = load_uniform 1 offset=0 [%5.x max=2]
%7:f32x4 = load_push offset=3
%8:f32x4 = load_uniform 0 offset=2
%9:f32x4 = load_param base_vertex 0 offset=0
%10:f32x4 = mad %7.xyzw %8.wzyx %9.xyzw
%11:f32x4 = constant -0.5 1 -1 3
%12:f32x4 = mad %10.xyzw %11.xyzw %8.xyzw
%13:f32x4 = add %12.xyzw %6.xyzw
%14:f32x4 = mul %13.xyzw %1.xyzx
store_output 0 %14.xyzw mask=xyzw
)",
              1e-6f);
}

TEST(PvsRun, SaysHowManyTemporariesAreNeeded) {
  // Forty vectors alive at once.
  std::string text = "shader vertex \"pressure\"\ninput 0 location=0 component=0 f32x4\noutput 0 position f32x4\n%1:f32x4 = load_input 0\n";
  for (int i = 0; i < 40; i++) text += "%" + std::to_string(2 + i) + ":f32x4 = fract %" + std::to_string(1 + i) + ".yzwx\n";
  std::string last = "%41";
  for (int i = 0; i < 40; i++) {
    const std::string next = "%" + std::to_string(50 + i);
    text += next + ":f32x4 = max " + last + ".xyzw %" + std::to_string(41 - i) + ".wzyx\n";
    last = next;
  }
  text += "store_output 0 " + last + ".xyzw mask=xyzw\n";
  ir::Module module;
  std::string error;
  ASSERT_TRUE(ir::parse(text, module, error)) << error;
  try {
    pvs::compile(module, {{ir::Builtin::position, 0, 0, {}, 15}}, nullptr, kR500);
    FAIL() << "compiled";
  } catch (const isa::Unsupported& e) {
    EXPECT_NE(std::string(e.what()).find("temporaries, the R5xx vertex unit has 32"), std::string::npos) << e.what();
  }
}

class PvsRandom : public ::testing::TestWithParam<uint32_t> {};

TEST_P(PvsRandom, MatchesTheEvaluator) {
  for (uint32_t i = 0; i < 25; i++) {
    const uint32_t seed = GetParam() * 25 + i;
    SCOPED_TRACE("seed " + std::to_string(seed));
    testing::RandomIr generator(seed, false);
    expect_same(generator.program(10 + seed % 50), 0, seed, 3);
    if (HasFatalFailure()) return;
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, PvsRandom, ::testing::Range(0u, 40u));

}  // namespace
}  // namespace pumice::compiler
