// SPDX-License-Identifier: MIT
/// Pictures drawn upright: a program that hands on one texel, coordinates of which S changes along x only and T along y only, opaque
/// stores of four bytes. Rows of such a shape need no blocks: where a column looks is known once a piece, where a row looks once a row, and
/// the bilinear filter becomes one pass along the row of the image and one between two such rows. The bytes are those of the blocks.
///
/// Plain data: included by files that are compiled once per instruction set.
#pragma once
#include <cstddef>
#include <cstdint>

#include "hw/common/simd/cpu.h"
#include "hw/radeon/fast/texture/unit.h"

namespace pumice::hw::fast {

namespace output {
struct State;
}
namespace tx {
struct Prepared;
}
namespace us {
struct TexelCopy;
}

namespace stretch {

inline constexpr int32_t kColumns = 64;  ///< of a piece at most: a screen tile

/// What a draw needs, from registers and the program alone.
struct Plan {
  const tx::Unit* unit = nullptr;
  bool linear = false, unscaled = false;
  bool swizzled = false;       ///< `order` is not 0, 1, 2, 3
  uint8_t s = 0, t = 0;        ///< interpolants
  uint8_t order[4] = {};       ///< of the bytes stored: byte of the filtered texel
  uint32_t keep = 0, set = 0;  ///< pixel = (texel & keep) | set
  std::byte* target = nullptr;
  uint64_t pitch = 0;  ///< bytes
};

/// Part of a shape. Column i is the pixel x + i, row j the pixel y + j.
struct Piece {
  int32_t x = 0, y = 0;  ///< of the columns' and rows' first pixel
  int32_t columns = 0, rows = 0;
  alignas(64) float s[kColumns], t[kColumns];  ///< coordinates as blocks interpolate them; whole groups of 16
  uint64_t covered[kColumns];                  ///< by row: bit i: column i
};

/// Called with FTZ and DAZ set.
using Routine = void (*)(const Plan& plan, const Piece& piece);
Routine routine(Cpu cpu);

/// Whether draws of this program are pictures, by its texture unit and back end; fills `plan`.
bool make_plan(Plan& plan, const us::TexelCopy& program, const tx::Prepared& unit, const output::State& output);

}  // namespace stretch
}  // namespace pumice::hw::fast
