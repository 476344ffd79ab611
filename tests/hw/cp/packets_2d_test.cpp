// SPDX-License-Identifier: MIT
/// 2D packets beyond fills and copies of linear surfaces: colour compare, mono sources, text, lines, scan lines, tiles, 24 bpp. Expected
/// pixels come from the definitions, one pixel at a time.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>

#include "hw/radeon/cp/surface_2d.h"
#include "tests/hw/cp/rig.h"

namespace pumice::hw::test {
namespace {

using pm4::Op;
using Control = regs::DP_GUI_MASTER_CNTL;
using Compare = regs::CLR_CMP_CNTL;
constexpr uint32_t kSource = Rig::kBuffer, kTarget = Rig::kBuffer + 0x8000;

uint32_t xy(uint32_t x, uint32_t y) { return regs::PM4_2D_POINT_X_Y{}.X(x).Y(y).raw; }
uint32_t yx(uint32_t y, uint32_t x) { return regs::PM4_2D_POINT_Y_X{}.X(x).Y(y).raw; }
uint32_t span(uint32_t start, uint32_t end) { return regs::PM4_2D_SPAN{}.START(start).END(end).raw; }
regs::DST_PITCH_OFFSET surface(uint32_t at, uint32_t pitch) { return regs::DST_PITCH_OFFSET{}.OFFSET(at / 1024).PITCH(pitch / 64); }

Control control(uint32_t type) {
  return Control{}
      .DST_PITCH_OFFSET_CNTL(1)
      .BRUSH_TYPE(Control::BRUSH_TYPE__NONE)
      .DST_TYPE(type)
      .SRC_TYPE(Control::SRC_TYPE__COLOR)
      .DP_SRC_SOURCE(Control::DP_SRC_SOURCE__MEMORY)
      .ROP3(Control::ROP3__SRCCOPY)
      .WR_MSK_DIS(1);
}
Control copy(uint32_t type) { return Control{control(type).raw}.SRC_PITCH_OFFSET_CNTL(1); }
Control paint(uint32_t type) { return Control{control(type).raw}.BRUSH_TYPE(Control::BRUSH_TYPE__SOLID).ROP3(Control::ROP3__PATCOPY); }

/// Every function of both sides, every selection of them: a copy of four pixels whose sources and destinations are or are not the colours.
TEST(Packets2d, TransparentBlits) {
  constexpr uint32_t kKey = 0x11, kOtherKey = 0x22, kMask = 0xF0FF;
  const uint32_t sources[] = {kKey, kKey | 0x0F00, 0x12, 0x22}, destinations[] = {kOtherKey, 0x33, kOtherKey | 0x0F00, 0x11};
  for (const uint32_t which : {0u, 1u, 2u})
    for (const uint32_t of_source : {0u, 1u, 4u, 5u})
      for (const uint32_t of_destination : {0u, 1u, 4u, 5u})
        for (const uint32_t variant : {0u, 1u, 2u}) {  // a mask; WR_MSK_DIS: no mask; CLR_CMP_CNTL_DIS: no comparison
          Rig rig;
          rig.store(kSource, {sources[0], sources[1], sources[2], sources[3]});
          rig.store(kTarget, {destinations[0], destinations[1], destinations[2], destinations[3]});
          rig.run(write(regs::CLR_CMP_MASK::offset, {kMask}) +
                  packet(Op::CNTL_TRANS_BITBLT,
                         {Control{copy(Control::DST_TYPE__ARGB8888).raw}.WR_MSK_DIS(variant == 1).CLR_CMP_CNTL_DIS(variant == 2).raw,
                          surface(kSource, 64).raw, surface(kTarget, 64).raw,
                          Compare{}.CLR_CMP_FCN_SRC(of_source).CLR_CMP_FCN_DST(of_destination).CLR_CMP_SRC(which).raw, kKey, kOtherKey,
                          xy(0, 0), xy(0, 0), xy(4, 1)}));
          rig.expect_clean();
          const uint32_t mask = variant == 1 ? ~0u : kMask;
          const auto holds = [&](uint32_t function, uint32_t a, uint32_t b) {
            const bool equal = (a & mask) == (b & mask);
            return function == 1 || (function == 4 && equal) || (function == 5 && !equal);
          };
          for (uint32_t i = 0; i < 4; ++i) {
            const bool keeps = variant != 2 && ((which != 0 && holds(of_source, sources[i], kKey)) ||
                                                (which != 1 && holds(of_destination, destinations[i], kOtherKey)));
            EXPECT_EQ(rig.load(kTarget + 4 * i), keeps ? destinations[i] : sources[i])
                << "pixel " << i << " CLR_CMP_SRC " << which << " functions " << of_source << " " << of_destination << " variant "
                << variant;
          }
        }
}

/// The comparison stays for later packets, of fills too; what no document describes is refused with register, field and value.
TEST(Packets2d, ColourCompareOfFillsAndItsRefusals) {
  Rig rig;
  rig.store(kTarget, {1, 2, 1, 3});
  const auto compare = [](uint32_t value) { return write(regs::CLR_CMP_CNTL::offset, {value}); };
  const Words fill =
      packet(Op::CNTL_PAINT_MULTI, {paint(Control::DST_TYPE__ARGB8888).raw, surface(kTarget, 64).raw, 9, xy(0, 0), xy(4, 1)});
  rig.run(write(regs::CLR_CMP_CLR_DST::offset, {1}) + compare(Compare{}.CLR_CMP_FCN_DST(5).raw) + fill);
  rig.expect_clean();
  for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(rig.load(kTarget + 4 * i), (std::array{9u, 2u, 9u, 3u}[i]));
  rig.store(kTarget, {1, 2, 1, 3});
  rig.run(compare(Compare{}.CLR_CMP_FCN_SRC(6).CLR_CMP_SRC(1).raw) + fill + compare(Compare{}.CLR_CMP_FCN_DST(7).raw) + fill +
          compare(Compare{}.CLR_CMP_FCN_DST(4).CLR_CMP_SRC(3).raw) + fill + compare(Compare{}.CLR_CMP_FCN_SRC(4).CLR_CMP_SRC(2).raw) +
          fill);
  for (const char* text :
       {"2D engine: CLR_CMP_CNTL.CLR_CMP_FCN_SRC 6: no document says what it computes",
        "2D engine: CLR_CMP_CNTL.CLR_CMP_FCN_DST 7: no document says what it computes", "2D engine: CLR_CMP_CNTL.CLR_CMP_SRC 3 is reserved",
        "2D engine: CLR_CMP_CNTL.CLR_CMP_FCN_SRC 4 compares a source, the operation has none"})
    EXPECT_EQ(rig.count(ReportKind::bad_packet, text), 1u) << text;
  for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(rig.load(kTarget + 4 * i), (std::array{1u, 2u, 1u, 3u}[i]));
}

/// Copies of the other packets take the comparison, and packets without a pattern of their own the brush, from the registers.
TEST(Packets2d, RegistersOfLaterPackets) {
  Rig rig;
  rig.store(kSource, {7, 8});
  rig.run(write(regs::CLR_CMP_CNTL::offset, {Compare{}.CLR_CMP_FCN_SRC(4).CLR_CMP_SRC(1).raw}) + write(regs::CLR_CMP_CLR_SRC::offset, {8}) +
          packet(Op::CNTL_BITBLT, {copy(Control::DST_TYPE__ARGB8888).raw, surface(kSource, 64).raw, surface(kTarget, 64).raw, xy(0, 0),
                                   xy(0, 0), xy(2, 1)}));
  EXPECT_EQ(rig.load(kTarget), 7u);
  EXPECT_EQ(rig.load(kTarget + 4), 0u);
  rig.run(write(regs::CLR_CMP_CNTL::offset, {0}) +
          packet(Op::CNTL_PAINT_MULTI, {Control{paint(Control::DST_TYPE__CI8).raw}.BRUSH_TYPE(Control::BRUSH_TYPE__MONO_32X1_FG_BG).raw,
                                        surface(kTarget, 64).raw, 0xBB, 0xAA, 0x50, xy(0, 1), xy(4, 1)}) +
          packet(Op::PLY_NEXTSCAN, {yx(1, 2), span(0, 4)}));
  EXPECT_EQ(rig.reg(regs::BRUSH_DATA::offset), 0x50u);
  EXPECT_EQ(rig.load(kTarget + 64), 0xAABBAABBu);
  EXPECT_EQ(rig.load(kTarget + 128), 0xAABBAABBu);
  rig.run(write(regs::BRUSH_DATA::offset, {0xA0}) + packet(Op::PLY_NEXTSCAN, {yx(1, 3), span(0, 4)}));
  EXPECT_EQ(rig.load(kTarget + 192), 0xBBAABBAAu);
  rig.expect_clean();
}

/// Bits in memory, from any bit on, become two colours or one and nothing.
TEST(Packets2d, MonoSourcesInMemory) {
  const uint8_t bits[2][8] = {{0xA5, 0x3C, 0x81}, {0x0F, 0xF0, 0x99}};
  for (const bool transparent : {false, true})
    for (const bool lsb : {false, true})
      for (const uint32_t first : {0u, 3u, 9u}) {
        Rig rig;
        rig.memory->write(kSource, bits[0], 8);
        rig.memory->write(kSource + 64, bits[1], 8);
        const Control c = Control{copy(Control::DST_TYPE__RGB565).raw}
                              .SRC_TYPE(transparent ? Control::SRC_TYPE__MONO_TRANSPARENT : Control::SRC_TYPE__MONO_OPAQUE)
                              .BYTE_PIX_ORDER(lsb);
        rig.store(kTarget, Words(64, 0x77777777));
        rig.run(write(regs::DP_SRC_FRGD_CLR::offset, {0xAAAA, 0xBBBB}) +
                packet(Op::CNTL_BITBLT, {c.raw, surface(kSource, 64).raw, surface(kTarget, 64).raw, xy(first, 0), xy(2, 1), xy(13, 2)}));
        rig.expect_clean();
        for (uint32_t y = 0; y < 4; ++y)
          for (uint32_t x = 0; x < 20; ++x) {
            uint32_t wanted = 0x7777;
            if (x >= 2 && x < 15 && y >= 1 && y < 3) {
              const uint32_t n = first + x - 2;
              const bool set = bits[y - 1][n / 8] >> (lsb ? n % 8 : 7 - n % 8) & 1;
              wanted = set ? 0xAAAA : transparent ? 0x7777 : 0xBBBB;
            }
            ASSERT_EQ(rig.load(kTarget + y * 64 + x / 2 * 4) >> (x % 2 * 16) & 0xFFFF, wanted) << x << "," << y << " first " << first;
          }
      }
}

/// A character of a HOSTDATA_BLT and the next ones behind it, with its colours; a rectangle that goes on after a BITBLT.
TEST(Packets2d, NextCharacterAndNextRectangle) {
  Rig rig;
  const Control text = Control{control(Control::DST_TYPE__CI8).raw}
                           .SRC_TYPE(Control::SRC_TYPE__MONO_TRANSPARENT)
                           .DP_SRC_SOURCE(Control::DP_SRC_SOURCE__HOST_DATA_BYTE);
  rig.run(packet(Op::CNTL_HOSTDATA_BLT, {text.raw, surface(kTarget, 64).raw, 0xAA, 0xBB, yx(0, 0), yx(2, 4), 1, 0x60F0}) +
          packet(Op::NEXT_CHAR, {yx(1, 8), yx(3, 4), 0x104090}));
  rig.expect_clean();
  EXPECT_EQ(rig.load(kTarget), 0xAAAAAAAAu);
  EXPECT_EQ(rig.load(kTarget + 64), 0x00AAAA00u);
  EXPECT_EQ(rig.load(kTarget + 64 + 8), 0xAA0000AAu);
  EXPECT_EQ(rig.load(kTarget + 128 + 8), 0x0000AA00u);
  EXPECT_EQ(rig.load(kTarget + 192 + 8), 0xAA000000u);
  rig.store(kSource, {1, 2, 3, 4});
  rig.run(packet(Op::CNTL_BITBLT, {copy(Control::DST_TYPE__ARGB8888).raw, surface(kSource, 64).raw, surface(kTarget, 64).raw, xy(0, 0),
                                   xy(4, 4), xy(1, 1)}) +
          packet(Op::BITBLT_MULTI, {xy(1, 0), xy(5, 5), xy(1, 1), xy(2, 0), xy(6, 6), xy(2, 1)}));
  EXPECT_EQ(rig.load(kTarget + 4 * 64 + 16), 1u);
  EXPECT_EQ(rig.load(kTarget + 5 * 64 + 20), 2u);
  EXPECT_EQ(rig.load(kTarget + 6 * 64 + 24), 3u);
  EXPECT_EQ(rig.load(kTarget + 6 * 64 + 28), 4u);
  rig.expect_clean();
  rig.run(packet(Op::NEXT_CHAR, {yx(0, 0)}) + packet(Op::BITBLT_MULTI, {1, 2, 3, 4}));
  EXPECT_EQ(rig.count(ReportKind::bad_packet, "rectangle is cut off"), 2u);
}

/// Lines in all directions: every pixel but the last is within half a pixel of the line, one a step; a brush pattern colours them.
TEST(Packets2d, Lines) {
  std::mt19937 rng(7);
  for (uint32_t round = 0; round < 200; ++round) {
    Rig rig;
    std::vector<std::array<int, 2>> points(2 + round % 3);
    for (auto& p : points) p = {int(rng() % 60), int(rng() % 60)};
    if (round < 8) points = {{30, 30}, {30 + int(round % 3 - 1) * 20, 30 + int(round / 3 - 1) * 20}};
    Words payload{paint(Control::DST_TYPE__ARGB8888).raw, surface(kTarget, 256).raw, 5};
    for (const auto& p : points) payload.push_back(yx(uint32_t(p[1]), uint32_t(p[0])));
    rig.run(packet(Op::CNTL_POLYLINE, payload));
    rig.expect_clean();
    std::set<std::array<int, 2>> wanted;
    for (size_t i = 1; i < points.size(); ++i) {
      const auto [x0, y0] = points[i - 1];
      const auto [x1, y1] = points[i];
      const int steps = std::max(std::abs(x1 - x0), std::abs(y1 - y0));
      // Bresenham's: an error that grows by the smaller distance; a tie stays.
      const int small = std::min(std::abs(x1 - x0), std::abs(y1 - y0));
      const bool steep = std::abs(y1 - y0) > std::abs(x1 - x0);
      int error = 0, x = x0, y = y0;
      for (int step = 0; step < steps; ++step) {
        wanted.insert({x, y});
        error += 2 * small;
        const bool aside = error > steps;
        if (aside) error -= 2 * steps;
        if (steep ? aside : true) x += x1 > x0 ? 1 : -1;
        if (steep ? true : aside) y += y1 > y0 ? 1 : -1;
      }
    }
    for (int y = 0; y < 64; ++y)
      for (int x = 0; x < 64; ++x)
        ASSERT_EQ(rig.load(uint32_t(kTarget + y * 256 + x * 4)), wanted.count({x, y}) ? 5u : 0u) << x << "," << y << " round " << round;
  }
  Rig rig;
  rig.run(packet(Op::CNTL_POLYLINE, {Control{paint(Control::DST_TYPE__CI8).raw}.BRUSH_TYPE(Control::BRUSH_TYPE__MONO_32X1_FG).raw,
                                     surface(kTarget, 64).raw, 0xEE, 0xAAAAAAAA, yx(2, 0), yx(2, 4)}));
  EXPECT_EQ(rig.load(kTarget + 128), 0x00EE00EEu);
  rig.run(packet(Op::CNTL_POLYLINE, {paint(Control::DST_TYPE__CI8).raw, surface(kTarget, 64).raw, 1, yx(0, 0)}));
  EXPECT_EQ(rig.count(ReportKind::bad_packet, "a line needs two points"), 1u);
}

TEST(Packets2d, ScanLines) {
  Rig rig;
  rig.run(packet(Op::CNTL_POLYSCANLINES, {paint(Control::DST_TYPE__CI8).raw, surface(kTarget, 64).raw, 0xCC, 2, 2, yx(1, 3), span(1, 3),
                                          span(6, 6), 1, yx(2, 5), span(0, 5)}) +
          packet(Op::PLY_NEXTSCAN, {yx(1, 8), span(10, 12), span(2, 3)}));
  rig.expect_clean();
  for (uint32_t y = 0; y < 10; ++y)
    for (uint32_t x = 0; x < 16; ++x) {
      const bool set = (y == 3 && x >= 1 && x < 3) || (y >= 5 && y < 7 && x < 5) || (y == 8 && ((x >= 10 && x < 12) || x == 2));
      EXPECT_EQ(rig.load(kTarget + y * 64 + x / 4 * 4) >> (x % 4 * 8) & 0xFF, set ? 0xCCu : 0u) << x << "," << y;
    }
  const Words head{paint(Control::DST_TYPE__CI8).raw, surface(kTarget, 64).raw, 0xCC};
  rig.run(packet(Op::CNTL_POLYSCANLINES, head + Words{2, 1, yx(1, 1), span(0, 1)}) +
          packet(Op::CNTL_POLYSCANLINES, head + Words{1, 0xFFFFFFFF, yx(1, 1), span(0, 1)}) +
          packet(Op::CNTL_POLYSCANLINES, head + Words{1, 1, yx(1, 1), span(0, 1), 7}));
  EXPECT_EQ(rig.count(ReportKind::bad_packet, "scan lines are cut off"), 2u);
  EXPECT_EQ(rig.count(ReportKind::bad_packet, "more dwords than scan lines"), 1u);
}

/// Fills, host data and copies between linear and tiled surfaces put each pixel where pipeline s.10 has it, and touch nothing else.
TEST(Packets2d, TiledSurfaces) {
  for (const auto& [type, size] :
       {std::pair{Control::DST_TYPE__CI8, 1u}, std::pair{Control::DST_TYPE__RGB565, 2u}, std::pair{Control::DST_TYPE__ARGB8888, 4u}})
    for (const uint32_t tiles : {1u, 2u, 3u}) {
      constexpr uint32_t kPitch = 256, kHeight = 32, kX = 5, kY = 3, kWidth = 37, kRows = 19;
      Rig rig;
      const auto tiled = surface(kTarget, kPitch).TILE_MACRO(tiles & 1).TILE_MICRO(tiles >> 1);
      surface::Layout layout;
      layout.pitch_px = kPitch / size, layout.bytes_per_pixel = size, layout.macro_tiled = tiles & 1, layout.micro = uint8_t(tiles >> 1);
      std::vector<uint8_t> linear(kPitch * kHeight), expected(kPitch * kHeight);
      for (size_t i = 0; i < linear.size(); ++i) linear[i] = uint8_t(i * 7 + i / 256);
      rig.memory->write(kSource, linear.data(), linear.size());
      rig.run(packet(Op::CNTL_BITBLT,
                     {copy(type).raw, surface(kSource, kPitch).raw, tiled.raw, xy(kX, kY), xy(kX + 1, kY + 2), xy(kWidth, kRows)}) +
              packet(Op::CNTL_PAINT_MULTI, {paint(type).raw, tiled.raw, 0x5A5A5A5A, xy(50, 2), xy(3, 9)}));
      rig.expect_clean();
      for (uint32_t y = 0; y < kRows; ++y)
        for (uint32_t x = 0; x < kWidth; ++x)
          std::memcpy(&expected[surface::offset(layout, kX + 1 + x, kY + 2 + y)], &linear[(kY + y) * kPitch + (kX + x) * size], size);
      for (uint32_t y = 2; y < 11; ++y)
        for (uint32_t x = 50; x < 53; ++x) std::memset(&expected[surface::offset(layout, x, y)], 0x5A, size);
      std::vector<uint8_t> got(expected.size());
      rig.memory->read(kTarget, got.data(), got.size());
      ASSERT_EQ(got, expected) << size << " bytes, tiles " << tiles;
      // Down by one row inside the surface, then out again.
      rig.run(packet(Op::CNTL_BITBLT, {copy(type).raw, tiled.raw, tiled.raw, xy(kX + 1, kY + 2), xy(kX + 1, kY + 3), xy(kWidth, kRows)}) +
              packet(Op::CNTL_BITBLT,
                     {copy(type).raw, tiled.raw, surface(kSource, kPitch).raw, xy(kX + 1, kY + 3), xy(0, 0), xy(kWidth, kRows)}));
      rig.memory->read(kSource, got.data(), got.size());
      for (uint32_t y = 0; y < kRows; ++y)
        ASSERT_EQ(std::memcmp(&got[y * kPitch], &linear[(kY + y) * kPitch + kX * size], kWidth * size), 0)
            << "row " << y << ", tiles " << tiles;
    }
}

/// What is announced as written contains every pixel.
TEST(Packets2d, MemoryOfTiledRectangles) {
  std::mt19937 rng(3);
  for (uint32_t round = 0; round < 3000; ++round) {
    Surface2d s;
    s.base = 0x10000, s.pitch = 64 * (1 + rng() % 12);
    s.tiles.macro_tiled = rng() % 2, s.tiles.micro = uint8_t(rng() % 2);
    ASSERT_TRUE(s.pixels(1u << rng() % 3));
    const uint32_t x = rng() % 300, y = rng() % 100, width = 1 + rng() % 50, height = 1 + rng() % 50;
    const ByteRange memory = s.memory(x, y, width, height).hull();
    for (uint32_t i = 0; i < height; ++i)
      for (uint32_t j = 0; j < width; ++j) {
        const uint64_t at = s.address(x + j, y + i);
        ASSERT_TRUE(at >= memory.begin && at + s.bytes <= memory.end) << "round " << round << " pixel " << x + j << "," << y + i;
      }
  }
}

/// Pixels of three bytes: fills, a pattern, host data, copies; no document has tiles of them.
TEST(Packets2d, TwentyFourBits) {
  constexpr auto kType = Control::DST_TYPE__RGB888;
  Rig rig;
  const Control host = Control{control(kType).raw}.DP_SRC_SOURCE(Control::DP_SRC_SOURCE__HOST_DATA);
  rig.run(packet(Op::CNTL_PAINT_MULTI, {paint(kType).raw, surface(kTarget, 64).raw, 0x99112233, xy(1, 0), xy(2, 1)}) +
          packet(Op::CNTL_HOSTDATA_BLT, {host.raw, surface(kTarget, 64).raw, 0, 0, yx(1, 1), yx(1, 2), 2, 0x33221100, 0x5544}) +
          packet(Op::CNTL_BITBLT, {copy(kType).raw, surface(kTarget, 64).raw, surface(kTarget, 64).raw, xy(1, 1), xy(0, 2), xy(2, 1)}));
  rig.expect_clean();
  std::vector<uint8_t> got(192);
  rig.memory->read(kTarget, got.data(), got.size());
  std::vector<uint8_t> expected(192);
  const uint8_t filled[] = {0x33, 0x22, 0x11, 0x33, 0x22, 0x11}, sent[] = {0x00, 0x11, 0x22, 0x33, 0x44, 0x55};
  std::memcpy(&expected[3], filled, 6);
  std::memcpy(&expected[64 + 3], sent, 6);
  std::memcpy(&expected[128], sent, 6);
  EXPECT_EQ(got, expected);
  rig.run(packet(Op::CNTL_PAINT_MULTI, {paint(kType).raw, surface(kTarget, 64).TILE_MACRO(1).raw, 1, xy(0, 0), xy(1, 1)}));
  EXPECT_EQ(rig.count(ReportKind::bad_packet, "2D engine: DST_PITCH_OFFSET.TILE_*: no document has tiles of pixels of 24 bits"), 1u);
}

/// A clip rectangle of SET_SCISSORS, which packets with DST_CLIPPING would bring themselves, moves the edges of lines, text and scan lines.
TEST(Packets2d, ClipRectangle) {
  Rig rig;
  const Control c = Control{paint(Control::DST_TYPE__CI8).raw}.DST_CLIPPING(1);
  const Words head{c.raw, surface(kTarget, 64).raw, yx(1, 2), yx(3, 6), 0xDD};
  rig.run(packet(Op::CNTL_POLYLINE, head + Words{yx(1, 0), yx(1, 9)}) + packet(Op::SET_SCISSORS, {yx(0, 3), yx(4, 5)}) +
          packet(Op::PLY_NEXTSCAN, {yx(1, 3), span(0, 9)}));
  rig.expect_clean();
  for (uint32_t y = 0; y < 4; ++y)
    for (uint32_t x = 0; x < 12; ++x) {
      const bool set = (y == 1 && x >= 2 && x < 6) || (y == 3 && x >= 3 && x < 5);
      EXPECT_EQ(rig.load(kTarget + y * 64 + x / 4 * 4) >> (x % 4 * 8) & 0xFF, set ? 0xDDu : 0u) << x << "," << y;
    }
}

}  // namespace
}  // namespace pumice::hw::test
