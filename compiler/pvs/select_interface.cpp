// SPDX-License-Identifier: MIT
/// Inputs, constants, outputs: a dynamic constant index is FLT2FIX to A0, then a relative read.
#include "compiler/pvs/selector.h"

#include <algorithm>

#include "compiler/isa/error.h"

namespace pumice::compiler::pvs {

void Selector::load_input(const ir::Instruction& x) {
  const ir::Input& in = module_.inputs[x.index];
  VertexInput wanted;
  switch (in.builtin) {
    case ir::Builtin::none: wanted.kind = VertexInput::Kind::attribute; break;
    case ir::Builtin::vertex_index: wanted.kind = VertexInput::Kind::vertex_index; break;
    case ir::Builtin::instance_index: wanted.kind = VertexInput::Kind::instance_index; break;
    default: throw isa::Unsupported("a vertex shader cannot read this built-in input", in.at);
  }
  wanted.location = in.builtin == ir::Builtin::none ? in.location : 0;
  wanted.corner = in.corner;
  VertexInput* found = nullptr;
  for (VertexInput& v : out_.inputs) {
    if (v.kind == wanted.kind && v.location == wanted.location && v.corner == wanted.corner) found = &v;
  }
  if (!found) {
    if (out_.inputs.size() == chip_.vertex.inputs)
      throw isa::Unsupported("needs more than " + std::to_string(chip_.vertex.inputs) +
                                 " vertex inputs (attributes, gl_VertexIndex, gl_InstanceIndex" +
                                 (in.corner ? "; derivatives read those of three vertices)" : ")"),
                             in.at);
    wanted.reg = static_cast<uint32_t>(out_.inputs.size());
    wanted.components = 0;
    wanted.is_integer = in.builtin == ir::Builtin::none && in.type != ir::Type::f32;
    out_.inputs.push_back(wanted);
    found = &out_.inputs.back();
  }
  const uint8_t component = in.builtin == ir::Builtin::none ? in.component : 0;
  found->components = std::max<uint8_t>(found->components, static_cast<uint8_t>(component + in.comps));
  Place& p = places_.at(x.result);
  p.kind = Place::Kind::input;
  p.index = found->reg;
  for (unsigned l = 0; l < in.comps; l++) p.lane[l] = static_cast<uint8_t>(component + l);
}

void Selector::load_constant(const ir::Instruction& x) {
  Place& p = places_.at(x.result);
  const uint32_t slot = constants_.slot(x);
  if (x.source_count == 0) {
    p.kind = Place::Kind::constant;
    p.index = slot;
    p.lane = {0, 1, 2, 3};
    return;
  }
  const Place d = places_.dest(x.result, 15);
  Op op;
  op.op = V::PVS_DST_OPCODE__ADD;
  op.sources = 2;
  if (const std::optional<uint32_t> base = loop_slot(x.source[0], slot)) {
    op.source[0].kind = VSource::Kind::loop_relative;
    op.source[0].index = *base;
  } else {
    op.source[0].kind = VSource::Kind::relative;
    op.source[0].index = slot;
    op.source[0].a0_lane = address(x.source[0]);
  }
  op.dst = d.index;
  for (uint8_t l = 0; l < 4; l++) {
    if (d.lane[l] == kNoLane || !(places_.used_lanes(x.result) >> l & 1)) continue;
    op.source[0].lane[op.slots] = l;
    op.dst_lane[op.slots++] = d.lane[l];
  }
  if (op.slots) emit(op);
}

/// The lane of A0 that holds the index. The four lanes are reused round robin; an index still in one is not loaded again.
uint8_t Selector::address(const ir::Source& index) {
  for (uint8_t l = 0; l < 4; l++) {
    const ir::Source& have = a0_[l];
    if (have.value && have.value == index.value && have.swizzle[0] == index.swizzle[0] && have.abs == index.abs &&
        have.negate == index.negate)
      return l;
  }
  const uint8_t lane = next_a0_++ & 3;
  a0_[lane] = index;
  Op op;
  op.op = V::PVS_DST_OPCODE__FLT2FIX_DX;
  op.sources = 1;
  op.source[0] = source(places_.read(index), {0});
  op.dst_kind = Op::Dst::address;
  op.slots = 1;
  op.dst_lane[0] = lane;
  emit(op);
  return lane;
}

/// Components `mask` of the output register; component c reads lane c - shift of the operand.
void Selector::move_to_output(uint32_t reg, uint8_t mask, const Operand& o, unsigned shift, bool saturate) {
  Op op;
  op.op = V::PVS_DST_OPCODE__ADD;
  op.sources = 2;
  op.dst_kind = Op::Dst::output;
  op.dst = reg;
  op.saturate = saturate;
  Vec<uint8_t> lanes;
  for (uint8_t c = 0; c < 4; c++) {
    if (!(mask >> c & 1)) continue;
    op.dst_lane[lanes.size()] = c;
    lanes.push_back(static_cast<uint8_t>(c - shift));
  }
  op.slots = static_cast<uint8_t>(lanes.size());
  op.source[0] = source(o, lanes);
  if (op.slots) emit(op);
}

void Selector::store(const ir::Instruction& x) {
  const ir::Output& out = module_.outputs[x.index];
  const unsigned shift = ir::is_located(out.builtin) ? out.component : 0;
  const uint8_t lanes = static_cast<uint8_t>(x.mask & ((1u << out.comps) - 1));
  for (size_t i = 0; i < outputs_.size(); i++) {
    const OutputTarget& t = outputs_[i];
    if (t.builtin != out.builtin || (ir::is_located(t.builtin) && t.location != out.location)) continue;
    const uint8_t mask = static_cast<uint8_t>(lanes << shift & t.components);
    move_to_output(t.reg, mask, places_.read(x.source[0]), shift, false);
    written_[i] |= mask;
  }
}

}  // namespace pumice::compiler::pvs
