// SPDX-License-Identifier: MIT
/// Derivatives on the R3xx, whole pipelines: the vertex program's slopes of its triangle and the fragment program's results on the chip's
/// engines, against the planes in double precision.
#include <gtest/gtest.h>

#include <cmath>

#include "hw/common/numerics/fp24.h"
#include "tests/compiler/chip.h"
#include "tests/compiler/glsl.h"

namespace pumice::compiler {
namespace {

constexpr float kWidth = 640, kHeight = 480;
const char* const kVertex =
    "layout(location = 0) in vec4 position; layout(location = 1) in vec4 value; layout(location = 3) out vec4 v;"
    "void main() { gl_Position = position; v = value; }";
const char* const kFragment =
    "layout(location = 3) in vec4 v; layout(location = 0) out vec4 o;"
    "void main() { o = vec4(dFdx(v.x), dFdy(v.x), dFdx(v.y), dFdy(v.y)); }";

Result compile_for(const std::string& vertex, const std::string& fragment) {
  std::string log;
  const std::vector<uint32_t> v = test::compile_glsl(Stage::vertex, vertex, log), f = test::compile_glsl(Stage::fragment, fragment, log);
  EXPECT_FALSE(v.empty() || f.empty()) << log;
  PipelineSource source{.chip = &kR300};
  source.add(Stage::vertex).spirv = v;
  source.add(Stage::fragment).spirv = f;
  return compile(source);
}

struct Vertex {
  std::array<float, 4> position{}, value{};
  Vertex(float x, float y, float w, float a, float b) : position{x, y, 0, w}, value{a, b} {}
};
using Triangle = std::array<Vertex, 3>;

/// In perspective.
const Triangle kDeep = {Vertex(-0.8f, -0.7f, 1, 1, -2), Vertex(2.7f, -1.5f, 3, 3, 5), Vertex(0.8f, 6.4f, 8, -2, 0.5f)};

/// A function with perspective over the window's plane: n (X, Y, 1) / d (X, Y, 1), d of 1 / w.
struct Planes {
  std::array<double, 3> n{}, d{};
  Planes(const Triangle& t, unsigned lane) {
    const auto p = [&](unsigned k) {
      const auto& q = t[k % 3].position;
      return std::array<double, 3>{q[0], q[1], q[3]};
    };
    const auto cross = [](const auto& a, const auto& b) {
      return std::array<double, 3>{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    };
    const auto c = cross(p(1), p(2));
    const double determinant = p(0)[0] * c[0] + p(0)[1] * c[1] + p(0)[2] * c[2];
    for (unsigned k = 0; k < 3; ++k) {
      const auto row = cross(p(k + 1), p(k + 2));
      for (unsigned i = 0; i < 3; ++i) {
        n[i] += t[k].value[lane] * row[i] / determinant;
        d[i] += row[i] / determinant;
      }
    }
  }
  static double at(const std::array<double, 3>& f, double x, double y) { return f[0] * x + f[1] * y + f[2]; }
  double value(double x, double y) const { return at(n, x, y) / at(d, x, y); }
  double w(double x, double y) const { return 1 / at(d, x, y); }
  /// In pixels.
  double derivative(double x, double y, unsigned axis) const {
    return (n[axis] - value(x, y) * d[axis]) / at(d, x, y) / (axis ? kHeight / 2 : kWidth / 2);
  }
};

/// What the vertex program writes at a vertex, by output register.
hw::vap::PvsOutputs run_vertex(const Program& p, const Triangle& t, unsigned vertex) {
  auto state = std::make_unique<hw::ChipState>(hw::Profile::r300);
  hw::reset(*state, hw::Profile::r300);
  const VertexProgram& v = p.vertex;
  std::copy(v.code.begin(), v.code.end(), state->pvs.begin());
  const uint32_t last = static_cast<uint32_t>(v.code.size()) - 1, base = state->chip().pvs_constant_base;
  state->set(regs::VAP_PVS_CODE_CNTL_0{}.PVS_FIRST_INST(0).PVS_XYZW_VALID_INST(last).PVS_LAST_INST(last));
  state->set(regs::VAP_PVS_CONST_CNTL{}.PVS_CONST_BASE_OFFSET(0).PVS_MAX_CONST_ADDR(state->chip().pvs_constants - 1));
  ir::Environment env;
  env.parameter = [](ConstantRange::Parameter q, uint32_t, uint32_t) {
    EXPECT_EQ(q, ConstantRange::Parameter::viewport_window);
    return ir::Vec4{kWidth / 2, kWidth / 2, kHeight / 2, kHeight / 2};
  };
  const auto file = testing::constants({}, v.constants, env);
  for (size_t i = 0; i < state->chip().pvs_constants; ++i)
    for (size_t k = 0; k < 4; ++k) state->pvs[base + i][k] = std::bit_cast<uint32_t>(file[i][k]);
  hw::vap::PvsInputs inputs{};
  for (const VertexInput& in : v.inputs) {
    const Vertex& from = t[(vertex + in.corner) % 3];
    inputs[in.reg] = in.location ? from.value : from.position;
  }
  hw::vap::PvsOutputs outputs{};
  uint64_t budget = 10000;
  const hw::vap::PvsProgram decoded = hw::vap::decode_program(*state);
  EXPECT_EQ(decoded.complaint, "");
  EXPECT_TRUE(hw::vap::run_program(decoded, *state, inputs, outputs, budget));
  return outputs;
}

/// The fragment's result at a point of the window's plane, as the rasterizer interpolates.
std::array<float, 4> run_fragment(const Program& p, const Triangle& t, double x, double y) {
  std::array<hw::vap::PvsOutputs, 3> outputs;
  for (unsigned k = 0; k < 3; ++k) outputs[k] = run_vertex(p, t, k);
  testing::FragmentChip chip(hw::Profile::r300);
  us::Compiled c;
  c.program = p.fragment;
  for (const Varying& v : p.varyings) {
    c.inputs.push_back({0, v.us_temp, v.components});
    for (unsigned l = 0; l < v.components; ++l) {
      Triangle one = t;
      for (unsigned k = 0; k < 3; ++k) one[k].value[0] = outputs[k][1 + v.texcoord][l];
      const float at = hw::num::to_fp24(static_cast<float>(Planes(one, 0).value(x, y)));
      for (unsigned lane = 0; lane < 4; ++lane) chip.quad->temp[v.us_temp][lane][l] = at;
    }
  }
  chip.load({}, c, {});
  chip.run();
  EXPECT_TRUE(chip.reports.empty()) << chip.reports[0];
  return chip.quad->color[0][0];
}

TEST(Slopes, AreThoseOfTheTriangle) {
  const Result r = compile_for(kVertex, kFragment);
  ASSERT_TRUE(r.program) << r.diagnostics.at(0).text;
  EXPECT_TRUE(r.program->vertex.reads_corners());
  const Triangle triangles[] = {
      {Vertex(-0.8f, -0.7f, 1, 1, -2), Vertex(0.9f, -0.5f, 1, 3, 5), Vertex(0.1f, 0.8f, 1, -2, 0.5f)},
      kDeep,
      // With a vertex behind the eye.
      {Vertex(-0.8f, -0.7f, 1, 1, -2), Vertex(0.9f, -0.5f, 2, 3, 5), Vertex(0.1f, 4, -0.5f, -2, 0.5f)},
      // Of about a pixel, far away.
      {Vertex(50, 30, 100, 1, 1), Vertex(50.4f, 30, 100.125f, 1.01f, 1.02f), Vertex(50, 30.5f, 100.25f, 1.03f, 0.99f)},
  };
  for (const Triangle& t : triangles) {
    const Planes x(t, 0), y(t, 1);
    const double at[2] = {&t == &triangles[3] ? 0.5005 : 0.05, &t == &triangles[3] ? 0.3005 : -0.3};
    const std::array<float, 4> have = run_fragment(*r.program, t, at[0], at[1]);
    for (unsigned i = 0; i < 4; ++i) {
      const double want = (i < 2 ? x : y).derivative(at[0], at[1], i % 2);
      // A few units of numbers of 24 bits; of the small triangle, of what is left of its vertices' binary32.
      EXPECT_NEAR(have[i], want, std::fabs(want) * (&t == &triangles[3] ? 2e-3 : 1e-4)) << &t - triangles << " " << i;
    }
  }
}

/// Each pixel has its own, which is what fine ones are.
TEST(Slopes, FineDerivatives) {
  const Result r = compile_for(kVertex,
                               "layout(location = 3) in vec4 v; layout(location = 0) out vec4 o;"
                               "void main() { o = vec4(dFdxFine(v.x), dFdyFine(v.x), fwidthFine(v.x), dFdxCoarse(v.x)); }");
  ASSERT_TRUE(r.program) << r.diagnostics.at(0).text;
  const Planes x(kDeep, 0);
  const std::array<float, 4> have = run_fragment(*r.program, kDeep, 0.05, -0.3);
  const double dx = x.derivative(0.05, -0.3, 0), dy = x.derivative(0.05, -0.3, 1);
  EXPECT_NEAR(have[0], dx, std::fabs(dx) * 1e-4);
  EXPECT_NEAR(have[1], dy, std::fabs(dy) * 1e-4);
  EXPECT_NEAR(have[2], std::fabs(dx) + std::fabs(dy), std::fabs(dx) * 1e-4 + std::fabs(dy) * 1e-4);
  EXPECT_NEAR(have[3], dx, std::fabs(dx) * 1e-4);
}

/// What is drawn does not depend on where a triangle begins.
TEST(Slopes, AreTheSameFromEachVertex) {
  const Result r = compile_for(kVertex, kFragment);
  ASSERT_TRUE(r.program);
  const Triangle& t = kDeep;
  for (unsigned turn = 0; turn < 3; ++turn) {
    const auto a = run_fragment(*r.program, t, 0.1, 0.2),
               b = run_fragment(*r.program, {t[turn], t[(turn + 1) % 3], t[(turn + 2) % 3]}, 0.1, 0.2);
    for (unsigned i = 0; i < 4; ++i) EXPECT_NEAR(a[i], b[i], std::fabs(a[i]) * 1e-4f);
  }
}

/// The copies of the vertex program have loops, branches, arrays and integers of their own.
TEST(Slopes, OfComputedVaryings) {
  const Result r = compile_for(
      "layout(location = 0) in vec4 position; layout(location = 1) in vec4 value; layout(location = 3) out vec4 v;"
      "void main() { gl_Position = position; vec4 s[2]; s[0] = value; s[1] = vec4(0.5, 1, 2, 4); vec4 sum = vec4(0);"
      "for (int i = 0; i < 3; ++i) { if (value.x > float(i)) sum += s[i & 1] * float(i + 1); else sum -= value; } v = sum; }",
      kFragment);
  ASSERT_TRUE(r.program) << r.diagnostics.at(0).text;
  const auto value = [](const std::array<float, 4>& in) {
    const float s[2][4] = {{in[0], in[1], in[2], in[3]}, {0.5f, 1, 2, 4}};
    std::array<float, 4> sum{};
    for (int i = 0; i < 3; ++i)
      for (int l = 0; l < 4; ++l) sum[size_t(l)] += in[0] > float(i) ? s[i & 1][l] * float(i + 1) : -in[size_t(l)];
    return sum;
  };
  Triangle t = kDeep;
  t[0].value[0] = 1.5f;
  Triangle computed = t;
  for (Vertex& v : computed) v.value = value(v.value);
  const std::array<float, 4> have = run_fragment(*r.program, t, 0.1, 0.2);
  for (unsigned i = 0; i < 4; ++i) {
    const double want = Planes(computed, i / 2).derivative(0.1, 0.2, i % 2);
    EXPECT_NEAR(have[i], want, std::fabs(want) * 1e-4) << i;
  }
}

/// A variable that the vertex shader does not write is zero everywhere.
TEST(Slopes, OfWhatIsNotWritten) {
  const Result r = compile_for("layout(location = 0) in vec4 position; void main() { gl_Position = position; }", kFragment);
  ASSERT_TRUE(r.program) << r.diagnostics.at(0).text;
  EXPECT_FALSE(r.program->vertex.reads_corners());
}

TEST(Slopes, LimitsAreNamed) {
  std::string in, out, read;
  for (int i = 0; i < 6; ++i) {
    const std::string n = std::to_string(i);
    in += "layout(location = " + n + ") in vec4 a" + n + "; layout(location = " + n + ") out vec4 v" + n + ";";
    out += "v" + n + " = a" + n + ";";
  }
  const auto fragment = [](int count) {
    std::string text = "layout(location = 0) out vec4 o;", body = "o = vec4(0);";
    for (int i = 0; i < count; ++i) {
      const std::string n = std::to_string(i);
      text += "layout(location = " + n + ") in vec4 v" + n + ";";
      body += "o += dFdx(v" + n + " * v" + n + ");";
    }
    return text + "void main() { " + body + " }";
  };
  const Result interpolators = compile_for(in + "void main() { gl_Position = a0; " + out + " }", fragment(4));
  ASSERT_FALSE(interpolators.program);
  EXPECT_NE(interpolators.diagnostics.at(0).text.find("needs 9 interpolated vectors (gl_FragCoord.zw and gl_PointCoord take one each; "
                                                      "derivatives one for each variable and direction, and one), the R3xx has 8"),
            std::string::npos)
      << interpolators.diagnostics.at(0).text;
  std::string sum;
  for (int i = 0; i < 6; ++i) sum += (i ? " + a" : "a") + std::to_string(i);
  const Result attributes = compile_for(in + "void main() { gl_Position = a0; " + out + " v0 = " + sum + "; }", fragment(1));
  ASSERT_FALSE(attributes.program);
  EXPECT_NE(attributes.diagnostics.at(0).text.find("needs more than 16 vertex inputs (attributes, gl_VertexIndex, gl_InstanceIndex; "
                                                   "derivatives read those of three vertices)"),
            std::string::npos)
      << attributes.diagnostics.at(0).text;
}

}  // namespace
}  // namespace pumice::compiler
