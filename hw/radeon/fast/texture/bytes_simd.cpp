// SPDX-License-Identifier: MIT
/// Routines for texels of four unsigned bytes by windows of bytes (bytes_simd.h): compiled with AVX-512 VBMI and VNNI, apart from the other
/// AVX-512 routines.
#include "hw/radeon/fast/texture/sample_simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {

const tx::RoutineSet& find_byte_routines(Shape shape, bool simple, Mode mode) {
  if (shape == Shape::cube) return routines<Shape::cube, Codes4, false>(mode);
  return simple ? routines<Shape::flat, Codes4, true>(mode) : routines<Shape::flat, Codes4, false>(mode);
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
