// SPDX-License-Identifier: MIT
/// Sets of bytes as disjoint half-open ranges.
#pragma once
#include <cstdint>
#include <map>

namespace pumice::hw::trace {

class Ranges {
 public:
  bool empty() const { return ends_.empty(); }
  void clear() { ends_.clear(); }

  /// Adds [begin, end) and calls f(begin, end) for each part that was not in the set.
  template <class F>
  void add(uint64_t begin, uint64_t end, F f) {
    if (begin >= end) return;
    auto it = ends_.upper_bound(begin);
    if (it != ends_.begin() && std::prev(it)->second >= begin) --it;
    uint64_t at = begin, first = begin, last = end;
    while (it != ends_.end() && it->first <= end) {
      if (at < it->first) f(at, it->first);
      at = it->second > at ? it->second : at;
      first = it->first < first ? it->first : first;
      last = it->second > last ? it->second : last;
      it = ends_.erase(it);
    }
    if (at < end) f(at, end);
    ends_.emplace_hint(it, first, last);
  }
  void add(uint64_t begin, uint64_t end) {
    add(begin, end, [](uint64_t, uint64_t) {});
  }
  void remove(uint64_t begin, uint64_t end) {
    if (begin >= end) return;
    auto it = ends_.upper_bound(begin);
    if (it != ends_.begin() && std::prev(it)->second > begin) --it;
    while (it != ends_.end() && it->first < end) {
      const auto [first, last] = *it;
      it = ends_.erase(it);
      if (first < begin) ends_.emplace(first, begin);
      if (last > end) {
        ends_.emplace(end, last);
        break;
      }
    }
  }
  template <class F>
  void each(F f) const {
    for (const auto& [begin, end] : ends_) f(begin, end);
  }

 private:
  std::map<uint64_t, uint64_t> ends_;  ///< begin -> end; neighbours do not touch
};

}  // namespace pumice::hw::trace
