// SPDX-License-Identifier: MIT
/// See vertex_fetch.h: four dwords of 16 elements at a time, turned.
#include "hw/common/simd/simd.h"
#include "hw/radeon/fast/extended/vertex_fetch.h"

namespace pumice::hw::fast::extended::PUMICE_SIMD {

using namespace pumice::hw::fast::PUMICE_SIMD;

bool fetch_rows(const FetchRun& run, const uint32_t* element, Lanes* rows) {
  uint32_t last = 0;
  for (int i = 0; i < kLanes; ++i) last = element[i] > last ? element[i] : last;
  if (last >= run.safe) return false;
  const std::byte* p[kLanes];
  for (int i = 0; i < kLanes; ++i) p[i] = run.base + run.stride * element[i];
  for (uint32_t d = 0; d < run.dwords; d += 4) {
    const auto quarters = [&](int k) __attribute__((always_inline)) {
      const auto at = [&](int i) __attribute__((always_inline)) { return load_unaligned<U4>(p[k + 4 * i] + 4 * d); };
      return concatenate(at(0), at(1), at(2), at(3));
    };
    U16 dword[4];
    transpose({quarters(0), quarters(1), quarters(2), quarters(3)}, dword);
    for (uint32_t i = 0; i < 4 && d + i < run.dwords; ++i)
      if (run.row[d + i] != FetchRun::kNowhere) store(rows[run.row[d + i]], as_float(dword[i]));
  }
  return true;
}

}  // namespace pumice::hw::fast::extended::PUMICE_SIMD
