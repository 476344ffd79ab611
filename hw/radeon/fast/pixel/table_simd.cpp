// SPDX-License-Identifier: MIT
/// The routines of one instruction set.
#include "hw/radeon/fast/pixel/simd_routines.h"

namespace pumice::hw::fast::PUMICE_SIMD {

const output::RoutineTable& output_routines() {
  static constexpr output::RoutineTable kTable = {depth_routine, fast_fill_routine, fog_alpha_routine, sample_mask,
                                                  color_routine, resolve_row,       fill_row,          merge_row};
  return kTable;
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
