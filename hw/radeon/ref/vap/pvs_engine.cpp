// SPDX-License-Identifier: MIT
/// Interpreter of the vertex program: operand fetch, the two engines, destination write, flow control (pvs-isa s.2.2, s.3, s.9).
#include "hw/radeon/ref/vap/pvs_engine.h"

#include <algorithm>

#include "hw/common/numerics/float_bits.h"
#include "hw/radeon/decode/vap/pvs_flow.h"
#include "hw/radeon/draw/inspector.h"
#include "hw/radeon/ref/vap/pvs_alu.h"

namespace pumice::hw::vap {
namespace {

using Dst = regs::PVS_INST_DST;
using Src = regs::PVS_INST_SRC;

class Vertex {
 public:
  Vertex(const PvsProgram& program, const ChipState& state, const PvsInputs& inputs, PvsOutputs& outputs)
      : program_(program), state_(state), input_(inputs), output_(outputs) {}

  void execute(const Instruction& in, int32_t loop_index);
  /// execute(), and the inspector sees it.
  void execute_for(Inspector& inspector, uint32_t pc, const Instruction& in, int32_t loop_index);

 private:
  int32_t address(uint8_t offset, AddressMode mode, uint8_t component) const {
    if (mode == AddressMode::a0) return offset + a0_[component];
    if (mode == AddressMode::loop_index) return offset + loop_index_;
    return offset;
  }
  Vec4 constant(int32_t index) const;
  Vec4 fetch(const Operand& o) const;
  void write(uint32_t file, int32_t index, const Vec4& value, uint8_t mask);
  Vec4 destination(uint32_t file, int32_t index) const;

  const PvsProgram& program_;
  const ChipState& state_;
  PvsInputs input_;  ///< a copy: programs may write input memory
  PvsOutputs& output_;
  std::array<Vec4, kPvsTemps> temp_{};
  std::array<Vec4, kPvsAltTemps> alt_temp_{};
  std::array<int32_t, 4> a0_{};
  bool predicate_ = false;
  int32_t loop_index_ = 0;
};

template <size_t N>
Vec4 read(const std::array<Vec4, N>& file, int32_t index) {
  return index >= 0 && uint32_t(index) < N ? file[uint32_t(index)] : Vec4{};
}
template <size_t N>
void merge(std::array<Vec4, N>& file, int32_t index, const Vec4& value, uint8_t mask) {
  if (index < 0 || uint32_t(index) >= N) return;
  for (int i = 0; i < 4; ++i)
    if (mask >> i & 1) file[uint32_t(index)][i] = value[i];
}

Vec4 Vertex::constant(int32_t index) const {
  if (index < 0 || uint32_t(index) > program_.constant_max) return {};
  const auto& words = state_.pvs[program_.constant_base + uint32_t(index)];
  return {num::from_bits(words[0]), num::from_bits(words[1]), num::from_bits(words[2]), num::from_bits(words[3])};
}

/// Fetch, swizzle, abs, negate; denormals are flushed on the way. Reserved swizzle codes give 0.
Vec4 Vertex::fetch(const Operand& o) const {
  const int32_t index = address(o.offset, o.mode, o.a0_component);
  Vec4 v;
  switch (o.file) {
    case Src::PVS_SRC_REG_TYPE__TEMPORARY: v = read(temp_, index); break;
    case Src::PVS_SRC_REG_TYPE__INPUT: v = read(input_, index); break;
    case Src::PVS_SRC_REG_TYPE__CONSTANT: v = constant(index); break;
    default: v = read(alt_temp_, index); break;
  }
  Vec4 r;
  for (int i = 0; i < 4; ++i) {
    const uint32_t s = o.swizzle[i];
    uint32_t x = s < 4 ? num::bits(num::flush_denormal(v[s])) : num::bits(s == Src::PVS_SRC_SWIZZLE_X__N1_0 ? 1.0f : 0.0f);
    if (o.absolute_value) x &= 0x7FFFFFFFu;
    if (o.negate >> i & 1) x ^= 0x80000000u;
    r[i] = num::from_bits(x);
  }
  return r;
}

void Vertex::write(uint32_t file, int32_t index, const Vec4& value, uint8_t mask) {
  switch (file) {
    case Dst::PVS_DST_REG_TYPE__TEMPORARY: merge(temp_, index, value, mask); break;
    case Dst::PVS_DST_REG_TYPE__ADDRESS_REGISTER_A0:  // one register: the index is ignored
      for (int i = 0; i < 4; ++i)
        if (mask >> i & 1) a0_[i] = to_address(value[i]);
      break;
    case Dst::PVS_DST_REG_TYPE__OUTPUT: merge(output_, index, value, mask); break;
    case Dst::PVS_DST_REG_TYPE__OUTPUT_WITH_X_REPLICATED: merge(output_, index, {value[0], value[0], value[0], value[0]}, mask); break;
    case Dst::PVS_DST_REG_TYPE__ALTERNATE_TEMPORARY: merge(alt_temp_, index, value, mask); break;
    case Dst::PVS_DST_REG_TYPE__INPUT_MEMORY: merge(input_, index, value, mask); break;
    default: break;  // reserved: dropped
  }
}

void Vertex::execute(const Instruction& in, int32_t loop_index) {
  loop_index_ = loop_index;
  if (in.engine == Engine::none) return;
  if (in.predicated && predicate_ != in.predicate_sense) return;

  const Vec4 a = fetch(in.src[0]), b = fetch(in.src[1]), c = fetch(in.src[2]);
  const int32_t dst = address(in.dst_offset, in.dst_mode, in.dst_a0_component);
  bool predicate = predicate_;
  AluResult r;
  if (in.engine == Engine::math)
    r = math_engine(in.opcode, a[3], b[3], c[3], predicate);
  else if (in.engine == Engine::macro)
    r = vector_engine(code(vector_form(isa::pvs::MacroOp(in.opcode))), a, b, c, predicate);
  else
    r = vector_engine(in.opcode, a, b, c, predicate);
  if (in.saturate && !r.to_fixed)
    for (float& x : r.value) x = saturate(x);

  if (in.dual) {  // reads before the vector result is written; its predicate wins
    const Vec4 m = fetch(in.dual_src);
    AluResult s = math_engine(in.dual_opcode, m[0], m[1], m[1], predicate);
    float x = s.value[in.dual_channel];
    if (in.dual_saturate) x = saturate(x);
    // The channel is chosen by the instruction, so operations that write W only write the chosen one.
    if (s.mask) merge(alt_temp_, in.dual_dst, {x, x, x, x}, uint8_t(1u << in.dual_channel));
  }
  write(in.dst_file, dst, r.value, in.write_mask & r.mask);
  predicate_ = predicate;
}

Vec4 Vertex::destination(uint32_t file, int32_t index) const {
  switch (file) {
    case Dst::PVS_DST_REG_TYPE__TEMPORARY: return read(temp_, index);
    case Dst::PVS_DST_REG_TYPE__ADDRESS_REGISTER_A0: return {float(a0_[0]), float(a0_[1]), float(a0_[2]), float(a0_[3])};
    case Dst::PVS_DST_REG_TYPE__OUTPUT:
    case Dst::PVS_DST_REG_TYPE__OUTPUT_WITH_X_REPLICATED: return read(output_, index);
    case Dst::PVS_DST_REG_TYPE__ALTERNATE_TEMPORARY: return read(alt_temp_, index);
    case Dst::PVS_DST_REG_TYPE__INPUT_MEMORY: return read(input_, index);
    default: return {};
  }
}

void Vertex::execute_for(Inspector& inspector, uint32_t pc, const Instruction& in, int32_t loop_index) {
  PvsStep step;
  step.pc = pc;
  step.loop_index = loop_index_ = loop_index;
  step.skipped = in.engine == Engine::none || (in.predicated && predicate_ != in.predicate_sense);
  step.file = in.dst_file;
  step.index = address(in.dst_offset, in.dst_mode, in.dst_a0_component);
  step.mask = in.write_mask;
  for (size_t n = 0; n < step.operand.size(); ++n) step.operand[n] = fetch(in.src[n]);
  step.dual = in.dual;
  if (in.dual) step.dual_operand = fetch(in.dual_src);
  execute(in, loop_index);
  step.value = destination(step.file, step.index);
  if (in.dual) step.dual_value = read(alt_temp_, in.dual_dst);
  inspector.vertex_step(step);
}

}  // namespace

bool run_program(const PvsProgram& program, const ChipState& state, const PvsInputs& inputs, PvsOutputs& outputs,
                 uint64_t& instructions_left, Inspector* inspector) {
  Vertex vertex(program, state, inputs, outputs);
  for (PvsFlow flow(program); flow.pc() >= 0; flow.advance()) {
    if (instructions_left == 0) return false;
    --instructions_left;
    const Instruction& in = program.code[uint32_t(flow.pc())];
    if (inspector)
      vertex.execute_for(*inspector, uint32_t(flow.pc()), in, flow.loop_index());
    else
      vertex.execute(in, flow.loop_index());
  }
  return true;
}

}  // namespace pumice::hw::vap
