// SPDX-License-Identifier: MIT
/// The decoded instructions of every instruction set: pack and unpack are inverse, illegal words are named, operations have one name each.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>
#include <string>

#include "hw/db/formats.h"
#include "hw/db/isa_pvs.h"
#include "hw/db/isa_us_r500.h"

namespace pumice::isa {
namespace {

#define PUMICE_ISA(NAME, SPACE, LEVEL)                                                               \
  struct NAME {                                                                                      \
    using Words = SPACE::Words;                                                                      \
    using Instruction = SPACE::Instruction;                                                          \
    static constexpr const auto& kFormats = SPACE::kFormats;                                         \
    static Instruction unpack(const Words& w) { return SPACE::unpack(w); }                           \
    static Words pack(const Instruction& x) { return SPACE::pack(x); }                               \
    static auto find_illegal(const Words& w) { return SPACE::find_illegal(w, SPACE::Level::LEVEL); } \
    static const char* find_misfit(const Instruction& x) { return SPACE::find_misfit(x); }           \
    static const auto& format(const Instruction& x) { return SPACE::format(x); }                     \
  }
PUMICE_ISA(UsR500, us_r500, r500);
PUMICE_ISA(UsR5x, us_r500, r5x);
PUMICE_ISA(Pvs, pvs, r500);

template <class Isa>
class Decoded : public ::testing::Test {
 protected:
  using Words = typename Isa::Words;
  std::mt19937 random{1};

  Words random_words() {
    Words w;
    for (uint32_t& x : w) x = uint32_t(random());
    return w;
  }
  template <class Field>
  static uint32_t get(const Words& w, const Field& f) {
    return w[f.word] >> f.low & (f.width == 32 ? ~0u : (1u << f.width) - 1);
  }
  template <class Field>
  static void set(Words& w, const Field& f, uint32_t v) {
    const uint32_t mask = (f.width == 32 ? ~0u : (1u << f.width) - 1) << f.low;
    w[f.word] = (w[f.word] & ~mask) | v << f.low;
  }
  /// Words that find_illegal() takes: every code of every field comes up.
  Words legal_words() {
    for (int i = 0; i < 1000; ++i) {
      const Words w = legal_fields();
      if (!Isa::find_illegal(w)) return w;  // else a code that several fields make together
    }
    ADD_FAILURE() << "nothing is legal";
    return {};
  }
  /// Words whose fields are legal each.
  Words legal_fields() {
    Words w = random_words();
    const auto& format = Isa::format(Isa::unpack(w));
    for (size_t i = 0; i < w.size(); ++i) w[i] &= format.defined[i];
    for (const auto& f : format.fields)
      while (f.legal != 0 && !(f.legal >> get(w, f) & 1)) set(w, f, uint32_t(random()) & ((1u << f.width) - 1));
    return w;
  }
};
using Isas = ::testing::Types<UsR500, UsR5x, Pvs>;
TYPED_TEST_SUITE(Decoded, Isas);

TYPED_TEST(Decoded, LegalWordsComeBack) {
  for (int i = 0; i < 20000; ++i) {
    const auto w = this->legal_words();
    ASSERT_FALSE(TypeParam::find_illegal(w)) << TypeParam::find_illegal(w)->name;
    const auto x = TypeParam::unpack(w);
    ASSERT_EQ(TypeParam::find_misfit(x), nullptr);
    ASSERT_EQ(TypeParam::pack(x), w);
    ASSERT_EQ(TypeParam::unpack(TypeParam::pack(x)), x);
  }
}

TYPED_TEST(Decoded, WhatUnpackKeepsPackGivesBack) {
  for (int i = 0; i < 20000; ++i) {
    const auto x = TypeParam::unpack(this->random_words());
    ASSERT_EQ(TypeParam::unpack(TypeParam::pack(x)), x);
  }
}

TYPED_TEST(Decoded, EveryReservedCodeIsRefusedByName) {
  std::set<std::string> refused;
  for (int i = 0; i < 20000; ++i) {
    const auto legal = this->legal_words();
    const auto& format = TypeParam::format(TypeParam::unpack(legal));
    for (const auto& f : format.fields) {
      if (f.legal == 0) continue;
      for (uint32_t v = 0; v < 1u << f.width; ++v) {
        if (f.legal >> v & 1) continue;
        auto w = legal;
        this->set(w, f, v);
        if (&TypeParam::format(TypeParam::unpack(w)) != &format) continue;
        const auto found = TypeParam::find_illegal(w);
        ASSERT_TRUE(found) << f.name.c_str() << " = " << v;
        ASSERT_STREQ(found->name, f.name.c_str());
        ASSERT_EQ(found->value, v);
        refused.emplace(f.name);
      }
    }
    // Bits that no field has.
    for (size_t k = 0; k < legal.size(); ++k) {
      const uint32_t free = ~format.defined[k];
      if (free == 0 || i > 100) continue;
      auto w = legal;
      w[k] |= free & (~free + 1);
      const auto found = TypeParam::find_illegal(w);
      ASSERT_TRUE(found);
      EXPECT_EQ(found->word, k);
      EXPECT_STREQ(found->name, format.words[k]);
    }
  }
  EXPECT_FALSE(refused.empty());
}

template <class Ops, class Info>
void expect_names(const Ops& ops, Info info) {
  std::set<std::string> names, mnemonics;
  for (const auto& o : ops) {
    EXPECT_TRUE(names.emplace(o.name).second) << o.name.c_str();
    EXPECT_TRUE(mnemonics.emplace(o.mnemonic).second) << o.mnemonic.c_str();
    EXPECT_STREQ(info(o.op).name.c_str(), o.name.c_str());
    EXPECT_FALSE(reserved(o.op));
    for (size_t s = o.sources; s < o.reads.size(); ++s)
      EXPECT_EQ(o.reads[s], 0) << o.name.c_str() << " reads an operand that it does not have";
  }
}

TEST(UsR500Operations, HaveOneNameAndCodesThatComeBack) {
  using namespace us_r500;
  expect_names(kAluOps, [](AluOp op) { return info(op); });
  expect_names(kTexOps, [](TexOp op) { return info(op); });
  expect_names(kFlowOps, [](FlowOp op) { return info(op); });
  for (const AluOpInfo& o : kAluOps) {
    EXPECT_EQ(rgb_code(o.op), o.rgb);
    EXPECT_EQ(alpha_code(o.op), o.alpha);
    EXPECT_TRUE(o.rgb >= 0 || o.alpha >= 0) << o.name.c_str();
    EXPECT_TRUE(o.rgb < 0 || rgb_op(uint32_t(o.rgb)) == o.op) << o.name.c_str();
    EXPECT_TRUE(o.alpha < 0 || alpha_op(uint32_t(o.alpha)) == o.op) << o.name.c_str();
  }
  for (uint32_t code = 0; code < 16; ++code) {
    EXPECT_EQ(rgb_code(rgb_op(code)), int(code));
    EXPECT_EQ(alpha_code(alpha_op(code)), int(code));
  }
}

TEST(UsR500Operations, OfTheOtherUnitAreRefused) {
  using namespace us_r500;
  Instruction x;
  x.rgb.op = AluOp::EX2;
  EXPECT_STREQ(find_misfit(x), "rgb.op");
  x.rgb.op = AluOp::MAD, x.alpha.op = AluOp::DP3;
  EXPECT_STREQ(find_misfit(x), "alpha.op");
  x.alpha.op = AluOp::MAD, x.rgb.address[1] = {Address::File::temp, 128, false};
  EXPECT_STREQ(find_misfit(x), "rgb.address[1].file");
  x.rgb.address[1] = {Address::File::constant, 255, false};
  EXPECT_EQ(find_misfit(x), nullptr);
  x.alpha.dest = 128;
  EXPECT_STREQ(find_misfit(x), "alpha.dest");
}

TEST(UsR5xOperations, HaveOneNameAndTheirClasses) {
  using namespace us_r500;
  expect_names(kXiOps, [](XiOp op) { return info(op); });
  expect_names(kXOps, [](XOp op) { return info(op); });
  EXPECT_EQ(kXiOps.size(), 69u);
  Unit u;
  for (const XiOpInfo& o : kXiOps) {
    u.xi(o.op);
    EXPECT_EQ(u.xi(), o.op);
    EXPECT_EQ(u.omod | u.operand[2].modifier << 3 | u.target << 5, code(o.op)) << o.name.c_str();
  }
  EXPECT_EQ(info(XiOp::LDEXP).classes, (std::array{OperandClass::real, OperandClass::integer, OperandClass::integer}));
}

/// What r5x has in addition: legal there, refused by name on strict chips, and what their decoder makes of it.
TEST(UsR5xOperations, AreRefusedOnStrictChips) {
  using namespace us_r500;
  const auto expect = [](const Instruction& x, const char* name) {
    const Words w = pack(x);
    EXPECT_EQ(unpack(w), x);
    const auto extended = find_illegal(w, Level::r5x);
    EXPECT_FALSE(extended) << extended->name;
    for (const Level strict : {Level::r500, Level::r300}) {
      const auto found = find_illegal(w, strict);
      EXPECT_STREQ(found ? found->name : "", name);
    }
    Instruction read = x;
    make_strict(read);
    return read;
  };
  Instruction x;
  x.rgb.op = AluOp::XI, x.rgb.xi(XiOp::IADD);
  Instruction read = x;
  make_strict(read);
  EXPECT_TRUE(reserved(read.rgb.op));
  EXPECT_EQ(rgb_code(read.rgb.op), 6);
  const auto refused = [&](const Instruction& i, Level level, const char* name) {
    const auto found = find_illegal(pack(i), level);
    ASSERT_TRUE(found) << name;
    EXPECT_STREQ(found->name, name);
  };
  refused(x, Level::r500, "US_ALU_RGBA_INST.RGB_OP");
  EXPECT_FALSE(find_illegal(pack(x), Level::r5x));
  Instruction bad = x;
  bad.type = Type::OUTPUT;
  refused(bad, Level::r5x, "US_ALU_RGBA_INST.RGB_OP");
  bad = x, bad.rgb.clamp = true;
  refused(bad, Level::r5x, "US_CMN_INST.RGB_CLAMP");
  bad = x, bad.rgb.xi(XiOp(47));  // reserved
  refused(bad, Level::r5x, "US_ALU_RGB_INST.OMOD");
  bad = x, bad.rgb.operand[1].swizzle[1] = 5;  // an integer has no half
  refused(bad, Level::r5x, "US_ALU_RGB_INST.OMOD");
  bad = x, bad.rgb.xi(XiOp::SEL), bad.rgb.operand[0].modifier = 1;  // raw
  refused(bad, Level::r5x, "US_ALU_RGB_INST.OMOD");
  bad = x, bad.rgb.op = AluOp::MAD, bad.rgb.xi(XiOp::IADD), bad.alpha.op = AluOp::XI, bad.alpha.xi(XiOp::FDIV);
  bad.alpha.operand[0].select = 3, bad.alpha.operand[0].swizzle[0] = 5;  // as strict operands
  EXPECT_FALSE(find_illegal(pack(bad), Level::r5x));

  Instruction m;
  m.type = Type::TEXTURE;
  m.tex.inst = TexOp::X, m.tex.x.op = XOp::ATB, m.tex.x.sub = uint8_t(SubOp::COMPARE_EXCHANGE);
  m.tex.x.immediate = 0xFFFFFFFFu, m.tex.x.descriptor = {8, true, 127, 3, 0x3FFFF};
  EXPECT_TRUE(reserved(expect(m, "US_TEX_INST.XOP").tex.inst));
  EXPECT_EQ(selector_of(word_of(m.tex.x.descriptor)), m.tex.x.descriptor);
  bad = m, bad.tex.inst = TexOp::LD;
  refused(bad, Level::r5x, "US_TEX_INST.XOP");
  bad = m, bad.tex.unit = 1;
  refused(bad, Level::r5x, "US_TEX_INST.TEX_ID");
  bad = m, bad.tex.x.op = XOp(63);
  refused(bad, Level::r5x, "US_TEX_INST.XOP");

  Instruction f;
  f.type = Type::FLOW_CONTROL;
  f.flow.op = FlowOp::XENDLOOP, f.flow.target = 0x7FFF;
  read = expect(f, "US_FC_INST.OP_PAGE");
  EXPECT_EQ(read.flow.op, FlowOp::LOOP);  // bit 3 does not exist
  EXPECT_EQ(read.flow.target, 0x1FF);
  f.flow.op = FlowOp::JUMP, f.flow.target = 0x200;
  EXPECT_EQ(expect(f, "US_FC_ADDR.JUMP_ADDR_HIGH").flow.target, 0);
}

TEST(Formats, HaveTheirBits) {
  using namespace hw::formats;
  for (uint32_t n = 1; n < kFormats; ++n) {
    if (!is_known(n)) continue;
    const Info& f = info(n);
    EXPECT_GT(f.bytes, 0) << f.name.c_str();
    EXPECT_EQ(f.count == 0, f.compressed()) << f.name.c_str();
    uint32_t end = 0;
    for (uint32_t i = 0; i < f.count; ++i) {
      EXPECT_GE(f.component[i].shift, end) << f.name.c_str();
      end = f.component[i].shift + f.component[i].bits;
    }
    EXPECT_LE(end, f.bytes * 8u) << f.name.c_str();
  }
  EXPECT_EQ(info(B8G8R8A8_UNORM).name, "B8G8R8A8_UNORM");
  EXPECT_EQ(int(B8G8R8A8_UNORM), 44);
  EXPECT_EQ(info(B8G8R8A8_UNORM).find(Channel::r)->shift, 16);
  EXPECT_EQ(info(R5G6B5_UNORM_PACK16).find(Channel::r)->shift, 11);
  EXPECT_EQ(info(A2B10G10R10_UNORM_PACK32).find(Channel::a)->shift, 30);
  EXPECT_EQ(info(D24_UNORM_S8_UINT).find(Channel::d)->shift, 8);
  EXPECT_EQ(info(BC1_RGB_UNORM_BLOCK).bytes, 8);
  EXPECT_FALSE(is_known(187) || is_known(0));
}

TEST(PvsOperations, HaveOneNameAndTheirEngine) {
  using namespace pvs;
  expect_names(kVectorOps, [](VectorOp op) { return info(op); });
  expect_names(kMathOps, [](MathOp op) { return info(op); });
  expect_names(kMacroOps, [](MacroOp op) { return info(op); });
  Instruction x;
  x.op = uint8_t(VectorOp::MULTIPLY_ADD);
  EXPECT_STREQ(op_info(x).name, "MULTIPLY_ADD");
  EXPECT_FALSE(find_illegal(pack(x)));
  x.engine = Engine::macro;  // has two operations
  ASSERT_TRUE(find_illegal(pack(x)));
  EXPECT_STREQ(find_illegal(pack(x))->name, "PVS_INST_DST.PVS_DST_OPCODE");
  x = {};
  x.op = uint8_t(VectorOp::SET_EQUAL);  // of the R5xx
  EXPECT_FALSE(find_illegal(pack(x)));
  ASSERT_TRUE(find_illegal(pack(x), Level::r300));
  x.op = uint8_t(VectorOp::ADD), x.predicated = true;
  ASSERT_TRUE(find_illegal(pack(x), Level::r300));
  EXPECT_STREQ(find_illegal(pack(x), Level::r300)->name, "PVS_INST_DST.PVS_DST_PRED_ENABLE");
  x.predicated = false, x.source[1].addressing = Addressing::reserved;
  ASSERT_TRUE(find_illegal(pack(x)));
  EXPECT_STREQ(find_illegal(pack(x))->name, "PVS_INST_SRC.PVS_SRC_ADDR_MODE_0");
  EXPECT_EQ(find_illegal(pack(x))->word, 2);
}

TEST(UsR500InlineFloat, CodesComeBack) {
  using namespace us_r500;
  EXPECT_EQ(inline_float_value(0), 0.0f);
  EXPECT_EQ(inline_float_value(1), 0x1p-9f);
  EXPECT_EQ(inline_float_value(7 << 3), 1.0f);
  EXPECT_EQ(inline_float_value(127), 480.0f);
  for (uint32_t code = 0; code < 128; ++code) EXPECT_EQ(inline_float_code(inline_float_value(code)), int(code));
  EXPECT_EQ(inline_float_code(-2.0f), inline_float_code(2.0f));
  EXPECT_EQ(inline_float_code(3.1f), -1);
  EXPECT_EQ(inline_float_code(1000.0f), -1);
}

}  // namespace
}  // namespace pumice::isa
