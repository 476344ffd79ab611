// SPDX-License-Identifier: MIT
/// US arithmetic and operand paths (us-isa A3..A6), each through whole instructions.
#include <cmath>

#include "hw/common/numerics/transcendental.h"
#include "tests/hw/us/us_rig.h"

namespace pumice::hw::us_test {
namespace {

constexpr float kInf = INFINITY;
constexpr uint32_t kNan = 0x7FFFFFFF;
constexpr uint32_t kDenormal = 0x00012345, kNegDenormal = 0x80012345;

struct OpRow {
  uint32_t rgb_op, alpha_op;
  float a, b, c;
  uint32_t expected;
};
constexpr uint32_t kMad = 0, kMin = 4, kMax = 5, kCnd = 7, kCmp = 8, kFrc = 9;
constexpr uint32_t kAMad = 0, kAMin = 2, kAMax = 3, kACnd = 5, kACmp = 6, kAFrc = 7;

class AluTable : public UsRig {};

TEST_F(AluTable, EdgeValues) {
  const float nan = flt(0x7FC12345), den = flt(kDenormal), nden = flt(kNegDenormal);
  const OpRow rows[] = {
      {kMad, kAMad, 2, 3, 4, bits(10)},
      {kMad, kAMad, -0.0f, 1, 0, bits(0)},
      {kMad, kAMad, -0.0f, 0, -0.0f, bits(-0.0f)},
      {kMad, kAMad, den, 1, 0, bits(0)},
      {kMad, kAMad, nden, 1, -0.0f, bits(-0.0f)},
      {kMad, kAMad, 0, 5, den, bits(0)},
      {kMad, kAMad, 0x1p-100f, 0x1p-40f, 1, bits(1)},
      {kMad, kAMad, 0x1p-100f, -0x1p-40f, -0.0f, bits(-0.0f)},
      {kMad, kAMad, 1.0f + 0x1p-23f, 1.0f + 0x1p-23f, -1, bits(0x1p-22f + 0x1p-46f)},  // fused
      {kMad, kAMad, 0, kInf, 1, kNan},
      {kMad, kAMad, kInf, 1, -kInf, kNan},
      {kMad, kAMad, kInf, 1, kInf, bits(kInf)},
      {kMad, kAMad, nan, 1, 1, kNan},
      {kMad, kAMad, 1, 1, -nan, kNan},
      {kMad, kAMad, 3e38f, 10, 0, bits(kInf)},
      {kMin, kAMin, 1, 2, 0, bits(1)},
      {kMin, kAMin, 2, 1, 0, bits(1)},
      {kMin, kAMin, 0, -0.0f, 0, bits(-0.0f)},
      {kMin, kAMin, -0.0f, 0, 0, bits(0)},
      {kMin, kAMin, nan, 3, 0, bits(3)},
      {kMin, kAMin, 3, nan, 0, kNan},
      {kMin, kAMin, -kInf, 3, 0, bits(-kInf)},
      {kMax, kAMax, 1, 2, 0, bits(2)},
      {kMax, kAMax, 0, -0.0f, 0, bits(-0.0f)},
      {kMax, kAMax, -0.0f, 0, 0, bits(0)},
      {kMax, kAMax, nan, 3, 0, bits(3)},
      {kMax, kAMax, 3, nan, 0, kNan},
      {kMax, kAMax, den, -1, 0, bits(0)},
      {kCnd, kACnd, 1, 2, 0.5f, bits(2)},
      {kCnd, kACnd, 1, 2, 0.50001f, bits(1)},
      {kCnd, kACnd, 1, 2, nan, bits(2)},
      {kCnd, kACnd, 1, 2, kInf, bits(1)},
      {kCmp, kACmp, 1, 2, 0, bits(1)},
      {kCmp, kACmp, 1, 2, -0.0f, bits(1)},
      {kCmp, kACmp, 1, 2, nden, bits(1)},
      {kCmp, kACmp, 1, 2, -1, bits(2)},
      {kCmp, kACmp, 1, 2, nan, bits(2)},
      {kFrc, kAFrc, 1.75f, 0, 0, bits(0.75f)},
      {kFrc, kAFrc, -1.75f, 0, 0, bits(0.25f)},
      {kFrc, kAFrc, -0.0f, 0, 0, bits(0)},
      {kFrc, kAFrc, nden, 0, 0, bits(0)},
      {kFrc, kAFrc, kInf, 0, 0, kNan},
      {kFrc, kAFrc, 1e20f, 0, 0, bits(0)},
  };
  for (const OpRow& row : rows) {
    fill(0, row.a), fill(1, row.b), fill(2, row.c);
    run({Alu(row.rgb_op, row.alpha_op), out(10)});
    for (uint32_t c = 0; c < 4; ++c)
      for (uint32_t p = 0; p < 4; ++p)
        EXPECT_EQ(bits(q.temp[10][p][c]), row.expected)
            << "op " << row.rgb_op << " (" << row.a << "," << row.b << "," << row.c << ") channel " << c << " pixel " << p;
  }
}

TEST_F(AluTable, CopiesAreBitExactWithOmod7Only) {
  for (uint32_t v : {kDenormal, kNegDenormal, 0x7F800001u, 0xFFC00001u, 0x80000000u, 0x3F800000u}) {
    fill(0, flt(v));
    run({mov(10, 0), mov(11, 0).omod(0), out(10)});
    EXPECT_EQ(bits(q.temp[10][3][1]), v);
    const bool nan = std::isnan(flt(v));
    EXPECT_EQ(bits(q.temp[11][3][1]), nan ? kNan : v == kDenormal ? 0 : v == kNegDenormal ? 0x80000000u : v);
  }
}

TEST_F(AluTable, ZeroRule) {
  state->set(regs::US_CONFIG{}.ZERO_TIMES_ANYTHING_EQUALS_ZERO(1));
  for (float other : {kInf, -kInf, flt(0x7FC00000)}) {
    fill(0, 0), fill(1, other), fill(2, 5);
    run({Alu(kMad, kAMad), Alu(RgbaInst::RGB_OP__DP3, AlphaInst::ALPHA_OP__DP, 11), out(10)});
    EXPECT_EQ(q.temp[10][0], (Vec4{5, 5, 5, 5}));
    EXPECT_EQ(q.temp[11][0], (Vec4{}));
  }
}

TEST_F(AluTable, DotProducts) {
  q.temp[0].fill({1, 2, 3, 4});
  q.temp[1].fill({5, 6, 7, 8});
  q.temp[2].fill({10, 20, 30, 40});
  const struct {
    uint32_t op;
    float expected;
  } rows[] = {{RgbaInst::RGB_OP__DP3, 38}, {RgbaInst::RGB_OP__DP4, 70}, {RgbaInst::RGB_OP__D2A, 47}};
  for (const auto& row : rows) {
    run({Alu(row.op, AlphaInst::ALPHA_OP__DP), out(10)});
    for (uint32_t c = 0; c < 4; ++c) EXPECT_EQ(q.temp[10][2][c], row.expected) << row.op;
    EXPECT_TRUE(reports.empty());
  }
  // Left to right: (2^24 + 1) - 2^24 loses the 1, 2^24 - 2^24 + 1 keeps it.
  q.temp[0].fill({0x1p24f, 1, -0x1p24f, 0});
  fill(1, 1);
  run({Alu(RgbaInst::RGB_OP__DP3, AlphaInst::ALPHA_OP__DP), out(10)});
  EXPECT_EQ(q.temp[10][0][0], 0);
  // The alpha operation may differ, DP4 still takes its A and B.
  q.temp[0].fill({1, 2, 3, 4});
  q.temp[1].fill({5, 6, 7, 8});
  run({Alu(RgbaInst::RGB_OP__DP4, kAMin), out(10)});
  EXPECT_EQ(q.temp[10][0], (Vec4{70, 70, 70, 4}));
}

TEST_F(AluTable, Scalars) {
  const struct {
    uint32_t op;
    float (*f)(float);
  } rows[] = {{AlphaInst::ALPHA_OP__EX2, num::exp2f_},     {AlphaInst::ALPHA_OP__LN2, num::log2f_},
              {AlphaInst::ALPHA_OP__RCP, num::rcp},        {AlphaInst::ALPHA_OP__RSQ, num::rsq},
              {AlphaInst::ALPHA_OP__SIN, num::sin_cycles}, {AlphaInst::ALPHA_OP__COS, num::cos_cycles}};
  for (const auto& row : rows)
    for (float v : {0.0f, -0.0f, 1.0f, 0.3f, -0.7f, 4.0f, kInf, -kInf, flt(0x7FC00001), flt(kDenormal)}) {
      q.temp[0].fill({99, 99, 99, v});
      run({Alu(RgbaInst::RGB_OP__SOP, row.op), out(10)});
      const float f = row.f(v);
      for (uint32_t c = 0; c < 4; ++c) EXPECT_EQ(bits(q.temp[10][1][c]), std::isnan(f) ? kNan : bits(f)) << row.op << " of " << v;
    }
  q.temp[0].fill({0, 0, 0, 8});
  Alu i(RgbaInst::RGB_OP__SOP, AlphaInst::ALPHA_OP__RCP);
  i.ri.OMOD(1), i.ai.OMOD(4);  // each unit has its own output modifier
  run({i, out(10)});
  EXPECT_EQ(q.temp[10][0], (Vec4{0.25f, 0.25f, 0.25f, 0.0625f}));
}

TEST_F(AluTable, ReservedOperationsAreReportedAndGiveZero) {
  fill(0, 3), fill(1, 3), fill(2, 3);
  for (uint32_t op : {6u, 13u, 14u, 15u}) {
    run({Alu(op, kAMad), Alu(op, kAMad), out(10)});
    EXPECT_EQ(reports.size(), 1u);
    EXPECT_EQ(q.temp[10][0], (Vec4{0, 0, 0, 12}));
  }
  run({Alu(kMad, 4), out(10)});
  EXPECT_EQ(reports.size(), 1u);
  run({Alu(kMad, AlphaInst::ALPHA_OP__DP), out(10)});
  EXPECT_EQ(reports.size(), 1u);
  run({Alu(RgbaInst::RGB_OP__SOP, kAMad), out(10)});
  EXPECT_EQ(reports.size(), 1u);
}

TEST_F(AluTable, OutputModifiersAndClamp) {
  const float scale[7] = {1, 2, 4, 8, 0.5f, 0.25f, 0.125f};
  for (uint32_t omod = 0; omod < 8; ++omod)
    for (float v : {0.75f, -3.0f, kInf, 0x1p-126f, 0x1p126f, -0.0f, flt(0x7FC00001)})
      for (bool clamp : {false, true}) {
        fill(0, v);
        Alu i = mov(10, 0).omod(omod);
        i.cmn.RGB_CLAMP(clamp).ALPHA_CLAMP(clamp);
        run({i, out(10)});
        float e = v;
        if (omod < 7) {
          e = v * scale[omod];
          if (std::fabs(e) < 0x1p-126f) e = std::copysign(0.0f, e);
          if (clamp) e = !(e > 0) ? 0.0f : std::min(e, 1.0f);
        }
        const uint32_t expected = std::isnan(e) && omod < 7 ? kNan : bits(e);
        for (uint32_t c = 0; c < 4; ++c) EXPECT_EQ(bits(q.temp[10][0][c]), expected) << "omod " << omod << " v " << v << " clamp " << clamp;
      }
}

TEST_F(AluTable, SwizzlesSelectsAndModifiers) {
  const float t[3][4] = {{1, -2, 3, -4}, {-5, 6, -7, 8}, {9, 10, -11, -12}};
  for (uint32_t r = 0; r < 3; ++r) q.temp[r].fill({t[r][0], t[r][1], t[r][2], t[r][3]});
  for (uint32_t sel = 0; sel < 4; ++sel)
    for (uint32_t swiz = 0; swiz < 8; ++swiz)
      for (uint32_t mod = 0; mod < 4; ++mod) {
        float v = 0;
        if (swiz < 4)
          v = sel == 3 ? 1 - t[0][swiz] : t[sel][swiz];
        else
          v = swiz == kHalf ? 0.5f : swiz == kOne ? 1.0f : 0.0f;
        if (mod & 2) v = std::fabs(v);
        if (mod & 1) v = -v;
        // The same operand in every place: A alone, B times 1, C added to 0.
        for (int place = 0; place < 3; ++place) {
          Alu i(kMad, kAMad);
          i.ra.SRCP_OP(3), i.aa.SRCP_OP(3);
          i.ri.RED_SWIZ_A(kOne).GREEN_SWIZ_A(kOne).BLUE_SWIZ_A(kOne).RED_SWIZ_B(kOne).GREEN_SWIZ_B(kOne).BLUE_SWIZ_B(kOne);
          i.ai.ALPHA_SWIZ_A(kOne).ALPHA_SWIZ_B(kOne);
          i.x.RED_SWIZ_C(kZero).GREEN_SWIZ_C(kZero).BLUE_SWIZ_C(kZero).ALPHA_SWIZ_C(kZero);
          if (place == 0) {
            i.ri.RGB_SEL_A(sel).RED_SWIZ_A(swiz).GREEN_SWIZ_A(swiz).BLUE_SWIZ_A(swiz).RGB_MOD_A(mod);
            i.ai.ALPHA_SEL_A(sel).ALPHA_SWIZ_A(swiz).ALPHA_MOD_A(mod);
          } else if (place == 1) {
            i.ri.RGB_SEL_B(sel).RED_SWIZ_B(swiz).GREEN_SWIZ_B(swiz).BLUE_SWIZ_B(swiz).RGB_MOD_B(mod);
            i.ai.ALPHA_SEL_B(sel).ALPHA_SWIZ_B(swiz).ALPHA_MOD_B(mod);
          } else {
            i.ri.RED_SWIZ_A(kZero).GREEN_SWIZ_A(kZero).BLUE_SWIZ_A(kZero);
            i.ai.ALPHA_SWIZ_A(kZero);
            i.x.RGB_SEL_C(sel).RED_SWIZ_C(swiz).GREEN_SWIZ_C(swiz).BLUE_SWIZ_C(swiz).RGB_MOD_C(mod);
            i.x.ALPHA_SEL_C(sel).ALPHA_SWIZ_C(swiz).ALPHA_MOD_C(mod);
          }
          run({i, out(10)});
          EXPECT_EQ(q.temp[10][3], (Vec4{v, v, v, v})) << "place " << place << " sel " << sel << " swiz " << swiz << " mod " << mod;
        }
      }
}

TEST_F(AluTable, LanesComeThroughTheirOwnAddresses) {
  q.temp[3].fill({1, 2, 3, 4});
  q.temp[4].fill({5, 6, 7, 8});
  Alu i(kMax, kAMax);
  i.ra.ADDR0(3).ADDR1(3);
  i.aa.ADDR0(4).ADDR1(4);
  i.ri.RED_SWIZ_A(kA).GREEN_SWIZ_A(kR).BLUE_SWIZ_A(kG).RGB_SEL_B(0).RED_SWIZ_B(kA).GREEN_SWIZ_B(kR).BLUE_SWIZ_B(kG);
  i.ai.ALPHA_SWIZ_A(kB).ALPHA_SEL_B(0).ALPHA_SWIZ_B(kB);
  run({i, out(10)});
  EXPECT_EQ(q.temp[10][0], (Vec4{8, 1, 2, 3}));  // rgb.A from the alpha address, alpha.B from the RGB address
}

TEST_F(AluTable, Presubtract) {
  const float s0 = 0.25f, s1 = 3;
  const float expected[4] = {1 - 2 * s0, s1 - s0, s1 + s0, 1 - s0};
  fill(0, s0), fill(1, s1);
  for (uint32_t rgb = 0; rgb < 4; ++rgb)
    for (uint32_t alpha = 0; alpha < 4; ++alpha) {
      Alu i(kMax, kAMax);
      i.ra.SRCP_OP(rgb), i.aa.SRCP_OP(alpha);
      i.ri.RGB_SEL_A(3).RGB_SEL_B(3), i.ai.ALPHA_SEL_A(3).ALPHA_SEL_B(3);
      run({i, out(10)});
      EXPECT_EQ(q.temp[10][1], (Vec4{expected[rgb], expected[rgb], expected[rgb], expected[alpha]}));
    }
}

TEST_F(AluTable, InlineConstants) {
  for (uint32_t code = 0; code < 128; ++code) {
    const uint32_t e = code >> 3, m = code & 7;
    const double v = e ? (1 + m / 8.0) * std::ldexp(1.0, int(e) - 7) : m / 8.0 * std::ldexp(1.0, -6);
    run({mov(10, 0x80 | code), out(10)});
    for (uint32_t c = 0; c < 4; ++c) EXPECT_EQ(double(q.temp[10][0][c]), v) << code;
  }
}

TEST_F(AluTable, Constants) {
  for (uint32_t i = 0; i < 256; ++i)
    for (uint32_t c = 0; c < 4; ++c) state->us_const[i][c] = bits(float(i * 4 + c));
  for (uint32_t i : {0u, 1u, 127u, 128u, 255u}) {
    Alu inst = mov(10, i);
    inst.ra.ADDR0_CONST(1).ADDR1_CONST(1);
    inst.aa.ADDR0_CONST(1).ADDR1_CONST(1);
    run({inst, out(10)});
    const float b = float(i * 4);
    EXPECT_EQ(q.temp[10][2], (Vec4{b, b + 1, b + 2, b + 3}));
  }
}

TEST_F(AluTable, Derivatives) {
  const Vec4 px[4] = {{1, 2, 3, 4}, {11, 22, 33, 44}, {101, 202, 303, 404}, {7, 7, 7, 7}};
  for (uint32_t p = 0; p < 4; ++p) q.temp[0][p] = px[p];
  for (bool vertical : {false, true}) {
    Alu i(vertical ? RgbaInst::RGB_OP__MDV : RgbaInst::RGB_OP__MDH, vertical ? AlphaInst::ALPHA_OP__MDV : AlphaInst::ALPHA_OP__MDH);
    i.ri.RED_SWIZ_A(kA).GREEN_SWIZ_A(kZero);  // ignored
    i.ri.RED_SWIZ_B(kOne).GREEN_SWIZ_B(kOne).BLUE_SWIZ_B(kOne).RGB_MOD_B(1);
    i.ai.ALPHA_SWIZ_B(kOne).ALPHA_MOD_B(1);
    run({i, out(10)});
    const Vec4 e = vertical ? Vec4{100, 200, 300, 400} : Vec4{10, 20, 30, 40};
    for (uint32_t p = 0; p < 4; ++p) EXPECT_EQ(q.temp[10][p], e);
    i.ri.RGB_MOD_A(1);
    run({i, out(10)});
    EXPECT_EQ(q.temp[10][0][0], vertical ? 102 : 12);
  }
}

TEST_F(AluTable, PredicatesGuardChannels) {
  // Write predicates from r0's channels against zero, then read them back in every way.
  q.temp[0].fill({-1, 0, 1, -1});
  fill(1, 1), fill(11, 0);
  for (uint32_t op = 0; op < 4; ++op) {
    Alu set = mov(0, 0).mask(0, 0);
    set.cmn.RGB_OMASK(7).ALPHA_OMASK(1);
    set.ri.TARGET(op), set.ai.TARGET(op);
    const auto truth = [op](float v) { return op == 0 ? v == 0 : op == 1 ? v < 0 : op == 2 ? v >= 0 : v != 0; };
    const bool pred[4] = {truth(-1), truth(0), truth(1), truth(-1)};
    for (uint32_t sel = 0; sel < 6; ++sel)
      for (uint32_t inv = 0; inv < 2; ++inv) {
        Alu guarded = mov(11, 1);
        guarded.cmn.RGB_PRED_SEL(sel).RGB_PRED_INV(inv).ALPHA_PRED_SEL(sel).ALPHA_PRED_INV(inv);
        fill(11, 0);
        run({set, guarded, out(11)});
        for (uint32_t c = 0; c < 4; ++c) {
          const bool en = sel == 0 || pred[sel == 1 ? c : sel - 2] != bool(inv);
          EXPECT_EQ(q.temp[11][0][c], en ? 1 : 0) << "op " << op << " sel " << sel << " inv " << inv << " channel " << c;
        }
      }
  }
}

TEST_F(AluTable, PredicateOfNanAndDenormal) {
  const struct {
    float v;
    bool eq, lt, ge, ne;
  } rows[] = {{flt(kDenormal), true, false, true, false},
              {flt(kNegDenormal), true, false, true, false},
              {flt(0xFFC00000), false, false, true, true}};
  fill(1, 1);
  for (const auto& row : rows)
    for (uint32_t op = 0; op < 4; ++op) {
      fill(0, row.v), fill(11, 0);
      Alu set = mov(0, 0).mask(0, 0);
      set.cmn.RGB_OMASK(7).ALPHA_OMASK(1);
      set.ri.TARGET(op), set.ai.TARGET(op);
      Alu guarded = mov(11, 1);
      guarded.cmn.RGB_PRED_SEL(1).ALPHA_PRED_SEL(1);
      run({set, guarded, out(11)});
      const bool e = op == 0 ? row.eq : op == 1 ? row.lt : op == 2 ? row.ge : row.ne;
      EXPECT_EQ(q.temp[11][0], (e ? Vec4{1, 1, 1, 1} : Vec4{})) << op;
    }
}

TEST_F(AluTable, OutputsGoToTheirTargets) {
  fill(1, 1), fill(2, 2);
  Alu split = out(1, 1);
  split.ai.TARGET(3);
  split.cmn.RGB_OMASK(5);
  Alu depth = out(2).mask(0, 0);
  depth.cmn.RGB_OMASK(0).ALPHA_OMASK(0);
  depth.ai.W_OMASK(1);
  q.color[2].fill({9, 9, 9, 9});
  run({out(1), split, depth, out(2, 0)});
  EXPECT_EQ(q.color[0][3], (Vec4{2, 2, 2, 2}));  // the last write wins
  EXPECT_EQ(q.color[1][3], (Vec4{1, 0, 1, 0}));
  EXPECT_EQ(q.color[2][3], (Vec4{}));  // never written: zero
  EXPECT_EQ(q.color[3][3], (Vec4{0, 0, 0, 1}));
  EXPECT_EQ(q.depth[3], 2);
}

TEST_F(AluTable, BothUnitsReadBeforeEitherWrites) {
  q.temp[0].fill({1, 2, 3, 4});
  Alu swap = mov(0, 0);
  swap.ri.RED_SWIZ_A(kA).RED_SWIZ_B(kA).GREEN_SWIZ_A(kR).GREEN_SWIZ_B(kR);
  swap.ai.ALPHA_SWIZ_A(kR).ALPHA_SWIZ_B(kR);
  run({swap, out(0)});
  EXPECT_EQ(q.temp[0][0], (Vec4{4, 1, 3, 1}));
}

TEST_F(AluTable, FrameBoundAndCleanTemps) {
  state->set(regs::US_PIXSIZE{}.PIX_SIZE(20));
  state->set(regs::RS_INST_COUNT{}.INST_COUNT(0));
  fill(0, 5), fill(1, 6), fill(21, 7), fill(3, 8);
  run({mov(10, 1), mov(11, 0), mov(21, 0), mov(12, 21), out(0)});
  EXPECT_EQ(q.temp[10][0][0], 0);  // r1 is not routed by RS: zero
  EXPECT_EQ(q.temp[11][0][0], 5);
  EXPECT_EQ(q.temp[12][0][0], 0);  // outside: reads zero
  EXPECT_EQ(q.temp[21][0][0], 7);  // the write was dropped
  ASSERT_EQ(reports.size(), 1u);   // and all of it is said once
  EXPECT_NE(reports[0].find("US instruction 2"), std::string::npos) << reports[0];
}

}  // namespace
}  // namespace pumice::hw::us_test
