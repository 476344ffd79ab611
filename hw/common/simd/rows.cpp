// SPDX-License-Identifier: MIT
/// See rows.h.
#include "hw/common/simd/rows.h"

namespace pumice::hw::fast {

void fill_pixels(std::byte* to, const uint32_t* bits, uint32_t bytes, size_t count) {
#if defined(__x86_64__)
  static const Cpu cpu = best_cpu();
  if (cpu == Cpu::avx512) return avx512::fill_row(to, bits, bytes, count);
  if (cpu == Cpu::avx2) return avx2::fill_row(to, bits, bytes, count);
#endif
  portable::fill_row(to, bits, bytes, count);
}

}  // namespace pumice::hw::fast
