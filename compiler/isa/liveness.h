// SPDX-License-Identifier: MIT
/// Where each lane of a virtual register occupies its channel: at points where it is live afterwards or written (even if it is never read,
/// the write must not clobber another value).
#pragma once
#include <algorithm>
#include <bit>
#include <span>

#include "compiler/isa/allocate.h"

namespace pumice::compiler::isa {

/// Rows of bits, all of one length.
class Bits {
 public:
  Bits(size_t rows, size_t bits) : row_((bits + 63) / 64), words_(rows * row_) {}
  void add_row() { words_.resize(words_.size() + row_); }
  size_t rows() const { return words_.size() / row_; }
  void set(size_t row, size_t i) { words_[row * row_ + i / 64] |= uint64_t{1} << (i % 64); }
  /// Sets [from, to].
  void set(size_t row, size_t from, size_t to) {
    uint64_t* w = &words_[row * row_];
    const uint64_t first = ~uint64_t{0} << (from % 64), last = ~uint64_t{0} >> (63 - to % 64);
    if (from / 64 == to / 64) {
      w[from / 64] |= first & last;
      return;
    }
    w[from / 64] |= first;
    for (size_t i = from / 64 + 1; i < to / 64; i++) w[i] = ~uint64_t{0};
    w[to / 64] |= last;
  }
  bool test(size_t row, size_t i) const { return words_[row * row_ + i / 64] >> (i % 64) & 1; }
  bool meets(size_t row, const Bits& other, size_t other_row) const {
    const uint64_t *a = &words_[row * row_], *b = &other.words_[other_row * row_];
    for (size_t i = 0; i < row_; i++) {
      if (a[i] & b[i]) return true;
    }
    return false;
  }
  void merge(size_t row, const Bits& other, size_t other_row) {
    for (size_t i = 0; i < row_; i++) words_[row * row_ + i] |= other.words_[other_row * row_ + i];
  }
  /// How many of the row are set.
  uint32_t count(size_t row) const {
    uint32_t n = 0;
    for (size_t i = 0; i < row_; i++) n += static_cast<uint32_t>(std::popcount(words_[row * row_ + i]));
    return n;
  }
  std::span<const uint64_t> row(size_t row) const { return {&words_[row * row_], row_}; }
  bool any(size_t row) const {
    return std::any_of(&words_[row * row_], &words_[row * row_] + row_, [](uint64_t w) { return w != 0; });
  }

 private:
  size_t row_;
  Vec<uint64_t> words_;
};

/// A row for every lane (register * 4 + lane), a bit for every point. Point 0 is the entry; instruction i is point i + 1.
Bits occupancy(const Vec<VirtualRegister>& registers, const Vec<Point>& points);

}  // namespace pumice::compiler::isa
