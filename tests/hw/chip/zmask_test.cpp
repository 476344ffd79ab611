// SPDX-License-Identifier: MIT
/// Fast fill by packets (pipeline s.8.1, hw/radeon/ref/zb/README.md): the Z mask RAM, cleared tiles as tests see them, expansion into
/// memory; the index registers and clear packets of all three on-chip RAMs.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "tests/hw/chip/chip.h"

namespace pumice::hw::test {
namespace {

using Cntl = regs::ZB_CNTL;
using Func = regs::ZB_ZSTENCILCNTL;
using Bw = regs::ZB_BW_CNTL;

constexpr uint32_t kSize = 64, kPixels = kSize * kSize, kNoise = 0xDEADBE00;

/// Dword of pixel (x, y) in microtiles of 4x2, or bytes/2 in those of 8x2.
uint32_t at(uint32_t x, uint32_t y, bool wide = true) {
  return wide ? ((y / 2) * (kSize / 4) + x / 4) * 8 + y % 2 * 4 + x % 4 : ((y / 2) * (kSize / 8) + x / 8) * 16 + y % 2 * 8 + x % 8;
}

Packets clear(pm4::Op op, uint32_t start, uint32_t count, uint32_t value) {
  Packets p;
  const uint32_t payload[] = {start, count, value};
  p.command(op, payload);
  return p;
}

/// A depth surface of microtiles full of kNoise, cleared tiles that stand for `value`, no test that fails.
struct Bench {
  Chip chip;
  Target t = make_target(chip, kSize, kSize);
  uint32_t* depth = chip.memory(t.depth);
  uint32_t* color = chip.memory(t.color);
  Packets p = plain_state(t);
  explicit Bench(uint32_t value, uint32_t compress = 1) {
    std::fill_n(depth, kPixels, kNoise);
    p.set(regs::ZB_DEPTHPITCH().DEPTHPITCH(kSize / 4).DEPTHMICROTILE(1));
    p.set(regs::ZB_DEPTHCLEARVALUE().DEPTHCLEARVALUE(value));
    p.set(regs::ZB_ZMASK_PITCH{regs::ZB_HIZ_PITCH().HIZ_PITCH(kSize / 16).raw});
    p.set(Bw().FAST_FILL(1).RD_COMP_ENABLE(1).WR_COMP_ENABLE(compress));
    p.append(clear(pm4::Op::N3D_CLEAR_ZMASK, 0, 16, 0));
    p.set(Cntl().Z_ENABLE(1).ZWRITEENABLE(1));
    p.set(Func().ZFUNC(7));
  }
  void box(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1) {
    p.set(regs::SC_SCISSOR0().XS0(x0).YS0(y0));
    p.set(regs::SC_SCISSOR1().XS1(x1).YS1(y1));
  }
  void run() {
    ASSERT_TRUE(chip.run(p));
    EXPECT_EQ(chip.reports().size(), 0u);
    p.words.clear();
  }
  uint32_t mask_dword(uint32_t i) {
    chip.gpu->mmio_write(regs::ZB_ZMASK_RDINDEX::offset, i << 2);
    return chip.gpu->mmio_read(regs::ZB_ZMASK_DWORD::offset);
  }
};

TEST(OnChipRam, ClearPacketsPortsAndResets) {
  struct {
    pm4::Op op;
    uint32_t size, write_index, dword, read_index;
  } const rams[] = {
      {pm4::Op::N3D_CLEAR_ZMASK, 4096, regs::ZB_ZMASK_WRINDEX::offset, regs::ZB_ZMASK_DWORD::offset, regs::ZB_ZMASK_RDINDEX::offset},
      {pm4::Op::N3D_CLEAR_HIZ, 10240, regs::ZB_HIZ_WRINDEX::offset, regs::ZB_HIZ_DWORD::offset, regs::ZB_HIZ_RDINDEX::offset},
      {pm4::Op::N3D_CLEAR_CMASK, 5120, regs::RB3D_CMASK_WRINDEX::offset, regs::RB3D_CMASK_DWORD::offset, regs::RB3D_CMASK_RDINDEX::offset}};
  Chip chip;
  for (const auto& ram : rams) {
    Packets p = clear(ram.op, 0, 0x3FFF, 0x11111111);
    p.append(clear(ram.op, 5, 2, 0x22222222));
    p.append(clear(ram.op, ram.size - 1, 0x3FFF, 0x33333333));
    p.append(clear(ram.op, 0xFFFFFFFE, 0x3FFF, 0x44444444));
    ASSERT_TRUE(chip.run(p));
    const auto read = [&](uint32_t from, uint32_t count) {
      chip.gpu->mmio_write(ram.read_index, from << 2);
      std::vector<uint32_t> v;
      for (uint32_t i = 0; i < count; ++i) v.push_back(chip.gpu->mmio_read(ram.dword));
      return v;
    };
    EXPECT_EQ(read(4, 4), (std::vector<uint32_t>{0x11111111, 0x22222222, 0x22222222, 0x11111111}));
    EXPECT_EQ(read(ram.size - 2, 4), (std::vector<uint32_t>{0x11111111, 0x33333333, 0, 0}));
    // The ports, by packets and by the host.
    Packets q;
    const uint32_t index = 7 << 2, values[] = {1, 2};
    q.write(ram.write_index, {&index, 1});
    q.write_port(ram.dword, values);
    ASSERT_TRUE(chip.run(q));
    chip.gpu->mmio_write(ram.dword, 3);
    EXPECT_EQ(chip.gpu->mmio_read(ram.write_index), 10u << 2);
    EXPECT_EQ(read(6, 5), (std::vector<uint32_t>{0x22222222, 1, 2, 3, 0x11111111}));
    EXPECT_EQ(chip.gpu->mmio_read(ram.read_index), 11u << 2);
    chip.gpu->mmio_write(ram.write_index, 0x3FFFC);  // far outside
    chip.gpu->mmio_write(ram.dword, 9);
    EXPECT_EQ(read(0xFFFF, 1), std::vector<uint32_t>{0});
    EXPECT_EQ(chip.gpu->mmio_read(ram.read_index), 0u);
    chip.reset();
    EXPECT_EQ(read(4, 4), std::vector<uint32_t>(4));
  }
  EXPECT_EQ(chip.reports().size(), 0u);
}

TEST(Zmask, ClearedPixelsReadAsTheClearValue) {
  // 0.5 is 0x800000: in front of the clear value, behind it; memory says the opposite.
  for (const uint32_t value : {0xFFFFFF00u, 0x10000000u}) {
    Bench b(value);
    std::fill_n(b.depth, kPixels, ~value);
    b.p.set(Cntl().Z_ENABLE(1));
    b.p.set(Func().ZFUNC(1));
    b.p.append(full_quad({1, 1, 1, 1}));
    b.run();
    for (uint32_t i = 0; i < kPixels; ++i) ASSERT_EQ(b.color[i] != 0, value == 0xFFFFFF00u);
    for (uint32_t i = 0; i < kPixels; ++i) ASSERT_EQ(b.depth[i], ~value) << "nothing was written";
    EXPECT_EQ(b.mask_dword(0), 0u);
    // The same without fast fill: memory counts.
    std::fill_n(b.color, kPixels, 0u);
    b.p.set(Bw());
    b.p.append(full_quad({1, 1, 1, 1}));
    b.run();
    for (uint32_t i = 0; i < kPixels; ++i) ASSERT_EQ(b.color[i] != 0, value != 0xFFFFFF00u);
  }
}

TEST(Zmask, AWriteExpandsItsTile) {
  Bench b(0x12345678);
  b.box(21, 6, 21, 6);  // tile (5, 1): dword 1, bits 10 and 11
  b.p.append(full_quad({1, 1, 1, 1}));
  b.run();
  EXPECT_EQ(b.mask_dword(1), 3u << 10);
  for (uint32_t i : {0u, 2u, 4u, 5u, 15u}) EXPECT_EQ(b.mask_dword(i), 0u);
  for (uint32_t y = 0; y < kSize; ++y)
    for (uint32_t x = 0; x < kSize; ++x)
      ASSERT_EQ(b.depth[at(x, y)], x / 4 != 5 || y / 4 != 1 ? kNoise : x == 21 && y == 6 ? 0x80000078u : 0x12345678u) << x << ' ' << y;
  // The rest of the same tile is memory's now; its stencil stays.
  b.box(16, 0, 23, 7);
  b.p.set(regs::ZB_DEPTHCLEARVALUE().DEPTHCLEARVALUE(0x55555555));
  b.p.append(full_quad({1, 1, 1, 1}));
  b.run();
  for (uint32_t y = 0; y < 8; ++y)
    for (uint32_t x = 16; x < 24; ++x) ASSERT_EQ(b.depth[at(x, y)], x / 4 == 5 && y / 4 == 1 ? 0x80000078u : 0x80000055u);
  EXPECT_EQ(b.mask_dword(1), 0xF0Fu);
}

TEST(Zmask, AWriteOfTheClearValueExpandsNothing) {
  for (const uint32_t compress : {1u, 0u}) {
    Bench b(0x80000000, compress);
    b.box(4, 4, 9, 9);
    b.p.append(full_quad({1, 1, 1, 1}));
    b.run();
    for (uint32_t y = 0; y < kSize; ++y)
      for (uint32_t x = 0; x < kSize; ++x) {
        const bool reached = x >= 4 && x < 12 && y >= 4 && y < 12;
        ASSERT_EQ(b.depth[at(x, y)], reached && !compress ? 0x80000000u : kNoise) << x << ' ' << y;
      }
    EXPECT_EQ(b.mask_dword(0), compress ? 0u : 0x003C3C00u);
  }
}

TEST(Zmask, TheDocumentedDecompression) {
  Bench b(0x00112233);
  b.box(30, 0, 50, 20);
  b.p.append(full_quad({1, 1, 1, 1}));
  b.box(0, 0, kSize - 1, kSize - 1);
  b.p.set(Bw().FAST_FILL(1).RD_COMP_ENABLE(1));
  b.p.set(Func().ZFUNC(0));
  b.p.append(full_quad({0, 1, 0, 1}));
  b.run();
  for (uint32_t y = 0; y < kSize; ++y)
    for (uint32_t x = 0; x < kSize; ++x) {
      const bool drawn = x >= 30 && x <= 50 && y <= 20;
      ASSERT_EQ(b.depth[at(x, y)], drawn ? 0x80000033u : 0x00112233u) << x << ' ' << y;
      ASSERT_EQ(b.color[y * kSize + x], drawn ? 0xFFFFFFFFu : 0u);
    }
  for (uint32_t i = 0; i < 16; ++i) EXPECT_EQ(b.mask_dword(i), ~0u);
}

TEST(Zmask, StencilIsClearedWithDepth) {
  Bench b(0xFFFFFF07);
  b.p.set(Cntl().STENCIL_ENABLE(1));
  b.p.set(regs::ZB_STENCILREFMASK().STENCILREF(7).STENCILMASK(0xFF).STENCILWRITEMASK(0x0F));
  b.p.set(Func().STENCILFUNC(3).STENCILZPASS(5).ZFUNC(7));  // equal; invert
  b.box(0, 0, 1, 1);
  b.p.append(full_quad({1, 1, 1, 1}));
  b.run();
  EXPECT_EQ(b.depth[at(0, 0)], 0xFFFFFF08u);
  EXPECT_EQ(b.depth[at(1, 1)], 0xFFFFFF08u);
  EXPECT_EQ(b.depth[at(2, 0)], 0xFFFFFF07u);
  EXPECT_EQ(b.depth[at(4, 0)], kNoise);
  EXPECT_EQ(b.mask_dword(0), 3u);
}

TEST(Zmask, SixteenBitsAndLargeTiles) {
  {
    Bench b(0xABCD1234);  // the low half
    b.p.set(regs::ZB_FORMAT().DEPTHFORMAT(0));
    b.box(5, 5, 5, 5);
    b.p.append(full_quad({1, 1, 1, 1}));
    b.run();
    const auto* half = reinterpret_cast<const uint16_t*>(b.depth);
    EXPECT_EQ(half[at(5, 5, false)], 0x8000);
    EXPECT_EQ(half[at(4, 4, false)], 0x1234);
    EXPECT_EQ(half[at(7, 7, false)], 0x1234);
    EXPECT_EQ(half[at(8, 5, false)], kNoise >> (at(8, 5, false) % 2 * 16) & 0xFFFF);
    EXPECT_EQ(b.mask_dword(0), 3u << 10);
  }
  {
    Bench b(0xFFFFFF00);
    b.p.set(regs::GB_Z_PEQ_CONFIG().Z_PEQ_SIZE(1));
    b.p.set(regs::ZB_DEPTHPITCH().DEPTHPITCH(kSize / 4).DEPTHMICROTILE(1).DEPTHMACROTILE(1));
    b.p.set(regs::ZB_ZMASK_OFFSET().ZMASK_OFFSET(1));
    b.p.append(clear(pm4::Op::N3D_CLEAR_ZMASK, 16, 4, 0));
    b.box(40, 9, 40, 9);  // tile (5, 1): dword 16 + 1
    b.p.append(full_quad({1, 1, 1, 1}));
    b.run();
    EXPECT_EQ(std::count(b.depth, b.depth + kPixels, 0xFFFFFF00u), 63);
    EXPECT_EQ(std::count(b.depth, b.depth + kPixels, 0x80000000u), 1);
    EXPECT_EQ(b.mask_dword(17), 3u << 10);
    EXPECT_EQ(b.mask_dword(16), 0u);
  }
}

TEST(Zmask, NotForLinearSurfacesNorBeyondTheRam) {
  for (const bool beyond : {false, true}) {
    Bench b(0x12345678);
    if (beyond)
      b.p.set(regs::ZB_ZMASK_OFFSET().ZMASK_OFFSET(256));
    else
      b.p.set(regs::ZB_DEPTHPITCH().DEPTHPITCH(kSize / 4));
    b.box(0, 0, 0, 0);
    b.p.append(full_quad({1, 1, 1, 1}));
    b.run();
    EXPECT_EQ(b.depth[0], 0x80000000u);
    EXPECT_EQ(b.depth[1], kNoise);
    EXPECT_EQ(b.mask_dword(0), 0u);
  }
}

/// A clear does not wait for draws that are queued, but must look as if it did.
TEST(Zmask, ClearsBetweenQueuedDraws) {
  Bench b(0xFFFFFF00);
  constexpr uint32_t kRounds = 40;
  b.p.set(Func().ZFUNC(1));
  b.p.set(regs::ZB_ZPASS_DATA());
  for (uint32_t i = 0; i < kRounds; ++i) {
    // Clears of everything, of a part, of nothing that is in use.
    b.p.append(i % 3 == 1 ? clear(pm4::Op::N3D_CLEAR_ZMASK, 4, 4, 0) : clear(pm4::Op::N3D_CLEAR_ZMASK, i % 3 ? 16 : 0, 16, 0));
    b.p.append(full_quad({1, 1, 1, 1}, 0.5f));
    b.p.append(full_quad({1, 1, 1, 1}, 0.75f));
  }
  const uint32_t result = b.chip.allocate(1);
  b.p.write(regs::ZB_ZPASS_ADDR::offset, {&result, 1});
  b.run();
  uint32_t want = 0;
  for (uint32_t i = 0; i < kRounds; ++i) want += i % 3 == 0 ? kPixels : i % 3 == 1 ? kPixels / 4 : 0;
  EXPECT_EQ(*b.chip.memory(result), want);
}

TEST(Zmask, WriteCompressionNeedsReadCompression) {
  Bench b(0);
  b.p.set(Bw().FAST_FILL(1).WR_COMP_ENABLE(1));
  b.p.append(full_quad({1, 1, 1, 1}));
  ASSERT_TRUE(b.chip.run(b.p));
  const auto reports = b.chip.reports();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_NE(reports[0].text.find("RD_COMP_ENABLE"), std::string::npos);
}

}  // namespace
}  // namespace pumice::hw::test
