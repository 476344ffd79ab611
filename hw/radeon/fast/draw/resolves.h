// SPDX-License-Identifier: MIT
/// Resolves (X_RESOLVE, docs/r5x.md s.9) that are queued like draws: a batch ends with them in each tile, while its samples are in the
/// caches. Where nothing was drawn since the source was filled no sample is read.
#pragma once
#include <cstdint>
#include <span>

#include "hw/common/simd/cpu.h"
#include "hw/radeon/draw/resolve.h"
#include "hw/radeon/fast/draw/clears.h"
#include "hw/radeon/footprint/extended.h"

namespace pumice::hw::fast {

struct Resolve {
  ResolveInput input;
  Clear to;  ///< the destination, filled with what the source was filled with
  // A bit for each tile, see is_stale():
  const uint64_t* drawn = nullptr;  ///< tiles whose samples are read; null: all
  const uint64_t* fill = nullptr;   ///< others that do not hold the pattern yet; null: none
  uint32_t own = ~0u;               ///< the number of the source among the batch's transient targets, if it is one of them
  int32_t across() const { return tiles(input.width); }
  int32_t down() const { return tiles(input.height); }
  static int32_t tiles(uint32_t pixels) { return static_cast<int32_t>((pixels + raster::kTile - 1) / raster::kTile); }
};

struct Resolves {
  static constexpr uint32_t kMost = 8;
  Resolve resolve[kMost];
  uint32_t count = 0;
  /// Whether all that read the memory of `target` read all of its pixels.
  bool whole(const Clear& target) const;
};

footprint::TargetUse source_use(const ResolveInput& input);
footprint::TargetUse destination_use(const ResolveInput& input);
/// Whether one of them has something to do in the tile at (tile_x, tile_y).
bool any(const Resolves& resolves, int32_t tile_x, int32_t tile_y);
/// Does all in the tile at (tile_x, tile_y). `own`: by Resolve::own, what stands for the source's address.
void resolve(Cpu cpu, const Resolves& resolves, std::span<std::byte* const> own, int32_t tile_x, int32_t tile_y);

}  // namespace pumice::hw::fast
