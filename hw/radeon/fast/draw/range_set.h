// SPDX-License-Identifier: MIT
/// Memory that queued draws read, as disjoint ranges: thousands of draws read thousands of places that lie one after the other.
#pragma once
#include <algorithm>
#include <vector>

#include "hw/radeon/footprint/rows.h"

namespace pumice::hw::fast {

class RangeSet {
 public:
  /// Ranges closer than this become one, with what lies between them: constants are aligned.
  static constexpr uint64_t kGap = 64;

  void clear() { ranges_.clear(); }
  size_t count() const { return ranges_.size(); }

  void add(const ByteRange& r) {
    if (r.begin >= r.end) return;
    auto at = ranges_.end();
    if (!ranges_.empty() && ranges_.back().begin <= r.begin)
      at = reaches(ranges_.back(), r.begin) ? at - 1 : at;  // mostly behind all others, or where the one before was
    else
      at = std::partition_point(ranges_.begin(), ranges_.end(), [&](const ByteRange& o) { return !reaches(o, r.begin); });
    if (at == ranges_.end() || at->begin > r.end + (kGap - 1)) {
      ranges_.insert(at, r);
      return;
    }
    at->begin = std::min(at->begin, r.begin), at->end = std::max(at->end, r.end);
    auto behind = at + 1;
    for (; behind != ranges_.end() && reaches(*at, behind->begin); ++behind) at->end = std::max(at->end, behind->end);
    ranges_.erase(at + 1, behind);
  }

  bool overlaps(const ByteRange& r) const {
    const auto at = std::partition_point(ranges_.begin(), ranges_.end(), [&](const ByteRange& o) { return o.end <= r.begin; });
    return at != ranges_.end() && at->overlaps(r);
  }

 private:
  static bool reaches(const ByteRange& o, uint64_t begin) { return begin < o.end + kGap; }
  std::vector<ByteRange> ranges_;  ///< ascending, at least kGap apart
};

}  // namespace pumice::hw::fast
