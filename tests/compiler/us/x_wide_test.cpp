// SPDX-License-Identifier: MIT
/// Numbers of 64 bits in compute shaders on r5x, against the host's: every pair of awkward and random numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "tests/compiler/us/x_rig.h"

namespace pumice::compiler::testing {
namespace {

constexpr uint32_t kNumbers = 64;

/// `body` computes `uint64_t r` of `uint64_t a, b`; every pair of numbers is an invocation.
std::string shader(const std::string& body, const std::string& globals = "") {
  return "#version 450\n#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n"
         "#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require\n"
         "layout(local_size_x = 64) in;\nlayout(std430, binding = 0) readonly buffer A { uint64_t data[]; };\n"
         "layout(std430, binding = 1) buffer B { uint64_t result[]; };\n" +
         globals + "\nvoid main() {\n  uint i = gl_GlobalInvocationID.x;\n  uint64_t a = data[i & 63u], b = data[i >> 6], r = 0ul;\n" +
         body + "\n  result[i] = r;\n}\n";
}

std::vector<uint64_t> numbers() {
  std::vector<uint64_t> out{0,
                            1,
                            2,
                            3,
                            10,
                            0x7FFFFFFF,
                            0x80000000,
                            0xFFFFFFFF,
                            0x100000000,
                            0x100000001,
                            0x1FFFFFFFF,
                            0x7FFFFFFFFFFFFFFF,
                            0x8000000000000000,
                            0x8000000000000001,
                            0xFFFFFFFFFFFFFFFF,
                            0xFFFFFFFFFFFFFFFE,
                            0xFFFFFFFF00000000,
                            0xFFFFFFFF00000001,
                            0x0000FFFF0000FFFF,
                            0x8000000080000000,
                            0x7FFFFFFFFFFFFDFF,
                            0x0100000080000001,
                            0x0100000080000000,
                            1000000007};
  uint64_t x = 88172645463325252u;
  while (out.size() < kNumbers) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    const uint64_t next = out.size() % 3 ? x >> (x & 63) : x;
    if (std::find(out.begin(), out.end(), next) == out.end()) out.push_back(next);
  }
  return out;
}

std::vector<uint32_t> words(const std::vector<uint64_t>& x) {
  std::vector<uint32_t> out;
  for (const uint64_t v : x) out.push_back(uint32_t(v)), out.push_back(uint32_t(v >> 32));
  return out;
}

/// Runs one of both on all pairs of numbers().
ComputeResult check(const std::string& body, const std::string& glsl, const std::string& spirv,
                    const std::function<uint64_t(uint64_t a, uint64_t b)>& expected) {
  const std::vector<uint64_t> data = numbers();
  const ComputeResult r = run({glsl, {words(data), std::vector<uint32_t>(2 * kNumbers * kNumbers)}, {}, {kNumbers, 1, 1}, spirv});
  if (r.buffers.size() < 2) return r;
  unsigned wrong = 0;
  for (uint32_t i = 0; i < kNumbers * kNumbers && wrong < 5; i++) {
    const uint64_t a = data[i & 63], b = data[i >> 6], got = uint64_t{r.buffers[1][2 * i + 1]} << 32 | r.buffers[1][2 * i];
    if (got == expected(a, b)) continue;
    ADD_FAILURE() << std::hex << body << " of " << a << ", " << b << " is " << got << ", not " << expected(a, b);
    wrong++;
  }
  return r;
}

ComputeResult expect(const std::string& body, const std::function<uint64_t(uint64_t a, uint64_t b)>& expected,
                     const std::string& globals = "") {
  return check(body, shader(body, globals), "", expected);
}

struct Expression {
  const char* glsl;  ///< of uint64_t a, b
  std::function<uint64_t(uint64_t a, uint64_t b)> expected;
};

void expect_all(std::initializer_list<Expression> all) {
  for (const Expression& e : all) {
    SCOPED_TRACE(e.glsl);
    expect("r = " + std::string(e.glsl) + ";", e.expected);
  }
}

int64_t quotient(uint64_t a, uint64_t b) { return b == ~uint64_t{0} ? int64_t(0 - a) : int64_t(a) / int64_t(b); }
int64_t remainder(uint64_t a, uint64_t b) { return b == ~uint64_t{0} ? 0 : int64_t(a) % int64_t(b); }

/// GLSL.std.450's Ldexp takes exponents of any width.
TEST(ComputeXWide, ExponentsThatAreNoWords) {
  const auto expected = [](uint64_t a, uint64_t b) -> uint64_t {
    const auto exponent = static_cast<int>(std::clamp<int64_t>(int64_t(a), -1000, 1000));
    const float x = b & 1 ? -1.5f : 1.5f, y = std::ldexp(x, exponent);
    return std::bit_cast<uint32_t>(std::fabs(y) < 0x1p-126f ? std::copysign(0.0f, x) : y);
  };
  expect("r = uint64_t(floatBitsToUint(scaled((b & 1ul) == 1ul ? -1.5 : 1.5, int64_t(a))));", expected,
         "#extension GL_EXT_spirv_intrinsics : require\n"
         "spirv_instruction(set = \"GLSL.std.450\", id = 53) float scaled(float x, int64_t exponent);");
}

TEST(ComputeXWide, IntegerArithmetic) {
  expect_all({
      {"a + b", [](uint64_t a, uint64_t b) { return a + b; }},
      {"a - b", [](uint64_t a, uint64_t b) { return a - b; }},
      {"a * b", [](uint64_t a, uint64_t b) { return a * b; }},
      {"-a", [](uint64_t a, uint64_t) { return 0 - a; }},
      {"b == 0ul ? 5ul : a / b", [](uint64_t a, uint64_t b) { return b ? a / b : 5; }},
      {"b == 0ul ? 5ul : a % b", [](uint64_t a, uint64_t b) { return b ? a % b : 5; }},
      {"b == 0ul ? 5ul : uint64_t(int64_t(a) / int64_t(b))", [](uint64_t a, uint64_t b) { return b ? uint64_t(quotient(a, b)) : 5; }},
      {"a / 10ul + a % 1000000007ul", [](uint64_t a, uint64_t) { return a / 10 + a % 1000000007; }},
      {"uint64_t(int64_t(a) / -7l)", [](uint64_t a, uint64_t) { return uint64_t(int64_t(a) / -7); }},
      {"a & b", [](uint64_t a, uint64_t b) { return a & b; }},
      {"a | ~b", [](uint64_t a, uint64_t b) { return a | ~b; }},
      {"a ^ b ^ 0x123456789ABCDEFul", [](uint64_t a, uint64_t b) { return a ^ b ^ 0x123456789ABCDEF; }},
      {"a << (b & 63ul)", [](uint64_t a, uint64_t b) { return a << (b & 63); }},
      {"a >> uint(b & 63ul)", [](uint64_t a, uint64_t b) { return a >> (b & 63); }},
      {"uint64_t(int64_t(a) >> int(b & 63ul))", [](uint64_t a, uint64_t b) { return uint64_t(int64_t(a) >> (b & 63)); }},
      {"(a << 32) ^ (b >> 33) ^ (a << 7)", [](uint64_t a, uint64_t b) { return a << 32 ^ b >> 33 ^ a << 7; }},
      {"uint64_t(abs(int64_t(a)))", [](uint64_t a, uint64_t) { return int64_t(a) < 0 ? 0 - a : a; }},
      {"uint64_t(sign(int64_t(a)))", [](uint64_t a, uint64_t) { return uint64_t(int64_t(a) > 0) - uint64_t(int64_t(a) < 0); }},
      {"min(a, b)", [](uint64_t a, uint64_t b) { return std::min(a, b); }},
      {"max(a, b)", [](uint64_t a, uint64_t b) { return std::max(a, b); }},
      {"uint64_t(min(int64_t(a), int64_t(b)))", [](uint64_t a, uint64_t b) { return uint64_t(std::min(int64_t(a), int64_t(b))); }},
      {"uint64_t(max(int64_t(a), int64_t(b)))", [](uint64_t a, uint64_t b) { return uint64_t(std::max(int64_t(a), int64_t(b))); }},
      {"clamp(a, 5ul, 0x100000000ul)", [](uint64_t a, uint64_t) { return std::clamp<uint64_t>(a, 5, 0x100000000); }},
      {"uint64_t(a < b) + 2ul * uint64_t(int64_t(a) < int64_t(b)) + 4ul * uint64_t(a == b) + 8ul * uint64_t(a >= b) +"
       " 16ul * uint64_t(int64_t(a) >= int64_t(b)) + 32ul * uint64_t(a != b) + 64ul * uint64_t(a > b) + 128ul * uint64_t(a <= b)",
       [](uint64_t a, uint64_t b) {
         return uint64_t(a < b) + 2u * (int64_t(a) < int64_t(b)) + 4u * (a == b) + 8u * (a >= b) + 16u * (int64_t(a) >= int64_t(b)) +
                32u * (a != b) + 64u * (a > b) + 128u * (a <= b);
       }},
  });
}

/// GLSL's % of what is negative is undefined; the compiler's is OpSMod.
TEST(ComputeXWide, SignedRemainders) {
  expect("if (b != 0ul) r = uint64_t(int64_t(a) % int64_t(b));", [](uint64_t a, uint64_t b) -> uint64_t {
    if (!b) return 0;
    const int64_t r = remainder(a, b);
    return uint64_t(r && (r < 0) != (int64_t(b) < 0) ? r + int64_t(b) : r);
  });
}

TEST(ComputeXWide, Conversions) {
  expect_all({
      {"uint64_t(uint(a)) + uint64_t(int(b))",
       [](uint64_t a, uint64_t b) { return uint64_t{uint32_t(a)} + uint64_t(int64_t{int32_t(b)}); }},
      {"uint64_t(uint16_t(a)) + uint64_t(int64_t(int16_t(b)))",
       [](uint64_t a, uint64_t b) { return uint64_t{uint16_t(a)} + uint64_t(int64_t{int16_t(b)}); }},
      {"uint64_t(floatBitsToUint(float(a)))", [](uint64_t a, uint64_t) { return uint64_t{std::bit_cast<uint32_t>(float(a))}; }},
      {"uint64_t(floatBitsToUint(float(int64_t(a))))",
       [](uint64_t a, uint64_t) { return uint64_t{std::bit_cast<uint32_t>(float(int64_t(a)))}; }},
      {"uint64_t(float(a >> 1))", [](uint64_t a, uint64_t) { return uint64_t(float(a >> 1)); }},
      {"uint64_t(int64_t(-float(a >> 2)))", [](uint64_t a, uint64_t) { return uint64_t(int64_t(-float(a >> 2))); }},
      {"uint64_t(int64_t(float(int64_t(a >> 2)) * 0.0000001))",
       [](uint64_t a, uint64_t) { return uint64_t(int64_t(float(int64_t(a >> 2)) * 0.0000001f)); }},
      {"packUint2x32(unpackUint2x32(a).yx)", [](uint64_t a, uint64_t) { return a << 32 | a >> 32; }},
      {"pack64(u16vec4(unpack16(a).wzyx))",
       [](uint64_t a, uint64_t) { return a << 48 | (a & 0xFFFF0000) << 16 | (a >> 16 & 0xFFFF0000) | a >> 48; }},
      {"a != 0ul ? uint64_t(bool(b)) : 7ul", [](uint64_t a, uint64_t b) { return a ? uint64_t(b != 0) : 7; }},
  });
}

TEST(ComputeXWide, VectorsAndControlFlow) {
  expect(
      "u64vec4 v = u64vec4(a, b, a + b, a * b); v.zw = v.wz; v[uint(a) & 3u] = 9ul; u64vec3 w = v.xyz * v.yzw; r = w.x ^ w.y ^ w.z ^ "
      "v[uint(b) & 3u];",
      [](uint64_t a, uint64_t b) {
        uint64_t v[4] = {a, b, a * b, a + b};
        v[a & 3] = 9;
        return v[0] * v[1] ^ v[1] * v[2] ^ v[2] * v[3] ^ v[b & 3];
      });
  expect(
      "uint64_t sum = 0ul, x = a | 1ul; for (uint64_t k = 0ul; k < (b & 15ul); k++) { if ((x & 4ul) != 0ul) { sum += x; continue; } x = x "
      "* 3ul + k; "
      "if (x > 0x4000000000000000ul) break; sum ^= x << 1; } r = sum + x;",
      [](uint64_t a, uint64_t b) {
        uint64_t sum = 0, x = a | 1;
        for (uint64_t k = 0; k < (b & 15); k++) {
          if (x & 4) {
            sum += x;
            continue;
          }
          x = x * 3 + k;
          if (x > 0x4000000000000000) break;
          sum ^= x << 1;
        }
        return sum + x;
      });
}

TEST(ComputeXWide, VariablesAndMemory) {
  // Arrays indexed at run time, by an index of 64 bits too; structs; the workgroup's memory; functions.
  expect(
      "uint64_t t[5]; for (int k = 0; k < 5; k++) t[k] = a + uint64_t(k); t[int(b & 3ul)] ^= b; S s; s.c = uint16_t(a); s.v = i64vec3(a, "
      "b, -1l); s.x = t[int(a % 5ul)];"
      "S u = s; u.v.y += 3l; shared_words[gl_LocalInvocationIndex] = u64vec2(f(u), a); barrier(); r = shared_words[gl_LocalInvocationIndex "
      "^ 1u].y + "
      "shared_words[gl_LocalInvocationIndex].x;",
      [](uint64_t a, uint64_t b) {
        const std::vector<uint64_t> all = numbers();
        uint64_t t[5];
        for (uint64_t k = 0; k < 5; k++) t[k] = a + k;
        t[b & 3] ^= b;
        const size_t at = size_t(std::find(all.begin(), all.end(), a) - all.begin());
        return all[at ^ 1] + (uint64_t(uint16_t(a)) + a * 2 + (b + 3) + ~uint64_t{0} + t[a % 5]);
      },
      "struct S { uint16_t c; i64vec3 v; uint64_t x; }; shared u64vec2 shared_words[64];\n"
      "uint64_t f(S s) { return uint64_t(s.c) + uint64_t(s.v.x * 2l) + uint64_t(s.v.y) + uint64_t(s.v.z) + s.x; }");
}

TEST(ComputeXWide, Layouts) {
  // Push constants, a uniform block (std140: arrays of 16 bytes), a buffer with vectors of three.
  const std::string code =
      "#version 450\n#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\nlayout(local_size_x = 1) in;\n"
      "layout(binding = 0) uniform U { uint f; uint64_t a; u64vec3 v; uint64_t t[2]; } u;\n"
      "layout(std430, binding = 1) buffer B { uint64_t r[8]; u64vec3 v[2]; };\n"
      "layout(push_constant) uniform P { uint n; uint64_t x; i64vec2 y; } p;\n"
      "void main() { r[0] = u.a; r[1] = u.v.z; r[2] = u.t[p.n]; r[3] = p.x; r[4] = uint64_t(p.y.y); r[5] = uint64_t(u.f); v[p.n] = u.v + "
      "1ul; }\n";
  const std::vector<uint64_t> uniform{7, 0x1122334455667788, 0, 0, 0xA, 0xB00000000, 0xC00000000000, 0, 0xD, 0, 0xE00000000, 0};
  // Blocks: f at 0, a at 8, v at 32, t at 64 and 80.
  std::vector<uint64_t> block(12);
  block[0] = uniform[0], block[1] = uniform[1], block[4] = uniform[4], block[5] = uniform[5], block[6] = uniform[6];
  block[8] = uniform[8], block[10] = uniform[10];
  const ComputeResult r =
      run({code, {words(block), std::vector<uint32_t>(32)}, words({1, 0xFFFFFFFF00000003, 5, 0x8000000000000000}), {1, 1, 1}});
  ASSERT_EQ(r.buffers.size(), 2u);
  const auto at = [&](size_t k) { return uint64_t{r.buffers[1][2 * k + 1]} << 32 | r.buffers[1][2 * k]; };
  EXPECT_EQ(at(0), 0x1122334455667788u);
  EXPECT_EQ(at(1), 0xC00000000000u);
  EXPECT_EQ(at(2), 0xE00000000u);
  EXPECT_EQ(at(3), 0xFFFFFFFF00000003u);
  EXPECT_EQ(at(4), 0x8000000000000000u);
  EXPECT_EQ(at(5), 7u);
  EXPECT_EQ(at(12), 0xBu);
  EXPECT_EQ(at(13), 0xB00000001u);
  EXPECT_EQ(at(14), 0xC00000000001u);
  EXPECT_EQ(at(8), 0u);
}

/// What GLSL cannot say. `body` of SPIR-V gives %r of %a and %b, each of them in a block of its own that goes to %end.
void expect_spirv(const std::string& body, const std::function<uint64_t(uint64_t a, uint64_t b)>& expected) {
  const std::string text = R"(
OpCapability Shader
OpCapability Int64
OpCapability GroupNonUniformArithmetic
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %array ArrayStride 8
OpDecorate %block BufferBlock
OpMemberDecorate %block 0 Offset 0
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 0
OpDecorate %result DescriptorSet 0
OpDecorate %result Binding 1
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%uvec3 = OpTypeVector %uint 3
%u64 = OpTypeInt 64 0
%i64 = OpTypeInt 64 1
%both = OpTypeStruct %u64 %u64
%array = OpTypeRuntimeArray %u64
%block = OpTypeStruct %array
%pblock = OpTypePointer Uniform %block
%pu64 = OpTypePointer Uniform %u64
%pinput = OpTypePointer Input %uvec3
%id = OpVariable %pinput Input
%data = OpVariable %pblock Uniform
%result = OpVariable %pblock Uniform
%c0 = OpConstant %uint 0
%c3 = OpConstant %uint 3
%c6 = OpConstant %uint 6
%c63 = OpConstant %uint 63
%bool = OpTypeBool
%none = OpConstant %u64 0
%one = OpConstant %u64 1
%five = OpConstant %u64 5
%big = OpConstant %u64 0x123456789ABCDEF0
%main = OpFunction %void None %function
%entry = OpLabel
%v = OpLoad %uvec3 %id
%i = OpCompositeExtract %uint %v 0
%low = OpBitwiseAnd %uint %i %c63
%high = OpShiftRightLogical %uint %i %c6
%pa = OpAccessChain %pu64 %data %c0 %low
%pb = OpAccessChain %pu64 %data %c0 %high
%a = OpLoad %u64 %pa
%b = OpLoad %u64 %pb
)" + body + R"(
%pr = OpAccessChain %pu64 %result %c0 %i
OpStore %pr %r
OpReturn
OpFunctionEnd
)";
  EXPECT_EQ(check(body, "", text, expected).buffers.size(), 2u);
}

TEST(ComputeXWide, SwitchesAndPhis) {
  expect_spirv(R"(OpSelectionMerge %end None
OpSwitch %a %other 0 %zero 0x100000000 %high_bit 1 %first 0xFFFFFFFFFFFFFFFF %zero
%high_bit = OpLabel
OpBranch %first
%first = OpLabel
%x = OpPhi %u64 %five %entry %b %high_bit
%y = OpIAdd %u64 %x %five
OpBranch %end
%zero = OpLabel
OpBranch %end
%other = OpLabel
OpBranch %end
%end = OpLabel
%r = OpPhi %u64 %y %first %big %zero %a %other)",
               [](uint64_t a, uint64_t b) -> uint64_t {
                 switch (a) {
                   case 0:
                   case ~uint64_t{0}: return 0x123456789ABCDEF0;
                   case 0x100000000: return b + 5;
                   case 1: return 10;
                   default: return a;
                 }
               });
}

TEST(ComputeXWide, HighWordsAndCarries) {
  expect_spirv(R"(%p = OpUMulExtended %both %a %b
%sp = OpSMulExtended %both %a %b
%s = OpIAddCarry %both %a %b
%d = OpISubBorrow %both %a %b
%ph = OpCompositeExtract %u64 %p 1
%pl = OpCompositeExtract %u64 %p 0
%sh = OpCompositeExtract %u64 %sp 1
%sl = OpCompositeExtract %u64 %s 0
%sc = OpCompositeExtract %u64 %s 1
%db = OpCompositeExtract %u64 %d 1
%sh3 = OpShiftLeftLogical %u64 %sh %c3
%x0 = OpBitwiseXor %u64 %ph %sh3
%x1 = OpBitwiseXor %u64 %x0 %pl
%x2 = OpIAdd %u64 %x1 %sl
%x3 = OpIAdd %u64 %x2 %sc
%db6 = OpShiftLeftLogical %u64 %db %c6
%r = OpIAdd %u64 %x3 %db6)",
               [](uint64_t a, uint64_t b) {
                 const auto p = static_cast<unsigned __int128>(a) * b;
                 const auto s = static_cast<__int128>(int64_t(a)) * int64_t(b);
                 return (uint64_t(p >> 64) ^ uint64_t(s >> 64) << 3 ^ uint64_t(p)) + (a + b) + uint64_t(a + b < a) + (uint64_t(a < b) << 6);
               });
}

TEST(ComputeXWide, SignedRemaindersAndGroups) {
  expect_spirv(R"(%zero64 = OpIEqual %bool %b %none
%divisor = OpSelect %u64 %zero64 %one %b
%q = OpSRem %i64 %a %divisor
%r = OpBitcast %u64 %q)",
               [](uint64_t a, uint64_t b) { return b == ~uint64_t{0} || !b ? 0 : uint64_t(int64_t(a) % int64_t(b)); });
  // Sums over the 16 lanes of a group.
  const std::vector<uint64_t> all = numbers();
  const auto at = [&](uint64_t a) { return size_t(std::find(all.begin(), all.end(), a) - all.begin()); };
  expect_spirv("%r = OpGroupNonUniformIAdd %u64 %c3 Reduce %a", [&](uint64_t a, uint64_t) {
    uint64_t sum = 0;
    for (size_t k = at(a) / 16 * 16, n = 0; n < 16; n++) sum += all[k + n];
    return sum;
  });
  expect_spirv("%r = OpGroupNonUniformSMax %u64 %c3 InclusiveScan %a", [&](uint64_t a, uint64_t) {
    auto most = int64_t(all[at(a) / 16 * 16]);
    for (size_t k = at(a) / 16 * 16; k <= at(a); k++) most = std::max(most, int64_t(all[k]));
    return uint64_t(most);
  });
  expect_spirv("%r = OpGroupNonUniformUMin %u64 %c3 ExclusiveScan %a", [&](uint64_t a, uint64_t) {
    uint64_t least = ~uint64_t{0};
    for (size_t k = at(a) / 16 * 16; k < at(a); k++) least = std::min(least, all[k]);
    return least;
  });
}

}  // namespace
}  // namespace pumice::compiler::testing
