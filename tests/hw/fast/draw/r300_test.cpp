// SPDX-License-Identifier: MIT
/// Draws of an r300 with random fragment programs: the reference's bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "tests/hw/chip/chip.h"
#include "tests/hw/fast/draw/config.h"
#include "tests/hw/fast/us/r300_programs.h"

namespace pumice::hw::test {
namespace {

namespace r300 = regs::r300;

GpuConfig r300_config(ExecutorKind kind, uint32_t threads = 1, CpuChoice cpu = CpuChoice::best) {
  GpuConfig c = config(kind, threads, cpu);
  c.profile = Profile::r300;
  return c;
}

/// What of plain_state() is the R3xx's own: scissor, routing, program.
Packets state_of(const Target& t, std::mt19937& random) {
  Packets p = plain_state(t);
  constexpr uint32_t kBias = 1440;
  p.set(regs::SC_SCISSOR0{}.XS0(kBias).YS0(kBias));
  p.set(regs::SC_SCISSOR1{}.XS1(kBias + t.width - 1).YS1(kBias + t.height - 1));
  using Ip = r300::RS_IP;
  p.set(Ip{}.TEX_PTR(0).SEL_S(0).SEL_T(1).SEL_R(2).SEL_Q(3));
  p.set(r300::RS_INST_COUNT{});
  p.set(r300::RS_INST{}.TEX_ID(0).TEX_CN(1).TEX_ADDR(0));
  fast::us::random_r300_program(random, p);
  return p;
}

struct Machine {
  Chip chip;
  Target target = make_target(chip);
  explicit Machine(const GpuConfig& c) : chip(c) {}
  bool run(uint32_t seed) {
    std::mt19937 random(seed);
    std::memset(chip.memory(target.color), 0, size_t{target.width} * target.height * 4);
    Packets p = state_of(target, random);
    std::array<TestVertex, 3> v;
    for (TestVertex& x : v) {
      for (float& f : x.position) f = float(int32_t(random() % 400) - 200) / 100;
      x.position[2] = 0.5f, x.position[3] = 1;
      for (float& f : x.attribute) f = fast::us::random_value(random);
    }
    p.append(full_quad({0.3f, -1.5f, 2, 0.75f}));
    p.append(draw(regs::VAP_VF_CNTL::PRIM_TYPE__TRIANGLE_LIST, v));
    return chip.run(p);
  }
  std::vector<uint32_t> picture() {
    const uint32_t* at = chip.memory(target.color);
    return {at, at + size_t{target.width} * target.height};
  }
};

TEST(FastDrawR300, RandomFragmentPrograms) {
  Machine reference(r300_config(ExecutorKind::ref)), one(r300_config(ExecutorKind::fast)),
      portable(r300_config(ExecutorKind::fast, 2, CpuChoice::portable));
  uint32_t drawn = 0;
  for (uint32_t seed = 1; seed <= 200; ++seed) {
    ASSERT_TRUE(reference.run(seed)) << seed;
    const std::vector<uint32_t> want = reference.picture();
    drawn += std::any_of(want.begin(), want.end(), [](uint32_t v) { return v != 0; });
    for (Machine* m : {&one, &portable}) {
      ASSERT_TRUE(m->run(seed)) << seed;
      ASSERT_EQ(m->picture(), want) << "seed " << seed << (m == &one ? ", best" : ", portable");
    }
  }
  EXPECT_GT(drawn, 50u);  // others write another target or kill all
}

}  // namespace
}  // namespace pumice::hw::test
