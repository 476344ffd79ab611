// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "hw/radeon/decode/zb/depth_format.h"
#include "tests/hw/pixel/chip.h"

namespace pumice::hw::test {
namespace {

constexpr std::array<float, 4> all(float z) { return {z, z, z, z}; }

struct DepthChip : Chip {
  explicit DepthChip(zb::DepthFormat format) {
    set(regs::ZB_FORMAT{0}.DEPTHFORMAT(uint32_t(format)));
    set(regs::ZB_DEPTHOFFSET{0}.DEPTHOFFSET(kDepth >> 5));
    set(regs::ZB_DEPTHPITCH{0}.DEPTHPITCH(64 >> 2));
  }
  uint8_t run(float z, bool back = false, uint8_t mask = 0xF) {
    Quad q;
    q.back_facing = back;
    return zb::test_and_write(ctx, q, mask, all(z));
  }
  void fill(uint32_t word) {
    for (uint32_t i = 0; i < 0x4000; i += 4) memory->store<uint32_t>(kDepth + i, word);
  }
  uint32_t word() { return memory->load<uint32_t>(kDepth); }
};

/// The functions spelled out: does it pass when incoming is less than, equal to, greater than stored?
constexpr bool kPass[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 1, 1}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}};

TEST(Depth, EveryFunctionInEveryFormat) {
  const float incoming[3] = {0.25f, 0.5f, 0.75f};
  for (auto format : {zb::DepthFormat::z16, zb::DepthFormat::z13e3, zb::DepthFormat::z24s8}) {
    DepthChip chip(format);
    const bool wide = format == zb::DepthFormat::z24s8;
    for (uint32_t func = 0; func < 8; ++func)
      for (uint32_t write = 0; write < 2; ++write)
        for (uint32_t order = 0; order < 3; ++order) {
          const uint32_t half = zb::quantise(0.5f, format, false);
          const uint32_t before = wide ? half << 8 | 0x5A : half << 16 | half;
          chip.fill(before);
          chip.set(regs::ZB_CNTL{0}.Z_ENABLE(1).ZWRITEENABLE(write));
          chip.set(regs::ZB_ZSTENCILCNTL{0}.ZFUNC(func));
          chip.counters.zpass = 0;
          const bool pass = kPass[func][order];
          EXPECT_EQ(chip.run(incoming[order]), pass ? 0xF : 0) << func << ' ' << order;
          EXPECT_EQ(chip.counters.zpass, pass ? 4u : 0u);
          const uint32_t z = zb::quantise(incoming[order], format, false);
          const uint32_t after = !pass || !write ? before : wide ? z << 8 | 0x5A : z << 16 | z;
          EXPECT_EQ(chip.word(), after);
        }
  }
}

TEST(Depth, QuantisesToNearest) {
  for (uint32_t code = 0; code <= 65535; ++code) {
    const float z = float(code) / 65535.0f;
    ASSERT_EQ(zb::quantise(z, zb::DepthFormat::z16, false), code);
    ASSERT_EQ(zb::quantise(z + 0.4f / 65535, zb::DepthFormat::z16, false), code);
  }
  EXPECT_EQ(zb::quantise(1.0f, zb::DepthFormat::z24s8, false), 0xFFFFFFu);
  EXPECT_EQ(zb::quantise(0.5f, zb::DepthFormat::z24s8, false), 0x800000u);  // 8388607.5, up
  EXPECT_EQ(zb::quantise(0.5f, zb::DepthFormat::z16, false), 0x8000u);
  for (float bad : {-1.0f, -INFINITY, NAN, -0.0f}) EXPECT_EQ(zb::quantise(bad, zb::DepthFormat::z24s8, false), 0u);
  for (float big : {1.5f, INFINITY}) EXPECT_EQ(zb::quantise(big, zb::DepthFormat::z24s8, false), 0xFFFFFFu);
}

TEST(Depth, Float13e3OrdersLikeDepth) {
  for (bool zeros : {false, true}) {
    uint32_t last = 0;
    for (uint32_t z = 0; z < 0x1000000; z += 97) {
      const uint32_t code = zb::encode_13e3(z, zeros);
      ASSERT_GE(code, last);
      last = code;
    }
    EXPECT_EQ(zb::encode_13e3(0, zeros), 0);
    EXPECT_EQ(zb::encode_13e3(0xFFFFFF, zeros), 0xFFFF);
  }
  EXPECT_EQ(zb::encode_13e3(0x800000, false), 1u << 13);                              // one leading 1
  EXPECT_EQ(zb::encode_13e3(0xFE0000, false), 7u << 13);                              // seven: the finest step begins
  EXPECT_EQ(zb::encode_13e3(0xFE0010, false) - zb::encode_13e3(0xFE0000, false), 1);  // 17 bits left, 13 kept
  EXPECT_EQ(zb::encode_13e3(0x800000, true), 7u << 13);
  EXPECT_EQ(zb::encode_13e3(0x400000, true), 6u << 13);
}

TEST(Depth, SignedCompare) {
  DepthChip chip(zb::DepthFormat::z16);
  chip.set(regs::ZB_ZSTENCILCNTL{0}.ZFUNC(regs::ZB_ZSTENCILCNTL::ZFUNC__LESS));
  const struct {
    uint32_t magnitude;
    uint16_t stored;
    float z;
    bool pass;
  } table[] = {
      {0, 0x0001, 40000 / 65535.0f, true},  // two's complement: 40000 is negative
      {0, 0x9000, 0x9001 / 65535.0f, false}, {0, 0x9001, 0x9000 / 65535.0f, true},
      {1, 0x9001, 0x9000 / 65535.0f, false},  // sign and magnitude: -0x1000 is above -0x1001
      {1, 0x9000, 0x9001 / 65535.0f, true},  {1, 0x9000, 0x0001 / 65535.0f, false},
  };
  for (const auto& t : table) {
    chip.fill(t.stored * 0x10001u);
    chip.set(regs::ZB_CNTL{0}.Z_ENABLE(1).ZSIGNED_COMPARE(1).ZSIGNED_MAGNITUDE(t.magnitude));
    EXPECT_EQ(chip.run(t.z), t.pass ? 0xF : 0) << t.stored << ' ' << t.z;
  }
}

uint32_t expected_stencil(uint32_t op, uint32_t s, uint32_t ref) {
  const uint32_t table[8] = {s, 0, ref, std::min(s + 1, 255u), s ? s - 1 : 0, 255 - s, (s + 1) % 256, (s + 255) % 256};
  return table[op];
}

TEST(Stencil, EveryFunctionWithMask) {
  DepthChip chip(zb::DepthFormat::z24s8);
  chip.set(regs::ZB_CNTL{0}.STENCIL_ENABLE(1).STENCIL_FRONT_BACK(1).STENCIL_REFMASK_FRONT_BACK(1));
  for (uint32_t func = 0; func < 8; ++func)
    for (bool back : {false, true})
      for (uint32_t order = 0; order < 3; ++order) {
        const uint32_t reference = 0x10 * (order + 1) | 0x0F, stored = 0x2A;  // low nibbles are masked away
        // The other face's settings would decide the opposite.
        const bool pass = kPass[func][order];
        const uint32_t other = pass ? 0 : 7;
        chip.fill(0x12345600 | stored);
        chip.set(regs::ZB_ZSTENCILCNTL{0}.STENCILFUNC(back ? other : func).STENCILFUNC_BF(back ? func : other));
        chip.state.reg[regs::ZB_STENCILREFMASK::offset / 4] = 0xFFF000 | (back ? 0 : reference);
        chip.state.reg[regs::ZB_STENCILREFMASK_BF::offset / 4] = 0xFFF000 | (back ? reference : 0);
        EXPECT_EQ(chip.run(0.5f, back), pass ? 0xF : 0) << func << ' ' << order << ' ' << back;
        EXPECT_EQ(chip.word(), 0x12345600 | stored);
      }
}

TEST(Stencil, EveryOperationOnEveryOutcomeAndFace) {
  DepthChip chip(zb::DepthFormat::z24s8);
  chip.set(regs::ZB_CNTL{0}.STENCIL_ENABLE(1).Z_ENABLE(1).ZWRITEENABLE(1).STENCIL_FRONT_BACK(1).STENCIL_REFMASK_FRONT_BACK(1));
  enum { fail, zfail, zpass };
  for (int outcome : {fail, zfail, zpass})
    for (bool back : {false, true})
      for (uint32_t op = 0; op < 8; ++op)
        for (uint32_t stored : {0u, 1u, 0x7Fu, 0xA5u, 0xFEu, 0xFFu})
          for (uint32_t write_mask : {0xFFu, 0x0Fu, 0u}) {
            auto cntl = regs::ZB_ZSTENCILCNTL{0}.ZFUNC(regs::ZB_ZSTENCILCNTL::ZFUNC__LESS);
            const uint32_t func = outcome == fail ? 0 : 7, unused = (op + 1) % 8;
            const uint32_t ops[3] = {outcome == fail ? op : unused, outcome == zfail ? op : unused, outcome == zpass ? op : unused};
            if (back) {
              cntl.STENCILFUNC_BF(func).STENCILFAIL_BF(ops[0]).STENCILZFAIL_BF(ops[1]).STENCILZPASS_BF(ops[2]);
            } else {
              cntl.STENCILFUNC(func).STENCILFAIL(ops[0]).STENCILZFAIL(ops[1]).STENCILZPASS(ops[2]);
            }
            chip.set(cntl);
            const uint32_t reference = 0xC3;
            chip.set(regs::ZB_STENCILREFMASK{0}.STENCILREF(back ? 0 : reference).STENCILWRITEMASK(back ? 0x55 : write_mask));
            chip.set(regs::ZB_STENCILREFMASK_BF{0}.STENCILREF(back ? reference : 0).STENCILWRITEMASK(back ? write_mask : 0x55));
            chip.fill(0x800000u << 8 | stored);
            const float z = outcome == zfail ? 0.9f : 0.1f;
            EXPECT_EQ(chip.run(z, back), outcome == zpass ? 0xF : 0);
            const uint32_t s = (stored & ~write_mask) | (expected_stencil(op, stored, reference) & write_mask);
            const uint32_t depth = outcome == zpass ? 1677722u : 0x800000u;  // 0.1f * 16777215 to nearest
            EXPECT_EQ(chip.word(), depth << 8 | s) << "outcome " << outcome << " op " << op << " stored " << stored;
          }
}

TEST(Stencil, FrontSettingsServeBothFacesUnlessTwoSided) {
  DepthChip chip(zb::DepthFormat::z24s8);
  chip.set(regs::ZB_ZSTENCILCNTL{0}.STENCILFUNC(7).STENCILZPASS(2).STENCILFUNC_BF(0).STENCILFAIL_BF(5));
  chip.set(regs::ZB_STENCILREFMASK{0}.STENCILREF(0x11).STENCILWRITEMASK(0xFF));
  chip.set(regs::ZB_STENCILREFMASK_BF{0}.STENCILREF(0x22).STENCILWRITEMASK(0xFF));
  const struct {
    uint32_t functions, references;
    Profile profile;
    uint8_t pass;
    uint32_t stencil;
  } table[] = {
      {0, 0, Profile::r500, 0xF, 0x11},
      {0, 1, Profile::r500, 0xF, 0x22},
      {1, 1, Profile::r500, 0x0, 0xFF},
      {0, 1, Profile::r300, 0xF, 0x11},  // one reference only
  };
  for (const auto& t : table) {
    chip.fill(0);
    chip.state.profile = t.profile;
    chip.set(regs::ZB_CNTL{0}.STENCIL_ENABLE(1).STENCIL_FRONT_BACK(t.functions).STENCIL_REFMASK_FRONT_BACK(t.references));
    EXPECT_EQ(chip.run(0, true), t.pass);
    EXPECT_EQ(chip.word(), t.stencil);
  }
}

TEST(Stencil, SixteenBitFormatsHaveNone) {
  DepthChip chip(zb::DepthFormat::z16);
  chip.fill(0x12341234);
  chip.set(regs::ZB_CNTL{0}.STENCIL_ENABLE(1));  // STENCILFUNC is NEVER
  EXPECT_EQ(chip.run(0.5f), 0xF);
  EXPECT_EQ(chip.word(), 0x12341234u);
}

TEST(Depth, PartialMaskTilingOffsetAndEndian) {
  DepthChip chip(zb::DepthFormat::z24s8);
  chip.set(regs::ZB_CNTL{0}.Z_ENABLE(1).ZWRITEENABLE(1));
  chip.set(regs::ZB_ZSTENCILCNTL{0}.ZFUNC(7));
  chip.set(regs::ZB_DEPTHPITCH{0}.DEPTHPITCH(64 >> 2).DEPTHMACROTILE(1).DEPTHMICROTILE(1).DEPTHENDIAN(2));
  chip.set(regs::ZB_DEPTHXY_OFFSET{0}.DEPTHX_OFFSET(32 >> 1).DEPTHY_OFFSET(0));
  Quad q;
  q.x = 4, q.y = 2;
  EXPECT_EQ(zb::test_and_write(chip.ctx, q, 0b1010, {0, 1, 0, 0.5f}), 0b1010);
  EXPECT_EQ(chip.counters.zpass, 2u);
  // Pixels (37,2) and (37,3): macrotile 1 (bit 10 flipped), unit row 1, second microtile.
  const uint32_t at = Chip::kDepth + (2048 | 1024 | 64 | 32);
  EXPECT_EQ(chip.memory->load<uint32_t>(at), 0u);
  EXPECT_EQ(chip.memory->load<uint32_t>(at + 4), 0x00FFFFFFu);  // FFFFFF00 swapped
  EXPECT_EQ(chip.memory->load<uint32_t>(at + 16), 0u);
  EXPECT_EQ(chip.memory->load<uint32_t>(at + 20), 0x00000080u);  // 80000000 swapped
}

TEST(Depth, NothingEnabledTouchesNoMemoryAndCounts) {
  Chip chip;  // offset 0 is never backed
  Quad q;
  EXPECT_EQ(zb::test_and_write(chip.ctx, q, 0b0111, all(0.5f)), 0b0111);
  EXPECT_EQ(chip.counters.zpass, 3u);
  EXPECT_EQ(chip.memory->take_fault().count, 0u);
}

TEST(Depth, FaultingPixelsAreDropped) {
  DepthChip chip(zb::DepthFormat::z24s8);
  chip.set(regs::ZB_CNTL{0}.Z_ENABLE(1).ZWRITEENABLE(1));
  chip.set(regs::ZB_ZSTENCILCNTL{0}.ZFUNC(7));
  Quad q;
  q.y = int32_t(Chip::kTargetStride / (64 * 4)) - 1;  // the lower row lies behind the mapping
  EXPECT_EQ(zb::test_and_write(chip.ctx, q, 0xF, all(1)), 0b0011);
  EXPECT_EQ(chip.counters.zpass, 2u);
  q.y = -2;
  EXPECT_EQ(zb::test_and_write(chip.ctx, q, 0xF, all(1)), 0);
}

TEST(Depth, ZeroOutputMaskStillUpdates) {
  DepthChip chip(zb::DepthFormat::z24s8);
  chip.set(regs::ZB_CNTL{0}.Z_ENABLE(1).ZWRITEENABLE(1));
  chip.set(regs::ZB_ZSTENCILCNTL{0}.ZFUNC(7).ZERO_OUTPUT_MASK(1));
  EXPECT_EQ(chip.run(1.0f), 0);
  EXPECT_EQ(chip.counters.zpass, 4u);
  EXPECT_EQ(chip.word(), 0xFFFFFF00u);
}

TEST(Depth, WhatIsMissingIsReportedOnce) {
  DepthChip chip(zb::DepthFormat::z24s8);
  chip.set(regs::ZB_CNTL{0}.Z_ENABLE(1));
  chip.set(regs::ZB_FORMAT{0}.DEPTHFORMAT(3));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(chip.run(0.5f), 0);
  EXPECT_EQ(chip.reports.size(), 1u);
}

}  // namespace
}  // namespace pumice::hw::test
