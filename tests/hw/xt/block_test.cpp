// SPDX-License-Identifier: MIT
// BC6H and BC7: blocks put together field by field, and the values that their definition gives.
#include "hw/radeon/decode/xt/block.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace pumice::hw::xt {
namespace {

/// A block, from its lowest bit up.
class Writer {
 public:
  Writer& put(uint32_t value, uint32_t bits) {
    for (uint32_t i = 0; i < bits; ++i, ++at_) block_[at_ / 8] |= uint8_t((value >> i & 1) << at_ % 8);
    return *this;
  }
  /// Values of the same width.
  Writer& all(std::initializer_list<uint32_t> values, uint32_t bits) {
    for (const uint32_t v : values) put(v, bits);
    return *this;
  }
  /// Indices of 16 texels: all of them the largest, but 0 for the anchors, which lack a bit.
  Writer& indices(uint32_t bits, uint32_t second_anchor = 0) {
    for (uint32_t i = 0; i < 16; ++i) i == 0 || i == second_anchor ? put(0, bits - 1) : put(~0u, bits);
    return *this;
  }
  const uint8_t* data() const {
    EXPECT_EQ(at_, 128u);
    return block_.data();
  }

 private:
  std::array<uint8_t, 16> block_{};
  uint32_t at_ = 0;
};
using Rgba = std::array<uint8_t, 4>;
using Half3 = std::array<uint16_t, 3>;

TEST(Block, Bc7Mode6InterpolatesWithSixteenWeights) {
  Writer w;
  w.put(1 << 6, 7).all({0, 127, 127, 0, 64, 64, 0, 127}, 7).put(0, 1).put(1, 1).put(0, 3);
  for (uint32_t i = 1; i < 16; ++i) w.put(i, 4);
  const uint8_t* block = w.data();
  constexpr int kWeight[16] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};
  for (uint32_t i = 0; i < 16; ++i) {
    const int k = kWeight[i];
    const Rgba expected{uint8_t((255 * k + 32) >> 6), uint8_t((254 * (64 - k) + k + 32) >> 6),
                        uint8_t((128 * (64 - k) + 129 * k + 32) >> 6), uint8_t((255 * k + 32) >> 6)};
    EXPECT_EQ(decode_bc7(block, i % 4, i / 4), expected) << i;
  }
}

TEST(Block, Bc7Mode1HasTwoSubsetsWithASharedLowBit) {
  Writer w;  // partition 13: the lower two rows are the second subset, whose anchor is texel 15
  w.put(1 << 1, 2).put(13, 6).all({0, 63, 32, 32}, 6).all({0, 63, 0, 0}, 6).all({0, 63, 63, 63}, 6).put(0, 1).put(1, 1).indices(3, 15);
  const uint8_t* block = w.data();
  EXPECT_EQ(decode_bc7(block, 0, 0), (Rgba{0, 0, 0, 255}));
  EXPECT_EQ(decode_bc7(block, 1, 1), (Rgba{253, 253, 253, 255}));  // 126 of 7 bits
  EXPECT_EQ(decode_bc7(block, 0, 2), (Rgba{131, 2, 255, 255}));    // 65, 1 and 127 of 7 bits
  EXPECT_EQ(decode_bc7(block, 3, 3), (Rgba{131, 2, 255, 255}));
}

TEST(Block, Bc7Mode4SelectsIndicesAndRotates) {
  for (uint32_t selection = 0; selection < 2; ++selection) {
    Writer w;  // rotation 2: alpha and green change places
    w.put(1 << 4, 5).put(2, 2).put(selection, 1).all({0, 31, 0, 31, 0, 31}, 5).all({0, 63}, 6);
    for (uint32_t i = 0; i < 16; ++i) w.put(1, i ? 2 : 1);
    for (uint32_t i = 0; i < 16; ++i) w.put(2, i ? 3 : 2);
    const uint8_t first = (255 * 21 + 32) >> 6, second = (255 * 18 + 32) >> 6;
    const uint8_t color = selection ? second : first, alpha = selection ? first : second;
    EXPECT_EQ(decode_bc7(w.data(), 2, 1), (Rgba{color, alpha, color, color})) << selection;
  }
}

TEST(Block, Bc7Mode0HasThreeSubsets) {
  Writer w;  // partition 8: rows 0 and 1 are subset 0, row 2 is 1, row 3 is 2; anchors 8 and 15
  w.put(1, 1).put(8, 4).all({0, 0, 15, 15, 0, 0}, 4).all({0, 0, 0, 0, 15, 15}, 4).all({15, 15, 0, 0, 0, 0}, 4).all({0, 0, 0, 0, 0, 0}, 1);
  for (uint32_t i = 0; i < 16; ++i) w.put(0, i == 0 || i == 8 || i == 15 ? 2 : 3);
  const uint8_t high = 30 << 3 | 30 >> 2;
  EXPECT_EQ(decode_bc7(w.data(), 3, 1), (Rgba{0, 0, high, 255}));
  EXPECT_EQ(decode_bc7(w.data(), 0, 2), (Rgba{high, 0, 0, 255}));
  EXPECT_EQ(decode_bc7(w.data(), 3, 3), (Rgba{0, high, 0, 255}));
}

TEST(Block, ReservedModesAreZero) {
  const std::array<uint8_t, 16> zero{};
  EXPECT_EQ(decode_bc7(zero.data(), 1, 2), (Rgba{0, 0, 0, 0}));
  for (const uint8_t mode : {0x13, 0x17, 0x1B, 0x1F}) {
    std::array<uint8_t, 16> block;
    block.fill(0xFF);
    block[0] = uint8_t(0xE0 | mode);
    EXPECT_EQ(decode_bc6h(block.data(), 1, 2, false), (Half3{0, 0, 0})) << int(mode);
  }
}

TEST(Block, Bc6hReachesZeroAndTheLargestHalf) {
  Writer w;  // one subset, endpoints of 10 bits without differences
  w.put(0x03, 5).all({0, 0, 512, 1023, 0, 512}, 10).indices(4);
  EXPECT_EQ(decode_bc6h(w.data(), 0, 0, false), (Half3{0, 0, ((512 << 16) + 0x8000) / 1024 * 31 / 64}));
  EXPECT_EQ(decode_bc6h(w.data(), 1, 0, false), (Half3{0x7BFF, 0, ((512 << 16) + 0x8000) / 1024 * 31 / 64}));
  Writer s;  // -511, 511 and 0 of 10 bits
  s.put(0x03, 5).all({0x201, 0x1FF, 0, 0x201, 0x1FF, 0}, 10).indices(4);
  EXPECT_EQ(decode_bc6h(s.data(), 2, 2, true), (Half3{0xFBFF, 0x7BFF, 0}));
}

TEST(Block, Bc6hDifferencesWrapAndAreSignExtended) {
  Writer w;  // one subset, 11 bits with differences of 9: the tenth bit lies behind each difference
  w.put(0x07, 5).all({0, 1, 0x3FF}, 10).put(0x1FF, 9).put(0, 1).put(1, 9).put(0, 1).put(1, 9).put(1, 1).indices(4);
  const auto whole = [](uint32_t v) { return uint16_t(((v << 16) + 0x8000) / 2048 * 31 / 64); };
  EXPECT_EQ(decode_bc6h(w.data(), 0, 0, false), (Half3{0, whole(1), 0x7BFF}));  // 2047 is the largest
  EXPECT_EQ(decode_bc6h(w.data(), 3, 3, false), (Half3{0x7BFF, whole(2), 0}));  // 0 - 1, 1 + 1, 2047 + 1
  const auto code = [](uint32_t size) { return uint16_t(((size << 15) + 0x4000) / 1024 * 31 / 32); };
  EXPECT_EQ(decode_bc6h(w.data(), 3, 3, true), (Half3{uint16_t(0x8000 | code(1)), code(2), 0}));  // -1, 2, -1 + 1
}

TEST(Block, Bc6hOfTwoSubsets) {
  Writer w;  // 6 bits without differences; red of the four endpoints 0, 0, 63, 63, the fields scattered as the format has them
  w.put(0x1E, 5)
      .put(0, 6)
      .all({0, 0, 0, 0}, 1)
      .put(0, 6)
      .all({0, 0, 0, 0}, 1)
      .put(0, 6)
      .all({0, 0, 0, 0}, 1)
      .put(0, 6)
      .put(0, 4)
      .put(0, 6)
      .put(0, 4)
      .put(0, 6)
      .put(0, 4);
  w.put(63, 6).put(63, 6).put(13, 5).indices(3, 15);
  EXPECT_EQ(decode_bc6h(w.data(), 3, 1, false), (Half3{0, 0, 0}));
  EXPECT_EQ(decode_bc6h(w.data(), 0, 2, false), (Half3{0x7BFF, 0, 0}));
}

}  // namespace
}  // namespace pumice::hw::xt
