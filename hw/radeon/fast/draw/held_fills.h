// SPDX-License-Identifier: MIT
/// Fills that are held back until their memory is drawn to (clears.h). None overlaps another one. What draws touch that were queued before
/// may be filled in tiles, which come in order, or after those draws.
#pragma once
#include <array>
#include <functional>
#include <span>
#include <vector>

#include "hw/radeon/draw/draw.h"
#include "hw/radeon/fast/draw/clears.h"
#include "hw/radeon/footprint/extended.h"

namespace pumice::hw::fast {

inline ByteRange range_of(const FillInput& f) { return {f.address, f.address + f.range()}; }

inline bool same_rows(const FillInput& a, const FillInput& b) {
  return a.address == b.address && a.row_bytes == b.row_bytes && a.pitch == b.pitch && a.rows == b.rows;
}
/// Whether both make the same of the same memory.
inline bool same_fill(const FillInput& a, const FillInput& b) {
  return a.surface == b.surface && same_rows(a, b) && a.pattern == b.pattern;
}
/// What the clear does.
FillInput input_of(const Clear& clear);

class HeldFills {
 public:
  using FillNow = std::function<void(const FillInput&)>;
  using Writes = std::function<void(const footprint::TargetUse&)>;

  bool empty() const { return fills_.empty(); }
  /// Whether one of them is behind() queued draws that touch its memory: they come first.
  bool behind() const;
  /// Nothing is queued any more.
  void settle();
  bool overlaps(const ByteRange& range) const;
  bool overlaps(std::span<const ByteRange> ranges) const;
  /// Small ones are done before they could be found where they belong.
  static bool can_hold(const FillInput& input);
  /// What `input` overlaps is no longer held; what it overwrites as a whole is not filled.
  void make_room(const FillInput& input, const FillNow& fill_now);
  void add(const FillInput& input, bool behind, const FillNow& fill_now);
  void fill_all(const FillNow& fill_now);
  void drop_all() { fills_.clear(); }
  /// Before a draw begins: fills of its targets become `clears`, and `writes` is called with the target; others of memory that it touches
  /// are done.
  void place(const footprint::Extended& draw, Memory& memory, const FillNow& fill_now, Clears& clears, const Writes& writes);
  /// The target at this address was drawn to in few tiles: the next time it is filled before the draw, not behind its vertices.
  void rarely_drawn(uint64_t address) { rare_[next_rare_++ % rare_.size()] = address; }

 private:
  static constexpr size_t kMost = 32;
  static constexpr uint64_t kLeastBytes = 16 << 10;
  static constexpr uint32_t kRetry = 16;  ///< each so often it is tried again with targets that are rarely drawn to

  struct Held {
    FillInput fill;
    bool behind = false;
    const footprint::TargetUse* target = nullptr;  ///< in place()
  };
  std::vector<Held> fills_;
  std::array<uint64_t, 8> rare_{};
  uint32_t next_rare_ = 0, placed_ = 0;
};

}  // namespace pumice::hw::fast
