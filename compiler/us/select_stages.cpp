// SPDX-License-Identifier: MIT
/// What stages hand over on chips with extension blocks (docs/r5x.md, 5): varyings, attributes and system values come by LDV, LDA and SYS,
/// results go by EXP.
#include "compiler/isa/error.h"
#include "compiler/us/selector.h"

namespace pumice::compiler::us::select_detail {
namespace {

/// SYS number of a built-in input, or -1.
int system_number(ir::Builtin builtin) {
  switch (builtin) {
    case ir::Builtin::frag_coord: return 0;
    case ir::Builtin::front_facing: return 1;
    case ir::Builtin::sample_id: return 2;
    case ir::Builtin::sample_position: return 3;
    case ir::Builtin::sample_mask: return 4;
    case ir::Builtin::point_coord: return 5;
    case ir::Builtin::primitive_id: return 6;
    case ir::Builtin::layer: return 7;
    case ir::Builtin::viewport_index: return 8;
    case ir::Builtin::helper: return kHelper;
    case ir::Builtin::tested_mask: return 10;
    case ir::Builtin::vertex_index: return 16;
    case ir::Builtin::instance_index: return 17;
    case ir::Builtin::base_vertex: return 18;
    case ir::Builtin::base_instance: return 19;
    case ir::Builtin::draw_index: return 20;
    case ir::Builtin::view_index: return 21;
    case ir::Builtin::local_id: return 32;
    case ir::Builtin::group_id: return 33;
    case ir::Builtin::group_count: return 34;
    case ir::Builtin::local_index: return 35;
    case ir::Builtin::subgroup: return 36;
    case ir::Builtin::lane: return 48;
    default: return -1;
  }
}

/// Slot of EXP for an output.
uint32_t export_slot(Stage stage, const ir::Output& out) {
  switch (out.builtin) {
    case ir::Builtin::frag_depth: return 8;
    case ir::Builtin::stencil_ref: return 9;
    case ir::Builtin::sample_mask: return 10;
    case ir::Builtin::position: return 16;
    case ir::Builtin::point_size: return kPointSize;
    case ir::Builtin::layer: return 18;
    case ir::Builtin::viewport_index: return 19;
    case ir::Builtin::clip_distance: return 20 + out.location;
    case ir::Builtin::cull_distance: return 22 + out.location;
    case ir::Builtin::none:
      if (stage == Stage::fragment) return out.second ? 11 + out.location : out.location;
      return kVaryings + out.location;
    default: throw isa::Unsupported("the shader cannot write this built-in output", out.at);
  }
}

}  // namespace

void Selector::system_value(const ir::Instruction& x, uint32_t number) {
  Slot s = slot(XOp::SYS);
  s.x.say.immediate = number;
  result(s, x);
  emit_slot(s);
}

void Selector::varying(const ir::Instruction& x, unsigned sub) {
  const ir::Input& in = module_.inputs[x.index];
  Slot s = slot(XOp::LDV);
  s.x.say.immediate = in.location;
  s.x.say.sub = static_cast<uint8_t>(sub);
  if (sub >= 3) s.op.coord = port_of(x.source[0], sub == 4 ? 2 : 1);
  result(s, x, in.component);
  emit_slot(s);
}

void Selector::load_x_input(const ir::Instruction& x) {
  const ir::Input& in = module_.inputs[x.index];
  if (const int number = system_number(in.builtin); number >= 0) return system_value(x, static_cast<uint32_t>(number));
  if (in.builtin != ir::Builtin::none) throw isa::Unsupported("the shader cannot read this built-in input", in.at);
  if (module_.stage == Stage::fragment) return varying(x, 0);
  Slot s = slot(XOp::LDA);
  s.x.say.immediate = in.location;
  result(s, x, in.component);
  emit_slot(s);
}

/// Lanes of the operand to the channels from `first_channel` on.
void Selector::export_to(uint32_t to, const isa::Operand& o, unsigned mask, unsigned first_channel) {
  Vec<PortLane> lanes;
  lanes.reserve(4);
  Ports ports;
  Slot s = slot(XOp::EXP);
  for (uint8_t l = 0; l < 4; l++) {
    if (!(mask >> l & 1)) continue;
    lanes.push_back({o, l});
    ports.push_back(first_channel + l);
    s.x.mask |= static_cast<uint8_t>(1u << (first_channel + l));
  }
  if (lanes.empty()) return;
  s.op.coord = port(lanes, ports, {});
  s.x.say.immediate = to;
  emit_slot(s);
}

void Selector::store_x_output(const ir::Instruction& x) {
  const ir::Output& out = module_.outputs[x.index];
  if (module_.stage == Stage::fragment && out.builtin == ir::Builtin::none) {
    if (const uint32_t targets = options_.chip->fragment.targets; out.location >= targets)
      throw isa::Unsupported(
          "colour output location " + std::to_string(out.location) + ", the chip has " + std::to_string(targets) + " render targets",
          out.at);
    if (!(options_.color_attachments >> out.location & 1)) return;
  }
  export_to(export_slot(module_.stage, out), places_.read(x.source[0]), x.mask & ((1u << out.comps) - 1), out.component);
}

/// Points have a size even if the shader does not say which.
void Selector::finish_stage() {
  if (module_.stage != Stage::vertex || !options_.point_topology) return;
  for (const XSlot& s : lir_.slots) {
    if (s.say.op == XOp::EXP && s.say.immediate == kPointSize) return;
  }
  export_to(kPointSize, literal(1), 1, 0);
}

bool Selector::stages(const ir::Instruction& x) {
  switch (x.op) {
    case ir::Op::load_input: return load_x_input(x), true;
    case ir::Op::store_output: return store_x_output(x), true;
    case ir::Op::kill_if: {
      Slot s = slot(XOp::KILL);
      s.op.coord = port_of(x.source[0], 1);
      return emit_slot(s), true;
    }
    default: return false;
  }
}

}  // namespace pumice::compiler::us::select_detail
