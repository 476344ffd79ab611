// SPDX-License-Identifier: MIT
/// DP registers and command fetch (docs/reference/rdp.md section 3), faults, and the word counts of commands.
#include <gtest/gtest.h>

#include "hw/rdp/rdp.h"
#include "hw/rdp/tables.h"

namespace pumice::hw::rdp {
namespace {

void put_word(std::vector<uint8_t>& m, uint32_t at, uint64_t w) {
  for (uint32_t i = 0; i < 8; ++i) m[(at + i) % m.size()] = static_cast<uint8_t>(w >> (56 - 8 * i));
}

uint64_t fill_color(uint32_t c) { return SetFillColor().color(c).raw[0]; }

struct Fetch : testing::Test {
  std::vector<uint8_t> memory = std::vector<uint8_t>(0x2000), dmem = std::vector<uint8_t>(0x1000);
  Rdp rdp{memory, ByteOrder::big_endian, dmem};
  void run(uint32_t start, uint32_t end) {
    rdp.write(DPC_START::offset, start);
    rdp.write(DPC_END::offset, end);
  }
};

TEST_F(Fetch, RunsFromStartToEnd) {
  put_word(memory, 0x100, fill_color(1));
  put_word(memory, 0x108, fill_color(2));
  run(0x107, 0x10F);  // low bits ignored
  EXPECT_EQ(rdp.state().fill_color, 1u);
  EXPECT_EQ(rdp.read(DPC_CURRENT::offset), 0x108u);
  rdp.write(DPC_END::offset, 0x110);  // extends the list
  EXPECT_EQ(rdp.state().fill_color, 2u);
}

TEST_F(Fetch, SecondStartIsIgnoredWhilePending) {
  put_word(memory, 0x100, fill_color(1));
  rdp.write(DPC_START::offset, 0x100);
  rdp.write(DPC_START::offset, 0x200);
  DPC_STATUS s;
  s.raw = rdp.read(DPC_STATUS::offset);
  EXPECT_EQ(s.START_PENDING(), 1u);
  rdp.write(DPC_END::offset, 0x108);
  EXPECT_EQ(rdp.state().fill_color, 1u);
  s.raw = rdp.read(DPC_STATUS::offset);
  EXPECT_EQ(s.START_PENDING(), 0u);
}

TEST_F(Fetch, FreezeHoldsTheListBack) {
  put_word(memory, 0x100, fill_color(7));
  rdp.write(DPC_STATUS_W::offset, DPC_STATUS_W().SET_FREEZE(1).raw);
  run(0x100, 0x108);
  EXPECT_EQ(rdp.state().fill_color, 0u);
  rdp.write(DPC_STATUS_W::offset, DPC_STATUS_W().CLR_FREEZE(1).raw);
  EXPECT_EQ(rdp.state().fill_color, 7u);
}

TEST_F(Fetch, DmemWrapsAtFourKilobytes) {
  put_word(dmem, 0xFF8, fill_color(1));
  put_word(dmem, 0x000, fill_color(9));
  rdp.write(DPC_STATUS_W::offset, DPC_STATUS_W().SET_XBUS(1).raw);
  run(0xFF8, 0x1008);
  EXPECT_EQ(rdp.state().fill_color, 9u);
}

TEST_F(Fetch, ACommandMayStraddleTwoUpdates) {
  put_word(memory, 0x100, SetOtherModes().cycle_type(kFill).raw[0]);
  put_word(memory, 0x108, SetScissor().xl(64).yl(64).raw[0]);
  put_word(memory, 0x110, SetColorImage().size(k16b).width(15).address(0x1000).raw[0]);
  put_word(memory, 0x118, fill_color(0xABCDABCD));
  const Triangle t = Triangle().yl(16).ym(16).left_major(1).xl(4 << 16).xm(4 << 16);
  for (uint32_t i = 0; i < 4; ++i) put_word(memory, 0x120 + 8 * i, t.raw[i]);
  run(0x100, 0x130);
  EXPECT_EQ(memory[0x1000], 0);
  rdp.write(DPC_END::offset, 0x140);
  EXPECT_EQ(memory[0x1000], 0xAB);
  EXPECT_EQ(memory[0x1001], 0xCD);
  EXPECT_EQ(rdp.rdram().hidden(0x800), 3u);
}

TEST_F(Fetch, ListsOutsideMemoryAreNoOps) {
  run(0xFFF000, 0xFFFFF8);
  EXPECT_EQ(rdp.read(DPC_CURRENT::offset), 0xFFFFF8u);
}

TEST(RdpCommands, Lengths) {
  for (uint64_t op = 0; op < 64; ++op) {
    unsigned want = op == 0x24 || op == 0x25 ? 2 : 1;
    if (op >= 8 && op < 16) want = 4 + 8 * (op >> 2 & 1) + 8 * (op >> 1 & 1) + 2 * (op & 1);
    EXPECT_EQ(command_words(op << 56), want) << op;
    EXPECT_EQ(command_words(op << 56 | uint64_t{3} << 62), want) << op;
  }
}

/// What hangs the chip is dropped and reported.
TEST(RdpCommands, Faults) {
  struct Row {
    Fault fault;
    SetOtherModes modes;
    uint32_t size;
  };
  const Row rows[] = {
      {Fault::none, SetOtherModes().cycle_type(kFill), k16b},
      {Fault::fill_4bit_image, SetOtherModes().cycle_type(kFill), k4b},
      {Fault::fill_with_read, SetOtherModes().cycle_type(kFill).image_read_en(1), k16b},
      {Fault::fill_with_read, SetOtherModes().cycle_type(kFill).z_compare_en(1), k16b},
      {Fault::fill_with_z, SetOtherModes().cycle_type(kFill).z_update_en(1), k16b},
      {Fault::none, SetOtherModes().cycle_type(kFill).z_update_en(1).z_source_sel(1), k16b},
      {Fault::copy_32bit_image, SetOtherModes().cycle_type(kCopy), k32b},
      {Fault::copy_4bit_image, SetOtherModes().cycle_type(kCopy), k4b},
  };
  for (const Row& r : rows) {
    std::vector<uint8_t> memory(0x1000);
    Rdp rdp(memory);
    Fault got = Fault::none;
    rdp.on_fault([&](Fault f, uint64_t) { got = f; });
    const uint64_t list[] = {r.modes.raw[0], SetColorImage().size(r.size).width(15).raw[0], SetScissor().xl(64).yl(64).raw[0],
                             fill_color(~0u), FillRectangle().xl(16).yl(16).raw[0]};
    rdp.enqueue(list);
    EXPECT_EQ(got, r.fault) << fault_text(r.fault);
    EXPECT_EQ(memory[0] == 0xFF, r.fault == Fault::none) << fault_text(r.fault);
  }
}

}  // namespace
}  // namespace pumice::hw::rdp
