// SPDX-License-Identifier: MIT
/// The bytes of a pipeline cache: round trip, damage at every byte, every truncation, merge.
#include "icd/program_cache.h"

#include <gtest/gtest.h>

#include "tests/compiler/glsl.h"

namespace pumice::icd {
namespace {

compiler::PipelineSource source(const std::vector<uint32_t>& v, const std::vector<uint32_t>& f, uint32_t targets = 1) {
  compiler::PipelineSource s;
  s.vertex.spirv = v;
  s.fragment.emplace().spirv = f;
  s.color_attachments = targets;
  return s;
}

struct Sample {
  ProgramCache::Header header{32, 0, 0, 0, 1};
  ProgramCache cache;
  ProgramCache::Key key{};
  std::vector<uint8_t> program, data;
  Sample() {
    std::string log;
    using namespace compiler;
    const auto v =
        test::compile_glsl(Stage::vertex,
                           "layout(location=0) in vec4 p; layout(location=0) out vec2 uv; layout(push_constant) uniform P { vec4 a; };"
                           "void main() { uv = p.xy * 3.7; gl_Position = p * a; }",
                           log);
    const auto f = test::compile_glsl(Stage::fragment,
                                      "layout(location=0) in vec2 uv; layout(location=0) out vec4 o; layout(binding=0) uniform sampler2D t;"
                                      "void main() { o = texture(t, uv) * 0.3 + gl_FragCoord; }",
                                      log);
    const PipelineSource s = source(v, f);
    key = source_key(s, code_digests(s));
    EXPECT_NE(key, source_key(source(v, f, 3), code_digests(s)));
    Result r = compile(s);
    EXPECT_TRUE(r.program) << log;
    program = write_program(*r.program);
    cache.add(key, std::make_shared<const Program>(*r.program));
    size_t size = 0;
    EXPECT_TRUE(cache.save(header, size, nullptr));
    data.resize(size);
    EXPECT_TRUE(cache.save(header, size, data.data()));
  }
};

TEST(ProgramCache, RoundTripAndMerge) {
  Sample s;
  ProgramCache other, third;
  EXPECT_EQ(other.load(s.header, s.data), nullptr);
  third.merge(other);
  const auto p = third.find(s.key);
  ASSERT_TRUE(p);
  EXPECT_EQ(compiler::write_program(*p), s.program);
}

TEST(ProgramCache, DamagedAndCutOffDataIsIgnored) {
  Sample s;
  for (size_t i = 0; i < s.data.size(); ++i) {
    std::vector<uint8_t> bad = s.data;
    bad[i] ^= static_cast<uint8_t>(1 + i % 255);
    ProgramCache c;
    EXPECT_NE(c.load(s.header, bad), nullptr) << i;
    EXPECT_EQ(c.size(), 0u);
    std::vector<uint8_t> cut(s.data.begin(), s.data.begin() + static_cast<std::ptrdiff_t>(i));
    c.load(s.header, cut);
    EXPECT_EQ(c.size(), 0u) << i;
    size_t room = i;
    cut.resize(i + 1);  // data() must not be null: that asks for the size
    EXPECT_FALSE(s.cache.save(s.header, room, cut.data()));
    EXPECT_LE(room, i);
  }
}

TEST(ProgramCache, BytesOfAProgramAreNotTrusted) {
  Sample s;
  for (size_t i = 0; i < s.program.size(); ++i) {
    EXPECT_FALSE(compiler::read_program(std::span(s.program).first(i)));
    for (uint8_t x : {0x01, 0x80, 0xFF}) {
      std::vector<uint8_t> bad = s.program;
      bad[i] ^= x;
      const auto p = compiler::read_program(bad);
      if (p) {
        EXPECT_EQ(compiler::write_program(*p), bad);
      }
    }
  }
}

}  // namespace
}  // namespace pumice::icd
