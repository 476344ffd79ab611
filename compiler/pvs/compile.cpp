// SPDX-License-Identifier: MIT
#include "compiler/pvs/compile.h"

#include <algorithm>

#include "compiler/isa/error.h"
#include "compiler/isa/slot_lines.h"
#include "compiler/pvs/machine.h"
#include "hw/db/regs_r500.h"

namespace pumice::compiler::pvs {
namespace {

using D = regs::PVS_INST_DST;
using S = regs::PVS_INST_SRC;

/// Refuses programs that need more than the chip has.
struct Limits {
  const ChipLimits& chip;
  void operator()(const char* what, size_t needed, size_t available, const uint32_t* at = nullptr) const {
    if (needed > available)
      throw isa::Unsupported("needs " + std::to_string(needed) + " " + what + ", the " + std::string(chip.name) + " vertex unit has " +
                                 std::to_string(available),
                             at);
  }
};

/// What programs can use of the chip.
ChipLimits reachable(ChipLimits chip) {
  const auto at_most = [](uint32_t& limit, uint32_t names) { limit = std::min(limit, names); };
  at_most(chip.loop_rounds, kRoundNames);
  at_most(chip.vertex.slots, kSlotNames);
  at_most(chip.vertex.temps, kTempNames);
  at_most(chip.vertex.constants, kConstantNames);
  at_most(chip.vertex.inputs, kInputNames);
  at_most(chip.vertex.loops, kLoopNames);
  return chip;
}

Vec<isa::Hint> copy_hints(const Lir& lir) {
  Vec<isa::Hint> hints;
  for (const Op& op : lir.ops) {
    const VSource& s = op.source[0];
    if (op.kind != Op::Kind::alu || op.engine != Engine::vector || op.op != D::PVS_DST_OPCODE__ADD || op.dst_kind != Op::Dst::reg ||
        op.source[1].kind != VSource::Kind::none)
      continue;
    if (s.kind != VSource::Kind::reg || s.negate || s.abs) continue;
    for (unsigned k = 0; k < op.slots; k++) {
      if (s.lane[k] < 4) hints.push_back({{op.dst, op.dst_lane[k]}, {s.index, s.lane[k]}});
    }
  }
  return hints;
}

/// One operation to one instruction.
class Lower {
 public:
  explicit Lower(const isa::Allocation& allocation) : allocation_(allocation) {}

  Instruction operator()(const Op& op) const {
    Instruction x;
    x.engine = op.engine;
    x.op = op.op;
    (op.engine == Engine::math ? x.math_saturate : x.vector_saturate) = op.saturate;
    std::array<uint8_t, 4> channel = op.dst_lane;
    switch (op.dst_kind) {
      case Op::Dst::reg:
        x.dst_file = D::PVS_DST_REG_TYPE__TEMPORARY;
        x.dst = static_cast<uint8_t>(allocation_.of[op.dst].reg);
        for (unsigned k = 0; k < op.slots; k++) channel[k] = allocation_.of[op.dst].channel[op.dst_lane[k]];
        break;
      case Op::Dst::output:
        x.dst_file = D::PVS_DST_REG_TYPE__OUTPUT;
        x.dst = static_cast<uint8_t>(op.dst);
        break;
      case Op::Dst::address: x.dst_file = D::PVS_DST_REG_TYPE__ADDRESS_REGISTER_A0; break;
    }
    for (unsigned k = 0; k < op.slots; k++) x.write |= static_cast<uint8_t>(1u << channel[k]);
    for (unsigned i = 0; i < op.sources; i++) source(op, op.source[i], channel, x.source[i]);
    fill_idle(op, x);
    if (x.engine == Engine::vector && x.op == D::PVS_DST_OPCODE__MULTIPLY_ADD && three_temps(x)) {
      x.engine = Engine::macro;
      x.op = regs::PVS_INST_DST_MACRO::PVS_DST_OPCODE__N2CLK_MADD;
    }
    return x;
  }

 private:
  void source(const Op& op, const VSource& s, const std::array<uint8_t, 4>& channel, Source& out) const {
    out.abs = s.abs;
    switch (s.kind) {
      case VSource::Kind::reg:
        out.file = S::PVS_SRC_REG_TYPE__TEMPORARY;
        out.offset = static_cast<uint8_t>(allocation_.of[s.index].reg);
        break;
      case VSource::Kind::input:
        out.file = S::PVS_SRC_REG_TYPE__INPUT;
        out.offset = static_cast<uint8_t>(s.index);
        break;
      case VSource::Kind::relative:
      case VSource::Kind::loop_relative:
        out.addressing = s.kind == VSource::Kind::relative ? Addressing::a0 : Addressing::loop;
        out.a0_lane = s.a0_lane;
        [[fallthrough]];
      case VSource::Kind::constant:
        out.file = S::PVS_SRC_REG_TYPE__CONSTANT;
        out.offset = static_cast<uint8_t>(s.index);
        break;
      case VSource::Kind::none: break;
    }
    for (unsigned k = 0; k < slots_read(op); k++) {
      const unsigned at = op.replicated ? k : channel[k];
      uint8_t lane = s.lane[k];
      if (lane < 4 && s.kind == VSource::Kind::reg) lane = allocation_.of[s.index].channel[lane];
      out.swizzle[at] = lane;
      out.negate |= static_cast<uint8_t>((s.negate >> k & 1u) << at);
    }
  }

  /// Operands that read no register still name one: let it be one that is read anyway, never a relative one.
  static void fill_idle(const Op& op, Instruction& x) {
    const Source* used = nullptr;
    for (unsigned i = 0; i < op.sources && !used; i++) {
      if (op.source[i].kind != VSource::Kind::none && x.source[i].addressing == Addressing::absolute) used = &x.source[i];
    }
    for (unsigned i = 0; i < 3; i++) {
      if (used && (i >= op.sources || op.source[i].kind == VSource::Kind::none)) {
        x.source[i].file = used->file;
        x.source[i].offset = used->offset;
      }
    }
  }

  static bool three_temps(const Instruction& x) {
    Vec<uint8_t> seen;
    for (const Source& s : x.source) {
      if (s.file == S::PVS_SRC_REG_TYPE__TEMPORARY && std::find(seen.begin(), seen.end(), s.offset) == seen.end()) seen.push_back(s.offset);
    }
    return seen.size() == 3;
  }

  const isa::Allocation& allocation_;
};

/// A copy of a temporary to itself.
bool self_copy(const Instruction& x) {
  if (x.engine != Engine::vector || x.op != D::PVS_DST_OPCODE__ADD || x.dst_file != D::PVS_DST_REG_TYPE__TEMPORARY || x.vector_saturate)
    return false;
  const Source& s = x.source[0];
  if (s.file != S::PVS_SRC_REG_TYPE__TEMPORARY || s.offset != x.dst || s.abs || s.negate) return false;
  for (unsigned c = 0; c < 4; c++) {
    if ((x.write >> c & 1) && (s.swizzle[c] != c || x.source[1].swizzle[c] != swz::zero)) return false;
  }
  return true;
}

/// LOOP entries (pvs-isa 9). Never two transfers at one address, whose order the documents leave open: a NOP keeps them apart.
class FlowEntries {
 public:
  FlowEntries(VertexProgram& program, const Limits& limit) : p_(program), limit_(limit) {}

  void begin(const Op& op) {
    limit_("flow control entries (loops)", used_ + 1, limit_.chip.vertex.loops);
    limit_("nested loops", open_.size() + 1, limit_.chip.vertex.loop_depth);
    if (p_.code.empty() || taken_ == p_.code.size() - 1) nop();
    const uint32_t act = last();
    taken_ = act;
    open_.push_back(used_);
    p_.flow_opc |= uint32_t{regs::VAP_PVS_FLOW_CNTL_OPC::PVS_FC_OPC_0__LOOP} << (2 * used_);
    p_.flow[used_][0] = regs::VAP_PVS_FLOW_CNTL_ADDRS_LW{}.PVS_FC_ACT_ADRS_0(act).PVS_FC_LOOP_CNT_JMP_INST_0(op.rounds).raw;
    p_.flow[used_][1] = regs::VAP_PVS_FLOW_CNTL_ADDRS_UW{}.PVS_FC_RTN_INST_0(act + 1).raw;
    p_.flow[used_][2] =
        regs::VAP_PVS_FLOW_CNTL_LOOP_INDEX{}.PVS_FC_LOOP_INIT_VAL_0(0).PVS_FC_LOOP_STEP_VAL_0(static_cast<uint8_t>(op.index_step)).raw;
    used_++;
    p_.stats.flow++;
  }
  void end() {
    if (taken_ == last()) nop();
    taken_ = last();
    uint32_t& upper = p_.flow[open_.back()][1];
    upper = regs::VAP_PVS_FLOW_CNTL_ADDRS_UW{upper}.PVS_FC_LAST_INST_0(last()).raw;
    open_.pop_back();
  }
  void finish() {
    if (!p_.code.empty() && taken_ == last()) nop();
  }

 private:
  uint32_t last() const { return static_cast<uint32_t>(p_.code.size()) - 1; }
  void nop() {
    p_.code.push_back(pack(Instruction{}));
    p_.stats.alu++;
  }

  VertexProgram& p_;
  const Limits& limit_;
  size_t used_ = 0, taken_ = ~size_t{0};  ///< address of the last transfer
  Vec<size_t> open_;
};

}  // namespace

VertexProgram compile(const ir::Module& module, const std::vector<OutputTarget>& outputs, std::string* log, const ChipLimits& given,
                      std::vector<std::string>* lines, bool checked) {
  const ChipLimits chip = reachable(given);
  const Limits limit{chip};
  isa::ConstantFile constants(module);
  Selected selected = select(module, constants, outputs, chip, lines != nullptr);
  remove_dead(selected.lir);
  write_outputs_directly(selected.lir);
  if (log) *log += "--- PVS operations of " + module.name + "\n" + print(selected.lir);
  const isa::Allocation allocation = isa::allocate(selected.lir.registers, points(selected.lir), copy_hints(selected.lir));
  limit("temporaries", allocation.used, chip.vertex.temps);
  limit("constants", constants.size(), chip.vertex.constants, constants.largest());

  VertexProgram p;
  p.temps = allocation.used;
  const Lower lower(allocation);
  FlowEntries flow(p, limit);
  Vec<isa::SlotPlace> places;
  for (const Op& op : selected.lir.ops) {
    places.resize(p.code.size(), {op.at, nullptr});  // what flow adds
    if (op.kind != Op::Kind::alu) {
      op.kind == Op::Kind::loop ? flow.begin(op) : flow.end();
      continue;
    }
    const Instruction x = lower(op);
    if (self_copy(x)) continue;
    p.code.push_back(pack(x));
    places.push_back({op.at, nullptr});
    p.stats.alu++;
  }
  flow.finish();
  places.resize(p.code.size());
  limit("instructions", p.code.size(), chip.vertex.slots);
  p.constants = constants.ranges();
  p.inputs = std::move(selected.inputs);
  p.outputs = 0;
  for (const OutputTarget& t : outputs) p.outputs = std::max(p.outputs, t.reg + 1);
  p.stats.slots = static_cast<uint32_t>(p.code.size());
  p.stats.temps = p.temps;
  p.stats.constants = constants.size();
  if (lines) *lines = isa::slot_lines(places, module.words);
  if (log)
    *log +=
        "--- PVS microcode of " + module.name + "\n" + isa::with_lines(disassemble(p.code), lines ? *lines : std::vector<std::string>());
  ChipLimits::Vertex granted = chip.vertex;
  granted.outputs = std::max(1u, p.outputs);
  std::vector<std::string> problems;
  if (checked) problems = check({p.code, granted});
  if (!problems.empty()) throw isa::Unsupported("internal: the vertex microcode breaks a rule: " + problems[0]);
  return p;
}

}  // namespace pumice::compiler::pvs
