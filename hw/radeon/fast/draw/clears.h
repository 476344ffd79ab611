// SPDX-License-Identifier: MIT
/// Fills that were held back until their memory is drawn to (FastExecutor::fill): a batch begins with them in each tile of the targets.
/// What the first primitive of a tile overwrites as a whole is not filled.
#pragma once
#include <cstddef>
#include <cstdint>

#include "hw/radeon/fast/raster/record.h"

namespace pumice::hw::fast {

/// A target of which every pixel is filled.
struct Clear {
  uint64_t base = 0;        ///< address
  std::byte* to = nullptr;  ///< the same for the host
  uint64_t pitch = 0;       ///< from a row to the next; each sample has one
  uint32_t pixel_bytes = 0, samples = 1;
  int32_t width = 0, height = 0;  ///< pixels
  uint32_t pattern[4] = {};
  uint32_t surface = 0;             ///< FillInput::surface
  bool depth = false;               ///< of the draw that it was held back for; else colour
  bool behind = false;              ///< queued draws before it touch the memory
  bool is_run = false;              ///< FillInput::is_run()
  const uint64_t* stale = nullptr;  ///< tiles that do not hold the pattern, see is_stale(); null: all
};

/// Tile (x, y) of a target that is `across` tiles wide, of which `stale` has a bit for each.
inline bool is_stale(const uint64_t* stale, int32_t across, int32_t x, int32_t y) {
  const auto bit = static_cast<size_t>(y) * static_cast<size_t>(across) + static_cast<size_t>(x);
  return (stale[bit / 64] >> bit % 64 & 1) != 0;
}

struct Clears {
  static constexpr uint32_t kMost = 9;  ///< targets of a draw
  Clear clear[kMost];
  uint32_t count = 0;
  /// Of all targets together.
  int32_t width() const {
    int32_t most = 0;
    for (uint32_t i = 0; i < count; ++i) most = clear[i].width > most ? clear[i].width : most;
    return most;
  }
  int32_t height() const {
    int32_t most = 0;
    for (uint32_t i = 0; i < count; ++i) most = clear[i].height > most ? clear[i].height : most;
    return most;
  }
};

/// The number of the clear of the target at `base`; clears.count: there is none.
uint32_t find(const Clears& clears, uint64_t base);
/// The clears that must be done in the tile at (tile_x, tile_y), a bit each: all but those of targets that `first`, the tile's first
/// primitive, overwrites there.
uint32_t needed(const Clears& clears, const raster::Record& first, int32_t tile_x, int32_t tile_y);
/// The clears that have something to do in the tile at (tile_x, tile_y), a bit each.
uint32_t stale(const Clears& clears, int32_t tile_x, int32_t tile_y);
/// Does those of `which` in `tiles` tiles side by side.
void fill(const Clears& clears, uint32_t which, int32_t tile_x, int32_t tile_y, int32_t tiles);
void fill(const Clear& clear, int32_t tile_x, int32_t tile_y, int32_t tiles);

}  // namespace pumice::hw::fast
