// SPDX-License-Identifier: MIT
/// Fragment programs of the R3xx: the chip's results against the evaluator, microcode that was read, limits that are named.
#include <gtest/gtest.h>

#include <random>

#include "compiler/fp24.h"
#include "compiler/frontend/frontend.h"
#include "compiler/passes/passes.h"
#include "compiler/us_r300/machine.h"
#include "hw/common/numerics/fp24.h"
#include "tests/compiler/glsl.h"
#include "tests/compiler/us/fragment_rig.h"
#include "tests/compiler/us/glsl_bodies.h"

namespace pumice::compiler {
namespace {

constexpr const char* kVertex = "void main() { gl_Position = vec4(0); }";

Result compile_for(const std::string& fragment, const char* vertex = kVertex) {
  std::string log;
  const std::vector<uint32_t> v = test::compile_glsl(Stage::vertex, vertex, log), f = test::compile_glsl(Stage::fragment, fragment, log);
  EXPECT_FALSE(v.empty() || f.empty()) << log << fragment;
  PipelineSource source{.chip = &kR300};
  source.add(Stage::vertex).spirv = v;
  source.add(Stage::fragment).spirv = f;
  source.color_attachments = 15;
  return compile(source);
}
std::string refusal(const std::string& fragment) {
  const Result r = compile_for(fragment);
  return r.program ? "compiled" : r.diagnostics.empty() ? "no reason" : r.diagnostics[0].text;
}
std::string listing(const std::string& fragment) {
  const Result r = compile_for(fragment);
  if (!r.program) return r.diagnostics.empty() ? "no reason" : r.diagnostics[0].text;
  return us_r300::disassemble(r.program->fragment.levels);
}

const std::string kInputs =
    "layout(location = 0) in vec4 a; layout(location = 1) in vec3 b; layout(location = 2) in vec2 c; layout(location = 0) out vec4 o;"
    "layout(set = 0, binding = 0) uniform U { vec4 v[40]; } u; layout(set = 0, binding = 1) uniform sampler2D t;";
std::string shader(const std::string& body) { return kInputs + "\nvoid main() {\n" + body + "\n}\n"; }

TEST(UsR300, ResultsAreTheEvaluatorsOrTheReasonIsNamed) {
  unsigned ran = 0, refused = 0;
  for (const std::string body : kBodies) {
    std::string log;
    const std::vector<uint32_t> words = test::compile_glsl(Stage::fragment, std::string(kHead) + body + "\n}\n", log);
    ASSERT_FALSE(words.empty()) << log;
    ShaderSource source;
    source.spirv = words;
    source.name = "test";
    std::vector<Diagnostic> diagnostics;
    ir::Module raw;
    ASSERT_TRUE(build_ir(source, Stage::fragment, raw, diagnostics)) << body << "\n" << diagnostics.at(0).text;
    const Result whole = compile_for(std::string(kHead) + body + "\n}\n");
    if (!whole.program) {
      refused++;
      const std::string text = whole.diagnostics.at(0).text;
      EXPECT_NE(text.find("R3xx"), std::string::npos) << body << "\n" << text;
      EXPECT_EQ(text.find("internal"), std::string::npos) << body << "\n" << text;
      continue;
    }
    // A given level is the only one there, which these lookups, functions of all that they are asked, do not know.
    if (body.find("Lod") != std::string::npos || body.find("Fetch") != std::string::npos || body.find("Gather") != std::string::npos)
      continue;
    // Derivatives come from the vertex program: slopes_test.cpp.
    if (body.find("dFd") != std::string::npos || body.find("fwidth") != std::string::npos) continue;
    ir::Module chip = raw;
    ASSERT_TRUE(run_passes(chip, {.chip = &kR300}, diagnostics)) << body << "\n" << diagnostics.at(0).text;
    testing::expect_same_fragment(raw, chip, body + "\n" + ir::print(chip), 4e-3f, 3, 4, kR300);
    if (HasFatalFailure()) return;
    ran++;
  }
  EXPECT_GE(ran, 30u);
  RecordProperty("ran", int(ran));
  RecordProperty("refused", int(refused));
}

TEST(UsR300, MicrocodeThatWasRead) {
  EXPECT_EQ(listing(shader("o = a;")), "; level 0\n  0: OUT  MAX out0.rgb, r0.rgb, r0.rgb | MAX out0.a, r0.a, r0.a\n");
  EXPECT_EQ(listing(shader("o = vec4(dot(a.xy, c), 1, 1, 1);")),
            "; level 0\n"
            "  0: OUT  D2A out0.r, r0.rgb, r1.rgb, 000 | MAX out0.a, 1, 1\n"
            "  1: OUT  MAX out0.gb, 111, 111\n");
  // Each lookup that another one's result moves is a level of its own; the last arithmetic writes the colour.
  EXPECT_EQ(listing(shader("vec2 p = texture(t, c).xy; p = texture(t, p).xy; o = texture(t, p);")),
            "; level 0\n"
            "  0: TEX  LD r0.rgba, r0.rgba, tex0\n"
            "  0: ALU  MAD _, 000, 000, 000\n"
            "; level 1\n"
            "  1: TEX  LD r1.rgba, r0.rgba, tex0\n"
            "  1: ALU  MAD _, 000, 000, 000\n"
            "; level 2\n"
            "  2: TEX  LD r0.rgba, r1.rgba, tex0\n"
            "  2: OUT  MAX out0.rgb, r0.rgb, r0.rgb | MAX out0.a, r0.a, r0.a\n");
  // gbr is a swizzle that there is; grb is not, and no two of its channels are any.
  EXPECT_EQ(listing(shader("o = vec4(b.yzx * a.xyz, 1);")), "; level 0\n  0: OUT  MAD out0.rgb, r0.gbr, r1.rgb, 000 | MAX out0.a, 1, 1\n");
  EXPECT_EQ(listing(shader("o = vec4(b.yxz * a.xyz, 1);")),
            "; level 0\n"
            "  0: OUT  MAD out0.r, r0.ggg, r1.rgb, 000 | MAX out0.a, 1, 1\n"
            "  1: OUT  MAD out0.g, r0.rrr, r1.rgb, 000\n"
            "  2: OUT  MAD out0.b, r0.rgb, r1.rgb, 000\n");
  // Literals: one number is read thrice, several lie where they are read.
  EXPECT_EQ(listing(shader("o = vec4(a.xyz * 3.0 + vec3(0.25, -0.5, 2.0), 1);")),
            "; level 0\n  0: OUT  MAD out0.rgb, r0.rgb, c0.rrr, c1.rgb | MAX out0.a, 1, 1\n");
  // 1 - x costs nothing where it is read: one operation.
  EXPECT_EQ(listing(shader("o = vec4(a.xyz * (1.0 - b.x), 1);")),
            "; level 0\n  0: OUT  MAD out0.rgb, r0.rgb, srcp.rrr, 000 srcp=1-r1 | MAX out0.a, 1, 1\n");
  // What kills is tested in all four components.
  EXPECT_EQ(listing(shader("if (a.x > 1.0) discard; o = a;")),
            "; level 0\n"
            "  0: ALU  MAD.sat r1.r, r0.rgb, 111, -111\n"
            "  1: ALU  CMP r2.r, 000, 111, -r1.rgb\n"
            "  2: ALU  CND r1.rgb, -111, 111, r2.rrr | CND r1.a, -1, 1, r2.r\n"
            "; level 1\n"
            "  0: TEX  TEXKILL r1.rgba\n"
            "  3: OUT  MAX out0.rgb, r0.rgb, r0.rgb | MAX out0.a, r0.a, r0.a\n");
}

TEST(UsR300, LimitsAreNamed) {
  EXPECT_EQ(refusal(shader("vec2 p = c; for (int i = 0; i < 5; i++) p = texture(t, p).xy; o = p.xyxy;")),
            "fragment shader: needs 5 levels of texture indirection, the R3xx fragment unit has 4");
  EXPECT_EQ(refusal(shader("vec4 s = a; for (int i = 0; i < 33; i++) s = s * u.v[i] + a.wzyx; o = s;")),
            "fragment shader: needs 33 constants, the R3xx fragment unit has 32 ('u')");
  EXPECT_EQ(refusal(shader("vec4 s = vec4(0); for (int i = 0; i < 33; i++) s += texture(t, c + float(i)); o = s;")),
            "fragment shader: needs 33 texture instructions, the R3xx fragment unit has 32");
  EXPECT_EQ(refusal(shader("vec4 s = a; for (int i = 0; i < 80; i++) s = s * s.wzyx + a; o = s;")).substr(0, 23),
            "fragment shader: needs ");
  EXPECT_NE(refusal(shader("vec4 s = a; for (int i = 0; i < int(u.v[0].x); i++) s += a; o = s;")).find("a loop that cannot be unrolled"),
            std::string::npos);
  EXPECT_NE(
      refusal(shader("o = dFdx(texture(t, c));")).find("a derivative of what a texture gives: the fragment unit of the R3xx has none"),
      std::string::npos);
  EXPECT_NE(refusal(shader("o = textureGrad(t, c, c, c);")).find("with gradients"), std::string::npos);
  EXPECT_NE(refusal("layout(location = 0) flat in vec4 f; layout(location = 0) out vec4 o; void main() { o = f; }").find("a flat input"),
            std::string::npos);
}

TEST(UsR300, LinesOfRefusals) {
  const Result r = compile_for(shader("o = a;\n o += dFdx(texture(t, c));"));
  ASSERT_FALSE(r.program);
  EXPECT_EQ(r.diagnostics.at(0).line, 0u);  // without debug information there is none to give
}

TEST(UsR300, Fp24IsTheChips) {
  std::mt19937 random(1);
  for (const uint32_t edge : {0u, 0x80000000u, 1u, 0x00800000u, 0x207FFFFFu, 0x20800000u, 0x5F7FFFFFu, 0x5F800000u, 0x7F800000u,
                              0xFF800000u, 0x7FC00000u, 0x3F800000u, 0x3F80007Fu, 0x3F800080u, 0xBF8000FFu})
    EXPECT_EQ(fp24_code(std::bit_cast<float>(edge)), hw::num::fp24_code(std::bit_cast<float>(edge))) << std::hex << edge;
  for (int i = 0; i < 100000; i++) {
    const float x = std::bit_cast<float>(uint32_t(random()));
    ASSERT_EQ(fp24_code(x), hw::num::fp24_code(x)) << x;
  }
}

}  // namespace
}  // namespace pumice::compiler
