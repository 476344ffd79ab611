// SPDX-License-Identifier: MIT
/// lower_derivatives: what it makes of expressions of varyings, evaluated, against differences of the expressions themselves.
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/frontend/frontend.h"
#include "compiler/ir/eval.h"
#include "compiler/passes/passes.h"
#include "tests/compiler/glsl.h"

namespace pumice::compiler {
namespace {

using ir::Vec4;

constexpr Vec4 kA = {0.3f, 0.8f, -0.6f, 1.7f}, kB = {1.2f, -0.4f, 0.9f, 0.25f};
constexpr float kW = 2;
/// By axis; a derivative is w times as much.
constexpr Vec4 kSlopeA[2] = {{0.5f, -0.25f, 0.125f, 0.75f}, {-0.375f, 0.625f, 0.25f, -0.5f}};
constexpr Vec4 kSlopeB[2] = {{-0.125f, 0.5f, 0.375f, -0.25f}, {0.25f, 0.125f, -0.5f, 0.375f}};

struct Built {
  ir::Module raw, chip;
  std::string refusal;
};
Built build(const std::string& body) {
  const std::string glsl =
      "layout(location = 0) in vec4 a; layout(location = 1) in vec4 b; layout(location = 0) out vec4 o;"
      "layout(set = 0, binding = 0) uniform U { vec4 v[4]; } u; layout(set = 0, binding = 1) uniform sampler2D t;"
      "layout(location = 2) noperspective in vec4 n;"
      "void main() { " +
      body + " }";
  Built out;
  std::string log;
  const std::vector<uint32_t> words = test::compile_glsl(Stage::fragment, glsl, log);
  EXPECT_FALSE(words.empty()) << log << glsl;
  ShaderSource source;
  source.spirv = words;
  std::vector<Diagnostic> diagnostics;
  EXPECT_TRUE(build_ir(source, Stage::fragment, out.raw, diagnostics)) << body;
  out.chip = out.raw;
  if (!run_passes(out.chip, {.chip = &kR300}, diagnostics)) out.refusal = diagnostics.at(0).text;
  return out;
}

/// The varyings moved by `step` pixels along an axis.
Vec4 evaluate(const ir::Module& m, unsigned axis = 0, float step = 0) {
  ir::Environment env;
  env.inputs.assign(1, {});
  for (const ir::Input& in : m.inputs) {
    Vec4 row{};
    for (unsigned l = 0; l < in.comps; ++l) {
      const unsigned c = in.component + l;
      const Vec4& slope = (in.location ? kSlopeB : kSlopeA)[in.builtin == ir::Builtin::slope_y   ? 1
                                                            : in.builtin == ir::Builtin::slope_x ? 0
                                                                                                 : axis];
      if (in.builtin == ir::Builtin::none) row[l] = (in.location ? kB : kA)[c] + step * kW * slope[c];
      if (in.builtin == ir::Builtin::slope_x || in.builtin == ir::Builtin::slope_y) row[l] = slope[c];
    }
    if (in.builtin == ir::Builtin::position) row = {0, 0, 0, kW};
    env.inputs[0].push_back(row);
  }
  for (size_t i = 0; i < m.uniforms.size(); ++i) env.uniforms.emplace_back(std::vector<float>(16, 0.75f));
  env.parameter = [](ConstantRange::Parameter, uint32_t, uint32_t) { return Vec4{1, 0, 1, 0}; };
  env.texel = [](const ir::TexelRequest&) { return Vec4{}; };
  const ir::Evaluation e = ir::evaluate(m, env);
  EXPECT_EQ(e.error, "");
  return e.invocations[0].outputs.at(0);
}

TEST(Derivatives, ChainRule) {
  for (const char* expression : {
           "a",
           "a.wzyx",
           "-a",
           "vec4(a.x, b.y, 3.0, u.v[0].x)",
           "a + b",
           "a * b",
           "a * b + b.wzyx * u.v[1]",
           "a / b",
           "abs(a) - abs(b)",
           "min(a, b) + max(a, b.yxwz) * 2.0",
           "clamp(a, 0.0, 1.0)",
           "clamp(a * 4.0, 0.5, 3.0)",
           "mix(a, b, a.x)",
           "vec4(dot(a.xy, b.zw), dot(a.xyz, b.xyz), dot(a, b), dot(a, a))",
           "vec4(cross(a.xyz, b.xyz), 1.0)",
           "vec4(normalize(a.xyz), length(b))",
           "vec4(distance(a.xy, b.xy), distance(a, b), 0.0, 0.0)",
           "sqrt(a * a + b * b)",
           "inversesqrt(a * a + 1.0)",
           "exp(a) + exp2(b)",
           "log(abs(a)) + log2(abs(b))",
           "pow(abs(a), vec4(2.5))",
           "pow(abs(a), b)",
           "sin(a) + cos(b * 2.0)",
           "tan(a * 0.5)",
           "atan(a)",
           "atan(a, b)",
           "fract(a * 3.0) + floor(b)",
           "ceil(a) + trunc(a) + round(b) + sign(a) + step(0.5, b)",
           "smoothstep(-1.0, 2.0, a)",
           "reflect(a, normalize(b))",
           "a.x > b.x ? a * a : b * b",
           "mat4(a, b, a * b, u.v[0]) * b",
           "vec4(inverse(mat2(a)))",
           "float(a.x < 0.5) * a",
       }) {
    const std::string value = expression;
    const Built plain = build("o = " + value + ";");
    for (unsigned axis = 0; axis < 2; ++axis) {
      const Built derived = build("o = " + std::string(axis ? "dFdy(" : "dFdx(") + value + ");");
      ASSERT_EQ(derived.refusal, "") << value;
      constexpr float kStep = 1.0f / 512;
      const Vec4 have = evaluate(derived.chip), more = evaluate(plain.raw, axis, kStep), less = evaluate(plain.raw, axis, -kStep);
      for (unsigned l = 0; l < 4; ++l) {
        const float want = (more[l] - less[l]) / (2 * kStep);
        EXPECT_NEAR(have[l], want, 2e-3f * (1 + std::fabs(want))) << value << (axis ? " y " : " x ") << l;
      }
    }
  }
}

TEST(Derivatives, BranchesLoopsAndWidths) {
  for (const char* body : {
           "vec4 p = a; if (a.x < b.x) p = p * p; else p = b; RESULT(p);",
           "vec4 p = a; for (int i = 0; i < 4; ++i) { p = p * 0.5 + b; if (i == 2) p = sin(p); } RESULT(p);",
           "vec4 p[2]; p[0] = a; p[1] = b * a; RESULT(p[0] * p[1]);",
       }) {
    const auto with = [&](const char* result) { return "\n#define RESULT(x) o = " + std::string(result) + "\n" + body + "\n"; };
    const Built plain = build(with("x")), derived = build(with("dFdx(x)")), width = build(with("fwidth(x)"));
    ASSERT_EQ(derived.refusal + width.refusal, "") << body;
    constexpr float kStep = 1.0f / 512;
    std::array<Vec4, 2> want;
    for (unsigned axis = 0; axis < 2; ++axis) {
      const Vec4 more = evaluate(plain.raw, axis, kStep), less = evaluate(plain.raw, axis, -kStep);
      for (unsigned l = 0; l < 4; ++l) want[axis][l] = (more[l] - less[l]) / (2 * kStep);
    }
    const Vec4 x = evaluate(derived.chip), both = evaluate(width.chip);
    for (unsigned l = 0; l < 4; ++l) {
      EXPECT_NEAR(x[l], want[0][l], 2e-3f * (1 + std::fabs(x[l]))) << body << l;
      EXPECT_NEAR(both[l], std::fabs(want[0][l]) + std::fabs(want[1][l]), 2e-3f * (1 + std::fabs(both[l]))) << body << l;
    }
  }
}

/// The window's coordinates change by one from pixel to pixel; uniforms, and what jumps, do not change.
TEST(Derivatives, OfWhatIsNoVarying) {
  const Built coord = build("o = vec4(dFdx(gl_FragCoord.xy), dFdy(gl_FragCoord.xy));");
  ASSERT_EQ(coord.refusal, "");
  EXPECT_EQ(evaluate(coord.chip), (Vec4{1, 0, 0, 1}));
  const Built none = build("o = dFdx(u.v[0]) + dFdy(floor(a)) + fwidth(vec4(lessThan(a, b)));");
  ASSERT_EQ(none.refusal, "");
  EXPECT_EQ(evaluate(none.chip), (Vec4{0, 0, 0, 0}));
}

TEST(Derivatives, RefusedByName) {
  const auto refusal = [](const char* body) { return build(body).refusal; };
  EXPECT_NE(refusal("o = dFdx(texture(t, a.xy));").find("a derivative of what a texture gives"), std::string::npos);
  EXPECT_NE(refusal("o = dFdx(dFdy(a));").find("a derivative of a derivative"), std::string::npos);
  EXPECT_NE(refusal("o = dFdx(gl_FragCoord.zzzz);").find("a derivative of gl_FragCoord.zw"), std::string::npos);
  EXPECT_NE(refusal("o = dFdx(gl_PointCoord.xyxy);").find("a derivative of gl_PointCoord"), std::string::npos);
  EXPECT_NE(refusal("o = dFdx(n);").find("a derivative of a noperspective input"), std::string::npos);
  EXPECT_NE(refusal("o = a; for (int i = 0; i < int(u.v[0].x); ++i) o += b; o += dFdx(a);").find("a derivative beside a loop"),
            std::string::npos);
}

}  // namespace
}  // namespace pumice::compiler
