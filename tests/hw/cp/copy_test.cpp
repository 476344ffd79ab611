// SPDX-License-Identifier: MIT
/// GUI DMA, the 2D engine, dumps.
#include <cstring>
#include <numeric>
#include <random>

#include "hw/radeon/cp/dump.h"
#include "hw/radeon/gpu.h"
#include "tests/hw/cp/rig.h"

namespace pumice::hw::test {
namespace {

using pm4::Op;
using Control = regs::DP_GUI_MASTER_CNTL;
constexpr uint32_t kReg0 = regs::GUI_SCRATCH_REG::offset;
constexpr uint32_t kSource = Rig::kBuffer, kTarget = Rig::kBuffer + 0x8000;

Words dma(uint32_t source, uint32_t destination, uint32_t bytes) {
  return write(regs::CP_GUI_SRC_ADDR::offset, {source, destination, regs::CP_GUI_COMMAND{}.BYTE_COUNT(bytes).raw});
}
uint32_t xy(uint32_t x, uint32_t y) { return regs::PM4_2D_POINT_X_Y{}.X(x).Y(y).raw; }
uint32_t yx(uint32_t y, uint32_t x) { return regs::PM4_2D_POINT_Y_X{}.X(x).Y(y).raw; }
uint32_t surface(uint32_t at, uint32_t pitch) { return regs::DST_PITCH_OFFSET{}.OFFSET(at / 1024).PITCH(pitch / 64).raw; }

std::vector<uint8_t> bytes(Rig& rig, uint32_t at, size_t n) {
  std::vector<uint8_t> out(n);
  EXPECT_TRUE(rig.memory->read(at, out.data(), n));
  return out;
}

TEST(GuiDma, CopiesAnyAlignmentAndOverlap) {
  for (const auto [source, destination, size] :
       {std::array<uint32_t, 3>{0, 0x8000, 1000}, {3, 0x8005, 77}, {0, 1, 500}, {9, 4, 500}, {0, 0x8000, 0}}) {
    Rig rig;
    std::vector<uint8_t> model(0x9000);
    std::iota(model.begin(), model.end(), uint8_t{1});
    rig.memory->write(kSource, model.data(), model.size());
    rig.run(dma(kSource + source, kSource + destination, size));
    std::memmove(&model[destination], &model[source], size);
    EXPECT_EQ(bytes(rig, kSource, model.size()), model);
    rig.expect_clean();
  }
}

TEST(GuiDma, FaultsCopyNothing) {
  Rig rig;
  rig.store(kSource, {1, 2, 3, 4});
  rig.run(dma(0x40000000, kSource, 8) + dma(kSource, Rig::kMemory + Rig::kSize - 4, 8) + write(kReg0, {1}));
  EXPECT_EQ(rig.count(ReportKind::vm_fault, "read of memory"), 1u);
  EXPECT_EQ(rig.count(ReportKind::vm_fault, "write to memory"), 1u);
  EXPECT_EQ(rig.load(kSource), 1u);
  EXPECT_EQ(rig.load(Rig::kMemory + Rig::kSize - 4), 0u);
}

Control fill_control(uint32_t type) {
  return Control{}
      .DST_PITCH_OFFSET_CNTL(1)
      .BRUSH_TYPE(Control::BRUSH_TYPE__SOLID)
      .DST_TYPE(type)
      .SRC_TYPE(Control::SRC_TYPE__COLOR)
      .ROP3(Control::ROP3__PATCOPY)
      .WR_MSK_DIS(1);
}

class Fill : public testing::TestWithParam<std::pair<uint32_t, uint32_t>> {};
INSTANTIATE_TEST_SUITE_P(Formats, Fill,
                         testing::Values(std::pair{Control::DST_TYPE__CI8, 1u}, std::pair{Control::DST_TYPE__RGB565, 2u},
                                         std::pair{Control::DST_TYPE__ARGB8888, 4u}));
TEST_P(Fill, RectanglesOfPaintMultiAndPaint) {
  const auto [type, size] = GetParam();
  Rig rig;
  constexpr uint32_t kPitch = 128, kColour = 0x44332211;
  rig.run(
      packet(Op::CNTL_PAINT_MULTI, {fill_control(type).raw, surface(kTarget, kPitch), kColour, xy(1, 2), xy(3, 4), xy(10, 0), xy(2, 1)}) +
      packet(Op::CNTL_PAINT, {fill_control(type).raw, surface(kTarget, kPitch), kColour, yx(10, 5), yx(11, 7)}));
  std::vector<uint8_t> expected(kPitch * 16);
  const auto rect = [&](uint32_t x, uint32_t y, uint32_t w, uint32_t h) {
    for (uint32_t j = y; j < y + h; ++j)
      for (uint32_t i = x; i < x + w; ++i) std::memcpy(&expected[j * kPitch + i * size], &kColour, size);
  };
  rect(1, 2, 3, 4);
  rect(10, 0, 2, 1);
  rect(5, 10, 2, 1);
  EXPECT_EQ(bytes(rig, kTarget, expected.size()), expected);
  rig.expect_clean();
}

/// Patterns of all kinds over pixels of all sizes, from an origin; where the background is transparent pixels stay, and a raster operation
/// sees the pattern.
TEST(Engine2d, PatternedBrushes) {
  struct Kind {
    uint32_t code, width, height;
    bool background, color;
  };
  constexpr Kind kKinds[] = {
      {Control::BRUSH_TYPE__MONO_8X8_FG_BG, 8, 8, true, false},     {Control::BRUSH_TYPE__MONO_8X8_FG, 8, 8, false, false},
      {Control::BRUSH_TYPE__MONO_1X8_FG_BG, 1, 8, true, false},     {Control::BRUSH_TYPE__MONO_1X8_FG, 1, 8, false, false},
      {Control::BRUSH_TYPE__MONO_32X1_FG_BG, 32, 1, true, false},   {Control::BRUSH_TYPE__MONO_32X1_FG, 32, 1, false, false},
      {Control::BRUSH_TYPE__MONO_32X32_FG_BG, 32, 32, true, false}, {Control::BRUSH_TYPE__MONO_32X32_FG, 32, 32, false, false},
      {Control::BRUSH_TYPE__COLOR_8X8, 8, 8, false, true}};
  constexpr uint32_t kPitch = 256, kHeight = 40, kForeground = 0x44332211, kBackground = 0x88776655, kX = 3, kY = 2, kWidth = 45,
                     kOld = 0xA5A5A5A5;
  for (const auto& [type, size] :
       {std::pair{Control::DST_TYPE__CI8, 1u}, std::pair{Control::DST_TYPE__RGB565, 2u}, std::pair{Control::DST_TYPE__ARGB8888, 4u}})
    for (const Kind& k : kKinds)
      for (const uint32_t variant : {0u, 1u, 2u}) {  // plain; other bit order and an origin; exclusive or
        Rig rig;
        Words pattern((k.width * k.height * (k.color ? 8 * size : 1) + 31) / 32);
        for (size_t i = 0; i < pattern.size(); ++i) pattern[i] = 0x9E3779B9u * uint32_t(i + 1);
        const uint32_t ox = variant == 1 ? 5 : 0, oy = variant == 1 ? 3 : 0;
        const Control control = Control{fill_control(type).raw}
                                    .BRUSH_TYPE(k.code)
                                    .BYTE_PIX_ORDER(variant == 1)
                                    .BRUSH_Y_X_PRESENT(variant == 1)
                                    .ROP3(variant == 2 ? 0x5A : Control::ROP3__PATCOPY);
        Words payload{control.raw, surface(kTarget, kPitch)};
        if (k.background) payload.push_back(kBackground);
        if (!k.color) payload.push_back(kForeground);
        payload.insert(payload.end(), pattern.begin(), pattern.end());
        if (variant == 1) payload.push_back(regs::BRUSH_Y_X{}.BRUSH_X(ox).BRUSH_Y(oy).raw);
        payload.insert(payload.end(), {xy(kX, kY), xy(kWidth, kHeight - kY)});
        rig.store(kTarget, Words(kPitch * kHeight / 4, kOld));
        rig.run(packet(Op::CNTL_PAINT_MULTI, payload));
        rig.expect_clean();
        std::vector<uint8_t> expected(kPitch * kHeight, uint8_t(kOld));
        for (uint32_t y = kY; y < kHeight; ++y)
          for (uint32_t x = kX; x < kX + kWidth; ++x) {
            const uint32_t n = (y - oy) % k.height * k.width + (x - ox) % k.width;
            const uint32_t bit = n % 32 / 8 * 8 + (variant == 1 ? n % 8 : 7 - n % 8);
            uint32_t value = pattern[n / 32] >> bit & 1 ? kForeground : kBackground;
            if (!k.color && value == kBackground && !k.background) continue;
            if (k.color) std::memcpy(&value, reinterpret_cast<const uint8_t*>(pattern.data()) + n * size, size);
            if (variant == 2) value ^= kOld;
            std::memcpy(&expected[y * kPitch + x * size], &value, size);
          }
        ASSERT_EQ(bytes(rig, kTarget, expected.size()), expected) << k.code << " on " << size << " bytes, variant " << variant;
        if (k.background) {
          ASSERT_EQ(rig.reg(regs::DP_BRUSH_BKGD_CLR::offset), kBackground);
        }
      }
}

/// The origin of a brush comes behind its colour; a plain brush looks the same from everywhere.
TEST(Engine2d, BrushOrigin) {
  Rig rig;
  constexpr uint32_t kColour = 0x44332211, kOrigin = 0x0302;
  rig.run(packet(Op::CNTL_PAINT, {fill_control(Control::DST_TYPE__ARGB8888).BRUSH_Y_X_PRESENT(1).raw, surface(kTarget, 128), kColour,
                                  kOrigin, yx(1, 2), yx(2, 3)}));
  EXPECT_EQ(rig.reg(regs::BRUSH_Y_X::offset), kOrigin);
  const auto out = bytes(rig, kTarget, 128 * 4);
  uint32_t pixel = 0;
  std::memcpy(&pixel, &out[128 + 2 * 4], 4);
  EXPECT_EQ(pixel, kColour);
  rig.expect_clean();
}

TEST(Engine2d, ClipMaskAndRasterOperation) {
  Rig rig;
  rig.store(kTarget, Words(64, 0x0F0F0F0F));
  // 0x5A: brush XOR destination; only bits 15:0 may change; only x 1..2.
  const Control control = Control{fill_control(Control::DST_TYPE__ARGB8888).raw}.ROP3(0x5A).WR_MSK_DIS(0).DST_CLIPPING(1);
  rig.run(write(regs::DP_WRITE_MASK::offset, {0xFFFF}) +
          packet(Op::CNTL_PAINT_MULTI, {control.raw, surface(kTarget, 64), yx(0, 1), yx(1, 3), 0xFFFFFFFF, xy(0, 0), xy(8, 8)}));
  EXPECT_EQ(rig.load(kTarget), 0x0F0F0F0Fu);
  EXPECT_EQ(rig.load(kTarget + 4), 0x0F0FF0F0u);
  EXPECT_EQ(rig.load(kTarget + 8), 0x0F0FF0F0u);
  EXPECT_EQ(rig.load(kTarget + 12), 0x0F0F0F0Fu);
  EXPECT_EQ(rig.load(kTarget + 64 + 4), 0x0F0F0F0Fu);
  rig.expect_clean();
}

TEST(Engine2d, BlitCopiesAlsoWhenRectanglesOverlap) {
  for (const auto [sx, sy, dx, dy] : {std::array<uint32_t, 4>{0, 0, 1, 1}, {1, 1, 0, 0}, {0, 0, 2, 0}, {2, 0, 0, 0}, {0, 0, 0, 3}}) {
    Rig rig;
    Words model(16 * 8);
    std::iota(model.begin(), model.end(), 100u);
    rig.store(kTarget, model);
    const Control control = Control{}
                                .SRC_PITCH_OFFSET_CNTL(1)
                                .DST_PITCH_OFFSET_CNTL(1)
                                .BRUSH_TYPE(Control::BRUSH_TYPE__NONE)
                                .DST_TYPE(Control::DST_TYPE__ARGB8888)
                                .SRC_TYPE(Control::SRC_TYPE__COLOR)
                                .ROP3(Control::ROP3__SRCCOPY)
                                .DP_SRC_SOURCE(Control::DP_SRC_SOURCE__MEMORY)
                                .WR_MSK_DIS(1);
    rig.run(packet(Op::CNTL_BITBLT_MULTI, {control.raw, surface(kTarget, 64), surface(kTarget, 64), xy(sx, sy), xy(dx, dy), xy(5, 4)}));
    Words expected = model;
    for (uint32_t y = 0; y < 4; ++y)
      for (uint32_t x = 0; x < 5; ++x) expected[(dy + y) * 16 + dx + x] = model[(sy + y) * 16 + sx + x];
    Words got(model.size());
    rig.memory->read(kTarget, got.data(), got.size() * 4);
    EXPECT_EQ(got, expected) << sx << sy << dx << dy;
    rig.expect_clean();
  }
}

// Rows that follow each other evenly are moved together: as one by one in packets of their own, overlaps and clipped rows included.
TEST(Engine2d, RowsOfOnePacketAreDoneInOrder) {
  std::mt19937 rng(5);
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(rng() % n); };
  for (int n = 0; n < 300; ++n) {
    const bool paints = below(3) == 0, clips = below(4) == 0;
    const Control control = Control{paints ? fill_control(Control::DST_TYPE__ARGB8888).raw
                                           : Control{}
                                                 .SRC_PITCH_OFFSET_CNTL(1)
                                                 .DST_PITCH_OFFSET_CNTL(1)
                                                 .BRUSH_TYPE(Control::BRUSH_TYPE__NONE)
                                                 .DST_TYPE(Control::DST_TYPE__ARGB8888)
                                                 .SRC_TYPE(Control::SRC_TYPE__COLOR)
                                                 .ROP3(Control::ROP3__SRCCOPY)
                                                 .DP_SRC_SOURCE(Control::DP_SRC_SOURCE__MEMORY)
                                                 .WR_MSK_DIS(1)
                                                 .raw}
                                .DST_CLIPPING(clips);
    Words head = {control.raw};
    if (!paints) head = head + Words{surface(kSource + 1024 * below(3), 64)};
    head = head + Words{surface(below(2) ? kTarget : kSource + 1024 * below(3), 64)};
    if (clips) head = head + Words{yx(below(20), below(3)), yx(20 + below(30), 3 + below(10))};
    if (paints) head = head + Words{0xABCD1234u + static_cast<uint32_t>(n)};
    Words together = head, apart;
    const uint32_t runs = 1 + below(3);
    for (uint32_t run = 0; run < runs; ++run) {
      const uint32_t width = 1 + below(24), step = 1 + below(3), source_step = 1 + below(3), count = 1 + below(16);
      uint32_t x = below(6), y = below(10), sx = below(6), sy = below(10);
      for (uint32_t i = 0; i < count; ++i, y += step, sy += source_step) {
        const Words rectangle = paints ? Words{xy(x, y), xy(width, 1)} : Words{xy(sx, sy), xy(x, y), xy(width, 1)};
        together = together + rectangle;
        apart = apart + packet(paints ? Op::CNTL_PAINT_MULTI : Op::CNTL_BITBLT_MULTI, head + rectangle);
      }
    }
    std::vector<uint8_t> results[2];
    for (const bool one : {false, true}) {
      Rig rig;
      Words noise(0x4000);
      std::iota(noise.begin(), noise.end(), 7u);
      rig.store(kSource, noise);
      rig.run(one ? packet(paints ? Op::CNTL_PAINT_MULTI : Op::CNTL_BITBLT_MULTI, together) : apart);
      rig.expect_clean();
      results[one] = bytes(rig, kSource, 0x10000);
    }
    ASSERT_TRUE(results[0] == results[1]) << n;
  }
}

TEST(Engine2d, HostDataColourAndMono) {
  Rig rig;
  const Control base = Control{}
                           .DST_PITCH_OFFSET_CNTL(1)
                           .BRUSH_TYPE(Control::BRUSH_TYPE__NONE)
                           .ROP3(Control::ROP3__SRCCOPY)
                           .DP_SRC_SOURCE(Control::DP_SRC_SOURCE__HOST_DATA)
                           .WR_MSK_DIS(1);
  const Control colour = Control{base.raw}.DST_TYPE(Control::DST_TYPE__RGB565).SRC_TYPE(Control::SRC_TYPE__COLOR);
  rig.run(packet(Op::CNTL_HOSTDATA_BLT,
                 {colour.raw, surface(kTarget, 64), 0, 0, yx(1, 2), yx(2, 3), 4, 0x00020001, 0xFFFF0003, 0x00050004, 6}));
  EXPECT_EQ(rig.load(kTarget + 64 + 4), 0x00020001u);
  EXPECT_EQ(rig.load(kTarget + 64 + 8), 3u);
  EXPECT_EQ(rig.load(kTarget + 128 + 4), 0x00050004u);
  EXPECT_EQ(rig.load(kTarget + 128 + 8), 6u);
  const Control mono = Control{base.raw}.DST_TYPE(Control::DST_TYPE__CI8).SRC_TYPE(Control::SRC_TYPE__MONO_TRANSPARENT);
  rig.store(kTarget, {0x77777777});
  rig.run(packet(Op::CNTL_HOSTDATA_BLT, {mono.raw, surface(kTarget, 64), 0xAA, 0xBB, yx(0, 0), yx(1, 3), 1, 0xA0}));
  EXPECT_EQ(rig.load(kTarget), 0x77AA77AAu);
  const Control lsb = Control{base.raw}.DST_TYPE(Control::DST_TYPE__CI8).SRC_TYPE(Control::SRC_TYPE__MONO_OPAQUE).BYTE_PIX_ORDER(1);
  rig.run(packet(Op::CNTL_HOSTDATA_BLT, {lsb.raw, surface(kTarget, 64), 0xAA, 0xBB, yx(0, 0), yx(1, 3), 1, 0x4}));
  EXPECT_EQ(rig.load(kTarget), 0x77AABBBBu);
  rig.expect_clean();
}

TEST(Engine2d, WhatItCannotDoIsReported) {
  Rig rig;
  const Control fill = fill_control(Control::DST_TYPE__ARGB8888);
  const Words rectangle{surface(kTarget, 64), 1, xy(0, 0), xy(1, 1)};
  const auto paint = [&](Control c) { return packet(Op::CNTL_PAINT_MULTI, Words{c.raw} + rectangle); };
  rig.run(paint(Control{fill.raw}.DST_TYPE(10)) + paint(Control{fill.raw}.FCN_3D_EN(1)) +
          packet(Op::CNTL_PAINT_MULTI, {Control{fill.raw}.BRUSH_TYPE(2).raw, 1, 2, 3, 4}) +
          packet(Op::CNTL_PAINT_MULTI, {Control{fill.raw}.BRUSH_TYPE(Control::BRUSH_TYPE__MONO_8X8_FG_BG).raw, 1, 2, 3, 4}) +
          packet(Op::CNTL_PAINT_MULTI, {fill.raw, surface(kTarget, 64), 1, xy(0, 0)}) + packet(Op::CNTL_PAINT_MULTI, {fill.raw}) +
          packet(Op::CNTL_SMALLTEXT, {fill.raw, 1, 2}) + packet(Op::LOAD_PALETTE, {1}) +
          packet(Op::CNTL_PAINT_MULTI, {fill.raw, surface(0x7F000000, 64), 1, xy(0, 0), xy(9, 9)}) + write(kReg0, {1}));
  for (const char* text : {"2D engine: DP_GUI_MASTER_CNTL.DST_TYPE 10 is reserved",
                           "2D engine: DP_GUI_MASTER_CNTL.FCN_3D_EN 1: no document describes the legacy scaler", "reserved brush",
                           "rectangle is cut off", "CNTL_SMALLTEXT", "LOAD_PALETTE"})
    EXPECT_EQ(rig.count(ReportKind::bad_packet, text), 1u) << text;
  EXPECT_EQ(rig.count(ReportKind::bad_packet, "settings block is cut off"), 2u);
  EXPECT_EQ(rig.count(ReportKind::vm_fault, "36 bytes at 0x7F000000"), 1u);
  EXPECT_EQ(rig.reg(kReg0), 1u);
  EXPECT_EQ(rig.load(kTarget), 0u);
}

TEST(Dump, NamesPacketsRegistersFieldsAndValues) {
  const std::string text =
      dump_stream(Profile::r500, write(regs::GA_US_VECTOR_INDEX::offset, {regs::GA_US_VECTOR_INDEX{}.INDEX(3).TYPE(1).raw}) +
                                     packet(Op::WAIT_MEM, {5, 0x1000, 7, 0xFF}) + packet(Op::N3D_DRAW_INDX_2, {0x10014, 2}) +
                                     packet(Op::LOAD_PALETTE, {1}) + write(regs::GUI_SCRATCH_REG::offset, {1, 2}) +
                                     Words{kFiller, type0(regs::GB_VAP_RASTER_VTX_FMT_0::offset, 9)});
  EXPECT_EQ(text,
            "0x000000 type 0 write of GA_US_VECTOR_INDEX\n"
            "    GA_US_VECTOR_INDEX = 0x00010003 {INDEX=3 TYPE=1 CONSTANTS}\n"
            "0x000002 type 3 WAIT_MEM (0x23)\n"
            "    until ([0x00001000] & 0x000000FF) >= 0x00000007\n"
            "0x000007 type 3 N3D_DRAW_INDX_2 (0x36)\n"
            "    VAP_VF_CNTL = 0x00010014 {PRIM_TYPE=4 TRIANGLE_LIST PRIM_WALK=1 INDICES_IN_STREAM_VERTICES_IN_MEMORY NUM_VERTICES=0x1}\n"
            "    data, 1 dwords: 0x00000002\n"
            "0x00000A type 3 LOAD_PALETTE (0x2C)\n"
            "    BAD: opcode without a meaning in this model\n"
            "0x00000C type 0 write of GUI_SCRATCH_REG[0]\n"
            "    GUI_SCRATCH_REG[0] = 0x00000001 {SCRATCH=0x1}\n"
            "    GUI_SCRATCH_REG[1] = 0x00000002 {SCRATCH=0x2}\n"
            "0x00000F type 2 filler\n"
            "0x000010 type 0 write of GB_VAP_RASTER_VTX_FMT_0\n"
            "    BAD: cut off, 10 dwords announced\n");
}

}  // namespace
}  // namespace pumice::hw::test
