// SPDX-License-Identifier: MIT
/// Fragment programs compiled and executed by the chip's US, against the IR evaluator.
#include <gtest/gtest.h>

#include "tests/compiler/random_ir.h"
#include "tests/compiler/us/fragment_rig.h"

namespace pumice::compiler {
namespace {

void expect_same(const std::string& text, float tolerance, uint32_t seed = 1, unsigned quads = 3) {
  ir::Module module;
  std::string error;
  ASSERT_TRUE(ir::parse(text, module, error)) << error << "\n" << text;
  ASSERT_EQ(ir::validate_chip_form(module, kR500), "") << text;
  testing::expect_same_fragment(module, module, text, tolerance, seed, quads);
}

const std::string kHead = R"(shader fragment "test" floats_only
input 0 location=0 component=0 f32x4
input 1 location=1 component=0 f32x3
output 0 location=0 component=0 f32x4
)";

TEST(UsRun, ScalarFunctions) {
  for (const char* op : {"rcp", "rsq", "exp2", "floor", "fract"}) {
    expect_same(kHead + "%1:f32x4 = load_input 0\n%2:f32 = " + op + " %1.x\n%3:f32 = " + op +
                    " -%1.y\n%4:f32x4 = vec %2.x %3.x %1.z %2.x\nstore_output 0 %4.xyzw mask=xyzw\n",
                2e-6f);
  }
  expect_same(kHead +
                  "%1:f32x4 = load_input 0\n%2:f32 = log2 |%1.x|\n%3:f32 = fract %1.y\n%4:f32 = sin_cycles %3.x\n%5:f32 = cos_cycles "
                  "%3.x\n%6:f32x4 = vec %2.x "
                  "%4.x %5.x %4.x\nstore_output 0 %6.xyzw mask=xyzw\n",
              2e-6f);
}

TEST(UsRun, DerivativesOfSwizzledAndComputedValues) {
  expect_same(kHead + R"(%1:f32x4 = load_input 0
%2:f32x3 = load_input 1
%3:f32x3 = ddx %2.zyx
%4:f32x2 = ddy %1.wx
%5:f32x3 = mul %2.xyz %1.xyz
%6:f32x3 = ddx -%5.xxz
%7:f32 = ddy %5.y
%8:f32x3 = add %3.xyz %6.xyz
%9:f32 = ddx |%1.w|
%10:f32 = add %9.x %7.x
%11:f32x2 = add %8.xy %4.xy
%12:f32x4 = vec %11.x %11.y %8.z %10.x
store_output 0 %12.xyzw mask=xyzw
)",
              0);
}

TEST(UsRun, EveryTextureKind) {
  const std::string head =
      kHead +
      "texture 0 set=0 binding=1 element=0 2d\ntexture 1 set=0 binding=2 element=0 cube\ntexture 2 set=0 binding=3 element=0 1d\n"
      "%1:f32x4 = load_input 0\n%2:f32x3 = load_input 1\n%3:f32 = mul %1.x %2.y\n%4:f32x2 = constant 0.3 -0.7\n";
  const char* kRows[] = {"tex 0 implicit %1.xy",
                         "tex 0 implicit %1.wz",
                         "tex 1 implicit %2.xyz",
                         "tex 1 implicit -%2.xyz",
                         "tex 2 implicit %3.x",
                         "tex 0 implicit %4.xy",
                         "tex 0 bias %1.xy %3.x",
                         "tex 0 bias %1.xy %1.w",
                         "tex 1 bias %2.zyx %3.x",
                         "tex 0 lod %2.xy %3.x",
                         "tex 1 lod %2.xyz %4.x",
                         "tex 0 grad %1.xy %2.xy %2.yz",
                         "tex 1 grad %2.xyz %1.xyz %1.yzw",
                         "tex 0 proj %1.xy %1.w",
                         "tex 0 proj %2.xy %3.x",
                         "tex 0 fetch %1.xy %4.y",
                         "tex 2 fetch %3.x %1.x",
                         "tex 2 grad %3.x %1.x %1.y",
                         "tex 0 grad %4.xy -%2.xy |%2.yz|"};
  for (const char* row : kRows) {
    expect_same(head + "%5:f32x4 = " + row + "\n%6:f32x4 = mul %5.xyzw %1.wzyx\nstore_output 0 %6.xyzw mask=xyzw\n", 1e-6f);
  }
  // Dependent lookups and several results in flight.
  expect_same(head + R"(%5:f32x4 = tex 0 implicit %1.xy
%6:f32x4 = tex 0 implicit %1.zw
%7:f32x4 = tex 1 implicit %5.xyz
%8:f32x2 = add %6.xy %7.zw
%9:f32x4 = tex 0 lod %8.yx %7.x
%10:f32x4 = add %9.xyzw %6.xyzw
%11:f32x4 = add %10.xyzw %5.wzyx
store_output 0 %11.xyzw mask=xyzw
)",
              0);
}

TEST(UsRun, BuiltInsAndDepth) {
  expect_same(R"(shader fragment "builtins" floats_only
input 0 frag_coord f32x4
input 1 front_facing f32b
input 2 point_coord f32x2
output 0 location=0 component=0 f32x4
output 1 frag_depth f32
output 2 location=2 component=1 f32x2
%1:f32x4 = load_input 0
%2:f32b = load_input 1
%3:f32x2 = load_input 2
%4:f32 = sel %2.x %3.x %3.y
%5:f32x4 = vec %1.x %4.x %1.z %1.w
%6:f32 = mul %1.z %1.w
store_output 0 %5.xyzw mask=xyzw
store_output 1 %6.x mask=x
store_output 2 %1.yx mask=xy
)",
              1e-6f);
}

TEST(UsRun, KillUnderACondition) {
  expect_same(kHead + R"(%1:f32x4 = load_input 0
%2:f32 = constant 0
%3:f32b = slt %1.x %2.x
%4:f32b = sge %1.y %2.x
kill_if %3.x
if %4.x {
%5:f32b = slt %1.z %2.x
kill_if %5.x
}
store_output 0 %1.xyzw mask=xyzw
)",
              0, 5, 20);
}

TEST(UsRun, LongLoopsGetASecondLevel) {
  // 300 and more rounds, ended by data the compiler cannot see through.
  expect_same(kHead + R"(%1:f32x4 = load_input 0
%2:f32 = constant 0
%3:f32 = constant 400
%4:f32 = mul |%1.x| %3.x
%5:f32 = constant 1
loop %6:f32 = %2.x, %7:f32 = %1.y -> %8:f32 {
%9:f32b = sge %6.x %4.x
if %9.x {
break %7.x
}
%10:f32 = add %7.x %1.z
%11:f32 = fract %10.x
%12:f32 = add %6.x %5.x
continue %12.x, %11.x
}
%13:f32x4 = vec %8.x %1.x %8.x %1.w
store_output 0 %13.xyzw mask=xyzw
)",
              0, 3, 6);
}

class UsRandom : public ::testing::TestWithParam<uint32_t> {};

TEST_P(UsRandom, MatchesTheEvaluator) {
  for (uint32_t i = 0; i < 25; i++) {
    const uint32_t seed = GetParam() * 25 + i;
    SCOPED_TRACE("seed " + std::to_string(seed));
    testing::RandomIr generator(seed, true);
    expect_same(generator.program(10 + seed % 50), 0, seed, 2);
    if (HasFatalFailure()) return;
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, UsRandom, ::testing::Range(0u, 20u));

}  // namespace
}  // namespace pumice::compiler
