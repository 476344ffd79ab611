// SPDX-License-Identifier: MIT
/// The order of operations: README.md, "Scheduling".
#pragma once
#include <span>

#include "hw/common/simd/cpu.h"
#include "hw/radeon/jit/lane/ir.h"

namespace pumice::hw::fast::lane {

/// What the emitter has for values, and how far operations move.
struct ScheduleLimits {
  int32_t window = 1;   ///< a node overtakes no node this far before it
  int32_t values = 0;   ///< registers for values, without those for constants on the way
  int32_t beyond = 0;   ///< so many more are alive before the order of the source is followed: the processor hides some spills
  int32_t masks = 0;    ///< registers for masks; 0: they count as values
  bool halves = false;  ///< what is not done on vectors ends a run (AVX2), else labels and calls alone
};
ScheduleLimits schedule_limits(Cpu cpu);

/// `b` gathers the dwords behind those of `a`: the emitter makes one access of nodes that stand so.
bool follows(const Node& a, const Node& b);
/// is_apart(), but for lanes of a table, of which both halves are at hand, and for a block's buffer, where no lane meets another.
bool meets_halves(const Program& program, const Node& n);
/// Instructions of half an operation on AVX2, roughly.
int32_t instructions(Op op);

/// The order in which to emit: indices of nodes. Operands come before their users, everything with an effect, reads of variables and
/// `lanes` that read now stay where they are, and nothing passes them. Gathers that follow each other are together. Linear in nodes times
/// window.
std::vector<int32_t> schedule_order(const Program& program, const ScheduleLimits& limits);

/// The program in that order.
Program scheduled(const Program& program, const ScheduleLimits& limits);

/// How often a value has to leave its register for another one, about: the growth, node by node, of what is alive beyond the limits.
/// `weight`: how often each node counts; without it once.
int64_t estimated_spills(const Program& program, const ScheduleLimits& limits, std::span<const int64_t> weight = {});

}  // namespace pumice::hw::fast::lane
