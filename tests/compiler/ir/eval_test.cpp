// SPDX-License-Identifier: MIT
/// The evaluator on hand-written IR: every control flow form, derivatives, dynamic indices, and scalar operations against the C library.
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/ir/eval.h"
#include "compiler/ir/scalar.h"

namespace pumice::compiler::ir {
namespace {

Module parsed(const std::string& body) {
  Module m;
  std::string error;
  EXPECT_TRUE(
      parse("shader fragment \"t\"\ninput 0 location=0 component=0 f32x4\noutput 0 location=0 component=0 f32x4\n"
            "uniform 0 immediate 10 11 12 13 20 21 22 23 30 31 32 33\ntexture 0 set=0 binding=0 element=0 2d\n"
            "temp 0 elements=3 f32x2\n%1:f32x4 = load_input 0\n%2:f32x4 = constant 0 1 2 3\n" +
                body,
            m, error))
      << error;
  EXPECT_EQ(validate(m), "");
  return m;
}

struct Case {
  const char* body;
  Vec4 expected;  ///< output 0; input is (0.25, 2, -3, 5)
};
const Case kCases[] = {
    {"%3:f32x4 = mad %1.xyzw %2.yyyy -|%1.zzzz|\nstore_output 0 %3.xyzw mask=xyzw", {-2.75f, -1, -6, 2}},
    {"%3:f32x4 = mul.sat %1.xyzw %2.yyyy\nstore_output 0 %3.xyzw mask=xyzw", {0.25f, 1, 0, 1}},
    {"%3:f32 = dot3 %1.xyz %2.yzw\nstore_output 0 %3.xxxx mask=y", {0, -4.75f, 0, 0}},
    {"%3:f32x4 = load_uniform 0 offset=1 [%2.y max=1]\nstore_output 0 %3.wzyx mask=xyzw", {33, 32, 31, 30}},
    {"store_temp 0 offset=0 [%2.z max=2] %1.yw mask=y\n%3:f32x2 = load_temp 0 offset=2\nstore_output 0 %3.xyxy mask=xyzw", {0, 5, 0, 5}},
    {"%3:bool = slt %1.x %1.y\nif %3.x -> %4:f32x2 {\nyield %1.yx\n} else {\nyield %1.zw\n}\nstore_output 0 %4.xyxx mask=xy",
     {2, 0.25f, 0, 0}},
    // Sum 1..5 with an odd-skipping continue: 1 + 3 + 5 = 9.
    {"loop %3:f32 = %2.x, %4:f32 = %2.x -> %5:f32 {\n%6:f32 = add %3.x %2.y\n%7:bool = slt %1.w %6.x\nif %7.x {\nbreak %4.x\n}\n"
     "%8:f32 = mul %6.x %10.x\n%9:f32 = fract %8.x\n%11:bool = seq %9.x %2.x\nif %11.x {\ncontinue %6.x, %4.x\n}\n"
     "%12:f32 = add %4.x %6.x\ncontinue %6.x, %12.x\n}\nstore_output 0 %5.xxxx mask=x",
     {9, 0, 0, 0}},
};
TEST(Eval, Programs) {
  for (const Case& c : kCases) {
    std::string body = c.body;
    if (body.find("%10.x") != std::string::npos) body = "%10:f32 = constant 0.5\n" + body;
    const Module m = parsed(body);
    Environment env;
    env.inputs = {{{0.25f, 2, -3, 5}}};
    const Evaluation e = evaluate(m, env);
    EXPECT_EQ(e.error, "");
    EXPECT_EQ(e.invocations[0].outputs[0], c.expected) << c.body;
  }
}

TEST(Eval, QuadDerivativesTexturesAndKill) {
  const Module m = parsed(
      "%3:f32x2 = ddx %1.xy\n%4:f32x2 = ddy %1.xy\n%5:f32x4 = vec %3.x %3.y %4.x %4.y\n%6:bool = slt %2.y %1.x\nkill_if %6.x\n"
      "%7:f32x4 = tex 0 proj %1.xy %1.w\n%8:f32x4 = add %5.xyzw %7.xyzw\nstore_output 0 %8.xyzw mask=xyzw");
  Environment env;
  env.inputs = {{{1, 4, 0, 2}}, {{2, 5, 0, 2}}, {{1, 8, 0, 2}}, {{2, 9, 0, 2}}};
  env.texel = [](const TexelRequest& r) { return Vec4{r.coord[0] * 100, r.coord[1] * 100, r.dx[0] * 1000, r.dy[1] * 1000}; };
  const Evaluation e = evaluate(m, env);
  EXPECT_EQ(e.invocations[3].outputs[0], (Vec4{101, 451, 500, 2004}));
  EXPECT_FALSE(e.invocations[0].killed);
  EXPECT_TRUE(e.invocations[1].killed);
}

TEST(Eval, DivergentLoopLeavesEachInvocationItsCount) {
  const Module m = parsed(
      "loop %3:f32 = %2.x -> %4:f32 {\n%5:bool = sge %3.x %1.x\nif %5.x {\nbreak %3.x\n}\n%6:f32 = add %3.x %2.y\ncontinue %6.x\n}\n"
      "store_output 0 %4.xxxx mask=x");
  Environment env;
  env.inputs = {{{3}}, {{1}}, {{7}}, {{0}}};
  const Evaluation e = evaluate(m, env);
  for (int n = 0; n < 4; ++n) EXPECT_EQ(e.invocations[size_t(n)].outputs[0][0], env.inputs[size_t(n)][0][0]);
}

TEST(Eval, EndlessLoopIsAnError) {
  const Module m = parsed("loop {\n%3:f32 = mov %1.x\n}");
  EXPECT_NE(evaluate(m, {}).error, "");
}

TEST(Scalar, TranscendentalsAreWithinAnUlpOfTheLibrary) {
  for (int i = -400; i <= 400; ++i) {
    const float x = float(i) * 0.1573f;
    EXPECT_FLOAT_EQ(eval_scalar(Op::exp2, x, 0, 0), float(std::exp2(double(x))));
    EXPECT_NEAR(eval_scalar(Op::sin, x, 0, 0), std::sin(double(x)), 1e-7);
    EXPECT_NEAR(eval_scalar(Op::cos, x, 0, 0), std::cos(double(x)), 1e-7);
    EXPECT_NEAR(eval_scalar(Op::sin_cycles, x, 0, 0), std::sin(double(x) * 6.283185307179586), 1e-7);
    if (i > 0) {
      EXPECT_FLOAT_EQ(eval_scalar(Op::log2, x * 1e-3f, 0, 0), float(std::log2(double(x * 1e-3f))));
      EXPECT_FLOAT_EQ(eval_scalar(Op::log2, 1.0f / x, 0, 0), float(std::log2(double(1.0f / x))));
    }
    EXPECT_EQ(eval_scalar(Op::round_even, float(i) * 0.5f, 0, 0), std::nearbyint(float(i) * 0.5f));
    EXPECT_EQ(eval_scalar(Op::trunc, x, 0, 0), std::trunc(x));
  }
  EXPECT_EQ(eval_scalar(Op::add, 1e-40f, 0, 0), 0.0f);
  EXPECT_TRUE(std::isnan(eval_scalar(Op::log2, -1, 0, 0)));
}

}  // namespace
}  // namespace pumice::compiler::ir
