// SPDX-License-Identifier: MIT
/// Axis-aligned textured rectangles ("pictures"): a program that outputs one texel unchanged, S varies along x only and T along y only,
/// opaque stores of four bytes. Such a primitive is drawn by rows instead of blocks: texel addresses of columns are computed once per
/// piece, those of rows once per row, and the bilinear filter becomes one pass along the image row and one between two such rows. The
/// stored bytes are those that blocks would store.
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

/// Parameters of a draw, derived from registers and the program only.
struct Plan {
  const tx::Unit* unit = nullptr;
  bool linear = false, unscaled = false;
  bool halves_up = false;      ///< of filtered codes, as in extended draws; else as in strict ones
  bool swizzled = false;       ///< `order` is not 0, 1, 2, 3
  bool passes = false;         ///< stores go past the caches
  uint8_t s = 0, t = 0;        ///< interpolants
  uint8_t order[4] = {};       ///< by stored byte: its byte in the filtered texel
  uint32_t keep = 0, set = 0;  ///< pixel = (texel & keep) | set
  std::byte* target = nullptr;
  uint64_t pitch = 0;  ///< bytes
};

/// Part of a shape. Column i is the pixel x + i, row j the pixel y + j.
struct Piece {
  int32_t x = 0, y = 0;  ///< first pixel of the columns and rows
  int32_t columns = 0, rows = 0;
  alignas(64) float s[kColumns], t[kColumns];  ///< coordinates as blocks interpolate them; whole groups of 16
  uint64_t covered[kColumns];                  ///< by row: bit i: column i
};

/// Called with FTZ and DAZ set.
using Routine = void (*)(const Plan& plan, const Piece& piece);
Routine routine(Cpu cpu);

/// Whether draws of this program can be drawn by rows, given its texture unit and back end; fills `plan`.
bool make_plan(Plan& plan, const us::TexelCopy& program, const tx::Prepared& unit, const output::State& output);

}  // namespace stretch
}  // namespace pumice::hw::fast
