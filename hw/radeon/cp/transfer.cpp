// SPDX-License-Identifier: MIT
/// See transfer.h.
#include "hw/radeon/cp/transfer.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "common/cpu_feature.h"
#include "hw/common/simd/rows.h"
#include "hw/common/threads/crew.h"

namespace pumice::hw::transfer {

namespace {

/// Parts are what a thread moves in about 2 to 4 us. Multiples of the page size, so that threads never share a cache line.
constexpr Parts kParts{256 << 10, 512 << 10, 1 << 20};
/// Above this the processor's string move is faster than vectors: it fetches no line that it is about to overwrite (measured: 73 instead of
/// 59 GB/s at 1 MiB, 47 instead of 35 at 16 MiB; the same below).
[[maybe_unused]] constexpr uint64_t kStringMove = 64 << 10;

/// Bytes that do not overlap.
void copy_bytes(std::byte* to, const std::byte* from, uint64_t size) {
#if defined(__x86_64__)
  const bool fast = has(CpuFeature::erms);
  if (size >= kStringMove && fast) {
    asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
    return;
  }
#endif
  if (size == sizeof(uint32_t) && reinterpret_cast<uintptr_t>(to) % sizeof(uint32_t) == 0) {  // the host may poll it: an event
    uint32_t word;
    std::memcpy(&word, from, sizeof word);
    std::atomic_ref<uint32_t>(*reinterpret_cast<uint32_t*>(to)).store(word, std::memory_order_release);
    return;
  }
  std::memcpy(to, from, size);
}

}  // namespace

void fill(Crew& crew, std::byte* to, uint64_t pitch, uint64_t row_bytes, uint64_t rows, uint32_t pixel, uint32_t pixel_bytes) {
  if (row_bytes == 0 || rows == 0) return;
  if (row_bytes == pitch || rows == 1)
    return in_parts(crew, kParts, pixel_bytes, row_bytes * rows / pixel_bytes,
                    [&](uint64_t first, uint64_t count) { fast::fill_pixels(to + first * pixel_bytes, &pixel, pixel_bytes, count); });
  in_parts(crew, kParts, row_bytes, rows, [&](uint64_t first, uint64_t count) {
    std::byte* row = to + first * pitch;
    for (uint64_t i = 0; i < count; ++i, row += pitch) fast::fill_pixels(row, &pixel, pixel_bytes, row_bytes / pixel_bytes);
  });
}

void fill_rows(Crew& crew, std::byte* to, uint64_t pitch, uint64_t row_bytes, uint64_t rows, const std::array<uint32_t, 4>& pattern) {
  const bool one_value = std::all_of(pattern.begin(), pattern.end(), [&](uint32_t v) { return v == pattern[0]; });
  if (one_value && row_bytes % 4 == 0 && (rows == 1 || pitch >= row_bytes)) return fill(crew, to, pitch, row_bytes, rows, pattern[0], 4);
  const auto fill_row = [&](std::byte* row, uint64_t bytes) {
    const uint64_t whole = bytes / sizeof pattern;
    fast::fill_pixels(row, pattern.data(), sizeof pattern, whole);
    std::memcpy(row + whole * sizeof pattern, pattern.data(), bytes % sizeof pattern);
  };
  if (rows > 1 && pitch < row_bytes) {
    for (uint64_t y = 0; y < rows; ++y) fill_row(to + y * pitch, row_bytes);
    return;
  }
  in_parts(crew, kParts, row_bytes, rows, [&](uint64_t first, uint64_t count) {
    if (row_bytes == pitch && pitch % sizeof pattern == 0) return fill_row(to + first * pitch, count * pitch);
    for (uint64_t y = first; y < first + count; ++y) fill_row(to + y * pitch, row_bytes);
  });
}

void copy(Crew& crew, std::byte* to, uint64_t to_pitch, const std::byte* from, uint64_t from_pitch, uint64_t row_bytes, uint64_t rows,
          bool upwards) {
  if (row_bytes == 0 || rows == 0) return;
  const bool straight = rows == 1 || (row_bytes == to_pitch && row_bytes == from_pitch);
  const bool apart = to + (rows - 1) * to_pitch + row_bytes <= from || from + (rows - 1) * from_pitch + row_bytes <= to;
  if (!apart || (rows > 1 && to_pitch < row_bytes)) {
    if (straight) {
      std::memmove(to, from, row_bytes * rows);
      return;
    }
    for (uint64_t i = 0; i < rows; ++i) {
      const uint64_t y = upwards ? rows - 1 - i : i;
      std::memmove(to + y * to_pitch, from + y * from_pitch, row_bytes);
    }
    return;
  }
  if (straight)
    return in_parts(crew, kParts, 1, row_bytes * rows,
                    [&](uint64_t first, uint64_t count) { copy_bytes(to + first, from + first, count); });
  in_parts(crew, kParts, row_bytes, rows, [&](uint64_t first, uint64_t count) {
    copy(to + first * to_pitch, to_pitch, from + first * from_pitch, from_pitch, row_bytes, count);
  });
}

void copy(std::byte* to, uint64_t to_pitch, const std::byte* from, uint64_t from_pitch, uint64_t row_bytes, uint64_t rows) {
  if (row_bytes == to_pitch && row_bytes == from_pitch) return copy_bytes(to, from, row_bytes * rows);
  for (uint64_t y = 0; y < rows; ++y) copy_bytes(to + y * to_pitch, from + y * from_pitch, row_bytes);
}

}  // namespace pumice::hw::transfer
