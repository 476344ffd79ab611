// SPDX-License-Identifier: MIT
#include "hw/radeon/jit/pvs/code.h"

#include "hw/radeon/jit/pvs/native.h"

#include <algorithm>
#include <cstring>

#include "hw/radeon/decode/vap/pvs_flow.h"

namespace pumice::hw::fast::vertex {
namespace {

using Dst = regs::PVS_INST_DST;
using Src = regs::PVS_INST_SRC;
using isa::pvs::MacroOp;
using isa::pvs::MathOp;
using isa::pvs::VectorOp;
using vap::AddressMode;

struct File {
  int32_t first_row, count;
};
constexpr File kTempFile = {kTempRow, kTemps}, kAltFile = {kAltRow, kAltTemps}, kInputFile = {kInputRow, kInputs},
               kOutputFile = {kOutputRow, kOutputs};
static_assert(kTemps == vap::kPvsTemps && kAltTemps == vap::kPvsAltTemps && kInputs == vap::kPvsInputs && kOutputs == vap::kPvsOutputs &&
              kConstants == vap::kPvsConstants);

class Maker {
 public:
  Maker(const vap::PvsProgram& from, Program& to) : from_(from), to_(to) {}

  void run() {
    uint32_t steps = 0;
    for (vap::PvsFlow flow(from_); flow.pc() >= 0; flow.advance()) {
      if (++steps > kMaxSteps) return;
      const vap::Instruction& in = from_.code[uint32_t(flow.pc())];
      if (in.engine != vap::Engine::none) instruction(in, flow.loop_index());
    }
    to_.steps = steps;
    to_.code.op = to_.ops.data();
    to_.code.count = uint32_t(to_.ops.size());
    for (uint32_t i = 0; i < kTemps + kAltTemps; ++i)
      if (used_[i]) to_.code.zero_register[to_.code.zero_registers++] = uint8_t(i);
  }

 private:
  void touch(File f, int32_t index) {
    if (f.first_row < kInputRow) used_[size_t(f.first_row / 4 + index)] = true;
    if (f.first_row == kInputRow) to_.inputs |= 1u << index;
  }
  void touch_all(File f) {
    for (int32_t i = 0; i < f.count; ++i) touch(f, i);
  }

  Source source(const vap::Operand& o, int32_t loop_index) {
    Source s;
    s.negate = o.negate;
    s.abs = o.absolute_value;
    bool reads = false;
    for (uint32_t i = 0; i < 4; ++i) {
      s.swizzle[i] = o.swizzle[i] < 4 ? o.swizzle[i] : o.swizzle[i] == Src::PVS_SRC_SWIZZLE_X__N1_0 ? 5 : 4;
      reads |= s.swizzle[i] < 4;
    }
    if (!reads) return s;
    const bool constant = o.file == Src::PVS_SRC_REG_TYPE__CONSTANT;
    const File f = o.file == Src::PVS_SRC_REG_TYPE__TEMPORARY ? kTempFile : o.file == Src::PVS_SRC_REG_TYPE__INPUT ? kInputFile : kAltFile;
    const int32_t count = constant ? int32_t(from_.constant_max) + 1 : f.count;
    if (o.mode == AddressMode::a0) {
      s.kind = constant ? Source::Kind::relative_constant : Source::Kind::relative_row;
      s.a0 = o.a0_component;
      s.index = o.offset;
      s.first_row = f.first_row;
      s.count = count;
      if (constant)
        to_.any_constant = true;
      else
        touch_all(f);
      return s;
    }
    const int32_t index = o.offset + (o.mode == AddressMode::loop_index ? loop_index : 0);
    if (index < 0 || index >= count) return s;
    if (constant) {
      s.kind = Source::Kind::constant;
      s.index = index;
      to_.constant[size_t(index)] = true;
    } else {
      s.kind = Source::Kind::row;
      s.index = f.first_row + 4 * index;
      touch(f, index);
    }
    return s;
  }

  void destination(const vap::Instruction& in, int32_t loop_index, PvsOp& op) {
    File f = kTempFile;
    switch (in.dst_file) {
      case Dst::PVS_DST_REG_TYPE__TEMPORARY: break;
      case Dst::PVS_DST_REG_TYPE__ADDRESS_REGISTER_A0: op.dst = PvsOp::Dst::a0; return;
      case Dst::PVS_DST_REG_TYPE__OUTPUT: f = kOutputFile; break;
      case Dst::PVS_DST_REG_TYPE__OUTPUT_WITH_X_REPLICATED:
        f = kOutputFile;
        op.replicate_x = true;
        break;
      case Dst::PVS_DST_REG_TYPE__ALTERNATE_TEMPORARY: f = kAltFile; break;
      case Dst::PVS_DST_REG_TYPE__INPUT_MEMORY: f = kInputFile; break;
      default: return;
    }
    if (in.dst_mode == AddressMode::a0) {
      op.dst = PvsOp::Dst::relative;
      op.dst_a0 = in.dst_a0_component;
      op.dst_index = in.dst_offset;
      op.dst_first_row = f.first_row;
      op.dst_count = f.count;
      return touch_all(f);
    }
    const int32_t index = in.dst_offset + (in.dst_mode == AddressMode::loop_index ? loop_index : 0);
    if (index < 0 || index >= f.count) return;
    op.dst = PvsOp::Dst::row;
    op.dst_index = f.first_row + 4 * index;
    touch(f, index);
  }

  void instruction(const vap::Instruction& in, int32_t loop_index) {
    PvsOp op;
    op.engine = in.engine == vap::Engine::math ? PvsOp::Engine::math : PvsOp::Engine::vector;
    op.opcode = in.opcode;
    if (in.engine == vap::Engine::macro) op.opcode = code(vap::vector_form(MacroOp(in.opcode)));
    const bool to_fixed = op.engine == PvsOp::Engine::vector && info(VectorOp(op.opcode)).to_address;
    op.saturate = in.saturate && !to_fixed;
    op.predicated = in.predicated;
    op.sense = in.predicate_sense;
    op.write_mask = in.write_mask;
    destination(in, loop_index, op);
    if (op.dst == PvsOp::Dst::none) op.write_mask = 0;
    for (int i = 0; i < 3; ++i) op.src[i] = source(in.src[i], loop_index);
    if (in.dual) {
      op.dual = true;
      op.dual_saturate = in.dual_saturate;
      op.dual_opcode = in.dual_opcode;
      op.dual_channel = in.dual_channel;
      op.dual_row = kAltRow + 4 * in.dual_dst + in.dual_channel;
      touch(kAltFile, in.dual_dst);
      op.dual_src = source(in.dual_src, loop_index);
    }
    if (!op.write_mask && !op.dual && !sets_predicate(op)) return;
    to_.ops.push_back(op);
  }

  static bool sets_predicate(const PvsOp& op) {
    return op.engine == PvsOp::Engine::math ? info(MathOp(op.opcode)).sets_predicate : info(VectorOp(op.opcode)).sets_predicate;
  }

  const vap::PvsProgram& from_;
  Program& to_;
  std::array<bool, kTemps + kAltTemps> used_{};
};

}  // namespace

std::array<uint32_t, 2 + 1 + 3 * 16> program_registers(const ChipState& state) {
  std::array<uint32_t, 2 + 1 + 3 * 16> r{};
  r[0] = state.get<regs::VAP_PVS_CODE_CNTL_0>().raw;
  r[1] = state.get<regs::VAP_PVS_CONST_CNTL>().raw;
  r[2] = state.get<regs::VAP_PVS_FLOW_CNTL_OPC>().raw;
  for (uint32_t i = 0; r[2] != 0 && i < 16; ++i) {
    if (!state.chip().pvs_has_wide_flow) {
      r[3 + 3 * i] = state.get<regs::VAP_PVS_FLOW_CNTL_ADDRS>(i).raw;
    } else {
      r[3 + 3 * i] = state.get<regs::VAP_PVS_FLOW_CNTL_ADDRS_LW>(i).raw;
      r[4 + 3 * i] = state.get<regs::VAP_PVS_FLOW_CNTL_ADDRS_UW>(i).raw;
    }
    r[5 + 3 * i] = state.get<regs::VAP_PVS_FLOW_CNTL_LOOP_INDEX>(i).raw;
  }
  return r;
}

bool Program::made_from(const ChipState& state) const {
  return state.profile == profile && std::memcmp(words.data(), &state.pvs[first_slot], slots * sizeof words[0]) == 0 &&
         program_registers(state) == registers;
}

void make_program(const ChipState& state, Program& p) {
  p = {};
  const vap::PvsProgram decoded = vap::decode_program(state);
  p.profile = state.profile;
  p.registers = program_registers(state);
  const bool anywhere = decoded.has_flow || decoded.last < decoded.first;
  p.first_slot = anywhere ? 0 : decoded.first;
  p.slots = anywhere ? decoded.chip->pvs_slots : decoded.last - decoded.first + 1;
  p.words.assign(&state.pvs[p.first_slot], &state.pvs[p.first_slot] + p.slots);
  p.constant_base = decoded.constant_base;
  p.constant_max = decoded.constant_max;
  p.complaint = decoded.complaint;
  Maker(decoded, p).run();
  for (uint32_t i = 0; i <= p.constant_max && i < kConstants; ++i)
    if (p.any_constant || p.constant[i]) p.constants.push_back(uint8_t(i));
  if (p.steps) p.lanes = translate(p.code, p.written_rows);
  if (p.lanes.nodes.size() > kMaxNodes) p.steps = 0, p.lanes = {};
}

}  // namespace pumice::hw::fast::vertex
