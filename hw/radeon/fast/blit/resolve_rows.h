// SPDX-License-Identifier: MIT
/// Rows of samples that become rows of pixels (resolve.h): plain data for the row routines.
#pragma once
#include <cstddef>
#include <cstdint>

#include "hw/common/simd/cpu.h"

namespace pumice::hw::fast {

struct ResolveRows {
  const std::byte* from = nullptr;  ///< sample s of row y is row y * samples + s
  uint64_t from_pitch = 0;
  std::byte* to = nullptr;
  uint64_t pitch = 0;
  uint64_t bytes = 0;  ///< of a row
  uint64_t rows = 0;
  uint32_t samples_log2 = 1;
  bool by_bytes = true;  ///< the mean of each byte, halves up; else `mixed` makes the pixels whose samples differ
  /// `bytes` bytes of whole pixels, of which some have samples that differ.
  void (*mixed)(const ResolveRows& rows, const std::byte* from, std::byte* to, uint64_t bytes) = nullptr;
  const void* user = nullptr;  ///< for `mixed`
};

void resolve_rows(Cpu cpu, const ResolveRows& rows);

}  // namespace pumice::hw::fast
