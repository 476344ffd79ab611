// SPDX-License-Identifier: MIT
/// Integers of 8 bits in compute shaders on r5x, against the host's: every pair of awkward and random numbers.
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

using Expected = std::function<uint32_t(int8_t a, int8_t b, uint8_t c, uint8_t d)>;

std::vector<uint8_t> numbers() {
  std::vector<uint8_t> out{0, 1, 2, 3, 4, 5, 7, 8, 10, 15, 16, 31, 32, 63, 64, 100, 126, 127, 128, 129, 130, 200, 240, 248, 253, 254, 255};
  for (unsigned k = 0; out.size() < kNumbers; k++)
    if (const auto x = uint8_t(k * 37 + 11); std::find(out.begin(), out.end(), x) == out.end()) out.push_back(x);
  return out;
}

/// Runs one of both, which computes a word of c = data[i % 64] and d = data[i / 64], on all pairs of numbers().
ComputeResult check(const std::string& what, const std::string& glsl, const std::string& spirv, const Expected& expected) {
  const std::vector<uint8_t> data = numbers();
  std::vector<uint32_t> packed(kNumbers / 4);
  for (uint32_t i = 0; i < kNumbers; i++) packed[i / 4] |= uint32_t{data[i]} << i % 4 * 8;
  const ComputeResult r = run({glsl, {packed, std::vector<uint32_t>(kNumbers * kNumbers)}, {}, {kNumbers, 1, 1}, spirv});
  if (r.buffers.size() < 2) return r;
  unsigned wrong = 0;
  for (uint32_t i = 0; i < kNumbers * kNumbers && wrong < 5; i++) {
    const uint8_t c = data[i & 63], d = data[i >> 6];
    const uint32_t want = expected(std::bit_cast<int8_t>(c), std::bit_cast<int8_t>(d), c, d);
    if (r.buffers[1][i] == want) continue;
    ADD_FAILURE() << std::hex << what << " of " << unsigned{c} << ", " << unsigned{d} << " is " << r.buffers[1][i] << ", not " << want;
    wrong++;
  }
  return r;
}

/// `body` computes `uint r` of `uint8_t c, d` and `int8_t a, b` with their bits.
void expect(const std::string& body, const Expected& expected, const std::string& globals = "") {
  const std::string code =
      "#version 450\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
      "layout(local_size_x = 64) in;\nlayout(std430, binding = 0) readonly buffer A { uint8_t data[]; };\n"
      "layout(std430, binding = 1) buffer B { uint result[]; };\n" +
      globals +
      "\nvoid main() {\n  uint i = gl_GlobalInvocationID.x, r = 0u;\n  uint8_t c = data[i & 63u], d = data[i >> 6];\n"
      "  int8_t a = int8_t(c), b = int8_t(d);\n" +
      body + "\n  result[i] = r;\n}\n";
  EXPECT_EQ(check(body, code, "", expected).buffers.size(), 2u);
}

struct Expression {
  const char* glsl;
  Expected expected;
};
void expect_all(std::initializer_list<Expression> all) {
  for (const Expression& e : all) {
    SCOPED_TRACE(e.glsl);
    expect("r = " + std::string(e.glsl) + ";", e.expected);
  }
}

uint32_t word(int x) { return uint32_t(int32_t{int8_t(x)}); }
uint32_t byte(int x) { return uint8_t(x); }

TEST(ComputeXByte, Arithmetic) {
  expect_all({
      {"uint(a + b)", [](auto a, auto b, auto, auto) { return word(a + b); }},
      {"uint(c - d)", [](auto, auto, auto c, auto d) { return byte(c - d); }},
      {"uint(a * b)", [](auto a, auto b, auto, auto) { return word(a * b); }},
      {"uint(c * d)", [](auto, auto, auto c, auto d) { return byte(c * d); }},
      {"uint(-a)", [](auto a, auto, auto, auto) { return word(-a); }},
      {"uint(-c)", [](auto, auto, auto c, auto) { return byte(-c); }},
      {"b == int8_t(0) ? 7u : uint(a / b)", [](auto a, auto b, auto, auto) { return b ? word(a / b) : 7u; }},
      {"d == uint8_t(0) ? 7u : uint(c / d)", [](auto, auto, auto c, auto d) { return d ? byte(c / d) : 7u; }},
      {"d == uint8_t(0) ? 7u : uint(c % d)", [](auto, auto, auto c, auto d) { return d ? byte(c % d) : 7u; }},
      {"uint((c + d) / uint8_t(3))", [](auto, auto, auto c, auto d) { return byte(uint8_t(c + d) / 3); }},
      {"uint(~c)", [](auto, auto, auto c, auto) { return byte(~c); }},
      {"uint(~a ^ b)", [](auto a, auto b, auto, auto) { return word(~a ^ b); }},
      {"uint(c & d | uint8_t(9))", [](auto, auto, auto c, auto d) { return byte((c & d) | 9); }},
      {"uint(a << (c & uint8_t(7)))", [](auto a, auto, auto c, auto) { return word(a << (c & 7)); }},
      {"uint((c + d) << int8_t(3))", [](auto, auto, auto c, auto d) { return byte((c + d) << 3); }},
      {"uint((a + b) >> 3)", [](auto a, auto b, auto, auto) { return word(int8_t(a + b) >> 3); }},
      {"uint((c + d) >> (d & uint8_t(7)))", [](auto, auto, auto c, auto d) { return byte(uint8_t(c + d) >> (d & 7)); }},
      {"uint(a < b) + 2u * uint(c < d) + 4u * uint(a == b) + 8u * uint(c >= d) + 16u * uint(a != b) + 32u * uint(a > b) + 64u * uint(c <= "
       "d) + 128u * uint(a >= b)",
       [](auto a, auto b, auto c, auto d) {
         return (a < b) + 2u * (c < d) + 4u * (a == b) + 8u * (c >= d) + 16u * (a != b) + 32u * (a > b) + 64u * (c <= d) + 128u * (a >= b);
       }},
      {"uint(a + b == int8_t(c + d)) + 2u * uint(a + b < int8_t(0)) + 4u * uint(c + d > uint8_t(127))",
       [](auto, auto, auto c, auto d) { return 1u + (uint8_t(c + d) > 127 ? 6u : 0u); }},
  });
}

TEST(ComputeXByte, Functions) {
  expect_all({
      {"uint(abs(a))", [](auto a, auto, auto, auto) { return word(a < 0 ? -a : a); }},
      {"uint(sign(a))", [](auto a, auto, auto, auto) { return word((a > 0) - (a < 0)); }},
      {"uint(min(a, b)) ^ uint(max(c, d)) << 8",
       [](auto a, auto b, auto c, auto d) { return word(std::min(a, b)) ^ byte(std::max(c, d)) << 8; }},
      {"uint(max(a, b)) ^ uint(min(c, d)) << 8",
       [](auto a, auto b, auto c, auto d) { return word(std::max(a, b)) ^ byte(std::min(c, d)) << 8; }},
      {"uint(clamp(a, int8_t(-100), int8_t(100)))", [](auto a, auto, auto, auto) { return word(std::clamp<int>(a, -100, 100)); }},
      {"uint(clamp(c, uint8_t(10), uint8_t(200)))", [](auto, auto, auto c, auto) { return byte(std::clamp<int>(c, 10, 200)); }},
      {"uint(mix(a, b, c > d))", [](auto a, auto b, auto c, auto d) { return word(c > d ? b : a); }},
  });
  const std::string ldexp =
      "#extension GL_EXT_spirv_intrinsics : require\n"
      "spirv_instruction(set = \"GLSL.std.450\", id = 53) float scaled(float x, int8_t exponent);\n"
      "spirv_instruction(set = \"GLSL.std.450\", id = 53) float scaled_by_bits(float x, uint8_t exponent);\n";
  for (const char* body : {"r = floatBitsToUint(scaled(1.5, a));", "r = floatBitsToUint(scaled_by_bits(1.5, c));"})
    expect(
        body, [](auto a, auto, auto, auto) { return std::bit_cast<uint32_t>(a < -126 ? 0.0f : std::ldexp(1.5f, a)); }, ldexp);
}

TEST(ComputeXByte, Conversions) {
  expect_all({
      {"uint(int8_t(c)) ^ uint(uint8_t(b)) << 8", [](auto a, auto, auto, auto d) { return word(a) ^ byte(d) << 8; }},
      {"uint(int16_t(a) * int16_t(b))", [](auto a, auto b, auto, auto) { return uint32_t(int32_t{int16_t(a * b)}); }},
      {"uint(uint16_t(c) * uint16_t(d))", [](auto, auto, auto c, auto d) { return uint32_t(c * d); }},
      {"uint(uint16_t(a))", [](auto a, auto, auto, auto) { return uint32_t(uint16_t(int16_t{a})); }},
      {"uint(uint8_t(uint(c) * 1000u + uint(d)))", [](auto, auto, auto c, auto d) { return byte(c * 1000 + d); }},
      {"uint(int8_t(int16_t(c) * 257s + int16_t(d)))", [](auto, auto, auto c, auto d) { return word(c * 257 + d); }},
      {"uint(uint64_t(int64_t(a) * 0x100000001l) >> 32)",
       [](auto a, auto, auto, auto) { return uint32_t(uint64_t(int64_t{a} * 0x100000001) >> 32); }},
      {"uint(int8_t(uint64_t(c) * 0x0101010101ul + uint64_t(d)))", [](auto, auto, auto c, auto d) { return word(c + d); }},
      {"floatBitsToUint(float(a) * 0.5 + float(c))",
       [](auto a, auto, auto c, auto) { return std::bit_cast<uint32_t>(float(a) * 0.5f + float(c)); }},
      {"uint(int8_t(float(b) * 0.7))", [](auto, auto b, auto, auto) { return word(int(float(b) * 0.7f)); }},
      {"uint(uint8_t(float(c) * 0.7))", [](auto, auto, auto c, auto) { return byte(int(float(c) * 0.7f)); }},
      {"uint(int8_t(double(b) * 0.7lf) + int8_t(double(c) - 128.0lf))",
       [](auto, auto b, auto c, auto) { return word(int(double(b) * 0.7) + c - 128); }},
      {"uint(bool(c)) + 2u * uint(uint8_t(c > d))", [](auto, auto, auto c, auto d) { return uint32_t(c != 0) + 2u * (c > d); }},
      {"pack32(u8vec4(c, d, c + d, c * d))",
       [](auto, auto, auto c, auto d) { return byte(c) | byte(d) << 8 | byte(c + d) << 16 | byte(c * d) << 24; }},
      {"uint(unpack8(uint(c) << 24 | uint(d) << 8).w) + uint(unpack8(int(uint(d) << 8)).y) * 256u",
       [](auto, auto b, auto c, auto) { return byte(c) + word(b) * 256; }},
      {"uint(pack16(i8vec2(a, b)))", [](auto, auto, auto c, auto d) { return uint32_t(int32_t(int16_t(c | d << 8))); }},
      {"uint(unpack8(uint16_t(uint(c) * 256u + uint(d))).y)", [](auto, auto, auto c, auto) { return byte(c); }},
  });
  // Eight bytes of a number of 64 bits, which GLSL has no types for, by way of two vectors.
  expect(
      "u16vec4 h = unpack16(uint64_t(c) << 56 | uint64_t(d) << 40 | 0x1234ul); u8vec2 x = unpack8(h.w), y = unpack8(h.z); r = "
      "pack32(u8vec4(x, y));",
      [](auto, auto, auto c, auto d) { return byte(c) << 8 | byte(d) << 24; });
}

TEST(ComputeXByte, VariablesAndMemory) {
  expect(
      "int8_t list[4] = {a, b, a + int8_t(1), int8_t(-7)}; list[d & uint8_t(1)] += a; u8vec3 v = u8vec3(c, d, c + d); v[c & uint8_t(1)] ^= "
      "uint8_t(0xF0);"
      "r = uint(list[c & uint8_t(3)]) ^ uint(v.x) << 8 ^ uint(v.y) << 16 ^ uint(v.z) << 24;",
      [](auto a, auto b, auto c, auto d) {
        std::array<int, 4> list{a, b, a + 1, -7};
        list[d & 1] += a;
        std::array<uint32_t, 3> v{c, d, byte(c + d)};
        v[c & 1] ^= 0xF0;
        return word(list[c & 3]) ^ v[0] << 8 ^ v[1] << 16 ^ v[2] << 24;
      });
  // Each invocation has a byte of its own in words that it shares with others.
  expect(
      "all[gl_LocalInvocationIndex] = S(a * b, u8vec3(c, d, c - d)); bytes[gl_LocalInvocationIndex] = c + uint8_t(1); barrier();"
      "r = uint(f(all[gl_LocalInvocationIndex])) ^ uint(bytes[gl_LocalInvocationIndex ^ 1u]) << 8;",
      [](auto a, auto b, auto c, auto d) {
        const std::vector<uint8_t> data = numbers();
        const auto at = size_t(std::find(data.begin(), data.end(), c) - data.begin());
        return word(int8_t(a * b) + c + d * 3 + (c - d)) ^ byte(data[at ^ 1] + 1) << 8;
      },
      "struct S { int8_t x; u8vec3 v; }; shared S all[64]; shared uint8_t bytes[64];\n"
      "int8_t f(S s) { return s.x + int8_t(s.v.x + s.v.y * uint8_t(3) + s.v.z); }");
  expect(
      "uint8_t x = c; for (int8_t k = int8_t(0); k < (b & int8_t(15)); k++) { x = x * uint8_t(3) + uint8_t(k); if (x > uint8_t(200)) "
      "break; } r = uint(x);",
      [](auto, auto b, auto c, auto) {
        uint8_t x = c;
        for (int k = 0; k < (b & 15); k++) {
          x = uint8_t(x * 3 + k);
          if (x > 200) break;
        }
        return byte(x);
      });
}

/// What GLSL cannot say. `body` of SPIR-V gives the word %r of the bytes %c and %d.
void expect_spirv(const std::string& body, const Expected& expected) {
  const std::string text = R"(
OpCapability Shader
OpCapability Int8
OpCapability StorageBuffer8BitAccess
OpExtension "SPV_KHR_8bit_storage"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %array ArrayStride 1
OpDecorate %words ArrayStride 4
OpDecorate %block Block
OpDecorate %wblock Block
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %wblock 0 Offset 0
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 0
OpDecorate %result DescriptorSet 0
OpDecorate %result Binding 1
%void = OpTypeVoid
%function = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%uvec3 = OpTypeVector %uint 3
%u8 = OpTypeInt 8 0
%i8 = OpTypeInt 8 1
%both = OpTypeStruct %u8 %u8
%sboth = OpTypeStruct %i8 %i8
%array = OpTypeRuntimeArray %u8
%words = OpTypeRuntimeArray %uint
%block = OpTypeStruct %array
%wblock = OpTypeStruct %words
%pblock = OpTypePointer StorageBuffer %block
%pwblock = OpTypePointer StorageBuffer %wblock
%pu8 = OpTypePointer StorageBuffer %u8
%puint = OpTypePointer StorageBuffer %uint
%pinput = OpTypePointer Input %uvec3
%id = OpVariable %pinput Input
%data = OpVariable %pblock StorageBuffer
%result = OpVariable %pwblock StorageBuffer
%c0 = OpConstant %uint 0
%c6 = OpConstant %uint 6
%c8 = OpConstant %uint 8
%c16 = OpConstant %uint 16
%c24 = OpConstant %uint 24
%c63 = OpConstant %uint 63
%none = OpConstant %u8 0
%one = OpConstant %u8 1
%minus = OpConstant %i8 -1
%five = OpConstant %u8 5
%ninety = OpConstant %i8 90
%sum = OpSpecConstantOp %i8 IAdd %ninety %ninety
%main = OpFunction %void None %function
%entry = OpLabel
%v = OpLoad %uvec3 %id
%i = OpCompositeExtract %uint %v 0
%low = OpBitwiseAnd %uint %i %c63
%high = OpShiftRightLogical %uint %i %c6
%pc = OpAccessChain %pu8 %data %c0 %low
%pd = OpAccessChain %pu8 %data %c0 %high
%c = OpLoad %u8 %pc
%d = OpLoad %u8 %pd
%a = OpBitcast %i8 %c
%b = OpBitcast %i8 %d
)" + body + R"(
%pr = OpAccessChain %puint %result %c0 %i
OpStore %pr %r
OpReturn
OpFunctionEnd
)";
  EXPECT_EQ(check(body, "", text, expected).buffers.size(), 2u);
}

TEST(ComputeXByte, SwitchesAndConstants) {
  expect_spirv(R"(OpSelectionMerge %end None
OpSwitch %a %other -1 %first 127 %second -128 %first
%first = OpLabel
OpBranch %end
%second = OpLabel
OpBranch %end
%other = OpLabel
OpBranch %end
%end = OpLabel
%x = OpPhi %i8 %minus %first %sum %second %b %other
%r = OpSConvert %uint %x)",
               [](auto a, auto b, auto, auto) { return a == -1 || a == -128 ? word(-1)
                                                       : a == 127           ? word(180)
                                                                            : word(b); });
}

/// Operands may have the other signedness: the instruction says what they mean.
TEST(ComputeXByte, SignednessOfInstructions) {
  expect_spirv(R"(%zero = OpIEqual %bool %d %none
%divisor = OpSelect %u8 %zero %five %d
%q = OpSDiv %u8 %c %divisor
%m = OpSRem %u8 %c %divisor
%uq = OpShiftRightLogical %u8 %a %one
%sh = OpShiftRightArithmetic %u8 %c %one
%less = OpSLessThan %bool %c %d
%s = OpSelect %u8 %less %sh %uq
%w0 = OpUConvert %uint %q
%w1 = OpUConvert %uint %m
%w2 = OpUConvert %uint %s
%w3 = OpSConvert %uint %c
%s1 = OpShiftLeftLogical %uint %w1 %c8
%s2 = OpShiftLeftLogical %uint %w2 %c16
%s3 = OpShiftLeftLogical %uint %w3 %c24
%o1 = OpBitwiseOr %uint %w0 %s1
%o2 = OpBitwiseOr %uint %o1 %s2
%r = OpBitwiseOr %uint %o2 %s3)",
               [](auto a, auto b, auto c, auto) {
                 const int divisor = b ? b : 5;
                 return byte(a / divisor) | byte(a % divisor) << 8 | byte(a < b ? a >> 1 : int(c >> 1)) << 16 | byte(c) << 24;
               });
}

TEST(ComputeXByte, HighBytesAndCarries) {
  expect_spirv(R"(%p = OpUMulExtended %both %c %d
%sp = OpSMulExtended %sboth %a %b
%s = OpIAddCarry %both %c %d
%t = OpISubBorrow %both %c %d
%ph = OpCompositeExtract %u8 %p 1
%pl = OpCompositeExtract %u8 %p 0
%sh = OpCompositeExtract %i8 %sp 1
%sl = OpCompositeExtract %u8 %s 0
%sc = OpCompositeExtract %u8 %s 1
%tl = OpCompositeExtract %u8 %t 0
%tb = OpCompositeExtract %u8 %t 1
%x0 = OpIAdd %u8 %pl %sl
%x1 = OpBitwiseXor %u8 %tl %sc
%w0 = OpUConvert %uint %ph
%w1 = OpUConvert %uint %x0
%w2 = OpUConvert %uint %x1
%w3 = OpSConvert %uint %sh
%w4 = OpUConvert %uint %tb
%s1 = OpShiftLeftLogical %uint %w1 %c8
%s2 = OpShiftLeftLogical %uint %w2 %c16
%s3 = OpShiftLeftLogical %uint %w3 %c24
%o1 = OpBitwiseOr %uint %w0 %s1
%o2 = OpBitwiseOr %uint %o1 %s2
%o3 = OpBitwiseOr %uint %o2 %s3
%r = OpIAdd %uint %o3 %w4)",
               [](auto a, auto b, auto c, auto d) {
                 return (byte(c * d >> 8) | byte(c * d + c + d) << 8 | byte((c - d) ^ (c + d > 255)) << 16 | byte(a * b >> 8) << 24) +
                        (c < d);
               });
}

}  // namespace
}  // namespace pumice::compiler::testing
