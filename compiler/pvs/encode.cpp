// SPDX-License-Identifier: MIT
/// PVS instruction <-> dwords (pvs-isa 2.1, 2.2).
#include "compiler/pvs/machine.h"
#include "hw/db/regs_r500.h"

namespace pumice::compiler::pvs {
namespace {

uint32_t encode_source(const Source& s) {
  regs::PVS_INST_SRC w;
  const uint32_t mode = static_cast<uint32_t>(s.addressing);
  w.PVS_SRC_REG_TYPE(s.file).PVS_SRC_ABS_XYZW(s.abs).PVS_SRC_ADDR_MODE_0(mode & 1).PVS_SRC_ADDR_MODE_1(mode >> 1).PVS_SRC_OFFSET(s.offset);
  w.PVS_SRC_SWIZZLE_X(s.swizzle[0]).PVS_SRC_SWIZZLE_Y(s.swizzle[1]).PVS_SRC_SWIZZLE_Z(s.swizzle[2]).PVS_SRC_SWIZZLE_W(s.swizzle[3]);
  w.PVS_SRC_MODIFIER_X(s.negate & 1)
      .PVS_SRC_MODIFIER_Y(s.negate >> 1 & 1)
      .PVS_SRC_MODIFIER_Z(s.negate >> 2 & 1)
      .PVS_SRC_MODIFIER_W(s.negate >> 3 & 1);
  return w.PVS_SRC_ADDR_SEL(s.a0_lane).raw;
}

Source decode_source(uint32_t raw) {
  const regs::PVS_INST_SRC w{raw};
  Source s;
  s.file = static_cast<uint8_t>(w.PVS_SRC_REG_TYPE());
  s.abs = w.PVS_SRC_ABS_XYZW();
  s.addressing = static_cast<Addressing>(w.PVS_SRC_ADDR_MODE_1() << 1 | w.PVS_SRC_ADDR_MODE_0());
  s.offset = static_cast<uint8_t>(w.PVS_SRC_OFFSET());
  s.swizzle = {static_cast<uint8_t>(w.PVS_SRC_SWIZZLE_X()), static_cast<uint8_t>(w.PVS_SRC_SWIZZLE_Y()),
               static_cast<uint8_t>(w.PVS_SRC_SWIZZLE_Z()), static_cast<uint8_t>(w.PVS_SRC_SWIZZLE_W())};
  s.negate = static_cast<uint8_t>(w.PVS_SRC_MODIFIER_X() | w.PVS_SRC_MODIFIER_Y() << 1 | w.PVS_SRC_MODIFIER_Z() << 2 |
                                  w.PVS_SRC_MODIFIER_W() << 3);
  s.a0_lane = static_cast<uint8_t>(w.PVS_SRC_ADDR_SEL());
  return s;
}

}  // namespace

Words encode(const Instruction& x) {
  regs::PVS_INST_DST w;
  const uint32_t mode = static_cast<uint32_t>(x.dst_addressing);
  w.PVS_DST_OPCODE(x.op)
      .PVS_DST_MATH_INST(x.engine == Engine::math)
      .PVS_DST_MACRO_INST(x.engine == Engine::macro)
      .PVS_DST_REG_TYPE(x.dst_file);
  w.PVS_DST_ADDR_MODE_0(mode & 1).PVS_DST_ADDR_MODE_1(mode >> 1).PVS_DST_OFFSET(x.dst).PVS_DST_ADDR_SEL(x.dst_a0_lane);
  w.PVS_DST_WE_X(x.write & 1).PVS_DST_WE_Y(x.write >> 1 & 1).PVS_DST_WE_Z(x.write >> 2 & 1).PVS_DST_WE_W(x.write >> 3 & 1);
  w.PVS_DST_VE_SAT(x.vector_saturate)
      .PVS_DST_ME_SAT(x.math_saturate)
      .PVS_DST_PRED_ENABLE(x.predicated)
      .PVS_DST_PRED_SENSE(x.sense)
      .PVS_DST_DUAL_MATH_OP(x.dual_math);
  return {w.raw, encode_source(x.source[0]), encode_source(x.source[1]), x.dual_math ? x.dual : encode_source(x.source[2])};
}

Instruction decode(const Words& words) {
  const regs::PVS_INST_DST w{words[0]};
  Instruction x;
  x.op = static_cast<uint8_t>(w.PVS_DST_OPCODE());
  // The macro bit wins: its table replaces both others (UNCONFIRMED, no driver sets both).
  x.engine = w.PVS_DST_MACRO_INST() ? Engine::macro : w.PVS_DST_MATH_INST() ? Engine::math : Engine::vector;
  x.dst_file = static_cast<uint8_t>(w.PVS_DST_REG_TYPE());
  x.dst = static_cast<uint8_t>(w.PVS_DST_OFFSET());
  x.write = static_cast<uint8_t>(w.PVS_DST_WE_X() | w.PVS_DST_WE_Y() << 1 | w.PVS_DST_WE_Z() << 2 | w.PVS_DST_WE_W() << 3);
  x.dst_addressing = static_cast<Addressing>(w.PVS_DST_ADDR_MODE_1() << 1 | w.PVS_DST_ADDR_MODE_0());
  x.dst_a0_lane = static_cast<uint8_t>(w.PVS_DST_ADDR_SEL());
  x.vector_saturate = w.PVS_DST_VE_SAT();
  x.math_saturate = w.PVS_DST_ME_SAT();
  x.predicated = w.PVS_DST_PRED_ENABLE();
  x.sense = w.PVS_DST_PRED_SENSE();
  x.dual_math = w.PVS_DST_DUAL_MATH_OP();
  for (int i = 0; i < 3; i++) {
    if (i < 2 || !x.dual_math) x.source[i] = decode_source(words[i + 1]);
  }
  if (x.dual_math) x.dual = words[3];
  return x;
}

}  // namespace pumice::compiler::pvs
