// SPDX-License-Identifier: MIT
/// Floats of 16 bits in compute shaders on r5x, against numbers of 64 bits rounded here: every pair of awkward and random numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>

#include "tests/compiler/us/x_rig.h"

namespace pumice::compiler::testing {
namespace {

constexpr uint32_t kNumbers = 64;
constexpr uint16_t kNan = 0x7E00, kInfinite = 0x7C00, kSign = 0x8000;

double value(uint16_t half) {
  const int exponent = half >> 10 & 31, mantissa = half & 0x3FF;
  const double sign = half & kSign ? -1 : 1;
  if (exponent == 31) return mantissa ? std::nan("") : sign * HUGE_VAL;
  return sign * (exponent ? std::ldexp(1024 + mantissa, exponent - 25) : std::ldexp(mantissa, -24));
}

/// To the nearest even, or toward zero; NaN have one code.
uint16_t rounded(double x, bool toward_zero = false) {
  if (std::isnan(x)) return kNan;
  const uint16_t sign = std::signbit(x) ? kSign : 0;
  const double magnitude = std::fabs(x);
  if (std::isinf(x)) return sign | kInfinite;
  // Codes ascend with what they stand for: the last one that is not above.
  uint16_t low = 0, high = kInfinite;
  while (high - low > 1) (value(uint16_t((low + high) / 2)) <= magnitude ? low : high) = uint16_t((low + high) / 2);
  const double below = value(low), above = low == 0x7BFF ? 65536.0 : value(uint16_t(low + 1)), middle = (below + above) / 2;
  const bool up = !toward_zero && (magnitude > middle || (magnitude == middle && (low & 1)));
  return uint16_t(sign | (low + up));
}

std::vector<uint16_t> numbers() {
  std::vector<uint16_t> out{0,      0x8000, 0x3C00, 0xBC00, 0x0001, 0x8001, 0x0002, 0x0003, 0x03FF, 0x0400, 0x0401, 0x83FF,
                            0x8400, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0x3555, 0x4248, 0x3BFF, 0x3C01, 0x6400, 0x67FF,
                            0x6800, 0x7800, 0x5BFF, 0x1400, 0x1401, 0x4000, 0x3800, 0xC500, 0x1000, 0x0C01, 0x77FF};
  uint32_t x = 2463534242u;
  while (out.size() < kNumbers) {
    x ^= x << 13, x ^= x >> 17, x ^= x << 5;
    // Half of them of a size whose sums and products are not out of range.
    const auto next = uint16_t(out.size() % 2 ? x : (x & 0x83FF) | (12 + (x >> 20) % 7) << 10);
    if ((next & 0x7C00) != 0x7C00 && std::find(out.begin(), out.end(), next) == out.end()) out.push_back(next);
  }
  return out;
}

using Expected = std::function<bool(uint16_t a, uint16_t b, uint32_t got)>;

/// `body` computes `uint r` of `float16_t a, b`, for every pair of numbers().
void check(const std::string& body, const Expected& right, const std::string& globals = "") {
  const std::string code =
      "#version 450\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
      "layout(local_size_x = 64) in;\nlayout(std430, binding = 0) readonly buffer A { float16_t data[]; };\n"
      "layout(std430, binding = 1) buffer B { uint result[]; };\nuint code(float16_t x) { return uint(float16BitsToUint16(x)); }\n" +
      globals + "\nvoid main() {\n  uint i = gl_GlobalInvocationID.x, r = 0u;\n  float16_t a = data[i & 63u], b = data[i >> 6];\n" + body +
      "\n  result[i] = r;\n}\n";
  const std::vector<uint16_t> data = numbers();
  std::vector<uint32_t> packed(kNumbers / 2);
  for (uint32_t i = 0; i < kNumbers; i++) packed[i / 2] |= uint32_t{data[i]} << i % 2 * 16;
  const ComputeResult r = run({code, {packed, std::vector<uint32_t>(kNumbers * kNumbers)}, {}, {kNumbers, 1, 1}});
  ASSERT_EQ(r.buffers.size(), 2u);
  unsigned wrong = 0;
  for (uint32_t i = 0; i < kNumbers * kNumbers && wrong < 5; i++) {
    const uint16_t a = data[i & 63], b = data[i >> 6];
    if (right(a, b, r.buffers[1][i])) continue;
    ADD_FAILURE() << std::hex << body << " of " << a << ", " << b << " is " << r.buffers[1][i] << std::dec << " (" << value(a) << ", "
                  << value(b) << ")";
    wrong++;
  }
}

/// Where a zero may have either sign.
bool equal(uint32_t got, uint16_t want) { return got == want || (!(got & 0x7FFF) && !(want & 0x7FFF)); }

void expect(const std::string& expression, const std::function<double(double a, double b)>& f, const std::string& globals = "") {
  check(
      "r = code(" + expression + ");", [&](uint16_t a, uint16_t b, uint32_t got) { return got == rounded(f(value(a), value(b))); },
      globals);
}
void expect_word(const std::string& expression, const std::function<uint32_t(uint16_t a, uint16_t b)>& f) {
  check("r = " + expression + ";", [&](uint16_t a, uint16_t b, uint32_t got) { return got == f(a, b); });
}
/// Of functions that are not rounded correctly: within a few last places, or so much altogether.
void expect_near(const std::string& expression, double places, double much, const std::function<double(double a, double b)>& f) {
  check("r = code(" + expression + ");", [&](uint16_t a, uint16_t b, uint32_t got) {
    const double want = f(value(a), value(b)), is = value(uint16_t(got));
    if (std::isnan(want)) return true;
    if (std::fabs(want) > 65000) return is == value(rounded(want)) || std::fabs(is) > 65000;
    const uint16_t code = rounded(std::fabs(want));
    return std::fabs(is - want) <= std::max(much, places * (value(uint16_t(code + 1)) - value(code)));
  });
}

double half(double x) { return value(rounded(x)); }

TEST(ComputeXHalf, Arithmetic) {
  expect("a + b", [](double a, double b) { return a + b; });
  expect("a - b", [](double a, double b) { return a - b; });
  expect("a * b", [](double a, double b) { return a * b; });
  expect("a / b", [](double a, double b) { return a / b; });
  expect("-a", [](double a, double) { return -a; });
  expect("sqrt(a)", [](double a, double) { return std::sqrt(a); });
  // Each operation is rounded, none are joined.
  expect("a * b + a", [](double a, double b) { return half(a * b) + a; });
  expect("(a + b) * (a - b)", [](double a, double b) { return half(a + b) * half(a - b); });
  expect("(a * b) * b - a / b", [](double a, double b) { return half(half(a * b) * b) - half(a / b); });
  expect("fma(a, b, b)", [](double a, double b) { return double(std::fma(float(a), float(b), float(b))); });
}

TEST(ComputeXHalf, ExactFunctions) {
  // What becomes of a NaN is left open.
  const auto number = [](double a, double b) { return !std::isnan(a) && !std::isnan(b); };
  const auto of_numbers = [&](const std::string& expression, const std::function<double(double, double)>& f) {
    check("r = code(" + expression + ");",
          [&](uint16_t a, uint16_t b, uint32_t got) { return !number(value(a), value(b)) || equal(got, rounded(f(value(a), value(b)))); });
  };
  of_numbers("abs(a)", [](double a, double) { return std::fabs(a); });
  of_numbers("sign(a)", [](double a, double) { return double((a > 0) - (a < 0)); });
  of_numbers("floor(a)", [](double a, double) { return std::floor(a); });
  of_numbers("ceil(a)", [](double a, double) { return std::ceil(a); });
  of_numbers("trunc(a)", [](double a, double) { return std::trunc(a); });
  of_numbers("roundEven(a)", [](double a, double) { return std::nearbyint(a); });
  of_numbers("min(a, b)", [](double a, double b) { return std::min(a, b); });
  of_numbers("max(a, b)", [](double a, double b) { return std::max(a, b); });
  of_numbers("clamp(a, float16_t(-1.5), float16_t(3.25))", [](double a, double) { return std::clamp(a, -1.5, 3.25); });
  of_numbers("step(a, b)", [](double a, double b) { return b >= a ? 1.0 : 0.0; });
  of_numbers("mix(a, b, a > b)", [](double a, double b) { return a > b ? b : a; });
  of_numbers("faceforward(f16vec2(a, b), f16vec2(1.0, sign(b)), f16vec2(0.0, -1.0)).x", [](double a, double b) { return b > 0 ? a : -a; });
}

TEST(ComputeXHalf, OtherFunctions) {
  const auto in = [](double a, double low, double high) { return a > low && a < high; };
  expect_near("sin(a)", 1, 0x1p-11, [&](double a, double) { return in(a, -3.2, 3.2) ? std::sin(a) : NAN; });
  expect_near("cos(a)", 1, 0x1p-11, [&](double a, double) { return in(a, -3.2, 3.2) ? std::cos(a) : NAN; });
  // The factors are halves, too.
  expect("degrees(a)", [](double a, double) { return a * half(57.2957795131); });
  expect("radians(a)", [](double a, double) { return a * half(0.0174532925199); });
  expect_near("exp(a)", 1, 0, [](double a, double) { return std::exp(a); });
  expect_near("exp2(a)", 1, 0, [](double a, double) { return std::exp2(a); });
  expect_near("log(a)", 2, 0x1p-8, [](double a, double) { return a > 0 ? std::log(a) : NAN; });
  expect_near("log2(a)", 2, 0x1p-8, [](double a, double) { return a > 0 ? std::log2(a) : NAN; });
  expect_near("inversesqrt(a)", 1, 0, [](double a, double) { return a > 0 ? 1 / std::sqrt(a) : NAN; });
  expect_near("pow(a, b)", 2, 0, [&](double a, double b) { return a > 0 && in(b, -20, 20) && !std::isinf(a) ? std::pow(a, b) : NAN; });
  expect_near("atan(a)", 4, 0, [](double a, double) { return std::atan(a); });
  expect_near("atan(a, b)", 4, 0x1p-20,
              [](double a, double b) { return a != 0 && !std::isinf(a) && !std::isinf(b) ? std::atan2(a, b) : NAN; });
  expect_near("tanh(a)", 4, 0x1p-12, [](double a, double) { return std::tanh(a); });
  expect_near("fract(a)", 1, 0, [](double a, double) { return std::isinf(a) ? NAN : a - std::floor(a); });
  expect_near("length(f16vec2(a, b))", 1, 0, [](double a, double b) { return std::isnan(a + b) ? NAN : std::hypot(a, b); });
  expect_near("dot(f16vec3(a, b, 1.0), f16vec3(a, 1.0, b))", 2, 0x1p-20, [](double a, double b) { return a * a + b + b; });
  expect_near("mix(a, b, float16_t(0.25))", 2, 0x1p-20, [](double a, double b) { return std::isinf(a - b) ? NAN : a * 0.75 + b * 0.25; });
  expect_near("mod(a, float16_t(2.5))", 4, 0, [&](double a, double) { return in(a, 0, 2000) ? a - 2.5 * std::floor(a / 2.5) : NAN; });
  expect_near("smoothstep(float16_t(0), float16_t(4), a)", 4, 0x1p-20, [](double a, double) {
    const double t = std::clamp(a / 4, 0.0, 1.0);
    return t * t * (3 - 2 * t);
  });
  expect("ldexp(a, abs(b) < float16_t(100) ? int(b) : 3)",
         [](double a, double b) { return std::ldexp(a, std::fabs(b) < 100 ? int(b) : 3); });
}

TEST(ComputeXHalf, PartsOfNumbers) {
  check("int e; float16_t m = frexp(a, e); r = code(m) | uint(e & 0xFFFF) << 16;", [](uint16_t a, uint16_t, uint32_t got) {
    if (!std::isfinite(value(a))) return true;
    int e = 0;
    const double m = std::frexp(value(a), &e);
    return equal(got & 0xFFFF, rounded(m)) && got >> 16 == uint16_t(e);
  });
  check("float16_t w; float16_t f = modf(a, w); r = code(f) | code(w) << 16;", [](uint16_t a, uint16_t, uint32_t got) {
    if (!std::isfinite(value(a))) return true;
    double w = 0;
    const double f = std::modf(value(a), &w);
    return equal(got & 0xFFFF, rounded(f)) && equal(got >> 16, rounded(w));
  });
}

TEST(ComputeXHalf, Comparisons) {
  expect_word(
      "uint(a < b) + 2u * uint(a <= b) + 4u * uint(a > b) + 8u * uint(a >= b) + 16u * uint(a == b) + 32u * uint(a != b) + "
      "64u * uint(isnan(a)) + 128u * uint(isinf(b))",
      [](uint16_t x, uint16_t y) {
        const double a = value(x), b = value(y);
        return (a < b) + 2u * (a <= b) + 4u * (a > b) + 8u * (a >= b) + 16u * (a == b) + 32u * (a != b) + 64u * std::isnan(a) +
               128u * std::isinf(b);
      });
}

TEST(ComputeXHalf, Conversions) {
  const auto fits = [](double x, double low, double high) { return x > low && x < high; };
  expect_word("floatBitsToUint(float(a))", [](uint16_t a, uint16_t) {
    const auto x = float(value(a));
    return std::isnan(x) ? 0x7FFFFFFFu : std::bit_cast<uint32_t>(x);
  });
  expect("float16_t(float(a) + float(b) * 0.0001)", [](double a, double b) { return double(std::fma(float(b), 0.0001f, float(a))); });
  // What rounds to the wrong half by way of 32 bits: halfway, and a little more than a float has.
  expect("float16_t(double(a) + double(b) * (1.0lf + 0.5lf / 4294967296.0lf))", [](double a, double b) { return a + b * (1 + 0x1p-33); });
  expect("float16_t(double(abs(a)) * (1.0lf + 1.0lf / 2048.0lf) + 1.0lf / 1099511627776.0lf / 1024.0lf)",
         [](double a, double) { return std::fabs(a) * (1 + 0x1p-11) + 0x1p-50; });
  expect_word("packFloat2x16(f16vec2(double(a) * 0.3lf, 1.0lf)) & 0x7FFFu",
              [](uint16_t a, uint16_t) { return rounded(value(a) * 0.3) & 0x7FFFu; });
  expect_word("uint(int(abs(a) < float16_t(65504) ? a : float16_t(7)))",
              [&](uint16_t a, uint16_t) { return uint32_t(int32_t(fits(value(a), -65504, 65504) ? value(a) : 7)); });
  expect_word("uint(uint8_t(abs(a) < float16_t(255) ? abs(a) : float16_t(7)))",
              [&](uint16_t a, uint16_t) { return uint32_t(fits(std::fabs(value(a)), -1, 255) ? std::fabs(value(a)) : 7); });
  expect_word("uint(int16_t(abs(a) < float16_t(32000) ? a : float16_t(7)))",
              [&](uint16_t a, uint16_t) { return uint32_t(int32_t(fits(value(a), -32000, 32000) ? value(a) : 7)); });
  expect_word("code(float16_t(float16BitsToUint16(a))) + code(float16_t(float16BitsToInt16(b))) * 65536u",
              [](uint16_t a, uint16_t b) { return rounded(a) + rounded(std::bit_cast<int16_t>(b)) * 65536u; });
  expect_word("code(float16_t(uint(float16BitsToUint16(a)) * 16777u + 1u))",
              [](uint16_t a, uint16_t) { return uint32_t{rounded(uint32_t{a} * 16777 + 1)}; });
  expect_word("code(float16_t(int64_t(float16BitsToInt16(a)) * 3l))",
              [](uint16_t a, uint16_t) { return uint32_t{rounded(std::bit_cast<int16_t>(a) * 3.0)}; });
}

TEST(ComputeXHalf, Bits) {
  // Bits of NaN are the chip's own, 0x7E00.
  expect_word("code(a) | code(b) << 16", [](uint16_t a, uint16_t b) { return a | uint32_t{b} << 16; });
  expect_word("packFloat2x16(f16vec2(a, b))", [](uint16_t a, uint16_t b) { return a | uint32_t{b} << 16; });
  expect_word("packFloat2x16(unpackFloat2x16(packFloat2x16(f16vec2(a, b)) ^ 0x80008000u).yx)", [](uint16_t a, uint16_t b) {
    const auto flipped = [](uint16_t x) { return x == kNan ? x : uint32_t(x ^ kSign); };
    return flipped(b) | flipped(a) << 16;
  });
  expect_word("code(uint16BitsToFloat16(float16BitsToUint16(a) & 0x7FFFus))", [](uint16_t a, uint16_t) { return a & 0x7FFFu; });
  expect_word("code(int16BitsToFloat16(float16BitsToInt16(a) ^ 0x100s)) & 0x7DFFu", [](uint16_t a, uint16_t) {
    const uint32_t x = a ^ 0x100u;
    return (x & 0x7FFF) > kInfinite ? kNan & 0x7DFFu : x & 0x7DFFu;
  });
  // Four halves as a number of 64 bits and back; pairs of integers of 16 bits.
  expect_word("uint(packUint4x16(u16vec4(float16BitsToUint16(f16vec4(a, b, 1.0, 2.0)))) >> 16)",
              [](uint16_t, uint16_t b) { return b | 0x3C000000u; });
}

TEST(ComputeXHalf, VectorsMatricesAndMemory) {
  const auto finite = [](double a, double b) { return std::isfinite(a) && std::isfinite(b); };
  const auto expect_finite = [&](const std::string& body, const std::function<double(double, double)>& f, const std::string& globals = "") {
    check(
        body, [&](uint16_t a, uint16_t b, uint32_t got) { return !finite(value(a), value(b)) || got == rounded(f(value(a), value(b))); },
        globals);
  };
  expect_finite(
      "f16vec3 v = f16vec3(a, b, 0.1); v *= b; v[code(a) & 1u] += float16_t(1); float16_t list[3] = {v.x, v.y, v.z}; r = code(list[code(b) "
      "% 3u]);",
      [](double a, double b) {
        std::array<double, 3> v{half(a * b), half(b * b), half(half(0.1) * b)};
        double& one = v[rounded(a) & 1];
        one = half(one + 1);
        return v[rounded(b) % 3];
      });
  expect_finite(
      "f16mat2 m = f16mat2(a, 0.5, 2.0, b); f16vec2 v = m * f16vec2(1.0, 0.0); f16mat2 t = transpose(m) * float16_t(0.3); r = code(v.y + "
      "t[1][0]);",
      [](double, double) { return half(0.5 + half(0.5 * half(0.3))); });
  expect_finite("f16mat2 m = outerProduct(f16vec2(a, b), f16vec2(0.1, a)); r = code(m[0][1]);",
                [](double, double b) { return b * half(0.1); });
  // A determinant that is zero has the sign of its terms (float16.arithmetic.matrixinverse2x2 of the conformance suite).
  check("r = code(inverse(f16mat2(a, 0.0, b, 0.0))[1][0]);", [&](uint16_t a, uint16_t b, uint32_t got) {
    const double x = value(a), y = value(b);
    return !finite(x, y) || y == 0 || got == rounded(-y / (x * 0.0 + y * -0.0));
  });
  // The workgroup's memory, structs, functions, a loop.
  expect_finite(
      "all[gl_LocalInvocationIndex] = S(a, f16vec3(b, a, 0.1)); barrier(); r = code(f(all[gl_LocalInvocationIndex]));",
      [](double a, double b) {
        double x = a;
        for (int k = 0; k < 4; k++) x = half(half(x * half(0.1)) + b);
        return x - a;
      },
      "struct S { float16_t x; f16vec3 v; }; shared S all[64];\n"
      "float16_t f(S s) { float16_t x = s.x; for (int k = 0; k < 4; k++) x = x * s.v.z + s.v.x; return x - s.v.y; }");
}

/// What GLSL cannot say: `body` of SPIR-V gives the 16 bits %r, an integer or a half as `type` says, of the halves %a and %b.
void check_spirv(const std::string& body, const std::string& type, const std::function<uint16_t(uint16_t a, uint16_t b)>& want,
                 const std::string& decorations = "") {
  const std::string text = R"(
OpCapability Shader
OpCapability Float16
OpCapability Float64
OpCapability Int8
OpCapability Int16
OpCapability Int64
OpCapability StorageBuffer16BitAccess
OpExtension "SPV_KHR_16bit_storage"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %array ArrayStride 2
OpDecorate %results ArrayStride 2
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %rblock Block
OpMemberDecorate %rblock 0 Offset 0
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 0
OpDecorate %result DescriptorSet 0
OpDecorate %result Binding 1
)" + decorations + R"(
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%uvec3 = OpTypeVector %uint 3
%u8 = OpTypeInt 8 0
%u8vec2 = OpTypeVector %u8 2
%u8vec4 = OpTypeVector %u8 4
%u16 = OpTypeInt 16 0
%u64 = OpTypeInt 64 0
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%half = OpTypeFloat 16
%half2 = OpTypeVector %half 2
%half4 = OpTypeVector %half 4
%array = OpTypeRuntimeArray %half
%results = OpTypeRuntimeArray )" +
                           type + R"(
%block = OpTypeStruct %array
%rblock = OpTypeStruct %results
%pblock = OpTypePointer StorageBuffer %block
%prblock = OpTypePointer StorageBuffer %rblock
%phalf = OpTypePointer StorageBuffer %half
%presult = OpTypePointer StorageBuffer )" +
                           type + R"(
%pinput = OpTypePointer Input %uvec3
%id = OpVariable %pinput Input
%data = OpVariable %pblock StorageBuffer
%result = OpVariable %prblock StorageBuffer
%c0 = OpConstant %uint 0
%c6 = OpConstant %uint 6
%c63 = OpConstant %uint 63
%c48 = OpConstant %uint 48
%third = OpConstant %double 0.3
%one = OpConstant %half 1
%main = OpFunction %void None %function
%entry = OpLabel
%v = OpLoad %uvec3 %id
%i = OpCompositeExtract %uint %v 0
%low = OpBitwiseAnd %uint %i %c63
%high = OpShiftRightLogical %uint %i %c6
%pa = OpAccessChain %phalf %data %c0 %low
%pb = OpAccessChain %phalf %data %c0 %high
%a = OpLoad %half %pa
%b = OpLoad %half %pb
)" + body + R"(
%pr = OpAccessChain %presult %result %c0 %i
OpStore %pr %r
OpReturn
OpFunctionEnd
)";
  const std::vector<uint16_t> data = numbers();
  std::vector<uint32_t> packed(kNumbers / 2);
  for (uint32_t i = 0; i < kNumbers; i++) packed[i / 2] |= uint32_t{data[i]} << i % 2 * 16;
  const ComputeResult r = run({"", {packed, std::vector<uint32_t>(kNumbers * kNumbers / 2)}, {}, {kNumbers, 1, 1}, text});
  ASSERT_EQ(r.buffers.size(), 2u);
  for (uint32_t i = 0; i < kNumbers * kNumbers; i++)
    ASSERT_EQ(uint16_t(r.buffers[1][i / 2] >> i % 2 * 16), want(data[i & 63], data[i >> 6])) << i << body;
}

TEST(ComputeXHalf, BitsOfOtherWidths) {
  // Two halves as a float, four as 64 bits (the last one comes out), and back.
  check_spirv(R"(%ab = OpCompositeConstruct %half2 %a %b
%f = OpBitcast %float %ab
%h = OpBitcast %half2 %f
%x = OpCompositeExtract %half %h 1
%r = OpBitcast %u16 %x)",
              "%u16", [](uint16_t, uint16_t b) { return b; });
  check_spirv(R"(%all = OpCompositeConstruct %half4 %b %one %b %a
%w = OpBitcast %u64 %all
%s = OpShiftRightLogical %u64 %w %c48
%r = OpUConvert %u16 %s)",
              "%u16", [](uint16_t a, uint16_t) { return a; });
  check_spirv(R"(%all = OpCompositeConstruct %half4 %one %b %one %a
%w = OpBitcast %double %all
%back = OpBitcast %half4 %w
%r = OpCompositeExtract %half %back 1)",
              "%half", [](uint16_t, uint16_t b) { return b; });
  check_spirv(R"(%bytes = OpBitcast %u8vec2 %a
%ab = OpCompositeConstruct %half2 %a %b
%four = OpBitcast %u8vec4 %ab
%mixed = OpVectorShuffle %u8vec2 %bytes %four 0 5
%h = OpBitcast %half %mixed
%r = OpBitcast %u16 %h)",
              "%u16", [](uint16_t a, uint16_t b) {
                const auto x = uint16_t((a & 0xFF) | (b & 0xFF00));
                return std::isnan(value(x)) ? kNan : x;
              });
}

TEST(ComputeXHalf, RoundingOfConversions) {
  const std::string body = "%d = OpFConvert %double %a\n%x = OpFMul %double %d %third\n%r = OpFConvert %half %x";
  check_spirv(
      body, "%half", [](uint16_t a, uint16_t) { return rounded(value(a) * 0.3, true); }, "OpDecorate %r FPRoundingMode RTZ");
  check_spirv(
      body, "%half", [](uint16_t a, uint16_t) { return rounded(value(a) * 0.3); }, "OpDecorate %r FPRoundingMode RTE");
}

}  // namespace
}  // namespace pumice::compiler::testing
