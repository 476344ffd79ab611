// SPDX-License-Identifier: MIT
/// The US of the R3xx (us-isa, Part B): numbers of 24 bits, each operation with edge values, selects, levels and relocation.
#include <cmath>

#include "hw/common/numerics/transcendental.h"
#include "hw/radeon/regfile/upload_ports.h"
#include "tests/hw/us/us_r300_rig.h"

namespace pumice::hw::us_test {
namespace {

constexpr float kInf = INFINITY;
constexpr uint32_t kNan = 0x7FFFFFFF;
constexpr float kUlp = 0x1p-16f;          ///< of 1
constexpr float kLargest = 0x1.ffffp63f;  ///< that is not infinity
constexpr float kLeast = 0x1p-62f;        ///< that is not zero

class R300 : public UsRig {
 protected:
  R300() {
    state->profile = Profile::r300;
    state->set(regs::r300::US_PIXSIZE{}.PIX_SIZE(31));
    state->set(regs::r300::RS_INST_COUNT{}.INST_COUNT(15));
    for (uint32_t i = 0; i < 16; ++i) state->set(regs::r300::RS_INST{}.TEX_CN(1).TEX_ADDR(i), i);
  }
  void run_levels(const std::vector<Level>& levels, uint32_t tex_at = 0, uint32_t alu_at = 0) {
    load_levels(*state, levels, tex_at, alu_at);
    run();
  }
  void run_alu(const std::vector<std::string>& lines) { run_levels({{{}, lines}}); }
  uint32_t out(uint32_t channel) const { return bits(q.color[0][3][channel]); }
};

TEST_F(R300, NumbersOf24Bits) {
  struct Row {
    float value, kept;
    uint32_t code;
  };
  for (const Row& r : {
           Row{0.0f, 0.0f, 0},
           {-0.0f, -0.0f, 0x800000},
           {1.0f, 1.0f, 0x3F0000},
           {-2.0f, -2.0f, 0xC00000},
           {1.0f + kUlp, 1.0f + kUlp, 0x3F0001},
           {1.0f + kUlp * 127 / 128, 1.0f, 0x3F0000},  // toward zero
           {-1.0f - kUlp * 127 / 128, -1.0f, 0xBF0000},
           {2.0f - 0x1p-23f, 2.0f - kUlp, 0x3FFFFF},
           {kLeast, kLeast, 0x010000},
           {0x1.fffffep-63f, 0.0f, 0},
           {-0x1.fffffep-63f, -0.0f, 0x800000},
           {kLargest, kLargest, 0x7EFFFF},
           {0x1.fffffep63f, kLargest, 0x7EFFFF},
           {0x1p64f, kInf, 0x7F0000},
           {-3e38f, -kInf, 0xFF0000},
       }) {
    EXPECT_EQ(bits(num::to_fp24(r.value)), bits(r.kept)) << r.value;
    EXPECT_EQ(num::fp24_code(r.value), r.code) << r.value;
    EXPECT_EQ(bits(num::fp24_value(r.code)), bits(r.kept)) << r.value;
  }
  EXPECT_TRUE(std::isnan(num::fp24_value(num::fp24_code(NAN))));
  EXPECT_EQ(num::fp24_value(0x00FFFF), 0.0f);  // exponent 0
  // Every code that is a number comes back.
  for (uint32_t code = 0; code < 1u << 24; code += code % 97 + 1) {
    const uint32_t exponent = code >> 16 & 127;
    if (exponent == 0 || exponent == 127) continue;
    ASSERT_EQ(num::fp24_code(num::fp24_value(code)), code);
  }
}

/// Both units, constants 0, 1, 2 as operands.
TEST_F(R300, OperationsOfBothUnits) {
  struct Row {
    const char* op;
    int sources;
    float a, b, c;
    uint32_t expected;
  };
  const float nan = flt(kNan);
  for (const Row& r : {
           Row{"MAD", 3, 2, 3, 4, bits(10)},
           {"MAD", 3, 1 + kUlp, 1 + kUlp, 0, bits(1 + 2 * kUlp)},  // 2^-32 is cut off
           {"MAD", 3, 1, 1, -kUlp / 4, bits(1 - kUlp / 2)},        // toward zero, the ulp below 1 is half
           {"MAD", 3, -1, 1, kUlp / 4, bits(-1 + kUlp / 2)},
           {"MAD", 3, kLargest, 2, 0, bits(kInf)},
           {"MAD", 3, kLargest, 1, kLargest, bits(kInf)},
           {"MAD", 3, -kLargest, 2, 0, bits(-kInf)},
           {"MAD", 3, kLeast, 0.5f, 0, bits(0.0f)},
           {"MAD", 3, kLeast, -0.5f, -0.0f, bits(-0.0f)},
           {"MAD", 3, kLeast, 1, kLeast, bits(2 * kLeast)},
           {"MAD", 3, kInf, 0, 1, kNan},
           {"MAD", 3, kInf, 1, -kInf, kNan},
           {"MAD", 3, nan, 1, 1, kNan},
           {"MIN", 2, 1, 2, 0, bits(1)},
           {"MIN", 2, 0.0f, -0.0f, 0, bits(-0.0f)},
           {"MIN", 2, nan, 3, 0, bits(3)},
           {"MIN", 2, 3, nan, 0, kNan},
           {"MIN", 2, -kInf, 3, 0, bits(-kInf)},
           {"MAX", 2, 1, 2, 0, bits(2)},
           {"MAX", 2, 0.0f, -0.0f, 0, bits(-0.0f)},
           {"MAX", 2, kLargest, kInf, 0, bits(kInf)},
           {"CND", 3, 1, 2, 0.5f, bits(2)},
           {"CND", 3, 1, 2, 0.5f + kUlp, bits(1)},
           {"CND", 3, 1, 2, nan, bits(2)},
           {"CMP", 3, 1, 2, -0.0f, bits(1)},
           {"CMP", 3, 1, 2, -kLeast, bits(2)},
           {"CMP", 3, 1, 2, nan, bits(2)},
           {"FRC", 1, 1.75f, 0, 0, bits(0.75f)},
           {"FRC", 1, -1.75f, 0, 0, bits(0.25f)},
           {"FRC", 1, -kUlp / 256, 0, 0, bits(1 - kUlp / 2)},  // 1 - 2^-24, toward zero
           {"FRC", 1, 0x1p20f, 0, 0, bits(0.0f)},
           {"FRC", 1, kInf, 0, 0, kNan},
       }) {
    load_constant(*state, 0, {r.a, r.a, r.a, r.a});
    load_constant(*state, 1, {r.b, r.b, r.b, r.b});
    load_constant(*state, 2, {r.c, r.c, r.c, r.c});
    std::string rgb, alpha;
    for (int i = 0; i < r.sources; ++i) rgb += ", c" + std::to_string(i) + ".rgb", alpha += ", c" + std::to_string(i) + ".a";
    run_alu({"OUT  " + std::string(r.op) + " out0.rgb" + rgb + " | " + r.op + " out0.a" + alpha});
    EXPECT_TRUE(reports.empty()) << reports[0];
    for (uint32_t c = 0; c < 4; ++c) EXPECT_EQ(out(c), r.expected) << r.op << " " << r.a << " " << r.b << " " << r.c << " channel " << c;
  }
}

TEST_F(R300, DotProducts) {
  load_constant(*state, 0, {1, 2, 3, 4});
  load_constant(*state, 1, {5, 6, 7, 0.5f});
  run_alu({"OUT  DP3 out0.rgb, c0.rgb, c1.rgb | DP out0.a"});
  for (uint32_t c = 0; c < 4; ++c) EXPECT_EQ(out(c), bits(38));
  // The alpha unit's operands are those of the fourth term.
  run_alu({"OUT  DP4 out0.rgb, c0.rgb, c1.rgb | MAD _, c0.a, c1.a, 0"});
  for (uint32_t c = 0; c < 3; ++c) EXPECT_EQ(out(c), bits(40));
  load_constant(*state, 2, {9, 9, 0.25f, 9});
  run_alu({"OUT  D2A out0.rgb, c0.rgb, c1.rgb, c2.rgb"});
  EXPECT_EQ(out(0), bits(17.25f));
  // The largest cancel: what is left has all its bits, the sum is rounded once.
  load_constant(*state, 0, {0x1p40f, 0x1p40f, 1, 0});
  load_constant(*state, 1, {1, -1, 1 + kUlp, 0});
  run_alu({"OUT  DP3 out0.rgb, c0.rgb, c1.rgb"});
  EXPECT_EQ(out(0), bits(1 + kUlp));
}

TEST_F(R300, ScalarOperations) {
  const float values[] = {0.0f,     -0.0f, 1.0f,  -1.0f,     0.5f,         3.0f,   10.0f, kLeast,
                          kLargest, kInf,  -kInf, flt(kNan), 1 - kUlp / 2, 127.0f, -70.0f};
  for (const float v : values) {
    load_constant(*state, 0, {v, v, v, v});
    const auto expect = [&](const char* op, float exact) {
      run_alu({"OUT  SOP out0.rgb | " + std::string(op) + " out0.a, c0.a"});
      const float kept = std::isnan(exact) ? flt(kNan) : num::to_fp24(exact);
      for (uint32_t c = 0; c < 4; ++c) EXPECT_EQ(out(c), bits(kept)) << op << " " << v;
    };
    expect("EX2", num::exp2f_(v));
    expect("LN2", num::log2f_(v));
    expect("RCP", num::rcp(v));
    expect("RSQ", num::rsq(v));
  }
  load_constant(*state, 0, {0, 0, 0, 64});
  run_alu({"OUT  EX2 out0.a, c0.a"});
  EXPECT_EQ(out(3), bits(kInf));  // 2^64 has no code
  load_constant(*state, 0, {0, 0, 0, 3});
  run_alu({"OUT  RCP out0.a, c0.a"});
  EXPECT_EQ(out(3), bits(0x1.5555p-2f));  // 1/3, 16 bits of mantissa, toward zero
}

TEST_F(R300, SelectsModifiersAndPresubtract) {
  load_constant(*state, 0, {1, 2, 3, 4});
  load_constant(*state, 1, {10, 20, 30, 40});
  const auto red_green_blue = [&](const std::string& operand, float r, float g, float b, const std::string& behind = "") {
    run_alu({"OUT  MAD out0.rgb, " + operand + ", 111, 000" + behind});
    EXPECT_TRUE(reports.empty()) << reports[0];
    EXPECT_EQ(q.color[0][0], (Vec4{r, g, b, 0})) << operand << behind;
  };
  red_green_blue("c0.rgb", 1, 2, 3);
  red_green_blue("c0.rrr", 1, 1, 1);
  red_green_blue("c0.ggg", 2, 2, 2);
  red_green_blue("c0.bbb", 3, 3, 3);
  red_green_blue("c0.aaa", 4, 4, 4);
  red_green_blue("c0.gbr", 2, 3, 1);
  red_green_blue("c0.brg", 3, 1, 2);
  red_green_blue("c0.abg", 4, 3, 2);
  red_green_blue("-c0.rgb", -1, -2, -3);
  red_green_blue("-|c0.gbr|", -2, -3, -1);
  red_green_blue("hhh", 0.5f, 0.5f, 0.5f);
  red_green_blue("-111", -1, -1, -1);
  red_green_blue("srcp.rgb", -1, -3, -5, " srcp=1-2*c0");
  red_green_blue("srcp.rgb", 9, 18, 27, " srcp=c1-c0");
  red_green_blue("srcp.ggg", 22, 22, 22, " srcp=c1+c0");
  red_green_blue("-|srcp.rgb|", 0, -1, -2, " srcp=1-c0");
  // Presubtract has 24 bits of its own.
  load_constant(*state, 0, {1, 1, 1, 1});
  load_constant(*state, 1, {kUlp / 2, kUlp / 2, kUlp / 2, kUlp / 2});
  red_green_blue("srcp.rgb", 1, 1, 1, " srcp=c1+c0");
  for (const char* alpha : {"c0.r", "c0.g", "c0.b", "c0.a"}) {
    run_alu({std::string("OUT  MAD out0.a, ") + alpha + ", 1, 0"});
    EXPECT_EQ(q.color[0][0][3], 1) << alpha;
  }
}

TEST_F(R300, OutputModifiersAndClamp) {
  load_constant(*state, 0, {3, 3, 3, 3});
  const auto expect = [&](const char* op, float value) {
    run_alu({std::string("OUT  ") + op + " out0.rgb, c0.rgb, 111, 000 | " + op + " out0.a, c0.a, 1, 0"});
    for (uint32_t c = 0; c < 4; ++c) EXPECT_EQ(q.color[0][0][c], value) << op;
  };
  expect("MAD*2", 6), expect("MAD*4", 12), expect("MAD*8", 24), expect("MAD/2", 1.5f), expect("MAD/4", 0.75f), expect("MAD/8", 0.375f);
  expect("MAD.sat", 1), expect("MAD/8.sat", 0.375f);
  EXPECT_TRUE(reports.empty());
  run_alu({"OUT  MAX.copy out0.rgb, c0.rgb, c0.rgb"});
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_NE(reports[0].find("reserved OMOD"), std::string::npos) << reports[0];
  EXPECT_EQ(q.color[0][0][0], 3);
  // A product below the least number is doubled before it is rounded.
  load_constant(*state, 0, {kLeast, kLeast, kLeast, kLeast});
  run_alu({"OUT  MAD*4 out0.rgb, c0.rgb, hhh, 000"});
  EXPECT_EQ(q.color[0][0][0], 2 * kLeast);
}

TEST_F(R300, TempsAndOutputsInOneInstruction) {
  fill(1, 1.0f + kUlp / 4);  // interpolated values have 24 bits
  fill(2, 2), fill(5, 1.0f + kUlp / 4);
  run_alu({"OUT  MAD r5.rg&out1.rgb, r1.rgb, r2.rgb, 000 | MAD r6.a&out2.a&depth, r1.a, r2.a, 1",
           "OUT  MAX out0.rgb, r5.rgb, r5.rgb | MAX out0.a, r6.a, r6.a"});
  EXPECT_TRUE(reports.empty());
  EXPECT_EQ(q.color[1][0], (Vec4{2, 2, 2, 0}));
  EXPECT_EQ(q.color[2][0], (Vec4{0, 0, 0, 3}));
  EXPECT_EQ(q.color[0][0], (Vec4{2, 2, 1, 3}));
  EXPECT_EQ(q.depth[0], 3);
}

TEST_F(R300, LevelsRelocationAndOutputFlags) {
  memory->map(0x10000, 0x10000);
  for (uint32_t y = 0; y < 4; ++y)
    for (uint32_t x = 0; x < 4; ++x) memory->store<uint32_t>(0x10000 + y * 32 + x * 4, 0x80u);  // red 128/255
  state->set(regs::r300::TX_ENABLE{1});
  state->set(regs::TX_FILTER0{}.MAG_FILTER(1).MIN_FILTER(1));
  state->set(regs::TX_FORMAT0{}.TXWIDTH(3).TXHEIGHT(3));
  state->set(regs::TX_FORMAT1{}.TXFORMAT(regs::TX_FORMAT1::TXFORMAT__N8_8_8_8).SEL_RED(0).SEL_GREEN(1).SEL_BLUE(2).SEL_ALPHA(3));
  state->set(regs::TX_OFFSET{}.TXOFFSET(0x10000 >> 5));
  fill(0, 0.5f);
  const float red = num::to_fp24(128.0f / 255);
  // Each level looks up again and adds the result, from different places of the stores.
  const Level again{{"TEX  LD r1.rgba, r0.rgba, tex0"}, {"ALU  MAD r2.rgb, r1.rgb, 111, r2.rgb"}};
  for (size_t levels = 1; levels <= 4; ++levels)
    for (const uint32_t at : {0u, 20u}) {
      std::vector<Level> program(levels, again);
      program.back().alu.push_back("OUT  MAX out0.rgb, r2.rgb, r2.rgb");
      fill(2, 0), fill(0, 0.5f);
      run_levels(program, at, at + 7);
      float sum = 0;
      for (size_t i = 0; i < levels; ++i) sum = num::to_fp24(sum + red);
      EXPECT_TRUE(reports.empty()) << reports[0];
      EXPECT_EQ(q.color[0][0][0], sum) << levels << " levels at " << at;
    }
  // The first level without texture code.
  fill(2, 0), fill(0, 0.5f);
  run_levels({{{}, {"ALU  MAX r2.rgb, 111, 111"}}, {{"TEX  LD r1.rgba, r0.rgba, tex0"}, {"OUT  MAD out0.rgb, r1.rgb, 111, r2.rgb"}}});
  EXPECT_EQ(q.color[0][0][0], num::to_fp24(1 + red));
  // A level that does not say that it has outputs writes none.
  load_levels(*state, {{{}, {"OUT  MAX out0.rgb, 111, 111 | MAX out0.a&depth, 1, 1"}}});
  state->set(state->get<regs::r300::US_CODE_ADDR>(3).RGBA_OUT(0), 3);
  run();
  EXPECT_EQ(q.color[0][0], (Vec4{}));
  EXPECT_EQ(q.depth[0], 1);
  state->set(state->get<regs::r300::US_CODE_ADDR>(3).RGBA_OUT(1).W_OUT(0), 3);
  run();
  EXPECT_EQ(q.color[0][0], (Vec4{1, 1, 1, 1}));
  EXPECT_EQ(q.depth[0], 0);
}

/// All triples of values at the edges of 24 bits, against double arithmetic rounded once to 32 bits, then cut off.
TEST_F(R300, EdgeValuesOfEveryOperation) {
  const auto cut = [](float v) {  // not num::to_fp24
    if (std::isnan(v)) return flt(kNan);
    if (std::isinf(v) || v == 0) return v;
    int e;
    const double m = std::frexp(std::fabs(double(v)), &e);  // v = m * 2^e, 0.5 <= m < 1
    if (e - 1 < -62) return std::copysign(0.0f, v);
    if (e - 1 > 63) return std::copysign(kInf, v);
    return std::copysign(float(std::ldexp(std::floor(m * 0x1p17), e - 17)), v);
  };
  const struct {
    const char* op;
    int sources;
    float (*f)(float a, float b, float c);
  } rows[] = {{"MAD", 3, [](float a, float b, float c) { return std::fma(a, b, c); }},
              {"MIN", 2, [](float a, float b, float) { return a < b ? a : b; }},
              {"MAX", 2, [](float a, float b, float) { return a > b ? a : b; }},
              {"CND", 3, [](float a, float b, float c) { return c > 0.5f ? a : b; }},
              {"CMP", 3, [](float a, float b, float c) { return c >= 0 ? a : b; }},
              {"FRC", 1, [](float a, float, float) { return float(double(a) - std::floor(double(a))); }}};
  const float values[] = {0.0f,   -0.0f,   1.0f,     -1.0f,     0.5f, 0.5f + kUlp, -3.75f,    1 + kUlp, 2 - kUlp,
                          kLeast, -kLeast, kLargest, -kLargest, kInf, -kInf,       flt(kNan), 0x1p-40f, 0x1.8p40f};
  for (const auto& row : rows) {
    std::string rgb, alpha;
    for (int i = 0; i < row.sources; ++i) rgb += ", c" + std::to_string(i) + ".rgb", alpha += ", c" + std::to_string(i) + ".a";
    load_levels(*state, {{{}, {"OUT  " + std::string(row.op) + " out0.rgb" + rgb + " | " + row.op + " out0.a" + alpha}}});
    for (const float a : values)
      for (const float b : values)
        for (const float c : values) {
          if ((row.sources < 3 && bits(c) != bits(values[0])) || (row.sources < 2 && bits(b) != bits(values[0]))) continue;
          load_constant(*state, 0, {a, a, a, a}), load_constant(*state, 1, {b, b, b, b}), load_constant(*state, 2, {c, c, c, c});
          run();
          const uint32_t want = bits(cut(row.f(a, b, c)));
          ASSERT_EQ(out(0), want) << row.op << " " << a << " " << b << " " << c;
          ASSERT_EQ(out(3), want) << row.op << " " << a << " " << b << " " << c << ", alpha";
        }
  }
  EXPECT_TRUE(reports.empty());
}

/// The lookups of texture instructions: as they are, divided by Q, with Q as bias of the level; and NOP.
TEST_F(R300, TextureLookups) {
  memory->map(0x10000, 0x10000);
  for (uint32_t y = 0; y < 4; ++y)
    for (uint32_t x = 0; x < 4; ++x) memory->store<uint32_t>(0x10000 + y * 32 + x * 4, 0x10 * x + 0x1000 * y);  // red by x, green by y
  for (uint32_t y = 0; y < 2; ++y)
    for (uint32_t x = 0; x < 2; ++x) memory->store<uint32_t>(0x10080 + y * 32 + x * 4, 0xFF);
  state->set(regs::r300::TX_ENABLE{1});
  state->set(regs::TX_FILTER0{}.MAG_FILTER(1).MIN_FILTER(1).MIP_FILTER(1));
  state->set(regs::TX_FORMAT0{}.TXWIDTH(3).TXHEIGHT(3).NUM_LEVELS(1));
  state->set(regs::TX_FORMAT1{}.TXFORMAT(regs::TX_FORMAT1::TXFORMAT__N8_8_8_8).SEL_RED(0).SEL_GREEN(1).SEL_BLUE(2).SEL_ALPHA(3));
  state->set(regs::TX_OFFSET{}.TXOFFSET(0x10000 >> 5));
  const auto looked_up = [&](const char* op, const Vec4& at) {
    for (Vec4& pixel : q.temp[0]) pixel = at;
    fill(1, 0.25f);
    run_levels({{{"TEX  " + std::string(op) + " r1.rgba, r0.rgba, tex0"}, {"OUT  MAX out0.rgb, r1.rgb, r1.rgb"}}});
    EXPECT_TRUE(reports.empty()) << reports[0];
    return q.color[0][0];
  };
  const auto texel = [](uint32_t x, uint32_t y) { return Vec4{num::to_fp24(0x10 * x / 255.0f), num::to_fp24(0x10 * y / 255.0f), 0, 0}; };
  EXPECT_EQ(looked_up("LD", {0.875f, 0.375f, 0, 2}), texel(3, 1));
  EXPECT_EQ(looked_up("PROJ", {0.875f, 0.375f, 0, 2}), texel(1, 0));
  EXPECT_EQ(looked_up("PROJ", {-1.5f, -1.25f, 0, -2}), texel(3, 2));
  EXPECT_EQ(looked_up("LODBIAS", {0.875f, 0.375f, 0, 0}), texel(3, 1));
  EXPECT_EQ(looked_up("LODBIAS", {0.875f, 0.375f, 0, 200}), (Vec4{1, 0, 0, 0}));
  fill(1, 0.25f);
  load_levels(*state, {{{"TEX  NOP"}, {"OUT  MAX out0.rgb, r1.rgb, r1.rgb"}}});
  run();
  EXPECT_EQ(q.color[0][0], (Vec4{0.25f, 0.25f, 0.25f, 0}));
}

TEST_F(R300, TextureKill) {
  per_pixel(3, 1, -1, -0.0f, 0);
  run_levels({{{"TEX  TEXKILL r3.rgba"}, {"OUT  MAX out0.rgb, 111, 111"}}});
  EXPECT_EQ(q.killed, 6);
}

TEST_F(R300, WhatIsOutsideIsReported) {
  run_levels({{{}, {"OUT  MAX out0.rgb, 111, 111"}}}, 0, 0);
  state->set(regs::r300::US_CODE_OFFSET{}.ALU_CODE_OFFSET(63));
  state->set(regs::r300::US_CODE_ADDR{}.ALU_START(1).RGBA_OUT(1), 3);
  run();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_NE(reports[0].find("ALU instruction 64 is outside the store of 64"), std::string::npos) << reports[0];
  state->set(regs::r300::US_PIXSIZE{}.PIX_SIZE(3));
  run_alu({"ALU  MAX r4.rgb, 111, 111", "OUT  MAX out0.rgb, r4.rgb, r4.rgb"});
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(q.color[0][0][0], 0);
}

/// Banks of code and 64 temps are the R4xx's (us-isa B1): without R390_MODE_ENABLE a program that needs them does not run.
TEST_F(R300, CodeBanksNeedTheirMode) {
  using namespace regs::r300;
  const std::vector<Level> program = {{{}, {"OUT  MAX out0.rgb, 111, 111"}}};
  run_levels(program);
  EXPECT_EQ(q.color[0][0][0], 1);
  EXPECT_TRUE(reports.empty());
  const auto refused = [&](const char* text) {
    run_levels(program);
    EXPECT_EQ(q.color[0][0][0], 0) << text;
    ASSERT_EQ(reports.size(), 1u) << text;
    EXPECT_NE(reports[0].find(text), std::string::npos) << reports[0];
  };
  state->set(US_CODE_BANK{}.BANK(1));
  refused("US_CODE_BANK.BANK 1 without R390_MODE_ENABLE: the R3xx has one bank of code");
  state->set(US_CODE_BANK{});
  state->set(US_CODE_EXT{}.ALU_START3_MSB(1));
  refused("US_CODE_EXT without R390_MODE_ENABLE");
  state->set(US_CODE_EXT{});
  state->set(US_ALU_EXT_ADDR{8}, 0);
  refused("US_ALU_EXT_ADDR of ALU instruction 0 without R390_MODE_ENABLE: the R3xx has 32 temps");
  state->set(US_ALU_EXT_ADDR{}, 0);
  state->set(US_ALU_EXT_ADDR{8}, 1);  // of an instruction that is not reached
  run_levels(program);
  EXPECT_EQ(q.color[0][0][0], 1);
  EXPECT_TRUE(reports.empty());
}

/// A program of three banks, loaded through the windows as us-isa B1 says: 130 additions count to 130 in temp 40; two lookups, one of
/// texture instruction 40, in bank 1. Each upper bit of the registers moves or cuts it.
TEST_F(R300, BanksOfTheR4xx) {
  using namespace regs::r300;
  RegisterFile registers(*state, [](uint32_t offset, uint32_t, const char* why) { ADD_FAILURE() << offset << " " << why; });
  UploadPorts ports(*state, registers);
  const auto write = [&](uint32_t offset, uint32_t value) { registers.write(offset, value); };
  const auto bank = [&](uint32_t n) { write(US_CODE_BANK::offset, US_CODE_BANK{}.BANK(n).R390_MODE_ENABLE(1).raw); };
  load_constant(*state, 0, {1, 1, 1, 1});
  const auto add = assembly::us_r300_words("ALU  MAD r40.rgb, r40.rgb, 111, c0.rgb");
  const auto out = assembly::us_r300_words("OUT  MAX out0.rgb, r40.rgb, r40.rgb");
  ASSERT_TRUE(add.ok() && out.ok()) << add.error << out.error;
  const auto alu = [&](uint32_t n, const auto& words) {
    bank(n / 64);
    const uint32_t at[] = {US_ALU_RGB_ADDR::at(n % 64), US_ALU_ALPHA_ADDR::at(n % 64), US_ALU_RGB_INST::at(n % 64),
                           US_ALU_ALPHA_INST::at(n % 64), US_ALU_EXT_ADDR::at(n % 64)};
    for (uint32_t i = 0; i < 5; ++i) write(at[i], words[i]);
  };
  constexpr uint32_t kFirst = 50, kAdds = 130;
  for (uint32_t i = 0; i < kAdds; ++i) alu(kFirst + i, add.words);
  alu(kFirst + kAdds, out.words);
  const auto kill = assembly::us_r300_tex_words("TEX  TEXKILL r33.rgba"), other = assembly::us_r300_tex_words("TEX  TEXKILL r1.rgba");
  ASSERT_TRUE(kill.ok() && other.ok()) << kill.error;
  bank(1);
  write(US_TEX_INST::at(7), kill.words[0]);   // texture instruction 39: of a temp that is 0
  write(US_TEX_INST::at(8), other.words[0]);  // texture instruction 40
  bank(0);
  EXPECT_EQ(registers.read(US_TEX_INST::at(8)), 0u);
  bank(1);
  EXPECT_EQ(registers.read(US_TEX_INST::at(8)), other.words[0]);
  EXPECT_EQ(registers.read(US_ALU_EXT_ADDR::at(0)), add.words[4]);
  bank(0);
  write(US_CONFIG::offset, US_CONFIG{}.FIRST_TEX(1).raw);
  const auto levels = [&](uint32_t tex_start, uint32_t texs, uint32_t alus) {
    write(US_CODE_OFFSET::offset, US_CODE_OFFSET{}.ALU_CODE_OFFSET(kFirst).raw);
    write(US_CODE_ADDR::at(3), US_CODE_ADDR{}
                                   .ALU_SIZE((alus - 1) & 63)
                                   .TEX_START(tex_start & 31)
                                   .TEX_START_MSB(tex_start >> 5)
                                   .TEX_SIZE(texs - 1)
                                   .RGBA_OUT(1)
                                   .raw);
    write(US_CODE_EXT::offset, US_CODE_EXT{}.ALU_SIZE3_MSB((alus - 1) >> 6).raw);
    per_pixel(1, 1, -1, 1, -1);
    run();
  };
  levels(39, 1, kAdds + 1);
  EXPECT_TRUE(reports.empty()) << reports[0];
  EXPECT_EQ(q.color[0][0], (Vec4{kAdds, kAdds, kAdds, 0}));
  EXPECT_EQ(q.killed, 0);
  levels(39, 2, kAdds + 1);  // one texture instruction more: the kill
  EXPECT_EQ(q.killed, 10);
  levels(39, 1, kAdds + 1 - 64);  // without the output
  EXPECT_EQ(q.color[0][0][0], 0);
  write(US_CODE_EXT::offset, US_CODE_EXT{}.ALU_SIZE3_MSB(1).ALU_START3_MSB(1).raw);  // 64 further on
  write(US_CODE_ADDR::at(3), US_CODE_ADDR{}.ALU_SIZE(66 - 64).TEX_START(7).TEX_START_MSB(1).RGBA_OUT(1).raw);
  run();
  EXPECT_EQ(q.color[0][0][0], 66) << "67 instructions, the last of them the output";
  bank(2);  // the registers show another bank: the same program
  run();
  EXPECT_TRUE(reports.empty());
  EXPECT_EQ(q.color[0][0][0], 66);
  write(US_CODE_EXT::offset, US_CODE_EXT{}.ALU_START3_MSB(7).ALU_OFFSET_MSB(7).raw);
  run();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_NE(reports[0].find("ALU instruction 946 is outside the store of 512"), std::string::npos) << reports[0];
}

}  // namespace
}  // namespace pumice::hw::us_test
