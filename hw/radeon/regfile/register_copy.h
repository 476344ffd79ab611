// SPDX-License-Identifier: MIT
/// The values that the registers of some keys (hw/db/groups.h) had: by them, what was derived from those registers is found again.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "hw/db/groups.h"
#include "hw/radeon/regfile/chip_state.h"

namespace pumice::hw {

class RegisterCopy {
 public:
  using Keys = std::initializer_list<std::span<const RegisterRange>>;

  void read(const ChipState& state, Keys keys) {
    words_.clear();
    for (const std::span<const RegisterRange> key : keys)
      for (const RegisterRange& r : key) words_.insert(words_.end(), &state.reg[r.first / 4], &state.reg[r.first / 4] + r.words());
  }
  /// Whether the registers have these values. `keys` as of read().
  bool matches(const ChipState& state, Keys keys) const {
    const uint32_t* at = words_.data();
    for (const std::span<const RegisterRange> key : keys)
      for (const RegisterRange& r : key) {
        if (differ(at, &state.reg[r.first / 4], r.words())) return false;
        at += r.words();
      }
    return true;
  }

 private:
  /// Ranges are short: calls of memcmp take twice as long.
  static bool differ(const uint32_t* a, const uint32_t* b, uint32_t count) {
    using Four = uint32_t __attribute__((vector_size(16), aligned(4), may_alias));
    using Halves = uint64_t __attribute__((vector_size(16)));
    if (count < 4) {
      uint32_t bits = 0;
      for (uint32_t i = 0; i < count; ++i) bits |= a[i] ^ b[i];
      return bits != 0;
    }
    const auto at = [](const uint32_t* p) { return *reinterpret_cast<const Four*>(p); };
    auto bits = at(a + count - 4) ^ at(b + count - 4);  // the last ones, of which some are looked at twice
    for (uint32_t i = 0; i + 4 < count; i += 4) bits |= at(a + i) ^ at(b + i);
    const auto halves = reinterpret_cast<Halves>(bits);
    return (halves[0] | halves[1]) != 0;
  }

  std::vector<uint32_t> words_;
};

}  // namespace pumice::hw
