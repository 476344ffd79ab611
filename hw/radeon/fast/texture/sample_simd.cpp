// SPDX-License-Identifier: MIT
/// The routines of an instruction set for texels that are not compressed.
#include "hw/radeon/fast/texture/sample_simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

template <Shape kShape, bool kSimple>
const tx::RoutineSet& by_texels(Texels texels, Mode mode) {
  switch (texels) {
    case Texels::codes4: return routines<kShape, Codes4, kSimple>(mode);
    case Texels::codes: return routines<kShape, Codes<ReadSmall, false>, kSimple>(mode);
    case Texels::srgb: return routines<kShape, Srgb<ReadDword>, kSimple>(mode);
    case Texels::fields: return routines<kShape, Fields<1>, kSimple>(mode);
    case Texels::fields64: return routines<kShape, Fields<2>, kSimple>(mode);
    case Texels::half: return routines<kShape, Half, kSimple>(mode);
    default: return routines<kShape, Single, kSimple>(mode);
  }
}

}  // namespace

const tx::RoutineSet& find_routines(Shape shape, Texels texels, bool simple, Mode mode) {
#if defined(__AVX2__)
  if (texels >= Texels::bc1) return find_block_routines(shape, texels);
#endif
  switch (shape) {
    case Shape::flat: return simple ? by_texels<Shape::flat, true>(texels, mode) : by_texels<Shape::flat, false>(texels, mode);
    case Shape::cube: return by_texels<Shape::cube, false>(texels, mode);
    default: return by_texels<Shape::volume, false>(texels, mode);
  }
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
