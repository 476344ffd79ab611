// SPDX-License-Identifier: MIT
/// The memories inside the chip that are not registers and not in the address space: Z mask, hierarchical Z and colour mask (pipeline s.8,
/// 9). One set per chip. Accessed by the packets 3D_CLEAR_ZMASK, _HIZ and _CMASK, by the index registers, and, the Z mask, by ZB. Accesses
/// beyond a RAM's end are dropped and read 0.
#pragma once
#include <array>
#include <cstdint>
#include <memory>

#include "hw/db/chips.h"

namespace pumice::hw {

enum class OnChipRam : uint8_t { zmask, hiz, cmask };

/// Sizes in dwords of a chip with one raster pipe (pipeline s.1).
inline constexpr std::array<uint32_t, 3> kOnChipRamDwords = {most::zmask_dwords, most::hiz_dwords, most::cmask_dwords};

class OnChipRams {
 public:
  using Words = std::shared_ptr<uint32_t[]>;

  OnChipRams() { reset(); }
  OnChipRams(const OnChipRams&) = delete;

  /// All zeroes (the documents leave the contents after a reset open).
  void reset();
  static constexpr uint32_t dwords(OnChipRam which) { return kOnChipRamDwords[static_cast<size_t>(which)]; }
  const Words& words(OnChipRam which) const { return words_[static_cast<size_t>(which)]; }
  uint32_t read(OnChipRam which, uint32_t index) const { return index < dwords(which) ? words(which)[index] : 0; }
  void write(OnChipRam which, uint32_t index, uint32_t value) {
    if (index < dwords(which)) words(which)[index] = value;
  }
  /// `count` dwords from `start` become `value`.
  void fill(OnChipRam which, uint32_t start, uint32_t count, uint32_t value);
  /// The same on a new allocation: users of the previous words() keep the old contents. Dwords outside of the filled range are copied and
  /// must not be written concurrently.
  void refill(OnChipRam which, uint32_t start, uint32_t count, uint32_t value);

 private:
  std::array<Words, 3> words_;
};

}  // namespace pumice::hw
