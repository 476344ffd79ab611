// SPDX-License-Identifier: MIT
/// See vertex_fetch.h: four dwords of 16 elements at a time, turned.
#include "hw/common/simd/simd.h"
#include "hw/radeon/fast/extended/vertex_fetch.h"

namespace pumice::hw::fast::extended::PUMICE_SIMD {

using namespace pumice::hw::fast::PUMICE_SIMD;

/// Bytes.
constexpr uint64_t kMostPrefetched = 4096;

bool fetch_rows(const FetchRun& run, const uint32_t* element, Lanes* rows) {
  uint32_t last = 0;
  for (int i = 0; i < kLanes; ++i) last = element[i] > last ? element[i] : last;
  if (last >= run.safe) return false;
  const uint64_t stride = run.stride;
  // Elements in a row: those of the batch after the next one will be wanted.
  if (element[kLanes - 1] - element[0] == kLanes - 1 && stride <= kMostPrefetched / kLanes) {
    const auto ahead = reinterpret_cast<uintptr_t>(run.base) + stride * (element[0] + 2 * kLanes);
    for (uint64_t line = 0; line < kLanes * stride; line += 64) __builtin_prefetch(reinterpret_cast<const void*>(ahead + line));
  }
  for (uint32_t d = 0; d < run.dwords; d += 4) {
    // Sixteen addresses do not fit in registers: they are made where they are used.
    const std::byte* const base = run.base + 4 * d;
    const auto quarters = [&](int k) __attribute__((always_inline)) {
      const auto at = [&](int i) __attribute__((always_inline)) { return load_unaligned<U4>(base + stride * element[k + 4 * i]); };
      return concatenate(at(0), at(1), at(2), at(3));
    };
    U16 dword[4];
    transpose({quarters(0), quarters(1), quarters(2), quarters(3)}, dword);
    for (uint32_t i = 0; i < 4 && d + i < run.dwords; ++i)
      if (run.row[d + i] != FetchRun::kNowhere) store(rows[run.row[d + i]], as_float(dword[i]));
  }
  return true;
}

void fill_rows(const uint32_t* value, uint32_t count, uint32_t first, Lanes* rows) {
  if (first == 0) {
    for (uint32_t i = 0; i < count; ++i) store(rows[i], as_float(splat(value[i])));
    return;
  }
  const Mask before = lt(kLaneIndex, splat(static_cast<int32_t>(first)));
  for (uint32_t i = 0; i < count; ++i) store(rows[i], select(before, load(rows[i]), as_float(splat(value[i]))));
}

}  // namespace pumice::hw::fast::extended::PUMICE_SIMD
