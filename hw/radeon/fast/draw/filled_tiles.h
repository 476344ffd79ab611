// SPDX-License-Identifier: MIT
/// What fills of numbered memory (FillInput::surface) left in place: the next fill with the same pattern does the tiles only that draws
/// have touched since. Most of a small frame's window is its background.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "hw/radeon/draw/draw.h"
#include "hw/radeon/fast/draw/bins.h"
#include "hw/radeon/fast/draw/clears.h"
#include "hw/radeon/fast/draw/resolves.h"
#include "hw/radeon/footprint/extended.h"

namespace pumice::hw::fast {

class FilledTiles {
 public:
  using FillNow = std::function<void(const FillInput&)>;

  bool empty() const { return known_.empty(); }
  /// A fill that is to be done now; no queued draw touches its memory.
  void fill(const FillInput& input, const FillNow& fill_now);
  /// The same for a batch that draws to it.
  void fill(const Clear& clear, const FillNow& fill_now);
  /// A batch that draws to it begins with `clear`: sets Clear::stale, which is in `arena`.
  void begin(Clear& clear, Arena& arena);
  /// A draw of the state PlanVersion::state is queued.
  void draw(uint64_t state, std::span<const footprint::TargetUse> uses);
  /// A batch is closed: `tiles` by number, all that have primitives among them. Targets that are `transient` keep what they hold.
  void close(std::span<const uint32_t> tiles, std::span<const Bin> bins, const Clears& transient);
  /// A batch ends with a resolve, and has been closed: sets what depends on tiles, which is in `arena`.
  void resolve(Resolve& r, Arena& arena);
  /// The same where the source is transient: only the tiles with primitives have been drawn to since the clear.
  void resolve_drawn(Resolve& r, const Clear& source, std::span<const uint32_t> tiles, std::span<const Bin> bins, Arena& arena);
  /// Everything queued is drawn.
  void settle();
  /// Memory may have been written by something else.
  void forget() { known_.clear(), ++changes_; }
  void forget(const ByteRange& range);

 private:
  static constexpr size_t kMost = 16;

  struct Known {
    FillInput fill;
    uint32_t pixel_bytes = 0, samples = 1;  ///< 0: nothing has been drawn there
    bool drawn = false;                     ///< by draws that are queued
    std::vector<uint64_t> stale;            ///< tiles that were drawn to, a bit each
    int32_t across() const { return pixel_bytes ? tiles(fill.row_bytes / pixel_bytes) : 0; }
    int32_t down() const { return tiles(fill.rows / samples); }
    static int32_t tiles(uint64_t pixels) { return static_cast<int32_t>((pixels + raster::kTile - 1) / raster::kTile); }
    void begin(uint32_t bytes, uint32_t count);
    void set_pixels(uint32_t bytes, uint32_t count);
    bool has_pixels(uint32_t bytes, uint32_t count) const { return !pixel_bytes || (pixel_bytes == bytes && samples == count); }
    void fill_stale(const FillNow& fill_now);
  };
  Known* find(const FillInput& input);
  void add(Known&& known);
  void resolve_to(Resolve& r, const FillInput& source, Arena& arena);
  void forget_others(const Clear& clear);

  std::vector<Known> known_;
  uint64_t changes_ = 1;             ///< of known_
  uint64_t seen_ = 0, seen_at_ = 0;  ///< the state of the last draw(), and changes_ then
};

}  // namespace pumice::hw::fast
