// SPDX-License-Identifier: MIT
/// hw/common/numerics against long double libm (errors promised in its README.md) and at its special values (exact bits).
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "hw/common/numerics/transcendental.h"

using namespace pumice::hw::num;

namespace {

/// Distance in floats of `got` from the true value, with the flush rules of the README applied to the true value.
double ulps(float got, long double want) {
  if (std::isnan(want)) return bits(got) == kQuietNan ? 0 : 1e9;
  if (std::fabs(want) < 0x1p-126L * (1 - 0x1p-25L)) return got == 0.0f ? 0 : 1e9;
  if (got == 0.0f) return std::fabs(want) < 0x1p-126L ? 0 : 1e9;
  if (std::fabs(want) >= 0x1.ffffffp127L) return std::isinf(got) && std::signbit(got) == std::signbit(want) ? 0 : 1e9;
  if (!is_finite(got)) return std::fabs(want) >= 0x1.fffffep127L ? 0 : 1e9;
  int e;
  std::frexp(want, &e);
  return double(std::fabs((long double)got - want) / std::ldexp(1.0L, std::max(e, -125) - 24));
}

struct Function {
  const char* name;
  float (*model)(float);
  long double (*truth)(long double);
  float low, high;  // of |x| in the dense random range
  double ulps;      // promised, or:
  double absolute = 0;
};

const long double kPi = 3.14159265358979323846264338327950288L;
/// The truth reduces exactly as well, and its own error at the zeros (2 pi is not exact) is removed.
long double sin_turns(long double x) {
  const long double r = x - std::round(x), s = std::sin(2 * kPi * r);
  return std::fabs(s) < 1e-17L && r != 0 && std::fabs(r) > 0.1L ? 0 : s;
}
long double cos_turns(long double x) {
  const long double c = std::cos(2 * kPi * (x - std::round(x)));
  return std::fabs(c) < 1e-17L ? 0 : c;
}

const Function kFunctions[] = {
    {"rcp", rcp, [](long double x) { return 1 / x; }, 1e-38f, 1e38f, 0.5},
    {"rsq", rsq, [](long double x) { return 1 / std::sqrt(x); }, 1e-38f, 1e38f, 1.5},
    {"sqrt", square_root, [](long double x) { return std::sqrt(x); }, 1e-38f, 1e38f, 0.5},
    {"exp2", exp2f_, [](long double x) { return std::exp2(x); }, 1e-9f, 130.f, 0.8},
    {"log2", log2f_, [](long double x) { return std::log2(x); }, 2.0f, 1e38f, 0.85},
    {"log2 small", log2f_, [](long double x) { return std::log2(x); }, 1e-38f, 0.5f, 0.85},
    {"log2 near 1", log2f_, [](long double x) { return std::log2(x); }, 0.5f, 2.0f, 2.3},
    {"exp", expf_, [](long double x) { return std::exp(x); }, 1e-9f, 90.f, 1.1},
    {"sin_cycles", sin_cycles, sin_turns, 1e-9f, 1e6f, 0, 0x1p-22},
    {"sin_cycles first quarter", sin_cycles, sin_turns, 1e-9f, 0.25f, 3.5},
    {"cos_cycles", cos_cycles, cos_turns, 1e-9f, 1e6f, 0, 0x1p-22},
    {"sin_radians", sin_radians, [](long double x) { return std::sin(x); }, 1e-9f, 3.1415927f, 0, 0x1.8p-22},
    {"sin_radians first quarter", sin_radians, [](long double x) { return std::sin(x); }, 1e-9f, 1.570796f, 4.5},
    {"cos_radians", cos_radians, [](long double x) { return std::cos(x); }, 1e-9f, 3.1415927f, 0, 0x1.8p-22},
};

TEST(Numerics, AsNearToLongDoubleAsPromised) {
  for (const Function& f : kFunctions) {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> exponent(std::log2(f.low), std::log2(f.high));
    double worst = 0;
    float at = 0;
    for (int i = 0; i < 200000; ++i) {
      float x = std::exp2(exponent(random));
      if (random() & 1) x = -x;
      if (std::string_view(f.name).starts_with("log") || f.model == rsq || f.model == square_root) x = std::fabs(x);
      x = flush_denormal(x);
      const double d = f.absolute ? double(std::fabs(f.model(x) - f.truth(x))) : ulps(f.model(x), f.truth(x));
      if (d > worst) worst = d, at = x;
    }
    EXPECT_LE(worst, f.absolute ? f.absolute : f.ulps) << f.name << " at " << at << " gives " << f.model(at);
  }
}

TEST(Numerics, SineNeverLeavesOne) {
  for (uint32_t b = bits(0.2f); b <= bits(0.3f); ++b) ASSERT_LE(sin_cycles(from_bits(b)), 1.0f) << std::hex << b;
  std::mt19937 random(3);
  for (int i = 0; i < 100000; ++i) {
    const float x = from_bits(random());
    if (!is_finite(x)) continue;
    for (float y : {sin_cycles(x), cos_cycles(x), sin_radians(x), cos_radians(x)}) ASSERT_LE(std::fabs(y), 1.0f) << x;
  }
  for (float x : {0.0f, 0.25f, 0.5f, 0.75f, 1.0f, -0.25f, -7.75f, 1e6f})
    for (float d : {0.0f, 0.25f}) EXPECT_EQ(sin_cycles(x + d), std::round(sin_cycles(x + d))) << x;
}

TEST(Numerics, Power) {
  std::mt19937 random(2);
  std::uniform_real_distribution<float> exponent(-60, 60), y(-8, 8);
  for (int i = 0; i < 200000; ++i) {
    const float a = std::exp2(exponent(random)), b = y(random);
    ASSERT_LE(ulps(powf_(a, b), std::pow((long double)a, (long double)b)), 1.0) << a << " ^ " << b;
  }
}

struct Exact {
  float (*model)(float);
  uint32_t in, out;
};
TEST(Numerics, SpecialValues) {
  const Exact table[] = {
      {rcp, 0x00000000, 0x7F800000},         {rcp, 0x80000000, 0xFF800000},         {rcp, 0x7F800000, 0x00000000},
      {rcp, 0xFF800000, 0x80000000},         {rcp, 0x00000001, 0x7F800000},         {rcp, 0x7F7FFFFF, 0x00000000},
      {rcp, 0xFFC12345, 0x7FC00000},         {rcp, 0x40400000, 0x3EAAAAAB},         {rcp, 0x7E800000, 0x00800000},
      {rcp, 0x7E800001, 0x00000000},         {rsq, 0x00000000, 0x7F800000},         {rsq, 0x80000001, 0x7F800000},
      {rsq, 0x7F800000, 0x00000000},         {rsq, 0xBF800000, 0x7FC00000},         {rsq, 0x40800000, 0x3F000000},
      {square_root, 0x80000000, 0x80000000}, {square_root, 0xBF800000, 0x7FC00000}, {square_root, 0x40800000, 0x40000000},
      {exp2f_, 0x00000000, 0x3F800000},      {exp2f_, 0x41200000, 0x44800000},      {exp2f_, 0xC2FC0000, 0x00800000},
      {exp2f_, 0xC2FE0000, 0x00000000},      {exp2f_, 0x43000000, 0x7F800000},      {exp2f_, 0xFF800000, 0x00000000},
      {exp2f_, 0x7F800000, 0x7F800000},      {exp2f_, 0x7FC00001, 0x7FC00000},      {log2f_, 0x00000000, 0xFF800000},
      {log2f_, 0x80000000, 0xFF800000},      {log2f_, 0x007FFFFF, 0xFF800000},      {log2f_, 0x3F800000, 0x00000000},
      {log2f_, 0x44800000, 0x41200000},      {log2f_, 0x00800000, 0xC2FC0000},      {log2f_, 0xBF800000, 0x7FC00000},
      {log2f_, 0x7F800000, 0x7F800000},      {expf_, 0x00000000, 0x3F800000},       {expf_, 0xFF800000, 0x00000000},
      {expf_, 0x7F800000, 0x7F800000},       {sin_cycles, 0x80000000, 0x80000000},  {sin_cycles, 0x3E800000, 0x3F800000},
      {sin_cycles, 0x3F000000, 0x00000000},  {sin_cycles, 0x3F400000, 0xBF800000},  {sin_cycles, 0x7F7FFFFF, 0x00000000},
      {sin_cycles, 0x7F800000, 0x7FC00000},  {cos_cycles, 0x00000000, 0x3F800000},  {cos_cycles, 0x3E800000, 0x00000000},
      {cos_cycles, 0xBF000000, 0xBF800000},  {cos_cycles, 0xFF800000, 0x7FC00000},  {sin_radians, 0x80000000, 0x80000000},
      {sin_radians, 0x00800000, 0x00000000}, {cos_radians, 0x00000000, 0x3F800000}, {sin_radians, 0xFF800000, 0x7FC00000},
  };
  for (const Exact& e : table) EXPECT_EQ(bits(e.model(from_bits(e.in))), e.out) << std::hex << e.in << " row " << (&e - table);
  const uint32_t pow_table[][3] = {{0, 0, 0x3F800000},
                                   {0, 0x3F800000, 0},
                                   {0, 0xBF800000, 0x7F800000},
                                   {0xBF800000, 0x40000000, 0x7FC00000},
                                   {0x7FC00000, 0, 0x3F800000},
                                   {0x3F800000, 0x7FC00000, 0x3F800000},
                                   {0x40000000, 0x7F800000, 0x7F800000},
                                   {0x3F000000, 0x7F800000, 0},
                                   {0x7F800000, 0xBF800000, 0},
                                   {0x40000000, 0x41200000, 0x44800000}};
  for (auto& e : pow_table) EXPECT_EQ(bits(powf_(from_bits(e[0]), from_bits(e[1]))), e[2]) << std::hex << e[0] << ' ' << e[1];
}

TEST(Numerics, Flush) {
  EXPECT_EQ(bits(flush_denormal(from_bits(0x807FFFFF))), 0x80000000u);
  EXPECT_EQ(bits(flush_denormal(from_bits(0x00800000))), 0x00800000u);
  EXPECT_EQ(bits(canonical(from_bits(0xFF800001))), 0x7FC00000u);
}

TEST(Numerics, HalfRoundTripAndRounding) {
  for (uint32_t h = 0; h < 0x10000; ++h) {
    const float f = half_to_float(uint16_t(h));
    const bool nan = (h & 0x7FFF) > 0x7C00;
    EXPECT_EQ(float_to_half(f), nan ? 0x7E00 : h);
    if (nan || (h & 0x7FFF) == 0x7C00) continue;
    const uint32_t e = (h >> 10) & 31, m = h & 1023;
    const double want = std::ldexp(e ? 1024 + m : m, int(e ? e : 1) - 25);
    EXPECT_EQ(double(f), h & 0x8000 ? -want : want);
    if ((h & 0x7FFF) == 0x7BFF) continue;
    // Between h and the next half: below, at, above the middle.
    const double next = half_to_float(uint16_t(h + 1)), middle = (double(f) + next) / 2;
    const float at = float(middle);
    EXPECT_EQ(float_to_half(at), (h & 1) ? h + 1 : h);
    EXPECT_EQ(float_to_half(std::nextafter(at, f)), h);
    EXPECT_EQ(float_to_half(std::nextafter(at, float(next))), h + 1);
  }
  EXPECT_EQ(float_to_half(65519.99f), 0x7BFF);
  EXPECT_EQ(float_to_half(65520.0f), 0x7C00);
  EXPECT_EQ(float_to_half(-1e30f), 0xFC00);
  EXPECT_EQ(float_to_half(from_bits(1)), 0);
}

}  // namespace
