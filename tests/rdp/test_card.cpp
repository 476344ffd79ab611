// SPDX-License-Identifier: MIT
/// The card's own blocks by their registers: DMA engine and scan-out.
#include <gtest/gtest.h>

#include "hw/rdp/card.h"
#include "hw/rdp/tools/random_list.h"

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
