// SPDX-License-Identifier: MIT
/// Random fragment programs: native code of each instruction set, and the lane interpreter, against hw/radeon/ref/us, bit for bit.
/// Which programs: tests/fuzz.h; one alone prints its lane program.
#include <cstdio>
#include <map>

#include "hw/radeon/jit/lane/routine.h"
#include "hw/radeon/jit/us/translate.h"
#include "tests/fuzz.h"
#include "tests/hw/fast/cpus.h"
#include "tests/hw/fast/us/shade_rig.h"

namespace pumice::hw::fast::us {
namespace {

using Cmn = regs::US_CMN_INST;
using Rgba = regs::US_ALU_RGBA_INST;
using Alpha = regs::US_ALU_ALPHA_INST;
using Tex = regs::US_TEX_INST;

constexpr uint32_t kTemps = 10;

class Maker {
 public:
  explicit Maker(uint32_t seed) : engine_(seed) {}

  void fill(Bench& b) {
    b.config.on_report = [](const Report&) {};
    flow_ = one_in(2);
    wild_ = flow_ && one_in(2);
    relative_ = one_in(6);
    textures_ = one_in(4);
    odd_ = one_in(16);
    code_.clear();
    block(4 + below(12), 0);
    for (uint32_t n = 1 + below(3); n > 0; --n) code_.push_back(alu(true));
    const size_t end = code_.size();
    if (wild_) {
      subroutines();
      for (Code& c : code_) disturb(c);
    }
    // Jumps are relative to US_CODE_OFFSET.
    const uint32_t at = code_.size() < 300 ? below(200) : 0;
    b.load(code_, at);
    b.state->set(regs::US_CODE_ADDR{}.START_ADDR(0).END_ADDR(uint32_t(end - 1)));
    if (wild_ && one_in(8)) b.state->set(regs::US_FC_CTRL{}.FULL_FC_EN(0));
    if (odd_) {  // a random word
      auto& word = b.state->us_code[at + below(uint32_t(code_.size()))][below(6)];
      word ^= 1u << below(32);
    }
    for (auto& c : b.state->us_const)
      for (uint32_t& w : c) w = number();
    for (uint32_t i = 0; i < 32; ++i) b.state->set(regs::US_FC_INT_CONST{}.KR(below(5)).KG(below(6)).KB(below(2) ? below(4) : 255), i);
    b.state->set(regs::US_FC_BOOL_CONST{random()});
    b.state->set(regs::US_CONFIG{}.ZERO_TIMES_ANYTHING_EQUALS_ZERO(one_in(8)));
    b.state->set(regs::US_PIXSIZE{}.PIX_SIZE(one_in(40) ? kTemps - 2 : kTemps - 1));
    inputs(b);
    if (textures_) {
      for (uint32_t r = 0x4400; r < 0x4600; r += 4) b.state->reg[r / 4] = random();
      b.state->set(regs::TX_ENABLE{0xFFFF});
      for (uint32_t u = 0; u < 16; ++u) b.state->set(regs::TX_OFFSET{0x10000 + random() % 0x10000}, u);
    }
  }

 private:
  uint32_t random() { return uint32_t(engine_()); }
  uint32_t below(uint32_t n) { return random() % n; }
  bool one_in(uint32_t n) { return below(n) == 0; }

  uint32_t number() {
    switch (below(12)) {
      case 0: return random();
      case 1: return random() & 0x807FFFFFu;
      case 2: return 0x7F800000u | random() << 31;
      case 3: return random() << 31;
      case 4: return (random() & 0x81FFFFFFu);
      default: return std::bit_cast<uint32_t>(float(int32_t(below(512)) - 256) / float(1u << below(9)));
    }
  }

  uint32_t temp() { return below(kTemps); }
  template <class A>
  A addresses() {
    A a;
    const auto one = [&](uint32_t& address, bool& is_const, bool& relative) {
      is_const = one_in(3);
      relative = (is_const || relative_) && (loops_ || wild_) && one_in(6);
      address = is_const ? below(256) : one_in(6) ? 0x80u | below(128) : temp();
    };
    uint32_t address;
    bool is_const, relative;
    one(address, is_const, relative);
    a.ADDR0(address).ADDR0_CONST(is_const).ADDR0_REL(relative);
    one(address, is_const, relative);
    a.ADDR1(address).ADDR1_CONST(is_const).ADDR1_REL(relative);
    one(address, is_const, relative);
    a.ADDR2(address).ADDR2_CONST(is_const).ADDR2_REL(relative);
    return a.SRCP_OP(below(4));
  }

  Code alu(bool output) {
    static constexpr uint32_t kRgb[] = {Rgba::RGB_OP__MAD, Rgba::RGB_OP__MAD, Rgba::RGB_OP__MAD, Rgba::RGB_OP__DP3, Rgba::RGB_OP__DP4,
                                        Rgba::RGB_OP__D2A, Rgba::RGB_OP__MIN, Rgba::RGB_OP__MAX, Rgba::RGB_OP__CND, Rgba::RGB_OP__CMP,
                                        Rgba::RGB_OP__FRC, Rgba::RGB_OP__SOP, Rgba::RGB_OP__MDH, Rgba::RGB_OP__MDV};
    static constexpr uint32_t kAlpha[] = {Alpha::ALPHA_OP__MAD, Alpha::ALPHA_OP__MIN, Alpha::ALPHA_OP__MAX, Alpha::ALPHA_OP__CND,
                                          Alpha::ALPHA_OP__CMP, Alpha::ALPHA_OP__FRC, Alpha::ALPHA_OP__MDH, Alpha::ALPHA_OP__MDV,
                                          Alpha::ALPHA_OP__EX2, Alpha::ALPHA_OP__LN2, Alpha::ALPHA_OP__RCP, Alpha::ALPHA_OP__RSQ,
                                          Alpha::ALPHA_OP__SIN, Alpha::ALPHA_OP__COS};
    const uint32_t rgb_op = kRgb[below(14)];
    uint32_t alpha_op = kAlpha[below(14)];
    if (rgb_op == Rgba::RGB_OP__SOP) alpha_op = kAlpha[8 + below(6)];
    if (rgb_op >= Rgba::RGB_OP__DP3 && rgb_op <= Rgba::RGB_OP__D2A && one_in(2)) alpha_op = Alpha::ALPHA_OP__DP;
    Cmn cmn;
    cmn.TYPE(output ? Cmn::TYPE__OUTPUT : Cmn::TYPE__ALU).RGB_WMASK(below(8)).ALPHA_WMASK(below(2));
    if (output || one_in(6)) cmn.RGB_OMASK(output && below(3) ? 7 : below(8)).ALPHA_OMASK(below(2));
    if (one_in(4)) cmn.RGB_PRED_SEL(below(6)).RGB_PRED_INV(below(2)).ALPHA_PRED_SEL(below(6)).ALPHA_PRED_INV(below(2));
    cmn.RGB_CLAMP(one_in(3)).ALPHA_CLAMP(one_in(3)).ALU_RESULT_SEL(below(2)).ALU_RESULT_OP(below(4));
    if ((!flow_ || wild_) && one_in(8)) cmn.WRITE_INACTIVE(1);
    regs::US_ALU_RGB_INST rgb{random()};
    rgb.TARGET(below(4)).ALU_WMASK(one_in(3)).OMOD(one_in(3) ? below(8) : one_in(4) ? 7 : 0);
    Alpha alpha{random()};
    alpha.ALPHA_OP(alpha_op)
        .ALPHA_ADDRD(temp())
        .ALPHA_ADDRD_REL(relative_ && one_in(6))
        .TARGET(below(4))
        .OMOD(one_in(3)   ? below(8)
              : one_in(4) ? 7
                          : 0);
    alpha.W_OMASK(output && one_in(5));
    Rgba rgba{random()};
    rgba.RGB_OP(rgb_op).RGB_ADDRD(temp()).RGB_ADDRD_REL(relative_ && one_in(6));
    return {cmn.raw, addresses<regs::US_ALU_RGB_ADDR>().raw, addresses<regs::US_ALU_ALPHA_ADDR>().raw, rgb.raw, alpha.raw, rgba.raw};
  }

  Code tex() {
    Cmn cmn;
    cmn.TYPE(Cmn::TYPE__TEXTURE).RGB_WMASK(below(8)).ALPHA_WMASK(below(2));
    if (one_in(4)) cmn.RGB_PRED_SEL(below(6)).RGB_PRED_INV(below(2)).ALPHA_PRED_SEL(below(6)).ALPHA_PRED_INV(below(2));
    Tex inst;
    inst.INST(below(7)).TEX_ID(below(16)).UNSCALED(below(2));
    regs::US_TEX_ADDR addr{random()};
    addr.SRC_ADDR(temp()).SRC_ADDR_REL(relative_ && one_in(6)).DST_ADDR(temp()).DST_ADDR_REL(relative_ && one_in(6));
    if (wild_ && one_in(8)) cmn.WRITE_INACTIVE(1);
    regs::US_TEX_ADDR_DXDY d{random()};
    d.DX_ADDR(temp()).DX_ADDR_REL(0).DY_ADDR(temp()).DY_ADDR_REL(0);
    return {cmn.raw, inst.raw, addr.raw, d.raw, 0, 0};
  }
  Code kill() {
    Code c = tex();
    Tex inst{c[1]};
    c[1] = inst.INST(Tex::INST__TEXKILL).raw;
    return c;
  }

  /// Bodies behind the end of the program, and calls to them from anywhere.
  void subroutines() {
    using namespace us_test;
    const size_t main = code_.size();
    std::vector<size_t> begins;
    for (uint32_t n = 1 + below(3); n > 0; --n) {
      begins.push_back(code_.size());
      block(1 + below(5), 2);
      Code ret = fc(Flow{0, one_in(3) ? condition() : 0xFFu, one_in(4), kPop}, below(2));
      code_.push_back(ret);
    }
    for (uint32_t n = below(5); n > 0; --n) {
      const size_t at = below(uint32_t(main));
      if (Cmn{code_[at][0]}.TYPE() == Cmn::TYPE__FLOW_CONTROL) continue;
      code_[at] = fc(Flow{0, one_in(3) ? condition() : 0xFFu, one_in(4), kPush, 0, 0, 0, 0,
                          uint32_t(begins[below(uint32_t(begins.size()))]), 0, below(32)},
                     below(2));
    }
  }
  /// A field of a flow control instruction becomes another, mostly one that goes on.
  void disturb(Code& c) {
    if (Cmn{c[0]}.TYPE() != Cmn::TYPE__FLOW_CONTROL || !one_in(6)) return;
    us_test::FcInst inst{c[2]};
    regs::US_FC_ADDR addr{c[3]};
    switch (below(8)) {
      case 0: inst.B_POP_CNT(below(4)); break;
      case 1: inst.B_OP0(below(3)); break;
      case 2: inst.B_OP1(below(3)); break;
      case 3: inst.JUMP_ANY(below(2)); break;
      case 4: inst.B_ELSE(below(2)); break;
      case 5: addr.JUMP_ADDR(below(uint32_t(code_.size()))); break;
      default: inst.IGNORE_UNCOVERED(1); break;
    }
    c[2] = inst.raw, c[3] = addr.raw;
  }

  Code fc(const Flow& f, bool predicated) {
    Code c = f;
    Cmn cmn{c[0]};
    if (predicated) cmn.RGB_PRED_SEL(1 + below(5)).RGB_PRED_INV(below(2));
    c[0] = cmn.raw;
    return c;
  }
  uint32_t condition() {
    static constexpr uint32_t kFuncs[] = {0x0F, 0x0F, 0xF0, 0x33, 0xCC, 0x55, 0xAA, 0x00, 0xFF};
    return one_in(5) ? below(256) : kFuncs[below(9)];
  }
  void set_target(size_t at, size_t target) {
    regs::US_FC_ADDR a{code_[at][3]};
    code_[at][3] = a.JUMP_ADDR(uint32_t(target)).raw;
  }

  void block(uint32_t length, uint32_t depth) {
    using namespace us_test;
    for (; length > 0; --length) {
      const uint32_t what = below(12);
      if (flow_ && what == 0 && depth < 4) {
        const size_t begin = code_.size();
        const bool has_else = below(2);
        code_.push_back(fc(Flow{0, condition(), 0, 0, kIncr, has_else ? kIncr : 0u, 0, 0, 0, 0, below(32)}, below(2)));
        ++ifs_;
        block(1 + below(5), depth + 1);
        size_t last = begin;
        if (has_else) {
          last = code_.size();
          set_target(begin, last + 1);
          code_.push_back(Flow{0, 0, 0, 0, 0, kDecr, 1, 1, 0});
          block(1 + below(5), depth + 1);
        }
        --ifs_;
        set_target(last, code_.size() + 1);
        code_.push_back(Flow{0, 0, 1, 0, kDecr, 0, 1, 0, uint32_t(code_.size() + 1)});
      } else if (flow_ && what == 1 && depth < 3) {
        const bool rep = below(2);
        const size_t begin = code_.size();
        const uint32_t constant = below(32);
        code_.push_back(Flow{rep ? 3u : 1u, 0, 0, 0, 0, 0, 0, 0, 0, constant});
        const uint32_t outer = ifs_;
        const auto outer_leaves = std::move(leaves_);
        leaves_.clear();
        ifs_ = 0;
        ++loops_;
        block(1 + below(6), depth + 1);
        --loops_;
        for (const size_t l : leaves_) set_target(l, FcInst{code_[l][2]}.OP() == FcInst::OP__CONTINUE ? code_.size() : code_.size() + 1);
        leaves_ = outer_leaves;
        ifs_ = outer;
        set_target(begin, code_.size() + 1);
        code_.push_back(Flow{rep ? 4u : 2u, 0xFF, 1, 0, 0, 0, 0, 0, uint32_t(begin + 1), constant});
      } else if (loops_ && what == 2) {
        leaves_.push_back(code_.size());
        code_.push_back(fc(Flow{below(2) ? 5u : 7u, one_in(3) ? 0xFF : condition(), 0, 0, 0, kDecr, ifs_, 0, 0, 0, below(32)}, below(2)));
      } else if (textures_ && what < 5) {
        code_.push_back(tex());
      } else if (what == 5 && one_in(3)) {
        code_.push_back(kill());
      } else {
        code_.push_back(alu(one_in(6)));
      }
    }
  }

  void inputs(Bench& b) {
    b.layout = {};
    b.layout.count = uint8_t(below(6));
    b.layout.perspective = below(2);
    uint8_t interpolants = 0;
    uint32_t used = 0;
    for (uint32_t i = 0; i < b.layout.count; ++i) {
      auto& reg = b.layout.reg[i];
      do reg.address = uint8_t(below(kTemps));
      while (used >> reg.address & 1u);
      used |= 1u << reg.address;
      for (RsSource& s : reg.channel) {
        s.kind = below(3) ? RsSource::Kind::interpolant : RsSource::Kind(below(6));
        if (s.kind != RsSource::Kind::interpolant) continue;
        s.index = interpolants++;
        s.perspective = below(2);
      }
    }
    b.layout.interpolants = interpolants;
    for (uint32_t i = 0; i < interpolants; ++i) {
      b.args.base[i] = std::bit_cast<float>(number());
      b.factors[i] = below(2);
      const bool flat = one_in(4);
      for (float& v : b.offsets[i].v) v = flat ? -0.0f : std::bit_cast<float>(number());
    }
    b.args.base_w = std::bit_cast<float>(number());
    for (float& v : b.offset_w.v) v = std::bit_cast<float>(number());
    b.args.x = int32_t(below(4000)) & ~3, b.args.y = int32_t(below(4000)) & ~3;
    b.args.covered = one_in(3) ? 0xFFFF : random() & 0xFFFF;
    b.args.back_facing = below(2);
  }

  std::mt19937 engine_;
  std::vector<Code> code_;
  std::vector<size_t> leaves_;
  uint32_t ifs_ = 0, loops_ = 0;
  bool flow_ = false, wild_ = false, relative_ = false, textures_ = false, odd_ = false;
};

constexpr uint64_t kUntouched = ~uint64_t{0};

struct Tally {
  uint32_t programs = 0, native = 0, handed_over = 0;
  std::map<std::string, uint32_t> why;
};

/// The same program with a program counter a quad, although its flow control nests.
struct Quads {
  Quads(const Bench& b, Cpu cpu) {
    const Reach r = reach(*b.state);
    for (uint32_t pc = 0; pc < r.slot.size(); ++pc) flow |= r.slot[pc] && Cmn{b.state->us_code[pc][0]}.TYPE() == Cmn::TYPE__FLOW_CONTROL;
    if (!flow) return;
    Translator t(*b.state, b.layout, r, interpret);
    t.use_quads();
    if (auto p = t.run()) program = std::move(*p);
    EXPECT_FALSE(program.nodes.empty()) << t.why();
    EXPECT_EQ(lane::validate(program), "");
    code = lane::assemble(program, cpu, "quads");
  }
  void run(ShadeArgs& args) const {
    if (code)
      code->function()(&args);
    else
      lane::interpret(program, &args);
  }
  bool flow = false;
  lane::Program program;
  std::shared_ptr<const lane::Code> code;
};

void check(uint32_t seed, Tally& tally, bool show) {
  const auto bench = std::make_unique<Bench>();
  Bench& b = *bench;
  if (!b.memory->map(0x10000, 0x40000)) FAIL();
  {
    std::mt19937 texels(seed);
    for (uint32_t i = 0; i < 0x40000; i += 4) b.memory->store<uint32_t>(0x10000 + i, seed % 4 ? i * 0x9E3779B9u : texels());
  }
  Maker(seed).fill(b);
  b.prepare(Cpu::portable);
  if (show) std::fputs(listing(*b.state, b.layout).c_str(), stderr);
  // Native code counts a piece of program for four quads, so it gets more.
  const auto run = [&](const auto& routine, int64_t budget) {
    for (auto& t : b.args.color)
      for (Lanes& l : t) l = {};
    b.args.depth = {};
    b.args.sample.killed = 0;
    b.args.instructions_left = budget;
    b.counters.reported = 0;
    b.counters.instructions_left = kUntouched;
    {
      const FlushDenormals flush;
      routine(b.args);
    }
    (void)b.memory->take_fault();
  };
  run(interpret, 20000);
  struct Result {
    Lanes color[4][4], depth;
    uint32_t killed, stopped, reported;
  };
  Result want;
  std::memcpy(want.color, b.args.color, sizeof want.color);
  want.depth = b.args.depth, want.killed = b.args.killed, want.stopped = b.args.stopped, want.reported = b.counters.reported;
  ++tally.programs;
  if (!b.shade->native()) {
    ++tally.why[b.shade->why().substr(b.shade->why().find(':') + 1)];
    // Only what the reference complains of.
    EXPECT_NE(want.reported >> 8, 0u) << b.shade->why() << rerun(seed);
    return;
  }
  ++tally.native;
  const uint32_t seen = with_helpers(LaneMask(b.args.covered));
  const auto compare = [&](const char* how, Cpu cpu) {
    if (want.stopped) return;
    const auto complain = [&](const char* what, int t, int c, int lane, uint32_t got, uint32_t expected) {
      ADD_FAILURE() << how << " cpu " << int(cpu) << " " << what << " " << t << "."
                    << "rgba"[c] << " lane " << lane << std::hex << ": " << got << ", not " << expected << rerun(seed);
    };
    ASSERT_EQ(b.args.stopped, 0u) << how << rerun(seed);
    ASSERT_EQ(b.args.killed & seen, want.killed & seen) << how << " cpu " << int(cpu) << rerun(seed);
    for (int lane = 0; lane < kLanes; ++lane) {
      if (!(seen >> lane & 1u)) continue;
      for (int t = 0; t < 4; ++t)
        for (int c = 0; c < 4; ++c) {
          const uint32_t got = std::bit_cast<uint32_t>(b.args.color[t][c].v[lane]),
                         expected = std::bit_cast<uint32_t>(want.color[t][c].v[lane]);
          if (got != expected) return complain("color", t, c, lane, got, expected);
        }
      const uint32_t got = std::bit_cast<uint32_t>(b.args.depth.v[lane]), expected = std::bit_cast<uint32_t>(want.depth.v[lane]);
      if (got != expected) return complain("depth", 0, 0, lane, got, expected);
    }
  };
  bool handed_over = false;
  for (const Cpu cpu : cpus()) {
    b.prepare(cpu);
    run(b.shade->routine(), 20000 * 64);
    handed_over |= b.counters.instructions_left != kUntouched;
    compare("as compiled", cpu);
    if (testing::Test::HasFailure()) return;
    const Quads quads(b, cpu);
    if (!quads.flow) continue;
    run([&](ShadeArgs& args) { quads.run(args); }, 20000 * 64);
    compare("quads", cpu);
    if (testing::Test::HasFailure()) return;
    // The reference also complains of operands that the operation does not read.
    EXPECT_EQ(want.stopped ? 0 : b.counters.reported & ~want.reported, 0u) << "cpu " << int(cpu) << rerun(seed);
  }
  tally.handed_over += handed_over;
}

/// Any word in any slot and register: compiles to something that ends, like the reference where that is not stopped.
TEST(FastUs, RandomWords) {
  for (uint32_t seed = 0; seed < 900; ++seed) {
    std::mt19937 random(seed);
    Bench b;
    for (auto& slot : b.state->us_code)
      for (uint32_t& w : slot) w = uint32_t(random());
    if (seed % 3)  // mostly ALU, so that some are native
      for (auto& slot : b.state->us_code) slot[0] = (slot[0] & ~3u) | (random() % 8 ? random() % 2 : 3);
    if (seed % 3 == 2)
      for (auto& slot : b.state->us_code) {
        for (size_t a : {1u, 2u}) slot[a] &= ~(1u << 9 | 1u << 19 | 1u << 29);  // no relative addresses
        slot[4] &= ~(1u << 11), slot[5] &= ~(1u << 11);
        if (regs::US_CMN_INST{slot[0]}.TYPE() == Cmn::TYPE__TEXTURE) slot[1] = Tex{}.INST(Tex::INST__TEXKILL).raw, slot[2] &= ~0x80u;
      }
    b.state->set(regs::US_CODE_ADDR{}.START_ADDR(random() % 16).END_ADDR(seed % 5 ? 4 + random() % 30 : random() % 512));
    if (seed % 2) b.state->set(regs::US_PIXSIZE{}.PIX_SIZE(127));
    if (seed % 7 == 0)
      for (const uint32_t r : {regs::US_CODE_RANGE::at(), regs::US_CODE_OFFSET::at(), regs::US_FC_CTRL::at(), regs::US_CONFIG::at()})
        b.state->reg[r / 4] = uint32_t(random());
    for (auto& c : b.state->us_const)
      for (uint32_t& w : c) w = uint32_t(random());
    std::array<Lanes, 17> want;
    uint32_t killed = 0;
    bool stopped = false;
    for (const Cpu cpu : cpus()) {
      b.prepare(cpu);
      const auto run = [&](ShadeRoutine routine) {
        for (auto& t : b.args.color)
          for (Lanes& l : t) l = {};
        b.args.depth = {};
        b.args.instructions_left = 4000;
        const FlushDenormals flush;
        routine(b.args);
      };
      if (cpu == Cpu::portable) {
        run(interpret);
        std::memcpy(want.data(), b.args.color, sizeof(Lanes) * 16);
        want[16] = b.args.depth, killed = b.args.killed, stopped = b.args.stopped;
      }
      run(b.shade->routine());
      if (stopped || b.args.stopped) continue;
      ASSERT_EQ(std::memcmp(want.data(), b.args.color, sizeof(Lanes) * 16), 0) << "seed " << seed << " cpu " << int(cpu);
      ASSERT_EQ(std::memcmp(&want[16], &b.args.depth, sizeof(Lanes)), 0) << "seed " << seed << " cpu " << int(cpu);
      ASSERT_EQ(killed, b.args.killed) << "seed " << seed << " cpu " << int(cpu);
    }
    (void)b.memory->take_fault();
  }
}

TEST(FastUs, TheBudgetEndsLoops) {
  using namespace us_test;
  std::vector<Code> code;
  for (uint32_t depth = 0; depth < 4; ++depth) code.push_back(Flow{1, 0, 0, 0, 0, 0, 0, 0, 9 - depth});
  code.push_back(add_inline(0, kInlineOne));
  for (uint32_t depth = 0; depth < 4; ++depth) code.push_back(Flow{2, 0xFF, 1, 0, 0, 0, 0, 0, 4 - depth});
  code.push_back(out(0));
  for (const Cpu cpu : cpus()) {
    Bench b;
    b.load(code);
    for (const uint32_t turns : {255u, 2u}) {
      b.state->set(regs::US_FC_INT_CONST{}.KR(turns), 0);
      b.prepare(cpu);
      ASSERT_TRUE(b.shade->native()) << b.shade->why();
      b.args.instructions_left = 1000000;
      b.args.stopped = 7;
      b.shade->routine()(b.args);
      EXPECT_EQ(b.args.stopped, turns == 255 ? 1u : 0u);
      if (turns == 2) {
        EXPECT_EQ(b.args.color[0][0].v[5], 16.0f);
      }
    }
  }
}

TEST(FastUs, Traits) {
  using namespace us_test;
  Bench b;
  b.layout.count = 1;
  b.layout.interpolants = 1;
  b.layout.reg[0].channel[0] = {RsSource::Kind::interpolant, 0, false};
  Alu flat = out(0, 2);
  flat.ra.ADDR0_CONST(1).ADDR1_CONST(1), flat.aa.ADDR0_CONST(1).ADDR1_CONST(1);
  b.load({flat});
  b.prepare(Cpu::portable);
  EXPECT_TRUE(b.shade->traits().uniform);
  EXPECT_EQ(b.shade->traits().targets, 4u);
  EXPECT_FALSE(b.shade->traits().kills);
  EXPECT_FALSE(b.shade->traits().writes_depth);
  b.load({out(0)});
  b.prepare(Cpu::portable);
  EXPECT_FALSE(b.shade->traits().uniform);
  Code kill = {Cmn{}.TYPE(Cmn::TYPE__TEXTURE).raw, Tex{}.INST(Tex::INST__TEXKILL).raw, 0, 0, 0, 0};
  b.load({kill, flat});
  b.prepare(Cpu::portable);
  EXPECT_TRUE(b.shade->traits().kills);
  EXPECT_EQ(b.shade->traits().units, 0u);
  EXPECT_FALSE(b.shade->traits().uniform);
  EXPECT_NE(ShadeKey(*b.state, b.layout, Cpu::avx2), ShadeKey(*b.state, b.layout, Cpu::avx512));
  const ShadeKey before(*b.state, b.layout, Cpu::avx2);
  b.state->us_const[3][1] = 5;  // constants and slots that are not reached play no part
  b.state->us_code[77][0] = 5;
  EXPECT_EQ(before, ShadeKey(*b.state, b.layout, Cpu::avx2));
  b.state->us_code[1][3] ^= 1u << 30;
  EXPECT_NE(before, ShadeKey(*b.state, b.layout, Cpu::avx2));
}

TEST(FastUs, RandomProgramsLikeTheReference) {
  Tally tally;
  const FuzzRange range = fuzz_range(2500);
  int failures = 0;
  for (uint32_t seed = range.first; seed < range.end() && failures < 5; ++seed) {
    const auto* result = testing::UnitTest::GetInstance()->current_test_info()->result();
    const int before = result->total_part_count();
    check(seed, tally, range.one());
    failures += result->total_part_count() != before;
  }
  std::string why;
  for (const auto& [text, count_of] : tally.why) why += text + ": " + std::to_string(count_of) + "\n";
  std::printf("%u of %u native, %u of them handed over to the interpreter\n%s", tally.native, tally.programs, tally.handed_over,
              why.c_str());
  if (range.usual) {
    EXPECT_GT(tally.native * 100, tally.programs * 97);
  }
}

}  // namespace
}  // namespace pumice::hw::fast::us
