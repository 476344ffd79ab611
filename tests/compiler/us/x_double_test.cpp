// SPDX-License-Identifier: MIT
/// Floats of 64 bits in compute shaders on r5x, against the host's.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <random>

#include "tests/compiler/us/x_rig.h"

namespace pumice::compiler::testing {
namespace {

constexpr uint32_t kNumbers = 32;
constexpr double kPi = 3.14159265358979323846;

/// `body` computes `double r` of `double a, b`; every pair of numbers is an invocation.
std::string shader(const std::string& body, const std::string& globals = "") {
  return "#version 450\n#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n"
         "layout(local_size_x = 32) in;\nlayout(std430, binding = 0) readonly buffer A { double data[]; };\n"
         "layout(std430, binding = 1) buffer B { double result[]; };\n" +
         globals + "\nvoid main() {\n  uint i = gl_GlobalInvocationID.x;\n  double a = data[i & 31u], b = data[i >> 5], r = 0.0lf;\n" +
         body + "\n  result[i] = r;\n}\n";
}

std::vector<double> numbers() {
  std::vector<double> out{0.0,           -0.0,       1.0,    -1.0,       0.5,           1.5,    2.5, -2.5,
                          0.1,           1e300,      -1e300, 0x1p-1022,  0x1p-1074,     3e-310, kPi, 4294967296.0,
                          -4294967295.5, 0x1p52 + 1, 1e10,   16777217.0, -2147483648.0, 9.0};
  std::mt19937_64 random(11);
  while (out.size() < kNumbers) out.push_back(std::ldexp(double(int64_t(random())), int(random() % 60) - 80));
  return out;
}

std::vector<uint32_t> words(const std::vector<double>& x) {
  std::vector<uint32_t> out;
  for (const double v : x) {
    const auto bits = std::bit_cast<uint64_t>(v);
    out.push_back(uint32_t(bits)), out.push_back(uint32_t(bits >> 32));
  }
  return out;
}

void expect(const std::string& body, const std::function<double(double a, double b)>& expected, const std::string& globals = "") {
  const std::vector<double> data = numbers();
  const ComputeResult r = run({shader(body, globals), {words(data), std::vector<uint32_t>(2 * kNumbers * kNumbers)}, {}, {kNumbers, 1, 1}});
  ASSERT_EQ(r.buffers.size(), 2u);
  unsigned wrong = 0;
  for (uint32_t i = 0; i < kNumbers * kNumbers && wrong < 4; i++) {
    const double a = data[i & 31], b = data[i >> 5], want = expected(a, b);
    const auto got = std::bit_cast<double>(uint64_t{r.buffers[1][2 * i + 1]} << 32 | r.buffers[1][2 * i]);
    if (std::isnan(want) ? std::isnan(got) : std::bit_cast<uint64_t>(got) == std::bit_cast<uint64_t>(want)) continue;
    ADD_FAILURE() << body << " of " << a << ", " << b << " is " << got << ", not " << want;
    wrong++;
  }
}

struct Expression {
  const char* glsl;
  std::function<double(double a, double b)> expected;
};
void expect_all(std::initializer_list<Expression> all) {
  for (const Expression& e : all) {
    SCOPED_TRACE(e.glsl);
    expect("r = " + std::string(e.glsl) + ";", e.expected);
  }
}

double fraction(double x) { return x - std::floor(x); }
double least(double a, double b) { return a < b ? a : b; }
double most(double a, double b) { return a > b ? a : b; }

TEST(ComputeXDouble, Arithmetic) {
  expect_all({
      {"a + b", [](double a, double b) { return a + b; }},
      {"a - b", [](double a, double b) { return a - b; }},
      {"a * b", [](double a, double b) { return a * b; }},
      {"-a", [](double a, double) { return -a; }},
      {"a / b", [](double a, double b) { return a / b; }},
      {"fma(a, b, 0.1lf)", [](double a, double b) { return std::fma(a, b, 0.1); }},
      {"sqrt(abs(a))", [](double a, double) { return std::sqrt(std::fabs(a)); }},
      {"inversesqrt(abs(a))", [](double a, double) { return 1 / std::sqrt(std::fabs(a)); }},
      {"min(a, b) - max(a, -b)", [](double a, double b) { return least(a, b) - most(a, -b); }},
      {"clamp(a, -1.0lf, 2.0lf)", [](double a, double) { return least(most(a, -1), 2); }},
      {"floor(a) + ceil(b)", [](double a, double b) { return std::floor(a) + std::ceil(b); }},
      {"trunc(a) - roundEven(b)", [](double a, double b) { return std::trunc(a) - std::nearbyint(b); }},
      {"fract(a)", [](double a, double) { return fraction(a); }},
      {"sign(a)", [](double a, double) { return a > 0   ? 1.0
                                                : a < 0 ? -1.0
                                                        : 0.0; }},
      {"mod(a, 3.0lf)", [](double a, double) { return a - 3 * std::floor(a / 3); }},
      {"mix(a, b, 0.25lf)", [](double a, double b) { return std::fma(b, 0.25, a * 0.75); }},
      {"step(a, b)", [](double a, double b) { return b >= a ? 1.0 : 0.0; }},
      {"double(a < b) + 2.0lf * double(a == b) + 4.0lf * double(a >= b) + 8.0lf * double(a != b) + 16.0lf * double(a > b)",
       [](double a, double b) { return double((a < b) + 2 * (a == b) + 4 * (a >= b) + 8 * (a != b) + 16 * (a > b)); }},
      {"isnan(a / a) ? b : isinf(b / a) ? 5.0lf : a",
       [](double a, double b) { return std::isnan(a / a)   ? b
                                       : std::isinf(b / a) ? 5.0
                                                           : a; }},
  });
  expect("int e; r = frexp(a, e) + double(e); r += ldexp(b, 3);", [](double a, double b) {
    int e = 0;
    const double m = std::frexp(a, &e);
    return m + e + std::ldexp(b, 3);
  });
  expect("double w; r = modf(a, w) * 3.0lf + w;", [](double a, double) { return (a - std::trunc(a)) * 3 + std::trunc(a); });
  expect("double t = clamp((a - 1.0lf) / (10.0lf - 1.0lf), 0.0lf, 1.0lf); r = smoothstep(1.0lf, 10.0lf, a) - t;", [](double a, double) {
    const double t = least(most((a - 1) / 9, 0), 1);
    return (t * t) * std::fma(t, -2, 3) - t;
  });
}

TEST(ComputeXDouble, Conversions) {
  expect_all({
      {"double(float(a))",
       [](double a, double) {
         const float f = float(a);
         return double(std::fabs(f) < 0x1p-126f ? std::copysign(0.0f, f) : f);
       }},
      {"double(int(clamp(a, -2147483648.0lf, 2147483647.0lf)))",
       [](double a, double) { return double(int32_t(least(most(a, -2147483648.0), 2147483647.0))); }},
      {"double(uint(clamp(a, 0.0lf, 4294967295.0lf)))", [](double a, double) { return double(uint32_t(least(most(a, 0), 4294967295.0))); }},
      {"double(int64_t(clamp(a, -1e18lf, 1e18lf)))", [](double a, double) { return double(int64_t(least(most(a, -1e18), 1e18))); }},
      {"double(uint64_t(clamp(a, 0.0lf, 1e19lf)))", [](double a, double) { return double(uint64_t(least(most(a, 0), 1e19))); }},
      {"uint64BitsToDouble(doubleBitsToUint64(a) ^ 0x8000000000000001ul)",
       [](double a, double) { return std::bit_cast<double>(std::bit_cast<uint64_t>(a) ^ 0x8000000000000001); }},
      {"packDouble2x32(unpackDouble2x32(a) ^ uvec2(3u, 0u))",
       [](double a, double) { return std::bit_cast<double>(std::bit_cast<uint64_t>(a) ^ 3); }},
      {"double(bool(a)) + double(i)*0.0lf", [](double a, double) { return a != 0 ? 1.0 : 0.0; }},
      {"double(b > 0.0lf ? 1.0 : -3.5) + a", [](double a, double b) { return (b > 0 ? 1.0 : -3.5) + a; }},
  });
}

TEST(ComputeXDouble, VectorsAndMatrices) {
  expect("dvec3 v = dvec3(a, b, 2.0lf); r = dot(v, v.zxy);", [](double a, double b) { return std::fma(2, b, std::fma(b, a, a * 2)); });
  expect("r = length(dvec2(a, b)) - distance(dvec3(a, b, 1.0lf), dvec3(0.5lf));", [](double a, double b) {
    const double x = a - 0.5, y = b - 0.5;
    return std::sqrt(std::fma(b, b, a * a)) - std::sqrt(std::fma(0.5, 0.5, std::fma(y, y, x * x)));
  });
  expect("dvec3 n = cross(dvec3(a, 2.0lf, b), dvec3(1.0lf, b, 3.0lf)); r = n.x + n.z;",
         [](double a, double b) { return std::fma(2, 3, -(b * b)) + std::fma(a, b, -(2 * 1.0)); });
  expect(
      "dmat2x3 m = dmat2x3(a, b, 1.0lf, 2.0lf, a, 3.0lf); dvec3 v = m * dvec2(b, 0.5lf); dvec2 w = dvec3(1.0lf, a, b) * m; r = v.y + w.x + "
      "transpose(m)[2].y;",
      [](double a, double b) { return std::fma(a, 0.5, b * b) + std::fma(b, 1, std::fma(a, b, 1 * a)) + 3; });
  expect("dmat2 m = dmat2(a, 2.0lf, b, 3.0lf); r = determinant(m) + inverse(dmat2(4.0lf, 0.0lf, 0.0lf, 0.5lf))[1].y;",
         [](double a, double b) { return std::fma(-2.0, b, a * 3) + 2; });
  expect("r = reflect(dvec2(a, b), dvec2(0.0lf, 1.0lf)).y;", [](double a, double b) { return std::fma(1, std::fma(1, b, 0 * a) * -2, b); });
  expect("r = faceforward(dvec2(b), dvec2(1.0lf, 0.0lf), dvec2(a, 0.0lf)).x;",
         [](double a, double b) { return std::fma(0.0, 0.0, a) < 0 ? b : -b; });
  expect("r = normalize(dvec2(3.0lf, 4.0lf)).y + refract(dvec2(0.0lf, 1.0lf), dvec2(0.0lf, -1.0lf), 0.5).y;",
         [](double, double) { return 4 * (1 / std::sqrt(25.0)) + 1; });
}

/// The number of the invocation that has these.
size_t invocation_of(double a, double b) {
  const std::vector<double> all = numbers();
  const auto index = [&](double x) {
    size_t n = 0;
    while (std::bit_cast<uint64_t>(all[n]) != std::bit_cast<uint64_t>(x)) ++n;
    return n;
  };
  return index(b) * kNumbers + index(a);
}

TEST(ComputeXDouble, MemoryAndControlFlow) {
  expect(
      "S s; s.m = dmat3x2(a, b, 1.0lf, 2.0lf, 3.0lf, 4.0lf); s.x[0] = a; s.x[1] = b; s.x[2] = 7.0lf; double sum = 0.0lf;"
      "for (int k = 0; k < 3; k++) { sum += s.x[k]; if (sum > 1e10lf) break; } copy[gl_LocalInvocationIndex] = s; barrier();"
      "S t = copy[gl_LocalInvocationIndex]; r = sum + t.m[i & 1u].y + t.x[i % 3u];",
      [](double a, double b) {
        const size_t i = invocation_of(a, b);
        const double x[3] = {a, b, 7};
        double sum = 0;
        for (const double v : x) {
          sum += v;
          if (sum > 1e10) break;
        }
        return sum + (i & 1 ? 2 : b) + x[i % 3];
      },
      "struct S { dmat3x2 m; double x[3]; }; shared S copy[32];");
}

/// Numbers of vectors are written one by one, by literal and by variable index.
TEST(ComputeXDouble, VectorsInLoops) {
  expect(
      "dvec4 v = dvec4(a, b, 1.0lf, 2.0lf); dvec3 w = dvec3(b, 3.0lf, a);"
      "for (uint k = 0u; k < 3u + (i & 1u); ++k) { w.y += v.w; v.xz = v.zx + w.yz; v[(i + k) & 3u] += 1.0lf; w.z = -w.x; }"
      "r = v.x + v.y * 2.0lf + v.z * 4.0lf + v.w * 8.0lf + w.y + w.z;",
      [](double a, double b) {
        const size_t i = invocation_of(a, b);
        double v[4] = {a, b, 1, 2}, w[3] = {b, 3, a};
        for (size_t k = 0; k < 3 + (i & 1); ++k) {
          w[1] += v[3];
          const double x = v[2] + w[1], z = v[0] + w[2];
          v[0] = x, v[2] = z;
          v[(i + k) & 3] += 1;
          w[2] = -w[0];
        }
        return std::fma(v[3], 8.0, std::fma(v[2], 4.0, std::fma(v[1], 2.0, v[0]))) + w[1] + w[2];
      });
}

/// What a loop carries lies as the operations on it have it: nothing is moved in each round.
TEST(ComputeXDouble, LoopsMoveNothing) {
  const auto slots = [](const std::string& more) {
    return run({shader("dvec2 x = dvec2(a, b); for (uint k = 0u; k < i; ++k) { x = x + x.yx; " + more + " } r = x.x;"),
                {std::vector<uint32_t>(2 * kNumbers), std::vector<uint32_t>(2 * kNumbers)},
                {},
                {1, 1, 1}})
        .slots;
  };
  EXPECT_EQ(slots("x = x + x;"), slots("") + 1);
  EXPECT_EQ(slots("x = x + x; x = x + x.yx; x = x + x;"), slots("") + 3);
  EXPECT_LE(slots(""), 17u);
}

}  // namespace
}  // namespace pumice::compiler::testing
