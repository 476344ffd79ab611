// SPDX-License-Identifier: MIT
/// The functions of the math engines (PVS ME and US scalar unit), the same bits on every processor: the kernels of kernels.h on one float.
/// Algorithms and errors are specified in hw/common/numerics/README.md.
///
/// All: denormal inputs count as signed zero, denormal results are flushed to signed zero, a NaN result is 0x7FC00000.
#pragma once
#include "hw/common/numerics/float_bits.h"

namespace pumice::hw::num {

/// 1/x, correctly rounded. rcp(+-0) = +-Inf, rcp(+-Inf) = +-0.
float rcp(float x);
/// 1/sqrt(x), root and quotient rounded. rsq(+-0) = +Inf, rsq(Inf) = 0, negative: NaN.
float rsq(float x);
/// sqrt(x), correctly rounded; sqrt(-0) = -0, negative: NaN.
float square_root(float x);
/// 2^x. Exact for integers. Overflow: +Inf.
float exp2f_(float x);
/// log2(x). Exact for powers of two. log2(+-0) = -Inf, negative: NaN.
float log2f_(float x);
/// e^x.
float expf_(float x);
/// x^y for x >= 0, one rounding: pow(0, y<0) = Inf, pow(x, 0) = 1, pow(0, y>0) = 0; pow(1, y) = 1; negative x: NaN.
float powf_(float x, float y);
/// sin and cos of 2*pi*x: the argument in turns. Exact at multiples of 1/4. Inf: NaN.
float sin_cycles(float x);
float cos_cycles(float x);
/// sin and cos of x, made turns with one rounding. Inf: NaN.
float sin_radians(float x);
float cos_radians(float x);

}  // namespace pumice::hw::num
