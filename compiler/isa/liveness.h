// SPDX-License-Identifier: MIT
/// Where each lane of a virtual register occupies its channel: at points where it is live afterwards or written (even if it is never read,
/// the write must not clobber another value).
#pragma once
#include <algorithm>
#include <bit>
#include <span>

#include "compiler/isa/allocate.h"

namespace pumice::compiler::isa {

/// The bits of one lane, from the first word that has some to the last: most values live for a few points of many.
struct LaneBits {
  size_t first = 0;  ///< number of the first word
  std::span<const uint64_t> words;

  bool test(size_t i) const { return i / 64 >= first && i / 64 - first < words.size() && (words[i / 64 - first] >> (i % 64) & 1); }
  uint32_t count() const {
    uint32_t n = 0;
    for (uint64_t w : words) n += static_cast<uint32_t>(std::popcount(w));
    return n;
  }
};

/// Rows of bits by lane (register * 4 + lane), each cut to the words that it needs.
class Occupancy {
 public:
  explicit Occupancy(size_t lanes) : rows_(lanes) {}
  /// Rows of `row` words each.
  Occupancy(size_t lanes, size_t row, Vec<uint64_t>&& words) : rows_(lanes), words_(std::move(words)) {
    for (size_t lane = 0; lane < lanes; lane++) {
      size_t first = 0, end = row;
      while (first < end && !words_[lane * row + first]) first++;
      while (end > first && !words_[lane * row + end - 1]) end--;
      rows_[lane] = {lane * row + first, static_cast<uint32_t>(first), static_cast<uint32_t>(end - first)};
    }
  }
  LaneBits of(size_t lane) const { return {rows_[lane].first, {words_.data() + rows_[lane].at, rows_[lane].count}}; }
  bool any(size_t lane) const { return rows_[lane].count != 0; }
  /// Words first..last of `bits`, which are cleared.
  void take(size_t lane, Vec<uint64_t>& bits, size_t first, size_t last) {
    rows_[lane] = {words_.size(), static_cast<uint32_t>(first), static_cast<uint32_t>(last - first + 1)};
    for (size_t w = first; w <= last; w++) words_.push_back(std::exchange(bits[w], 0));
  }

 private:
  struct Row {
    size_t at = 0;
    uint32_t first = 0, count = 0;
  };
  Vec<Row> rows_;
  Vec<uint64_t> words_;
};

/// A bit for every point. Point 0 is the entry; instruction i is point i + 1.
Occupancy occupancy(const Vec<VirtualRegister>& registers, const Vec<Point>& points);

}  // namespace pumice::compiler::isa
