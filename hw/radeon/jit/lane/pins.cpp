// SPDX-License-Identifier: MIT
/// See pins.h.
#include "hw/radeon/jit/lane/pins.h"

#include <algorithm>

namespace pumice::hw::fast::lane {
namespace {

/// Of 30 registers for values and 6 for masks; AVX2 has 14, and a variable takes two (masks are vectors there and stay in memory).
constexpr size_t kMostValues = 16, kMostMasks = 2, kMostValuesOfHalves = 4;
constexpr int32_t kDeepest = 4;

}  // namespace

Pins choose_pins(const Program& program, Cpu cpu) {
  Pins pins{.pin = std::vector<int8_t>(size_t(program.variables + program.mask_variables), -1)};
  if (cpu == Cpu::portable || pins.pin.empty()) return pins;
  const bool halves = cpu != Cpu::avx512;
  // A loop ends where code first jumps back to its label; what jumps there later lies apart (out of budget).
  const size_t count = program.nodes.size();
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
  std::vector<int64_t> gain(pins.pin.size(), 0);
  int64_t calls = 0;
  int32_t level = 0;
  for (size_t i = 0; i < count; ++i) {
    level += depth[i];
    const Node& n = program.nodes[i];
    const int64_t weight = int64_t{1} << 3 * std::min(level, kDeepest);
    if (n.op == Op::get || n.op == Op::set) gain[n.imm] += weight;
    if (n.op == Op::mask_get || n.op == Op::mask_set) gain[size_t(program.variables) + n.imm] += weight;
    if (n.op == Op::call) calls += 2 * weight;
  }
  const auto take = [&](size_t begin, size_t end, size_t most) {
    std::vector<size_t> order;
    for (size_t v = begin; v < end; ++v)
      if (gain[v] > calls && gain[v] >= 16) order.push_back(v);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return gain[a] > gain[b]; });
    order.resize(std::min(order.size(), most));
    for (size_t n = 0; n < order.size(); ++n) pins.pin[order[n]] = int8_t(n);
    return int(order.size());
  };
  pins.values = take(0, size_t(program.variables), halves ? kMostValuesOfHalves : kMostValues);
  pins.masks = take(size_t(program.variables), pins.pin.size(), halves ? 0 : kMostMasks);
  return pins;
}

}  // namespace pumice::hw::fast::lane
