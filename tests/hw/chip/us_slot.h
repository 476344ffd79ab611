// SPDX-License-Identifier: MIT
/// One US instruction slot as its registers.
#pragma once
#include <array>

#include "hw/db/regs_r500.h"

namespace pumice::hw::test {

struct AluSlot {
  regs::US_CMN_INST cmn;
  regs::US_ALU_RGB_ADDR rgb_addr;
  regs::US_ALU_ALPHA_ADDR alpha_addr;
  regs::US_ALU_RGB_INST rgb;
  regs::US_ALU_ALPHA_INST alpha;
  regs::US_ALU_RGBA_INST rgba;
  std::array<uint32_t, 6> words() const { return {cmn.raw, rgb_addr.raw, alpha_addr.raw, rgb.raw, alpha.raw, rgba.raw}; }
};

/// OUT, last instruction, A = constant 0, B = constant 1, C = constant 2, all components as they are, to target A.
inline AluSlot constants_slot(uint32_t rgb_op, uint32_t alpha_op) {
  AluSlot s;
  s.cmn.TYPE(1).TEX_SEM_WAIT(1).LAST(1).RGB_OMASK(7).ALPHA_OMASK(1);
  s.rgb_addr.ADDR0(0).ADDR0_CONST(1).ADDR1(1).ADDR1_CONST(1).ADDR2(2).ADDR2_CONST(1);
  s.alpha_addr.ADDR0(0).ADDR0_CONST(1).ADDR1(1).ADDR1_CONST(1).ADDR2(2).ADDR2_CONST(1);
  s.rgb.RGB_SEL_A(0).RED_SWIZ_A(0).GREEN_SWIZ_A(1).BLUE_SWIZ_A(2).RGB_SEL_B(1).RED_SWIZ_B(0).GREEN_SWIZ_B(1).BLUE_SWIZ_B(2);
  s.alpha.ALPHA_OP(alpha_op).ALPHA_SEL_A(0).ALPHA_SWIZ_A(3).ALPHA_SEL_B(1).ALPHA_SWIZ_B(3);
  s.rgba.RGB_OP(rgb_op).RGB_SEL_C(2).RED_SWIZ_C(0).GREEN_SWIZ_C(1).BLUE_SWIZ_C(2).ALPHA_SEL_C(2).ALPHA_SWIZ_C(3);
  return s;
}

struct TexSlot {
  regs::US_CMN_INST cmn;
  regs::US_TEX_INST inst;
  regs::US_TEX_ADDR addr;
  regs::US_TEX_ADDR_DXDY dxdy;
  std::array<uint32_t, 6> words() const { return {cmn.raw, inst.raw, addr.raw, dxdy.raw, 0, 0}; }
};

/// Texture unit 0, coordinates from temp `src` as they are, all four components to temp `dst`.
inline TexSlot tex_slot(uint32_t op, uint32_t src = 0, uint32_t dst = 0) {
  TexSlot s;
  s.cmn.TYPE(3).TEX_SEM_WAIT(1).RGB_WMASK(7).ALPHA_WMASK(1);
  s.inst.INST(op).TEX_SEM_ACQUIRE(1);
  s.addr.SRC_ADDR(src).SRC_S_SWIZ(0).SRC_T_SWIZ(1).SRC_R_SWIZ(2).SRC_Q_SWIZ(3);
  s.addr.DST_ADDR(dst).DST_R_SWIZ(0).DST_G_SWIZ(1).DST_B_SWIZ(2).DST_A_SWIZ(3);
  return s;
}

struct FlowSlot {
  regs::US_CMN_INST cmn = regs::US_CMN_INST().TYPE(2).ALU_WAIT(1);
  regs::US_FC_INST inst;
  regs::US_FC_ADDR addr;
  std::array<uint32_t, 6> words() const { return {cmn.raw, 0, inst.raw, addr.raw, 0, 0}; }
};

}  // namespace pumice::hw::test
