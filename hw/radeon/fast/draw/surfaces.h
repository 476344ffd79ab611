// SPDX-License-Identifier: MIT
/// Tracks which memory queued draws write and sample (hw/radeon/footprint), so that a draw waits for those it depends on. Two draws that
/// write the same pixels of the same surface need not wait: tiles keep their order.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "hw/radeon/fast/draw/range_set.h"
#include "hw/radeon/footprint/draw.h"
#include "hw/radeon/footprint/extended.h"
#include "hw/radeon/memory/memory.h"

namespace pumice::hw::fast {

/// What a draw's back end touches (footprint::surfaces()), with their ranges. A resolve's source is treated as written too, since
/// pixels at the same position are ordered by tile.
struct WrittenSurfaces {
  footprint::Surfaces footprint;
  std::array<ByteRange, 1 + rb3d::kTargets> range;
  bool backed = true;  ///< all surfaces are backed everywhere in the draw's rectangle
  std::span<const footprint::Surface> surfaces() const { return std::span(footprint.surface).first(footprint.count); }
  std::span<const ByteRange> ranges() const { return std::span(range).first(footprint.count); }
  std::span<const footprint::RamUse> cmasks() const { return std::span(footprint.cmask).first(footprint.cmasks); }
};
WrittenSurfaces written_surfaces(const ChipState& state, const Memory& memory);

/// The textures of the units in `units`.
struct SampledRanges {
  std::array<ByteRange, regs::TX_FORMAT0::count> range;
  uint32_t count = 0;
  bool backed = true;
  std::span<const ByteRange> ranges() const { return std::span(range).first(count); }
};
SampledRanges sampled_ranges(const ChipState& state, const Memory& memory, uint32_t units);

/// The memory that queued draws touch.
class PendingMemory {
 public:
  void clear() {
    written_.clear();
    sampled_.clear();
    targets_.clear();
    reads_any_ = writes_any_ = read_any_ = wrote_any_ = false;
    zmask_.clear();
    cmask_.clear();
  }
  /// Draws that may read anything wait for what is queued before, and the next draws for those that are: DrawExecutor::order(). False:
  /// nothing is queued that this concerns.
  bool order() {
    const bool any = reads_any_ || writes_any_;
    read_any_ |= reads_any_, wrote_any_ |= writes_any_;
    reads_any_ = writes_any_ = false;
    return any;
  }
  DrawExecutor::RamRange in_use(OnChipRam which) const;
  /// Whether a draw must wait for the queued ones.
  bool conflicts(const WrittenSurfaces& written, const SampledRanges& sampled) const;
  bool conflicts(const footprint::Extended& draw) const;
  bool conflicts(const footprint::TargetUse& target) const;
  bool writes(const ByteRange& range) const;
  bool writes(std::span<const ByteRange> ranges) const;
  void add(const WrittenSurfaces& written, const SampledRanges& sampled);
  void add(const footprint::Extended& draw);
  /// What fragments of a draw read whose targets are known.
  void add_reads(const footprint::Extended& draw);
  void add(const footprint::TargetUse& target);
  /// Whether a queued draw may read or write some of these bytes.
  bool touches(const ByteRange& range) const;
  /// Whether all draws that do have a target of exactly these rows.
  bool only_drawn_to(const footprint::TargetUse& rows) const;
  /// Whether targets there are depth only, or colour only.
  bool only_targets(footprint::What what, const ByteRange& range) const;

 private:
  struct Written {
    ByteRange range;
    footprint::Surface surface;
  };

  std::vector<Written> written_;
  std::vector<footprint::TargetUse> targets_;  ///< of extended draws
  // One of the queued draws may read any memory, or writes some:
  bool reads_any_ = false, writes_any_ = false;  ///< since the last order()
  bool read_any_ = false, wrote_any_ = false;    ///< before
  RangeSet sampled_;
  std::vector<footprint::RamUse> zmask_, cmask_;
};

}  // namespace pumice::hw::fast
