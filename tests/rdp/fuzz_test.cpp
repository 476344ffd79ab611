// SPDX-License-Identifier: MIT
/// Random and damaged lists: a defined result, nothing outside memory (run it under ASan and UBSan).
#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "hw/rdp/rdp.h"
#include "hw/rdp/tools/differential.h"
#include "hw/rdp/tools/random_list.h"

namespace pumice::hw::rdp {
namespace {

std::vector<uint8_t> hidden_bits(const Rdram& ram) {
  std::vector<uint8_t> h(ram.size() / 2);
  for (uint32_t i = 0; i < h.size(); ++i) h[i] = static_cast<uint8_t>(ram.hidden(i));
  return h;
}

TEST(RdpFuzz, DamagedListsHaveADefinedResult) {
  uint32_t changed = 0;
  for (uint64_t seed = 0; seed < 800; ++seed) {
    const RandomList list = random_list(seed, true);
    std::vector<uint8_t> a = list.memory, b = list.memory;
    Rdp first(a), second(b);
    first.enqueue(list.words);
    for (const uint64_t& w : list.words) second.enqueue({&w, 1});
    ASSERT_EQ(a, b) << "seed " << seed;
    ASSERT_EQ(hidden_bits(first.rdram()), hidden_bits(second.rdram())) << "seed " << seed;
    changed += a != list.memory;
  }
  EXPECT_GT(changed, 150u);
}

std::vector<uint64_t> noise(Random& r, uint32_t memory) {
  std::vector<uint64_t> words(400);
  for (size_t i = 0; i < words.size(); ++i) {
    words[i] = r.bits();
    // Small scissor boxes keep this quick; a colour image in memory makes it draw.
    if (i % 16 == 1) words[i] = SetColorImage().size(r.below(4)).width(r.below(64)).address(r.below(memory + 64)).raw[0];
    if (i % 16 == 0) words[i] = SetScissor().xl(64 + r.below(32)).yl(64 + r.below(32)).raw[0];
    if (opcode(words[i]) == Op::set_scissor) words[i] &= ~uint64_t{0xF00F00};
  }
  return words;
}

/// RDRAM of any size: nothing around it changes, SIMD leaves the bytes and hidden bits of the reference, and after a reset the chip
/// draws what its seed selects.
TEST(RdpFuzz, NoiseWords) {
  constexpr size_t kGuard = 4096, kRow = 64;
  uint32_t changed = 0, filled = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random r(seed);
    const uint32_t size = r.below(0x4000);
    const std::vector<uint64_t> words = noise(r, size);
    const auto draw = [&](Execution execution, std::vector<uint8_t>& bits) {
      std::vector<uint8_t> all(size + 2 * kGuard, 0xA5);
      const auto ram = std::span(all).subspan(kGuard, size);
      std::fill(ram.begin(), ram.end(), uint8_t{0});
      Rdp rdp(ram);
      rdp.set_execution(execution);
      for (const uint64_t& w : words) rdp.enqueue({&w, 1});
      rdp.sync();
      bits = hidden_bits(rdp.rdram());
      changed += std::any_of(ram.begin(), ram.end(), [](uint8_t b) { return b != 0; });
      std::vector<uint8_t> result = all;
      // Whatever the words left behind: a row of 16-bit pixels is filled.
      rdp.reset();
      std::vector<uint64_t> row;
      const auto put = [&](const auto& c) { row.insert(row.end(), c.raw.begin(), c.raw.end()); };
      put(SetColorImage().size(2).width(31).address(0));
      put(SetScissor().xl(4 * 32).yl(4));
      put(SetOtherModes().cycle_type(3));
      put(SetFillColor().color(0x12341234));
      put(FillRectangle().xl(4 * 31));
      rdp.enqueue(row);
      rdp.sync();
      if (size >= kRow) {
        for (size_t i = 0; i < kRow; i += 2) EXPECT_EQ(ram[i] << 8 | ram[i + 1], 0x1234) << "seed " << seed << ", pixel " << i / 2;
        ++filled;
      }
      EXPECT_TRUE(std::all_of(all.begin(), all.begin() + kGuard, [](uint8_t b) { return b == 0xA5; })) << "seed " << seed;
      EXPECT_TRUE(std::all_of(all.end() - kGuard, all.end(), [](uint8_t b) { return b == 0xA5; })) << "seed " << seed;
      return result;
    };
    std::vector<uint8_t> reference_bits, simd_bits;
    const std::vector<uint8_t> reference = draw(Execution::reference, reference_bits), simd = draw(Execution::simd, simd_bits);
    ASSERT_EQ(reference, simd) << "seed " << seed;
    ASSERT_EQ(reference_bits, simd_bits) << "seed " << seed;
    if (HasFailure()) return;
  }
  EXPECT_GT(changed, 150u);
  EXPECT_GT(filled, 500u);
}

/// The seeds beyond these are `pumice-rdp fuzz`, which is also what reruns one.
TEST(RdpFuzz, ReferenceSimdAndThreadsAgree) {
  for (uint64_t seed = 0; seed < 400; ++seed)
    for (bool damage : {false, true}) EXPECT_EQ(differential(seed, damage), "") << "pumice-rdp fuzz " << seed << " 1";
}

/// Threads must be worth a test: a list that keeps them busy, with loads from what was drawn and changing images.
TEST(RdpFuzz, ThreadsOnOneImage) {
  Random r(1);
  std::vector<uint64_t> words;
  const auto put = [&](const auto& c) { words.insert(words.end(), c.raw.begin(), c.raw.end()); };
  put(SetScissor().xl(4 * 64).yl(4 * 64));
  put(SetCombineMode().sub_a_rgb_1(8).sub_b_rgb_1(8).mul_rgb_1(16).add_rgb_1(1).sub_a_a_1(7).sub_b_a_1(7).mul_a_1(7).add_a_1(1));
  put(SetZImage().address(0x4000));
  for (int i = 0; i < 60; ++i) {
    put(SetColorImage().size(k16b).width(63).address(i % 3 ? 0x0000 : 0x2000));
    put(SetOtherModes()
            .cycle_type(r.below(2))
            .bi_lerp_0(1)
            .bi_lerp_1(1)
            .sample_type(1)
            .z_source_sel(1)
            .antialias_en(1)
            .image_read_en(1)
            .m2a_0(1)
            .m2b_0(1));
    put(SetTextureImage().size(k16b).width(63).address(i % 2 ? 0x2000 : 0x0000));
    put(SetTile().size(k16b).line(16).tile(7));
    put(LoadTile().tile(7).tl(4 * r.below(32)).sh(4 * 31).th(4 * 63));
    put(SetTile().size(k16b).line(16).mask_s(5).mask_t(4));
    for (int n = 0; n < 4; ++n)
      put(TextureRectangle().xl(r.below(256)).yl(64 + r.below(192)).s(static_cast<int32_t>(r.below(2048))).dsdx(1 << 10).dtdy(900));
  }
  const auto run = [&](Execution execution, unsigned threads) {
    std::vector<uint8_t> memory(0x8000);
    for (size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<uint8_t>(i * 2654435761u >> 11);
    Rdp rdp(memory);
    rdp.set_execution(execution);
    rdp.set_threads(threads);
    rdp.enqueue(words);
    rdp.sync();
    std::vector<uint8_t> hidden = hidden_bits(rdp.rdram());
    memory.insert(memory.end(), hidden.begin(), hidden.end());
    return memory;
  };
  const std::vector<uint8_t> reference = run(Execution::reference, 1);
  for (unsigned threads : {1u, 2u, 4u, 7u}) EXPECT_EQ(run(Execution::simd, threads), reference) << threads;
}

/// Well-formed lists draw, hang nothing, and give the same in both memory layouts.
TEST(RdpFuzz, ByteOrdersAgree) {
  uint32_t changed = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    const RandomList list = random_list(seed, false);
    std::vector<uint8_t> big = list.memory, words = list.memory;
    for (uint32_t i = 0; i < words.size(); ++i) words[i ^ 3] = list.memory[i];
    Rdp a(big), b(words, ByteOrder::host_words);
    a.on_fault([&](Fault f, uint64_t) { ADD_FAILURE() << "seed " << seed << ": " << fault_text(f); });
    int full_syncs = 0;
    a.on_sync_full([&] { ++full_syncs; });
    a.enqueue(list.words);
    b.enqueue(list.words);
    EXPECT_EQ(full_syncs, 1);
    for (uint32_t i = 0; i < big.size(); ++i) ASSERT_EQ(big[i], words[i ^ 3]) << "seed " << seed << " byte " << i;
    ASSERT_EQ(hidden_bits(a.rdram()), hidden_bits(b.rdram())) << "seed " << seed;
    changed += big != list.memory;
  }
  EXPECT_GT(changed, 300u);
}

}  // namespace
}  // namespace pumice::hw::rdp
