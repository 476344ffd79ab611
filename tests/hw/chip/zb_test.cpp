// SPDX-License-Identifier: MIT
/// Depth and stencil by packets: every function and operation on surfaces full of stored values, formats, both faces, the Z-pass counter,
/// alpha test. Expected values straight from pipeline s.7 and s.8.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/hw/chip/chip.h"
#include "tests/hw/chip/edge_values.h"

namespace pumice::hw::test {
namespace {

using Cntl = regs::ZB_CNTL;
using Func = regs::ZB_ZSTENCILCNTL;

constexpr uint32_t kSize = 16, kPixels = kSize * kSize;

bool compare(uint32_t code, int64_t incoming, int64_t stored) {
  switch (code) {
    case 0: return false;
    case 1: return incoming < stored;
    case 2: return incoming <= stored;
    case 3: return incoming == stored;
    case 4: return incoming >= stored;
    case 5: return incoming > stored;
    case 6: return incoming != stored;
    default: return true;
  }
}
uint32_t stencil(uint32_t op, uint32_t s, uint32_t reference) {
  switch (op) {
    case 1: return 0;
    case 2: return reference;
    case 3: return s < 255 ? s + 1 : s;
    case 4: return s > 0 ? s - 1 : s;
    case 5: return ~s & 255;
    case 6: return (s + 1) & 255;
    case 7: return (s - 1) & 255;
    default: return s;
  }
}

/// A quad at depth z with the front (or back) face to the viewer.
Packets quad(float z, bool back = false) {
  if (!back) {
    const TestVertex v[] = {
        {{-1, 1, z, 1}, {1, 1, 1, 1}}, {{1, 1, z, 1}, {1, 1, 1, 1}}, {{1, -1, z, 1}, {1, 1, 1, 1}}, {{-1, -1, z, 1}, {1, 1, 1, 1}}};
    return draw(regs::VAP_VF_CNTL::PRIM_TYPE__QUAD_LIST, v);
  }
  return full_quad({1, 1, 1, 1}, z);
}

struct Bench {
  Chip chip;
  Target t = make_target(chip, kSize, kSize);
  Packets state = plain_state(t);
  void fill_color() { std::fill_n(chip.memory(t.color), kPixels, 0u); }
  uint32_t* depth() { return chip.memory(t.depth); }
  bool drawn(uint32_t i) { return chip.memory(t.color)[i] != 0; }
};

TEST(Zb, EveryDepthFunctionAndWriteEnable) {
  Bench b;
  for (uint32_t func = 0; func < 8; ++func)
    for (uint32_t enables = 0; enables < 4; ++enables) {
      b.fill_color();
      // Stored depths around the incoming 0x800000: one less, equal, one more, far.
      const uint32_t stored[8] = {0x7FFFFF, 0x800000, 0x800001, 0, 0xFFFFFF, 0x800000, 0x123456, 0xABCDEF};
      for (uint32_t i = 0; i < kPixels; ++i) b.depth()[i] = stored[i % 8] << 8 | (i & 255);
      Packets p = b.state;
      p.set(Cntl().Z_ENABLE(enables & 1).ZWRITEENABLE(enables >> 1));
      p.set(Func().ZFUNC(func));
      p.append(quad(float(0x800000 / 16777215.0)));
      ASSERT_TRUE(b.chip.run(p));
      for (uint32_t i = 0; i < kPixels; ++i) {
        const bool pass = !(enables & 1) || compare(func, 0x800000, stored[i % 8]);
        ASSERT_EQ(b.drawn(i), pass) << func << " " << i;
        ASSERT_EQ(b.depth()[i], (pass && enables == 3 ? 0x800000 : stored[i % 8]) << 8 | (i & 255)) << func << " " << enables;
      }
    }
}

/// 13E3: the exponent counts leading ones of the 24-bit value up to 7, the bit that ends the run is implied, 13 bits follow.
uint32_t encode_13e3(uint32_t z) {
  uint32_t exponent = 0;
  while (exponent < 7 && z & (0x800000u >> exponent)) ++exponent;
  const uint32_t used = exponent < 7 ? exponent + 1 : 7;
  return exponent << 13 | ((z << used & 0xFFFFFF) >> 11);
}

TEST(Zb, DepthFormats) {
  Bench b;
  for (uint32_t format = 0; format < 3; ++format)
    for (const double z : {0.0, 1.0, 0.5, 0.25, 0.9, 0.99, 0.999, 1 / 3.0, 1e-6}) {
      std::fill_n(b.depth(), kPixels, 0x5A5A5A5Au);
      Packets p = b.state;
      p.set(regs::ZB_FORMAT().DEPTHFORMAT(format));
      p.set(Cntl().Z_ENABLE(1).ZWRITEENABLE(1));
      p.set(Func().ZFUNC(Func::ZFUNC__ALWAYS));
      p.append(quad(static_cast<float>(z)));
      ASSERT_TRUE(b.chip.run(p));
      const double stored = double(static_cast<float>(z));
      const uint32_t z24 = static_cast<uint32_t>(std::floor(stored * 16777215 + 0.5)),
                     z16 = static_cast<uint32_t>(std::floor(stored * 65535 + 0.5));
      for (uint32_t i = 0; i < kPixels; ++i) {
        if (format == 2)
          ASSERT_EQ(b.depth()[i], z24 << 8 | 0x5A) << z;
        else
          ASSERT_EQ(b.depth()[i / 2] >> 16 * (i & 1) & 0xFFFF, format == 0 ? z16 : encode_13e3(z24)) << z << " " << format;
      }
    }
}

TEST(Zb, EveryStencilFunctionReferenceAndMask) {
  Bench b;
  for (uint32_t func = 0; func < 8; ++func)
    for (const uint32_t mask : {0xFFu, 0x0Fu, 0u})
      for (const uint32_t reference : {0u, 0x80u, 0xFFu, 0x35u}) {
        b.fill_color();
        for (uint32_t i = 0; i < kPixels; ++i) b.depth()[i] = 0x123456u << 8 | i;
        Packets p = b.state;
        p.set(Cntl().STENCIL_ENABLE(1));
        p.set(Func().STENCILFUNC(func).STENCILFAIL(5).STENCILZPASS(7));
        p.set(regs::ZB_STENCILREFMASK().STENCILREF(reference).STENCILMASK(mask).STENCILWRITEMASK(0xFF));
        p.append(quad(0.5f));
        ASSERT_TRUE(b.chip.run(p));
        for (uint32_t i = 0; i < kPixels; ++i) {
          const bool pass = compare(func, reference & mask, i & mask);
          ASSERT_EQ(b.drawn(i), pass);
          ASSERT_EQ(b.depth()[i], 0x123456u << 8 | stencil(pass ? 7 : 5, i, reference))
              << func << " " << mask << " " << reference << " " << i;
        }
      }
}

/// Every operation in each of the three places, for both faces, with a partial write mask.
TEST(Zb, EveryStencilOperation) {
  Bench b;
  for (uint32_t op = 0; op < 8; ++op)
    for (uint32_t place = 0; place < 3; ++place)  // fail, depth fail, pass
      for (const bool back : {false, true})
        for (const uint32_t write_mask : {0xFFu, 0xF0u}) {
          for (uint32_t i = 0; i < kPixels; ++i) b.depth()[i] = 0x800000u << 8 | i;
          Packets p = b.state;
          p.set(Cntl().STENCIL_ENABLE(1).Z_ENABLE(1).ZWRITEENABLE(1).STENCIL_FRONT_BACK(back).STENCIL_REFMASK_FRONT_BACK(back));
          const uint32_t func = place == 0 ? 0 : 7, zfunc = place == 2 ? 7 : 0;
          const uint32_t fail = place == 0 ? op : 0, zfail = place == 1 ? op : 0, zpass = place == 2 ? op : 0;
          Func f = Func().ZFUNC(zfunc);
          // The other face would give something else.
          if (back)
            f.STENCILFUNC(7)
                .STENCILFAIL(2)
                .STENCILZFAIL(2)
                .STENCILZPASS(2)
                .STENCILFUNC_BF(func)
                .STENCILFAIL_BF(fail)
                .STENCILZFAIL_BF(zfail)
                .STENCILZPASS_BF(zpass);
          else
            f.STENCILFUNC(func)
                .STENCILFAIL(fail)
                .STENCILZFAIL(zfail)
                .STENCILZPASS(zpass)
                .STENCILFUNC_BF(7)
                .STENCILFAIL_BF(2)
                .STENCILZFAIL_BF(2)
                .STENCILZPASS_BF(2);
          p.set(f);
          p.set(regs::ZB_STENCILREFMASK().STENCILREF(back ? 1 : 0xA7).STENCILMASK(0xFF).STENCILWRITEMASK(back ? 0 : write_mask));
          p.set(regs::ZB_STENCILREFMASK_BF().STENCILREF(back ? 0xA7 : 1).STENCILMASK(0xFF).STENCILWRITEMASK(back ? write_mask : 0));
          p.append(quad(0.25f, back));
          ASSERT_TRUE(b.chip.run(p));
          const uint32_t z = place == 2 ? static_cast<uint32_t>(std::floor(0.25 * 16777215 + 0.5)) : 0x800000u;
          for (uint32_t i = 0; i < kPixels; ++i) {
            const uint32_t s = (i & ~write_mask) | (stencil(op, i, 0xA7) & write_mask);
            ASSERT_EQ(b.depth()[i], z << 8 | s) << "op " << op << " place " << place << " back " << back << " value " << i;
          }
        }
}

/// Counts of visible pixels written to memory by ZB_ZPASS_ADDR; with half of a second quad behind the first.
TEST(Zb, ZpassCounter) {
  Bench b;
  const uint32_t result = b.chip.allocate(4);
  std::fill_n(b.depth(), kPixels, 0xFFFFFF00u);
  const auto reset = [](Packets& p, uint32_t v) { p.write(regs::ZB_ZPASS_DATA::offset, {&v, 1}); };
  const auto store = [&](Packets& p, uint32_t i) {
    const uint32_t address = result + 4 * i;
    p.write(regs::ZB_ZPASS_ADDR::offset, {&address, 1});
  };
  Packets p = b.state;
  p.set(Cntl().Z_ENABLE(1).ZWRITEENABLE(1));
  p.set(Func().ZFUNC(Func::ZFUNC__LESS));
  reset(p, 0);
  p.set(regs::SC_SCISSOR1().XS1(7).YS1(kSize - 1));
  p.append(quad(0.25f));  // 128 pixels
  store(p, 0);
  p.set(regs::SC_SCISSOR1().XS1(kSize - 1).YS1(kSize - 1));
  p.append(quad(0.5f));  // 128 more: the others are hidden
  store(p, 1);
  reset(p, 1000);
  p.append(quad(0.75f));  // nothing
  store(p, 2);
  p.set(regs::ZB_ZTOP().ZTOP(1));
  p.append(quad(0.125f));
  store(p, 3);
  ASSERT_TRUE(b.chip.run(p));
  const uint32_t want[] = {128, 256, 1000, 1256};
  for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(b.chip.memory(result)[i], want[i]);
}

TEST(Zb, PolygonOffset) {
  Bench b;
  for (const bool back : {false, true}) {
    Packets p = b.state;
    p.set(Cntl().Z_ENABLE(1).ZWRITEENABLE(1));
    p.set(Func().ZFUNC(Func::ZFUNC__ALWAYS));
    p.set(regs::SU_POLY_OFFSET_ENABLE().FRONT_ENABLE(!back).BACK_ENABLE(back));
    p.set_float<regs::SU_POLY_OFFSET_FRONT_SCALE>(0);
    p.set_float<regs::SU_POLY_OFFSET_FRONT_OFFSET>(back ? 999.0f : 200.0f);  // 24.1 fixed point: 100 units
    p.set_float<regs::SU_POLY_OFFSET_BACK_SCALE>(0);
    p.set_float<regs::SU_POLY_OFFSET_BACK_OFFSET>(back ? 200.0f : 999.0f);
    p.append(quad(0.5f, back));
    ASSERT_TRUE(b.chip.run(p));
    EXPECT_NEAR(double(b.depth()[0] >> 8), 0.5 * 16777215 + 100, 1.5);
  }
  // Slope 1/16 a pixel = 1/256 a sub-pixel; 32 of them.
  Packets p = b.state;
  p.set(Cntl().Z_ENABLE(1).ZWRITEENABLE(1));
  p.set(Func().ZFUNC(Func::ZFUNC__ALWAYS));
  p.set(regs::SU_POLY_OFFSET_ENABLE().BACK_ENABLE(1).FRONT_ENABLE(1));
  p.set_float<regs::SU_POLY_OFFSET_FRONT_SCALE>(32);
  p.set_float<regs::SU_POLY_OFFSET_FRONT_OFFSET>(0);
  p.set_float<regs::SU_POLY_OFFSET_BACK_SCALE>(32);
  p.set_float<regs::SU_POLY_OFFSET_BACK_OFFSET>(0);
  const TestVertex v[] = {{{-1, -1, 0, 1}, {}}, {{1, -1, 1, 1}, {}}, {{1, 1, 1, 1}, {}}, {{-1, 1, 0, 1}, {}}};
  p.append(draw(regs::VAP_VF_CNTL::PRIM_TYPE__QUAD_LIST, v));
  ASSERT_TRUE(b.chip.run(p));
  for (uint32_t x = 0; x < kSize; ++x) EXPECT_NEAR((b.depth()[x] >> 8) / 16777215.0, std::min(1.0, (x + 0.5) / 16 + 0.125), 1e-6);
}

/// FG numbers its functions in its own way.
TEST(Zb, AlphaTest) {
  using A = regs::FG_ALPHA_FUNC;
  Bench b;
  const auto holds = [](uint32_t f, int a, int r) {
    const bool t[8] = {false, a<r, a == r, a <= r, a> r, a != r, a >= r, true};
    return t[f];
  };
  for (uint32_t f = 0; f < 8; ++f)
    for (const bool eight : {true, false}) {
      b.fill_color();
      Packets p = b.state;
      p.set(A().AF_EN(1).AF_FUNC(f).AF_EN_8BIT(eight).AF_VAL(8));
      p.set(regs::FG_ALPHA_VALUE().AF_VAL(8));
      const float step = 16.0f / (eight ? 255.0f : 1023.0f);  // column x: alpha code x
      const std::array<float, 4> left{1, 1, 1, -step / 32}, right{1, 1, 1, step - step / 32};
      p.append(gradient_quad({left, right, right, left}));
      ASSERT_TRUE(b.chip.run(p));
      for (uint32_t i = 0; i < kPixels; ++i) ASSERT_EQ(b.drawn(i), holds(f, int(i % 16), 8)) << f << " " << i % 16;
    }
}

/// FP16_ENABLE compares halves: numbers beyond 1 and below the steps of 10 bits differ.
TEST(Zb, AlphaTestOfHalves) {
  using A = regs::FG_ALPHA_FUNC;
  const float alphas[] = {-2.0f, 0.0f, 1.0f / 4096, 0.5f, 1.0f, 1.5f, 1.5009765625f, 300.0f};
  const uint32_t kReference = 0x3E00;  // 1.5
  for (uint32_t f = 0; f < 8; ++f)
    for (const float alpha : alphas) {
      Bench b;
      Packets p = b.state;
      p.set(A().AF_EN(1).AF_FUNC(f).FP16_ENABLE(1));
      p.set(regs::FG_ALPHA_VALUE().AF_VAL(kReference));
      p.append(full_quad({1, 1, 1, alpha}));
      ASSERT_TRUE(b.chip.run(p));
      const bool less = alpha < 1.5f, equal = alpha == 1.5f;  // 1.5009765625 is the next half
      const bool want[] = {false, less, equal, less || equal, !less && !equal, !equal, !less, true};
      EXPECT_EQ(b.drawn(3), want[f]) << f << " " << alpha;
    }
}

TEST(Zb, Fog) {
  Chip chip;
  Sheet sheet(chip);
  for (uint32_t fn = 0; fn < 4; ++fn) {
    Packets p;
    p.set(regs::FG_FOG_BLEND().ENABLE(1).FN(fn));
    p.set(regs::FG_FOG_FACTOR().FACTOR(256));
    p.set(regs::FG_FOG_COLOR_R().RED(1023));
    p.set(regs::FG_FOG_COLOR_G().GREEN(0));
    p.set(regs::FG_FOG_COLOR_B().BLUE(512));
    p.set(regs::GB_SELECT().FOG_SELECT(5));
    p.set_float<regs::GA_FOG_SCALE>(2);
    p.set_float<regs::GA_FOG_OFFSET>(-0.25f);
    sheet.add(p, full_quad({0.5f, 1, 0.25f, 0.125f}, 0.375f));
  }
  ASSERT_TRUE(sheet.run());
  const double factor[] = {0.5, std::exp(-0.5), std::exp(-0.25), 256 / 1023.0}, fog[] = {1, 0, 512 / 1023.0}, colour[] = {0.5, 1, 0.25};
  for (uint32_t fn = 0; fn < 4; ++fn) {
    for (uint32_t c = 0; c < 3; ++c) EXPECT_NEAR(sheet.value(fn, c), fog[c] + factor[fn] * (colour[c] - fog[c]), 1e-6) << fn << " " << c;
    EXPECT_EQ(sheet.value(fn, 3), 0.125f);
  }
}

}  // namespace
}  // namespace pumice::hw::test
