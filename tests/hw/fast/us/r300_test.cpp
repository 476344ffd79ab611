// SPDX-License-Identifier: MIT
/// Random programs of the R3xx: native code of every processor gives the reference's bits.
#include <gtest/gtest.h>

#include "hw/radeon/decode/us/r300.h"
#include "tests/hw/fast/cpus.h"
#include "tests/hw/fast/us/r300_programs.h"
#include "tests/hw/fast/us/shade_rig.h"

namespace pumice::hw::fast::us {
namespace {

using Random = std::mt19937;

struct Result {
  std::array<std::array<Lanes, 4>, 4> color;
  Lanes depth;
  uint32_t killed;
};

void compare(uint32_t seeds, bool r400) {
  for (uint32_t seed = 1; seed <= seeds; ++seed) {
    Random random(seed);
    Bench b;
    b.state->profile = Profile::r300;
    if (r400)
      random_r400_program(random, *b.state);
    else
      random_r300_program(random, *b.state);
    std::array<std::array<uint32_t, 4>, 32> constants;
    for (uint32_t i = 0; i < 32; ++i) constants[i] = us_r300::constant(*b.state, i);
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

TEST(FastUsR300, RandomProgramsGiveTheReferencesBits) { compare(1500, false); }
TEST(FastUsR300, RandomProgramsOfTheR4xxGiveTheReferencesBits) { compare(300, true); }

/// A program is kept by what all banks hold, not by the registers alone.
TEST(FastUsR300, OtherBanksAreOtherPrograms) {
  Random random(1);
  ChipState s(Profile::r300);
  random_r400_program(random, s);
  const ShadeKey before(s, {}, Cpu::portable);
  EXPECT_TRUE(ShadeKey(s, {}, Cpu::portable) == before);
  s.us_code[511][3] ^= 1;
  EXPECT_FALSE(ShadeKey(s, {}, Cpu::portable) == before);
}

}  // namespace
}  // namespace pumice::hw::fast::us
