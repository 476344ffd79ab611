// SPDX-License-Identifier: MIT
/// Compute shaders on r5x, from GLSL to what a dispatch leaves in a storage buffer, against values computed here.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <spirv-tools/libspirv.hpp>

#include "compiler/compiler.h"
#include "compiler/us/machine.h"
#include "tests/compiler/glsl.h"
#include "tests/compiler/us/x_rig.h"

namespace pumice::compiler::testing {
namespace {

constexpr uint32_t kInvocations = 64;

/// `body` computes `uint r` from `uint i`, the invocation's number, with binding 0 as `uint data[]`; binding 1 gets r.
std::string shader(const std::string& body, const std::string& globals = "") {
  return "#version 450\nlayout(local_size_x = 64) in;\nlayout(std430, binding = 0) buffer A { uint data[]; };\n"
         "layout(std430, binding = 1) buffer B { uint result[]; };\n" +
         globals + "\nvoid main() {\n  uint i = gl_GlobalInvocationID.x;\n  uint r = 0u;\n" + body + "\n  result[i] = r;\n}\n";
}

/// Awkward numbers first.
std::vector<uint32_t> numbers(size_t n = kInvocations) {
  std::vector<uint32_t> out{0, 1, 2, 3, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF, 0xFFFFFFFE, 127, 128, 255, 0x12345678, 31, 32, 33};
  uint32_t x = 2463534242u;
  while (out.size() < n) {
    x ^= x << 13, x ^= x >> 17, x ^= x << 5;
    out.push_back(x);
  }
  return out;
}

ComputeResult expect(const std::string& body, const std::function<uint32_t(uint32_t i, const std::vector<uint32_t>& data)>& expected,
                     const std::string& globals = "") {
  const std::vector<uint32_t> data = numbers();
  const ComputeResult result = run({shader(body, globals), {data, std::vector<uint32_t>(kInvocations)}, {}, {1, 1, 1}});
  if (result.buffers.size() < 2) return result;
  for (uint32_t i = 0; i < kInvocations; i++) EXPECT_EQ(result.buffers[1][i], expected(i, data)) << "invocation " << i << body;
  return result;
}

uint32_t bits(float f) { return std::bit_cast<uint32_t>(f); }
uint32_t other(uint32_t i, const std::vector<uint32_t>& d) { return d[(i * 7 + 3) % kInvocations]; }

struct Expression {
  const char* glsl;  ///< of uint a, b
  std::function<uint32_t(uint32_t a, uint32_t b)> expected;
};

TEST(ComputeX, IntegerExpressions) {
  const Expression all[] = {
      {"a + b", [](uint32_t a, uint32_t b) { return a + b; }},
      {"a - b", [](uint32_t a, uint32_t b) { return a - b; }},
      {"a * b", [](uint32_t a, uint32_t b) { return a * b; }},
      {"b == 0u ? 5u : a / b", [](uint32_t a, uint32_t b) { return b ? a / b : 5; }},
      {"b == 0u ? 5u : a % b", [](uint32_t a, uint32_t b) { return b ? a % b : 5; }},
      {"uint(int(a) / 7)", [](uint32_t a, uint32_t) { return uint32_t(int32_t(a) / 7); }},
      {"uint(int(a) / -8)", [](uint32_t a, uint32_t) { return uint32_t(int32_t(a) / -8); }},
      {"a & b", [](uint32_t a, uint32_t b) { return a & b; }},
      {"a | ~b", [](uint32_t a, uint32_t b) { return a | ~b; }},
      {"a ^ b ^ 0xF00Fu", [](uint32_t a, uint32_t b) { return a ^ b ^ 0xF00F; }},
      {"a << (b & 31u)", [](uint32_t a, uint32_t b) { return a << (b & 31); }},
      {"a >> (b & 31u)", [](uint32_t a, uint32_t b) { return a >> (b & 31); }},
      {"uint(int(a) >> int(b & 31u))", [](uint32_t a, uint32_t b) { return uint32_t(int32_t(a) >> (b & 31)); }},
      {"uint(-int(a))", [](uint32_t a, uint32_t) { return 0 - a; }},
      {"uint(abs(int(a)))", [](uint32_t a, uint32_t) { return int32_t(a) < 0 ? 0 - a : a; }},
      {"uint(sign(int(a)))", [](uint32_t a, uint32_t) { return uint32_t(int32_t(a) > 0) - uint32_t(int32_t(a) < 0); }},
      {"min(a, b) + uint(max(int(a), int(b)))",
       [](uint32_t a, uint32_t b) { return std::min(a, b) + uint32_t(std::max(int32_t(a), int32_t(b))); }},
      {"uint(a < b) + 2u * uint(int(a) < int(b)) + 4u * uint(a == b) + 8u * uint(a >= b)",
       [](uint32_t a, uint32_t b) { return (a < b) + 2u * (int32_t(a) < int32_t(b)) + 4u * (a == b) + 8u * (a >= b); }},
      {"(a < b) != (int(a) > int(b)) ? a : b", [](uint32_t a, uint32_t b) { return (a < b) != (int32_t(a) > int32_t(b)) ? a : b; }},
      {"uint(bitCount(a)) + 100u * uint(findLSB(b))",
       [](uint32_t a, uint32_t b) { return uint32_t(std::popcount(a)) + 100u * uint32_t(b ? std::countr_zero(b) : -1); }},
      {"uint(findMSB(a))", [](uint32_t a, uint32_t) { return uint32_t(31 - std::countl_zero(a)); }},
      {"uint(findMSB(int(a)))", [](uint32_t a, uint32_t) { return uint32_t(31 - std::countl_zero(int32_t(a) < 0 ? ~a : a)); }},
      {"bitfieldReverse(a)",
       [](uint32_t a, uint32_t) {
         uint32_t r = 0;
         for (int k = 0; k < 32; k++) r |= (a >> k & 1) << (31 - k);
         return r;
       }},
      {"bitfieldExtract(a, 5, 9)", [](uint32_t a, uint32_t) { return a >> 5 & 511; }},
      {"uint(bitfieldExtract(int(a), 20, 12))", [](uint32_t a, uint32_t) { return uint32_t(int32_t(a) >> 20); }},
      {"bitfieldInsert(a, b, 3, 11)", [](uint32_t a, uint32_t b) { return (a & ~(2047u << 3)) | (b & 2047) << 3; }},
      {"uint(int(b) == 0 ? 1 : int(a & 0xFFFFu) - 30000) ", [](uint32_t a, uint32_t b) { return b ? (a & 0xFFFF) - 30000 : 1; }},
  };
  for (const Expression& e : all) {
    SCOPED_TRACE(e.glsl);
    expect("uint a = data[i], b = data[(i * 7u + 3u) % 64u]; r = " + std::string(e.glsl) + ";",
           [&](uint32_t i, const auto& d) { return e.expected(d[i], other(i, d)); });
  }
}

TEST(ComputeX, WideResults) {
  expect(
      "uint hi, lo; umulExtended(data[i], data[(i * 7u + 3u) % 64u], hi, lo); int sh, sl; imulExtended(int(data[i]), -77777, sh, sl);"
      "uint c; uint s = uaddCarry(data[i], 0x80000001u, c); uint w; uint t = usubBorrow(data[i], 5u, w); r = hi ^ lo * 3u ^ uint(sh) ^ s ^ "
      "t ^ c << 7 ^ w << 9;",
      [](uint32_t i, const auto& d) {
        const uint64_t p = uint64_t{d[i]} * other(i, d);
        const int64_t q = int64_t{int32_t(d[i])} * -77777;
        return uint32_t(p >> 32) ^ uint32_t(p) * 3 ^ uint32_t(q >> 32) ^ (d[i] + 0x80000001u) ^ (d[i] - 5) ^
               uint32_t((uint64_t{d[i]} + 0x80000001u) >> 32) << 7 ^ uint32_t(d[i] < 5) << 9;
      });
}

TEST(ComputeX, Floats) {
  expect("float f = float(int(data[i])); r = floatBitsToUint(f / 3.0);",
         [](uint32_t i, const auto& d) { return bits(float(int32_t(d[i])) / 3.0f); });
  expect("r = uint(float(data[i] >> 8) * 0.5) + uint(int(-float(data[i] & 0xFFFFu) - 0.5));",
         [](uint32_t i, const auto& d) { return uint32_t(float(d[i] >> 8) * 0.5f) + uint32_t(int32_t(-float(d[i] & 0xFFFF) - 0.5f)); });
  expect(
      "float f = float(i) * 0.37 - 9.0; r = uint(int(floor(f))) + 1000u * uint(int(ceil(f))) + 77u * uint(int(roundEven(f))) ^ "
      "uint(int(trunc(f)));",
      [](uint32_t i, const auto&) {
        const float f = std::fma(float(i), 0.37f, -9.0f);
        return (uint32_t(int32_t(std::floor(f))) + 1000u * uint32_t(int32_t(std::ceil(f))) + 77u * uint32_t(int32_t(std::nearbyint(f)))) ^
               uint32_t(int32_t(std::trunc(f)));
      });
  expect("r = floatBitsToUint(sqrt(float(i)));", [](uint32_t i, const auto&) { return bits(std::sqrt(float(i))); });
  expect("float f = uintBitsToFloat(data[i] & 0x7FFFFFu | 0x3F800000u); r = floatBitsToUint(i % 3u == 0u ? -f : abs(f - 2.0));",
         [](uint32_t i, const auto& d) {
           const float f = std::bit_cast<float>((d[i] & 0x7FFFFF) | 0x3F800000);
           return bits(i % 3 == 0 ? -f : std::fabs(f - 2.0f));
         });
  expect("r = packHalf2x16(vec2(float(i) * 0.25, -1.5)) ^ uint(unpackHalf2x16(0x3C00C000u).x);", [](uint32_t i, const auto&) {
    // Quarters below 16 are exact: sign 0, exponent, ten bits.
    const float f = float(i) * 0.25f;
    uint32_t h = 0;
    if (f > 0) h = ((bits(f) >> 23) - 112) << 10 | (bits(f) >> 13 & 1023);
    return (h | 0xBE00u << 16) ^ 0u;
  });
}

/// 16-bit integers wrap, and are extended as the instruction means them.
TEST(ComputeX, ShortIntegers) {
  struct Short {
    const char* glsl;  ///< of int16_t a, b, uint16_t c, d with their bits
    std::function<uint32_t(int16_t a, int16_t b, uint16_t c, uint16_t d)> expected;
  };
  const auto word = [](int16_t x) { return uint32_t(int32_t{x}); };
  const Short all[] = {
      {"uint(int(a + b))", [&](auto a, auto b, auto, auto) { return word(int16_t(a + b)); }},
      {"uint(c - d)", [](auto, auto, auto c, auto d) { return uint32_t(uint16_t(c - d)); }},
      {"uint(int(a * b))", [&](auto a, auto b, auto, auto) { return word(int16_t(a * b)); }},
      {"uint(c * d)", [](auto, auto, auto c, auto d) { return uint32_t(uint16_t(uint32_t{c} * d)); }},
      {"b == 0s ? 7u : uint(int(a / b))", [&](auto a, auto b, auto, auto) { return b ? word(int16_t(a / b)) : 7u; }},
      {"d == 0us ? 7u : uint(c % d)", [](auto, auto, auto c, auto d) { return d ? uint32_t(c % d) : 7u; }},
      {"uint(int(-a))", [&](auto a, auto, auto, auto) { return word(int16_t(-a)); }},
      {"uint(~c)", [](auto, auto, auto c, auto) { return uint32_t(uint16_t(~c)); }},
      {"uint(int(~a ^ b))", [&](auto a, auto b, auto, auto) { return word(int16_t(~a ^ b)); }},
      {"uint(int(a << 5))", [&](auto a, auto, auto, auto) { return word(int16_t(a << 5)); }},
      {"uint(int(a >> 3))", [&](auto a, auto, auto, auto) { return word(int16_t(a >> 3)); }},
      {"uint(c >> 3)", [](auto, auto, auto c, auto) { return uint32_t(c >> 3); }},
      {"uint(a < b) + 2u * uint(c < d) + 4u * uint(a == b) + 8u * uint(c >= d) + 16u * uint(a != b)",
       [](auto a, auto b, auto c, auto d) { return (a < b) + 2u * (c < d) + 4u * (a == b) + 8u * (c >= d) + 16u * (a != b); }},
      {"uint(int(abs(a)))", [&](auto a, auto, auto, auto) { return word(int16_t(a < 0 ? -a : a)); }},
      {"uint(int(sign(a)))", [&](auto a, auto, auto, auto) { return word(int16_t((a > 0) - (a < 0))); }},
      {"uint(int(min(a, b))) ^ uint(max(c, d))", [&](auto a, auto b, auto c, auto d) { return word(std::min(a, b)) ^ std::max(c, d); }},
      {"uint(int(clamp(a, -100s, 100s)))", [&](auto a, auto, auto, auto) { return word(std::clamp<int16_t>(a, -100, 100)); }},
      {"uint(int(int16_t(c)))", [&](auto, auto, auto c, auto) { return word(int16_t(c)); }},
      {"uint(uint16_t(a))", [](auto a, auto, auto, auto) { return uint32_t(uint16_t(a)); }},
      {"floatBitsToUint(float(a) + float(c))", [](auto a, auto, auto c, auto) { return bits(float(a) + float(c)); }},
      {"uint(int(int16_t(float(b) * 0.5)))", [&](auto, auto b, auto, auto) { return word(int16_t(float(b) * 0.5f)); }},
      {"packUint2x16(u16vec2(c, d))", [](auto, auto, auto c, auto d) { return uint32_t{d} << 16 | c; }},
      {"uint(int(unpackInt2x16(int(uint(c) << 16 | uint(d))).y))", [&](auto, auto, auto c, auto) { return word(int16_t(c)); }},
      {"uint(int(list[c & 3us]))",
       [&](auto a, auto b, auto c, auto) {
         return word(std::array{a, b, int16_t(a + 1), int16_t(-7)}[c & 3]);
       }},
  };
  const std::vector<uint32_t> data = numbers();
  for (const Short& e : all) {
    SCOPED_TRACE(e.glsl);
    std::string code = shader(
        "uint16_t c = uint16_t(data[i]), d = uint16_t(data[(i * 7u + 3u) % 64u]); int16_t a = int16_t(c), b = int16_t(d);\n"
        "int16_t list[4] = {a, b, a + 1s, -7s}; r = " +
        std::string(e.glsl) + ";");
    code.insert(code.find('\n') + 1, "#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require\n");
    const ComputeResult r = run({code, {data, std::vector<uint32_t>(kInvocations)}, {}, {1, 1, 1}});
    ASSERT_EQ(r.buffers.size(), 2u);
    for (uint32_t i = 0; i < kInvocations; i++) {
      const auto c = uint16_t(data[i]), d = uint16_t(other(i, data));
      EXPECT_EQ(r.buffers[1][i], e.expected(int16_t(c), int16_t(d), c, d)) << "invocation " << i;
    }
  }
}

/// Ratios of numbers whose reciprocals are not numbers.
TEST(ComputeX, ArcTangentOfExtremes) {
  constexpr float kLargest = std::numeric_limits<float>::max(), kSmallest = std::numeric_limits<float>::min();
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  const float extremes[] = {0, kSmallest, 1.5f * kSmallest, 1e-30f, 1, 1e30f, 0.75f * kLargest, kLargest, kInfinite};
  constexpr uint32_t kCount = std::size(extremes);
  std::vector<uint32_t> data(kInvocations);
  std::ranges::transform(extremes, data.begin(), bits);
  for (uint32_t k = 0; k < kCount; ++k) {
    const std::string n = std::to_string(k);
    const ComputeResult r = run({shader("r = floatBitsToUint(atan(uintBitsToFloat(data[" + n + "]), -uintBitsToFloat(data[i])));"),
                                 {data, std::vector<uint32_t>(kInvocations)},
                                 {},
                                 {1, 1, 1}});
    ASSERT_EQ(r.buffers.size(), 2u);
    for (uint32_t i = 0; i < kCount; ++i) {
      if (!k && !i) continue;  // undefined
      const double expected = std::atan2(double{extremes[k]}, -double{extremes[i]});
      EXPECT_NEAR(std::bit_cast<float>(r.buffers[1][i]), expected, 2.4e-4 * std::fabs(expected)) << extremes[k] << " " << extremes[i];
    }
  }
}

/// The half turn has the sign of y even where y is a zero or flushed to one.
TEST(ComputeX, ArcTangentOfNegativeZeros) {
  const uint32_t tiny[] = {0, 0x80000000, 1, 0x80000001, 0x007FFFFF, 0x807FFFFF, bits(1e-30f), bits(-1e-30f)};
  for (const uint32_t y : tiny) {
    SCOPED_TRACE(y);
    const auto angle = [&](const std::string& glsl) {
      const ComputeResult r = run({shader("float y = uintBitsToFloat(data[i]); r = floatBitsToUint(" + glsl + ");"),
                                   {std::vector<uint32_t>(kInvocations, y), std::vector<uint32_t>(kInvocations)},
                                   {},
                                   {1, 1, 1}});
      return r.buffers.size() < 2 ? std::nanf("") : std::bit_cast<float>(r.buffers[1][5]);
    };
    const float half_turn = std::copysign(3.14159265f, std::bit_cast<float>(y));
    EXPECT_FLOAT_EQ(angle("atan(y, -2.5)"), half_turn);
    EXPECT_FLOAT_EQ(angle("atan(-y, -2.5)"), -half_turn);
    EXPECT_FLOAT_EQ(angle("atan(abs(y), -2.5)"), std::fabs(half_turn));
    EXPECT_NEAR(angle("atan(y, 2.5)"), 0.0f, 1e-29f);
  }
}

TEST(ComputeX, ControlFlow) {
  expect("for (uint k = 0u; k < (data[i] & 31u); k++) { if ((k & 1u) == 0u) continue; if (k > 20u) break; r += k * i; }",
         [](uint32_t i, const auto& d) {
           uint32_t r = 0;
           for (uint32_t k = 0; k < (d[i] & 31); k++) {
             if ((k & 1) == 0) continue;
             if (k > 20) break;
             r += k * i;
           }
           return r;
         });
  expect("uint n = i; while (n != 1u && r < 200u) { n = (n & 1u) == 1u ? n * 3u + 1u : n / 2u; r++; if (n == 0u) break; }",
         [](uint32_t i, const auto&) {
           uint32_t n = i, r = 0;
           while (n != 1 && r < 200) {
             n = n & 1 ? n * 3 + 1 : n / 2;
             r++;
             if (n == 0) break;
           }
           return r;
         });
  expect(
      "switch (i % 6u) { case 0u: r = 7u; break; case 1u: r = 3u; case 2u: r += 5u; break; case 4u: for (uint k = 0u; k < i; k++) { if (k "
      "== 9u) break; r += 2u; } break; "
      "default: r = i; }",
      [](uint32_t i, const auto&) {
        uint32_t r = 0;
        switch (i % 6) {
          case 0: r = 7; break;
          case 1: r = 3; [[fallthrough]];
          case 2: r += 5; break;
          case 4:
            for (uint32_t k = 0; k < i && k != 9; k++) r += 2;
            break;
          default: r = i;
        }
        return r;
      });
  expect(
      "for (uint a = 0u; a < i; a++) { for (uint b = a; b < i; b++) { if (a * b > 900u) break; if (((a ^ b) & 3u) == 1u) continue; r += a "
      "* b; } if (r > 20000u) break; }",
      [](uint32_t i, const auto&) {
        uint32_t r = 0;
        for (uint32_t a = 0; a < i; a++) {
          for (uint32_t b = a; b < i; b++) {
            if (a * b > 900) break;
            if (((a ^ b) & 3) == 1) continue;
            r += a * b;
          }
          if (r > 20000) break;
        }
        return r;
      });
  // More rounds than a strict loop has.
  expect("for (uint k = 0u; k < 100000u + i; k++) r += k;", [](uint32_t i, const auto&) {
    const uint64_t n = 100000 + i;
    return uint32_t(n * (n - 1) / 2);
  });
}

/// Results of loops that all invocations leave together are the loop's variables; of others they are copied before the test.
TEST(ComputeX, ResultsOfLoops) {
  const auto rounds = [](const std::string& bound) {
    return "uint x = data[i], y = x ^ 5u;\nfor (uint n = 0u; n < " + bound + "; n++) { x = x * 3u + y; y = y + (x >> 3); }\nr = x ^ y;";
  };
  const auto expected = [](uint32_t x, uint32_t bound) {
    uint32_t y = x ^ 5;
    for (uint32_t n = 0; n < bound; n++) x = x * 3 + y, y = y + (x >> 3);
    return x ^ y;
  };
  const ComputeResult together = expect(rounds("400u"), [&](uint32_t i, const auto& d) { return expected(d[i], 400); });
  const ComputeResult apart = expect(rounds("400u + (i & 7u)"), [&](uint32_t i, const auto& d) { return expected(d[i], 400 + (i & 7)); });
  EXPECT_LT(together.slots, apart.slots);
  // Around each other, in a branch that some take, with a jump in the middle, results that outlive the next round's variables.
  expect(R"(if ((data[i] & 1u) == 0u) {
      uint last = 0u;
      for (uint k = 0u; k < 60u; k++) {
        uint x = data[i] + k, before = last;
        for (uint n = 0u; n < 90u; n++) {
          if (n == 5u + (k & 3u)) break;
          x = x * 5u + 1u;
          if (n == k) continue;
          x ^= x >> 7;
        }
        last = x;
        r += (before ^ x) * (k + 1u);
        if (k == 50u) break;
      }
      r ^= last;
    } else { r = 3u; })",
         [](uint32_t i, const auto& d) -> uint32_t {
           if (d[i] & 1) return 3;
           uint32_t last = 0, r = 0;
           for (uint32_t k = 0; k < 60; k++) {
             uint32_t x = d[i] + k;
             const uint32_t before = last;
             for (uint32_t n = 0; n < 90; n++) {
               if (n == 5 + (k & 3)) break;
               x = x * 5 + 1;
               if (n == k) continue;
               x ^= x >> 7;
             }
             last = x;
             r += (before ^ x) * (k + 1);
             if (k == 50) break;
           }
           return r ^ last;
         });
}

/// if in if, n times; the innermost arm is reached by invocations 0.. whose number is below every bound.
TEST(ComputeX, DeepBranches) {
  constexpr unsigned kDepth = 70;
  std::string body, end;
  for (unsigned d = 0; d < kDepth; d++) {
    body += "if (data[i] % " + std::to_string(101 + d) + "u != " + std::to_string(d % 5) + "u) { r += " + std::to_string(d + 1) + "u;\n";
    end += "} else { r ^= " + std::to_string(d * 3 + 1) + "u; }\n";
  }
  expect(body + end, [](uint32_t i, const auto& d) {
    uint32_t r = 0;
    unsigned depth = 0;
    while (depth < kDepth && d[i] % (101 + depth) != depth % 5) r += ++depth;
    if (depth < kDepth) r ^= (kDepth - 1 - depth) * 3 + 1;  // the outermost ends last
    return r;
  });
}

/// Jumps out of more branches than one instruction leaves, beside shallow ones, in a loop that lies in a branch.
TEST(ComputeX, JumpsOutOfDeepBranches) {
  constexpr uint32_t kDepth = 70;
  std::string body = "if ((i & 1u) == 0u) {\nfor (uint n = 0u; n < 9u; n++) {\n", end;
  for (uint32_t d = 0; d < kDepth; d++) {
    body += "if (data[(i + n) & 63u] % " + std::to_string(3 + d) + "u != 1u) { r += " + std::to_string(d) + "u;\n";
    if (d == 5 || d == 40) body += "if (n == " + std::to_string(d == 5 ? 3 : 4) + "u) continue;\n";
    if (d == 2 || d == 50) body += "if (r % 13u == " + std::to_string(d == 2 ? 5 : 7) + "u) break;\n";
    end += "} else { r ^= n; }\n";
  }
  body += "if (r > 9000u) break; else if (r > 8000u) continue;\n" + end + "r += 3u;\n}\n} else { r = 77u; }";
  expect(body, [](uint32_t i, const auto& data) -> uint32_t {
    if (i & 1) return 77;
    uint32_t r = 0;
    for (uint32_t n = 0; n < 9; n++) {
      bool leaves = false, continues = false;
      uint32_t d = 0;
      for (; d < kDepth && !leaves && !continues && data[(i + n) & 63] % (3 + d) != 1; d++) {
        r += d;
        continues = (d == 5 && n == 3) || (d == 40 && n == 4);
        leaves = (d == 2 && r % 13 == 5) || (d == 50 && r % 13 == 7);
      }
      if (leaves) break;
      if (continues) continue;
      if (d == kDepth) {
        if (r > 9000) break;
        if (r > 8000) continue;
      } else {
        r ^= n;
      }
      r += 3;
    }
    return r;
  });
}

TEST(ComputeX, ReturnsAndFunctions) {
  expect(
      "r = f(data[i], i) + f(i, 3u);",
      [](uint32_t i, const auto& d) {
        const auto f = [](uint32_t a, uint32_t b) -> uint32_t {
          if (a < b) return a * 2;
          for (uint32_t k = 0; k < 10; k++) {
            if (a == k) return k + 100;
            a ^= b << k;
          }
          return a;
        };
        return f(d[i], i) + f(i, 3);
      },
      "uint f(uint a, uint b) { if (a < b) return a * 2u; for (uint k = 0u; k < 10u; k++) { if (a == k) return k + 100u; a ^= b << k; } "
      "return a; }");
}

TEST(ComputeX, ArraysAndStructs) {
  expect(
      "uint a[16]; for (uint k = 0u; k < 16u; k++) a[k] = data[(i + k) & 63u]; for (uint k = 0u; k < 15u; k++) for (uint l = 0u; l < 15u - "
      "k; l++)"
      " if (a[l] > a[l + 1u]) { uint t = a[l]; a[l] = a[l + 1u]; a[l + 1u] = t; } r = a[i & 15u] ^ a[7];",
      [](uint32_t i, const auto& d) {
        std::array<uint32_t, 16> a;
        for (uint32_t k = 0; k < 16; k++) a[k] = d[(i + k) & 63];
        std::sort(a.begin(), a.end());
        return a[i & 15] ^ a[7];
      });
  expect("const uint t[7] = uint[7](3u, 1u, 4u, 1u, 5u, 926535u, 0xFFFFFFFFu); r = t[i % 7u] + t[3];", [](uint32_t i, const auto&) {
    constexpr uint32_t t[7] = {3, 1, 4, 1, 5, 926535, 0xFFFFFFFF};
    return t[i % 7] + 1;
  });
  expect(
      "S s[3]; for (int k = 0; k < 3; k++) { s[k].v = vec3(k, k + 1, k + 2); s[k].n[0] = k; s[k].n[1] = int(i); } s[i % 3u].n[i & 1u] += "
      "5; s[1].v.y = float(i);"
      "for (int k = 0; k < 3; k++) r += uint(s[k].v.x + s[k].v.y * 2.0 + s[k].v[i % 3u]) + uint(s[k].n[0] * 3 + s[k].n[1]);",
      [](uint32_t i, const auto&) {
        uint32_t r = 0;
        float v[3][3];
        int n[3][2];
        for (int k = 0; k < 3; k++) {
          for (int c = 0; c < 3; c++) v[k][c] = float(k + c);
          n[k][0] = k;
          n[k][1] = int(i);
        }
        n[i % 3][i & 1] += 5;
        v[1][1] = float(i);
        for (int k = 0; k < 3; k++) r += uint32_t(v[k][0] + v[k][1] * 2 + v[k][i % 3]) + uint32_t(n[k][0] * 3 + n[k][1]);
        return r;
      },
      "struct S { vec3 v; int n[2]; };");
}

TEST(ComputeX, Matrices) {
  expect(
      "mat3 m = mat3(float(i), 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0); vec3 v = transpose(m) * vec3(1.0, 2.0, 3.0); mat3 p = m * m; r = "
      "uint(v.x + v.y * 16.0 + v.z) + uint(p[1][2] + "
      "p[2].x + determinant(m) + 1000.0);",
      [](uint32_t i, const auto&) {
        const float m[3][3] = {{float(i), 1, 2}, {3, 4, 5}, {6, 7, 8}};
        float v[3] = {};
        for (int c = 0; c < 3; c++)
          for (int k = 0; k < 3; k++) v[c] += m[c][k] * float(k + 1);
        const auto p = [&](int c, int r) { return m[0][r] * m[c][0] + m[1][r] * m[c][1] + m[2][r] * m[c][2]; };
        const float det = m[0][0] * (m[1][1] * m[2][2] - m[2][1] * m[1][2]) - m[1][0] * (m[0][1] * m[2][2] - m[2][1] * m[0][2]) +
                          m[2][0] * (m[0][1] * m[1][2] - m[1][1] * m[0][2]);
        return uint32_t(v[0] + v[1] * 16 + v[2]) + uint32_t(p(1, 2) + p(2, 0) + det + 1000);
      });
}

TEST(ComputeX, Atomics) {
  const std::string glsl = shader(
      "uint old = atomicAdd(data[0], i); atomicMax(data[1], i); atomicMin(data[2], 100u - i); atomicOr(data[3], 1u << (i & 31u)); "
      "atomicXor(data[4], i);"
      "atomicCompSwap(data[5], 7u, 1000u + i); r = old + atomicExchange(data[6 + i], i);");
  std::vector<uint32_t> data(70, 7);
  data[3] = data[4] = data[0] = data[1] = 0;
  data[2] = 1000;
  const ComputeResult result = run({glsl, {data, std::vector<uint32_t>(kInvocations)}, {}, {1, 1, 1}});
  ASSERT_EQ(result.buffers.size(), 2u);
  const std::vector<uint32_t>& d = result.buffers[0];
  EXPECT_EQ(d[0], 63u * 64 / 2);
  EXPECT_EQ(d[1], 63u);
  EXPECT_EQ(d[2], 37u);
  EXPECT_EQ(d[3], 0xFFFFFFFFu);
  EXPECT_EQ(d[4], 0u);
  EXPECT_EQ(d[5], 1000u);  // lanes come in ascending order, groups of lanes too
  for (uint32_t i = 0; i < kInvocations; i++) {
    EXPECT_EQ(d[6 + i], i);
    EXPECT_EQ(result.buffers[1][i], i * (i - 1) / 2 + 7);
  }
}

TEST(ComputeX, SharedMemoryAndBarriers) {
  expect(
      "s[i] = data[i]; barrier(); for (uint step = 32u; step > 0u; step >>= 1) { if (i < step) s[i] += s[i + step]; barrier(); } r = s[0] "
      "+ t; if (i == 5u) t = 1u; barrier();"
      "r ^= s[63u - i]; ",
      [](uint32_t i, const auto& d) {
        std::vector<uint32_t> s = d;
        for (uint32_t step = 32; step; step >>= 1)
          for (uint32_t k = 0; k < step; k++) s[k] += s[k + step];
        return s[0] ^ s[63 - i];
      },
      "shared uint s[64]; uint t = 0u;");
}

TEST(ComputeX, PushConstantsAndWorkgroups) {
  const std::string glsl =
      "#version 450\nlayout(local_size_x = 4, local_size_y = 2) in;\nlayout(std430, binding = 0) buffer A { uint data[]; };\n"
      "layout(push_constant) uniform P { uint k; float f; uint t[4]; };\n"
      "void main() { uvec3 g = gl_GlobalInvocationID; uint n = g.x + 12u * g.y + 72u * g.z; data[n] = k + uint(f * 4.0) + t[g.x & 3u] + "
      "gl_LocalInvocationIndex * 100u + "
      "gl_WorkGroupID.z * 1000u + gl_NumWorkGroups.y * 10000u; }";
  const ComputeResult result = run({glsl, {std::vector<uint32_t>(144)}, {5, bits(2.5f), 1, 2, 3, 4}, {3, 3, 2}});
  ASSERT_EQ(result.buffers.size(), 1u);
  for (uint32_t n = 0; n < 144; n++) {
    const uint32_t x = n % 12, y = n / 12 % 6, z = n / 72;
    EXPECT_EQ(result.buffers[0][n], 5 + 10 + (x & 3) + 1 + (x % 4 + y % 2 * 4) * 100 + z * 1000 + 3 * 10000) << n;
  }
}

TEST(ComputeX, OutOfBoundsReadsZero) {
  expect("r = data[i + 60u] + 1u; data[i + 1000000u] = 5u;", [](uint32_t i, const auto& d) { return i < 4 ? d[60 + i] + 1 : 1; });
}

/// Live vectors that no register file holds, also across a loop.
TEST(ComputeX, Spilling) {
  for (const unsigned live : {100u, 180u, 300u}) {
    std::string body, sum;
    for (unsigned k = 0; k < live; k++)
      body += "uvec4 v" + std::to_string(k) + " = uvec4(data[(i + " + std::to_string(k) + "u) & 63u]) * uvec4(1u, 2u, 3u, " +
              std::to_string(k) + "u);\n";
    body += "for (uint n = 0u; n < (i & 3u) + 1u; n++) {\n";
    for (unsigned k = 0; k < live; k++)
      body += "v" + std::to_string(k) + " = v" + std::to_string(k) + " * 3u + v" + std::to_string((k + 1) % live) + ".wxyz;\n";
    body += "}\nuvec4 t = uvec4(0u);\n";
    for (unsigned k = 0; k < live; k++) body += "t = t * 5u + v" + std::to_string(k) + ";\n";
    SCOPED_TRACE(live);
    const ComputeResult result = expect(body + "r = t.x ^ t.y ^ t.z ^ t.w;", [&](uint32_t i, const auto& d) {
      std::vector<std::array<uint32_t, 4>> v(live);
      for (uint32_t k = 0; k < live; k++)
        for (uint32_t c = 0; c < 4; c++) v[k][c] = d[(i + k) & 63] * (c < 3 ? c + 1 : k);
      for (uint32_t n = 0; n < (i & 3) + 1; n++)
        for (uint32_t k = 0; k < live; k++) {
          const std::array<uint32_t, 4> o = v[(k + 1) % live];
          for (uint32_t c = 0; c < 4; c++) v[k][c] = v[k][c] * 3 + o[(c + 3) & 3];
        }
      std::array<uint32_t, 4> t{};
      for (uint32_t k = 0; k < live; k++)
        for (uint32_t c = 0; c < 4; c++) t[c] = t[c] * 5 + v[k][c];
      return t[0] ^ t[1] ^ t[2] ^ t[3];
    });
    EXPECT_LE(result.temps, 128u);
    if (live > 128) {
      EXPECT_GT(result.scratch_bytes, 0u);
    }
  }
}

/// What a strict chip must not be given.
TEST(ComputeX, StrictChipsRefuseTheCode) {
  std::string log;
  const std::string glsl = shader("for (uint k = 0u; k < i; k++) r += data[k] * k;");
  const std::vector<uint32_t> words = test::compile_glsl(Stage::compute, glsl, log);
  PipelineSource source;
  source.add(Stage::compute) = {words, "main", {}, "test"};
  source.chip = &kR5x;
  const Result r5x = compile(source);
  ASSERT_TRUE(r5x.program);
  const XProgram& p = *r5x.program->x[size_t(Stage::compute)];
  for (const std::string& problem : us::check({p.code, p.temps, true, &kR5x})) ADD_FAILURE() << problem;
  const std::vector<std::string> problems = us::check({p.code, p.temps, true, &kR500});
  const auto says = [&](const char* what) {
    return std::any_of(problems.begin(), problems.end(), [&](const std::string& t) { return t.find(what) != std::string::npos; });
  };
  EXPECT_TRUE(says("reserved RGB opcode"));
  EXPECT_TRUE(says("reserved texture instruction"));
  EXPECT_TRUE(says("reserved flow-control operation"));
  source.chip = &kR500;
  EXPECT_FALSE(compile(source).program);
}

/// Blocks of workgroup memory lie over each other, at the places that their decorations say.
TEST(ComputeX, BlocksOfWorkgroupMemoryAlias) {
  const std::string text = R"(
OpCapability Shader
OpCapability WorkgroupMemoryExplicitLayoutKHR
OpExtension "SPV_KHR_workgroup_memory_explicit_layout"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 16 1 1
OpMemberDecorate %block 0 Offset 0
OpDecorate %block Block
OpMemberDecorate %other 0 Offset 20
OpDecorate %other Block
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%block = OpTypeStruct %uint
%to_block = OpTypePointer Workgroup %block
%other = OpTypeStruct %uint
%to_other = OpTypePointer Workgroup %other
%to_uint = OpTypePointer Workgroup %uint
%a = OpVariable %to_block Workgroup
%b = OpVariable %to_other Workgroup
%main = OpFunction %void None %function
%begin = OpLabel
%at = OpAccessChain %to_uint %a %zero
OpStore %at %zero
%at_other = OpAccessChain %to_uint %b %zero
OpStore %at_other %zero
OpReturn
OpFunctionEnd
)";
  std::vector<uint32_t> words;
  ASSERT_TRUE(spvtools::SpirvTools(SPV_ENV_VULKAN_1_1).Assemble(text, &words));
  PipelineSource source;
  source.add(Stage::compute) = {words, "main", {}, "test"};
  source.chip = &kR5x;
  const Result r = compile(source);
  ASSERT_TRUE(r.program) << r.diagnostics.at(0).text;
  EXPECT_EQ(24u, r.program->x[size_t(Stage::compute)]->lds_bytes);
}

/// What tools leave for other tools: instructions of non-semantic sets, strings and counters of HLSL.
TEST(ComputeX, NonSemanticInstructionsAndHlslDecorationsMeanNothing) {
  const ComputeResult r = run({"", {std::vector<uint32_t>(4), std::vector<uint32_t>(4)}, {}, {1, 1, 1}, R"(
OpCapability Shader
OpExtension "SPV_GOOGLE_decorate_string"
OpExtension "SPV_GOOGLE_hlsl_functionality1"
OpExtension "SPV_GOOGLE_user_type"
OpExtension "SPV_KHR_non_semantic_info"
%ns = OpExtInstImport "NonSemantic.Whatever.1"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%file = OpString "x.hlsl"
OpDecorate %buf DescriptorSet 0
OpDecorate %buf Binding 0
OpDecorateStringGOOGLE %buf UserTypeGOOGLE "rwstructuredbuffer"
OpDecorateId %buf HlslCounterBufferGOOGLE %cnt
OpDecorate %cnt DescriptorSet 0
OpDecorate %cnt Binding 1
OpDecorate %S BufferBlock
OpMemberDecorate %S 0 Offset 0
OpMemberDecorateStringGOOGLE %S 0 HlslSemanticGOOGLE "SV_THING"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u = OpTypeInt 32 0
%S = OpTypeStruct %u
%pS = OpTypePointer Uniform %S
%pu = OpTypePointer Uniform %u
%i = OpTypeInt 32 1
%c0 = OpConstant %i 0
%c7 = OpConstant %u 7
%1000 = OpExtInst %void %ns 1 %c7 %file
%buf = OpVariable %pS Uniform
%cnt = OpVariable %pS Uniform
%main = OpFunction %void None %fn
%l = OpLabel
%p = OpAccessChain %pu %buf %c0
OpStore %p %c7
%1001 = OpExtInst %void %ns 2 %p
OpReturn
OpFunctionEnd
)"});
  ASSERT_EQ(r.buffers.size(), 2u);
  EXPECT_EQ(r.buffers[0], (std::vector<uint32_t>{7, 0, 0, 0}));
}

/// More constants than operands can name.
TEST(ComputeX, ManyLiterals) {
  std::string body;
  for (uint32_t k = 0; k < 1500; k++) body += "r = (r ^ " + std::to_string(0x10000001u + k * 2654435u) + "u) * 3u;\n";
  const ComputeResult result = expect("r = i;\n" + body, [](uint32_t i, const auto&) {
    uint32_t r = i;
    for (uint32_t k = 0; k < 1500; k++) r = (r ^ (0x10000001u + k * 2654435u)) * 3;
    return r;
  });
  EXPECT_GT(result.literals, 256u);
}

}  // namespace
}  // namespace pumice::compiler::testing
