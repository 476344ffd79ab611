// SPDX-License-Identifier: MIT
/// What is written by hand, and the errors.
#include <gtest/gtest.h>

#include <random>

#include "hw/radeon/asm/assembly.h"

namespace pumice::hw::assembly {
namespace {

using namespace std::string_literals;

TEST(UsText, AssemblesWhatIsWritten) {
  const auto mad = us_words("ALU  MAD*2.sat r1.rgb, -|r2.rgr|, c3.bbb, 0h1 | RCP r4.a, r2.a");
  ASSERT_TRUE(mad.ok()) << mad.error;
  const auto x = isa::us_r500::unpack(mad.words);
  EXPECT_EQ(x.rgb.op, isa::us_r500::AluOp::MAD);
  EXPECT_EQ(x.rgb.omod, 1);
  EXPECT_TRUE(x.rgb.clamp);
  EXPECT_EQ(x.rgb.write, 7);
  EXPECT_EQ(x.rgb.dest, 1);
  EXPECT_EQ(x.rgb.operand[0].modifier, 3);
  EXPECT_EQ(x.rgb.address[x.rgb.operand[0].select], (isa::us_r500::Address{isa::us_r500::Address::File::temp, 2, false}));
  EXPECT_EQ(x.rgb.address[x.rgb.operand[1].select], (isa::us_r500::Address{isa::us_r500::Address::File::constant, 3, false}));
  EXPECT_EQ(x.rgb.operand[2].swizzle, (std::array<uint8_t, 3>{4, 5, 6}));
  EXPECT_EQ(x.alpha.op, isa::us_r500::AluOp::RCP);
  EXPECT_EQ(x.alpha.write, 1);
  EXPECT_EQ(x.alpha.address[x.alpha.operand[0].select], (isa::us_r500::Address{isa::us_r500::Address::File::temp, 2, false}));
}

TEST(UsText, IsExactForPlainLines) {
  // Lines without a correction come back as they are.
  for (const std::string& line : {
           "ALU  MAD r1.rgb, r2.rgb, c3.rgb, #0.5.rrr | MAD r1.a, r2.a, c3.a, 0"s,
           "OUT  MAX out0.rgb, (r1|r2).rga, 000 | MAX out0.a, r1.a, 0  {sem_wait last}"s,
           "ALU  DP3 pred[ge].r, r1.rgb, r2+aL.rgb"s,
           "ALU  MAD r1.rgb, srcp.rgb, 111, 000 srcp=1-2*r4"s,
           "TEX  LD r1.rgba, r0.rgba, tex3  {sem_wait acquire}"s,
           "TEX  TEXKILL r0.rrrr"s,
           "FC   JUMP func=0f all stay=- jump=incr pop=1 int0 -> 12  {alu_wait}"s,
           "FC   ENDLOOP func=00 any stay=- jump=- pop=0 int2 -> 4"s,
       }) {
    const auto words = us_words(line);
    ASSERT_TRUE(words.ok()) << line << "\n" << std::string(words.column, ' ') << "^ " << words.error;
    EXPECT_EQ(us_words(us_text(words.words)).words, words.words);
    const std::string text = us_text(words.words);
    EXPECT_EQ(text.substr(0, text.find("  !")), line);
  }
}

TEST(PvsText, AssemblesWhatIsWritten) {
  for (const std::string& line : {
           "VE  MAD o0.xyzw, c1.xyzw, r2.-x-y-z1, i0.wwww"s,
           "VE  ADD.sat r3.xz, |c[a0.x+5].xyzw|, r[aL+1].xyzw"s,
           "ME  RECIP_DX r1.w, r2.w"s,
           "VE  MUL r1.xyzw, r2.xyzw, r3.xyzw  + ME EXP_BASE2_DX x1.y, r4.xy"s,
           "VE  ADD a0._, i3.xyzw, i4.xyzw  {if !pred}"s,
       }) {
    const auto words = pvs_words(line);
    if (!words.ok() && words.error.starts_with("no operation")) continue;  // mnemonics are the database's
    ASSERT_TRUE(words.ok()) << line << "\n" << std::string(words.column, ' ') << "^ " << words.error;
    const std::string text = pvs_text(words.words);
    EXPECT_EQ(text.substr(0, text.find("  !")), line);
  }
}

TEST(Errors, HaveAPlace) {
  const auto expect = [](const auto& result, const char* what, size_t column) {
    EXPECT_FALSE(result.ok());
    EXPECT_NE(result.error.find(what), std::string::npos) << result.error;
    EXPECT_EQ(result.column, column) << result.error;
  };
  expect(us_words("ALU  FOO r1.rgb, r2.rgb"), "no operation FOO", 5);
  expect(us_words("ALU  MAD r200.rgb, r1.rgb, r1.rgb, r1.rgb"), "at most 127", 10);
  expect(us_words("ALU  MAD r1.rgb, r1.rgx, r1.rgb, r1.rgb"), "a channel", 22);
  expect(us_words("ALU  MAD r1.rgb, r1.rgb, r2.rgb, r3.rgb | MAD r1.a, r4.r, 0, 0"), "more than three sources", 62);
  expect(us_words("OUT  MAX pred[ge].r, r1.rgb, r1.rgb"), "no predicate", 14);
  expect(us_words("TEX  LD r1.rgba, r0.rgba, tex16"), "at most 15", 29);
  expect(us_words("FC   JUMP func=1ff all stay=- jump=- pop=0 int0 -> 1"), "at most 255", 18);
  expect(us_words("ALU  MAX _,"), "unexpected text", 10);  // which unit it is of, the first operand would say
  expect(us_words("what"), "ALU, OUT, TEX or FC", 0);
  expect(us_words(""), "ALU, OUT, TEX or FC", 0);
  expect(pvs_words("VE  FOO o0.x, c0.xyzw"), "no operation FOO", 7);
  expect(pvs_words("VE  ADD q0.x, c0.xyzw, c0.xyzw"), "a destination", 8);
  expect(pvs_words("VE  ADD o0.x, c0.xyzq, c0.xyzw"), "a component", 20);
  const auto& tables = decode::tables(Profile::r500);
  expect(word_value(tables, "ZB_CNTL ZFUNNY=1"), "no field ZFUNNY", 15);
  expect(word_value(tables, "NOTHING"), "no word or register", 7);
}

/// Changes a few characters: others in their place, some left out, a part of the text once more.
void damage(std::string& t, std::mt19937& random) {
  for (int k = int(random() % 4); k >= 0; --k) {
    const size_t at = random() % t.size();
    switch (random() % 6) {
      case 0: t.erase(at, random() % 5); break;
      case 1: t.insert(at, t.substr(random() % t.size(), random() % 12)); break;
      case 2: t.insert(at, random() % 2 ? "99999999999999999999" : "-"); break;
      default: t[at] = char(random() % 3 ? 32 + random() % 96 : random() % 256);
    }
    if (t.empty()) t = "x";
  }
}

/// Damaged text of every instruction set and of registers gives words or an error with a place, never a crash.
TEST(Errors, OfDamagedText) {
  std::mt19937 random(5);
  const auto words = [&](auto w) {
    for (uint32_t& x : w) x = uint32_t(random());
    return w;
  };
  int broken = 0;
  const auto expect_place = [&](const auto& result, const std::string& text) {
    broken += !result.ok();
    EXPECT_TRUE(result.ok() || (!result.error.empty() && result.column <= text.size())) << text << ": " << result.error;
  };
  constexpr Profile kProfiles[] = {Profile::r300, Profile::r500, Profile::r5x};
  for (int i = 0; i < 60000; ++i) {
    std::string us = us_text(words(isa::us_r500::Words{})), pvs = pvs_text(words(isa::pvs::Words{}));
    std::string r300 = us_r300_text(words(isa::us_r300::Words{})), tex = us_r300_tex_text(words(isa::us_r300_tex::Words{}));
    const decode::Tables& tables = decode::tables(kProfiles[i % 3]);
    std::string reg = word_text(tables, tables.entries[random() % tables.entries.size()], uint32_t(random()));
    for (std::string* t : {&us, &pvs, &r300, &tex, &reg}) damage(*t, random);
    expect_place(us_words(us), us);
    expect_place(pvs_words(pvs), pvs);
    expect_place(us_r300_words(r300), r300);
    expect_place(us_r300_tex_words(tex), tex);
    expect_place(word_value(tables, reg), reg);
  }
  EXPECT_GT(broken, 100000);
}

}  // namespace
}  // namespace pumice::hw::assembly
