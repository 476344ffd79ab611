// SPDX-License-Identifier: MIT
/// State of strict draws that the tiles have no routines for: the reference's blocks draw it, in order, after what is queued. All of it is
/// rare (no driver of ours sets any), so that the routines of everything else need not ask for it.
#pragma once
#include "hw/radeon/decode/sc/samples.h"

namespace pumice::hw::fast {

/// Coordinates at covered samples, or nudged (RS_INST.TEX_ADJ, RS_INST_COUNT.TX_OFFSET).
template <class Count, class Inst>
bool moves_coordinates(const ChipState& state) {
  const auto count = state.get<Count>();
  if (count.TX_OFFSET()) return true;
  if (sc::sample_count(state) == 1) return false;
  for (uint32_t i = 0; i <= count.INST_COUNT(); ++i)
    if (state.get<Inst>(i).TEX_ADJ()) return true;
  return false;
}

inline bool left_to_reference(const ChipState& state) {
  if (state.get<regs::GB_SELECT>().DEPTH_SELECT() == regs::GB_SELECT::DEPTH_SELECT__W) return true;
  using W = regs::US_W_FMT;
  const auto w = state.get<W>();
  if (state.get<regs::FG_DEPTH_SRC>().DEPTH_SRC() == regs::FG_DEPTH_SRC::DEPTH_SRC__FOUR_VALUES_FROM_SHADER &&
      (w.W_FMT() == W::W_FMT__N24_BIT_FLOAT || w.W_SRC() == W::W_SRC__RASTERIZER))
    return true;
  const auto fog = state.get<regs::FG_FOG_BLEND>();
  if (fog.ENABLE() && fog.FN() != regs::FG_FOG_BLEND::FN__CONSTANT_FG_FOG_FACTOR &&
      state.get<regs::GB_SELECT>().FOG_SELECT() < regs::GB_SELECT::FOG_SELECT__Z)
    return true;
  const auto bw = state.get<regs::ZB_BW_CNTL>();
  if (bw.HIZ_ENABLE() || bw.ZB_CB_CLEAR()) return true;
  return state.chip().has_texture_pointers ? moves_coordinates<regs::RS_INST_COUNT, regs::RS_INST>(state)
                                           : moves_coordinates<regs::r300::RS_INST_COUNT, regs::r300::RS_INST>(state);
}

}  // namespace pumice::hw::fast
