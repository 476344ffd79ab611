// SPDX-License-Identifier: MIT
/// num::mul, add, fma, div, sqrt and the kernels, which never touch MXCSR, against the processor with FTZ and DAZ set.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "common/cpu_feature.h"
#include "hw/common/numerics/arithmetic.h"
#if defined(__x86_64__)
#include <immintrin.h>

#include "hw/common/simd/flush.h"
#endif

using namespace pumice::hw;

namespace {

TEST(Arithmetic, TinyAfterRoundingWithUnboundedExponent) {
  const float below = 0x1.fffffep-1f;  // 1 - 2^-24
  EXPECT_EQ(num::mul(0x1p-126f, below), 0.0f);
  EXPECT_TRUE(std::signbit(num::mul(-0x1p-126f, below)));
  EXPECT_EQ(num::mul(0x1.000002p-126f, below), 0x1p-126f);  // 2^-126 (1 + 2^-24 - ...): IEEE and FTZ alike
  EXPECT_EQ(num::fma(0x1p-126f, below, 0.0f), 0.0f);
  EXPECT_EQ(num::fma(-0x1p-100f, 0x1p-100f, 0x1p-126f), 0x1p-126f);  // 24 bits round up to 2^-126
  EXPECT_EQ(num::fma(-0x1p-75f, 0x1.000002p-76f, 0x1p-126f), 0.0f);  // a little below the limit 2^-126 (1 - 2^-25)
  EXPECT_EQ(num::fma(-0x1p-75f, 0x1p-76f, 0x1p-126f), 0x1p-126f);    // at the limit, to even
  EXPECT_EQ(num::add(0x1.8p-126f, -0x1p-126f), 0.0f);
}

#if defined(__x86_64__)
using Three = float (*)(float, float, float);
__attribute__((target("fma"))) float hw_fma(float a, float b, float c) {
  return _mm_cvtss_f32(_mm_fmadd_ss(_mm_set_ss(a), _mm_set_ss(b), _mm_set_ss(c)));
}
const struct {
  const char* name;
  Three model, processor;
} kOperations[] = {
    {"mul", [](float a, float b, float) { return num::mul(a, b); },
     [](float a, float b, float) { return _mm_cvtss_f32(_mm_mul_ss(_mm_set_ss(a), _mm_set_ss(b))); }},
    {"add", [](float a, float b, float) { return num::add(a, b); },
     [](float a, float b, float) { return _mm_cvtss_f32(_mm_add_ss(_mm_set_ss(a), _mm_set_ss(b))); }},
    {"sub", [](float a, float b, float) { return num::sub(a, b); },
     [](float a, float b, float) { return _mm_cvtss_f32(_mm_sub_ss(_mm_set_ss(a), _mm_set_ss(b))); }},
    {"div", [](float a, float b, float) { return num::div(a, b); },
     [](float a, float b, float) { return _mm_cvtss_f32(_mm_div_ss(_mm_set_ss(a), _mm_set_ss(b))); }},
    {"sqrt", [](float a, float, float) { return num::sqrt(a); },
     [](float a, float, float) { return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(a))); }},
    {"fma", [](float a, float b, float c) { return num::fma(a, b, c); }, hw_fma},
};

/// Floats whose products and sums fall near 2^-126, among anything else.
float operand(std::mt19937& random) {
  const uint32_t sign = random() & 0x80000000u, mantissa = random() & 0x7FFFFFu;
  switch (random() % 8) {
    case 0: return num::from_bits(random());
    case 1: return num::from_bits(sign | mantissa);                                     // denormal or zero
    case 2: return num::from_bits(sign | (1u << 23) | (random() & 7u));                 // just above 2^-126
    case 3: return num::from_bits(sign | 0x3F000000u | (0x7FFFFFu ^ (random() & 7u)));  // just below 1
    case 4: return num::from_bits(sign | ((127 - 64 + random() % 3) << 23) | (mantissa & (random() & 1 ? 7u : ~0u)));
    case 5: return num::from_bits(sign | ((127 - 76 + random() % 3) << 23) | (mantissa & 7u));
    case 6: return num::from_bits(sign | (random() % 4 << 23) | (mantissa & (random() & 1 ? 7u : ~0u)));
    default: return num::from_bits(sign | ((120 + random() % 16) << 23) | mantissa);
  }
}

TEST(Arithmetic, SameBitsAsTheProcessorWithFtzAndDaz) {
  const bool has_fma = pumice::has(pumice::CpuFeature::fma);
  for (const auto& op : kOperations) {
    if (op.processor == hw_fma && !has_fma) continue;
    std::mt19937 random(7);
    for (int i = 0; i < 600000; ++i) {
      const float a = operand(random), b = operand(random), c = operand(random);
      const float got = op.model(a, b, c);
      float want;
      {
        fast::FlushDenormals ftz;
        want = op.processor(a, b, c);
      }
      if (num::is_nan(got) && num::is_nan(want)) continue;
      ASSERT_EQ(num::bits(got), num::bits(want)) << op.name << std::hexfloat << " " << a << " " << b << " " << c;
    }
  }
}
#endif

}  // namespace
