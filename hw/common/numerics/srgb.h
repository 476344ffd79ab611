// SPDX-License-Identifier: MIT
/// The sRGB transfer function of r5x's formats (docs/r5x.md, section 6), as all executors compute it. Coordinates are chosen so that the
/// linear part of the decoded curve is the code itself: filters work on these, and kScale makes values of the result.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace pumice::hw::num::srgb {

/// Codes up to kLastLinear are themselves. Above: a polynomial by Horner's rule, fused. Within 0.013 of a code (at most 1.1e-4), rising, 0
/// and 1 exact.
inline constexpr uint32_t kLastLinear = 10;
inline constexpr float kCurve[6] = {0x1.878d22p+1f, 0x1.ad00cap-2f, 0x1.b16482p-6f, 0x1.123f7ap-13f, -0x1.ed90aap-23f, 0x1.11607ap-32f};
inline constexpr float kScale = 0x1.3e4568p-12f;  ///< 1 / (255 * 12.92)
inline constexpr float kOne = 0x1.9bd332p+11f;    ///< of code 255; times kScale it is 1

/// By code. Products with codes are exact in double, and so are the sums but for bits far below a float's.
inline constexpr std::array<float, 256> kDecoded = [] {
  std::array<float, 256> t{};
  for (uint32_t i = 0; i < 256; ++i) {
    t[i] = kCurve[5];
    for (int k = 4; k >= 0; --k) t[i] = float(double(t[i]) * i + double(kCurve[k]));
    if (i <= kLastLinear) t[i] = float(i);
  }
  return t;
}();
static_assert(kDecoded[255] == kOne && kOne * kScale == 1.0f);

/// Encoding: w = 1 + kSteps v goes from 1 to nearly 256, so its exponent has eight values, each with a cubic in w that gives the code.
/// Within 0.023 of a code before it is rounded, rising but for the last bit of v; decoded codes come back.
inline constexpr float kSteps = 254.9999f, kMostSteps = 255.9999f;
/// By the exponent modulo 8, that of w * w * w last.
inline constexpr float kCubics[4][8] = {
    {-0x1.4a6e74p+4f, -0x1.0456c6p+2f, 0x1.fc1a3ap+2f, 0x1.450902p+4f, 0x1.17a96ep+5f, 0x1.ab2a1ap+5f, 0x1.353d66p+6f, -0x1.2bbf14p+3f},
    {0x1.7edda6p+4f, 0x1.5b0752p+3f, 0x1.8fe850p+2f, 0x1.f4093ap+1f, 0x1.4390d6p+1f, 0x1.a9732ep+0f, 0x1.19d9aap+0f, 0x1.3fcc60p+2f},
    {-0x1.142464p+2f, -0x1.a03642p-1f, -0x1.b8cb2ep-3f, -0x1.08a560p-4f, -0x1.4fc598p-6f, -0x1.b52ff2p-8f, -0x1.20371ep-9f, 0x1.709b18p+2f},
    {0x1.637122p-2f, 0x1.eedaecp-6f, 0x1.f944bep-9f, 0x1.2a0c92p-11f, 0x1.76e252p-14f, 0x1.e6040ap-17f, 0x1.3fb81ep-19f, -0x1.5dd7d0p+0f}};

/// The code as a float, not rounded; NaN counts as 0.
inline float encode(float v) {
  float w = std::fma(v, kSteps, 1.0f);
  w = w > 1.0f ? std::min(w, kMostSteps) : 1.0f;
  const uint32_t octave = std::bit_cast<uint32_t>(w) >> 23 & 7u;
  float code = kCubics[3][octave];
  for (int k = 2; k >= 0; --k) code = std::fma(code, w, kCubics[k][octave]);
  return code;
}

}  // namespace pumice::hw::num::srgb
