// SPDX-License-Identifier: MIT
/// See flow_masks.h.
#include "hw/radeon/jit/us/flow_masks.h"

namespace pumice::hw::fast::us {

FlowMasks::Mask FlowMasks::enabled(uint32_t select, bool invert, uint32_t channel) {
  if (select == 0 || select > 5) return all_;
  const Mask p = read_predicate(select == 1 ? channel : select - 2);
  return invert ? b_.mask_not(p) : p;
}

std::array<FlowMasks::Mask, 4> FlowMasks::enabled_channels(const Instruction& x) {
  std::array<Mask, 4> on;
  for (uint32_t c = 0; c < 3; ++c) on[c] = enabled(x.rgb_predicate, x.rgb_predicate_invert, c);
  on[3] = enabled(x.alpha_predicate, x.alpha_predicate_invert, 3);
  return on;
}

/// Asks only for the conditions that the function depends on.
FlowMasks::Mask FlowMasks::wanting(const Instruction& x) {
  const uint32_t func = x.flow.jump_func;
  const auto choose = [&](auto condition, uint32_t low, uint32_t high, auto next) {
    const Mask a = next(low), b = next(high);
    if (low == high) return a;
    const Mask m = condition();
    return b_.mask_or(b_.mask_and(m, b), b_.mask_andnot(m, a));
  };
  const auto result = [&] { return alu_result_; };
  const auto predicate = [&] { return enabled(x.rgb_predicate, x.rgb_predicate_invert, 0); };
  const auto bit = [&] { return boolean(x.flow.bool_address); };
  const auto leaf = [&](uint32_t f) { return f & 1u ? all_ : none_; };
  const auto by_bool = [&](uint32_t f) { return choose(bit, f & 1u, f >> 1 & 1u, leaf); };
  const auto by_predicate = [&](uint32_t f) { return choose(predicate, f & 3u, f >> 2 & 3u, by_bool); };
  return choose(result, func & 15u, func >> 4 & 15u, by_predicate);
}

}  // namespace pumice::hw::fast::us
