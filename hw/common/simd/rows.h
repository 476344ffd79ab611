// SPDX-License-Identifier: MIT
/// Filling rows with a repeated pixel, per instruction set.
#pragma once
#include <cstddef>
#include <cstdint>

#include "hw/common/simd/cpu.h"

// fill_row: `count` times the first `bytes` (1, 2, 4, 8, 16) bytes of `bits`. fill_rows: rows of any number of bytes, `pitch` apart, each
// of which repeats the 16 bytes of `pattern`. merge_row: `count` dwords become (dword & keep) | value.
#define PUMICE_ROWS(set)                                                                                 \
  namespace pumice::hw::fast::set {                                                                      \
  void fill_row(std::byte* to, const uint32_t* bits, uint32_t bytes, size_t count);                      \
  void fill_rows(std::byte* to, uint64_t pitch, uint64_t bytes, uint64_t rows, const uint32_t* pattern); \
  void merge_row(std::byte* to, uint32_t keep, uint32_t value, size_t count);                            \
  }
PUMICE_ROWS(portable)
PUMICE_ROWS(avx2)
PUMICE_ROWS(avx512)
#undef PUMICE_ROWS

namespace pumice::hw::fast {

/// fill_row() of the best instruction set this machine has.
void fill_pixels(std::byte* to, const uint32_t* bits, uint32_t bytes, size_t count);
/// fill_rows() of it.
void fill_pattern(std::byte* to, uint64_t pitch, uint64_t bytes, uint64_t rows, const uint32_t* pattern);

}  // namespace pumice::hw::fast
