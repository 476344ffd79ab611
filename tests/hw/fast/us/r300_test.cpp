// SPDX-License-Identifier: MIT
/// Random programs of the R3xx: native code of every processor gives the reference's bits.
#include <gtest/gtest.h>

#include <cmath>

#include "hw/common/numerics/fp24.h"
#include "hw/db/us_r300_form.h"
#include "hw/radeon/decode/us/r300.h"
#include "tests/hw/fast/cpus.h"
#include "tests/hw/fast/us/shade_bench.h"

namespace pumice::hw::fast::us {
namespace {

namespace r300 = regs::r300;
using isa::us_r300::AluOp;
using Random = std::mt19937;

/// Any legal instruction whose units go together.
isa::us_r300::Words random_alu(Random& random) {
  isa::us_r300::Words w;
  for (uint32_t& x : w) x = uint32_t(random());
  isa::us_r300::Instruction x = isa::us_r300::unpack(w);
  const auto pick = [&](bool alpha) {
    for (;;) {
      const auto& i = isa::us_r300::kAluOps[random() % isa::us_r300::kAluOps.size()];
      if ((alpha ? i.alpha : i.rgb) >= 0) return i.op;
    }
  };
  do {
    x.rgb.op = pick(false), x.alpha.op = pick(true);
  } while ((info(x.alpha.op).takes_dot && !info(x.rgb.op).dot) || (info(x.rgb.op).takes_scalar && !info(x.alpha.op).scalar));
  for (isa::us_r300::Unit* u : {&x.rgb, &x.alpha}) {
    u->high = 0;
    u->omod = random() % 3 ? 0 : uint8_t(random() % 7);
    for (auto& a : u->address) a.value &= 7;  // temps that something writes
    u->dest &= 7;
    if (u == &x.alpha)
      for (auto& o : u->operand) o.select = uint8_t(o.select % 19);
  }
  return isa::us_r300::pack(x);
}

uint32_t random_tex(Random& random) {
  using Inst = r300::US_TEX_INST;
  constexpr uint32_t kOps[] = {Inst::INST__LD, Inst::INST__LD, Inst::INST__PROJ, Inst::INST__LODBIAS, Inst::INST__NOP, Inst::INST__TEXKILL};
  const uint32_t op = kOps[random() % (random() % 4 ? 5 : 6)];
  return Inst{}.INST(op).TEX_ID(random() & 15).SRC_ADDR(random() & 7).DST_ADDR(random() & 7).raw;
}

float random_value(Random& random) {
  switch (random() % 8) {
    case 0: return std::bit_cast<float>(uint32_t(random()));
    case 1: return 0.0f;
    case 2: return std::bit_cast<float>((uint32_t(random()) & 0x80000000u) | 0x7F800000u);
    case 3: return std::ldexp(1.0f + float(random() % 65536) / 65536, int(random() % 130) - 65);
    default: return float(int32_t(random() % 4000) - 2000) / 256.0f;
  }
}

void make_program(Bench& b, Random& random) {
  ChipState& s = *b.state;
  const uint32_t levels = 1 + random() % 4;
  uint32_t tex = 0, alu = 0;
  for (uint32_t l = 4 - levels; l < 4; ++l) {
    const uint32_t texs = 1 + random() % 3, alus = 1 + random() % 8;
    s.set(r300::US_CODE_ADDR{}
              .ALU_START(alu)
              .ALU_SIZE(alus - 1)
              .TEX_START(tex)
              .TEX_SIZE(texs - 1)
              .RGBA_OUT(l == 3 || random() % 2)
              .W_OUT(random() % 2),
          l);
    for (uint32_t i = 0; i < texs; ++i) s.set(r300::US_TEX_INST{random_tex(random)}, tex++);
    for (uint32_t i = 0; i < alus; ++i, ++alu) {
      const isa::us_r300::Words w = random_alu(random);
      s.set(r300::US_ALU_RGB_ADDR{w[0]}, alu), s.set(r300::US_ALU_ALPHA_ADDR{w[1]}, alu);
      s.set(r300::US_ALU_RGB_INST{w[2]}, alu), s.set(r300::US_ALU_ALPHA_INST{w[3]}, alu);
    }
  }
  s.set(r300::US_CODE_OFFSET{});
  s.set(r300::US_CONFIG{}.NLEVEL(levels - 1).FIRST_TEX(random() & 1));
  s.set(r300::US_PIXSIZE{}.PIX_SIZE(7));
}

struct Result {
  std::array<std::array<Lanes, 4>, 4> color;
  Lanes depth;
  uint32_t killed;
};

TEST(FastUsR300, RandomProgramsGiveTheReferencesBits) {
  for (uint32_t seed = 1; seed <= 1500; ++seed) {
    Random random(seed);
    Bench b;
    b.state->profile = Profile::r300;
    make_program(b, random);
    std::array<std::array<uint32_t, 4>, 32> constants;
    for (uint32_t i = 0; i < 32; ++i) {
      for (uint32_t c = 0; c < 4; ++c)
        b.state->reg[(r300::US_ALU_CONST_R::at(i) + 4 * c) / 4] = random() % 4 ? num::fp24_code(random_value(random)) : uint32_t(random());
      constants[i] = us_r300::constant(*b.state, i);
    }
    b.layout.count = 4;
    for (uint8_t r = 0; r < 4; ++r) {
      b.layout.reg[r].address = r;
      for (uint8_t c = 0; c < 4; ++c) b.layout.reg[r].channel[c] = {RsSource::Kind::interpolant, uint8_t(r * 4 + c), false};
    }
    for (uint32_t i = 0; i < 16; ++i) {
      b.args.base[i] = random_value(random);
      for (float& v : b.offsets[i].v) v = random() % 2 ? 0.0f : random_value(random);
    }
    b.args.covered = uint32_t(random()) & 0xFFFFu;
    const auto execute = [&](ShadeRoutine routine) {
      for (auto& t : b.args.color)
        for (Lanes& l : t) l = {};
      b.args.depth = {};
      b.args.sample.killed = 0;
      b.args.instructions_left = 1'000'000;
      const FlushDenormals flush;
      routine(b.args);
      Result r;
      std::memcpy(&r.color, b.args.color, sizeof r.color);
      r.depth = b.args.depth, r.killed = b.args.killed & b.args.covered;
      return r;
    };
    const auto prepare = [&](Cpu cpu) {
      b.prepare(cpu);
      b.args.constant = reinterpret_cast<const float(*)[4]>(constants.data());
      b.state->set(r300::RS_INST_COUNT{}.INST_COUNT(3));
      for (uint32_t i = 0; i < 4; ++i) b.state->set(r300::RS_INST{}.TEX_CN(1).TEX_ADDR(i), i);
    };
    prepare(Cpu::portable);
    b.counters.reported = 0;
    const Result want = execute(interpret);
    EXPECT_EQ(b.counters.reported, 0u) << "seed " << seed;
    for (const Cpu cpu : cpus()) {
      prepare(cpu);
      ASSERT_TRUE(b.shade->native()) << "seed " << seed << ": " << b.shade->why();
      const Result got = execute(b.shade->routine());
      ASSERT_EQ(got.killed, want.killed) << "seed " << seed << " cpu " << int(cpu);
      for (uint32_t lane = 0; lane < 16; ++lane) {
        if (!(b.args.covered >> lane & 1)) continue;
        for (uint32_t t = 0; t < 4; ++t)
          for (uint32_t c = 0; c < 4; ++c)
            ASSERT_EQ(std::bit_cast<uint32_t>(got.color[t][c].v[lane]), std::bit_cast<uint32_t>(want.color[t][c].v[lane]))
                << "seed " << seed << " cpu " << int(cpu) << " lane " << lane << " target " << t << " channel " << c;
        if (b.shade->traits().writes_depth) {
          ASSERT_EQ(std::bit_cast<uint32_t>(got.depth.v[lane]), std::bit_cast<uint32_t>(want.depth.v[lane]))
              << "seed " << seed << " cpu " << int(cpu);
        }
      }
    }
  }
}

}  // namespace
}  // namespace pumice::hw::fast::us
