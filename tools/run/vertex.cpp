// SPDX-License-Identifier: MIT
#include "tools/run/vertex.h"

#include <algorithm>
#include <bit>

#include "hw/common/numerics/float_bits.h"
#include "hw/common/simd/flush.h"
#include "hw/radeon/asm/assembly.h"
#include "hw/radeon/draw/inspector.h"
#include "hw/radeon/jit/lane/interpret.h"
#include "hw/radeon/jit/lane/routine.h"
#include "hw/radeon/jit/pvs/code.h"
#include "hw/radeon/ref/vap/pvs_engine.h"
#include "tools/run/chip.h"

namespace pumice::run {
namespace {

namespace pvs = hw::fast::vertex;
using Destination = regs::PVS_INST_DST;
constexpr uint64_t kBudget = 1'000'000;  ///< instructions of a vertex

/// Notes who writes a channel of an output register.
class WriterNote final : public hw::Inspector {
 public:
  WriterNote(uint32_t reg, uint32_t channel) : reg_(reg), channel_(channel) {}
  void vertex_step(const hw::PvsStep& s) override {
    if (s.skipped || s.index != int32_t(reg_)) return;
    const bool all = s.file == Destination::PVS_DST_REG_TYPE__OUTPUT_WITH_X_REPLICATED;
    if ((s.file == Destination::PVS_DST_REG_TYPE__OUTPUT && s.mask >> channel_ & 1) || (all && s.mask)) writer = {true, s.pc};
  }
  Writer writer;

 private:
  const uint32_t reg_, channel_;
};

class VertexMachine final : public Machine {
 public:
  explicit VertexMachine(const Task& task) : t_(task), v_(task.program.vertex) {
    hw::reset(state_, task.profile);
    load_vertex_program(state_, v_, constants(v_.constants, task.module, task.inputs));
    // Output registers: position, perhaps the point size, the varyings by location.
    slots_.push_back(kPosition);
    if (v_.writes_point_size) slots_.push_back(kExtra);
    for (const Variable& o : task.module.outputs)
      for (uint32_t c = 0; c < o.columns; ++c) slots_.push_back(o.location + c);
  }

  Execution reference() override { return run_reference(t_.flip && t_.flip->both ? flipped(state_) : state_, begin()); }
  Execution fast(hw::fast::Cpu cpu) override { return run_fast(flipped(state_), cpu, begin()); }

  Writer writer(uint32_t invocation, uint32_t slot, uint32_t channel) override {
    const auto at = std::find(slots_.begin(), slots_.end(), slot);
    WriterNote note(uint32_t(at - slots_.begin()), channel);
    hw::vap::PvsOutputs outputs{};
    uint64_t budget = kBudget;
    hw::vap::run_program(hw::vap::decode_program(state_), state_, vertex_inputs(v_, t_.inputs.values[invocation], invocation), outputs,
                         budget, &note);
    return note.writer;
  }

  /// Programs that end at an instruction, which writes output 0 in place of its temporary.
  Writer first_difference(hw::fast::Cpu cpu) override {
    for (uint32_t last = 0; last < v_.code.size(); ++last) {
      hw::ChipState cut = state_, other = flipped(state_);
      for (hw::ChipState* s : {&cut, &other}) {
        s->set(regs::VAP_PVS_CODE_CNTL_0{}.PVS_FIRST_INST(0).PVS_XYZW_VALID_INST(last).PVS_LAST_INST(last));
        Destination d{s->pvs[last][0]};
        const uint32_t file = d.PVS_DST_REG_TYPE();
        if (file == Destination::PVS_DST_REG_TYPE__TEMPORARY || file == Destination::PVS_DST_REG_TYPE__ALTERNATE_TEMPORARY)
          s->pvs[last][0] = d.PVS_DST_REG_TYPE(Destination::PVS_DST_REG_TYPE__OUTPUT).PVS_DST_OFFSET(0).raw;
      }
      const Execution a = run_reference(cut, begin()), b = run_fast(other, cpu, begin());
      for (size_t i = 0; i < a.results.value.size(); ++i)
        for (uint32_t s = 0; s < kSlots; ++s)
          for (uint32_t c = 0; c < 4; ++c)
            if (std::bit_cast<uint32_t>(a.results.value[i][s][c]) != std::bit_cast<uint32_t>(b.results.value[i][s][c])) return {true, last};
    }
    return {};
  }

  std::string instruction(uint32_t slot) const override { return hw::assembly::pvs_text(state_.pvs[slot]); }

 private:
  hw::ChipState flipped(hw::ChipState state) const {
    if (t_.flip && t_.flip->slot < v_.code.size()) state.pvs[t_.flip->slot][t_.flip->word % 4] ^= 1u << (t_.flip->bit % 32);
    return state;
  }

  Execution run_reference(const hw::ChipState& state, Execution e) const {
    e.how = "reference interpreter";
    const hw::vap::PvsProgram program = hw::vap::decode_program(state);
    if (!program.complaint.empty()) e.complaints.push_back(program.complaint);
    for (uint32_t i = 0; i < t_.inputs.invocations; ++i) {
      hw::vap::PvsOutputs outputs;
      outputs.fill(hw::vap::kDefaultVector);
      uint64_t budget = kBudget;
      if (!hw::vap::run_program(program, state, vertex_inputs(v_, t_.inputs.values[i], i), outputs, budget))
        e.complaints.push_back("the program does not end");
      e.work += kBudget - budget;
      for (size_t r = 0; r < slots_.size(); ++r) e.results.value[i][slots_[r]] = outputs[r];
    }
    return e;
  }

  Execution run_fast(const hw::ChipState& state, hw::fast::Cpu cpu, Execution e) const {
    pvs::Program program;
    pvs::make_program(state, program);
    if (!program.complaint.empty()) e.complaints.push_back(program.complaint);
    if (!program.steps) {
      e.complaints.push_back("the program is too long for the fast executor, which leaves it to the reference");
      return e;
    }
    const auto code = hw::fast::lane::assemble(program.lanes, cpu, "pvs");
    const hw::fast::lane::Interpreter interpreter(program.lanes);
    e.how = code ? "native code of " + std::to_string(code->size()) + " bytes" : "portable SIMD";
    std::vector<std::array<float, 4>> constant(pvs::kConstants);
    for (uint32_t i = 0; i <= program.constant_max && i < constant.size(); ++i)
      for (uint32_t c = 0; c < 4; ++c)
        constant[i][c] = hw::num::flush_denormal(std::bit_cast<float>(state.pvs[program.constant_base + i][c]));
    const auto batch = std::make_unique<pvs::Batch>();
    for (uint32_t first = 0; first < t_.inputs.invocations; first += hw::fast::kLanes) {
      for (auto& row : batch->row) row = {};
      batch->constant = reinterpret_cast<const float(*)[4]>(constant.data());
      for (uint32_t lane = 0; lane < hw::fast::kLanes; ++lane) {
        const auto inputs = vertex_inputs(v_, t_.inputs.values[first + lane], first + lane);
        for (uint32_t r = 0; r < inputs.size(); ++r)
          for (uint32_t c = 0; c < 4; ++c) batch->row[pvs::kInputRow + 4 * r + c].v[lane] = inputs[r][c];
        for (uint32_t r = 0; r < pvs::kOutputs; ++r) batch->row[pvs::kOutputRow + 4 * r + 3].v[lane] = 1;
      }
      {
        const hw::fast::FlushDenormals flush;
        if (code)
          code->function()(batch.get());
        else
          interpreter.run(batch.get());
      }
      ++e.work;
      for (uint32_t lane = 0; lane < hw::fast::kLanes; ++lane)
        for (size_t r = 0; r < slots_.size(); ++r)
          for (uint32_t c = 0; c < 4; ++c)
            e.results.value[first + lane][slots_[r]][c] =
                hw::num::canonical(batch->row[size_t(pvs::kOutputRow) + 4 * r + c].v[lane]);  // as the front end does where bits are seen
    }
    return e;
  }

  Execution begin() const {
    Execution e;
    e.results.value.assign(t_.inputs.invocations, {});
    e.results.killed.assign(t_.inputs.invocations, 0);
    if (slots_.size() != 1u + v_.writes_point_size + t_.program.varyings.size())
      e.complaints.push_back("the program has " + std::to_string(t_.program.varyings.size()) + " varyings, the shader more outputs");
    return e;
  }

  const Task t_;
  const compiler::VertexProgram& v_;
  hw::ChipState state_{t_.profile};
  std::vector<uint32_t> slots_;  ///< of the results, by output register
};

}  // namespace

void load_vertex_program(hw::ChipState& state, const compiler::VertexProgram& v, const std::vector<Vec4>& constants) {
  const uint32_t last = uint32_t(v.code.size()) - 1;
  std::copy(v.code.begin(), v.code.end(), state.pvs.begin());
  state.set(regs::VAP_PVS_CODE_CNTL_0{}.PVS_FIRST_INST(0).PVS_XYZW_VALID_INST(last).PVS_LAST_INST(last));
  state.set(regs::VAP_PVS_CONST_CNTL{}.PVS_CONST_BASE_OFFSET(0).PVS_MAX_CONST_ADDR(state.chip().pvs_constants - 1));
  state.set(regs::VAP_PVS_FLOW_CNTL_OPC{v.flow_opc});
  for (uint32_t i = 0; v.flow_opc && i < v.flow.size(); ++i) {
    state.set(regs::VAP_PVS_FLOW_CNTL_ADDRS_LW{v.flow[i][0]}, i);
    state.set(regs::VAP_PVS_FLOW_CNTL_ADDRS_UW{v.flow[i][1]}, i);
    state.set(regs::VAP_PVS_FLOW_CNTL_LOOP_INDEX{v.flow[i][2]}, i);
  }
  for (uint32_t i = 0; i < state.chip().pvs_constants; ++i)
    for (uint32_t c = 0; c < 4; ++c) state.pvs[state.chip().pvs_constant_base + i][c] = std::bit_cast<uint32_t>(constants[i][c]);
}

std::array<Vec4, hw::most::pvs_inputs> vertex_inputs(const compiler::VertexProgram& program, const Triangle& values, uint32_t invocation) {
  std::array<Vec4, hw::most::pvs_inputs> inputs;
  inputs.fill(hw::vap::kDefaultVector);
  for (const compiler::VertexInput& in : program.inputs) {
    switch (in.kind) {
      case compiler::VertexInput::Kind::attribute:
        for (uint32_t c = 0; c < in.components; ++c) inputs[in.reg][c] = (*values[in.corner])[in.location][c];
        break;
      case compiler::VertexInput::Kind::vertex_index: inputs[in.reg][0] = float(invocation); break;
      case compiler::VertexInput::Kind::instance_index: inputs[in.reg][0] = float(kInstance); break;
    }
  }
  return inputs;
}

std::unique_ptr<Machine> vertex_machine(const Task& task) { return std::make_unique<VertexMachine>(task); }

}  // namespace pumice::run
