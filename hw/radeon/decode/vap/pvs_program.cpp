// SPDX-License-Identifier: MIT
/// Decoder of PVS microcode and flow control registers (pvs-isa s.2, s.7, s.9).
#include "hw/radeon/decode/vap/pvs_program.h"

#include <algorithm>

namespace pumice::hw::vap {
namespace {

using Dst = regs::PVS_INST_DST;
using isa::pvs::Addressing;

/// Mode 3 is reserved: absolute. UNCONFIRMED.
AddressMode address_mode(Addressing a) {
  return a == Addressing::a0 ? AddressMode::a0 : a == Addressing::loop ? AddressMode::loop_index : AddressMode::absolute;
}

Operand decode_operand(const isa::pvs::Source& s, const Capabilities& chip) {
  Operand o;
  o.file = s.file;
  o.offset = s.offset;
  o.mode = address_mode(s.addressing);
  o.a0_component = s.a0_lane;
  o.absolute_value = chip.pvs_has_absolute_value && s.abs;
  o.negate = s.negate;
  o.swizzle = s.swizzle;
  return o;
}

/// Two lanes: the second is B and C.
Operand decode_dual_operand(const isa::pvs::Source& s, const Capabilities& chip) {
  Operand o = decode_operand(s, chip);
  o.swizzle[2] = o.swizzle[3] = o.swizzle[1];
  return o;
}

/// False for reserved codes and for operations that the chip lacks.
template <class Op>
bool has(Op op, const Capabilities& chip) {
  return !reserved(op) && (chip.pvs_has_compares || info(op).r300);
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
  using Format = isa::pvs::Engine;
  isa::pvs::Instruction x = isa::pvs::unpack(words);
  Instruction in;
  in.opcode = x.op;
  switch (x.engine) {
    case Format::vector: in.engine = has(isa::pvs::VectorOp(x.op), chip) ? Engine::vector : Engine::none; break;
    case Format::math: in.engine = has(isa::pvs::MathOp(x.op), chip) ? Engine::math : Engine::none; break;
    // MACRO wins over MATH when both bits are set. UNCONFIRMED.
    case Format::macro:
    case Format::macro_and_math: in.engine = has(isa::pvs::MacroOp(x.op), chip) ? Engine::macro : Engine::none; break;
  }
  if (in.engine == Engine::none) complaint = "reserved PVS opcode " + std::to_string(words[0] & 0xFFu);

  in.saturate = chip.pvs_has_saturation && (in.engine == Engine::math ? x.math_saturate : x.vector_saturate);
  in.predicated = chip.pvs_has_predication && x.predicated;
  in.predicate_sense = x.sense;
  in.dst_file = x.dst_file;
  in.dst_offset = x.dst;
  in.dst_mode = address_mode(x.dst_addressing);
  in.dst_a0_component = x.dst_a0_lane;
  in.write_mask = x.write;
  if (in.dst_file > Dst::PVS_DST_REG_TYPE__INPUT_MEMORY) complaint = "reserved PVS destination type " + std::to_string(in.dst_file);

  const bool dual = in.engine == Engine::vector && x.dual_math;
  if (x.dual_math && !dual) {  // the bit is ignored for a math or macro operation: dword 3 is source 2
    auto w = words;
    w[0] = regs::PVS_INST_DST{w[0]}.PVS_DST_DUAL_MATH_OP(0).raw;
    x = isa::pvs::unpack(w);
  }
  for (int i = 0; i < 3; ++i) in.src[i] = decode_operand(x.source[size_t(i)], chip);
  if (dual) {
    in.dual_opcode = code(x.dual.op);
    in.dual = has(x.dual.op, chip);
    if (!in.dual) complaint = "reserved PVS dual math opcode " + std::to_string(in.dual_opcode);
    in.dual_saturate = chip.pvs_has_saturation && x.math_saturate;
    in.dual_dst = x.dual.dst;
    in.dual_channel = x.dual.lane;
    in.dual_src = decode_dual_operand(x.dual.source, chip);
    // Dword 3 belongs to the math operation: operand C of the vector operation reads as zero. UNCONFIRMED.
    in.src[2] = Operand{};
    in.src[2].swizzle.fill(regs::PVS_INST_SRC::PVS_SRC_SWIZZLE_X__N0_0);
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
  // Straight-line code executes first..last; with flow control, or when it wraps around, any slot may be reached.
  const bool all = p.has_flow || p.last < p.first;
  p.code.resize(p.chip->pvs_slots);
  const uint32_t from = all ? 0 : p.first, to = all ? mask : p.last;
  // Complaints count only for slots executed in sequence: other slots may hold arbitrary data.
  for (uint32_t i = from; i <= to; ++i) {
    std::string complaint;
    p.code[i] = decode_instruction(state.pvs[i], *p.chip, complaint);
    if (!complaint.empty() && p.complaint.empty() && i >= p.first && i <= p.last) p.complaint = complaint + " in slot " + std::to_string(i);
  }
  return p;
}

}  // namespace pumice::hw::vap
