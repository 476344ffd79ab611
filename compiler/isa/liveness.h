// SPDX-License-Identifier: MIT
/// Where each lane of a virtual register occupies its channel: at points where it is live afterwards or written (even if it is never read,
/// the write must not clobber another value).
#pragma once
#include <algorithm>
#include <bit>
#include <span>

#include "compiler/isa/allocate.h"

namespace pumice::compiler::isa {

/// Sets the bits [from, to].
inline void set_bits(uint64_t* words, size_t from, size_t to) {
  const uint64_t begin = ~uint64_t{0} << (from % 64), end = ~uint64_t{0} >> (63 - to % 64);
  if (from / 64 == to / 64) {
    words[from / 64] |= begin & end;
    return;
  }
  words[from / 64] |= begin;
  for (size_t i = from / 64 + 1; i < to / 64; i++) words[i] = ~uint64_t{0};
  words[to / 64] |= end;
}

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
  /// Room for `row` words for each lane, for set_before().
  Occupancy(size_t lanes, size_t row) : rows_(lanes), words_(lanes * row), row_(row) {}
  LaneBits of(size_t lane) const { return {rows_[lane].first, {words_.data() + rows_[lane].at, rows_[lane].count}}; }
  bool any(size_t lane) const { return rows_[lane].count != 0; }
  /// Sets the bits [from, to], which come before those that are set.
  void set_before(size_t lane, size_t from, size_t to) {
    const size_t first = from / 64, last = to / 64;
    Row& r = rows_[lane];
    r.count = static_cast<uint16_t>((r.count ? size_t{r.first} + r.count : last + 1) - first);
    r.first = static_cast<uint16_t>(first);
    r.at = static_cast<uint32_t>(lane * row_ + first);
    set_bits(&words_[lane * row_], from, to);
  }
  /// Words first..last of `bits`, which are cleared.
  void take(size_t lane, Vec<uint64_t>& bits, size_t first, size_t last) {
    rows_[lane] = {static_cast<uint32_t>(words_.size()), static_cast<uint16_t>(first), static_cast<uint16_t>(last - first + 1)};
    for (size_t w = first; w <= last; w++) words_.push_back(std::exchange(bits[w], 0));
  }

 private:
  struct Row {  // small: there are four for each register
    uint32_t at;
    uint16_t first, count;
  };
  Vec<Row> rows_;
  Vec<uint64_t> words_;
  size_t row_ = 0;
};

/// A bit for every point. Point 0 is the entry; instruction i is point i + 1.
Occupancy occupancy(const Vec<VirtualRegister>& registers, const Vec<Point>& points);

}  // namespace pumice::compiler::isa
