// SPDX-License-Identifier: MIT
/// See reach.h.
#include "hw/radeon/jit/us/reach.h"

#include <algorithm>

#include "hw/radeon/decode/us/strict.h"

namespace pumice::hw::fast::us {

using namespace isa::us_r500;
using hw::us::strict_instruction;

Reach reach(const ChipState& state) {
  Reach r;
  if (!state.chip().us_slots) {
    r.levels = us_r300::program(state);
    static_assert(us_r300::kMostInstructions >= most::us_slots);
    for (size_t i = 0; i < r.levels->code.size(); ++i) r.slot.set(i);
    r.last = r.end = uint32_t(r.levels->code.size()) - 1;
    r.lowest = 0, r.behind = uint32_t(r.levels->code.size());
    r.leaves = !r.levels->problem.empty();
    return r;
  }
  const auto range = state.get<regs::US_CODE_RANGE>();
  const auto addr = state.get<regs::US_CODE_ADDR>();
  r.offset = state.get<regs::US_CODE_OFFSET>().OFFSET_ADDR();
  r.first = range.CODE_ADDR(), r.last = r.first + range.CODE_SIZE();
  r.start = r.offset + addr.START_ADDR(), r.end = r.offset + addr.END_ADDR();
  std::vector<uint32_t> todo = {r.start};
  while (!todo.empty()) {
    const uint32_t pc = todo.back();
    todo.pop_back();
    if (pc < r.first || pc > r.last || pc >= state.chip().us_slots) {
      r.leaves = true;
      continue;
    }
    if (r.slot[pc]) continue;
    r.slot.set(pc);
    r.lowest = std::min(r.lowest, pc), r.behind = std::max(r.behind, pc + 1);
    if (pc == r.end) continue;
    todo.push_back(pc + 1);
    if (type_of(state.us_code[pc]) == Type::FLOW_CONTROL) {
      // A return continues behind a call; the call's fall-through edge covers that.
      todo.push_back(jump_target(strict_instruction(state.us_code[pc]).flow, r.offset));
    }
  }
  return r;
}

std::vector<Instruction> decode(const ChipState& state, const Reach& reach) {
  if (reach.levels) return reach.levels->code;
  std::vector<Instruction> code(std::min(most::us_slots, std::max(reach.behind, reach.end + 1)));
  for (uint32_t pc = reach.lowest; pc < reach.behind; ++pc)
    if (reach.slot[pc]) code[pc] = strict_instruction(state.us_code[pc]);
  return code;
}

ShadeTraits traits(const ChipState& state, const Reach& reach) {
  ShadeTraits t;
  t.neighbours = false;
  for (uint32_t pc = reach.lowest; pc < reach.behind; ++pc) {
    if (!reach.slot[pc]) continue;
    const Instruction x = reach.levels ? reach.levels->code[pc] : strict_instruction(state.us_code[pc]);
    switch (x.type) {
      case Type::FLOW_CONTROL: t.neighbours = true; break;
      case Type::TEXTURE:
        t.kills |= info(x.tex.inst).kills;
        // A reserved operation counts as a lookup.
        if (info(x.tex.inst).fetches || reserved(x.tex.inst)) t.units |= uint16_t(1u << x.tex.unit);
        break;
      case Type::OUTPUT:
        if (x.rgb.output) t.targets |= uint8_t(1u << x.rgb.target);
        if (x.alpha.output) t.targets |= uint8_t(1u << x.alpha.target);
        t.writes_depth |= x.depth_write;
        [[fallthrough]];
      case Type::ALU: t.neighbours |= info(x.rgb.op).derivative || info(x.alpha.op).derivative; break;
    }
  }
  return t;
}

}  // namespace pumice::hw::fast::us
