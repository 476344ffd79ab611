// SPDX-License-Identifier: MIT
/// GLSL vertex shaders all the way to microcode: the chip's result against the evaluation of what the front end made, before any pass.
#include <gtest/gtest.h>

#include <algorithm>

#include "compiler/frontend/frontend.h"
#include "compiler/isa/error.h"
#include "compiler/passes/passes.h"
#include "compiler/pvs/compile.h"
#include "hw/db/regs_r500.h"
#include "tests/compiler/glsl.h"
#include "tests/compiler/pvs/vertex_rig.h"

namespace pumice::compiler {
namespace {

const char* const kHead = R"(
layout(location = 0) in vec4 a;
layout(location = 1) in vec3 b;
layout(location = 5) in vec2 c;
layout(location = 0) out vec4 o;
layout(location = 1) out vec3 q;
layout(set = 0, binding = 0) uniform U { mat4 m; vec4 v[36]; mat4 bones[8]; mat3 m3; } u;
layout(push_constant) uniform P { mat4 p0; vec4 p1; } p;
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; };
void main() {
o = vec4(0); q = vec3(0);
)";

const char* const kBodies[] = {
    "gl_Position = u.m * a;",
    "gl_Position = p.p0 * u.m * a; o = p.p1; q = u.m3 * b;",
    "gl_Position = u.m * u.v[gl_VertexIndex]; q = gl_Position.xyz;",
    "gl_Position = u.bones[gl_InstanceIndex] * a; o = u.bones[gl_InstanceIndex][1];",
    "ivec2 i = ivec2(abs(c) * 3.0); gl_Position = u.bones[i.x] * a * 0.75 + u.bones[i.y] * a * 0.25; o = u.v[i.x + 2 * i.y];",
    "gl_Position = vec4(vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2) * 2.0 - 1.0, 0, 1);",
    "const vec2 quad[4] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(-1, 1), vec2(1, 1)); gl_Position = vec4(quad[gl_VertexIndex & 3], 0.5, "
    "1);",
    "gl_Position = vec4(sin(a.x * 4.0), cos(a.y * 9.0), exp2(a.z), log2(abs(a.w) + 0.1)); o.x = pow(abs(b.x) + 0.2, 3.0); o.y = "
    "sqrt(abs(b.y)); o.z = atan(b.z, a.x);",
    "gl_Position = a; if (a.x > 0.0) { gl_Position.y = b.y; o = u.v[3]; } else if (b.z > 0.5) q = b; else q = vec3(c, 1);",
    "vec4 s = vec4(0); for (int i = 0; i < 6; i++) s += u.v[i] * a; gl_Position = s;",
    "vec3 n = normalize(u.m3 * b + vec3(3)); q = n * max(dot(n, vec3(0.3, 0.5, 0.8)), 0.0); gl_Position = vec4(reflect(b, n), 1); "
    "gl_PointSize = a.x;",
    "gl_Position = mix(a, u.v[2], clamp(c.x, 0.0, 1.0)); o = floor(a) + fract(b.xyzx) - sign(a); q = mod(b, vec3(0.4));",
    "gl_Position = inverse(u.m) * a; o = vec4(gl_VertexIndex / 3, gl_VertexIndex % 3, gl_VertexIndex * 2 + 1, gl_InstanceIndex);",
    "gl_Position = a; q = cross(b, a.xyz); o.xy = c.yx; o.zw = mat2(a.xy, b.xy) * c;",
};

/// Loops that must stay loops: too long to unroll, or bounded but not counted.
const char* const kLoops[] = {
    "vec4 s = a; for (int i = 0; i < 300; i++) s = fract(s * 1.01 + b.xyzx); gl_Position = s;",
    "vec4 s = vec4(0); for (int i = 0; i < 36; i++) { s = s * 0.5 + u.v[i] * a; s = s.wxyz * 0.5 + sin(s) * cos(s.yzwx) * 0.25; } "
    "gl_Position = s;",
    "vec4 s = vec4(0); int n = min(int(abs(c.x) * 9.0), 17); for (int i = 0; i < n; i++) s += u.v[i] * a; gl_Position = s;",
    "vec4 s = vec4(0); for (int i = 0; i < int(abs(c.y) * 12.0); i++) s += u.v[i]; gl_Position = s; o = vec4(1);",
    "float f = abs(c.x); int k = 0; for (int i = 0; i < 60; i++) { f *= 0.9; if (f < 0.05) break; if (fract(f * 7.0) < 0.3) continue; "
    "k++; } gl_Position = vec4(f, k, 1, 1);",
    "vec4 s = a; int i = 0; do { s = s.yzwx + u.v[i + 3]; i += 2; if (s.x > 3.0) { s *= 0.25; if (s.y < 0.0) break; } } while (i < 28 && "
    "s.z > -9.0); gl_Position = s; q.x = float(i);",
    "vec4 s = a; for (int i = 0; i < 20; i++) { vec4 t = u.v[i]; for (int k = 0; k < 30; k++) { t = t * 0.75 + s * 0.25; if (t.x > c.x) "
    "break; } s = mix(s, t, 0.25); } gl_Position = s;",
    "vec4 s = a; if (a.x > 0.0) { for (int i = 0; i < 90; i++) s = fract(s * 3.0 + a); o = s; } else s = -s; gl_Position = s;",
    "vec4 x = a, y = b.xyzx; for (int i = 0; i < 77; i++) { vec4 t = x; x = y; y = fract(t + 0.3); if (y.x < 0.01) break; } gl_Position = "
    "x; o = y;",
    "mat4 s = mat4(0); for (int i = 0; i < min(gl_VertexIndex, 6); i++) s += u.bones[i] * fract(a[i & 3] * float(i)); gl_Position = s * a;",
    "vec4 s = vec4(0); for (int i = 35; i >= 0; i -= 1) { if (u.v[i].x > a.x) s += u.v[i] * exp2(a) * 0.1; else s -= sin(s) * u.v[35 - i] "
    "* 0.125; "
    "} gl_Position = s;",
    "float t = 0.0; int n = 0; while (t < 20.0) { t += 0.125; n++; if (n > int(abs(c.x) * 50.0)) break; } gl_Position = vec4(t, n, 0, 1);",
};

class PvsGlsl : public ::testing::TestWithParam<const char*> {};

TEST_P(PvsGlsl, MatchesTheEvaluator) {
  const std::string glsl = std::string(kHead) + GetParam() + "\n}\n";
  std::string log;
  const std::vector<uint32_t> words = test::compile_glsl(Stage::vertex, glsl, log);
  ASSERT_FALSE(words.empty()) << log;
  ShaderSource source;
  source.spirv = words;
  source.name = "test";
  std::vector<Diagnostic> diagnostics;
  ir::Module raw;
  ASSERT_TRUE(build_ir(source, Stage::vertex, raw, diagnostics)) << GetParam() << "\n" << diagnostics.at(0).text;
  ir::Module chip = raw;
  ASSERT_TRUE(run_passes(chip, {.chip = &kR500}, diagnostics)) << GetParam() << "\n" << diagnostics.at(0).text;
  if (std::find(std::begin(kLoops), std::end(kLoops), GetParam()) != std::end(kLoops)) {
    EXPECT_NE(ir::print(chip).find("\nloop"), std::string::npos) << "unrolled: " << GetParam();
  }
  testing::expect_same_vertex(raw, chip, std::string(GetParam()) + "\n" + ir::print(chip), 2e-4f, 3, 8);
}

INSTANTIATE_TEST_SUITE_P(Bodies, PvsGlsl, ::testing::ValuesIn(kBodies));
INSTANTIATE_TEST_SUITE_P(Loops, PvsGlsl, ::testing::ValuesIn(kLoops));

/// Microcode of a loop body, and why another one cannot be had.
struct Compiled {
  VertexProgram program;
  std::string text, refusal;
};
Compiled compile_body(const std::string& body) {
  std::string log;
  const std::vector<uint32_t> words = test::compile_glsl(Stage::vertex, kHead + body + "\n}\n", log);
  EXPECT_FALSE(words.empty()) << log;
  ShaderSource source;
  source.spirv = words;
  std::vector<Diagnostic> diagnostics;
  ir::Module m;
  Compiled c;
  if (!build_ir(source, Stage::vertex, m, diagnostics) || !run_passes(m, {.chip = &kR500}, diagnostics)) {
    c.refusal = diagnostics.at(0).text;
    return c;
  }
  c.program = pvs::compile(m, {{ir::Builtin::position, 0, 0, {}, 15}}, &c.text, kR500);
  return c;
}

TEST(PvsLoops, ConstantsBehindTheCounterAreReadByTheLoopIndex) {
  const Compiled c = compile_body("vec4 s = vec4(0); for (int i = 0; i < min(int(a.x), 8); i++) s += u.bones[i][1] * a; gl_Position = s;");
  ASSERT_EQ(c.refusal, "");
  EXPECT_NE(c.text.find("aL step 4"), std::string::npos) << c.text;
  EXPECT_EQ(c.text.find("a0."), std::string::npos) << c.text;
  EXPECT_EQ(regs::VAP_PVS_FLOW_CNTL_OPC{c.program.flow_opc}.PVS_FC_OPC_0(), 2u);
  const regs::VAP_PVS_FLOW_CNTL_ADDRS_LW low{c.program.flow[0][0]};
  const regs::VAP_PVS_FLOW_CNTL_ADDRS_UW high{c.program.flow[0][1]};
  EXPECT_EQ(low.PVS_FC_LOOP_CNT_JMP_INST_0(), 9u);
  EXPECT_EQ(high.PVS_FC_RTN_INST_0(), low.PVS_FC_ACT_ADRS_0() + 1);
  EXPECT_GT(high.PVS_FC_LAST_INST_0(), high.PVS_FC_RTN_INST_0());
  EXPECT_LT(high.PVS_FC_LAST_INST_0(), c.program.code.size() - 1);
}

TEST(PvsLoops, SaysWhyWithoutABound) {
  EXPECT_NE(compile_body("for (int i = 0; i < int(a.x); ++i) o *= 1.5; gl_Position = o;").refusal.find("no bound that can be proven"),
            std::string::npos);
  std::string many = "vec4 s = a;";
  for (int i = 0; i < 17; ++i) many += "for (int i = 0; i < 200; i++) s = fract(s * 1.25 + float(i));";
  try {
    compile_body(many + "gl_Position = s;");
    FAIL() << "compiled";
  } catch (const isa::Unsupported& e) {
    EXPECT_NE(std::string(e.what()).find("17 flow control entries"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace pumice::compiler
