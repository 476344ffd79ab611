// SPDX-License-Identifier: MIT
/// See rows.h.
#include "hw/common/simd/rows.h"

#include "hw/common/simd/choose.h"

namespace pumice::hw::fast {

void fill_pixels(std::byte* to, const uint32_t* bits, uint32_t bytes, size_t count) {
  static const Cpu cpu = best_cpu();
  PUMICE_RETURN_FOR(cpu, fill_row(to, bits, bytes, count));
}

}  // namespace pumice::hw::fast
