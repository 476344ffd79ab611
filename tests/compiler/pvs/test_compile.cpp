// SPDX-License-Identifier: MIT
/// compile(): both stages joined: interpolator routing, diagnostics that name shader, limit and need, and garbage in.
#include <gtest/gtest.h>

#include <random>

#include "compiler/compiler.h"
#include "tests/compiler/glsl.h"

namespace pumice::compiler {
namespace {

class Pipeline {
 public:
  Pipeline(const std::string& vertex, const std::string& fragment) {
    std::string log;
    vertex_ = test::compile_glsl(Stage::vertex, vertex, log);
    EXPECT_FALSE(vertex_.empty()) << log;
    source.vertex.spirv = vertex_;
    source.vertex.name = "v";
    if (fragment.empty()) return;
    fragment_ = test::compile_glsl(Stage::fragment, fragment, log);
    EXPECT_FALSE(fragment_.empty()) << log;
    source.fragment = ShaderSource{fragment_, "main", {}, "f"};
  }
  PipelineSource source;

 private:
  std::vector<uint32_t> vertex_, fragment_;
};

const std::string kVertex =
    "layout(location=0) in vec4 a; layout(location=0) out vec4 x; layout(location=1) out vec2 y; layout(location=2) flat out vec3 z;"
    "void main() { gl_Position = a; x = a.wzyx; y = a.xy; z = a.xyz; }";

std::string refusal(const Result& r) { return r.program ? "compiled" : r.diagnostics.empty() ? "no diagnostic" : r.diagnostics[0].text; }

TEST(Compile, PassesOnlyWhatTheFragmentShaderReads) {
  const Pipeline p(kVertex,
                   "layout(location=2) flat in vec3 z; layout(location=0) in vec4 x; layout(location=0) out vec4 o; void main() { o = "
                   "vec4(x.x, z.yx, 1); }");
  const Result r = compile(p.source);
  ASSERT_TRUE(r.program) << refusal(r);
  ASSERT_EQ(r.program->varyings.size(), 2u);
  EXPECT_EQ(r.program->varyings[0].texcoord, 0u);
  EXPECT_EQ(r.program->varyings[0].components, 1u);
  EXPECT_FALSE(r.program->varyings[0].flat);
  EXPECT_EQ(r.program->varyings[1].texcoord, 1u);
  EXPECT_EQ(r.program->varyings[1].components, 2u);
  EXPECT_TRUE(r.program->varyings[1].flat);
  EXPECT_NE(r.program->varyings[0].us_temp, r.program->varyings[1].us_temp);
  EXPECT_EQ(r.program->vertex.outputs, 3u);
  EXPECT_FALSE(r.program->vertex.writes_point_size);
  EXPECT_EQ(r.program->fragment.color_outputs, 1u);
  EXPECT_TRUE(r.log.empty());
}

TEST(Compile, FragCoordZNeedsTheClipPositionAndXYDoNot) {
  Pipeline p(kVertex, "layout(location=0) out vec4 o; void main() { o = gl_FragCoord; }");
  Result r = compile(p.source);
  ASSERT_TRUE(r.program) << refusal(r);
  EXPECT_EQ(r.program->varyings.size(), 1u);
  EXPECT_TRUE(r.program->fragment.frag_coord_xy_temp);
  const Pipeline xy(kVertex, "layout(location=0) out vec4 o; void main() { o = gl_FragCoord.xyxy; }");
  r = compile(xy.source);
  ASSERT_TRUE(r.program) << refusal(r);
  EXPECT_TRUE(r.program->varyings.empty());
}

TEST(Compile, PointSizeIsThereExactlyForPoints) {
  Pipeline p("void main() { gl_Position = vec4(1); gl_PointSize = 3.0; }", "");
  Result r = compile(p.source);
  ASSERT_TRUE(r.program) << refusal(r);
  EXPECT_FALSE(r.program->vertex.writes_point_size);
  EXPECT_EQ(r.program->vertex.outputs, 1u);
  EXPECT_EQ(r.program->fragment.color_outputs, 0u);
  EXPECT_FALSE(r.program->fragment.code.empty());
  p.source.point_topology = true;
  p.source.want_log = true;
  r = compile(p.source);
  ASSERT_TRUE(r.program) << refusal(r);
  EXPECT_TRUE(r.program->vertex.writes_point_size);
  EXPECT_EQ(r.program->vertex.outputs, 2u);
  EXPECT_NE(r.log.find("PVS microcode"), std::string::npos);
}

TEST(Compile, OutputsWithoutAttachmentAreDropped) {
  Pipeline p(kVertex, "layout(location=0) out vec4 o; layout(location=3) out vec4 q; void main() { o = vec4(1); q = vec4(2); }");
  p.source.color_attachments = 8;
  const Result r = compile(p.source);
  ASSERT_TRUE(r.program) << refusal(r);
  EXPECT_EQ(r.program->fragment.color_outputs, 8u);
}

TEST(Compile, LimitsAreNamedWithTheNumberNeeded) {
  std::string vertex = "layout(location=0) in vec4 a;", fragment = "layout(location=0) out vec4 o;", out, sum;
  for (int i = 0; i < 11; i++) {
    const std::string n = std::to_string(i);
    vertex += "layout(location=" + n + ") out vec4 x" + n + ";";
    fragment += "layout(location=" + n + ") in vec4 x" + n + ";";
    out += "x" + n + " = a;";
    sum += " + x" + n;
  }
  const Pipeline many(vertex + "void main() { gl_Position = a;" + out + "}", fragment + "void main() { o = vec4(0)" + sum + "; }");
  EXPECT_NE(refusal(compile(many.source)).find("needs 11 interpolated vectors"), std::string::npos) << refusal(compile(many.source));

  const Pipeline constants(kVertex,
                           "layout(set=0,binding=0) uniform U { vec4 v[300]; }; layout(location=0) out vec4 o;"
                           "void main() { o = vec4(0); for (int i = 0; i < 300; i++) o += v[i]; }");
  const std::string text = refusal(compile(constants.source));
  EXPECT_NE(text.find("300"), std::string::npos) << text;
  EXPECT_NE(text.find("constants"), std::string::npos) << text;

  Pipeline old(kVertex, "");
  old.source.chip = Chip::r300;
  EXPECT_NE(refusal(compile(old.source)).find("r300"), std::string::npos);
}

TEST(Compile, GarbageIsRefusedNotCrashedOn) {
  Pipeline p(kVertex, "");
  const std::vector<uint32_t> good(p.source.vertex.spirv.begin(), p.source.vertex.spirv.end());
  std::mt19937 random(1);
  for (int i = 0; i < 200; i++) {
    std::vector<uint32_t> bad = good;
    for (int k = 0; k < 3; k++) bad[random() % bad.size()] ^= 1u << random() % 32;
    if (i % 4 == 0) bad.resize(random() % bad.size());
    PipelineSource source;
    source.vertex.spirv = bad;
    const Result r = compile(source);
    EXPECT_TRUE(r.program || !r.diagnostics.empty());
  }
}

}  // namespace
}  // namespace pumice::compiler
