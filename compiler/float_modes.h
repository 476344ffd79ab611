// SPDX-License-Identifier: MIT
/// What programs of chips with memory (docs/r5x.md) promise about floats: the execution modes of SPV_KHR_float_controls that they obey. One
/// table for the translator, which refuses the others, and for the driver, which reports them.
#pragma once
#include <cstdint>

namespace pumice::compiler {

/// For each mode the widths that have it, added up: 16, 32, 64.
struct FloatModes {
  uint32_t denorm_preserve = 0, denorm_flush_to_zero = 0, signed_zero_inf_nan_preserve = 0, rounding_rte = 0, rounding_rtz = 0;
};

/// But for signed zeros of 32 bits (Module::signed_zeros: products add -0, and additions of +0 stay) nothing here depends on a mode being
/// asked for, or on another width. Floats of 16 bits are held as 32, which rounds to nearest even
/// after each instruction and keeps denormals as normal numbers (frontend/half.cpp). What is not in the table:
/// * 16 bits: a NaN becomes the one of all halves in stores.
/// * 32 bits: the chip reads and writes denormals as zeros, but the compiler drops products with one, which would have made zeros of
///   denormals.
/// * 64 bits: IEEE operations. The functions of GLSL.std.450 made of several are not checked for signed zeros, infinities and NaN.
inline constexpr FloatModes kFloatModes = {.denorm_preserve = 16 | 64, .signed_zero_inf_nan_preserve = 32, .rounding_rte = 16 | 32 | 64};

}  // namespace pumice::compiler
