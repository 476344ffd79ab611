// SPDX-License-Identifier: MIT
/// GLSL snippets through frontend and passes, run in the evaluator before and after the passes, against expected numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <spirv-tools/libspirv.hpp>

#include "compiler/frontend/frontend.h"
#include "compiler/ir/eval.h"
#include "compiler/passes/passes.h"
#include "tests/compiler/glsl.h"

namespace pumice::compiler {
namespace {

using ir::Vec4;

struct Built {
  ir::Module raw, chip;
  std::vector<Diagnostic> diagnostics;
  bool ok = false;
  std::string text() const { return diagnostics.empty() ? "" : diagnostics[0].text; }
};

Built build(Stage stage, const std::string& glsl, const PassOptions& options = {.chip = &kR500},
            std::vector<Specialization> constants = {}) {
  Built b;
  std::string log;
  const std::vector<uint32_t> words = test::compile_glsl(stage, glsl, log);
  EXPECT_FALSE(words.empty()) << log << glsl;
  ShaderSource source;
  source.spirv = words;
  source.specializations = std::move(constants);
  source.name = "test";
  b.ok = !words.empty() && build_ir(source, stage, b.raw, b.diagnostics);
  if (!b.ok) return b;
  b.chip = b.raw;
  b.ok = run_passes(b.chip, options, b.diagnostics);
  return b;
}

/// Runs with input rows in table order of the module's inputs by location (location n = inputs[n]).
ir::Evaluation run(const ir::Module& m, const std::vector<Vec4>& by_location, ir::Environment env = {}) {
  std::vector<Vec4> rows;
  for (const ir::Input& i : m.inputs) {
    Vec4 v{};
    if (i.builtin == ir::Builtin::vertex_index || i.builtin == ir::Builtin::instance_index)
      v = {by_location[0][0]};
    else if (i.builtin == ir::Builtin::front_facing)
      v = {1};
    else if (i.builtin != ir::Builtin::none)
      v = {10.5f, 20.5f, 0.25f, 1};
    else
      for (unsigned k = 0; k < i.comps; ++k) v[k] = by_location.at(i.location).at(i.component + k);
    rows.push_back(v);
  }
  env.inputs = {rows};
  if (env.uniforms.empty()) {
    // Slot s, lane l holds s + l / 8.
    for (size_t u = 0; u < m.uniforms.size(); ++u) {
      std::vector<float>& data = env.uniforms.emplace_back();
      const bool integers = m.uniforms[u].view != ir::Type::f32;  // word n holds n
      for (int i = 0; i < 256; ++i)
        data.push_back(integers ? float(i) : 100.0f * float(m.uniforms[u].element) + float(i / 4) + float(i % 4) / 8);
    }
  }
  for (int i = 0; i < 64; ++i) env.push.push_back(float(i));
  env.integer = [](const ir::UniformBlock&, uint32_t word) { return float(word); };
  env.parameter = [](ConstantRange::Parameter, uint32_t, uint32_t offset) {
    return offset ? Vec4{64, 32, 1, 7} : Vec4{1 / 64.f, 1 / 32.f, 1, 0};
  };
  // Texel: coordinates, q, and which texture.
  env.texel = [](const ir::TexelRequest& r) { return Vec4{r.coord[0], r.coord[1], r.coord[2] + r.q, float(r.texture) + 1}; };
  return evaluate(m, env);
}

size_t line_count(const ir::Module& m) {
  const std::string text = ir::print(m);
  return size_t(std::count(text.begin(), text.end(), '\n'));
}

struct Case {
  const char* glsl;  ///< statements that set `o` from vec4 a = (0.25, 2, -3, 5), b = (1, -0.5, 4, 0.125)
  Vec4 expected;
};
const Case kFragmentCases[] = {
    // Arithmetic.
    {"o = a + b * 2.0 - a.wzyx;", {-2.75f, 4, 3, 5}},
    {"o = a / b;", {0.25f, -4, -0.75f, 40}},
    {"o = vec4(mod(a.z, b.z), mod(-a.z, b.z), a.w - b.w * floor(a.w / b.w), -a.x);", {1, 3, 0, -0.25f}},
    {"o = abs(a) + sign(a) + floor(a) + ceil(b) + fract(b);",
     {0.25f + 1 + 0 + 1 + 0, 2 + 1 + 2 - 0 + 0.5f, 3 - 1 - 3 + 4 + 0, 5 + 1 + 5 + 1 + 0.125f}},
    {"o = vec4(trunc(2.7 * a.x), trunc(-2.7 * a.y), round(b.w * 12.0), roundEven(a.y + b.y * 5.0));", {0, -5, 2, -0.0f}},
    {"o = vec4(roundEven(0.5 + b.x), roundEven(1.5 + b.x), roundEven(-2.5 * b.x), roundEven(2.51 * b.x));", {2, 2, -2, 3}},
    {"o = min(a, b) + max(a.xxxx, b) * 10.0;", {0.25f + 10, -0.5f + 2.5f, -3 + 40, 0.125f + 2.5f}},
    {"o = clamp(a, 0.0, 1.0) + clamp(b, vec4(-1), vec4(a.x));", {0.25f + 0.25f, 1 - 0.5f, 0.25f, 1.125f}},
    {"o = mix(a, b, 0.25); o.w = step(a.x, b.x) + smoothstep(0.0, 10.0, a.w);", {0.4375f, 1.375f, -1.25f, 1.5f}},
    {"o = vec4(length(a.xyz), distance(a.yz, b.yz), dot(a, b), length(a.z));",
     {std::sqrt(13.0625f), std::sqrt(55.25f), 0.25f - 1 - 12 + 0.625f, 3}},
    {"o.xyz = cross(a.xyz, b.xyz); o.w = normalize(vec2(3, 4) * a.y).x;", {2 * 4 - 1.5f, -3 - 1, -0.125f - 2, 0.6f}},
    {"o.xyz = reflect(a.xyz, vec3(0, 1, 0)); o.w = faceforward(vec3(b.x), a.xyz, vec3(1, 0, 0)).x;", {0.25f, -2, -3, -1}},
    {"o.xy = refract(normalize(vec2(1, -1)), vec2(0, 1), 0.5 + a.x * 0.0); o.zw = refract(vec2(1, -0.1), vec2(0, 1), 2.0);",
     {0.35355339f, -0.93541435f, 0, 0}},
    {"o = vec4(sqrt(a.y * 2.0), inversesqrt(a.y * 2.0), sqrt(a.x - 0.25), pow(a.y, a.w));", {2, 0.5f, 0, 32}},
    {"o = vec4(exp(a.x), log(a.y), exp2(a.z), log2(a.w));", {1.2840254f, 0.69314718f, 0.125f, 2.3219281f}},
    {"o = vec4(sin(a.w), cos(a.w * 7.0), tan(a.x), radians(a.y));", {-0.95892427f, -0.9036922f, 0.25534192f, 0.034906585f}},
    {"o = vec4(asin(b.y), acos(b.y), atan(a.w), atan(a.z, b.y));", {-0.52359878f, 2.0943951f, 1.3734008f, -1.7359450f}},
    {"o = vec4(atan(a.x, -b.x), atan(-a.x, -b.x), degrees(a.x), atan(0.0, b.z));", {2.8966140f, -2.8966140f, 14.323945f, 0}},
    {"o = vec4(sinh(a.x), cosh(a.x), tanh(a.x), asinh(a.z));", {0.25261232f, 1.0314131f, 0.24491866f, -1.8184465f}},
    {"o = vec4(acosh(a.y), atanh(a.x), degrees(b.x), fma(a.x, a.y, a.z));", {1.3169579f, 0.25541281f, 57.295780f, -2.5f}},
    {"float w; o.x = modf(a.x * -5.0, w); o.y = w; int e; o.z = frexp(a.w, e); o.w = float(e);", {-0.25f, -1, 0.625f, 3}},
    {"int e; o.x = frexp(a.x - 0.25, e); o.y = float(e); o.z = frexp(-a.y * 4.0, e); o.w = ldexp(a.w, 3) + float(e);", {0, 0, -0.5f, 44}},
    {"o = vec4(isnan(a.x), isinf(1.0 / (a.x - 0.25)), isinf(a.x), a.x == 0.25);", {0, 1, 0, 1}},
    // Booleans and selection.
    {"o = vec4(lessThan(a, b)) + 2.0 * vec4(greaterThanEqual(a, b)) + 4.0 * vec4(equal(a, a)) + 8.0 * vec4(notEqual(a, b));",
     {13, 14, 13, 14}},
    {"o = vec4(any(lessThan(a, b)), all(lessThan(a, b)), !(a.x < b.x), (a.x < b.x) ^^ (a.y < b.y));", {1, 0, 0, 1}},
    {"o = a.x > b.x || a.y > b.y && a.z < b.z ? a : b;", {0.25f, 2, -3, 5}},
    {"o = mix(a, b, lessThan(a, vec4(1)));", {1, 2, 4, 5}},
    {"bool p = a.x < 0.0; bool q = p == (a.y < 0.0); o = vec4(p, q, p != q, not(bvec2(p, q)).x);", {0, 1, 1, 1}},
    // Vectors and matrices.
    {"o = a.wzyx; o.yz = b.xy; o[3] += 1.0;", {5, 1, -0.5f, 1.25f}},
    {"mat2 m = mat2(a); o = vec4(m * b.xy, b.xy * m);", {0.25f + 1.5f, 2 - 2.5f, 0.25f - 1, -3 - 2.5f}},
    {"mat3 m = mat3(a.xyz, b.xyz, vec3(1, 2, 3)); o.xyz = transpose(m) * vec3(1, 0, 2); o.w = determinant(m);",
     {-5.75f, 9, 7, 0.25f * (-0.5f * 3 - 4 * 2) - 1 * (2 * 3 + 3 * 2) + 1 * (2 * 4 - 3 * 0.5f)}},
    {"mat4 m = mat4(2, 0, 0, 0, 0, 4, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1) * a.y; o = inverse(m) * (m * a);", {0.25f, 2, -3, 5}},
    {"mat3 m = mat3(2, 1, 0, 0, 4, 1, 1, 0, 1) * a.y; o.xyz = (inverse(m) * m)[1] + (m * inverse(m))[0]; o.w = inverse(mat2(a))[0][1];",
     {1, 1, 0, -2 / 7.25f}},
    {"mat2x3 m = outerProduct(a.xyz, b.xy); mat2x3 n = matrixCompMult(m, m); o = vec4(m[1], n[0].x);", {-0.125f, -1, 1.5f, 0.0625f}},
    {"mat4 m = mat4(a, b, a, b); o = (m * m)[1] * 0.0 + m[int(a.y)];", {0.25f, 2, -3, 5}},
    // Integers.
    {"int i = int(a.w), j = int(a.z); o = vec4(i / j, i % 3, -i / 2, (i + 10) * j);", {-1, 2, -2, -45}},
    {"uint u = uint(a.w); o = vec4(u / 2u, u % 3u, u << 3, u >> 1);", {2, 2, 40, 2}},
    {"int i = int(a.w); o = vec4(i & 1, i & 6, -i & 7, ~i);", {1, 4, 3, -6}},
    {"ivec4 v = ivec4(a * 10.0); o = vec4(min(v, 7) + max(v, ivec4(3)) + abs(v)) + vec4(sign(v)) + vec4(clamp(v, -1, 1));",
     {2 + 3 + 2 + 1 + 1, 7 + 20 + 20 + 1 + 1, -30 + 3 + 30 - 1 - 1, 7 + 50 + 50 + 1 + 1}},
    {"o = vec4(1000003 / int(a.w), 16777215 % 1000, 12345678 / 1234 + int(a.x), int(-7.9 * b.x));", {200000, 215, 10004, -7}},
    {"uint u = uint(a.w); int i = int(u) - 9; o = vec4(i, float(u), int(u) == 5, u > 4u);", {-4, 5, 1, 1}},
    // Arrays.
    {"float t[4] = float[](1.0, 2.0, 4.0, 8.0); o = vec4(t[int(a.w) - 3], t[1], t[int(a.x)], t.length());", {4, 2, 1, 4}},
    {"vec2 t[3]; for (int i = 0; i < 3; ++i) t[i] = vec2(i, i * i); t[int(a.y)] += 10.0; o = vec4(t[1], t[2]);", {1, 1, 12, 14}},
    {"float t[2][3]; for (int i = 0; i < 6; ++i) t[i / 3][i % 3] = float(i); o = vec4(t[1][int(a.y)], t[int(b.x)][1], t[0][2], 0);",
     {5, 4, 2, 0}},
    {"struct S { float x; vec3 y[2]; } s[2]; s[0] = S(1.0, vec3[](a.xyz, b.xyz)); s[1] = s[0]; s[int(b.x)].y[1].z = 9.0;"
     "o = vec4(s[1].y[int(b.x)], s[0].y[1].z);",
     {1, -0.5f, 9, 4}},
    {"vec4 v = a; v[int(a.y)] = 7.0; o = v; o.x = a[int(a.w) - 2];", {5, 2, 7, 5}},
    {"int k = int(a.y); mat3 m = mat3(1.0); m[k] = vec3(1, 2, 3); m[k][k - 1] = 8.0; o.xyz = m * vec3(1, 1, 1); o.w = m[k][1];",
     {2, 9, 3, 8}},
    // Control flow.
    {"if (a.x < b.x) o = a; else o = b; if (a.y < b.y) o.x = 100.0;", {0.25f, 2, -3, 5}},
    {"float s = 0.0; for (int i = 0; i < 10; ++i) { if (i == 7) break; if (i == 3) continue; s += float(i); } o = vec4(s);",
     {18, 18, 18, 18}},
    {"float s = 0.0; for (float x = 0.0; x < a.w; x += 1.0) { if (x == 3.0) continue; s += x; } o = vec4(s, 0, 0, 0);", {7, 0, 0, 0}},
    {"int n = 0; float x = a.w * 100.0; while (x > 1.0) { x *= 0.5; ++n; } o = vec4(n, x, 0, 0);", {9, 500.0f / 512, 0, 0}},
    {"int n = 0; do { n += 2; } while (n < int(a.w)); o = vec4(n);", {6, 6, 6, 6}},
    {"int n = 0; for (int i = 0; i < 3; ++i) for (int j = 0; j < 4; ++j) { if (j > i) break; n += j + 1; } o = vec4(n);", {10, 10, 10, 10}},
    {"int n = 0; for (int i = 0; i < int(a.w); ++i) { int j = 0; while (true) { if (j > i) break; ++j; if (j == 4) continue; n += j; } } o "
     "= vec4(n);",
     {1 + 3 + 6 + 6 + 11, 27, 27, 27}},
    {"switch (int(a.w)) { case 1: o = a; break; case 5: o = b; break; default: o = vec4(9); }", {1, -0.5f, 4, 0.125f}},
    {"switch (int(a.w)) { case 1: o = a; break; default: o = vec4(9); break; case 6: o = b; }", {9, 9, 9, 9}},
    {"o = vec4(0); switch (int(a.y)) { case 1: o.x = 1.0; case 2: o.y = 1.0; case 3: o.z = 1.0; break; case 4: o.w = 1.0; }", {0, 1, 1, 0}},
    {"o = vec4(0); for (int i = 0; i < 6; ++i) switch (i) { case 0: case 3: o.x += 1.0; break; case 1: if (a.x > 0.0) break; o.y += 1.0; "
     "break;"
     "case 2: continue; default: o.z += 1.0; }",
     {2, 0, 2, 0}},
    {"o = vec4(0); switch (int(a.w)) { case 5: if (a.x > 0.0) { if (a.y > 0.0) break; o.x = 1.0; } o.y = 1.0; break; default: o.z = 1.0; } "
     "o.w = 1.0;",
     {0, 0, 0, 1}},
    {"o = vec4(0); switch (int(a.y)) { default: o.x = 1.0; case 7: o.y = 1.0; break; case 9: o.z = 1.0; }", {1, 1, 0, 0}},
    {"float x = 0.0; for (int i = 0; i < int(a.w); ++i) { for (int j = 0; j < int(a.w); ++j) { if (i * j == 6) { o = vec4(i, j, x, 0); "
     "return; }"
     "x += 1.0; } } o = vec4(-1);",
     {2, 3, 13, 0}},
    {"if (a.x > 0.0) { o = vec4(1); if (a.y > 5.0) return; o.x = 2.0; } o.y = 3.0;", {2, 3, 1, 1}},
    {"float p = a.x, q = a.y; for (int i = 0; i < int(a.w); ++i) { float t = p; p = q; q = t; } o = vec4(p, q, 0, 0);", {2, 0.25f, 0, 0}},
};

const char* const kFunctions =
    "float early(float x) { if (x > 1.0) return x * 2.0; for (int i = 0; i < 4; ++i) { if (x + float(i) > 2.0) return float(i); } return "
    "-1.0; }\n"
    "float twice(inout float x) { x *= 2.0; return x + 1.0; }\n"
    "vec2 pair(int n) { switch (n) { case 0: return vec2(1); case 1: return vec2(2); } return vec2(3); }\n";
const Case kFunctionCases[] = {
    {"o = vec4(early(a.x), early(a.y), early(a.z), early(b.x));", {2, 4, -1, 2}},
    {"float x = a.x; o = vec4(twice(x), x, twice(x), x);", {1.5f, 0.5f, 2, 1}},
    {"o = vec4(pair(int(a.x)), pair(int(a.y)));", {1, 1, 3, 3}},
};

std::string fragment(const char* body, const char* before = "") {
  return std::string("layout(location=0) in vec4 a; layout(location=1) in vec4 b; layout(location=0) out vec4 o;\n") + before +
         "void main() {\n" + body + "\n}\n";
}

void near(const Vec4& got, const Vec4& expected, double relative, const std::string& what) {
  for (size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(got[i], expected[i], relative * std::max(1.0, std::fabs(double(expected[i])))) << what << " lane " << i;
}

void check_fragment(const Case& c, const char* before = "") {
  const Built b = build(Stage::fragment, fragment(c.glsl, before));
  ASSERT_TRUE(b.ok) << c.glsl << "\n" << b.text();
  const std::vector<Vec4> inputs = {{0.25f, 2, -3, 5}, {1, -0.5f, 4, 0.125f}};
  const auto raw = run(b.raw, inputs), chip = run(b.chip, inputs);
  EXPECT_EQ(raw.error + chip.error, "") << c.glsl;
  near(raw.invocations[0].outputs[0], c.expected, 1e-6, std::string("from SPIR-V: ") + c.glsl);
  near(chip.invocations[0].outputs[0], c.expected, 3e-5, std::string("after passes: ") + c.glsl);
}

TEST(Glsl, Fragments) {
  for (const Case& c : kFragmentCases) check_fragment(c);
}
TEST(Glsl, Functions) {
  for (const Case& c : kFunctionCases) check_fragment(c, kFunctions);
}

/// A made-up chip with integers: nothing becomes a float, and the numbers are the same.
constexpr ChipLimits kWithIntegers = [] {
  ChipLimits chip = kR500;
  chip.name = "made-up chip with integers";
  chip.integers = true;
  return chip;
}();

TEST(Glsl, FragmentsOnAChipWithIntegers) {
  unsigned typed = 0;
  for (const Case& c : kFragmentCases) {
    const Built b = build(Stage::fragment, fragment(c.glsl), {.chip = &kWithIntegers});
    ASSERT_TRUE(b.ok) << c.glsl << "\n" << b.text();
    EXPECT_FALSE(b.chip.floats_only);
    EXPECT_EQ(ir::validate_chip_form(b.chip, kWithIntegers), "") << c.glsl;
    near(run(b.chip, {{0.25f, 2, -3, 5}, {1, -0.5f, 4, 0.125f}}).invocations[0].outputs[0], c.expected, 3e-5, c.glsl);
    typed += ir::print(b.chip).find("i32") != std::string::npos;
  }
  EXPECT_GT(typed, 5u);
}

/// What lower_integers refuses, with operands known at run time only; input a is (7, 2.5, -3, 5).
const Case kBitCases[] = {
    {"o = vec4(int(a.x) ^ int(a.w), int(a.x) | 8, int(a.x) & int(a.w), ~int(a.z));", {2, 15, 5, 2}},
    {"o = vec4(int(a.x) << int(a.y), int(a.z) >> int(a.y), uint(a.x) >> uint(a.y), bitCount(int(a.x)));", {28, -1, 1, 3}},
    {"o = vec4(intBitsToFloat(floatBitsToInt(a.y) + 0x800000), findMSB(int(a.w)), findLSB(int(a.x) + 1), findMSB(uint(a.x) * 0u));",
     {5, 2, 3, -1}},
    {"int n = int(a.x) * 1103515245 + 12345; o = vec4((n >> 16) & 32767, n < 0, uint(n) > 7u, n % 7);", {19564, 1, 1, 3}},
    {"o = vec4(bitfieldExtract(int(a.x) * 21, int(a.y), 4), bitfieldInsert(0, int(a.w), int(a.y), 3), bitfieldReverse(uint(a.x)) >> 29u,"
     " uint(a.x) - 9u > 100u);",
     {4, 20, 7, 1}},
    {"uint c, h, l; uint s = uaddCarry(uint(a.x) + 4294967290u, uint(a.w), c); umulExtended(65536u * uint(a.x), 65536u * uint(a.w), h, l);"
     " o = vec4(s, c, h, l);",
     {6, 0, 35, 0}},
    {"uint p = packUnorm4x8(vec4(0, 1, a.y, -a.x)); o = unpackUnorm4x8(p) + vec4(unpackHalf2x16(packHalf2x16(a.xy)), 0, float(p >> 16u));",
     {7, 3.5f, 1, 255}},
    {"o = vec4(unpackSnorm2x16(packSnorm2x16(vec2(-a.x, a.w))), unpackSnorm4x8(packSnorm4x8(vec4(1, -1, a.xz))).wx);", {-1, 1, -1, 1}},
};
TEST(Glsl, BitsOnAChipWithIntegers) {
  for (const Case& c : kBitCases) {
    const Built b = build(Stage::fragment, fragment(c.glsl), {.chip = &kWithIntegers});
    ASSERT_TRUE(b.ok) << c.glsl << "\n" << b.text();
    const std::vector<Vec4> inputs = {{7, 2.5f, -3, 5}, {}};
    near(run(b.raw, inputs).invocations[0].outputs[0], c.expected, 1e-6, std::string("from SPIR-V: ") + c.glsl);
    near(run(b.chip, inputs).invocations[0].outputs[0], c.expected, 1e-6, std::string("after passes: ") + c.glsl);
    EXPECT_FALSE(build(Stage::fragment, fragment(c.glsl)).ok) << c.glsl;
  }
}

/// The same snippets as vertex shaders: everything must become straight code.
TEST(Glsl, FragmentsAsVertexShaders) {
  for (const Case& c : kFragmentCases) {
    const std::string text = c.glsl;
    if (text.find("while (x") != std::string::npos || text.find("do {") != std::string::npos ||
        text.find("int(a.w);") != std::string::npos || text.find("x < a.w") != std::string::npos)
      continue;  // loops without constant bound are a diagnostic in this stage
    const Built b = build(Stage::vertex, fragment(c.glsl));
    ASSERT_TRUE(b.ok) << c.glsl << "\n" << b.text();
    const auto chip = run(b.chip, {{0.25f, 2, -3, 5}, {1, -0.5f, 4, 0.125f}});
    near(chip.invocations[0].outputs[0], c.expected, 3e-5, c.glsl);
  }
}

constexpr const char* kBlocks =
    "struct S { vec3 v; float f; mat2 m; };\n"
    "layout(std140, set=0, binding=0) uniform U { vec4 a; mat4 m; layout(row_major) mat3 r; float t[3]; S s[2]; vec2 p; vec2 q; } u;\n"
    "layout(std140, set=0, binding=1) uniform W { vec4 x[4]; } w[2];\n"
    "layout(push_constant) uniform P { float f; layout(offset=16) vec4 v[2]; layout(offset=48) float g[4]; } pc;\n";
/// Slot s, lane l of a block holds s + l/8; word n of the push constants holds n. in0.x = 2.
const Case kUniformCases[] = {
    {"o = u.a + u.m[1] + u.m[int(a.x)];", {5, 5 + 3 / 8.f, 5 + 6 / 8.f, 5 + 9 / 8.f}},
    {"o.xyz = u.r[1] + u.r * vec3(1, 0, 0); o.w = u.r[2].x;", {10.125f, 12.125f, 14.125f, 5.25f}},
    {"o = vec4(u.t[1], u.t[int(a.x)], u.s[1].f, u.s[int(a.x) - 1].v.y);", {9, 10, 14.375f, 14.125f}},
    {"o = vec4(u.s[0].m[1], u.p.y, u.q.x);", {13, 13.125f, 17.125f, 17.25f}},
    {"S s = u.s[1]; o = vec4(s.m[0].y, s.m * vec2(1, 1), s.f);", {15.125f, 31, 31.25f, 14.375f}},
    {"o = vec4(0); for (int i = 0; i < 3; ++i) { if (float(i) >= a.x) break; if (i == 7) continue; o += u.t[i] * u.s[min(i, 1)].f; }",
     {8 * 11.375f + 9 * 14.375f, 8 * 11.375f + 9 * 14.375f, 8 * 11.375f + 9 * 14.375f, 8 * 11.375f + 9 * 14.375f}},
    {"o = w[1].x[int(a.x)] - w[0].x[0];", {102, 102, 102, 102}},
    {"o = w[int(a.x) - 1].x[int(a.x)] - w[int(a.x) - 2].x[1];", {101, 101, 101, 101}},
    {"o = vec4(pc.f, pc.v[1].x, pc.g[int(a.x)], pc.g[3]) + pc.v[int(a.x) - 1];", {0 + 8, 8 + 9, 14 + 10, 15 + 11}},
    {"o = vec4(u.m[int(a.x)][int(a.x) - 1], u.r[int(a.x)][1], u.a[int(a.x)], 0);", {3.125f, 6.25f, 0.25f, 0}},
};
TEST(Glsl, UniformsAndPushConstants) {
  for (Stage stage : {Stage::vertex, Stage::fragment}) {
    for (const Case& c : kUniformCases) {
      const Built b = build(stage, fragment(c.glsl, kBlocks));
      ASSERT_TRUE(b.ok) << c.glsl << "\n" << b.text();
      near(run(b.raw, {{2}, {0}}).invocations[0].outputs[0], c.expected, 1e-6, std::string("from SPIR-V: ") + c.glsl);
      near(run(b.chip, {{2}, {0}}).invocations[0].outputs[0], c.expected, 1e-6, c.glsl);
    }
  }
}

constexpr const char* kIntegerBlocks =
    "struct L { vec3 pos; int kind; vec4 c; };\n"
    "layout(std140, set=0, binding=0) uniform U { int n; uint k; bool b; vec2 f; ivec3 v; int t[3]; L l[4]; uvec2 w[2]; } u;\n"
    "layout(push_constant) uniform P { float f; int i; layout(offset=16) int g[4]; layout(offset=32) uint m; } pc;\n";
/// Words of integers hold their number. U: n 0, k 1, b 2, f at 4, v 8, t 12 (stride 4), l 24 (stride 8), w 56 (stride 4). in0.x = 2.
const Case kIntegerCases[] = {
    {"o = vec4(u.n, u.k, u.b, u.f.y);", {0, 1, 1, 1.125f}},
    {"o = vec4(u.v, u.t[2]);", {8, 9, 10, 20}},
    {"o = vec4(u.t[int(a.x)], u.l[int(a.x)].kind, u.l[1].pos.y, u.w[1].y);", {20, 43, 8.125f, 61}},
    {"L l = u.l[int(a.x)]; o = vec4(l.pos.xy, l.kind, l.c.x);", {10, 10.125f, 43, 11}},
    {"o = vec4(pc.f, pc.i, pc.g[int(a.x)], pc.m);", {0, 1, 6, 8}},
    {"o = vec4(0); for (int i = 0; i < pc.g[0]; ++i) o += vec4(i, 1, u.l[min(i, 3)].kind, 0);", {6, 4, 27 + 35 + 43 + 51, 0}},
    {"o = vec4(u.v.x % 3, u.v.y / 2, u.v.z << 2, (u.v.y & 1) == 1 ? 5 : 6);", {2, 4, 40, 5}},
    {"o = vec4(u.k == 0xFFFFFFFFu, u.k != 4294967295u, u.n < 2147483647, max(u.n, int(-2147483648)));", {0, 1, 1, 0}},
    {"o = vec4(bitfieldExtract(u.v.y * 21, 2, 4), bitfieldExtract(uint(u.v.z), 1, 3), bitfieldExtract(u.v, 0, 2).xy);", {-1, 5, 0, 1}},
    {"o = vec4(u.v[int(a.x)], uint(u.v.x) >> 2u, u.k == 1u, int(u.k) - 3);", {10, 2, 1, -2}},
};
TEST(Glsl, IntegerMembersOfUniformData) {
  for (Stage stage : {Stage::vertex, Stage::fragment}) {
    for (const Case& c : kIntegerCases) {
      if (stage == Stage::vertex && std::strstr(c.glsl, "for")) continue;
      const Built b = build(stage, fragment(c.glsl, kIntegerBlocks));
      ASSERT_TRUE(b.ok) << c.glsl << "\n" << b.text();
      near(run(b.raw, {{2}, {0}}).invocations[0].outputs[0], c.expected, 1e-6, std::string("from SPIR-V: ") + c.glsl);
      near(run(b.chip, {{2}, {0}}).invocations[0].outputs[0], c.expected, 1e-6, c.glsl);
      ir::Module again;
      std::string error;
      ASSERT_TRUE(ir::parse(ir::print(b.chip), again, error)) << error;
      EXPECT_EQ(ir::print(again), ir::print(b.chip));
    }
  }
}

constexpr const char* kSamplers =
    "layout(binding=0) uniform sampler2D s2; layout(binding=1) uniform sampler3D s3; layout(binding=2) uniform samplerCube sc;\n"
    "layout(binding=3) uniform sampler2DShadow sh; layout(binding=4) uniform sampler1D s1; layout(binding=5) uniform sampler2D arr[3];\n"
    "layout(input_attachment_index=0, binding=6) uniform subpassInput sub;\n";
/// a = (0.25, 2, -3, 5), b = (1, -0.5, 4, 0.125). The texel is (s, t, r + q, texture number + 1); 64 x 32, 7 levels.
const Case kTextureCases[] = {
    {"o = texture(s2, a.xy);", {0.25f, 2, 0, 1}},
    {"o = texture(s2, a.xy, 3.0) + textureLod(s3, a.xyz, 2.0);", {0.5f, 4, 2, 3}},
    {"o = texture(sc, a.xyz) + textureGrad(s2, b.xy, a.xy, a.zw);", {1.25f, 1.5f, -3, 3}},
    {"o = textureProj(s2, a.xyw) + textureProj(s2, a);", {0.1f, 0.8f, 0, 2}},
    {"o = vec4(texture(sh, vec3(a.xy, 0.2)), texture(sh, vec3(a.xy, 0.3)), textureLod(sh, vec3(0.5, 0, 9), 0.0), 0);", {1, 0, 0, 0}},
    {"o = vec4(textureProj(sh, vec4(2, 0, 0.5, 4)), textureProj(sh, vec4(2, 0, 8, 4)), 0, 0);", {1, 0, 0, 0}},
    {"o = texelFetch(s2, ivec2(a.wy), 0) + texture(s1, a.x);", {5.75f, 2.5f, 0, 3}},
    {"o = texelFetch(s2, ivec2(a.wy), 2);", {22, 10, 2, 1}},
    {"o = vec4(textureSize(s2, 0), textureSize(s2, 3)) + vec4(textureQueryLevels(s2));", {71, 39, 15, 11}},
    {"o = textureLodOffset(s2, a.xy, 1.0, ivec2(1, -2));", {0.25f + 2 / 64.f, 2 - 4 / 32.f, 1, 1}},
    {"o = textureOffset(s2, a.xy, ivec2(1, -2)) + textureProjOffset(s2, vec3(a.xy, 0.5), ivec2(0, 4));",
     {0.75f + 1 / 64.f, 6 - 2 / 32.f + 4 / 32.f, 0, 2}},
    {"o = textureGradOffset(s2, a.xy, b.xy, b.yx, ivec2(-8, 7)) + textureOffset(s1, a.x, 3);", {0.5f - 5 / 64.f, 2 + 7 / 32.f, 0, 3}},
    {"o = vec4(textureOffset(sh, vec3(a.xy, 0.3), ivec2(4, 0)), textureOffset(sh, vec3(a.xy, 0.3), ivec2(3, 0)), 0, 0);", {1, 0, 0, 0}},
    // s = 16 texels: between 15 and 16; t = 64.
    {"o = textureGather(s2, a.xy);", {15.5f / 64, 16.5f / 64, 16.5f / 64, 15.5f / 64}},
    {"o = textureGather(s2, a.xy + vec2(0.5 / 64.0), 1);", {64.5f / 32, 64.5f / 32, 63.5f / 32, 63.5f / 32}},
    {"o = textureGatherOffset(s2, a.xy, ivec2(3, -2), 1);", {62.5f / 32, 62.5f / 32, 61.5f / 32, 61.5f / 32}},
    {"const ivec2 k[4] = {{0, 0}, {1, 2}, {-3, 4}, {7, -8}}; o = textureGatherOffsets(s2, a.xy, k);",
     {15.5f / 64, 16.5f / 64, 12.5f / 64, 22.5f / 64}},
    {"o = textureGather(sh, a.xy, 16.0 / 64.0);", {0, 1, 1, 0}},
    {"o = texture(arr[int(a.y)], a.xy) + vec4(textureSize(arr[int(b.x)], 0), 0, 0);", {64.25f, 34, 0, 3}},
    {"o = vec4(0); for (int i = 0; i < 3; ++i) o += texture(arr[i], a.xy);", {0.75f, 6, 0, 6}},
    {"o = texture(arr[1], a.xy) + subpassLoad(sub);", {10.75f, 22.5f, 0, 3}},
    {"o = texture(s2, a.xy) * float(gl_FrontFacing) + vec4(gl_FragCoord.xy, gl_PointCoord);", {10.75f, 22.5f, 10.5f, 21.5f}},
};
TEST(Glsl, Textures) {
  for (const Case& c : kTextureCases) {
    const Built b = build(Stage::fragment, fragment(c.glsl, kSamplers));
    ASSERT_TRUE(b.ok) << c.glsl << "\n" << b.text();
    const std::vector<Vec4> inputs = {{0.25f, 2, -3, 5}, {1, -0.5f, 4, 0.125f}};
    near(run(b.chip, inputs).invocations[0].outputs[0], c.expected, 1e-5, c.glsl);
  }
}

TEST(Glsl, SeparateImagesAndSamplersPair) {
  constexpr const char* kDeclarations =
      "layout(binding=0) uniform texture2D t; layout(binding=1) uniform sampler s[2]; layout(binding=2) uniform texture2D u[3];\n"
      "layout(set=1, binding=0) uniform samplerShadow sh; layout(binding=3) uniform sampler2D c;\n"
      "vec4 f(texture2D x, sampler y, vec2 p) { return texture(sampler2D(x, y), p); }\n";
  const Built b = build(Stage::fragment, fragment("o = f(t, s[0], a.xy) + f(u[2], s[0], a.yx) + texture(sampler2D(t, s[1]), b.xy)"
                                                  " + f(t, s[0], b.yx) + texelFetch(u[1], ivec2(a.xy), 0) + texture(c, a.xy)"
                                                  " + vec4(texture(sampler2DShadow(u[0], sh), a.xyz), textureSize(u[1], 0), 0);",
                                                  kDeclarations));
  ASSERT_TRUE(b.ok) << b.text();
  const auto has = [&](TexturePair p) {
    return std::any_of(b.chip.textures.begin(), b.chip.textures.end(), [&](const ir::Texture& t) { return t.pair == p; });
  };
  EXPECT_EQ(b.chip.textures.size(), 6u) << ir::print(b.chip);
  EXPECT_TRUE(has({{0, 0, 0}, {{0, 1, 0}}}));
  EXPECT_TRUE(has({{0, 2, 2}, {{0, 1, 0}}}));
  EXPECT_TRUE(has({{0, 0, 0}, {{0, 1, 1}}}));
  EXPECT_TRUE(has({{0, 2, 0}, {{1, 0, 0}}}));
  EXPECT_TRUE(has({{0, 2, 1}, {}}));
  EXPECT_TRUE(has(combined({0, 3, 0})));
  ir::Module again;
  std::string error;
  ASSERT_TRUE(ir::parse(ir::print(b.chip), again, error)) << error;
  for (size_t i = 0; i < again.textures.size(); ++i) EXPECT_EQ(again.textures[i].pair, b.chip.textures[i].pair);
}

TEST(Glsl, ImagesAndSamplersChosenAtRunTime) {
  const Built b = build(Stage::fragment, fragment("o = texture(sampler2D(t[int(a.x)], s[int(a.y)]), b.xy);",
                                                  "layout(binding=0) uniform texture2D t[3]; layout(binding=1) uniform sampler s[2];"));
  ASSERT_TRUE(b.ok) << b.text();
  EXPECT_EQ(b.chip.textures.size(), 6u);
  for (int i = 0; i < 3; ++i)
    for (int s = 0; s < 2; ++s) {
      const float row = run(b.chip, {{float(i), float(s)}, {}}).invocations[0].outputs[0][3] - 1;
      const TexturePair want{{0, 0, uint32_t(i)}, {{0, 1, uint32_t(s)}}};
      EXPECT_EQ(b.chip.textures.at(size_t(row)).pair, want) << i << " " << s;
    }
}

TEST(Glsl, AtMostSixteenPairs) {
  // 3 images and 6 samplers make 18 pairs; a 19th descriptor that is not read does not count.
  for (int samplers : {5, 6}) {
    std::string body = "o = vec4(0);";
    for (int t = 0; t < 3; ++t)
      for (int s = 0; s < samplers; ++s)
        body += "o += texture(sampler2D(t[" + std::to_string(t) + "], s[" + std::to_string(s) + "]), a.xy * " + std::to_string(t * 6 + s) +
                ".5);";
    const std::string glsl = fragment(body.c_str(), "layout(binding=0) uniform texture2D t[4]; layout(binding=1) uniform sampler s[6];");
    std::string log;
    const std::vector<uint32_t> words = test::compile_glsl(Stage::fragment, glsl, log);
    const std::vector<uint32_t> vertex = test::compile_glsl(Stage::vertex, "void main() { gl_Position = vec4(0); }", log);
    ASSERT_FALSE(words.empty() || vertex.empty()) << log;
    PipelineSource source;
    source.chip = &kR500;
    source.add(Stage::vertex).spirv = vertex;
    source.add(Stage::fragment).spirv = words;
    const Result r = compile(source);
    EXPECT_EQ(r.program.has_value(), samplers == 5);
    if (samplers == 5) {
      EXPECT_EQ(r.program->fragment.textures.size(), 15u);
    } else {
      EXPECT_NE(r.diagnostics.at(0).text.find("18 texture units"), std::string::npos) << r.diagnostics.at(0).text;
    }
  }
}

TEST(Glsl, TextureFactsBecomeCode) {
  PassOptions options{.chip = &kR500};
  TextureFacts facts;
  facts.wrap_s = TextureFacts::Wrap::repeat;
  facts.wrap_t = TextureFacts::Wrap::mirrored_repeat;
  facts.compare_op = 4;  // greater
  options.textures = {{combined({0, 0, 0}), facts}, {combined({0, 3, 0}), facts}};
  const Built b =
      build(Stage::fragment, fragment("o = texture(s2, a.yz * 1.25 + 0.1) + vec4(texture(sh, vec3(a.xy, 0.3)));", kSamplers), options);
  ASSERT_TRUE(b.ok) << b.text();
  const Vec4 got = run(b.chip, {{0.25f, 2, -3, 5}, {}}).invocations[0].outputs[0];
  // s = 2.6 -> 0.6; t = -3.65 -> mirrored 0.35; shadow texel 0.25 < 0.3.
  near(got, {1.6f, 1 + 0.35f, 1, 2}, 1e-6, "wrap");
  EXPECT_NE(ir::print(b.chip).find("grad"), std::string::npos);
}

TEST(Glsl, OffsetsWithAnUnknownLevelWantOneLevel) {
  PassOptions options{.chip = &kR500};
  TextureFacts facts;
  facts.several_levels = true;
  options.textures = {{combined({0, 0, 0}), facts}};
  const std::pair<const char*, bool> cases[] = {{"o = textureOffset(s2, a.xy, ivec2(1));", false},
                                                {"o = texture(s2, a.xy) + textureLodOffset(s2, b.xy, 2.0, ivec2(1));", true},
                                                {"o = textureLodOffset(s2, b.xy, 1.5, ivec2(1));", false},
                                                {"o = textureLodOffset(s2, b.xy, a.z, ivec2(1));", false},
                                                {"o = texture(s2, a.xy) + textureOffset(s3, a.xyz, ivec3(1));", true}};
  for (const auto& [glsl, ok] : cases) {
    const Built b = build(Stage::fragment, fragment(glsl, kSamplers), options);
    EXPECT_EQ(b.ok, ok) << glsl << b.text();
    EXPECT_EQ(b.text().find("several levels (set 0, binding 0)") == std::string::npos, ok) << b.text();
  }
}

TEST(Glsl, DiscardAndQuadDerivatives) {
  const Built b =
      build(Stage::fragment, fragment("if (a.x > 1.5) discard; float s = 0.0; for (int i = 0; i < int(a.y); ++i) { if (a.z > 0.0) discard;"
                                      "s += 1.0; } o = vec4(dFdx(a.x), dFdy(a.x), fwidth(a.x), s);"));
  ASSERT_TRUE(b.ok) << b.text();
  ir::Environment env;
  env.inputs = {{{1, 1, 0, 0}}, {{2, 2, 0, 0}}, {{1.25f, 3, 0, 0}}, {{1, 3, 1, 0}}};
  for (const ir::Module* m : {&b.raw, &b.chip}) {
    const auto e = evaluate(*m, env);
    EXPECT_EQ(e.error, "");
    for (int i = 0; i < 4; ++i) EXPECT_EQ(e.invocations[size_t(i)].killed, i == 1 || i == 3) << i;
    EXPECT_EQ(e.invocations[2].outputs[0], (Vec4{1, 0.25f, 1.25f, 3}));
  }
}

TEST(Glsl, SpecializationConstants) {
  const std::string glsl = fragment("float t[N]; for (int i = 0; i < N; ++i) t[i] = F; o = vec4(t[N - 1], N, B ? 1.0 : 2.0, N * 2);",
                                    "layout(constant_id=3) const int N = 2; layout(constant_id=5) const float F = 1.5;"
                                    "layout(constant_id=7) const bool B = true;\n");
  auto words = [](uint32_t id, uint32_t word) {
    Specialization s{id, std::vector<uint8_t>(4)};
    memcpy(s.bytes.data(), &word, 4);
    return s;
  };
  const Built plain = build(Stage::fragment, glsl),
              special = build(Stage::fragment, glsl, {.chip = &kR500}, {words(3, 4), words(5, 0x40200000), words(7, 0)});
  ASSERT_TRUE(plain.ok && special.ok) << plain.text() << special.text();
  near(run(plain.chip, {{}, {}}).invocations[0].outputs[0], {1.5f, 2, 1, 4}, 0, "defaults");
  near(run(special.chip, {{}, {}}).invocations[0].outputs[0], {2.5f, 4, 2, 8}, 0, "specialised");
}

TEST(Glsl, FullscreenTriangleAndConstantArrays) {
  const Built b = build(Stage::vertex,
                        "layout(location=0) out vec2 uv; layout(location=1) flat out int id; void main() { const vec2 p[3] = "
                        "vec2[](vec2(0), vec2(1, 2), vec2(3, 4));\n"
                        "uv = vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2); gl_Position = vec4(uv * 2.0 - 1.0, p[gl_VertexIndex]);\n"
                        "gl_PointSize = 3.0; id = gl_InstanceIndex; }");
  ASSERT_TRUE(b.ok) << b.text();
  EXPECT_EQ(b.chip.uniforms.size(), 1u);
  EXPECT_FALSE(b.chip.uniforms[0].immediate.empty());
  for (int v = 0; v < 3; ++v) {
    const auto e = run(b.chip, {{float(v)}});
    for (size_t i = 0; i < b.chip.outputs.size(); ++i) {
      const Vec4 got = e.invocations[0].outputs[i];
      const float x = v == 1 ? 2.f : 0.f, y = v == 2 ? 2.f : 0.f, z = v ? float(v) * 2 - 1 : 0, w = float(v) * 2;
      switch (b.chip.outputs[i].builtin) {
        case ir::Builtin::position: near(got, {x * 2 - 1, y * 2 - 1, z, w}, 0, "position"); break;
        case ir::Builtin::point_size: EXPECT_EQ(got[0], 3); break;
        default:
          if (b.chip.outputs[i].location == 0)
            near(got, {x, y, 0, 0}, 0, "uv");
          else
            EXPECT_EQ(got[0], float(v));
      }
    }
  }
}

TEST(Glsl, InterfaceTables) {
  const Built b =
      build(Stage::fragment,
            "layout(location=1) in flat ivec2 i; layout(location=2) in noperspective vec2 n; layout(location=2, component=2) in vec2 c;\n"
            "layout(location=3) in mat2 m; layout(location=0) out vec4 o; layout(location=2) out vec2 p; layout(location=5) out float q;\n"
            "layout(early_fragment_tests) in;\nvoid main() { o = vec4(i, n) + vec4(c, m * n); p = c; q = 1.0; gl_FragDepth = n.x; }",
            {.chip = &kR500, .color_attachments = 0x5});
  ASSERT_TRUE(b.ok) << b.text();
  const std::string text = ir::print(b.chip);
  for (const char* line : {"early_fragment_tests", "location=1 component=0 f32ix2 flat\n", "location=2 component=0 f32x2 noperspective\n",
                           "location=2 component=2 f32x2\n", "location=3 component=0 f32x2\n", "location=4 component=0 f32x2\n",
                           "location=0 component=0 f32x4\n", "frag_depth f32\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  EXPECT_EQ(text.find("location=5"), std::string::npos);  // no such attachment
}

TEST(Glsl, CubeShadersInFewInstructions) {
  const Built v =
      build(Stage::vertex,
            "layout(std140, binding=0) uniform B { mat4 MVP; vec4 position[36]; vec4 attr[36]; } u; layout(location=0) out vec4 t;\n"
            "layout(location=1) out vec3 f; void main() { t = u.attr[gl_VertexIndex]; gl_Position = u.MVP * u.position[gl_VertexIndex];\n"
            "f = gl_Position.xyz; }");
  ASSERT_TRUE(v.ok) << v.text();
  const auto e = run(v.chip, {{5}});
  near(e.invocations[0].outputs[0], {45, 45.125f, 45.25f, 45.375f}, 0, "attr");
  const std::string text = ir::print(v.chip);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 20) << text;
  const Built f = build(Stage::fragment,
                        "layout(binding=1) uniform sampler2D tex; layout(location=0) in vec4 t; layout(location=1) in vec3 p; "
                        "layout(location=0) out vec4 o;\n"
                        "const vec3 L = vec3(0.424, 0.566, 0.707); void main() { vec3 n = normalize(cross(dFdx(p), dFdy(p)));\n"
                        "o = max(0.0, dot(L, n)) * texture(tex, t.xy); }");
  ASSERT_TRUE(f.ok) << f.text();
  ir::Environment env;
  env.inputs.clear();
  for (int i = 0; i < 4; ++i) {
    std::vector<Vec4> rows(f.chip.inputs.size());
    for (size_t r = 0; r < rows.size(); ++r)
      rows[r] = f.chip.inputs[r].location == 0 ? Vec4{0.5f, 0.5f} : Vec4{float(i % 2), float(i / 2), 0};
    env.inputs.push_back(rows);
  }
  env.texel = [](const ir::TexelRequest&) { return Vec4{1, 0.5f, 0.25f, 1}; };
  near(evaluate(f.chip, env).invocations[0].outputs[0], {0.707f, 0.3535f, 0.17675f, 0.707f}, 1e-6, "light");
}

TEST(Glsl, InterfaceBlocksAndArrays) {
  const Built v =
      build(Stage::vertex,
            "layout(location=0) in vec4 a; layout(location=1) in mat2 m; layout(location=3) in float x[2];\n"
            "layout(location=0) out B { vec3 n; layout(location=4) vec2 t[2]; flat int i; } o; out gl_PerVertex { vec4 gl_Position; };\n"
            "void main() { gl_Position = a; o.n = a.xyz * x[1]; for (int k = 0; k < 2; ++k) o.t[k] = m[k] * x[0]; o.i = 7; }");
  ASSERT_TRUE(v.ok) << v.text();
  const auto e = run(v.chip, {{1, 2, 3, 4}, {5, 6}, {7, 8}, {2}, {3}});
  std::map<uint32_t, Vec4> by_location;
  for (size_t i = 0; i < v.chip.outputs.size(); ++i)
    if (v.chip.outputs[i].builtin == ir::Builtin::none) by_location[v.chip.outputs[i].location] = e.invocations[0].outputs[i];
  EXPECT_EQ(by_location[0], (Vec4{3, 6, 9, 0}));
  EXPECT_EQ(by_location[4], (Vec4{10, 12, 0, 0}));
  EXPECT_EQ(by_location[5], (Vec4{14, 16, 0, 0}));
  EXPECT_EQ(by_location[6], (Vec4{7, 0, 0, 0}));
}

TEST(Glsl, LoopsOverLightsCountInsteadOfLadders) {
  const Built b =
      build(Stage::fragment, fragment("o = vec4(0); for (int i = 0; i < 6; ++i) { if (float(i) >= u.n) break; o += u.l[i].c / u.l[i].r; }",
                                      "struct L { vec4 c; float r; }; layout(binding=0) uniform U { L l[6]; float n; } u;"));
  ASSERT_TRUE(b.ok) << b.text();
  const std::string text = ir::print(b.chip);
  EXPECT_NE(text.find("load_uniform 0 offset=0 ["), std::string::npos) << text;  // addressed by the loop counter, without a guard
  EXPECT_EQ(text.find("sel"), std::string::npos) << text;
  EXPECT_LE(line_count(b.chip), 45u);
}

/// Loads by index that stay in fragment programs, and selects that ladders or guards add.
struct Indexed {
  const char* glsl;
  unsigned loads, selects;
};
TEST(Glsl, ConstantsInLoopsAreAddressedByTheCounterWherePossible) {
  constexpr const char* kDeclarations =
      "struct L { vec4 p; vec4 c; vec4 d; }; layout(binding=0) uniform U { int n; L l[30]; vec4 v[20]; } u;\n"
      "const vec4 kTable[40] = vec4[](" /* 40 vectors */;
  std::string declarations = kDeclarations;
  for (int i = 0; i < 40; ++i) declarations += (i ? ", vec4(" : "vec4(") + std::to_string(i) + ")";
  declarations += ");";
  const Indexed cases[] = {
      {"for (int i = 0; i < u.n; ++i) o += u.l[i].p * u.l[i].d;", 2, 2},                    // guarded: n may be anything
      {"for (int i = 0; i < u.n && i < 30; ++i) o += u.l[i].p * u.l[i].d;", 2, 0},          // provably inside
      {"for (int i = 0; i < u.n && i < 20; ++i) o += u.v[i] * u.v[19 - i];", 1, 19},        // one direction only
      {"for (int i = 19; i >= 0; --i) { if (float(i) < a.x) break; o += u.v[i]; }", 1, 0},  // downwards
      {"for (int i = 1; i < 40; i += 2) { if (float(i) > a.x) break; o += kTable[i] - kTable[i - 1]; }", 2, 0},
      {"for (int i = 0; i < u.n; ++i) o += u.v[min(i, 19)];", 0, 19},                                // not a line
      {"for (int i = 0; i < u.n; ++i) for (int j = 0; j < u.n; ++j) o += u.v[i] * u.v[j];", 1, 20},  // the inner counter
      {"for (int i = int(a.x); i < u.n; ++i) o += u.v[i];", 0, 20},  // starts anywhere; one select is of int()
  };
  for (const Indexed& c : cases) {
    const Built b = build(Stage::fragment, fragment((std::string("o = vec4(0); ") + c.glsl).c_str(), declarations.c_str()));
    ASSERT_TRUE(b.ok) << c.glsl << b.text();
    const std::string text = ir::print(b.chip);
    const auto count = [&](const std::string& what) {
      unsigned n = 0;
      for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
      return n;
    };
    EXPECT_EQ(count(" max="), c.loads) << c.glsl << "\n" << text;
    EXPECT_EQ(count("= sel"), c.selects) << c.glsl << "\n" << text;
  }
}

struct Refusal {
  Stage stage;
  const char* declarations;
  const char* body;
  const char* message;  ///< part of the diagnostic
};
const Refusal kRefusals[] = {
    {Stage::fragment, "", "o = vec4(int(a.x) ^ int(a.y));", "OpBitwiseXor"},
    {Stage::fragment, "", "o = vec4(int(a.x) | int(a.y));", "no operations on bits"},
    {Stage::fragment, "", "o = vec4(int(a.x) & int(a.y));", "OpBitwiseAnd"},
    {Stage::fragment, "", "o = vec4(int(a.x) << int(a.y));", "OpShiftLeftLogical"},
    {Stage::fragment, "", "o = vec4(floatBitsToInt(a.x));", "OpBitcast"},
    {Stage::fragment, "", "o = vec4(packHalf2x16(a.xy));", "packing"},
    {Stage::fragment, "", "o = vec4(bitCount(int(a.x)));", "OpBitCount"},
    {Stage::fragment, "", "o = vec4(findMSB(int(a.x)));", "bit"},
    {Stage::fragment, "", "o = vec4(int(a.x) * 1103515245 + 12345);", "2^24"},
    {Stage::fragment, "", "o = vec4(int(a.x) * 65539);", "product"},
    {Stage::fragment, "", "o = vec4(uint(a.x) + 4000000000u);", "4000000000 or more"},
    {Stage::fragment, "", "o = vec4(int(a.x) / 2147483647);", "2147483648 or more"},
    {Stage::fragment, "", "uint u = uint(a.x) % 8u; o = vec4(u - 9u);", "below zero"},
    {Stage::fragment, "", "o = dFdxFine(a);", "OpDPdxFine"},
    {Stage::fragment, "layout(binding=0) uniform samplerCube s;", "o = textureGather(s, a.xyz);", "textureGather"},
    {Stage::fragment, "layout(binding=0) uniform sampler2D s;", "o = vec4(textureQueryLod(s, a.xy), 0, 0);", "OpImageQueryLod"},
    {Stage::fragment, "layout(binding=0) uniform sampler2DArray s;", "o = texture(s, a.xyz);", "array textures"},
    {Stage::fragment, "layout(binding=0) uniform sampler2DMS s;", "o = texelFetch(s, ivec2(0), 1);", "multisampled"},
    {Stage::fragment, "layout(binding=0) uniform isampler2D s;", "o = vec4(texture(s, a.xy));", "integer textures"},
    {Stage::fragment, "layout(binding=0, rgba8) uniform image2D s;", "o = imageLoad(s, ivec2(0));", "storage images"},
    {Stage::fragment, "layout(binding=0) buffer B { float x[]; } s;", "o = vec4(s.x[0]);", "storage buffers"},
    {Stage::fragment, "layout(binding=0) uniform B { int i; } s;", "o = vec4(intBitsToFloat(s.i));", "OpBitcast"},
    {Stage::fragment, "layout(binding=0) uniform B { vec4 x[100]; } s;", "o = s.x[int(a.x)];", "ladder"},
    {Stage::fragment, "", "float t[100]; for (int i = 0; i < 100; ++i) t[i] = a.x * float(i); o = vec4(t[int(a.x)]);", "100 elements"},
    {Stage::fragment, "", "o = vec4(gl_SampleID);", "gl_SampleID"},
    {Stage::fragment, "layout(location=5) sample in vec4 v;\n", "o = v;", "for each sample"},
    {Stage::fragment, "", "o = vec4(gl_PrimitiveID);", "gl_PrimitiveID"},
    {Stage::fragment, "", "double d = a.x; o = vec4(float(d * d));", "64-bit"},
    {Stage::vertex, "", "o = a; gl_ClipDistance[0] = a.x;", "gl_ClipDistance"},
    {Stage::vertex, "layout(binding=0) uniform sampler2D s;", "o = textureLod(s, a.xy, 0.0);", "vertex shader"},
    {Stage::vertex, "", "o = a; for (int i = 0; i < int(a.x); ++i) o *= 1.5;", "loop"},
};
TEST(Glsl, RefusalsNameTheConstruct) {
  for (const Refusal& r : kRefusals) {
    const Built b = build(r.stage, fragment(r.body, r.declarations));
    EXPECT_FALSE(b.ok) << r.body;
    EXPECT_NE(b.text().find(r.message), std::string::npos) << r.body << " gave: " << b.text();
    EXPECT_NE(b.text().find("'test'"), std::string::npos) << b.text();
  }
}

TEST(Glsl, DeepNestingIsBoundedAndLongLoopsDoNotGrowTheStack) {
  for (int depth : {20, 400}) {
    std::string body, close;
    for (int i = 0; i < depth; ++i) body += "if (a.x > " + std::to_string(i) + ".0) {\n", close += "}\n";
    const Built b =
        build(Stage::fragment, fragment((body + "o = texture(s, a.xy);" + close).c_str(), "layout(binding=0) uniform sampler2D s;"));
    EXPECT_EQ(b.ok, depth == 20) << b.text();
    EXPECT_EQ(b.text().find("nested deeper") != std::string::npos, depth == 400) << b.text();
  }
  const Built b = build(Stage::vertex, fragment("float x = 0.0; for (int i = 0; i < 1000; ++i) x += float(i) * 0.5; o = vec4(x) + a;"));
  ASSERT_TRUE(b.ok) << b.text();
  EXPECT_EQ(run(b.chip, {{}}).invocations[0].outputs[0][0], 249750.0f);
}

/// Blocks nothing reaches, beside a return in a loop (as early glslang writes them), and an origin Vulkan does not have.
TEST(Glsl, UnreachableBlocksAndForeignOrigins) {
  const char* const text = R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint Fragment %main "main" %o
    OpExecutionMode %main OriginLowerLeft
    OpDecorate %o Location 0
    %void = OpTypeVoid
    %proc = OpTypeFunction %void
    %float = OpTypeFloat 32
    %vec4 = OpTypeVector %float 4
    %out = OpTypePointer Output %vec4
    %o = OpVariable %out Output
    %two = OpConstant %float 2
    %value = OpConstantComposite %vec4 %two %two %two %two
    %bool = OpTypeBool
    %true = OpConstantTrue %bool
    %main = OpFunction %void None %proc
    %begin = OpLabel
    OpBranch %head
    %head = OpLabel
    OpLoopMerge %merge %next None
    OpBranchConditional %true %body %merge
    %body = OpLabel
    OpStore %o %value
    OpReturn
    %dead = OpLabel
    OpUnreachable
    %next = OpLabel
    OpBranch %head
    %merge = OpLabel
    OpReturn
    OpFunctionEnd)";
  std::vector<uint32_t> words;
  ASSERT_TRUE(spvtools::SpirvTools(SPV_ENV_UNIVERSAL_1_0).Assemble(text, &words));
  ShaderSource source;
  source.spirv = words;
  source.name = "test";
  ir::Module m;
  std::vector<Diagnostic> diagnostics;
  EXPECT_TRUE(build_ir(source, Stage::fragment, m, diagnostics)) << diagnostics.at(0).text;
}

TEST(Glsl, BrokenSpirvIsRefusedNotRead) {
  std::string log;
  const std::vector<uint32_t> good = test::compile_glsl(Stage::fragment, fragment("for (int i = 0; i < int(a.w); ++i) o += a;"), log);
  uint32_t seed = 1;
  for (int i = 0; i < 300; ++i) {
    std::vector<uint32_t> bad = good;
    seed = seed * 1664525 + 1013904223;
    bad[(seed >> 8) % bad.size()] ^= 1u << (seed >> 3 & 31);
    if (i % 3 == 0) bad.resize((seed >> 7) % bad.size());
    ShaderSource source;
    source.spirv = bad;
    ir::Module m;
    std::vector<Diagnostic> diagnostics;
    const bool ok = build_ir(source, Stage::fragment, m, diagnostics);
    EXPECT_EQ(ok, diagnostics.empty());
  }
}

}  // namespace
}  // namespace pumice::compiler
