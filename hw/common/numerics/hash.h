// SPDX-License-Identifier: MIT
/// A hash of words, for caches.
#pragma once
#include <cstdint>
#include <span>

namespace pumice::hw::num {

inline uint64_t hash_words(std::span<const uint32_t> words) {
  uint64_t h = 0x9E3779B97F4A7C15u;
  for (const uint32_t w : words) h = (h ^ w) * 0xD6E8FEB86659FD93u, h ^= h >> 32;
  return h;
}

}  // namespace pumice::hw::num
