// SPDX-License-Identifier: MIT
/// Moving bytes for the 2D engine and GUI DMA at the speed of memory: whole rows, large ones by several threads (crew.h).
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "hw/common/threads/crew.h"

namespace pumice::hw::transfer {

/// More threads do not make memory faster.
inline constexpr uint32_t kMostHelpers = 3;

/// How a job is cut, in bytes: the size of a part, and the sizes of jobs that use a second thread if it is awake, and that wake it.
struct Parts {
  uint64_t part, worthwhile, worth_waking;
};

/// Whether a job of `total` bytes is one for several threads.
inline bool worth_crew(const Crew& crew, const Parts& parts, uint64_t total) {
  return !crew.alone() && total >= parts.worthwhile && (total >= parts.worth_waking || crew.awake());
}

/// Calls f(first row, rows) or, for a single row, f(first byte, bytes): in parts when that is faster.
template <class F>
void in_parts(Crew& crew, const Parts& parts, uint64_t unit_bytes, uint64_t units, F f) {
  if (!worth_crew(crew, parts, unit_bytes * units)) return f(uint64_t{0}, units);
  const uint64_t step = std::max<uint64_t>(parts.part / unit_bytes, 1);
  crew.run(static_cast<uint32_t>((units + step - 1) / step), [&](uint32_t i) { f(i * step, std::min(step, units - i * step)); });
}

/// Rows of `row_bytes` bytes, `pitch` apart, filled with a pixel of 1, 2 or 4 bytes.
void fill(Crew& crew, std::byte* to, uint64_t pitch, uint64_t row_bytes, uint64_t rows, uint32_t pixel, uint32_t pixel_bytes);

/// Rows, in order, each of which repeats the 16 bytes of `pattern` from its beginning.
void fill_rows(Crew& crew, std::byte* to, uint64_t pitch, uint64_t row_bytes, uint64_t rows, const std::array<uint32_t, 4>& pattern);

/// Copies rows. Where source and destination, or rows of the destination, overlap, they are moved one by one, the last one first when
/// `upwards`; a row may overlap its own source.
void copy(Crew& crew, std::byte* to, uint64_t to_pitch, const std::byte* from, uint64_t from_pitch, uint64_t row_bytes, uint64_t rows,
          bool upwards);
/// The same on this thread, of rows that do not overlap.
void copy(std::byte* to, uint64_t to_pitch, const std::byte* from, uint64_t from_pitch, uint64_t row_bytes, uint64_t rows);

}  // namespace pumice::hw::transfer
