// SPDX-License-Identifier: MIT
/// The routines of one instruction set by key.
#include "hw/fast/output/simd_routines.h"

namespace pumice::hw::fast::PUMICE_SIMD {

const output::RoutineTable& output_routines() {
  static constexpr output::RoutineTable kTable = {
      [](const output::State&) -> output::DepthRoutine { return nullptr; },
      [](const output::State&) -> output::FogAlphaRoutine { return nullptr; },
      [](const output::State&, const output::Target&) -> output::ColorRoutine { return nullptr; },
      fill_row,
      merge_row,
  };
  return kTable;
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
