// SPDX-License-Identifier: MIT
/// Words that are not SPIR-V, or nearly: they reach the front end without validation, so it must refuse them or make something of
/// them, but never crash, hang or eat all memory. Which ones: tests/fuzz.h.
#include <gtest/gtest.h>

#include <random>

#include "compiler/compiler.h"
#include "tests/compiler/glsl.h"
#include "tests/compiler/ir/memory_shaders.h"
#include "tests/fuzz.h"

namespace pumice::compiler {
namespace {

struct Sample {
  Stage stage;
  const char* glsl;
};
const Sample kSamples[] = {
    {Stage::fragment, R"(
struct S { vec3 p; float q; };
layout(constant_id = 0) const int n = 3; layout(constant_id = 1) const bool flip = true;
layout(location = 0) in vec4 a; layout(location = 1) flat in ivec2 b; layout(location = 0) out vec4 o;
layout(set = 0, binding = 0) uniform U { mat4 m; vec4 v[8]; S s[2]; } u[2];
layout(set = 0, binding = 1) uniform sampler2D t[3];
layout(push_constant) uniform P { mat2 p; int k; } p;
float f(inout vec2 y, vec4 w[n]) { for (int i = 0; i < n; ++i) { if (w[i].x > y.x) return w[i].y; y.x += 0.1; } return y.y; }
float h(float x) { int e; float m = frexp(x, e); return m * float(p.k == 2 ? e : int(a.x)); }
vec4 g(sampler2D s, vec2 c) { if (c.x < 0.0) discard; switch (b.x) { case 0: return texture(s, c); case 1: c.y += 1.0; default: break; } return textureLod(s, c, 1.0); }
void main() {
  vec4 w[n]; for (int i = 0; i < n; ++i) w[i] = u[1].v[i] * a; vec2 y = a.xy;
  float r = f(y, w); mat3 m3 = inverse(mat3(u[0].m)); vec3 q = m3 * a.xyz; q[b.y & 1] = r;
  o = g(t[n - 1], y) + vec4(q, flip ? u[0].s[1].q : h(a.w));
  while (true) { o.x -= 1.0; if (o.x < 0.5) break; if (o.y > 3.0) continue; o *= 0.5; }
})"},
    {Stage::fragment, R"(
layout(location = 0) in vec2 uv; layout(location = 0) out vec4 o[2];
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput s; layout(set = 0, binding = 1) uniform texture2D t;
layout(set = 0, binding = 2) uniform sampler l[2]; layout(set = 0, binding = 3) uniform sampler2DShadow d;
const vec2 k[4] = vec2[](vec2(1, 2), vec2(3, 4), vec2(5, 6), vec2(7, 8));
void main() {
  int i = int(uv.x * 4.0); vec2 e = k[i]; float z; float x = modf(uv.y, z); e.x = z;
  o[0] = subpassLoad(s) + texture(sampler2D(t, l[1]), uv) + textureGather(sampler2D(t, l[0]), uv, 1) + texelFetch(t, ivec2(uv), 0);
  o[1] = vec4(texture(d, vec3(uv, x)), textureSize(d, 0), outerProduct(e, uv)[1].x); gl_FragDepth = gl_FragCoord.z * dFdx(x);
})"},
    {Stage::vertex, R"(
layout(location = 0) in vec4 p; layout(location = 1) in mat3 m; layout(location = 0) out vec3 c; layout(location = 1) flat out int i;
layout(set = 0, binding = 0) uniform U { layout(row_major) mat4 m; mat4 bone[4]; int n; } u;
void main() {
  mat4 b = u.bone[gl_VertexIndex & 3]; vec4 q = vec4(0); for (int k = 0; k < 4; ++k) q += b[k] * p[k];
  c = transpose(m) * q.xyz; i = gl_InstanceIndex / 3 + u.n % 5; gl_Position = u.m * q; gl_PointSize = length(c);
})"},
};

/// A small mistake, somewhere: words are changed, copied over each other, removed or repeated.
void damage(std::vector<uint32_t>& words, std::mt19937& random) {
  auto any = [&](size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random); };
  for (size_t times = 1 + any(3); times && words.size() > 8; --times) {
    const size_t at = any(8) ? 5 + any(words.size() - 5) : any(words.size());
    switch (any(7)) {
      case 0: words[at] = uint32_t(random()); break;
      case 1: words[at] = words[any(words.size())]; break;
      case 2: words[at] ^= 1u << any(32); break;
      case 3: words[at] = uint32_t(any(words[3] ? words[3] : 1)); break;
      case 4: words[at] += any(2) ? 1 : uint32_t(-1); break;
      case 5: words.erase(words.begin() + long(at), words.begin() + long(std::min(words.size(), at + 1 + any(4)))); break;
      default: {
        // A whole instruction again, or in place of another one.
        std::vector<size_t> starts;
        for (size_t i = 5; i < words.size() && words[i] >> 16; i += words[i] >> 16) starts.push_back(i);
        if (starts.size() < 2) break;
        const size_t from = starts[any(starts.size())], to = starts[any(starts.size())];
        const std::vector<uint32_t> copy(words.begin() + long(from),
                                         words.begin() + long(std::min<size_t>(words.size(), from + (words[from] >> 16))));
        if (any(2)) words.erase(words.begin() + long(to), words.begin() + long(std::min<size_t>(words.size(), to + (words[to] >> 16))));
        words.insert(words.begin() + long(to), copy.begin(), copy.end());
        break;
      }
    }
  }
}

struct Good {
  Stage stage;
  std::vector<uint32_t> words;
};

void refused_or_compiled(const std::vector<Good>& good, const ChipLimits& chip, const FuzzRange& range) {
  std::string log;
  const std::vector<uint32_t> plain = test::compile_glsl(Stage::vertex, "void main() { gl_Position = vec4(0); }", log);
  unsigned compiled = 0;
  for (uint32_t i = range.first; i < range.end(); ++i) {
    std::mt19937 random(i);
    const Good& which = good[i % good.size()];
    ASSERT_FALSE(which.words.empty());
    std::vector<uint32_t> words = which.words;
    damage(words, random);
    PipelineSource source;
    source.chip = &chip;
    source.color_attachments = 0xFF & ((1u << chip.fragment.targets) - 1);
    if (which.stage == Stage::fragment) source.add(Stage::vertex).spirv = plain;
    source.add(which.stage) = ShaderSource{.spirv = words, .specializations = {{0, {uint8_t(random() % 8), 0, 0, 0}}}};
    if (!range.usual) std::fprintf(stderr, "case %u\r", i);  // a crash leaves it standing
    const Result result = compile(source);
    EXPECT_NE(result.program.has_value(), !result.diagnostics.empty()) << rerun(i);
    for (const Diagnostic& d : result.diagnostics)
      EXPECT_EQ(d.text.find("internal error of the passes"), std::string::npos) << d.text << rerun(i);
    compiled += result.program.has_value();
  }
  if (range.usual) {
    EXPECT_GT(compiled, range.count / 20) << "hardly anything compiles: nothing behind the front end is tested";
  }
}

TEST(BrokenSpirv, IsRefusedOrCompiled) {
  std::vector<Good> good;
  for (const Sample& s : kSamples) {
    std::string log;
    good.push_back({s.stage, test::compile_glsl(s.stage, s.glsl, log)});
  }
  refused_or_compiled(good, kR500, fuzz_range(3000));
}

TEST(BrokenSpirv, IsRefusedOrCompiledOnAChipWithMemory) {
  std::vector<Good> good;
  for (const MemoryShader& s : kMemoryShaders) {
    std::string log;
    good.push_back({s.stage, test::compile_glsl(s.stage, kMemoryShaderHead + s.glsl, log)});
  }
  for (const Sample& s : kSamples) {
    std::string log;
    good.push_back({s.stage, test::compile_glsl(s.stage, s.glsl, log)});
  }
  refused_or_compiled(good, kR5x, fuzz_range(3000));
}

TEST(BrokenSpirv, Rubbish) {
  for (uint32_t i = 0; i < 200; ++i) {
    std::mt19937 random(i);
    std::vector<uint32_t> words(i);
    for (uint32_t& w : words) w = uint32_t(random() >> (random() % 24));
    if (words.size() > 4) words[0] = 0x07230203, words[3] &= 0x3FF;
    PipelineSource source;
    source.chip = &kR500;
    source.add(Stage::vertex).spirv = words;
    EXPECT_FALSE(compile(source).program) << i;
    source.chip = &kR5x;
    EXPECT_FALSE(compile(source).program) << i;
  }
}

}  // namespace
}  // namespace pumice::compiler
