// SPDX-License-Identifier: MIT
/// US texture instructions (us-isa A8) on a 4x4 texture whose texel (x, y) is (x, y, x + y, 16 x + y) / 255.
#include "tests/hw/us/us_rig.h"

namespace pumice::hw::us_test {
namespace {

struct Tex {
  Cmn cmn;
  TexInst inst;
  regs::US_TEX_ADDR addr;
  regs::US_TEX_ADDR_DXDY grad;
  explicit Tex(uint32_t op, uint32_t src = 0, uint32_t dst = 10) {
    cmn.TYPE(Cmn::TYPE__TEXTURE).RGB_WMASK(7).ALPHA_WMASK(1);
    inst.INST(op);
    addr.SRC_ADDR(src).SRC_S_SWIZ(0).SRC_T_SWIZ(1).SRC_R_SWIZ(2).SRC_Q_SWIZ(3);
    addr.DST_ADDR(dst).DST_R_SWIZ(0).DST_G_SWIZ(1).DST_B_SWIZ(2).DST_A_SWIZ(3);
  }
  operator Code() const { return {cmn.raw, inst.raw, addr.raw, grad.raw, 0, 0}; }
};

class UsTex : public UsRig {
 protected:
  UsTex() {
    memory->map(0x10000, 0x10000);
    for (uint32_t y = 0; y < 4; ++y)
      for (uint32_t x = 0; x < 4; ++x) memory->store<uint32_t>(0x10000 + y * 32 + x * 4, x | y << 8 | (x + y) << 16 | (16 * x + y) << 24);
    state->set(regs::TX_ENABLE{1u << 2});
    state->set(regs::TX_FILTER0{}.MAG_FILTER(1).MIN_FILTER(1).CLAMP_S(2).CLAMP_T(2), 2);
    state->set(regs::TX_FORMAT0{}.TXWIDTH(3).TXHEIGHT(3), 2);
    state->set(regs::TX_FORMAT1{}.TXFORMAT(regs::TX_FORMAT1::TXFORMAT__N8_8_8_8).SEL_RED(0).SEL_GREEN(1).SEL_BLUE(2).SEL_ALPHA(3), 2);
    state->set(regs::TX_OFFSET{}.TXOFFSET(0x10000 >> 5), 2);
  }
  static Vec4 texel(uint32_t x, uint32_t y) { return {float(x) / 255, float(y) / 255, float(x + y) / 255, float(16 * x + y) / 255}; }
  static Tex on_unit2(Tex t) {
    t.inst.TEX_ID(2);
    return t;
  }
};

TEST_F(UsTex, LoadsWithSwizzlesAndMask) {
  for (uint32_t p = 0; p < 4; ++p) q.temp[0][p] = {(float(p) + 0.5f) / 4, 0.6f, 0, 0};
  run({on_unit2(Tex(TexInst::INST__LD)), out(10)});
  for (uint32_t p = 0; p < 4; ++p) EXPECT_EQ(q.color[0][p], texel(p, 2));
  Tex swapped = on_unit2(Tex(TexInst::INST__LD));
  swapped.addr.SRC_S_SWIZ(1).SRC_T_SWIZ(0).DST_R_SWIZ(3).DST_A_SWIZ(0);
  swapped.cmn.RGB_WMASK(5);
  fill(10, 9);
  run({swapped, out(10)});
  for (uint32_t p = 0; p < 4; ++p) {
    const Vec4 t = texel(2, p);
    EXPECT_EQ(q.color[0][p], (Vec4{t[3], 9, t[2], t[0]}));
  }
}

TEST_F(UsTex, ProjectionUnscaledAndNop) {
  fill(0, 0);
  for (auto& v : q.temp[0]) v = {2 * 0.875f, 2 * 0.125f, 0, 2};
  run({on_unit2(Tex(TexInst::INST__PROJ)), out(10)});
  EXPECT_EQ(q.color[0][0], texel(3, 0));
  for (auto& v : q.temp[0]) v = {1.5f, 3.5f, 0, 0};
  Tex unscaled = on_unit2(Tex(TexInst::INST__LD));
  unscaled.inst.UNSCALED(1);
  run({unscaled, out(10)});
  EXPECT_EQ(q.color[0][0], texel(1, 3));
  fill(10, 7);
  run({on_unit2(Tex(TexInst::INST__NOP)), out(10)});
  EXPECT_EQ(q.color[0][0], (Vec4{7, 7, 7, 7}));
  run({on_unit2(Tex(7)), out(10)});
  EXPECT_EQ(q.color[0][0], (Vec4{7, 7, 7, 7}));
  EXPECT_EQ(reports.size(), 1u);
}

TEST_F(UsTex, PredicatesAndInactivePixels) {
  fill(0, 0.1f), fill(10, 5);
  per_pixel(1, -1, 1, -1, 1);
  Alu set = mov(1, 1).mask(0, 0);
  set.cmn.RGB_OMASK(7).ALPHA_OMASK(1);
  set.ri.TARGET(1), set.ai.TARGET(1);
  Tex t = on_unit2(Tex(TexInst::INST__LD));
  t.cmn.RGB_PRED_SEL(Cmn::RGB_PRED_SEL__REPLICATE_R).ALPHA_PRED_SEL(5).ALPHA_PRED_INV(1);
  run({set, t, out(10)});
  EXPECT_EQ(q.color[0][0], (Vec4{0, 0, 0, 5}));
  EXPECT_EQ(q.color[0][1], (Vec4{5, 5, 5, 0}));
}

TEST_F(UsTex, KillLooksAtSigns) {
  const struct {
    Vec4 v;
    bool kills;
  } rows[] = {{{0, 0, 0, 0}, false},    {{-1, 0, 0, 0}, true}, {{0, 0, 0, -0x1p-140f}, true},
              {{0, -0.0f, 0, 0}, true}, {{1, 2, 3, 4}, false}, {{flt(0xFFC00000), 0, 0, 0}, false}};
  for (const auto& row : rows) {
    fill(0, 0);
    q.temp[0][2] = row.v;
    Tex t(TexInst::INST__TEXKILL);
    t.cmn.RGB_WMASK(0).ALPHA_WMASK(0);
    run({t, out(0)});
    EXPECT_EQ(q.killed, row.kills ? 4 : 0) << row.v[0];
  }
  // Only active pixels die, and a swizzle chooses what is looked at.
  for (auto& v : q.temp[0]) v = {-1, 1, 1, 1};
  Tex t(TexInst::INST__TEXKILL);
  t.addr.SRC_S_SWIZ(1);
  run({t, out(0)});
  EXPECT_EQ(q.killed, 0);
  per_pixel(1, 1, 0, 0, 1);
  const Flow begin{FcInst::OP__JUMP, kNotAlu, 0, 0, kIncr, 0, 0, 0, 4}, end{FcInst::OP__JUMP, kNever, 1, 0, kDecr, 0, 1, 0, 0};
  run({test_red(1, 3), begin, Tex(TexInst::INST__TEXKILL), end, out(0)});
  EXPECT_EQ(q.killed, 9);
}

TEST_F(UsTex, DependentLookup) {
  // r10 = texel(1, 2) = (1, 2, 3, 18)/255; used as texel coordinates after scaling by 255.
  fill(0, 0);
  for (auto& v : q.temp[0]) v = {1.5f / 4, 2.5f / 4, 0, 0};
  state->us_const[0].fill(bits(255.0f));
  Alu scale(RgbaInst::RGB_OP__MAD, AlphaInst::ALPHA_OP__MAD, 11);
  scale.src(10, 0);
  scale.ra.ADDR1_CONST(1), scale.aa.ADDR1_CONST(1);
  scale.x.RED_SWIZ_C(kHalf).GREEN_SWIZ_C(kHalf);
  Tex again = on_unit2(Tex(TexInst::INST__LD, 11, 12));
  again.inst.UNSCALED(1);
  again.addr.SRC_S_SWIZ(1).SRC_T_SWIZ(0);
  run({on_unit2(Tex(TexInst::INST__LD)), scale, again, out(12)});
  EXPECT_EQ(q.color[0][0], texel(2, 1));
}

}  // namespace
}  // namespace pumice::hw::us_test
