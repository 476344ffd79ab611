// SPDX-License-Identifier: MIT
/// GLSL vertex shaders all the way to microcode: the chip's result against the evaluation of what the front end made, before any pass.
#include <gtest/gtest.h>

#include "compiler/frontend/frontend.h"
#include "compiler/passes/passes.h"
#include "tests/compiler/glsl.h"
#include "tests/compiler/pvs/vertex_bench.h"

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
  ASSERT_TRUE(run_passes(chip, {}, diagnostics)) << GetParam() << "\n" << diagnostics.at(0).text;
  testing::expect_same_vertex(raw, chip, std::string(GetParam()) + "\n" + ir::print(chip), 2e-4f, 3, 8);
}

INSTANTIATE_TEST_SUITE_P(Bodies, PvsGlsl, ::testing::ValuesIn(kBodies));

}  // namespace
}  // namespace pumice::compiler
