// SPDX-License-Identifier: MIT
/// Every operation of the fragment shader with edge values, by packets: operands in the constant file, result in an FP32 pixel.
/// The expected values are worked out here in double from us-isa A3..A6 and, where that leaves it open, the choices of
/// hw/radeon/ref/us/README.md.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/hw/chip/chip.h"
#include "tests/hw/chip/edge_values.h"
#include "tests/hw/chip/us_slot.h"

namespace pumice::hw::test {
namespace {

using Rgba = regs::US_ALU_RGBA_INST;
using Alpha = regs::US_ALU_ALPHA_INST;
using Vector = std::array<float, 4>;

constexpr uint32_t kNan = 0x7FFFFFFF;
float canonical(float v) { return std::isnan(v) ? from_bits(kNan) : flush(v); }
float round_flush(double v) { return flush(static_cast<float>(v)); }

float mad(float a, float b, float c) { return canonical(std::fma(flush(a), flush(b), flush(c))); }
float minimum(float a, float b) { return flush(a) < flush(b) ? a : b; }
float maximum(float a, float b) { return flush(a) > flush(b) ? a : b; }
float cnd(float a, float b, float c) { return c > 0.5 ? a : b; }
float cmp(float a, float b, float c) { return flush(c) >= 0 ? a : b; }
float frc(float a) { return canonical(static_cast<float>(double(flush(a)) - std::floor(double(flush(a))))); }

struct Expected {
  float value;
  int ulps = 0;
};
using Function = Expected (*)(float, float, float);

struct Operation {
  const char* name;
  uint32_t rgb, alpha;
  Function f;
};
void PrintTo(const Operation& o, std::ostream* os) { *os << o.name; }

class UsOperation : public testing::TestWithParam<Operation> {};
INSTANTIATE_TEST_SUITE_P(Us, UsOperation,
                         testing::Values(Operation{"MAD", Rgba::RGB_OP__MAD, Alpha::ALPHA_OP__MAD,
                                                   [](float a, float b, float c) { return Expected{mad(a, b, c)}; }},
                                         Operation{"MIN", Rgba::RGB_OP__MIN, Alpha::ALPHA_OP__MIN,
                                                   [](float a, float b, float) { return Expected{canonical(minimum(a, b))}; }},
                                         Operation{"MAX", Rgba::RGB_OP__MAX, Alpha::ALPHA_OP__MAX,
                                                   [](float a, float b, float) { return Expected{canonical(maximum(a, b))}; }},
                                         Operation{"CND", Rgba::RGB_OP__CND, Alpha::ALPHA_OP__CND,
                                                   [](float a, float b, float c) { return Expected{canonical(cnd(a, b, c))}; }},
                                         Operation{"CMP", Rgba::RGB_OP__CMP, Alpha::ALPHA_OP__CMP,
                                                   [](float a, float b, float c) { return Expected{canonical(cmp(a, b, c))}; }},
                                         Operation{"FRC", Rgba::RGB_OP__FRC, Alpha::ALPHA_OP__FRC,
                                                   [](float a, float, float) { return Expected{frc(a)}; }}),
                         [](const auto& test) { return std::string(test.param.name); });

/// All triples of edge values, four a pixel.
TEST_P(UsOperation, EdgeValues) {
  Chip chip;
  Sheet sheet(chip);
  AluSlot slot = constants_slot(GetParam().rgb, GetParam().alpha);
  sheet.packets.append(fragment_program({slot.words()}, 1));
  const auto values = edge_values();
  std::vector<std::array<float, 3>> triples;
  for (const float a : values)
    for (const float b : values)
      for (const float c : values) triples.push_back({a, b, c});
  while (triples.size() % 4) triples.push_back({1, 2, 3});
  ASSERT_LE(triples.size() / 4, Sheet::kCases);
  for (size_t i = 0; i < triples.size(); i += 4) {
    std::array<std::array<uint32_t, 4>, 3> constants;
    for (size_t s = 0; s < 3; ++s)
      for (size_t c = 0; c < 4; ++c) constants[s][c] = bits(triples[i + c][s]);
    sheet.add(us_constants(0, constants));
  }
  ASSERT_TRUE(sheet.run());
  int wrong = 0;
  for (size_t i = 0; i < triples.size() && wrong < 10; ++i) {
    const auto [a, b, c] = triples[i];
    const uint32_t got = sheet.bits(static_cast<uint32_t>(i / 4))[i % 4], want = bits(GetParam().f(a, b, c).value);
    if (got != want) {
      ++wrong;
      ADD_FAILURE() << GetParam().name << "(" << a << ", " << b << ", " << c << ") channel " << i % 4 << ": " << std::hex << got << ", not "
                    << want;
    }
  }
  EXPECT_TRUE(chip.reports().empty());
}

struct Scalar {
  const char* name;
  uint32_t op;
  double (*f)(double);
  double limit;  ///< arguments beyond are not tried
};
class UsScalar : public testing::TestWithParam<Scalar> {};
constexpr double kTurn = 6.283185307179586476925;
INSTANTIATE_TEST_SUITE_P(
    Us, UsScalar,
    testing::Values(Scalar{"EX2", Alpha::ALPHA_OP__EX2, [](double v) { return std::exp2(v); }, 1e38},
                    Scalar{"LN2", Alpha::ALPHA_OP__LN2, [](double v) { return std::log2(v); }, HUGE_VAL},
                    Scalar{"RCP", Alpha::ALPHA_OP__RCP, [](double v) { return 1 / v; }, HUGE_VAL},
                    Scalar{"RSQ", Alpha::ALPHA_OP__RSQ, [](double v) { return v == 0 ? HUGE_VAL : 1 / std::sqrt(v); }, HUGE_VAL},
                    Scalar{"SIN", Alpha::ALPHA_OP__SIN, [](double v) { return std::sin((v - std::floor(v)) * kTurn); }, 1000},
                    Scalar{"COS", Alpha::ALPHA_OP__COS, [](double v) { return std::cos((v - std::floor(v)) * kTurn); }, 1000}),
    [](const auto& test) { return std::string(test.param.name); });

/// Alpha operation, broadcast to r, g, b by SOP.
TEST_P(UsScalar, EdgeAndRandomValues) {
  Chip chip;
  Sheet sheet(chip);
  AluSlot slot = constants_slot(Rgba::RGB_OP__SOP, GetParam().op);
  sheet.packets.append(fragment_program({slot.words()}, 1));
  std::vector<float> values;
  for (const float v : edge_values())
    if (std::isnan(v) || std::fabs(v) <= GetParam().limit || std::isinf(v)) values.push_back(v);
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) values.push_back(std::uniform_real_distribution<float>(-4, 4)(random));
  for (const float v : values) sheet.add(us_constants(0, {{0u, 0u, 0u, bits(v)}}));
  ASSERT_TRUE(sheet.run());
  for (uint32_t i = 0; i < values.size(); ++i) {
    const float want = canonical(static_cast<float>(GetParam().f(double(flush(values[i])))));
    const auto got = sheet.bits(i);
    for (uint32_t c = 0; c < 4; ++c)
      EXPECT_TRUE(same(from_bits(got[c]), want, 1, 0x1p-22))
          << GetParam().name << "(" << values[i] << ") = " << from_bits(got[c]) << ", not " << want;
  }
}

/// Dot products: exact small integers, then NaN and infinity.
TEST(Us, DotProducts) {
  Chip chip;
  Sheet sheet(chip);
  const float inf = HUGE_VALF;
  const struct {
    uint32_t op;
    Vector a, b, c;
    float want;
  } cases[] = {
      {Rgba::RGB_OP__DP3, {1, 2, 3, 100}, {4, 5, 6, 100}, {7, 8, 9, 10}, 32},
      {Rgba::RGB_OP__DP4, {1, 2, 3, 4}, {4, 5, 6, -7}, {7, 8, 9, 10}, 4},
      {Rgba::RGB_OP__D2A, {1, 2, 3, 4}, {4, 5, 6, -7}, {70, 80, 90, 10}, 104},
      {Rgba::RGB_OP__DP3, {inf, 1, 1, 1}, {1, 1, 1, 1}, {0, 0, 0, 0}, inf},
      {Rgba::RGB_OP__DP3, {inf, inf, 1, 1}, {1, -1, 1, 1}, {0, 0, 0, 0}, from_bits(kNan)},
      {Rgba::RGB_OP__DP3, {inf, 0, 1, 1}, {0, 1, 1, 1}, {0, 0, 0, 0}, from_bits(kNan)},
      {Rgba::RGB_OP__DP4, {1, 1, 1, 0}, {1, 1, 1, inf}, {0, 0, 0, 0}, from_bits(kNan)},
      {Rgba::RGB_OP__DP3, {1, 1, 1, 0}, {1, 1, 1, inf}, {0, 0, 0, 0}, 3},
      {Rgba::RGB_OP__DP3, {0x1p66f, -0x1p66f, 1, 0}, {0x1p33f, 0x1p33f, 1, 0}, {0, 0, 0, 0}, 1},
      {Rgba::RGB_OP__DP4, {1e-30f, 0, 0, 0}, {1e-30f, 0, 0, 0}, {0, 0, 0, 0}, 0},
  };
  for (const auto& c : cases) {
    Packets p = fragment_program({constants_slot(c.op, Alpha::ALPHA_OP__DP).words()}, 1);
    p.append(us_constants(0, {as_bits(c.a), as_bits(c.b), as_bits(c.c)}));
    sheet.add(p);
  }
  ASSERT_TRUE(sheet.run());
  for (uint32_t i = 0; i < std::size(cases); ++i)
    for (uint32_t c = 0; c < 4; ++c) EXPECT_EQ(sheet.bits(i)[c], bits(cases[i].want)) << i << " channel " << c;
}

/// US_CONFIG bit 1: zero times anything is zero.
TEST(Us, ZeroTimesAnything) {
  Chip chip;
  Sheet sheet(chip);
  const float inf = HUGE_VALF, nan = from_bits(0x7FC00000);
  for (const uint32_t on : {0u, 1u}) {
    Packets p = fragment_program({constants_slot(Rgba::RGB_OP__MAD, Alpha::ALPHA_OP__MAD).words()}, 1);
    p.set(regs::US_CONFIG().ZERO_TIMES_ANYTHING_EQUALS_ZERO(on));
    p.append(us_constants(0, {as_bits({0, inf, -0.0f, 2}), as_bits({inf, -0.0f, nan, inf}), as_bits({5, 5, 5, 5})}));
    sheet.add(p);
  }
  ASSERT_TRUE(sheet.run());
  for (uint32_t c = 0; c < 3; ++c) {
    EXPECT_EQ(sheet.bits(0)[c], kNan);
    EXPECT_EQ(sheet.value(1, c), 5.0f);
  }
  EXPECT_EQ(sheet.value(0, 3), inf);
  EXPECT_EQ(sheet.value(1, 3), inf);
}

/// MDH and MDV with B = -1: right minus left, bottom minus top, the same in the whole quad.
TEST(Us, Derivatives) {
  for (const bool vertical : {false, true}) {
    Chip chip;
    Target t = make_target(chip, 16, 16);
    t.color = chip.allocate(16 * 16 * 4);
    Packets p = plain_state(t);
    p.append(float_target(t.color, 16));
    AluSlot s = constants_slot(vertical ? Rgba::RGB_OP__MDV : Rgba::RGB_OP__MDH, vertical ? Alpha::ALPHA_OP__MDV : Alpha::ALPHA_OP__MDH);
    s.rgb_addr = regs::US_ALU_RGB_ADDR().ADDR0(0);  // temp 0
    s.alpha_addr = regs::US_ALU_ALPHA_ADDR().ADDR0(0);
    s.rgb.RED_SWIZ_B(6).GREEN_SWIZ_B(6).BLUE_SWIZ_B(6).RGB_MOD_B(1);
    s.alpha.ALPHA_SWIZ_B(6).ALPHA_MOD_B(1);
    p.append(fragment_program({s.words()}, 1));
    // d/dx = (1, 3, 0, 0.25), d/dy = (2, -1, 0.5, 0)
    const auto at = [](float x, float y) { return Vector{x + 2 * y, 3 * x - y, y / 2, x / 4}; };
    p.append(gradient_quad(std::array{at(0, 0), at(16, 0), at(16, 16), at(0, 16)}));
    ASSERT_TRUE(chip.run(p));
    const Vector want = vertical ? Vector{2, -1, 0.5f, 0} : Vector{1, 3, 0, 0.25f};
    for (uint32_t i = 0; i < 16 * 16; ++i)
      for (uint32_t c = 0; c < 4; ++c) EXPECT_NEAR(from_bits(chip.memory(t.color)[4 * i + c]), want[c], 2e-5) << i << " " << c;
  }
}

/// Random operand selects, swizzles, modifiers, presubtracts, inline constants, output modifiers and clamps of MAD.
TEST(Us, OperandSelectsModifiersAndOutputModifiers) {
  constexpr uint32_t kRandom = 2000;
  Chip chip;
  Sheet sheet(chip);
  std::mt19937 random(1);
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  std::vector<Vector> want;
  for (uint32_t n = 0; n < kRandom; ++n) {
    // Sources: rgb lanes through the RGB addresses, alpha lanes through the alpha addresses.
    std::array<Vector, 6> constants;
    for (Vector& v : constants)
      for (float& f : v) f = std::uniform_real_distribution<float>(-4, 4)(random);
    const uint32_t inline_code = below(128);
    const bool use_inline = below(4) == 0;
    const uint32_t e = inline_code >> 3, m = inline_code & 7;
    const float inline_value = e ? (1 + m / 8.0f) * std::exp2(float(e) - 7) : m / 8.0f * std::exp2(-6.0f);
    AluSlot s = constants_slot(Rgba::RGB_OP__MAD, Alpha::ALPHA_OP__MAD);
    s.rgb_addr = regs::US_ALU_RGB_ADDR().ADDR0(0).ADDR0_CONST(1).ADDR1(1).ADDR1_CONST(1).ADDR2(2).ADDR2_CONST(1).SRCP_OP(below(4));
    s.alpha_addr = regs::US_ALU_ALPHA_ADDR().ADDR0(3).ADDR0_CONST(1).ADDR1(4).ADDR1_CONST(1).ADDR2(5).ADDR2_CONST(1).SRCP_OP(below(4));
    if (use_inline) s.rgb_addr.ADDR1(0x80 | inline_code).ADDR1_CONST(0);
    std::array<Vector, 4> source;  // src0, src1, src2, srcp
    for (uint32_t i = 0; i < 3; ++i) {
      source[i] = {constants[i][0], constants[i][1], constants[i][2], constants[3 + i][3]};
      if (i == 1 && use_inline) source[i] = {inline_value, inline_value, inline_value, constants[4][3]};
    }
    for (uint32_t c = 0; c < 4; ++c) {
      const float s0 = source[0][c], s1 = source[1][c];
      switch (c < 3 ? s.rgb_addr.SRCP_OP() : s.alpha_addr.SRCP_OP()) {
        case 0: source[3][c] = round_flush(1.0 - 2.0 * s0); break;
        case 1: source[3][c] = round_flush(double(s1) - s0); break;
        case 2: source[3][c] = round_flush(double(s1) + s0); break;
        default: source[3][c] = round_flush(1.0 - s0);
      }
    }
    uint32_t select[4][3], swizzle[4][3], modifier[4][3];
    for (uint32_t o = 0; o < 3; ++o) {
      const uint32_t rgb_select = below(4), rgb_modifier = below(4);
      for (uint32_t c = 0; c < 4; ++c) {
        select[c][o] = c < 3 ? rgb_select : below(4);
        modifier[c][o] = c < 3 ? rgb_modifier : below(4);
        swizzle[c][o] = below(7);
      }
    }
    s.rgb.RGB_SEL_A(select[0][0]).RGB_MOD_A(modifier[0][0]).RGB_SEL_B(select[0][1]).RGB_MOD_B(modifier[0][1]);
    s.rgb.RED_SWIZ_A(swizzle[0][0]).GREEN_SWIZ_A(swizzle[1][0]).BLUE_SWIZ_A(swizzle[2][0]);
    s.rgb.RED_SWIZ_B(swizzle[0][1]).GREEN_SWIZ_B(swizzle[1][1]).BLUE_SWIZ_B(swizzle[2][1]);
    s.rgba.RGB_SEL_C(select[0][2])
        .RGB_MOD_C(modifier[0][2])
        .RED_SWIZ_C(swizzle[0][2])
        .GREEN_SWIZ_C(swizzle[1][2])
        .BLUE_SWIZ_C(swizzle[2][2]);
    s.rgba.ALPHA_SEL_C(select[3][2]).ALPHA_MOD_C(modifier[3][2]).ALPHA_SWIZ_C(swizzle[3][2]);
    s.alpha.ALPHA_SEL_A(select[3][0]).ALPHA_MOD_A(modifier[3][0]).ALPHA_SWIZ_A(swizzle[3][0]);
    s.alpha.ALPHA_SEL_B(select[3][1]).ALPHA_MOD_B(modifier[3][1]).ALPHA_SWIZ_B(swizzle[3][1]);
    const uint32_t rgb_omod = below(7), alpha_omod = below(7);
    s.rgb.OMOD(rgb_omod);
    s.alpha.OMOD(alpha_omod);
    s.cmn.RGB_CLAMP(below(2)).ALPHA_CLAMP(below(2));

    Vector result;
    for (uint32_t c = 0; c < 4; ++c) {
      float operand[3];
      for (uint32_t o = 0; o < 3; ++o) {
        const uint32_t z = swizzle[c][o];
        float v = z < 4 ? source[select[c][o]][z] : z == 4 ? 0.0f : z == 5 ? 0.5f : 1.0f;
        if (modifier[c][o] & 2) v = std::fabs(v);
        if (modifier[c][o] & 1) v = -v;
        operand[o] = v;
      }
      static constexpr double kScale[7] = {1, 2, 4, 8, 0.5, 0.25, 0.125};
      float v = round_flush(mad(operand[0], operand[1], operand[2]) * kScale[c < 3 ? rgb_omod : alpha_omod]);
      if (c < 3 ? s.cmn.RGB_CLAMP() : s.cmn.ALPHA_CLAMP()) v = v > 0 ? (v < 1 ? v : 1.0f) : 0.0f;
      result[c] = v;
    }
    want.push_back(result);
    Packets p = fragment_program({s.words()}, 1);
    std::array<std::array<uint32_t, 4>, 6> words;
    for (uint32_t i = 0; i < 6; ++i) words[i] = as_bits(constants[i]);
    p.append(us_constants(0, words));
    sheet.add(p);
  }
  ASSERT_TRUE(sheet.run());
  int wrong = 0;
  for (uint32_t i = 0; i < want.size() && wrong < 10; ++i)
    for (uint32_t c = 0; c < 4; ++c)
      if (sheet.bits(i)[c] != bits(want[i][c])) {
        ++wrong;
        ADD_FAILURE() << "case " << i << " channel " << c << ": " << sheet.value(i, c) << ", not " << want[i][c];
      }
  EXPECT_TRUE(chip.reports().empty());
}

/// OMOD 7 hands bits on: denormals, the payload of NaN, no clamp.
TEST(Us, ExactCopies) {
  Chip chip;
  Sheet sheet(chip);
  const std::array<uint32_t, 4> in = {1, 0x7F812345, 0x80000000, bits(3.0f)};
  for (const uint32_t omod : {7u, 0u}) {
    AluSlot s = constants_slot(Rgba::RGB_OP__MAX, Alpha::ALPHA_OP__MAX);
    s.rgb.OMOD(omod).RGB_SEL_B(0);
    s.alpha.OMOD(omod).ALPHA_SEL_B(0);
    s.cmn.RGB_CLAMP(1).ALPHA_CLAMP(1);
    Packets p = fragment_program({s.words()}, 1);
    p.append(us_constants(0, {in}));
    sheet.add(p);
  }
  ASSERT_TRUE(sheet.run());
  EXPECT_EQ(sheet.bits(0), in);
  EXPECT_EQ(sheet.bits(1), (std::array<uint32_t, 4>{0, 0, 0, bits(1.0f)}));
}

/// Predicates: each test on each edge value in channel r; the OUT behind writes where the predicate (or its inverse) holds.
TEST(Us, PredicatesAndWriteMasks) {
  Chip chip;
  Sheet sheet(chip);
  struct Case {
    uint32_t op, select, invert;
    float value;
  };
  std::vector<Case> cases;
  for (uint32_t op = 0; op < 4; ++op)
    for (const float v : {-1.0f, -0.0f, 0.0f, from_bits(1), from_bits(0x80000001), 2.0f, HUGE_VALF})
      for (const uint32_t select : {1u, 2u, 3u, 4u, 5u})
        for (const uint32_t invert : {0u, 1u}) cases.push_back({op, select, invert, v});
  for (const Case& c : cases) {
    AluSlot set = constants_slot(Rgba::RGB_OP__MAX, Alpha::ALPHA_OP__MAX);  // type ALU: OMASK chooses predicates, TARGET the test
    set.cmn.TYPE(0).LAST(0).RGB_OMASK(7).ALPHA_OMASK(1);
    set.rgb.RGB_SEL_B(0).OMOD(7).TARGET(c.op);
    set.alpha.ALPHA_SEL_B(0).OMOD(7).TARGET(c.op);
    AluSlot clear = constants_slot(Rgba::RGB_OP__MAX, Alpha::ALPHA_OP__MAX);
    clear.rgb.RED_SWIZ_A(4).GREEN_SWIZ_A(4).BLUE_SWIZ_A(4).RED_SWIZ_B(4).GREEN_SWIZ_B(4).BLUE_SWIZ_B(4);
    clear.alpha.ALPHA_SWIZ_A(4).ALPHA_SWIZ_B(4);
    AluSlot out = constants_slot(Rgba::RGB_OP__MAX, Alpha::ALPHA_OP__MAX);
    out.rgb.RED_SWIZ_A(6).GREEN_SWIZ_A(6).BLUE_SWIZ_A(6).RED_SWIZ_B(6).GREEN_SWIZ_B(6).BLUE_SWIZ_B(6);
    out.alpha.ALPHA_SWIZ_A(6).ALPHA_SWIZ_B(6);
    out.cmn.RGB_PRED_SEL(c.select).ALPHA_PRED_SEL(c.select).RGB_PRED_INV(c.invert).ALPHA_PRED_INV(c.invert);
    Packets p = fragment_program({set.words(), clear.words(), out.words()}, 1);
    // r is the tested value, g always 0, b always -1, a always 1.
    p.append(us_constants(0, {as_bits({c.value, 0, -1, 1})}));
    sheet.add(p);
  }
  ASSERT_TRUE(sheet.run());
  const auto holds = [](uint32_t op, float v) {
    v = flush(v);
    return op == 0 ? v == 0 : op == 1 ? v < 0 : op == 2 ? v >= 0 : v != 0;
  };
  for (uint32_t i = 0; i < cases.size(); ++i) {
    const Case& c = cases[i];
    const float channel[4] = {c.value, 0, -1, 1};
    for (uint32_t k = 0; k < 4; ++k) {
      const bool predicate = holds(c.op, channel[c.select == 1 ? k : c.select - 2]) != (c.invert != 0);
      EXPECT_EQ(sheet.value(i, k), predicate ? 1.0f : 0.0f)
          << "op " << c.op << " value " << c.value << " select " << c.select << " channel " << k;
    }
  }
}

/// Component masks of temps and outputs; four render targets are in output_test.cpp.
TEST(Us, WriteMasksOfTempsAndOutputs) {
  Chip chip;
  Sheet sheet(chip);
  for (uint32_t mask = 0; mask < 16; ++mask)
    for (const bool out : {false, true}) {
      AluSlot base = constants_slot(Rgba::RGB_OP__MAX, Alpha::ALPHA_OP__MAX);  // temp 1 = output = constant 0
      base.rgb.RGB_SEL_B(0);
      base.alpha.ALPHA_SEL_B(0).ALPHA_ADDRD(1);
      base.rgba.RGB_ADDRD(1);
      base.cmn.LAST(0).RGB_WMASK(7).ALPHA_WMASK(1);
      AluSlot masked = base;
      masked.rgb.RGB_SEL_A(1).RGB_SEL_B(1);
      masked.alpha.ALPHA_SEL_A(1).ALPHA_SEL_B(1);
      masked.cmn.RGB_WMASK(out ? 0 : mask & 7)
          .ALPHA_WMASK(out ? 0 : mask >> 3)
          .RGB_OMASK(out ? mask & 7 : 0)
          .ALPHA_OMASK(out ? mask >> 3 : 0);
      AluSlot last = constants_slot(Rgba::RGB_OP__MAX, Alpha::ALPHA_OP__MAX);
      last.rgb_addr = regs::US_ALU_RGB_ADDR().ADDR0(1);
      last.alpha_addr = regs::US_ALU_ALPHA_ADDR().ADDR0(1);
      last.rgb.RGB_SEL_B(0);
      last.alpha.ALPHA_SEL_B(0);
      if (out) last.cmn.RGB_OMASK(0).ALPHA_OMASK(0);
      Packets p = fragment_program({base.words(), masked.words(), last.words()}, 2);
      p.append(us_constants(0, {as_bits({1, 2, 3, 4}), as_bits({5, 6, 7, 8})}));
      sheet.add(p);
    }
  ASSERT_TRUE(sheet.run());
  for (uint32_t i = 0; i < 32; ++i)
    for (uint32_t c = 0; c < 4; ++c) EXPECT_EQ(sheet.value(i, c), float(c + 1 + ((i / 2) >> c & 1 ? 4 : 0))) << i << " " << c;
  EXPECT_TRUE(chip.reports().empty());
}

}  // namespace
}  // namespace pumice::hw::test
