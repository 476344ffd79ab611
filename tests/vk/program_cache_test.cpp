// SPDX-License-Identifier: MIT
/// The bytes of a pipeline cache: round trip, damage at every byte, every truncation, merge.
#include "icd/program_cache.h"

#include <gtest/gtest.h>

#include <thread>

#include "compiler/digest.h"
#include "tests/compiler/glsl.h"

namespace pumice::icd {
namespace {

compiler::PipelineSource source(const std::vector<uint32_t>& v, const std::vector<uint32_t>& f, uint32_t targets = 1) {
  compiler::PipelineSource s;
  s.chip = &compiler::kR500;
  s.add(compiler::Stage::vertex).spirv = v;
  s.add(compiler::Stage::fragment).spirv = f;
  s.color_attachments = targets;
  return s;
}

struct Sample {
  ProgramCache::Header header{32, 0, 0, 0, 1};
  ProgramCache cache{compiler::kR500};
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
    program = write_program(*r.program, kR500);
    cache.add(key, std::make_shared<const Program>(*r.program));
    size_t size = 0;
    EXPECT_TRUE(cache.save(header, size, nullptr));
    data.resize(size);
    EXPECT_TRUE(cache.save(header, size, data.data()));
  }
};

TEST(ProgramCache, RoundTripAndMerge) {
  Sample s;
  ProgramCache other{compiler::kR500}, third{compiler::kR500};
  EXPECT_EQ(other.load(s.header, s.data), nullptr);
  third.merge(other);
  const auto p = third.find(s.key);
  ASSERT_TRUE(p);
  EXPECT_EQ(compiler::write_program(*p, compiler::kR500), s.program);
}

/// On every strict chip, with early tests, which nothing in the microcode shows, and without a fragment stage.
TEST(ProgramCache, ProgramsOfEachChipComeBackWhole) {
  using namespace compiler;
  std::string log;
  const auto v = test::compile_glsl(
      Stage::vertex, "layout(location=0) in vec4 p; layout(location=0) out vec2 uv; void main() { uv = p.xy; gl_Position = p; }", log);
  const auto f = test::compile_glsl(Stage::fragment,
                                    "layout(early_fragment_tests) in; layout(location=0) in vec2 uv; layout(location=0) out vec4 o;"
                                    "layout(binding=0) uniform sampler2D t; void main() { o = texture(t, uv) * 0.3 + dFdx(uv).xyxy; }",
                                    log);
  for (const ChipLimits* chip : {&kR300, &kR500})
    for (const bool has_fragment : {true, false}) {
      PipelineSource s = source(v, f);
      s.chip = chip;
      if (!has_fragment) s.shaders[size_t(Stage::fragment)].reset();
      const Result r = compile(s);
      ASSERT_TRUE(r.program) << chip->name << log;
      const std::vector<uint8_t> bytes = write_program(*r.program, *chip);
      const std::optional<Program> back = read_program(bytes, *chip);
      ASSERT_TRUE(back) << chip->name << (has_fragment ? "" : ", no fragment stage");
      EXPECT_EQ(write_program(*back, *chip), bytes);
      EXPECT_EQ(back->fragment.early_tests, has_fragment) << chip->name;
      EXPECT_EQ(back->vertex.reads_corners(), has_fragment && chip == &kR300);
      EXPECT_EQ(back->fragment.levels.alu, r.program->fragment.levels.alu);
      EXPECT_FALSE(read_program(bytes, chip == &kR300 ? kR500 : kR300)) << "of another chip";
    }
}

/// What applications with several threads do: all compile into one cache, each also into one of its own, caches are merged and saved
/// meanwhile.
TEST(ProgramCache, ManyThreadsShareOne) {
  Sample s;
  std::string log;
  const auto v = compiler::test::compile_glsl(compiler::Stage::vertex, "void main() { gl_Position = vec4(gl_VertexIndex); }", log);
  const auto f = compiler::test::compile_glsl(
      compiler::Stage::fragment, "layout(constant_id=0) const float k = 1.0; layout(location=0) out vec4 o; void main() { o = vec4(k); }",
      log);
  constexpr uint32_t kThreads = 4, kEach = 12;  // two threads create each pipeline
  const auto of = [&](uint32_t i) {
    compiler::PipelineSource one = source(v, f);
    one.shaders[size_t(compiler::Stage::fragment)]->specializations = {{0, {0, 0, uint8_t(i), 63}}};
    return one;
  };
  ProgramCache shared(compiler::kR500, kThreads * kEach), collected(compiler::kR500, kThreads * kEach);
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      ProgramCache own(compiler::kR500);
      for (uint32_t i = 0; i < kEach; ++i) {
        const compiler::PipelineSource one = of(t / 2 * kEach + i);
        const ProgramCache::Key key = source_key(one, code_digests(one));
        ProgramCache::ProgramPtr p = shared.find(key);
        if (!p) {
          p = std::make_shared<const compiler::Program>(*compiler::compile(one).program);
          shared.add(key, p);
        }
        own.add(key, p);
        if (i % 4 == 3) {
          collected.merge(own);
          size_t size = 0;
          shared.save(s.header, size, nullptr);
          std::vector<uint8_t> data(size);
          shared.save(s.header, size, data.data());
          data.resize(size);
          EXPECT_EQ(own.load(s.header, data), nullptr);
        }
      }
      collected.merge(shared);
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(collected.size(), kThreads / 2 * kEach);
  for (uint32_t i = 0; i < kThreads / 2 * kEach; ++i) {
    const compiler::PipelineSource one = of(i);
    const auto p = collected.find(source_key(one, code_digests(one)));
    ASSERT_TRUE(p) << i;
    EXPECT_EQ(compiler::write_program(*p, compiler::kR500), compiler::write_program(*compiler::compile(one).program, compiler::kR500)) << i;
  }
}

TEST(ProgramCache, DamagedAndCutOffDataIsIgnored) {
  Sample s;
  for (size_t i = 0; i < s.data.size(); ++i) {
    std::vector<uint8_t> bad = s.data;
    bad[i] ^= static_cast<uint8_t>(1 + i % 255);
    ProgramCache c(compiler::kR500);
    EXPECT_NE(c.load(s.header, bad), nullptr) << i;
    EXPECT_EQ(c.size(), 0u);
    std::vector<uint8_t> cut(s.data.begin(), s.data.begin() + static_cast<std::ptrdiff_t>(i));
    c.load(s.header, cut);
    EXPECT_EQ(c.size(), 0u) << i;
    size_t room = i;
    cut.resize(i + 1);  // data() must not be null: that is a query of the size
    EXPECT_FALSE(s.cache.save(s.header, room, cut.data()));
    EXPECT_LE(room, i);
  }
}

TEST(ProgramCache, BytesOfAProgramAreNotTrusted) {
  Sample s;
  for (size_t i = 0; i < s.program.size(); ++i) {
    EXPECT_FALSE(compiler::read_program(std::span(s.program).first(i), compiler::kR500));
    for (uint8_t x : {0x01, 0x80, 0xFF}) {
      std::vector<uint8_t> bad = s.program;
      bad[i] ^= x;
      const auto p = compiler::read_program(bad, compiler::kR500);
      if (p) {
        EXPECT_EQ(compiler::write_program(*p, compiler::kR500), bad);
      }
    }
  }
}

/// Python's hashlib.blake2b(message, digest_size=32): lengths around the block of 128 bytes.
TEST(ProgramCache, DigestIsBlake2b256) {
  const auto message = [](size_t n) {
    std::vector<uint8_t> m(n);
    for (size_t i = 0; i < n; ++i) m[i] = static_cast<uint8_t>(i * 7);
    return m;
  };
  const std::pair<size_t, std::array<uint8_t, 8>> known[] = {
      {0, {0x0e, 0x57, 0x51, 0xc0, 0x26, 0xe5, 0x43, 0xb2}},   {3, {0xb3, 0x16, 0xf3, 0x68, 0x3a, 0xc8, 0x70, 0x07}},
      {127, {0x4f, 0xf6, 0x2e, 0x7c, 0x4c, 0x43, 0xfe, 0x10}}, {128, {0x14, 0x69, 0x6d, 0x2a, 0x98, 0xd9, 0xf8, 0xa2}},
      {129, {0x39, 0x34, 0x21, 0x52, 0x60, 0xb1, 0x03, 0x9b}}, {256, {0x3d, 0x0c, 0xb2, 0x69, 0x3d, 0xfb, 0xac, 0x42}},
      {300, {0x91, 0xcc, 0xce, 0x0b, 0xa9, 0xe1, 0x58, 0x67}},
  };
  for (const auto& [n, first] : known) {
    const compiler::Digest d = compiler::digest(message(n));
    EXPECT_TRUE(std::equal(first.begin(), first.end(), d.begin())) << n;
  }
}

}  // namespace
}  // namespace pumice::icd
