// SPDX-License-Identifier: MIT
/// The order of operations: what it must keep for any program and any limits, and what it is for.
#include "hw/radeon/jit/lane/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/hw/fast/lane/random_program.h"

namespace pumice::hw::fast::lane {
namespace {

bool stays(const Node& n) {
  return operation(n.op).is(trait::effect) || n.op == Op::get || n.op == Op::mask_get || (n.op == Op::lanes && n.b >= 0);
}
bool is_operand_only(const Node& n) {
  return n.op == Op::constant || n.op == Op::table || n.op == Op::splat || n.op == Op::mask_constant || n.op == Op::lanes;
}

/// Empty, or what is wrong with the order.
std::string wrong(const Program& program, const ScheduleLimits& limits) {
  const std::vector<int32_t> order = schedule_order(program, limits);
  const size_t count = program.nodes.size();
  if (order.size() != count) return "nodes are missing or double";
  std::vector<int32_t> at(count, -1);
  for (size_t i = 0; i < count; ++i) {
    if (order[i] < 0 || size_t(order[i]) >= count || at[size_t(order[i])] >= 0) return "not a permutation";
    at[size_t(order[i])] = int32_t(i);
  }
  int32_t barrier = -1;  // the last node that stays: what is behind it in the source is behind it in the order
  for (size_t i = 0; i < count; ++i) {
    const Node& n = program.nodes[i];
    for (const auto& [bit, v] : {std::pair{1, n.a}, {2, n.b}, {4, n.c}})
      if (operand_bits(n.op) & bit && at[size_t(v)] >= at[i]) return "node " + std::to_string(i) + " comes before its operand";
    if (at[i] <= barrier) return "node " + std::to_string(i) + " passed an effect before it";
    if (!stays(n)) continue;
    if (at[i] != int32_t(i)) return "effect " + std::to_string(i) + " moved";
    barrier = int32_t(i);
  }
  int32_t oldest = 0;  // the first node that is not done
  std::vector<uint8_t> done(count + 1, 0);
  const Node* before = nullptr;
  for (const int32_t i : order) {
    while (done[size_t(oldest)]) ++oldest;
    const Node& n = program.nodes[size_t(i)];
    const bool is_chained = before && follows(*before, n);  // one access
    if (!is_operand_only(n) && !is_chained && i - oldest >= std::max(1, limits.window)) return "beyond the window";
    done[size_t(i)] = 1, before = &n;
  }
  const Program result = scheduled(program, limits);
  if (const std::string invalid = validate(result); !invalid.empty()) return invalid;
  for (size_t i = 0; i < count; ++i) {
    Node a = program.nodes[size_t(order[i])], b = result.nodes[i];
    for (const auto& [bit, from, to] : {std::tuple{1, &a.a, &b.a}, {2, &a.b, &b.b}, {4, &a.c, &b.c}})
      if (operand_bits(a.op) & bit) *from = at[size_t(*from)];
    if (!(a == b)) return "node " + std::to_string(i) + " is another operation";
  }
  if (estimated_spills(result, limits) > estimated_spills(program, limits) + int64_t(count) / 5) return "spills more than allowed";
  return "";
}

const ScheduleLimits kLimits[] = {
    schedule_limits(Cpu::avx512),
    schedule_limits(Cpu::avx2),
    {.window = 1, .values = 28},
    {.window = 7, .values = 3, .masks = 2},
    {.window = 100000, .values = 8, .beyond = 100000, .halves = true},
    {.window = 100000, .values = 100000, .masks = 100000},
    {.window = -5, .values = -5, .masks = -5},
};

/// The most values alive at once, constants and memory operands left out.
int most_alive(const Program& program) {
  std::vector<int> left(program.nodes.size(), 0);
  const auto each = [](const Node& n, auto f) { for_operands(n, [&](int, int32_t v) { f(v); }); };
  for (const Node& n : program.nodes) each(n, [&](int32_t v) { ++left[size_t(v)]; });
  int alive = 0, most = 0;
  for (size_t i = 0; i < program.nodes.size(); ++i) {
    each(program.nodes[i], [&](int32_t v) { alive -= --left[size_t(v)] == 0 && !is_operand_only(program.nodes[size_t(v)]); });
    alive += left[i] > 0 && !is_operand_only(program.nodes[i]);
    most = std::max(most, alive);
  }
  return most;
}

/// Quotients that are summed up one by one: all of them could be alive at once.
Program sums(int count) {
  Builder b;
  const Value x = b.lanes(kArgs, 0);
  Value sum = b.constant(0.5f);
  for (int i = 0; i < count; ++i) sum = b.add(sum, b.div(b.constant(1.0f + float(i)), x));
  b.store(kArgs, 64, sum);
  return b.program();
}
/// Chains one behind the other, then their sum.
Program chains(int count, int length) {
  Builder b;
  const Value x = b.lanes(kArgs, 0);
  Value sum = x;
  std::vector<Value> ends;
  for (int i = 0; i < count; ++i) {
    Value v = b.constant(1.5f + float(i));
    for (int k = 0; k < length; ++k) v = b.fma(v, x, x);
    ends.push_back(v);
  }
  for (const Value v : ends) sum = b.add(sum, v);
  b.store(kArgs, 64, sum);
  return b.program();
}

TEST(Schedule, KeepsDependenciesEffectsAndLimits) {
  int moved = 0;
  for (uint32_t seed = 0; seed < 400; ++seed) {
    for (Program program : {Maker(seed).make(), crowded(seed)}) {
      remove_dead(program);
      for (const ScheduleLimits& limits : kLimits) {
        ASSERT_EQ(wrong(program, limits), "") << "seed " << seed << " window " << limits.window << "\n" << print(program);
        const std::vector<int32_t> order = schedule_order(program, limits);
        moved += !std::is_sorted(order.begin(), order.end());
      }
    }
  }
  EXPECT_GT(moved, 2000);
}

TEST(Schedule, ChainsGoSideBySide) {
  const Program program = chains(2, 20), result = scheduled(program, schedule_limits(Cpu::avx512));
  int together = 0;  // operations that do not wait for the one before
  for (size_t i = 1; i < result.nodes.size(); ++i) {
    const Node& n = result.nodes[i];
    together += n.op == Op::fma && n.a != int32_t(i - 1) && n.b != int32_t(i - 1) && n.c != int32_t(i - 1);
  }
  EXPECT_GE(together, 38);
}

TEST(Schedule, RegistersBoundWhatIsAlive) {
  const Program program = sums(300);
  EXPECT_LE(most_alive(program), 3);
  for (const Cpu cpu : {Cpu::avx512, Cpu::avx2}) {
    const ScheduleLimits limits = schedule_limits(cpu);
    const Program result = scheduled(program, limits);
    EXPECT_LE(most_alive(result), limits.values + limits.beyond + 1);
    EXPECT_GT(most_alive(result), 10);
  }
  const std::vector<int32_t> free = schedule_order(program, {.window = 100000, .values = 100000});
  EXPECT_FALSE(std::is_sorted(free.begin(), free.end()));
  // With more alive than registers it would spill most of the quotients: no more are alive than there are registers.
  const ScheduleLimits careless{.window = 100000, .values = 12, .beyond = 100000};
  EXPECT_LE(most_alive(scheduled(program, careless)), careless.values + 1);
}

/// In time that grows with the square of the length this would run for minutes.
TEST(Schedule, LongPrograms) {
  for (const Cpu cpu : {Cpu::avx512, Cpu::avx2}) {
    const ScheduleLimits limits = schedule_limits(cpu);
    for (const Program& program : {sums(40000), chains(30000, 3), chains(4, 25000)}) ASSERT_EQ(wrong(program, limits), "");
  }
}

}  // namespace
}  // namespace pumice::hw::fast::lane
