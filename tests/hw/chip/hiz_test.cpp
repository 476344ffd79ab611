// SPDX-License-Identifier: MIT
/// Hierarchical Z as draws use it, and colour clears by ZB (ZB_CB_CLEAR), by packets (pipeline s.8.2, s.8.3; hw/radeon/ref/zb/README.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "tests/hw/chip/chip.h"

namespace pumice::hw::test {
namespace {

using Cntl = regs::ZB_CNTL;
using Func = regs::ZB_ZSTENCILCNTL;
using Bw = regs::ZB_BW_CNTL;

constexpr uint32_t kSize = 32, kPixels = kSize * kSize;
constexpr uint32_t kLess = 1, kEqual = 3, kGreater = 5, kAlways = 7;

struct Bench {
  Chip chip;
  Target t = make_target(chip, kSize, kSize);
  Packets p = plain_state(t);

  /// Every block has the value `held`; the depth buffer is full of `stored`.
  Bench(uint32_t held, uint32_t stored, uint32_t func, Bw bw = Bw().HIZ_ENABLE(1)) {
    fill(stored);
    p.set(regs::SC_HYPERZ_EN().HZ_EN(1));
    p.set(regs::ZB_HIZ_PITCH().HIZ_PITCH(kSize / 16));
    p.set(bw);
    const uint32_t payload[] = {0, kSize / 8 * (kSize / 8), held * 0x01010101u};
    p.command(pm4::Op::N3D_CLEAR_HIZ, payload);
    p.set(Cntl().Z_ENABLE(1).ZWRITEENABLE(1));
    p.set(Func().ZFUNC(func));
  }
  void fill(uint32_t stored) {
    std::fill_n(chip.memory(t.depth), kPixels, stored << 8);
    std::fill_n(chip.memory(t.color), kPixels, 0u);
  }
  void box(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1) {
    p.set(regs::SC_SCISSOR0().XS0(x0).YS0(y0));
    p.set(regs::SC_SCISSOR1().XS1(x1).YS1(y1));
  }
  uint32_t draw(float z) {
    p.append(full_quad({1, 1, 1, 1}, z));
    EXPECT_TRUE(chip.run(p));
    for (const Report& r : chip.reports()) ADD_FAILURE() << r.text;
    p.words.clear();
    return static_cast<uint32_t>(std::count(chip.memory(t.color), chip.memory(t.color) + kPixels, 0xFFFFFFFFu));
  }
  /// The value of the block of pixel (x, y).
  uint32_t block(uint32_t x, uint32_t y, uint32_t offset = 0) {
    chip.gpu->mmio_write(regs::ZB_HIZ_RDINDEX::offset, (offset + y / 8 * (kSize / 8) + x / 8) << 2);
    return chip.gpu->mmio_read(regs::ZB_HIZ_DWORD::offset) >> 8 * (y / 4 % 2 * 2 + x / 4 % 2) & 0xFF;
  }
};

TEST(Hiz, DropsWhatCannotPass) {
  // The depth buffer would let everything pass; the RAM says that nothing behind 0x40 can.
  Bench b(0x40, 0xFFFFFF, kLess);
  EXPECT_EQ(b.draw(0.5f), 0u);
  EXPECT_EQ(b.draw(0.2f), kPixels);
  Bench off(0x40, 0xFFFFFF, kLess, Bw{});
  EXPECT_EQ(off.draw(0.5f), kPixels);
  Bench no_estimate(0x40, 0xFFFFFF, kLess);
  no_estimate.p.set(regs::SC_HYPERZ_EN());
  EXPECT_EQ(no_estimate.draw(0.5f), kPixels);
  Bench other_function(0x40, 0, kGreater);  // maxima say nothing about it
  EXPECT_EQ(other_function.draw(0.5f), kPixels);
  Bench minima(0x40, 0, kGreater, Bw().HIZ_ENABLE(1).HIZ_MIN(1));
  EXPECT_EQ(minima.draw(0.2f), 0u);
  EXPECT_EQ(minima.draw(0.5f), kPixels);
}

TEST(Hiz, DroppedPixelsAreNeitherCountedNorSeenByStencil) {
  Bench b(0x40, 0xFFFF00, kLess);
  b.p.set(Cntl().Z_ENABLE(1).ZWRITEENABLE(1).STENCIL_ENABLE(1));
  b.p.set(Func().ZFUNC(kLess).STENCILFUNC(7).STENCILZPASS(5).STENCILZFAIL(5));
  b.p.set(regs::ZB_STENCILREFMASK().STENCILMASK(255).STENCILWRITEMASK(255));
  b.p.set(regs::ZB_ZPASS_DATA{0});
  EXPECT_EQ(b.draw(0.5f), 0u);
  EXPECT_EQ(b.chip.memory(b.t.depth)[3], 0xFFFF0000u);
  EXPECT_EQ(b.chip.gpu->mmio_read(regs::ZB_ZPASS_DATA::offset), 0u);
}

TEST(Hiz, FollowsTheDepthBuffer) {
  Bench b(0xFF, 0xFFFFFF, kLess);
  b.box(0, 0, 5, 11);  // one and a half blocks wide, three high
  b.draw(0.25f);
  for (uint32_t y = 0; y < 16; y += 4) {
    EXPECT_EQ(b.block(0, y), y < 12 ? 0x40u : 0xFFu) << y;  // round(0.25 * (2^24 - 1)) is 0x400000
    EXPECT_EQ(b.block(4, y), 0xFFu) << "half of the block is far";
  }
  // What lies behind is dropped now: fill the buffer behind the chip's back.
  b.fill(0xFFFFFF);
  b.box(0, 0, kSize - 1, kSize - 1);
  EXPECT_EQ(b.draw(0.75f), kPixels - 4 * 12);

  Bench minima(0, 0, kGreater, Bw().HIZ_ENABLE(1).HIZ_MIN(1));
  minima.box(8, 8, 11, 11);
  minima.draw(0.75f);
  EXPECT_EQ(minima.block(8, 8), 0xBFu);
  EXPECT_EQ(minima.block(12, 8), 0u);
}

TEST(Hiz, OffsetAndPitch) {
  Bench b(0xFF, 0xFFFFFF, kLess);
  for (const auto& [first, count, value] : {std::tuple{100u, 20u, 0x20202020u}, std::tuple{120u, 40u, 0xFFFFFFFFu}}) {
    const uint32_t payload[] = {first, count, value};
    b.p.command(pm4::Op::N3D_CLEAR_HIZ, payload);
  }
  b.p.set(regs::ZB_HIZ_PITCH().HIZ_PITCH(2 * kSize / 16));  // eight dwords: 100, 108, 116, 124
  b.p.set(regs::ZB_HIZ_OFFSET().HIZ_OFFSET(100));
  EXPECT_EQ(b.draw(0.5f), 8 * kSize) << "the last row of dwords is behind 120";
  EXPECT_EQ(b.block(0, 24, 124 - 12), 0x80u);
}

/// EQUAL is dropped where both chips say so; the values may be small floats.
TEST(Hiz, EqualAndFloats) {
  Bench equal(0x40, 0x800000, kEqual, Bw().HIZ_ENABLE(1).HIZ_EQUAL_REJECT_ENABLE(1));
  EXPECT_EQ(equal.draw(0.5f), 0u);
  Bench kept(0x40, 0x800000, kEqual);
  EXPECT_EQ(kept.draw(0.5f), kPixels);
  // 0.999 with 3 bits of exponent counting leading ones: 0xFFBE76 has nine, so the exponent is 7, then the mantissa 1 1000 ..
  for (const uint32_t bits : {0u, 1u, 3u, 5u})
    for (const bool zeros : {false, true}) {
      Bench b(0xFF, 0xFFFFFF, kLess, Bw().HIZ_ENABLE(1).HIZ_FP_EXP_BITS(bits).HIZ_FP_INVERT(zeros));
      b.draw(0.999f);
      const uint32_t z = b.chip.memory(b.t.depth)[0] >> 8, most = (1u << bits) - 1;
      uint32_t run = 0;
      while (run < most && (z >> (23 - run) & 1) == (zeros ? 0u : 1u)) ++run;
      const uint32_t used = bits == 0 ? 0 : run < most ? run + 1 : run;
      const uint32_t mantissa = (z << used & 0xFFFFFF) >> (16 + bits);
      EXPECT_EQ(b.block(0, 0), ((zeros ? most - run : run) << (8 - bits) | mantissa)) << bits << zeros;
    }
}

TEST(CbClear, WritesWholeMicrotilesWithTheClearValue) {
  constexpr uint32_t kColour = 0x12345678, kOld = 0xDEADBEEF;
  for (const bool micro : {false, true}) {
    Bench b(0, 0, kAlways, Bw().ZB_CB_CLEAR(1));
    std::fill_n(b.chip.memory(b.t.depth), kPixels, kOld);
    b.p.set(Cntl());  // no tests
    b.p.set(regs::ZB_DEPTHPITCH().DEPTHPITCH(kSize / 4).DEPTHMICROTILE(micro));
    b.p.set(regs::ZB_DEPTHCLEARVALUE().DEPTHCLEARVALUE(kColour));
    b.box(5, 4, 9, 4);
    EXPECT_EQ(b.draw(0.5f), 5u) << "RB3D draws its half as ever";
    const uint32_t* const words = b.chip.memory(b.t.depth);
    if (micro)
      for (uint32_t i = 0; i < kPixels; ++i) EXPECT_EQ(words[i], i / 64 == 2 && i % 64 / 8 >= 1 && i % 64 / 8 <= 2 ? kColour : kOld) << i;
    else
      for (uint32_t i = 0; i < kPixels; ++i) EXPECT_EQ(words[i], i / kSize == 4 && i % kSize >= 5 && i % kSize <= 9 ? kColour : kOld) << i;
  }
}

}  // namespace
}  // namespace pumice::hw::test
