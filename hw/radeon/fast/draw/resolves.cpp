// SPDX-License-Identifier: MIT
/// See resolves.h.
#include "hw/radeon/fast/draw/resolves.h"

#include <algorithm>

#include "hw/radeon/fast/blit/resolve.h"
#include "hw/radeon/fast/draw/held_fills.h"

namespace pumice::hw::fast {

namespace {

enum class Work : uint8_t { nothing, fill, samples };

Work work_in(const Resolve& r, int32_t tile_x, int32_t tile_y) {
  const int32_t x = tile_x >> raster::kTileLog2, y = tile_y >> raster::kTileLog2, across = r.across();
  if (x >= across || y >= r.down()) return Work::nothing;
  if (!r.drawn || is_stale(r.drawn, across, x, y)) return Work::samples;
  return r.fill && is_stale(r.fill, across, x, y) ? Work::fill : Work::nothing;
}

}  // namespace

footprint::TargetUse source_use(const ResolveInput& in) {
  footprint::TargetUse u;
  u.writes = true;  // pixels of the same place are ordered by tile
  u.bytes = static_cast<uint8_t>(in.pixel_bytes), u.samples_log2 = static_cast<uint8_t>(in.samples_log2);
  u.pitch = in.source_pitch, u.base = in.source;
  u.row = in.row_bytes(), u.rows = uint64_t{in.height} << in.samples_log2;
  u.range = {in.source, in.source + in.source_range()};
  return u;
}

footprint::TargetUse destination_use(const ResolveInput& in) {
  footprint::TargetUse u;
  u.writes = true;
  u.bytes = static_cast<uint8_t>(in.pixel_bytes);
  u.pitch = in.pitch, u.base = in.destination;
  u.row = in.row_bytes(), u.rows = in.height;
  u.range = {in.destination, in.destination + in.range()};
  return u;
}

bool Resolves::whole(const Clear& c) const {
  const FillInput target = input_of(c);
  return std::all_of(resolve, resolve + count, [&](const Resolve& r) {
    const ResolveInput& in = r.input;
    if (!ByteRange{in.source, in.source + in.source_range()}.overlaps(range_of(target))) return true;
    return in.source == c.base && in.source_pitch == c.pitch && in.pixel_bytes == c.pixel_bytes && in.samples() == c.samples &&
           in.width == static_cast<uint32_t>(c.width) && in.height == static_cast<uint32_t>(c.height);
  });
}

bool any(const Resolves& resolves, int32_t tile_x, int32_t tile_y) {
  const Resolve* const end = resolves.resolve + resolves.count;
  return std::any_of(resolves.resolve, end, [&](const Resolve& r) { return work_in(r, tile_x, tile_y) != Work::nothing; });
}

void resolve(Cpu cpu, const Resolves& resolves, std::span<std::byte* const> own, int32_t tile_x, int32_t tile_y) {
  for (uint32_t i = 0; i < resolves.count; ++i) {
    const Resolve& r = resolves.resolve[i];
    const Work work = work_in(r, tile_x, tile_y);
    if (work == Work::nothing) continue;
    if (work == Work::fill) {
      fill(r.to, tile_x, tile_y, 1);
      continue;
    }
    const auto x = static_cast<uint32_t>(tile_x), y = static_cast<uint32_t>(tile_y);
    constexpr auto kSide = static_cast<uint32_t>(raster::kTile);
    ResolveInput in = r.input;
    if (r.own < own.size()) in.from = own[r.own];
    resolve(cpu, in, RowsPart{x, y, std::min(kSide, r.input.width - x), std::min(kSide, r.input.height - y)});
  }
}

}  // namespace pumice::hw::fast
