// SPDX-License-Identifier: MIT
/// Dispatches on several threads.
#include "hw/radeon/fast/extended/dispatch.h"
#include "tests/hw/fast/cpus.h"
#include "tests/hw/x/rig.h"

namespace pumice::hw::x_test {
namespace {

using fast::Cpu;

class XDispatch : public XRig {
 protected:
  bool dispatch(Cpu cpu, uint32_t threads, std::array<uint32_t, 3> groups) {
    Team team(threads);
    fast::extended::Dispatcher dispatcher(*memory, team, cpu, {});
    counters = {};
    counters.instructions_left = instructions;
    reports.clear();
    DrawContext ctx{*state, *memory, counters, config};
    ctx.programs = &programs;
    ctx.stopping = &stopping;
    return dispatcher.run(ctx, {groups, {}});
  }
  uint64_t instructions = 1u << 30;
  std::atomic<bool> stopping = false;
};

/// counter += 1 of every invocation; out[number] = number.
TEST_F(XDispatch, ThreadsShareTheWorkgroups) {
  constexpr uint32_t kGroups = 500, kLanes = 40;
  const uint64_t counter = allocate(4096), out = allocate(kGroups * kLanes * 4);
  buffer(0, counter, 4), buffer(1, out, kGroups * kLanes * 4);
  local_size(kLanes);
  program({
      X{.op = XOp::SYS, .dest = 1, .mask = kX, .immediate = 35},
      X{.op = XOp::SYS, .dest = 2, .mask = kX, .immediate = 33},
      xi(XiOp::IMAD, 1, kX, r(2), n(kLanes), r(1)),
      xi(XiOp::SHL, 3, kX, r(1), n(2)),
      xi(XiOp::MOV, 4, kX, n(1)),
      X{.op = XOp::STB, .source = 3, .src2 = 1, .descriptor = at(1)},
      X{.op = XOp::ATB, .dest = 5, .mask = kX, .source = 6, .src2 = 4, .descriptor = at(0)},
  });
  for (const Cpu cpu : fast::cpus())
    for (const uint32_t threads : {1u, 4u}) {
      *dwords(counter) = 0;
      std::fill_n(dwords(out), kGroups * kLanes, ~0u);
      ASSERT_TRUE(dispatch(cpu, threads, {kGroups, 1, 1}));
      EXPECT_TRUE(reports.empty());
      EXPECT_EQ(*dwords(counter), kGroups * kLanes);
      for (uint32_t i = 0; i < kGroups * kLanes; ++i) ASSERT_EQ(dwords(out)[i], i);
    }
}

/// Loops without end run into the budget, on all threads, and end at once when the chip is stopped.
TEST_F(XDispatch, EndlessLoopsEnd) {
  program({flow(Jump::loop, 3), xi(XiOp::IADD, 0, kX, r(0), n(1)), flow(Jump::endloop, 1)});
  instructions = 1u << 20;
  for (const Cpu cpu : fast::cpus()) {
    ASSERT_TRUE(dispatch(cpu, 3, {100, 1, 1}));
    EXPECT_TRUE(counters.hung);
  }
  instructions = uint64_t{1} << 60;
  stopping = true;
  ASSERT_TRUE(dispatch(fast::cpus().back(), 3, {100, 1, 1}));
  EXPECT_FALSE(counters.hung);
}

}  // namespace
}  // namespace pumice::hw::x_test
