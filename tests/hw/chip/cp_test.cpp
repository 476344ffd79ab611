// SPDX-License-Identifier: MIT
/// The command stream seen from outside: GUI DMA, waits, conditional packets, 2D fills and copies, host register access, lockups and the
/// way back, bad packets, unbacked addresses.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/hw/chip/chip.h"
#include "tests/hw/chip/edge_values.h"
#include "tests/hw/chip/us_slot.h"

namespace pumice::hw::test {
namespace {

using pm4::Op;
using Wait = regs::PM4_WAIT_MEM_DW0;

constexpr uint32_t kTriangles = regs::VAP_VF_CNTL::PRIM_TYPE__TRIANGLE_LIST;
const TestVertex kTriangle[] = {
    {{-0.8f, -0.8f, 0.5f, 1}, {1, 0, 0, 1}}, {{0.8f, -0.8f, 0.5f, 1}, {0, 1, 0, 1}}, {{0, 0.8f, 0.5f, 1}, {0, 0, 1, 1}}};

/// Draws the triangle and compares it with what a fresh chip draws.
void expect_good_triangle(Chip& chip) {
  const auto picture = [](Chip& c) {
    const Target t = make_target(c, 16, 16);
    Packets p = plain_state(t);
    p.append(draw(kTriangles, kTriangle));
    EXPECT_TRUE(c.run(p));
    return std::vector<uint32_t>(c.memory(t.color), c.memory(t.color) + 256);
  };
  Chip fresh;
  EXPECT_EQ(picture(chip), picture(fresh));
}

uint32_t count(Chip& chip, ReportKind kind, const std::string& text) {
  uint32_t n = 0;
  for (const Report& r : chip.reports()) n += r.kind == kind && r.text.find(text) != std::string::npos;
  return n;
}

Packets gui_dma(uint32_t from, uint32_t to, uint32_t bytes) {
  Packets p;
  p.write(regs::CP_GUI_SRC_ADDR::offset, {&from, 1});
  p.write(regs::CP_GUI_DST_ADDR::offset, {&to, 1});
  p.write(regs::CP_GUI_COMMAND::offset, {&bytes, 1});
  return p;
}

TEST(Cp, GuiDmaCopies) {
  Chip chip;
  const uint32_t a = chip.allocate(2048), b = chip.allocate(2048);
  for (uint32_t i = 0; i < 2048; ++i) chip.memory(a)[i] = i * 0x01010101u;
  Packets p = gui_dma(a + 4, b + 8, 4000);
  p.append(gui_dma(b + 8, b + 24, 100));  // overlaps
  p.append(gui_dma(a, 0xFFFFFF00, 64));   // not backed
  p.append(gui_dma(0x00000010, b, 4));    // page 0
  ASSERT_TRUE(chip.run(p));
  for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(chip.memory(b)[2 + i], (i + 1) * 0x01010101u);
  for (uint32_t i = 0; i < 25; ++i) EXPECT_EQ(chip.memory(b)[6 + i], (i + 1) * 0x01010101u);
  for (uint32_t i = 40; i < 1000; ++i) EXPECT_EQ(chip.memory(b)[2 + i], (i + 1) * 0x01010101u) << i;
  EXPECT_EQ(chip.memory(b)[1002], 0u);
  EXPECT_EQ(count(chip, ReportKind::vm_fault, ""), 2u);
}

/// The chip waits for the host; the host lets it go on.
TEST(Cp, WaitsForMemory) {
  const struct {
    uint32_t function, first, then;
  } cases[] = {{Wait::FUNCTION__LESS, 0x50, 0x4F},      {Wait::FUNCTION__LESS_EQUAL, 0x51, 0x50},    {Wait::FUNCTION__EQUAL, 0, 0x50},
               {Wait::FUNCTION__NOT_EQUAL, 0x50, 0x51}, {Wait::FUNCTION__GREATER_EQUAL, 0x4F, 0x50}, {Wait::FUNCTION__GREATER, 0x50, 0x51},
               {Wait::FUNCTION__ALWAYS, 0, 0}};
  for (const auto& c : cases) {
    Chip chip;
    const uint32_t word = chip.allocate(4);
    std::atomic_ref<uint32_t>(chip.memory(word)[0]).store(c.first | 0xAB000000);
    Packets p;
    const uint32_t wait[] = {Wait().FUNCTION(c.function).raw, word, 0x50, 0x00FFFFFF};
    p.command(Op::WAIT_MEM, wait);
    // What ran when: a copy of the word behind the wait.
    p.append(gui_dma(word, word + 4, 4));
    std::thread host([&] {
      if (c.function != Wait::FUNCTION__ALWAYS) std::atomic_ref<uint32_t>(chip.memory(word)[0]).store(c.then | 0xCD000000);
    });
    EXPECT_TRUE(chip.run(p));
    host.join();
    EXPECT_TRUE(c.function == Wait::FUNCTION__ALWAYS || chip.memory(word)[1] == (c.then | 0xCD000000)) << c.function;
  }
  // A wait that never ends, and soft reset out of it.
  Chip chip;
  const uint32_t word = chip.allocate(4);
  Packets p;
  const uint32_t wait[] = {Wait().FUNCTION(Wait::FUNCTION__EQUAL).raw, word, 1, ~0u};
  p.command(Op::WAIT_MEM, wait);
  EXPECT_FALSE(chip.run_to_the_end(p));
  chip.reset();
  expect_good_triangle(chip);
}

TEST(Cp, ConditionalPackets) {
  Chip chip;
  const uint32_t word = chip.allocate(4);
  chip.memory(word)[0] = 5;
  const auto mark = [&](Packets& p, uint32_t i) { p.append(gui_dma(word, word + 4 * i, 4)); };
  Packets body, p;
  mark(body, 1);
  const auto length = static_cast<uint32_t>(body.words.size());
  for (const uint32_t reference : {4u, 5u}) {
    const uint32_t condition[] = {Wait().FUNCTION(Wait::FUNCTION__EQUAL).raw, word, reference, ~0u,
                                  regs::PM4_COND_EXEC_COUNT().COUNT(length).raw};
    p.command(Op::COND_EXEC, condition);
    mark(p, reference - 3);  // dword 1 or 2
  }
  ASSERT_TRUE(chip.run(p));
  EXPECT_EQ(chip.memory(word)[1], 0u);
  EXPECT_EQ(chip.memory(word)[2], 5u);
  EXPECT_TRUE(chip.reports().empty());
}

TEST(Cp, FillsAndBlitsOfThe2dEngine) {
  using Control = regs::DP_GUI_MASTER_CNTL;
  Chip chip;
  const uint32_t a = chip.allocate(64 * 16), b = chip.allocate(64 * 16);
  const auto surface = [](uint32_t at) { return regs::DST_PITCH_OFFSET().OFFSET(at / 1024).PITCH(4).raw; };  // 64 pixels of 4 bytes
  Packets p;
  const Control base = Control()
                           .DST_PITCH_OFFSET_CNTL(1)
                           .BRUSH_TYPE(Control::BRUSH_TYPE__SOLID)
                           .DST_TYPE(Control::DST_TYPE__ARGB8888)
                           .SRC_TYPE(3)
                           .WR_MSK_DIS(1)
                           .CLR_CMP_CNTL_DIS(1);
  const uint32_t paint[] = {Control{base}.ROP3(Control::ROP3__PATCOPY).raw, surface(a), 0xCAFEBABE, 3 << 16 | 2, 10 << 16 | 5};
  p.command(Op::CNTL_PAINT_MULTI, paint);  // x 3, y 2, 10 x 5
  const uint32_t blit[] = {
      Control{base}.SRC_PITCH_OFFSET_CNTL(1).BRUSH_TYPE(Control::BRUSH_TYPE__NONE).DP_SRC_SOURCE(2).ROP3(Control::ROP3__SRCCOPY).raw,
      surface(a),
      surface(b),
      2 << 16 | 1,
      20 << 16 | 8,
      4 << 16 | 4};
  p.command(Op::CNTL_BITBLT_MULTI, blit);  // (2,1) -> (20,8), 4x4
  ASSERT_TRUE(chip.run(p));
  for (uint32_t y = 0; y < 16; ++y)
    for (uint32_t x = 0; x < 64; ++x) {
      ASSERT_EQ(chip.memory(a)[y * 64 + x], x >= 3 && x < 13 && y >= 2 && y < 7 ? 0xCAFEBABE : 0u) << x << " " << y;
      ASSERT_EQ(chip.memory(b)[y * 64 + x], x >= 21 && x < 24 && y >= 9 && y < 12 ? 0xCAFEBABE : 0u) << x << " " << y;
    }
  EXPECT_TRUE(chip.reports().empty());
}

/// An endless loop of the fragment shader, an endless jump of the vertex shader: a report that names the draw, then soft reset.
TEST(Lockup, EndlessPrograms) {
  for (const bool vertex : {false, true}) {
    Chip chip(Profile::r500, 100000);
    const Target t = make_target(chip, 16, 16);
    Packets p = plain_state(t);
    if (vertex) {
      const uint32_t jump[] = {1 | 0 << 16, 0};  // behind slot 1 to slot 0
      p.write(regs::VAP_PVS_FLOW_CNTL_ADDRS_LW::offset, jump);
      p.set(regs::VAP_PVS_FLOW_CNTL_OPC().PVS_FC_OPC_0(1));
    } else {
      FlowSlot loop;
      loop.inst.OP(0).JUMP_FUNC(0xFF).JUMP_ANY(1);
      p.append(fragment_program({loop.words(), out_slot(0)}, 1));
    }
    p.append(draw(kTriangles, kTriangle));
    EXPECT_FALSE(chip.run(p));
    EXPECT_TRUE(chip.gpu->hung());
    EXPECT_EQ(count(chip, ReportKind::lockup, "the watchdog stopped the draw: "), 1u);
    EXPECT_GE(count(chip, ReportKind::lockup, "draw 1, type 3 N3D_DRAW_IMMD_2"), 1u);
    EXPECT_EQ(count(chip, ReportKind::lockup, vertex ? "VAP_PVS_CODE_CNTL_0" : "US_CODE_ADDR"), 1u);
    EXPECT_FALSE(chip.run({})) << "a hung chip takes no more work";
    chip.gpu->mmio_write(regs::GUI_SCRATCH_REG::at(3), 77);
    EXPECT_EQ(chip.gpu->mmio_read(regs::GUI_SCRATCH_REG::at(3)), 77u) << "the register bus still answers";
    chip.reset();
    EXPECT_FALSE(chip.gpu->hung());
    expect_good_triangle(chip);
  }
}

/// Nested loops of 255 iterations each end, but far too late.
TEST(Lockup, TooLongIsEndless) {
  Chip chip(Profile::r500, 200000);
  const Target t = make_target(chip, 16, 16);
  Packets p = plain_state(t);
  std::vector<std::array<uint32_t, 6>> slots;
  for (uint32_t i = 0; i < 4; ++i) {
    FlowSlot loop;
    loop.inst.OP(regs::US_FC_INST::OP__LOOP);
    loop.addr.JUMP_ADDR(8 - i);
    slots.push_back(loop.words());
  }
  for (uint32_t i = 4; i-- > 0;) {
    FlowSlot end;
    end.inst.OP(regs::US_FC_INST::OP__ENDLOOP).JUMP_FUNC(0xFF).JUMP_ANY(1);
    end.addr.JUMP_ADDR(i + 1);
    slots.push_back(end.words());
  }
  slots.push_back(out_slot(0));
  p.append(fragment_program(slots, 1));
  p.set(regs::US_FC_CTRL().FULL_FC_EN(1));
  p.set(regs::US_FC_INT_CONST().KR(255));
  p.append(draw(kTriangles, kTriangle));
  EXPECT_FALSE(chip.run(p));
  EXPECT_EQ(count(chip, ReportKind::lockup, ""), 1u);
  chip.reset();
  expect_good_triangle(chip);
}

/// Soft reset brings registers back to their reset values and keeps memory.
TEST(Lockup, SoftResetKeepsMemory) {
  Chip chip;
  const uint32_t a = chip.allocate(4);
  chip.memory(a)[0] = 0x1234;
  Packets p;
  p.set(regs::SC_SCISSOR1().XS1(99).YS1(98));
  ASSERT_TRUE(chip.run(p));
  EXPECT_EQ(chip.gpu->mmio_read(regs::SC_SCISSOR1::offset), regs::SC_SCISSOR1().XS1(99).YS1(98).raw);
  chip.reset();
  EXPECT_EQ(chip.gpu->mmio_read(regs::SC_SCISSOR1::offset), regs::SC_SCISSOR1::reset);
  EXPECT_EQ(chip.memory(a)[0], 0x1234u);
  expect_good_triangle(chip);
}

/// Every address a register can hold, pointed at nothing: faults that name packet and access, and the triangle is as good as before.
TEST(BadInput, AddressesNobodyBacks) {
  const struct {
    const char* name;
    uint32_t offset;
    bool depth, texture;
  } cases[] = {{"colour", regs::RB3D_COLOROFFSET::offset, false, false},
               {"depth", regs::ZB_DEPTHOFFSET::offset, true, false},
               {"texture", regs::TX_OFFSET::offset, false, true},
               {"zpass", regs::ZB_ZPASS_ADDR::offset, false, false},
               {"scratch", regs::SCRATCH_ADDR::offset, false, false}};
  for (const auto& c : cases)
    for (const uint32_t address : {0u, 0x800u, 0xFFFFFFE0u, 0x7FFFF000u}) {
      Chip chip;
      const Target t = make_target(chip, 16, 16);
      Packets p = plain_state(t);
      if (c.depth) p.set(regs::ZB_CNTL().Z_ENABLE(1).ZWRITEENABLE(1));
      if (c.texture) {
        p.append(fragment_program({tex_slot(regs::US_TEX_INST::INST__LD).words(), out_slot(0)}, 1));
        p.set(regs::TX_ENABLE().TEX_0_ENABLE(1));
        p.set(regs::TX_FORMAT1().TXFORMAT(12));
        p.set(regs::TX_FILTER0().MAG_FILTER(regs::TX_FILTER0::MAG_FILTER__POINT).MIN_FILTER(regs::TX_FILTER0::MIN_FILTER__POINT));
      }
      p.write(c.offset, {&address, 1});
      const bool scratch = c.offset == regs::SCRATCH_ADDR::offset;
      if (scratch) {
        const uint32_t v = 1;
        p.write(regs::GUI_SCRATCH_REG::at(0), {&v, 1});
      }
      p.append(draw(kTriangles, kTriangle));
      if (scratch)
        EXPECT_TRUE(chip.run_to_the_end(p));  // its fence is lost
      else
        ASSERT_TRUE(chip.run(p)) << c.name;
      EXPECT_GE(count(chip, ReportKind::vm_fault, ""), 1u) << c.name;
      chip.reset();
      expect_good_triangle(chip);
    }
}

TEST(BadInput, PacketsWithoutAMeaning) {
  Chip chip;
  const Target t = make_target(chip, 16, 16);
  const Packets good = [&] {
    Packets p = plain_state(t);
    p.append(draw(kTriangles, kTriangle));
    return p;
  }();
  std::vector<Packets> bad;
  for (uint32_t opcode = 0; opcode < 256; ++opcode)  // every opcode with too little and with senseless data
    for (const size_t size : {1u, 3u}) {
      if (opcode == static_cast<uint32_t>(Op::WAIT_MEM)) continue;
      Packets p;
      p.command(static_cast<Op>(opcode), std::vector<uint32_t>(size, 0xFFFFFFFF));
      bad.push_back(p);
    }
  for (uint32_t offset = 0; offset < 0x8000; offset += 4) {  // every register with two patterns, the ring's own excepted
    if (offset >= regs::CP_RB_BASE::offset && offset < regs::CP_IB_BASE::offset + 8) continue;
    if (offset == regs::SCRATCH_ADDR::offset || offset == regs::SCRATCH_UMSK::offset || offset == regs::GEN_INT_CNTL::offset) continue;
    Packets p;
    for (const uint32_t v : {0xFFFFFFFFu, 0x55555555u}) p.write(offset, {&v, 1});
    bad.push_back(p);
  }
  for (const Packets& p : bad) ASSERT_TRUE(chip.run_to_the_end(p));
  EXPECT_GE(count(chip, ReportKind::bad_packet, ""), 10u);
  EXPECT_GE(count(chip, ReportKind::bad_register, ""), 10u);
  chip.reset();
  expect_good_triangle(chip);
}

}  // namespace
}  // namespace pumice::hw::test
