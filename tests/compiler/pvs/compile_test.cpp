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
    source.chip = &kR500;
    vertex_ = test::compile_glsl(Stage::vertex, vertex, log);
    EXPECT_FALSE(vertex_.empty()) << log;
    source.add(Stage::vertex) = ShaderSource{vertex_, "main", {}, "v"};
    if (fragment.empty()) return;
    fragment_ = test::compile_glsl(Stage::fragment, fragment, log);
    EXPECT_FALSE(fragment_.empty()) << log;
    source.add(Stage::fragment) = ShaderSource{fragment_, "main", {}, "f"};
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
}

/// Limits come from the row of the chip alone.
TEST(Compile, AMadeUpChipNeedsARowOnly) {
  Pipeline p(kVertex, "layout(location=0) in vec4 x; layout(location=0) out vec4 o; void main() { o = sqrt(x) * vec4(3, 5, 7, 11); }");
  ChipLimits chip = kR500;
  chip.name = "Q1";
  p.source.chip = &chip;
  ASSERT_TRUE(compile(p.source).program);
  const auto with = [&](uint32_t& limit, uint32_t value) {
    const uint32_t before = limit;
    limit = value;
    const std::string text = refusal(compile(p.source));
    limit = before;
    return text;
  };
  EXPECT_NE(with(chip.fragment.slots, 2).find("the Q1 fragment unit has 2"), std::string::npos) << with(chip.fragment.slots, 2);
  EXPECT_NE(with(chip.fragment.constants, 0).find("constants, the Q1 fragment unit has 0"), std::string::npos);
  EXPECT_NE(with(chip.fragment.targets, 0).find("the chip has 0 render targets"), std::string::npos);
  EXPECT_NE(with(chip.vertex.slots, 1).find("instructions, the Q1 vertex unit has 1"), std::string::npos);
  EXPECT_NE(with(chip.vertex.inputs, 0).find("more than 0 vertex inputs"), std::string::npos);
  EXPECT_NE(with(chip.interpolators, 0).find("the Q1 has 0"), std::string::npos);
  chip.back_end = ChipLimits::BackEnd::none;
  EXPECT_NE(refusal(compile(p.source)).find("the Q1 has no compiler back end"), std::string::npos);
}

TEST(Compile, StagesTheChipLacksAreRefusedByCapability) {
  std::string log;
  const std::vector<uint32_t> words = test::compile_glsl(Stage::compute, "layout(local_size_x = 8) in; void main() {}", log);
  ASSERT_FALSE(words.empty()) << log;
  PipelineSource source;
  source.chip = &kR500;
  source.add(Stage::compute) = ShaderSource{words, "main", {}, "c"};
  EXPECT_EQ(refusal(compile(source)), "compute shader 'c': the R5xx has no compute programs (capability 'compute')");
  // A chip that has the stage must have a back end for it, too: nothing is guessed.
  ChipLimits chip = kR500;
  chip.compute = true;
  source.chip = &chip;
  EXPECT_NE(refusal(compile(source)).find("no compiler back end for compute"), std::string::npos);
  source.add(Stage::vertex) = source.shaders[size_t(Stage::compute)].value();
  EXPECT_NE(refusal(compile(source)).find("beside other stages"), std::string::npos);
  EXPECT_NE(refusal(compile(PipelineSource{.chip = &kR500})).find("no vertex shader"), std::string::npos);
}

TEST(Compile, GarbageIsRefusedNotCrashedOn) {
  Pipeline p(kVertex, "");
  const std::vector<uint32_t> good(p.source.shader(Stage::vertex)->spirv.begin(), p.source.shader(Stage::vertex)->spirv.end());
  std::mt19937 random(1);
  for (int i = 0; i < 200; i++) {
    std::vector<uint32_t> bad = good;
    for (int k = 0; k < 3; k++) bad[random() % bad.size()] ^= 1u << random() % 32;
    if (i % 4 == 0) bad.resize(random() % bad.size());
    PipelineSource source;
  source.chip = &kR500;
    source.add(Stage::vertex).spirv = bad;
    const Result r = compile(source);
    EXPECT_TRUE(r.program || !r.diagnostics.empty());
  }
}

}  // namespace
}  // namespace pumice::compiler
