// SPDX-License-Identifier: MIT
/// Vectors of doubles of the instruction set's width, which the compiler does not make of loops with conditions, and 16 lanes of float made
/// of them. Included as simd.h is.
#pragma once
#include "hw/common/simd/simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {

inline constexpr uint32_t kDoubles = PUMICE_SIMD_BYTES / sizeof(double);
typedef double D __attribute__((vector_size(kDoubles * sizeof(double))));
typedef float HalfF __attribute__((vector_size(kDoubles * sizeof(float))));

PUMICE_INLINE HalfF narrow(D v) { return __builtin_convertvector(v, HalfF); }

PUMICE_INLINE native::F join(HalfF low, HalfF high) {
#if PUMICE_SIMD_BYTES == 64
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#elif PUMICE_SIMD_BYTES == 32
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
#else
  return __builtin_shufflevector(low, high, 0, 1, 2, 3);
#endif
}

/// v + add, rounded to float once more.
PUMICE_INLINE F16 narrow_sums(const double (&v)[kLanes], double add) {
  return PUMICE_PARTS(F16, join(narrow(load_unaligned<D>(v + 2 * static_cast<uint32_t>(i) * kDoubles) + add),
                                narrow(load_unaligned<D>(v + (2 * static_cast<uint32_t>(i) + 1) * kDoubles) + add)));
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
