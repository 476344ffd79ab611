// SPDX-License-Identifier: MIT
// ASTC: the properties that its number sequences have by definition, and blocks put together field by field.
#include <gtest/gtest.h>

#include <set>

#include "hw/radeon/decode/xt/block.h"
#include "hw/radeon/decode/xt/block_astc.h"

namespace pumice::hw::xt {
namespace {

using astc::Range;
using Texel = std::array<uint16_t, 4>;
constexpr Texel kError = {0xFFFF, 0, 0xFFFF, 0xFFFF};

struct Block {
  std::array<uint8_t, 16> bytes{};
  Block& put(uint32_t first, uint32_t bits, uint64_t value) {
    for (uint32_t i = 0; i < bits; ++i) bytes[(first + i) / 8] |= uint8_t((value >> i & 1) << (first + i) % 8);
    return *this;
  }
  /// A number of the weights, which begin at the last bit.
  Block& weight(uint32_t first, uint32_t bits, uint32_t value) {
    for (uint32_t i = 0; i < bits; ++i) put(127 - first - i, 1, value >> i & 1);
    return *this;
  }
  Texel at(uint32_t x, uint32_t y, uint32_t width = 4, uint32_t height = 4, bool srgb = false) const {
    return decode_astc(bytes.data(), x, y, width, height, srgb);
  }
};

/// Every combination of 5 trits, or 3 quints, has a code, and no code has another digit.
TEST(Astc, CodesOfTritsAndQuintsAreComplete) {
  for (const bool quints : {false, true}) {
    const Range range{0, uint8_t(!quints), uint8_t(quints)};
    const uint32_t bits = quints ? 7 : 8, digits = quints ? 3 : 5, base = quints ? 5 : 3;
    EXPECT_EQ(astc::sequence_bits(range, digits), bits);
    std::set<uint32_t> seen;
    for (uint32_t code = 0; code < 1u << bits; ++code) {
      Block b;
      b.put(5, bits, code);
      uint32_t all = 0;
      for (uint32_t i = 0; i < digits; ++i) {
        const uint32_t digit = astc::sequence_value(astc::Bits(b.bytes.data()), range, 5, 5 + bits, i);
        ASSERT_LT(digit, base) << "code " << code;
        all = all * base + digit;
      }
      seen.insert(all);
    }
    EXPECT_EQ(seen.size(), quints ? 125u : 243u);
  }
}

/// Numbers of a range are spread evenly: no two are the same, the ends are there, and each has one as far from the other end.
TEST(Astc, RangesReachBothEndsSymmetrically) {
  const auto check = [](uint32_t levels, uint32_t top, const auto& value) {
    std::set<uint32_t> seen;
    for (uint32_t v = 0; v < levels; ++v) seen.insert(value(v));
    EXPECT_EQ(seen.size(), levels);
    EXPECT_EQ(*seen.begin(), 0u);
    EXPECT_EQ(*seen.rbegin(), top);
    for (const uint32_t v : seen) EXPECT_TRUE(seen.contains(top - v)) << v << " of " << levels;
  };
  for (uint8_t bits = 0; bits <= 5; ++bits) {
    if (bits) check(1u << bits, 64, [&](uint32_t v) { return astc::weight_of({bits, 0, 0}, v); });
    if (bits <= 3) check(3u << bits, 64, [&](uint32_t v) { return astc::weight_of({bits, 1, 0}, v); });
    if (bits <= 2) check(5u << bits, 64, [&](uint32_t v) { return astc::weight_of({bits, 0, 1}, v); });
  }
  for (uint8_t bits = 1; bits <= 8; ++bits) {
    check(1u << bits, 255, [&](uint32_t v) { return astc::component_of({bits, 0, 0}, v); });
    if (bits <= 6) check(3u << bits, 255, [&](uint32_t v) { return astc::component_of({bits, 1, 0}, v); });
    if (bits <= 5) check(5u << bits, 255, [&](uint32_t v) { return astc::component_of({bits, 0, 1}, v); });
  }
}

/// 4x4 weights of 2 bits, one pair of RGB endpoints of 8 bits.
TEST(Astc, InterpolatesBetweenEndpoints) {
  Block b;
  b.put(0, 11, 0x42).put(13, 4, 8);
  constexpr uint32_t kColor[6] = {10, 200, 0, 255, 30, 90};  // the second is the brighter one
  for (uint32_t i = 0; i < 6; ++i) b.put(17 + 8 * i, 8, kColor[i]);
  for (uint32_t i = 0; i < 16; ++i) b.weight(2 * i, 2, i % 4);
  constexpr uint32_t kWeight[4] = {0, 21, 43, 64};
  for (uint32_t i = 0; i < 16; ++i) {
    Texel expected{0, 0, 0, 0xFFFF}, srgb = expected;
    for (uint32_t c = 0; c < 3; ++c) {
      const uint32_t a = kColor[2 * c], e = kColor[2 * c + 1], w = kWeight[i % 4];
      expected[c] = uint16_t((a * 257 * (64 - w) + e * 257 * w + 32) >> 6);
      srgb[c] = uint16_t(((a * 256 + 128) * (64 - w) + (e * 256 + 128) * w + 32) >> 6);
    }
    EXPECT_EQ(b.at(i % 4, i / 4), expected) << i;
    EXPECT_EQ(b.at(i % 4, i / 4, 4, 4, true), srgb) << i;
  }
  // The same grid in a larger block: corners are the corners' weights.
  for (const uint32_t x : {0u, 7u})
    for (const uint32_t y : {0u, 4u}) EXPECT_EQ(b.at(x, y, 8, 5), b.at(x ? 3 : 0, y ? 3 : 0));
  // A grid larger than the block is an error.
  Block large;
  large.put(0, 11, 0x42 | 1 << 7).put(13, 4, 8);
  EXPECT_EQ(large.at(0, 0), kError);
}

TEST(Astc, OneColourForTheWholeBlock) {
  Block b;
  b.put(0, 12, 0xDFC).put(12, 52, ~0ull);
  for (uint32_t c = 0; c < 4; ++c) b.put(64 + 16 * c, 16, 0x1234u * (c + 1));
  EXPECT_EQ(b.at(3, 2), (Texel{0x1234, 0x2468, 0x369C, 0x48D0}));
  EXPECT_EQ(b.at(11, 11, 12, 12), (Texel{0x1234, 0x2468, 0x369C, 0x48D0}));
  Block backwards = b;  // an extent that ends before it begins
  backwards.bytes[3] = 0;
  EXPECT_EQ(backwards.at(0, 0), kError);
}

TEST(Astc, WhatIsReservedOrOfHighRangeIsAnError) {
  EXPECT_EQ(Block().at(0, 0), kError);                                  // a reserved mode
  EXPECT_EQ(Block().put(0, 12, 0xFFC).at(0, 0), kError);                // one colour, as floats
  EXPECT_EQ(Block().put(0, 11, 0x42).put(13, 4, 2).at(0, 0), kError);   // endpoints of high range
  EXPECT_EQ(Block().put(0, 11, 0x442).put(11, 2, 3).at(0, 0), kError);  // two planes of weights with four partitions
}

/// A partition is one of its count, each is used, and a small block's pattern is the large one's at every other texel.
TEST(Astc, PartitionsAreUsed) {
  for (const uint32_t count : {2u, 3u, 4u}) {
    std::set<uint32_t> used;
    for (uint32_t seed = 0; seed < 1024; ++seed)
      for (uint32_t i = 0; i < 36; ++i) {
        const uint32_t p = astc::partition_of(seed, i % 6, i / 6, count, false);
        ASSERT_LT(p, count);
        used.insert(p);
        if (i % 6 < 3 && i < 18) {
          ASSERT_EQ(astc::partition_of(seed, i % 6, i / 6, count, true), astc::partition_of(seed, i % 6 * 2, i / 6 * 2, count, false));
        }
      }
    EXPECT_EQ(used.size(), count);
  }
}

}  // namespace
}  // namespace pumice::hw::xt
