// SPDX-License-Identifier: MIT
/// "Did you mean": the word that is nearest to a mistyped one.
#pragma once
#include <algorithm>
#include <string_view>
#include <vector>

namespace pumice {

/// Edit distance: letters to insert, delete, replace, or swap with their neighbour to turn `a` into `b`.
inline size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

/// The nearest of `words`, if no more than a third of its letters are wrong; empty if none is that near.
template <class Words>
std::string_view nearest(std::string_view typed, const Words& words) {
  std::string_view best;
  size_t least = ~size_t{0};
  for (const std::string_view word : words)
    if (const size_t d = edit_distance(typed, word); d < least && 3 * d <= std::max(typed.size(), word.size())) {
      least = d;
      best = word;
    }
  return best;
}

}  // namespace pumice
