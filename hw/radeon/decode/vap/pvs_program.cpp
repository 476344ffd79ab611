// SPDX-License-Identifier: MIT
/// Decoder of PVS microcode and flow control registers (pvs-isa s.2, s.7, s.9).
#include "hw/radeon/decode/vap/pvs_program.h"

#include <algorithm>

namespace pumice::hw::vap {
namespace {

using Dst = regs::PVS_INST_DST;
using Math = regs::PVS_INST_DST_MATH;
using Macro = regs::PVS_INST_DST_MACRO;
using Src = regs::PVS_INST_SRC;
using Dual = regs::PVS_INST_DUAL_MATH;

/// Mode 3 is reserved: absolute. UNCONFIRMED.
AddressMode address_mode(uint32_t high, uint32_t low) {
  const uint32_t mode = high << 1 | low;
  return mode == 1 ? AddressMode::a0 : mode == 2 ? AddressMode::loop_index : AddressMode::absolute;
}

Operand decode_operand(Src s, const Capabilities& chip) {
  Operand o;
  o.file = uint8_t(s.PVS_SRC_REG_TYPE());
  o.offset = uint8_t(s.PVS_SRC_OFFSET());
  o.mode = address_mode(s.PVS_SRC_ADDR_MODE_1(), s.PVS_SRC_ADDR_MODE_0());
  o.a0_component = uint8_t(s.PVS_SRC_ADDR_SEL());
  o.absolute_value = chip.pvs_has_absolute_value && s.PVS_SRC_ABS_XYZW();
  o.negate = uint8_t(s.PVS_SRC_MODIFIER_X() | s.PVS_SRC_MODIFIER_Y() << 1 | s.PVS_SRC_MODIFIER_Z() << 2 | s.PVS_SRC_MODIFIER_W() << 3);
  o.swizzle = {uint8_t(s.PVS_SRC_SWIZZLE_X()), uint8_t(s.PVS_SRC_SWIZZLE_Y()), uint8_t(s.PVS_SRC_SWIZZLE_Z()),
               uint8_t(s.PVS_SRC_SWIZZLE_W())};
  return o;
}

Operand decode_dual_operand(Dual d, const Capabilities& chip) {
  Operand o;
  o.file = uint8_t(d.PVS_SRC_REG_TYPE());
  o.offset = uint8_t(d.PVS_SRC_OFFSET());
  o.mode = address_mode(d.PVS_SRC_ADDR_MODE_1(), d.PVS_SRC_ADDR_MODE_0());
  o.a0_component = uint8_t(d.PVS_SRC_ADDR_SEL());
  o.absolute_value = chip.pvs_has_absolute_value && d.PVS_SRC_ABS_XYZW();
  o.negate = uint8_t(d.PVS_SRC_MODIFIER_X() | d.PVS_SRC_MODIFIER_Y() << 1);
  o.swizzle = {uint8_t(d.PVS_SRC_SWIZZLE_X()), uint8_t(d.PVS_SRC_SWIZZLE_Y()), uint8_t(d.PVS_SRC_SWIZZLE_Y()),
               uint8_t(d.PVS_SRC_SWIZZLE_Y())};
  return o;
}

uint32_t last_vector_opcode(const Capabilities& chip) {
  return chip.pvs_has_compares ? Dst::PVS_DST_OPCODE__SET_NOT_EQUAL : Dst::PVS_DST_OPCODE__FLT2FIX_DX_RND;
}
uint32_t last_math_opcode(const Capabilities& chip) {
  return chip.pvs_has_compares ? Math::PVS_DST_OPCODE__PRED_SET_RESTORE : Math::PVS_DST_OPCODE__COS;
}

FlowEntry decode_flow(const ChipState& state, uint32_t i, const Capabilities& chip) {
  FlowEntry f;
  f.opcode = uint8_t(regs::VAP_PVS_FLOW_CNTL_OPC{state.get<regs::VAP_PVS_FLOW_CNTL_OPC>().raw >> (2 * i)}.PVS_FC_OPC_0());
  if (chip.pvs_has_wide_flow) {
    const auto low = state.get<regs::VAP_PVS_FLOW_CNTL_ADDRS_LW>(i);
    const auto high = state.get<regs::VAP_PVS_FLOW_CNTL_ADDRS_UW>(i);
    f.act = low.PVS_FC_ACT_ADRS_0();
    f.count_or_target = low.PVS_FC_LOOP_CNT_JMP_INST_0();
    f.last = high.PVS_FC_LAST_INST_0();
    f.return_to = high.PVS_FC_RTN_INST_0();
  } else {
    const auto r = state.get<regs::VAP_PVS_FLOW_CNTL_ADDRS>(i);
    f.act = r.PVS_FC_ACT_ADRS_0();
    f.count_or_target = r.PVS_FC_LOOP_CNT_JMP_INST_0();
    f.last = r.PVS_FC_LAST_INST_0();
    f.return_to = r.PVS_FC_RTN_INST_0();
  }
  // Addresses have as many bits as the store needs; a loop count has 8 (pvs-isa s.9: at most 255).
  const uint32_t mask = chip.pvs_slots - 1;
  f.act &= mask;
  f.last &= mask;
  f.return_to &= mask;
  f.count_or_target &= f.opcode == regs::VAP_PVS_FLOW_CNTL_OPC::PVS_FC_OPC_0__LOOP ? 0xFFu : mask;
  const auto index = state.get<regs::VAP_PVS_FLOW_CNTL_LOOP_INDEX>(i);
  f.index_start = int32_t(index.PVS_FC_LOOP_INIT_VAL_0());
  f.index_step = int8_t(index.PVS_FC_LOOP_STEP_VAL_0());
  f.inherit_index = chip.pvs_has_index_inheritance && index.PVS_FC_LOOP_REPEAT_NO_FLI_0();
  return f;
}

}  // namespace

Instruction decode_instruction(const std::array<uint32_t, 4>& words, const Capabilities& chip, std::string& complaint) {
  const Dst d{words[0]};
  Instruction in;
  in.opcode = uint8_t(d.PVS_DST_OPCODE());
  // MACRO wins over MATH when both bits are set. UNCONFIRMED.
  if (d.PVS_DST_MACRO_INST())
    in.engine = in.opcode <= Macro::PVS_DST_OPCODE__N2CLK_M2X_ADD ? Engine::macro : Engine::none;
  else if (d.PVS_DST_MATH_INST())
    in.engine = in.opcode <= last_math_opcode(chip) ? Engine::math : Engine::none;
  else
    in.engine = in.opcode <= last_vector_opcode(chip) ? Engine::vector : Engine::none;
  if (in.engine == Engine::none) complaint = "reserved PVS opcode " + std::to_string(d.raw & 0xFFu);

  in.saturate = chip.pvs_has_saturation && (in.engine == Engine::math ? d.PVS_DST_ME_SAT() : d.PVS_DST_VE_SAT());
  in.predicated = chip.pvs_has_predication && d.PVS_DST_PRED_ENABLE();
  in.predicate_sense = d.PVS_DST_PRED_SENSE();
  in.dst_file = uint8_t(d.PVS_DST_REG_TYPE());
  in.dst_offset = uint8_t(d.PVS_DST_OFFSET());
  in.dst_mode = address_mode(d.PVS_DST_ADDR_MODE_1(), d.PVS_DST_ADDR_MODE_0());
  in.dst_a0_component = uint8_t(d.PVS_DST_ADDR_SEL());
  in.write_mask = uint8_t(d.PVS_DST_WE_X() | d.PVS_DST_WE_Y() << 1 | d.PVS_DST_WE_Z() << 2 | d.PVS_DST_WE_W() << 3);
  if (in.dst_file > Dst::PVS_DST_REG_TYPE__INPUT_MEMORY) complaint = "reserved PVS destination type " + std::to_string(in.dst_file);

  for (int i = 0; i < 3; ++i) in.src[i] = decode_operand(Src{words[1 + i]}, chip);
  if (in.engine == Engine::vector && d.PVS_DST_DUAL_MATH_OP()) {
    const Dual m{words[3]};
    in.dual_opcode = uint8_t(m.PVS_DST_OPCODE_MSB() << 4 | m.PVS_DST_OPCODE());
    in.dual = in.dual_opcode <= last_math_opcode(chip);
    if (!in.dual) complaint = "reserved PVS dual math opcode " + std::to_string(in.dual_opcode);
    in.dual_saturate = chip.pvs_has_saturation && d.PVS_DST_ME_SAT();
    in.dual_dst = uint8_t(m.DUAL_MATH_DST_OFFSET());
    in.dual_channel = uint8_t(m.PVS_DST_WE_SEL());
    in.dual_src = decode_dual_operand(m, chip);
    // Dword 3 belongs to the math operation: operand C of the vector operation reads as zero. UNCONFIRMED.
    in.src[2] = Operand{};
    in.src[2].swizzle.fill(Src::PVS_SRC_SWIZZLE_X__N0_0);
  }
  return in;
}

PvsProgram decode_program(const ChipState& state) {
  PvsProgram p;
  p.chip = &state.chip();
  const uint32_t mask = p.chip->pvs_slots - 1;
  const auto code = state.get<regs::VAP_PVS_CODE_CNTL_0>();
  p.first = code.PVS_FIRST_INST() & mask;
  p.last = code.PVS_LAST_INST() & mask;
  const auto constants = state.get<regs::VAP_PVS_CONST_CNTL>();
  p.constant_base = p.chip->pvs_constant_base + constants.PVS_CONST_BASE_OFFSET();
  p.constant_max = constants.PVS_MAX_CONST_ADDR();
  for (uint32_t i = 0; i < kFlowEntries; ++i) {
    p.flow[i] = decode_flow(state, i, *p.chip);
    p.has_flow |= p.flow[i].opcode != regs::VAP_PVS_FLOW_CNTL_OPC::PVS_FC_OPC_0__NONE;
  }
  // Straight code runs first..last; with flow control, or when it wraps around, any slot may be reached.
  const bool all = p.has_flow || p.last < p.first;
  p.code.resize(p.chip->pvs_slots);
  const uint32_t from = all ? 0 : p.first, to = all ? mask : p.last;
  // Complaints count only where the program runs in sequence: other slots may hold anything.
  for (uint32_t i = from; i <= to; ++i) {
    std::string complaint;
    p.code[i] = decode_instruction(state.pvs[i], *p.chip, complaint);
    if (!complaint.empty() && p.complaint.empty() && i >= p.first && i <= p.last) p.complaint = complaint + " in slot " + std::to_string(i);
  }
  return p;
}

}  // namespace pumice::hw::vap
