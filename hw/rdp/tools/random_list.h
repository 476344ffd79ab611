// SPDX-License-Identifier: MIT
/// Seeded random command lists, for fuzz tests: from well-formed scenes to noise.
#pragma once
#include <cstdint>
#include <vector>

namespace pumice::hw::rdp {

/// splitmix64: the same numbers everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : s_(seed) {}
  uint64_t bits() {
    uint64_t z = s_ += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
  }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>((bits() >> 32) * n >> 32); }
  bool one_in(uint32_t n) { return below(n) == 0; }
  double real(double low, double high) { return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53; }

 private:
  uint64_t s_;
};

struct RandomList {
  std::vector<uint8_t> memory;  // big-endian, all random
  std::vector<uint64_t> words;
};

/// Images are at most 64x48, so that a list takes microseconds. `damage` flips bits, drops and inserts words, and lets
/// addresses and memory sizes be anything; without it the list has no command that would hang the chip.
RandomList random_list(uint64_t seed, bool damage);

}  // namespace pumice::hw::rdp
