// SPDX-License-Identifier: MIT
/// Moving bytes for the 2D engine and GUI DMA at the speed of memory: whole rows, large ones by several threads (crew.h).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace pumice::hw {

class Crew;

namespace transfer {

/// Rows of `row_bytes` bytes, `pitch` apart, filled with a pixel of 1, 2 or 4 bytes.
void fill(Crew& crew, std::byte* to, uint64_t pitch, uint64_t row_bytes, uint64_t rows, uint32_t pixel, uint32_t pixel_bytes);

/// Rows, in order, each of which repeats the 16 bytes of `pattern` from its beginning.
void fill_rows(Crew& crew, std::byte* to, uint64_t pitch, uint64_t row_bytes, uint64_t rows, const std::array<uint32_t, 4>& pattern);

/// Copies rows. Where source and destination, or rows of the destination, overlap, they are moved one by one, the last one first when
/// `upwards`; a row may overlap its own source.
void copy(Crew& crew, std::byte* to, uint64_t to_pitch, const std::byte* from, uint64_t from_pitch, uint64_t row_bytes, uint64_t rows,
          bool upwards);

}  // namespace transfer
}  // namespace pumice::hw
