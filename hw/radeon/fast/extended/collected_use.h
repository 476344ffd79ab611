// SPDX-License-Identifier: MIT
/// Whether it pays off to let pixels of the draws of a state wait for others (collected.h, packed.h), by what came of it so far.
#pragma once
#include <algorithm>
#include <cstdint>

namespace pumice::hw::fast::extended {

struct CollectedUse {
  static constexpr uint32_t kTried = 64, kDeclined = 512, kMostDeclined = 1 << 14;
  uint64_t job = 0;
  uint32_t patience = kDeclined;  ///< blocks refused before it is tried again: twice as many each time
  /// Calls begun, primitives added to one, calls of which nothing passed the tests; blocks refused since.
  uint32_t begun = 0, joined = 0, hidden = 0, declined = 0;
  /// Not where only one primitive touches what is begun, or where it is hidden, which is seen earlier if it is drawn at once.
  bool worth() {
    if (begun < kTried || (joined * 2 >= begun && hidden * 2 < begun)) return true;
    if (++declined < patience) return false;
    *this = {.job = job, .patience = std::min(2 * patience, kMostDeclined)};
    return true;
  }

  /// Whether to look for hidden pixels of a block: not while hardly any block has some.
  bool looks() {
    if (looked < kTried || found * 8 >= looked) return true;
    if (++passed_by < kDeclined) return false;
    looked = found = passed_by = 0;
    return true;
  }
  uint32_t looked = 0, found = 0, passed_by = 0;
};

/// Of the last states: tiles run the draws of a batch in turn.
struct CollectedUses {
  static constexpr uint32_t kUses = 8;
  CollectedUse of[kUses];
  CollectedUse* now = of;  ///< of the draw
  void begin(uint64_t job) {
    now = &of[job % kUses];
    if (now->job != job) *now = {.job = job};
  }
};

}  // namespace pumice::hw::fast::extended
