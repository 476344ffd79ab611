// SPDX-License-Identifier: MIT
/// Registers that few tests need, each by a picture or value that changes when the register does: clip rectangles, point sprites, solid
/// colours, the resync register, status.
#include <gtest/gtest.h>

#include <thread>

#include "tests/hw/chip/chip.h"

namespace pumice::hw::test {
namespace {

using Vf = regs::VAP_VF_CNTL;

TEST(ClipRectangles, AllFourMakeTheCodeOfAPixel) {
  const struct Rectangle { uint32_t x0, y0, x1, y1; } rectangle[4] = {{2, 2, 20, 20}, {10, 4, 30, 12}, {12, 0, 14, 31}, {0, 10, 31, 10}};
  for (const uint32_t rule : {0x8000u, 0xAAAAu, 0x0110u, 0x7FFEu, 0x1234u}) {
    Chip chip;
    const Target t = make_target(chip, 32, 32);
    Packets p = plain_state(t);
    const auto set = [&]<class A, class B>(uint32_t i) {
      p.set(A().XS0(rectangle[i].x0).YS0(rectangle[i].y0));
      p.set(B().XS1(rectangle[i].x1).YS1(rectangle[i].y1));
    };
    set.operator()<regs::SC_CLIP_0_A, regs::SC_CLIP_0_B>(0);
    set.operator()<regs::SC_CLIP_1_A, regs::SC_CLIP_1_B>(1);
    set.operator()<regs::SC_CLIP_2_A, regs::SC_CLIP_2_B>(2);
    set.operator()<regs::SC_CLIP_3_A, regs::SC_CLIP_3_B>(3);
    p.set(regs::SC_CLIP_RULE().CLIP_RULE(rule));
    p.append(full_quad({1, 1, 1, 1}));
    ASSERT_TRUE(chip.run(p));
    for (uint32_t y = 0; y < 32; ++y)
      for (uint32_t x = 0; x < 32; ++x) {
        uint32_t code = 0;
        for (uint32_t i = 0; i < 4; ++i) {
          const Rectangle& r = rectangle[i];
          code |= uint32_t(x >= r.x0 && x <= r.x1 && y >= r.y0 && y <= r.y1) << i;
        }
        ASSERT_EQ(chip.memory(t.color)[y * 32 + x] != 0, bool(rule >> code & 1)) << std::hex << rule << std::dec << " " << x << "," << y;
      }
  }
}

TEST(PointSprites, RunFromCornerToCorner) {
  Chip chip;
  const uint32_t pixels = chip.allocate(32 * 32 * 4);
  Packets p = plain_state({32, 32, pixels, 0});
  p.append(float_target(pixels, 32));
  p.set(regs::VAP_OUT_VTX_FMT_1());
  p.set(regs::GB_ENABLE().POINT_STUFF_ENABLE(1));
  p.set(regs::PS3_TEX_SOURCE().TEX0_SOURCE(1));
  p.set(regs::GA_POINT_SIZE().WIDTH(8 * 16).HEIGHT(4 * 16));  // halves: 16 x 8 pixels
  p.set_float<regs::GA_POINT_S0>(2);
  p.set_float<regs::GA_POINT_S1>(18);
  p.set_float<regs::GA_POINT_T0>(40);  // at the lower edge
  p.set_float<regs::GA_POINT_T1>(24);
  const TestVertex centre[] = {{{0, 0, 0.5f, 1}, {}}};
  p.append(draw(Vf::PRIM_TYPE__POINT_LIST, centre));
  ASSERT_TRUE(chip.run(p));
  for (const uint32_t y : {12u, 15u, 19u})
    for (const uint32_t x : {8u, 15u, 23u}) {
      const uint32_t* at = chip.memory(pixels) + (y * 32 + x) * 4;
      EXPECT_EQ(std::bit_cast<float>(at[0]), 2 + (float(x) - 8 + 0.5f));
      EXPECT_EQ(std::bit_cast<float>(at[1]), 24 + 2 * (float(y) - 12 + 0.5f));
    }
}

TEST(SolidColours, TakeThePlaceOfTheVertexColour) {
  Chip chip;
  const uint32_t pixels = chip.allocate(16 * 16 * 4);
  Packets p = plain_state({16, 16, pixels, 0});
  p.append(float_target(pixels, 16));
  p.set(regs::VAP_OUT_VTX_FMT_0().VTX_POS_PRESENT(1).VTX_COLOR_0_PRESENT(1));  // output 1 is colour 0
  p.set(regs::VAP_OUT_VTX_FMT_1());
  p.set(regs::RS_IP().COL_PTR(0).COL_FMT(regs::RS_IP::COL_FMT__RGBA));
  p.set(regs::RS_INST().COL_ID(0).COL_CN(regs::RS_INST::COL_CN__COLOUR).COL_ADDR(0));
  p.set_float<regs::GA_FILL_R>(0.125f);
  p.set_float<regs::GA_FILL_G>(0.25f);
  p.set_float<regs::GA_FILL_B>(0.375f);
  p.set_float<regs::GA_FILL_A>(0.5f);
  const auto pixel = [&](uint32_t rgb, uint32_t alpha) {
    Packets q = p;
    q.set(regs::GA_COLOR_CONTROL().RGB0_SHADING(rgb).ALPHA0_SHADING(alpha));
    q.append(full_quad({1, 0.75f, 0.5f, 0.25f}));
    EXPECT_TRUE(chip.run(q));
    std::array<float, 4> v;
    for (uint32_t c = 0; c < 4; ++c) v[c] = std::bit_cast<float>(chip.memory(pixels)[(5 * 16 + 5) * 4 + c]);
    return v;
  };
  using Control = regs::GA_COLOR_CONTROL;
  EXPECT_EQ(pixel(Control::RGB0_SHADING__SOLID_FILL, Control::RGB0_SHADING__SOLID_FILL), (std::array{0.125f, 0.25f, 0.375f, 0.5f}));
  EXPECT_EQ(pixel(Control::RGB0_SHADING__SOLID_FILL, Control::RGB0_SHADING__GOURAUD), (std::array{0.125f, 0.25f, 0.375f, 0.25f}));
  EXPECT_EQ(pixel(Control::RGB0_SHADING__GOURAUD, Control::RGB0_SHADING__SOLID_FILL), (std::array{1.0f, 0.75f, 0.5f, 0.5f}));
}

TEST(Resync, WritesAScratchRegisterWhenColoursAreFinished) {
  Chip chip;
  Packets p;
  const uint32_t scratch = 5, value = 0xABCD1234;
  p.write(regs::CP_RESYNC_ADDR::offset, {&scratch, 1});
  p.write(regs::CP_RESYNC_DATA::offset, {&value, 1});
  ASSERT_TRUE(chip.run(p));
  EXPECT_EQ(chip.gpu->mmio_read(regs::GUI_SCRATCH_REG::at(5)), 0u);
  Packets finish;
  finish.set(regs::RB3D_DSTCACHE_CTLSTAT().DC_FINISH(1));
  ASSERT_TRUE(chip.run(finish));
  EXPECT_EQ(chip.gpu->mmio_read(regs::GUI_SCRATCH_REG::at(5)), value);
}

TEST(Status, SaysThatEverythingIsIdle) {
  Chip chip;
  const Target t = make_target(chip);
  Packets p = plain_state(t);
  p.append(full_quad({1, 1, 1, 1}));
  ASSERT_TRUE(chip.run(p));
  EXPECT_EQ(chip.gpu->mmio_read(regs::GA_IDLE::offset), ~0u);
  const regs::CP_CSQ_AVAIL room{chip.gpu->mmio_read(regs::CP_CSQ_AVAIL::offset)};
  EXPECT_EQ(room.CSQ_CNT_PRIMARY(), 256u);
  EXPECT_EQ(room.CSQ_CNT_INDIRECT(), 256u);
  EXPECT_EQ(room.CSQ_CNT_INDIRECT2(), 256u);
  // Behind the fence the CP may still be on its way out of the packet.
  while (chip.gpu->mmio_read(regs::CP_STAT::offset)) std::this_thread::yield();
}

}  // namespace
}  // namespace pumice::hw::test
