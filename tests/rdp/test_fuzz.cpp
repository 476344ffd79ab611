// SPDX-License-Identifier: MIT
/// Random and damaged lists: a defined result, nothing outside memory (run it under ASan and UBSan).
#include <gtest/gtest.h>

#include "hw/rdp/rdp.h"
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
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    const RandomList list = random_list(seed, true);
    std::vector<uint8_t> a = list.memory, b = list.memory;
    Rdp first(a), second(b);
    first.enqueue(list.words);
    for (const uint64_t& w : list.words) second.enqueue({&w, 1});
    ASSERT_EQ(a, b) << "seed " << seed;
    ASSERT_EQ(hidden_bits(first.rdram()), hidden_bits(second.rdram())) << "seed " << seed;
    changed += a != list.memory;
  }
  EXPECT_GT(changed, 300u);
}

TEST(RdpFuzz, NoiseWords) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random r(seed);
    std::vector<uint8_t> memory(r.below(0x4000));
    Rdp rdp(memory);
    for (int i = 0; i < 400; ++i) {
      uint64_t w = r.bits();
      // Small scissor boxes keep this quick.
      if (i % 16 == 0) w = SetScissor().xl(64 + r.below(32)).yl(64 + r.below(32)).raw[0];
      if (opcode(w) == Op::set_scissor) w &= ~uint64_t{0xF00F00};
      rdp.enqueue({&w, 1});
    }
  }
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
