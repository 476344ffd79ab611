// SPDX-License-Identifier: MIT
/// Chips with memory: GLSL of constructs that other chips do not have, through front end and passes, evaluated before and after the passes
/// against expected words; and shaders that must reach chip form.
#include <gtest/gtest.h>

#include <bit>

#include "compiler/frontend/frontend.h"
#include "compiler/ir/eval.h"
#include "compiler/passes/passes.h"
#include "tests/compiler/glsl.h"
#include "tests/compiler/ir/memory_shaders.h"

namespace pumice::compiler {
namespace {

struct Built {
  ir::Module raw, chip;
  std::vector<Diagnostic> diagnostics;
  bool ok = false;
};

Built build(Stage stage, const std::string& glsl, std::vector<Specialization> constants = {}) {
  Built b;
  std::string log;
  const std::vector<uint32_t> words = test::compile_glsl(stage, glsl, log);
  EXPECT_FALSE(words.empty()) << log << glsl;
  ShaderSource source;
  source.spirv = words;
  source.specializations = std::move(constants);
  source.name = "test";
  b.ok = !words.empty() && build_ir(source, stage, b.raw, b.diagnostics, Frontend::direct, {.chip = &kR5x});
  if (b.ok) {
    b.chip = b.raw;
    b.ok = run_passes(b.chip, {.chip = &kR5x}, b.diagnostics);
  }
  EXPECT_TRUE(b.ok) << (b.diagnostics.empty() ? "" : b.diagnostics[0].text) << "\n" << glsl;
  if (!b.ok) return b;
  EXPECT_EQ(ir::validate_chip_form(b.chip, kR5x), "") << glsl;
  // The text form has everything.
  ir::Module again;
  std::string error;
  EXPECT_TRUE(ir::parse(ir::print(b.chip), again, error)) << error << "\n" << ir::print(b.chip);
  EXPECT_EQ(ir::print(again), ir::print(b.chip));
  return b;
}

constexpr const char* kPrelude = R"(#version 450
#extension GL_EXT_shader_16bit_storage : enable
#extension GL_EXT_shader_8bit_storage : enable
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer O { uint o[64]; };
layout(std430, binding = 1) buffer I { int n; int pad; int i[]; };
layout(std140, binding = 2) uniform U { mat4 m; layout(row_major) mat3x2 r; float f[4]; ivec3 v; };
layout(push_constant) uniform P { vec4 p; int q[4]; };
struct Part { float a; vec3 b; mat2 c; };
layout(std430, binding = 3) buffer S { Part part[4]; } s;
layout(std430, binding = 4) buffer A { uint a[8]; } many[3];
layout(std430, binding = 5) buffer B { uint b[4]; } grid[2][3];
shared uint shared_words[32];
shared struct { vec3 v; bool b; mat2 m; } shared_part;
)";

/// Words of binding `b`, element `e`: of buffers of integers small numbers, of the others floats.
std::vector<uint32_t> content(uint32_t binding, uint32_t element) {
  std::vector<uint32_t> words(64);
  for (uint32_t w = 0; w < 64; ++w) {
    switch (binding) {
      case 0: break;
      case 1: words[w] = w * 3 - 5; break;
      case 2: words[w] = w < 60 ? std::bit_cast<uint32_t>(float(w)) : w; break;
      case 3: words[w] = std::bit_cast<uint32_t>(float(w) + 0.5f); break;
      default: words[w] = 100 * element + w; break;
    }
  }
  if (binding == 1) words.resize(18);  // i has 16 elements
  if (binding == 4) words.resize(8);
  return words;
}

/// What binding 0 holds after one invocation.
std::vector<uint32_t> run(const ir::Module& m, std::string& error) {
  ir::Environment env;
  env.buffers.resize(m.resources.size());
  for (size_t r = 0; r < m.resources.size(); ++r)
    for (uint32_t e = 0; e < 6; ++e) env.buffers[r].push_back(content(m.resources[r].layout.binding, e));
  for (int i = 0; i < 4; ++i) env.push.push_back(float(i) + 1);
  for (uint32_t i = 0; i < 4; ++i) env.push.push_back(std::bit_cast<float>(10 * i));
  std::vector<ir::Vec4> inputs(m.inputs.size());
  env.inputs = {inputs};
  env.image = [](const ir::ImageRequest& r) {
    // What the instruction reads, so that tests see it.
    return std::array{r.coord[0], r.coord[1], r.coord[2], r.two[0]};
  };
  ir::Evaluation result = evaluate(m, env);
  error = result.error;
  for (size_t r = 0; r < m.resources.size(); ++r)
    if (m.resources[r].layout.binding == 0) return result.buffers[r][0];
  return {};
}

struct Case {
  const char* body;
  std::vector<uint32_t> expected;  ///< the first words of o
  const char* functions = "";
};

uint32_t f(float x) { return std::bit_cast<uint32_t>(x); }

void check(const Case& c) {
  const Built b = build(Stage::compute, std::string(kPrelude) + c.functions + "void main() {\n" + c.body + "\n}\n");
  if (!b.ok) return;
  for (const ir::Module* m : {&b.raw, &b.chip}) {
    std::string error;
    const std::vector<uint32_t> words = run(*m, error);
    ASSERT_EQ(error, "") << c.body;
    ASSERT_GE(words.size(), c.expected.size()) << c.body;
    for (size_t i = 0; i < c.expected.size(); ++i)
      EXPECT_EQ(words[i], c.expected[i]) << "word " << i << (m == &b.raw ? " before" : " after") << " the passes of\n" << c.body;
  }
}

// i[k] = 3 * (k + 2) - 5 = 3 k + 1
const Case kMemory[] = {
    {"o[0] = uint(i[0]); o[1] = uint(i[3]); o[2] = uint(i.length());", {1, 10, 16}},
    {"int k = i[1]; o[k] = uint(i[k] + n);", {0, 0, 0, 0, uint32_t(13 - 5)}},
    {"o[0] = floatBitsToUint(m[1][2]); o[1] = floatBitsToUint(m[i[0]][i[0] + 1]);", {f(6), f(6)}},
    // r: rows of 4 words from word 16 on: r[column][row] is word 16 + 4 row + column.
    {"o[0] = floatBitsToUint(r[2][1]); vec2 c = r[i[0]]; o[1] = floatBitsToUint(c.x); o[2] = floatBitsToUint(c[i[0]]);"
     "o[3] = floatBitsToUint((r * vec3(1, 0, 2)).y);",
     {f(22), f(17), f(21), f(20 + 2 * 22)}},
    {"o[0] = floatBitsToUint(f[i[0]]); o[1] = floatBitsToUint(f[3]); float g[4] = f; o[2] = floatBitsToUint(g[i[0] + 1]);",
     {f(28), f(36), f(32)}},
    {"o[0] = floatBitsToUint(p.z); o[1] = uint(q[2]); o[2] = uint(q[i[0]]);", {f(3), 20, 10}},
    // A part is 48 bytes: a, pad, b at 16, c at 32.
    {"o[0] = floatBitsToUint(s.part[i[0]].b.z); o[1] = floatBitsToUint(s.part[1].c[1][i[0]]);", {f(18.5f), f(23.5f)}},
    {"Part x = s.part[2]; s.part[i[0]] = x; o[0] = floatBitsToUint(s.part[1].a); o[1] = floatBitsToUint(s.part[1].c[0].y);",
     {f(24.5f), f(33.5f)}},
    {"s.part[1].c[i[0]][0] = 7.0; s.part[1].b.y = 8.0; o[0] = floatBitsToUint(s.part[1].c[1].x); o[1] = floatBitsToUint(s.part[1].b.y);",
     {f(7), f(8)}},
    {"o[0] = many[2].a[3]; o[1] = many[i[0]].a[i[1]]; many[i[0]].a[2] = 9; o[2] = many[1].a[2];", {203, 104, 9}},
    {"o[0] = grid[0][2].b[1]; o[1] = grid[i[0]][i[0] - 1].b[2]; o[2] = grid[1][i[0]].b[0];", {201, 302, 400}},
    {"o[0] = i[15]; o[1] = i[100]; o[2] = uint(i[i[9] * 1000]);", {46, 0, 0}},
    {"shared_words[i[0]] = 5; shared_words[2] = 6; barrier(); o[0] = shared_words[1] + shared_words[i[0] + 1];", {11}},
    {"shared_part.b = i[0] == 1; shared_part.v = vec3(1, 2, 3); shared_part.m = mat2(1, 2, 3, 4); barrier();"
     "o[0] = shared_part.b ? 1 : 0; o[1] = floatBitsToUint(shared_part.v.z); o[2] = floatBitsToUint(shared_part.m[i[0]].x);",
     {1, f(3), f(3)}},
    {"o[5] = 3; o[0] = atomicAdd(o[5], 4); o[1] = o[5]; o[2] = atomicMin(o[5], 2); o[3] = atomicCompSwap(o[5], 2, 100); o[4] = "
     "atomicExchange(o[5], 8);"
     "atomicOr(o[5], 1);",
     {3, 7, 7, 2, 100, 9}},
    {"shared_words[3] = 1; atomicXor(shared_words[i[0] + 2], 7); o[0] = shared_words[3]; o[1] = atomicMax(shared_words[3], 50); o[2] = "
     "shared_words[3];",
     {6, 6, 50}},
};
TEST(Memory, Buffers) {
  for (const Case& c : kMemory) check(c);
}

const Case kFlow[] = {
    {"uint t[20]; for (int k = 0; k < 20; ++k) t[k] = uint(k * k); o[0] = t[i[4]]; o[1] = t[i[0] + 1];", {169, 4}},
    {"uint t[8]; for (int k = 0; k < i[1]; ++k) t[k] = uint(i[k]); o[0] = t[i[0]] + t[2];", {11}},
    {"vec3 t[6]; int at = i[0]; t[at] = vec3(1, 2, 3); t[at].y = 5.0; t[at][at + 1] = 9.0; vec3 x = t[1];"
     "o[0] = floatBitsToUint(x.x); o[1] = floatBitsToUint(x.y); o[2] = floatBitsToUint(x.z);",
     {f(1), f(5), f(9)}},
    {"uint y[5]; int k = 5; y[4] = 2u; uint t = ++y[--k]; y[4] += t; t = y[4]--; y[k++] += t; o[0] = y[4];", {11}},
    {"bool t[6]; t[i[0]] = true; t[2] = false; o[0] = t[i[0]] ? 1 : 2; o[1] = t[i[0] + 1] ? 1 : 2;", {1, 2}},
    {"uint t[2][7]; for (int a = 0; a < 2; ++a) for (int b = 0; b < 7; ++b) t[a][b] = uint(10 * a + b); o[0] = t[i[0]][i[1]];", {14}},
    {"const uint table[6] = uint[](5, 4, 3, 2, 1, 0); o[0] = table[i[0]]; o[1] = table[i[1]];", {4, 1}},
    {"uint sum = 0; int k = 0; while (true) { if (i[k] > 20) break; if ((k & 1) == 0) { ++k; continue; } sum += uint(i[k]); ++k; } o[0] = "
     "sum;",
     {4 + 10 + 16}},
    {"switch (i[1]) { case 1: o[0] = 1; break; case 4: o[0] = 2; case 5: o[1] = 3; break; default: o[0] = 9; }", {2, 3}},
    {"o[0] = first(i[1]); o[1] = first(i[9]);",
     {7, 99},
     "uint first(int x) { for (int k = 0; k < 16; ++k) { if (i[k] == x) return uint(k) + 6u; if (k == 5) return 99u; } return 1u; }"},
    {"uint x = 3; change(x, o[2]); o[0] = x;", {8, 0, 5}, "void change(inout uint x, out uint y) { x += 5u; y = 5u; }"},
    {"uint t[5]; for (int k = 0; k < 5; ++k) t[k] = uint(k); reverse(t); o[0] = t[0]; o[1] = t[i[1]];",
     {4, 0},
     "void reverse(inout uint t[5]) { for (int k = 0; k < 2; ++k) { uint x = t[k]; t[k] = t[4 - k]; t[4 - k] = x; } }"},
    {"uint h = 0u; for (int k = 0; k < 3000; ++k) h = h * 33u + uint(k & i[0]); o[0] = h;", {364713052u}},
    {"int a = i[0], b = i[1]; for (int k = 0; k < i[2]; ++k) { int x = a; a = b; b = x; } o[0] = uint(a); o[1] = uint(b);", {4, 1}},
};
TEST(Memory, ControlFlowAndArrays) {
  for (const Case& c : kFlow) check(c);
}

// i[0] = 1, i[1] = 4, i[2] = 7, i[3] = 10, n = -5
const Case kArithmetic[] = {
    {"o[0] = uint(n / 2); o[1] = uint(n % 3); o[2] = uint(i[3] / i[1]); o[3] = uint(i[3]) % 4u; o[4] = uint(n) >> 28; o[5] = uint(n >> 1);",
     {uint32_t(-2), 1, 2, 2, 15, uint32_t(-3)}},
    {"o[0] = uint(sign(n)); o[1] = uint(abs(n)); o[2] = uint(min(n, i[0])); o[3] = uint(clamp(i[3], 2, 8)); o[4] = max(uint(n), 3u);",
     {uint32_t(-1), 5, uint32_t(-5), 8, uint32_t(-5)}},
    {"uint c; uint b; o[0] = uaddCarry(uint(n), 7u, c); o[1] = c; o[2] = usubBorrow(3u, uint(i[1]), b); o[3] = b; uint h; uint l;"
     "umulExtended(uint(n), 3u, h, l); o[4] = h; int sh; int sl; imulExtended(n, 3, sh, sl); o[5] = uint(sh);",
     {2, 1, ~0u, 1, 2, ~0u}},
    {"o[0] = uint(bitfieldExtract(n, 0, 2)); o[1] = bitfieldInsert(0u, uint(i[2]), 4, 3); o[2] = uint(bitCount(n)); o[3] = "
     "uint(findMSB(i[3]));"
     "o[4] = uint(findLSB(i[1])); o[5] = bitfieldReverse(uint(i[0])); o[6] = uint(findMSB(n)); o[7] = uint(findMSB(0));",
     {uint32_t(-1), 0x70, 31, 3, 2, 0x80000000u, 2, ~0u}},
    {"o[0] = packUnorm4x8(vec4(0, 1, 0.5, 2)); o[1] = packSnorm2x16(vec2(-1, 0.5)); o[2] = packHalf2x16(vec2(1, -2));"
     "o[3] = floatBitsToUint(unpackSnorm4x8(uint(i[0]) << 7).x); o[4] = floatBitsToUint(unpackUnorm2x16(0xFFFFu * uint(i[0])).x);",
     {0xFF80FF00u, 0x40008001u, 0xC0003C00u, f(-1), f(1)}},
    {"float x = float(i[1]) + 0.5; o[0] = floatBitsToUint(floor(-x)); o[1] = floatBitsToUint(roundEven(x)); o[2] = "
     "floatBitsToUint(trunc(-x));"
     "o[3] = floatBitsToUint(ceil(x)); o[4] = floatBitsToUint(x / 1.5); o[5] = floatBitsToUint(sqrt(x * 2.0)); o[6] = "
     "floatBitsToUint(mod(-x, 2.0));",
     {f(-5), f(4), f(-4), f(5), f(3), f(3), f(1.5f)}},
    {"int e; float g = frexp(float(i[3]), e); o[0] = floatBitsToUint(g); o[1] = uint(e); o[2] = floatBitsToUint(ldexp(0.75, i[1]));"
     "float w; o[3] = floatBitsToUint(modf(-2.5 * float(i[0]), w)); o[4] = floatBitsToUint(w);",
     {f(0.625f), 4, f(12), f(-0.5f), f(-2)}},
    {"mat2 a = mat2(i[0], 2, 3, i[1]); o[0] = floatBitsToUint(determinant(a)); o[1] = floatBitsToUint(transpose(a)[0][1]);"
     "o[2] = floatBitsToUint(outerProduct(vec2(2, 3), vec2(5, i[2]))[1].y); o[3] = floatBitsToUint((inverse(a) * a)[0][0]);",
     {f(-2), f(3), f(21), f(1)}},
    {"float z = float(i[0]) - 1.0; float nan = z / z; o[0] = nan == nan ? 1 : 2; o[1] = !(nan < 1.0) ? 1 : 2; o[2] = isnan(nan) ? 1 : 2; "
     "o[3] = isinf(1.0 / z) ? 1 : 2;"
     "o[4] = nan != nan ? 1 : 2;",
     {2, 1, 1, 1, 1}},
    {"bvec3 b = lessThan(ivec3(n, i[0], i[1]), ivec3(2)); o[0] = any(b) ? 1 : 0; o[1] = all(b) ? 1 : 0; o[2] = uint(b.y); ivec3 x = "
     "mix(ivec3(1), ivec3(5), b); o[3] = uint(x.z);",
     {1, 0, 1, 1}},
    {"uvec4 x = uvec4(i[0], i[1], i[2], i[3]); x[i[0]] = 50u; o[0] = x.y; o[1] = x[i[0] + 1]; o[2] = (x << 2u).x; o[3] = (x ^ 5u).w; o[4] "
     "= ~x.x;",
     {50, 7, 4, 15, ~1u}},
    {"o[0] = uint(int(-3.7 * float(i[0]))); o[1] = uint(3e9 * float(i[0])); o[2] = floatBitsToUint(float(n)); o[3] = "
     "floatBitsToUint(float(uint(n)));",
     {uint32_t(-3), 3000000000u, f(-5), f(4294967291.0f)}},
};
TEST(Memory, Arithmetic) {
  for (const Case& c : kArithmetic) check(c);
}

TEST(Memory, SmallTypes) {
  const std::string glsl = R"(#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer O { uint o[8]; uint16_t u16[4]; int8_t i8[4]; f16vec2 h[2]; };
layout(std430, binding = 1) buffer I { uint first; int16_t s[2]; int at; };
void main() {
  u16[1] = uint16_t(0x12345); i8[at - 4] = int8_t(-2); h[1] = f16vec2(vec2(1.5, -2));
  o[0] = uint(int(s[0])); o[1] = uint(u16[at - 3]); o[2] = uint(int(i8[0])); o[3] = floatBitsToUint(float(h[1].y)); o[4] = first;
})";
  const Built b = build(Stage::compute, glsl);
  ASSERT_TRUE(b.ok);
  for (const ir::Module* m : {&b.raw, &b.chip}) {
    std::string error;
    const std::vector<uint32_t> w = run(*m, error);
    EXPECT_EQ(error, "");
    EXPECT_EQ(w[0], uint32_t(-2));  // -2 and -1 are the halves of -5 + 3
    EXPECT_EQ(w[8] >> 16, 0x2345u);
  }
}

TEST(Memory, Specialization) {
  const std::string glsl = std::string(R"(#version 450
layout(local_size_x_id = 1, local_size_y = 2) in;
layout(constant_id = 3) const int kSize = 3;
layout(constant_id = 4) const bool kTwice = false;
layout(std430, binding = 0) buffer O { uint o[8]; };
void main() { uint t[kSize * 2 + 1]; for (int k = 0; k < t.length(); ++k) t[k] = 7u; o[0] = uint(t.length()); o[1] = t[o[7] + 2]; o[2] = kTwice ? 2 : 1; o[3] = gl_WorkGroupSize.x; })");
  const auto word = [](uint32_t id, uint32_t v) { return Specialization{id, {uint8_t(v), uint8_t(v >> 8), 0, 0}}; };
  const Built b = build(Stage::compute, glsl, {word(1, 64), word(3, 5), word(4, 1)});
  ASSERT_TRUE(b.ok);
  EXPECT_EQ(b.chip.local_size, (std::array{64u, 2u, 1u}));
  std::string error;
  const std::vector<uint32_t> w = run(b.chip, error);
  EXPECT_EQ(w[0], 11u);
  EXPECT_EQ(w[1], 7u);
  EXPECT_EQ(w[2], 2u);
  EXPECT_EQ(w[3], 64u);
}

/// Unread and unwritten memory is what the passes may merge and drop.
TEST(Memory, LoadsOfUnchangingMemoryMerge) {
  const Built b =
      build(Stage::compute, std::string(kPrelude) + "void main() { int k = i[0]; o[k] = uint(i[k + 1] * i[k + 1] + q[k] * q[k]); }");
  const std::string text = ir::print(b.chip);
  const auto count = [&](const std::string& what) {
    size_t n = 0;
    for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++n;
    return n;
  };
  EXPECT_EQ(count("= load_const"), 2u) << text;
  EXPECT_EQ(count("= load_pushed"), 1u) << text;
  EXPECT_EQ(count("= load_buffer"), 0u) << text;
}

/// What a flag guards is not read before the flag, nor the flag written before what it guards: loads may pass each other.
TEST(Memory, SemanticsOfAtomicsAreFences) {
  const Built b = build(Stage::compute, R"(#version 450
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Flags { uint flag[2]; uint seen; uint relaxed; };
layout(r32ui, binding = 1) uniform nonprivate uimage2D payload;
void main() {
  relaxed = atomicAdd(flag[0], 1u);
  imageStore(payload, ivec2(0), uvec4(7u));
  atomicStore(flag[0], 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer | gl_StorageSemanticsImage, gl_SemanticsRelease);
  uint f = atomicLoad(flag[1], gl_ScopeDevice, gl_StorageSemanticsBuffer | gl_StorageSemanticsImage, gl_SemanticsAcquire);
  seen = imageLoad(payload, ivec2(1)).x + f;
}
)");
  std::vector<ir::Op> order;
  for (const ir::Node& node : b.chip.body)
    for (const ir::Instruction& in : node.instructions)
      if (in.op == ir::Op::fence || in.op == ir::Op::store_image || in.op == ir::Op::load_image || in.op == ir::Op::load_buffer ||
          in.op == ir::Op::store_buffer || in.op == ir::Op::atomic_buffer)
        order.push_back(in.op);
  using enum ir::Op;
  EXPECT_EQ(order, (std::vector<ir::Op>{atomic_buffer, store_buffer, store_image, fence, store_buffer, load_buffer, fence, load_image,
                                        store_buffer}))
      << ir::print(b.chip);
}

TEST(Memory, CorpusReachesChipForm) {
  for (const MemoryShader& shader : kMemoryShaders) build(shader.stage, kMemoryShaderHead + shader.glsl);
}

}  // namespace
}  // namespace pumice::compiler
