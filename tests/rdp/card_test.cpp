// SPDX-License-Identifier: MIT
/// The card's own blocks by their registers: DMA engine and scan-out.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "hw/rdp/card.h"
#include "hw/rdp/tools/random_list.h"
#include "hw/rdp/tools/script.h"

namespace pumice::hw::rdp {
namespace {

template <class R>
void set(Card& card, R value) {
  card.write(R::offset, value.raw);
}

TEST(RdpCard, SizesOfRdram) {
  for (uint32_t bad : {0u, 12u, Card::kMaxRdram + 8}) EXPECT_FALSE(Card::create({.rdram_size = bad})) << bad;
  EXPECT_TRUE(Card::create({.rdram_size = Card::kMaxRdram}));
}

TEST(RdpCard, DmaMovesRows) {
  const auto card = Card::create({.rdram_size = 0x1000});
  const auto ram = card->rdram();
  for (size_t i = 0; i < 64; ++i) ram[i] = static_cast<std::byte>(i + 1);
  set(*card, DMA_SRC{}.ADDRESS(3));
  set(*card, DMA_SRC_PITCH{}.BYTES(16));
  set(*card, DMA_DST{}.ADDRESS(0x101));
  set(*card, DMA_DST_PITCH{}.BYTES(32));
  set(*card, DMA_ROW{}.BYTES(5));
  set(*card, DMA_ROWS{}.COUNT(3));
  for (size_t row = 0; row < 3; ++row) {
    EXPECT_EQ(ram[0x100 + 32 * row], std::byte{0});
    for (size_t i = 0; i < 5; ++i) EXPECT_EQ(ram[0x101 + 32 * row + i], static_cast<std::byte>(3 + 16 * row + i + 1));
    EXPECT_EQ(ram[0x106 + 32 * row], std::byte{0});
  }
  // From DMEM, whose addresses wrap; past the end of RDRAM nothing is written, and zeros are read.
  card->dmem()[Card::kDmemBytes - 1] = std::byte{0xAA};
  card->dmem()[0] = std::byte{0xBB};
  set(*card, DMA_SRC{}.ADDRESS(Card::kDmemBytes - 1).DMEM(1));
  set(*card, DMA_DST{}.ADDRESS(0xFFE));
  set(*card, DMA_ROWS{}.COUNT(1));
  EXPECT_EQ(ram[0xFFE], std::byte{0xAA});
  EXPECT_EQ(ram[0xFFF], std::byte{0xBB});
  set(*card, DMA_SRC{}.ADDRESS(0xFFE));
  set(*card, DMA_DST{}.ADDRESS(0x200));
  set(*card, DMA_ROWS{}.COUNT(1));
  EXPECT_EQ(ram[0x201], std::byte{0xBB});
  EXPECT_EQ(ram[0x202], std::byte{0});
}

TEST(RdpCard, InterruptAndHang) {
  int interrupts = 0;
  std::string hang;
  const auto card =
      Card::create({.rdram_size = 0x1000, .on_interrupt = [&] { ++interrupts; }, .on_hang = [&](const std::string& text) { hang = text; }});
  const auto run = [&](uint64_t word) {
    for (size_t i = 0; i < 8; ++i) card->rdram()[i] = static_cast<std::byte>(word >> (56 - 8 * i));
    card->write(DPC_START::offset, 0);
    card->write(DPC_END::offset, 8);
    EXPECT_EQ(card->read(DPC_CURRENT::offset), 8u);
  };
  run(SyncFull().raw[0]);
  EXPECT_EQ(interrupts, 1);
  EXPECT_EQ(hang, "");
  run(LoadTile().raw[0]);  // from the 4-bit image of the reset state
  EXPECT_NE(hang.find("load from a 4-bit image"), std::string::npos) << hang;
  EXPECT_NE(hang.find("load_tile"), std::string::npos) << hang;
  EXPECT_NE(card->listing(0, 8).find("load_tile"), std::string::npos);
}

/// Random lists, memory that the host writes in between with any hidden bits, DMA: the recording, played, leaves the same memory, and has
/// the same commands.
TEST(RdpCard, RecordingsPlayToTheSameMemory) {
  const std::string path = ::testing::TempDir() + "pumice-rdp-recording-" + std::to_string(getpid());
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Random r(seed);
    std::vector<uint8_t> expected;
    size_t words = 0;
    uint32_t size = 0;
    {
      const RandomList first = random_list(seed, false);
      size = uint32_t(first.memory.size()) + 0x4000;  // lists lie behind the memory that they draw in
      const auto card = Card::create({.rdram_size = size, .threads = seed % 2 ? 3u : 1u, .trace = path});
      ASSERT_TRUE(card);
      for (uint32_t n = 0; n < 3; ++n) {
        const RandomList list = random_list(seed * 3 + n, false);
        ASSERT_LE(list.words.size() * 8, 0x4000u);
        const auto ram = card->rdram();
        const size_t changed = n ? r.below(uint32_t(list.memory.size())) : list.memory.size();
        std::memcpy(ram.data(), list.memory.data(), changed);
        if (!r.one_in(3)) card->cpu_wrote(0, uint32_t(changed) & ~1u);  // else the old hidden bits stay
        const uint32_t at = size - 0x4000, bytes = uint32_t(list.words.size()) * 8;
        for (uint32_t i = 0; i < bytes; ++i) ram[at + i] = std::byte(list.words[i / 8] >> (56 - 8 * (i % 8)));
        // A command may straddle two updates of DPC_END.
        const uint32_t part = r.below(uint32_t(list.words.size()) + 1) * 8;
        card->write(DPC_START::offset, at);
        card->write(DPC_END::offset, at + part);
        card->write(DPC_END::offset, at + bytes);
        words += list.words.size();
        if (r.one_in(2)) {
          set(*card, DMA_SRC{}.ADDRESS(r.below(size / 2)));
          set(*card, DMA_DST{}.ADDRESS(r.below(size / 2)));
          set(*card, DMA_ROW{}.BYTES(100));
          set(*card, DMA_ROWS{}.COUNT(2));
        }
      }
      // What is behind the last list in memory is no part of a recording: an empty update ends it.
      const uint64_t last = SyncFull().raw[0];
      for (uint32_t i = 0; i < 8; ++i) card->rdram()[size - 8 + i] = std::byte(last >> (56 - 8 * i));
      card->write(DPC_START::offset, size - 8);
      card->write(DPC_END::offset, size);
      ++words;
      const auto ram = card->rdram();
      expected.assign(reinterpret_cast<uint8_t*>(ram.data()), reinterpret_cast<uint8_t*>(ram.data()) + ram.size());
    }
    Script script;
    std::string error;
    ASSERT_TRUE(read_script(path, "", script, error)) << error;
    EXPECT_EQ(script.rdram_size, size);
    size_t recorded = 0;
    for (const Step& s : script.steps) recorded += s.words.size();
    EXPECT_LE(recorded, words);
    EXPECT_GE(recorded + kMaxCommandWords, words);  // but for a last command that is cut off
    Player player(script);
    player.play();
    const auto at = size_t(std::mismatch(expected.begin(), expected.end(), player.memory().begin()).first - expected.begin());
    EXPECT_EQ(at, expected.size()) << "seed " << seed << ": the first byte that differs, of " << expected.size();
  }
  std::filesystem::remove(path);
}

TEST(RdpCard, RecordingsEnd) {
  const std::string path = ::testing::TempDir() + "pumice-rdp-limit-" + std::to_string(getpid());
  std::string said;
  const auto run = [&](Card& card, uint32_t at) {
    const uint64_t word = SyncFull().raw[0];
    for (size_t i = 0; i < 8; ++i) card.rdram()[at + i] = static_cast<std::byte>(word >> (56 - 8 * i));
    card.write(DPC_START::offset, at);
    card.write(DPC_END::offset, at + 8);
  };
  {
    const auto card =
        Card::create({.rdram_size = 0x4000, .trace = path, .trace_limit = 300, .on_trace = [&](const std::string& t) { said += t; }});
    for (uint32_t i = 0; i < 8; ++i) run(*card, 0x100 * i);
  }
  EXPECT_EQ(said, "the recording has reached its limit and ends");
  EXPECT_LE(std::filesystem::file_size(path), 300u);
  Script script;
  std::string error;
  EXPECT_TRUE(read_script(path, "", script, error)) << error;  // whole as far as it goes
  EXPECT_FALSE(script.steps.empty());
  std::filesystem::remove(path);
  said.clear();
  const auto card = Card::create({.rdram_size = 0x4000, .trace = path + "/none/a", .on_trace = [&](const std::string& t) { said = t; }});
  EXPECT_NE(said.find("cannot be written"), std::string::npos);
  run(*card, 0);
}

/// Any value in any register: a defined result, nothing outside of memory (run it under ASan and UBSan).
TEST(RdpCard, RandomRegisters) {
  Random r(3);
  const auto card = Card::create({.rdram_size = 0x2000});
  for (int i = 0; i < 4000; ++i) {
    const uint32_t offset = DMA_SRC::offset + 4 * r.below(20);
    auto value = static_cast<uint32_t>(r.bits() >> (r.below(3) * 12));
    // Rows and lines few, so that this is quick; bytes of a row as they come.
    if (offset == DMA_ROWS::offset || offset == SCAN_DST_SIZE::offset || offset == SCAN_SIZE::offset) value &= 0x001F003F;
    if (offset == DMA_ROW::offset && !r.one_in(8)) value &= 0xFFFF;
    card->write(offset, value);
    EXPECT_EQ(card->read(offset), offset <= SCAN_CNTL::offset ? value : 0);
  }
}

}  // namespace
}  // namespace pumice::hw::rdp
