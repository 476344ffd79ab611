// SPDX-License-Identifier: MIT
/// Depth format, compare and write (docs/reference/rdp.md section 16).
#pragma once
#include "hw/rdp/ref/rdram.h"
#include "hw/rdp/ref/state.h"

namespace pumice::hw::rdp {

/// 18-bit Z to the 14 bits that are stored, and back.
uint32_t compress_z(uint32_t z);
uint32_t expand_z(uint32_t stored);

struct DepthResult {
  bool pass = true;
  bool blend_en = false;
  bool wraps = false;            // coverage would wrap
  int shift_a = 0, shift_b = 0;  // for blending with memory alpha
};

/// dz is the primitive's delta z, dz_code its 4-bit code. The interpenetrating mode may change the coverage count.
DepthResult compare_depth(const State& state, const Rdram& ram, uint32_t pixel, uint32_t z, uint32_t dz, uint32_t dz_code,
                          int memory_coverage, int& coverage);
void write_depth(const State& state, Rdram& ram, uint32_t pixel, uint32_t z, uint32_t dz_code);

}  // namespace pumice::hw::rdp
