// SPDX-License-Identifier: MIT
/// Random words as microcode and as texture registers: nothing may crash, hang, or depend on anything but its inputs.
#include <cstring>
#include <random>

#include "tests/hw/us/us_rig.h"

namespace pumice::hw::us_test {
namespace {

class Fuzz : public UsRig {
 protected:
  void randomise(uint32_t seed) {
    std::mt19937 rng(seed);
    *state = ChipState(seed % 50 == 0 ? Profile::r300 : Profile::r500);
    for (auto& slot : state->us_code)
      for (auto& word : slot) word = rng();
    if (seed % 2)  // half of the programs: mostly ALU and TEX, so that they run longer
      for (auto& slot : state->us_code)
        if (rng() % 8) slot[0] = (slot[0] & ~3u) | (rng() % 3 == 2 ? 3 : 0);
    for (auto& c : state->us_const)
      for (auto& word : c) word = rng();
    for (uint32_t r = 0x4100; r < 0x4E00; r += 4) state->reg[r / 4] = rng();
    state->set(regs::TX_ENABLE{0xFFFF});
    if (seed % 3) {
      state->set(regs::US_CODE_RANGE{}.CODE_SIZE(511));
      state->set(regs::US_CODE_OFFSET{});
      for (uint32_t u = 0; u < 16; ++u) state->set(regs::TX_OFFSET{state->get<regs::TX_OFFSET>(u).raw % 0x40000}, u);
    }
    for (auto& reg : q.temp)
      for (auto& pixel : reg)
        for (float& v : pixel) v = rng() % 4 ? float(int32_t(rng() % 2000) - 1000) / 64.0f : flt(rng());
    q.quad.coverage = uint8_t(rng() & 15);
  }
  /// `kept`: with what was decoded for the seeds before.
  void run_limited(us::StrictPrograms* kept = nullptr) {
    counters = {};
    counters.instructions_left = 400;
    DrawContext ctx{*state, *memory, counters, config};
    ctx.strict = kept;
    us::run(ctx, q);
  }
};

/// And mean the same when each slot is decoded as it runs and when the decoded store of the seed before is kept.
TEST_F(Fuzz, RandomProgramsEndAndRepeat) {
  ASSERT_TRUE(memory->map(0x10000, 0x20000));
  std::mt19937 rng(1);
  for (uint32_t i = 0; i < 0x20000; i += 4) memory->store<uint32_t>(0x10000 + i, rng());
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    randomise(seed);
    reports.clear();
    run_limited();
    EXPECT_LE(reports.size(), 14u) << "seed " << seed;  // each complaint once
    const PixelQuad first = q;
    const auto complaints = reports;
    randomise(seed);
    reports.clear();
    run_limited(&decoded);
    ASSERT_EQ(std::memcmp(first.color.data(), q.color.data(), sizeof q.color), 0) << "seed " << seed;
    ASSERT_EQ(std::memcmp(first.depth.data(), q.depth.data(), sizeof q.depth), 0) << "seed " << seed;
    ASSERT_EQ(first.killed, q.killed) << "seed " << seed;
    ASSERT_EQ(complaints, reports) << "seed " << seed;
  }
  (void)memory->take_fault();
}

/// r5x runs strict programs as r500 does, bit for bit, extended codes among them: in the instruction store they do not exist.
TEST_F(Fuzz, StrictProgramsMeanTheSameOnR5x) {
  ASSERT_TRUE(memory->map(0x10000, 0x20000));
  std::mt19937 rng(2);
  for (uint32_t i = 0; i < 0x20000; i += 4) memory->store<uint32_t>(0x10000 + i, rng());
  for (uint32_t seed = 1; seed < 3000; ++seed) {
    if (seed % 50 == 0) continue;  // r300
    randomise(seed);
    reports.clear();
    run_limited();
    const PixelQuad strict = q;
    const auto complaints = reports;
    randomise(seed);
    reports.clear();
    state->profile = Profile::r5x;
    run_limited();
    ASSERT_EQ(std::memcmp(strict.color.data(), q.color.data(), sizeof q.color), 0) << "seed " << seed;
    ASSERT_EQ(std::memcmp(strict.depth.data(), q.depth.data(), sizeof q.depth), 0) << "seed " << seed;
    ASSERT_EQ(strict.killed, q.killed) << "seed " << seed;
    ASSERT_EQ(complaints, reports) << "seed " << seed;
  }
  (void)memory->take_fault();
}

}  // namespace
}  // namespace pumice::hw::us_test
