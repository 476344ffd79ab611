// SPDX-License-Identifier: MIT
/// Inputs from the rasterizer, outputs to the render targets and depth.
#include "compiler/us/selector.h"

#include "compiler/isa/error.h"

namespace pumice::compiler::us::select_detail {

uint32_t Selector::entry_register() {
  const uint32_t r = lir_.new_register({1, 2, 4, 8});
  lir_.registers[r].at_entry = true;
  return r;
}

Place Selector::entry(std::optional<uint32_t>& slot) {
  if (!slot) slot = entry_register();
  Place p;
  p.kind = Place::Kind::reg;
  p.index = *slot;
  p.lane = {0, 1, 2, 3};
  return p;
}

void Selector::load_input(const ir::Instruction& x) {
  const ir::Input& in = module_.inputs[x.index];
  switch (in.builtin) {
    case ir::Builtin::none:
    case ir::Builtin::slope_x:
    case ir::Builtin::slope_y: {
      FixedRegisters::Location* found = nullptr;
      for (FixedRegisters::Location& l : lir_.inputs.locations) {
        if (l.location == in.location && l.builtin == in.builtin) found = &l;
      }
      if (!found) {
        lir_.inputs.locations.push_back({in.location, entry_register(), in.flat, in.no_perspective, in.builtin});
        found = &lir_.inputs.locations.back();
      }
      Place& p = places_.at(x.result);
      p.kind = Place::Kind::reg;
      p.index = found->reg;
      for (unsigned l = 0; l < in.comps; l++) p.lane[l] = static_cast<uint8_t>(in.component + l);
      break;
    }
    case ir::Builtin::point_coord: places_.at(x.result) = entry(lir_.inputs.point_coord); break;
    case ir::Builtin::front_facing: {
      // The rasterizer writes 1.0 for back faces.
      const Place flag = entry(lir_.inputs.front_facing);
      Place& d = places_.dest(x.result, scalar_class());
      cw(AluOp::MAD, d, {negated(whole(flag)), literal(1), literal(1)}, {});
      break;
    }
    case ir::Builtin::frag_coord: frag_coord(x); break;
    case ir::Builtin::position: places_.at(x.result) = entry(lir_.inputs.position); break;  // made by lower_inputs
    default: throw isa::Unsupported("a fragment shader cannot read this built-in input", in.at);
  }
}

/// x, y: the rasterizer's pixel corner + 0.5. z, w: from the clip position, which the linker passes as one more varying.
void Selector::frag_coord(const ir::Instruction& x) {
  const uint8_t used = places_.used_lanes(x.result);
  const Place d = places_.dest(x.result, kAlphaChannel);
  const auto lanes = [&](unsigned mask) {
    Place p = d;
    for (unsigned l = 0; l < 4; l++) {
      if (!(mask & used & 1u << l)) p.lane[l] = kNoLane;
    }
    return p;
  };
  if (used & 3) cw(AluOp::MAD, lanes(3), {whole(entry(lir_.inputs.frag_coord_xy)), literal(1), literal(0.5f)}, {});
  if (!(used & 12)) return;
  const Place position = entry(lir_.inputs.position);
  Place w;
  w.kind = Place::Kind::reg;
  if (used & 8) {
    w = d;
    w.lane.fill(d.lane[3]);
  } else {
    w.index = lir_.new_register({kAlphaChannel});
    w.lane.fill(0);
  }
  Op rcp;
  VUnit a;
  a.op = AluOp::RCP;
  a.sources = 1;
  a.source[0] = source(whole(position), {3});
  Place one = w;
  one.lane = {w.lane[0], kNoLane, kNoLane, kNoLane};
  finish_scalar(rcp, a, one, 0, AluOp::SOP, false);
  if (!(used & 4)) return;
  ir::Instruction viewport;
  viewport.op = ir::Op::load_param;
  viewport.parameter = ConstantRange::Parameter::viewport_transform;
  Place c;
  c.kind = Place::Kind::constant;
  c.index = constants_.slot(viewport);
  c.lane = {0, 0, 0, 1};
  const Place z = lanes(4);
  const Place t = temp_like(z);
  isa::Operand scale = whole(c), offset = whole(c);
  offset.swizzle = {3, 3, 3, 3};
  cw(AluOp::MAD, t, {whole(position), whole(w), literal(0)}, {});
  cw(AluOp::MAD, z, {whole(t), scale, offset}, {});
}

void Selector::store(const ir::Instruction& x) {
  const ir::Output& out = module_.outputs[x.index];
  const isa::Operand o = places_.read(x.source[0]);
  Op op;
  if (out.builtin == ir::Builtin::frag_depth) {
    VUnit a;
    a.op = AluOp::MAX;
    a.omod = kCopy;
    a.sources = 2;
    a.source[0] = a.source[1] = source(o, {0});
    a.depth = true;
    op.alpha = a;
    emit(op);
    lir_.writes_depth = true;
    return;
  }
  if (out.builtin != ir::Builtin::none) throw isa::Unsupported("a fragment shader cannot write this built-in output", out.at);
  if (const uint32_t targets = options_.chip->fragment.targets; out.location >= targets)
    throw isa::Unsupported(
        "colour output location " + std::to_string(out.location) + ", the chip has " + std::to_string(targets) + " render targets", out.at);
  if (!(options_.color_attachments >> out.location & 1)) return;
  Lanes rgb;
  uint8_t alpha = kNoLane;
  VUnit u;
  for (uint8_t l = 0; l < out.comps; l++) {
    if (!(x.mask >> l & 1)) continue;
    const unsigned channel = out.component + l;
    if (channel == 3) {
      alpha = l;
    } else {
      u.dst_lane[rgb.size()] = static_cast<uint8_t>(channel);
      rgb.push_back(l);
    }
  }
  u.omod = kCopy;
  u.sources = 2;
  u.target = static_cast<int32_t>(out.location);
  if (!rgb.empty()) {
    u.op = AluOp::MAX;
    u.slots = static_cast<uint8_t>(rgb.size());
    u.source[0] = u.source[1] = source(o, rgb);
    op.rgb = u;
    emit(op);
    op.rgb.reset();
  }
  if (alpha != kNoLane) {
    u.op = AluOp::MAX;
    u.slots = 1;
    u.dst_lane[0] = 3;
    u.source[0] = u.source[1] = source(o, {alpha});
    op.alpha = u;
    emit(op);
  }
  lir_.color_outputs |= 1u << out.location;
}

}  // namespace pumice::compiler::us::select_detail
