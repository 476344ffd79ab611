// SPDX-License-Identifier: MIT
/// See on_chip_ram.h.
#include "hw/radeon/regfile/on_chip_ram.h"

#include <algorithm>
#include <utility>

#include "common/zero_pages.h"

namespace pumice::hw {

void OnChipRams::reset() {
  for (size_t i = 0; i < words_.size(); ++i) {
    const size_t bytes = kOnChipRamDwords[i] * sizeof(uint32_t);
    words_[i] = Words(static_cast<uint32_t*>(map_zero_pages(bytes)), [bytes](uint32_t* words) { munmap(words, bytes); });
  }
}

void OnChipRams::fill(OnChipRam which, uint32_t start, uint32_t count, uint32_t value) {
  const uint32_t size = dwords(which);
  if (start < size) std::fill_n(words(which).get() + start, std::min(count, size - start), value);
}

void OnChipRams::refill(OnChipRam which, uint32_t start, uint32_t count, uint32_t value) {
  const uint32_t size = dwords(which);
  const uint32_t first = std::min(start, size), end = first + std::min(count, size - first);
  const Words old = std::exchange(words_[static_cast<size_t>(which)], std::make_shared<uint32_t[]>(size));
  uint32_t* now = words(which).get();
  std::copy_n(old.get(), first, now);
  std::fill(now + first, now + end, value);
  std::copy(old.get() + end, old.get() + size, now + end);
}

}  // namespace pumice::hw
