// SPDX-License-Identifier: MIT
/// Dwords of vertex attributes of 16 vertices, from structures to rows. Plain data, because SIMD files include nothing else.
#pragma once
#include <cstddef>
#include <cstdint>

#include "hw/common/simd/cpu.h"
#include "hw/common/simd/lanes.h"

namespace pumice::hw::fast::extended {

/// Consecutive dwords of a buffer's elements: one attribute, or several that lie beside each other.
struct FetchRun {
  static constexpr uint32_t kMost = 32;
  const std::byte* base = nullptr;  ///< of element 0
  uint64_t stride = 0;
  uint64_t safe = 0;  ///< elements 0..safe-1 lie in the buffer, and up to the next multiple of 16 bytes may be read
  uint32_t rate = 0;  ///< X_VTX_ATTR_RATE
  uint32_t dwords = 0;
  uint8_t row[kMost] = {};  ///< by dword: where it goes; kNowhere
  static constexpr uint8_t kNowhere = 0xFF;
};

/// The elements of 16 vertices. False, and nothing is read, when one is not safe.
using FetchRoutine = bool (*)(const FetchRun& run, const uint32_t* element, Lanes* rows);
FetchRoutine fetch_routine(Cpu cpu);

/// Lanes `first` to 15 of `count` rows become value[row].
using FillRoutine = void (*)(const uint32_t* value, uint32_t count, uint32_t first, Lanes* rows);
FillRoutine fill_routine(Cpu cpu);

namespace portable {
bool fetch_rows(const FetchRun& run, const uint32_t* element, Lanes* rows);
void fill_rows(const uint32_t* value, uint32_t count, uint32_t first, Lanes* rows);
}  // namespace portable
namespace avx2 {
bool fetch_rows(const FetchRun& run, const uint32_t* element, Lanes* rows);
void fill_rows(const uint32_t* value, uint32_t count, uint32_t first, Lanes* rows);
}  // namespace avx2
namespace avx512 {
bool fetch_rows(const FetchRun& run, const uint32_t* element, Lanes* rows);
void fill_rows(const uint32_t* value, uint32_t count, uint32_t first, Lanes* rows);
}  // namespace avx512

}  // namespace pumice::hw::fast::extended
