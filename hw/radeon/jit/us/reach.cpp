// SPDX-License-Identifier: MIT
/// See reach.h.
#include "hw/radeon/jit/us/reach.h"

#include <vector>

namespace pumice::hw::fast::us {

using Cmn = regs::US_CMN_INST;

Reach reach(const ChipState& state) {
  Reach r;
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
    if (pc == r.end) continue;
    const auto& code = state.us_code[pc];
    todo.push_back(pc + 1);
    if (Cmn{code[0]}.TYPE() == Cmn::TYPE__FLOW_CONTROL) {
      // A return goes behind a call, which the call's own way on covers.
      const regs::US_FC_ADDR target{code[3]};
      todo.push_back(target.JUMP_ADDR() + (target.JUMP_GLOBAL() ? 0 : r.offset));
    }
  }
  return r;
}

ShadeTraits traits(const ChipState& state, const Reach& reach) {
  using Tex = regs::US_TEX_INST;
  ShadeTraits t;
  if (!state.chip().us_slots) return t;
  using Rgba = regs::US_ALU_RGBA_INST;
  using Alpha = regs::US_ALU_ALPHA_INST;
  t.neighbours = false;
  for (uint32_t pc = 0; pc < reach.slot.size(); ++pc) {
    if (!reach.slot[pc]) continue;
    const auto& code = state.us_code[pc];
    const Cmn cmn{code[0]};
    t.neighbours |= cmn.TYPE() == Cmn::TYPE__FLOW_CONTROL;
    if (cmn.TYPE() == Cmn::TYPE__ALU || cmn.TYPE() == Cmn::TYPE__OUTPUT) {
      const uint32_t rgb = Rgba{code[5]}.RGB_OP(), alpha = Alpha{code[4]}.ALPHA_OP();
      t.neighbours |=
          rgb == Rgba::RGB_OP__MDH || rgb == Rgba::RGB_OP__MDV || alpha == Alpha::ALPHA_OP__MDH || alpha == Alpha::ALPHA_OP__MDV;
    }
    if (cmn.TYPE() == Cmn::TYPE__TEXTURE) {
      const Tex inst{code[1]};
      if (inst.INST() == Tex::INST__TEXKILL)
        t.kills = true;
      else if (inst.INST() != Tex::INST__NOP)
        t.units |= uint16_t(1u << inst.TEX_ID());
    } else if (cmn.TYPE() == Cmn::TYPE__OUTPUT) {
      const Alpha alpha{code[4]};
      if (cmn.RGB_OMASK()) t.targets |= uint8_t(1u << regs::US_ALU_RGB_INST{code[3]}.TARGET());
      if (cmn.ALPHA_OMASK()) t.targets |= uint8_t(1u << alpha.TARGET());
      if (alpha.W_OMASK()) t.writes_depth = true;
    }
  }
  return t;
}

}  // namespace pumice::hw::fast::us
