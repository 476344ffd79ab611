// SPDX-License-Identifier: MIT
/// See clears.h.
#include "hw/radeon/fast/draw/clears.h"

#include <algorithm>

#include "hw/common/simd/rows.h"
#include "hw/radeon/fast/draw/draw.h"
#include "hw/radeon/fast/extended/pixel.h"

namespace pumice::hw::fast {

namespace {

/// Whether every pixel x0..x1, y0..y1 is inside the primitive.
bool contains(const raster::Record& r, int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
  if (r.small || r.wide || r.x0 > x0 || r.y0 > y0 || r.x1 < x1 || r.y1 < y1) return false;
  for (uint32_t e = 0; e < r.edges; ++e) {
    const raster::Edge& edge = r.edge[e];
    if (int64_t{edge.a} * (edge.a < 0 ? x1 : x0) + int64_t{edge.b} * (edge.b < 0 ? y1 : y0) + edge.c < 0) return false;
  }
  return true;
}

}  // namespace

uint32_t find(const Clears& clears, uint64_t base) {
  uint32_t i = 0;
  while (i < clears.count && clears.clear[i].base != base) ++i;
  return i;
}

uint32_t needed(const Clears& clears, const raster::Record& first, int32_t tile_x, int32_t tile_y) {
  uint32_t which = (1u << clears.count) - 1;
  if (!first.more || first.extended().layer != 0) return which;
  const Draw& draw = *first.draw;
  const extended::PixelJob& job = *draw.pixel;
  if (job.overwrites == 0 || draw.feeds_back || draw.samples != 1 || !(draw.sample_mask & 1)) return which;
  for (uint32_t i = 0; i < clears.count; ++i) {
    const Clear& c = clears.clear[i];
    const uint64_t* const end = job.overwritten + job.overwrites;
    if (std::find(job.overwritten, end, c.base) == end) continue;
    const int32_t x1 = std::min(tile_x + raster::kTile, c.width) - 1, y1 = std::min(tile_y + raster::kTile, c.height) - 1;
    if (contains(first, tile_x, tile_y, x1, y1)) which &= ~(1u << i);
  }
  return which;
}

uint32_t stale(const Clears& clears, int32_t tile_x, int32_t tile_y) {
  uint32_t which = 0;
  const int32_t x = tile_x >> raster::kTileLog2, y = tile_y >> raster::kTileLog2;
  for (uint32_t i = 0; i < clears.count; ++i) {
    const Clear& c = clears.clear[i];
    if (tile_x >= c.width || tile_y >= c.height) continue;
    if (!c.stale || is_stale(c.stale, (c.width + raster::kTile - 1) >> raster::kTileLog2, x, y)) which |= 1u << i;
  }
  return which;
}

void fill(const Clears& clears, uint32_t which, int32_t tile_x, int32_t tile_y, int32_t tiles) {
  for (uint32_t i = 0; i < clears.count; ++i)
    if (which >> i & 1) fill(clears.clear[i], tile_x, tile_y, tiles);
}

void fill(const Clear& c, int32_t tile_x, int32_t tile_y, int32_t tiles) {
  const int32_t x1 = std::min(tile_x + tiles * raster::kTile, c.width), y1 = std::min(tile_y + raster::kTile, c.height);
  if (tile_x >= x1 || tile_y >= y1) return;
  // Rows of tiles begin where the pattern does.
  static_assert(raster::kTile % sizeof c.pattern == 0);
  const auto from_x = static_cast<uint64_t>(tile_x), from_y = static_cast<uint64_t>(tile_y);
  const uint64_t bytes = (static_cast<uint64_t>(x1) - from_x) * c.pixel_bytes, rows = (static_cast<uint64_t>(y1) - from_y) * c.samples;
  std::byte* const to = c.to + from_y * c.samples * c.pitch + from_x * c.pixel_bytes;
  const bool all_of_row = from_x == 0 && x1 == c.width;
  if (c.is_run && all_of_row)
    fill_pixels(to, c.pattern, 4, ((rows - 1) * c.pitch + bytes) / 4);
  else if (bytes == c.pitch && bytes % sizeof c.pattern == 0 && c.pattern[0] == c.pattern[2] && c.pattern[1] == c.pattern[3])
    fill_pixels(to, c.pattern, 8, bytes * rows / 8);
  else
    fill_pattern(to, c.pitch, bytes, rows, c.pattern);
}

}  // namespace pumice::hw::fast
