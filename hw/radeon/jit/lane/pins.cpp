// SPDX-License-Identifier: MIT
/// See pins.h.
#include "hw/radeon/jit/lane/pins.h"

#include <algorithm>

#include "hw/radeon/jit/lane/schedule.h"

namespace pumice::hw::fast::lane {
namespace {

/// Of 30 registers for values and 6 for masks; AVX2 has 14, and a variable takes two (masks are vectors there and stay in memory).
constexpr size_t kMostValues = 16, kMostMasks = 2, kMostValuesOfHalves = 4;
constexpr int32_t kDeepest = 4;
/// Of a value that leaves its register: it is stored and read again, and both wait for each other.
constexpr int64_t kSpillCost = 2;

}  // namespace

Pins choose_pins(const Program& program, Cpu cpu) {
  Pins pins{.pin = std::vector<int8_t>(size_t(program.variables + program.mask_variables), -1)};
  if (cpu == Cpu::portable || pins.pin.empty()) return pins;
  const bool halves = cpu != Cpu::avx512;
  // A loop ends where code first jumps back to its label; what jumps there later lies apart (out of budget).
  const auto rare = std::find_if(program.nodes.begin(), program.nodes.end(),
                                 [&](const Node& n) { return n.op == Op::label && int32_t(n.imm) == program.rare; });
  const auto count = size_t(rare - program.nodes.begin());
  std::vector<int32_t> label_at(size_t(program.labels), -1), depth(count + 1, 0);
  bool any = false;
  for (size_t i = 0; i < count; ++i) {
    const Node& n = program.nodes[i];
    if (n.op == Op::label) label_at[n.imm] = int32_t(i);
    if (!is_jump(n.op) || label_at[n.imm] < 0) continue;
    ++depth[size_t(label_at[n.imm])], --depth[i + 1];
    label_at[n.imm] = -1;
    any = true;
  }
  if (!any) return pins;
  std::vector<int64_t> gain(pins.pin.size(), 0), weights(program.nodes.size(), 0);
  int64_t calls = 0;
  int32_t level = 0;
  for (size_t i = 0; i < count; ++i) {
    level += depth[i];
    const Node& n = program.nodes[i];
    const int64_t weight = int64_t{1} << 3 * std::min(level, kDeepest);
    weights[i] = weight;
    if (n.op == Op::get || n.op == Op::set) gain[n.imm] += weight;
    if (n.op == Op::mask_get || n.op == Op::mask_set) gain[size_t(program.variables) + n.imm] += weight;
    if (n.op == Op::call) calls += 2 * weight;
  }
  // With AVX2 a pinned variable takes two of the few registers that values have: as many as save more than they make leave.
  const auto worth = [&](std::span<const size_t> order) {
    ScheduleLimits limits = schedule_limits(cpu);
    size_t best = 0;
    int64_t saved = 0, most_saved = -kSpillCost * estimated_spills(program, limits, weights);
    for (size_t n = 1; n <= order.size(); ++n) {
      limits.values -= 2;
      saved += gain[order[n - 1]];
      const int64_t net = saved - kSpillCost * estimated_spills(program, limits, weights);
      if (net > most_saved) most_saved = net, best = n;
    }
    return best;
  };
  const auto take = [&](size_t begin, size_t end, size_t most) {
    std::vector<size_t> order;
    for (size_t v = begin; v < end; ++v)
      if (gain[v] > calls && gain[v] >= 16) order.push_back(v);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return gain[a] > gain[b]; });
    order.resize(std::min(order.size(), most));
    if (halves) order.resize(worth(order));
    for (size_t n = 0; n < order.size(); ++n) pins.pin[order[n]] = int8_t(n);
    return int(order.size());
  };
  pins.values = take(0, size_t(program.variables), halves ? kMostValuesOfHalves : kMostValues);
  pins.masks = take(size_t(program.variables), pins.pin.size(), halves ? 0 : kMostMasks);
  return pins;
}

}  // namespace pumice::hw::fast::lane
