// SPDX-License-Identifier: MIT
/// Fills and copies of memory as packets: rectangles of the 2D engine (cp-pm4 s.4), GUI DMA for what is small or does not fit its
/// surfaces. Such a surface begins at a multiple of 1 KiB and has rows of 64 to 16320 bytes in steps of 64; whatever lies elsewhere is
/// reached by coordinates, and rows of other lengths by taking every second, fourth, ... row at a time.
#pragma once
#include <span>

#include "icd/cs.h"

namespace pumice::icd {

/// Rows of bytes; addresses are those of the first.
struct Rows {
  hw::GpuAddress address = 0;
  uint32_t pitch = 0;
};

/// Fills with a pixel of 1, 2, 4, 8 or 16 bytes, of which address, pitch and row_bytes are multiples.
void fill_rows(Cs& cs, const Rows& to, uint32_t row_bytes, uint32_t rows, std::span<const uint8_t> pixel);
/// Fills `bytes` bytes, a multiple of 4, with a dword.
void fill_bytes(Cs& cs, hw::GpuAddress to, uint64_t bytes, uint32_t value);

void copy_rows(Cs& cs, const Rows& from, const Rows& to, uint32_t row_bytes, uint32_t rows);
void copy_bytes(Cs& cs, hw::GpuAddress from, hw::GpuAddress to, uint64_t bytes);

}  // namespace pumice::icd
