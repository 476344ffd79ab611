// SPDX-License-Identifier: MIT
/// Line stipple (GA_LINE_STIPPLE_CONFIG, GA_LINE_STIPPLE_VALUE) and polygon stipple (GA_TRIANGLE_STIPPLE): the coordinates that GA stuffs.
#include <gtest/gtest.h>

#include "tests/hw/chip/chip.h"

namespace pumice::hw::test {
namespace {

constexpr uint32_t kSize = 32;
using Config = regs::GA_LINE_STIPPLE_CONFIG;
using Vf = regs::VAP_VF_CNTL;

/// A chip that puts stuffed coordinates out as r, g of FP32 pixels.
struct Stuffed {
  Chip chip;
  uint32_t pixels = chip.allocate(kSize * kSize * 4);
  Packets packets = plain_state({kSize, kSize, pixels, 0});

  Stuffed() {
    packets.append(float_target(pixels, kSize));
    packets.set(regs::GB_ENABLE().LINE_STUFF_ENABLE(1).TRIANGLE_STUFF_ENABLE(1));
    packets.set(regs::VAP_OUT_VTX_FMT_1());  // a coordinate of the vertex would win
    packets.set(regs::PS3_TEX_SOURCE().TEX0_SOURCE(1));
    packets.set(regs::GA_LINE_CNTL().WIDTH(8).END_TYPE(2));
    packets.set_float<regs::GA_LINE_S0>(0);
    packets.set_float<regs::GA_LINE_S1>(1);
  }
  static TestVertex at(float x, float y) { return {{x / (kSize / 2) - 1, y / (kSize / 2) - 1, 0.5f, 1}, {0, 0, 0, 1}}; }
  void config(uint32_t reset, float scale) { packets.set(Config().LINE_RESET(reset).STIPPLE_SCALE(bits(scale) >> 2)); }
  void lines(std::initializer_list<TestVertex> v) { packets.append(draw(Vf::PRIM_TYPE__LINE_LIST, {v.begin(), v.size()})); }
  void run() {
    ASSERT_TRUE(chip.run(packets));
    packets.words.clear();
    for (const Report& r : chip.reports()) ADD_FAILURE() << r.text;
  }
  float value(uint32_t x, uint32_t y, uint32_t channel) { return std::bit_cast<float>(chip.memory(pixels)[(y * kSize + x) * 4 + channel]); }
  uint32_t accumulator() { return chip.gpu->mmio_read(regs::GA_LINE_STIPPLE_VALUE::offset); }
};

TEST(LineStipple, RunsOnFromLineToLine) {
  Stuffed s;
  s.config(Config::LINE_RESET__NEVER, 1.0f / 16);  // 1 per pixel
  s.lines({s.at(2, 4.5f), s.at(10, 4.5f), s.at(2, 8.5f), s.at(10, 8.5f)});
  s.run();
  for (uint32_t x = 2; x < 10; ++x) {
    EXPECT_EQ(s.value(x, 4, 1), float(x) - 2 + 0.5f);
    EXPECT_EQ(s.value(x, 8, 1), float(x) + 6 + 0.5f);
    EXPECT_EQ(s.value(x, 8, 0), (float(x) - 2 + 0.5f) / 8) << "S is GA_LINE_S0 to S1 as before";
  }
  EXPECT_EQ(s.accumulator(), 256u);
  // On to the next draw; the longer axis counts.
  s.lines({s.at(4.5f, 16), s.at(8.5f, 28)});
  s.run();
  EXPECT_EQ(s.accumulator(), 256u + 12 * 16);
}

TEST(LineStipple, StartsAnewWithEachLineOrPacket) {
  Stuffed s;
  s.config(Config::LINE_RESET__EACH_LINE, 1.0f / 16);
  s.lines({s.at(2, 4.5f), s.at(10, 4.5f), s.at(2, 8.5f), s.at(10, 8.5f)});
  s.run();
  EXPECT_EQ(s.value(3, 4, 1), 1.5f);
  EXPECT_EQ(s.value(3, 8, 1), 1.5f);
  EXPECT_EQ(s.accumulator(), 128u);
  s.config(Config::LINE_RESET__EACH_PACKET, 1.0f / 16);
  s.lines({s.at(2, 12.5f), s.at(10, 12.5f), s.at(2, 16.5f), s.at(10, 16.5f)});
  s.lines({s.at(2, 20.5f), s.at(10, 20.5f)});
  s.run();
  EXPECT_EQ(s.value(3, 12, 1), 1.5f);
  EXPECT_EQ(s.value(3, 16, 1), 9.5f);
  EXPECT_EQ(s.value(3, 20, 1), 1.5f);
  EXPECT_EQ(s.accumulator(), 128u);
}

TEST(LineStipple, TheAccumulatorCanBeWritten) {
  Stuffed s;
  s.config(Config::LINE_RESET__NEVER, 0.5f);
  const uint32_t start = 100;
  s.packets.write(regs::GA_LINE_STIPPLE_VALUE::offset, {&start, 1});
  s.lines({s.at(0, 4.5f), s.at(8, 4.5f)});
  s.run();
  EXPECT_EQ(s.value(0, 4, 1), 0.5f * (100 + 8));
  EXPECT_EQ(s.accumulator(), 228u);
  s.chip.gpu->soft_reset();
  EXPECT_EQ(s.accumulator(), 0u);
}

TEST(LineStipple, OutlinesOfPolygonsAreLines) {
  Stuffed s;
  s.config(Config::LINE_RESET__NEVER, 1.0f / 16);
  s.packets.set(regs::GA_POLY_MODE().POLY_MODE(regs::GA_POLY_MODE::POLY_MODE__DUAL).FRONT_PTYPE(1).BACK_PTYPE(1));
  const TestVertex triangle[] = {s.at(2, 2), s.at(18, 2), s.at(2, 10)};
  s.packets.append(draw(Vf::PRIM_TYPE__TRIANGLE_LIST, triangle));
  s.run();
  EXPECT_EQ(s.accumulator(), (16u + 16 + 8) * 16);
}

TEST(PolygonStipple, IsTheScaledScreenPosition) {
  Stuffed s;
  s.packets.set(regs::GA_TRIANGLE_STIPPLE().X_SHIFT(3).Y_SHIFT(2));
  s.packets.append(full_quad({0, 0, 0, 1}));
  s.run();
  for (const uint32_t y : {0u, 5u, 31u})
    for (const uint32_t x : {0u, 7u, 30u}) {
      EXPECT_EQ(s.value(x, y, 0), (float(x) + 0.5f) / 8);
      EXPECT_EQ(s.value(x, y, 1), (float(y) + 0.5f) / 4);
    }
}

}  // namespace
}  // namespace pumice::hw::test
