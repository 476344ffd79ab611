// SPDX-License-Identifier: MIT
/// The sRGB transfer function as both executors compute it: v = m * 2^e, so v^(1/2.4) is a table entry for e times a polynomial in m.
/// Within 2.2e-6 of the exact function, monotonic, 0 and 1 exact.
#pragma once

namespace pumice::hw::rb3d::gamma {

inline constexpr float kLinearEnd = 0.0031308f, kLinearSlope = 12.92f, kOffset = 0.055f;
inline constexpr float kMiddle = 1.5f;  ///< the polynomial is in m - kMiddle, m in [1,2)
/// 1.055 * m^(1/2.4), interpolated at the Chebyshev points of [1,2] with both ends. Horner, each product and each sum rounded.
inline constexpr float kCoefficient[6] = {0x1.3fc9dap+0f, 0x1.6352a6p-2f, -0x1.13c606p-4f, 0x1.83b1a6p-6f, -0x1.764456p-7f, 0x1.6a1cfep-8f};
/// 2^(e/2.4) for e = i - 15.
inline constexpr int kLowestExponent = -15;
alignas(64) inline constexpr float kPower[16] = {
    0x1.ae89fap-7f, 0x1.1f59acp-6f, 0x1.7f910ep-6f, 0x1.000000p-5f, 0x1.55b810p-5f, 0x1.c823e0p-5f, 0x1.306fe0p-4f, 0x1.965feap-4f,
    0x1.0f38fap-3f, 0x1.6a09e6p-3f, 0x1.e3437ep-3f, 0x1.428a30p-2f, 0x1.ae89fap-2f, 0x1.1f59acp-1f, 0x1.7f910ep-1f, 0x1.000000p+0f};

}  // namespace pumice::hw::rb3d::gamma
