// SPDX-License-Identifier: MIT
/// Range sets against a bit a byte.
#include "hw/radeon/trace/ranges.h"

#include <gtest/gtest.h>

#include <bitset>
#include <random>

namespace pumice::hw::trace {
namespace {

TEST(Ranges, LikeBits) {
  std::mt19937 random(1);
  constexpr uint64_t kSize = 96;
  for (int round = 0; round < 300; ++round) {
    Ranges ranges;
    std::bitset<kSize> bits;
    for (int i = 0; i < 40; ++i) {
      const uint64_t begin = random() % kSize, end = std::min<uint64_t>(kSize, begin + random() % 12);
      if (random() % 4 == 0) {
        ranges.remove(begin, end);
        for (uint64_t b = begin; b < end; ++b) bits.reset(b);
        continue;
      }
      uint64_t fresh = 0, said = 0;
      for (uint64_t b = begin; b < end; ++b) fresh += !bits[b];
      ranges.add(begin, end, [&](uint64_t from, uint64_t to) {
        ASSERT_LT(from, to);
        for (uint64_t b = from; b < to; ++b) EXPECT_FALSE(bits[b]);
        said += to - from;
      });
      EXPECT_EQ(said, fresh);
      for (uint64_t b = begin; b < end; ++b) bits.set(b);
      uint64_t last = 0;
      std::bitset<kSize> have;
      ranges.each([&](uint64_t from, uint64_t to) {
        EXPECT_TRUE(from < to && (last == 0 || from >= last));
        for (uint64_t b = from; b < to; ++b) have.set(b);
        last = to;
      });
      ASSERT_EQ(have, bits) << "round " << round << ", step " << i;
    }
  }
}

}  // namespace
}  // namespace pumice::hw::trace
