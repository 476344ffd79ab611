// SPDX-License-Identifier: MIT
/// See rows.h.
#include "hw/common/simd/rows.h"

#include "hw/common/simd/choose.h"

namespace pumice::hw::fast {

void fill_pixels(std::byte* to, const uint32_t* bits, uint32_t bytes, size_t count) {
  static const Cpu cpu = best_cpu();
  PUMICE_RETURN_FOR(cpu, fill_row(to, bits, bytes, count));
}

void fill_pattern(std::byte* to, uint64_t pitch, uint64_t bytes, uint64_t rows, const uint32_t* pattern) {
  static const Cpu cpu = best_cpu();
  PUMICE_RETURN_FOR(cpu, fill_rows(to, pitch, bytes, rows, pattern));
}

}  // namespace pumice::hw::fast
