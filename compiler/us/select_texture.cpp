// SPDX-License-Identifier: MIT
/// Texture lookups: coordinates gathered in one register a port, and kills.
#include <algorithm>

#include "compiler/isa/error.h"
#include "compiler/us/selector.h"

namespace pumice::compiler::us::select_detail {

VSource Selector::port(const Vec<PortLane>& lanes, const Ports& ports, Place home) {
  bool direct = true;
  for (const PortLane& l : lanes) {
    const isa::Operand& o = l.operand;
    direct &= o.place.kind == Place::Kind::reg && o.place.index == lanes[0].operand.place.index && !o.abs && !o.negate;
  }
  VSource s;
  s.kind = VSource::Kind::reg;
  if (direct) {
    s.index = lanes[0].operand.place.index;
    s.lane.fill(lanes[0].operand.place.lane[lanes[0].operand.swizzle[lanes[0].lane]]);
    for (size_t i = 0; i < lanes.size(); i++) s.lane[ports[i]] = lanes[i].operand.place.lane[lanes[i].operand.swizzle[lanes[i].lane]];
    return s;
  }
  if (home.kind != Place::Kind::reg) {
    constexpr std::array<uint8_t, 4> kChannels{kRgbChannels, kRgbChannels, kRgbChannels, kAlphaChannel};
    home.kind = Place::Kind::reg;
    home.index = lir_.new_register(std::span(kChannels).first(lanes.size()));
    for (size_t i = 0; i < lanes.size(); i++) home.lane[i] = static_cast<uint8_t>(i);
  }
  // Move runs of lanes of one operand together.
  for (size_t i = 0; i < lanes.size();) {
    Place dst = home;
    dst.lane.fill(kNoLane);
    isa::Operand o = lanes[i].operand;
    size_t k = i;
    std::array<uint8_t, 4> swizzle{};
    while (k < lanes.size() && lanes[k].operand.place.kind == o.place.kind && lanes[k].operand.place.index == o.place.index &&
           lanes[k].operand.place.relative == o.place.relative && lanes[k].operand.abs == o.abs && lanes[k].operand.negate == o.negate &&
           (o.place.kind != Place::Kind::immediate || k == i)) {
      const isa::Operand& q = lanes[k].operand;
      const uint8_t from = q.place.lane[q.swizzle[lanes[k].lane]];
      const bool there = q.place.kind == Place::Kind::reg && q.place.index == home.index && from == home.lane[k] && !q.abs && !q.negate;
      if (!there) dst.lane[k] = home.lane[k];
      swizzle[k] = from;
      k++;
    }
    if (o.place.kind == Place::Kind::immediate) {
      o = literal(immediate_lane(o, lanes[i].lane));
    } else {
      o.place.lane = {0, 1, 2, 3};
      o.swizzle = swizzle;
    }
    move(dst, o);
    i = k;
  }
  s.index = home.index;
  s.lane.fill(home.lane[0]);
  for (size_t i = 0; i < lanes.size(); i++) s.lane[ports[i]] = home.lane[i];
  return s;
}

/// The same where ports read channels r, g, b, a in this order: lanes that will be there already, or else moved to `home`.
VSource Selector::whole_port(const Vec<PortLane>& lanes, const Ports& ports, Place home) {
  const auto in_place = [&] {
    const Place& first = lanes[0].operand.place;
    for (size_t i = 0; i < lanes.size(); i++) {
      const isa::Operand& o = lanes[i].operand;
      if (o.place.kind != Place::Kind::reg || o.place.index != first.index || o.abs || o.negate) return false;
      if (pinned_channel(lir_.registers[first.index], o.place.lane[o.swizzle[lanes[i].lane]]) != ports[i]) return false;
    }
    return true;
  };
  if (in_place()) return port(lanes, ports, {});
  if (home.kind != Place::Kind::reg) {
    home.kind = Place::Kind::reg;
    home.index = lir_.new_register({1, 2, 4, 8});
    for (size_t i = 0; i < lanes.size(); i++) home.lane[i] = static_cast<uint8_t>(ports[i]);
  }
  VSource s = port(lanes, ports, home);
  if (s.index == home.index) return s;
  // Lanes of one register in another order.
  isa::Operand o = lanes[0].operand;
  for (size_t i = 0; i < lanes.size(); i++) o.swizzle[i] = lanes[i].operand.place.lane[lanes[i].operand.swizzle[lanes[i].lane]];
  o.place.lane = {0, 1, 2, 3};
  move(home, o);
  s.index = home.index;
  s.lane.fill(home.lane[0]);
  for (size_t i = 0; i < lanes.size(); i++) s.lane[ports[i]] = home.lane[i];
  return s;
}

void Selector::texture(const ir::Instruction& x) {
  const ir::Texture& t = module_.textures[x.index];
  if (const uint32_t units = options_.chip->fragment.texture_units; x.index >= units)
    throw isa::Unsupported("texture number " + std::to_string(x.index + 1) + ", the chip has " + std::to_string(units) + " texture units",
                           t.at);
  const unsigned n = ir::coord_lanes(t.dim);
  const auto coordinates = [&](unsigned i) {
    Vec<PortLane> lanes;
    for (uint8_t l = 0; l < n; l++) lanes.push_back({places_.read(x.source[i]), l});
    return lanes;
  };
  Ports ports;
  for (unsigned i = 0; i < n; i++) ports.push_back(i);
  Op op;
  op.kind = Op::Kind::tex;
  op.unit = static_cast<uint8_t>(x.index);
  op.unscaled = t.unnormalized;
  Vec<PortLane> lanes = coordinates(0);
  bool q = true;
  switch (x.tex_kind) {
    case ir::TexKind::implicit: op.inst = TexOp::LD, q = false; break;
    case ir::TexKind::bias: op.inst = TexOp::LODBIAS; break;
    case ir::TexKind::lod: op.inst = TexOp::LOD; break;
    case ir::TexKind::grad: op.inst = TexOp::DXDY, q = false; break;
    case ir::TexKind::proj: op.inst = TexOp::PROJ; break;
    case ir::TexKind::fetch: op.inst = TexOp::LOD, op.unscaled = true; break;
    case ir::TexKind::gather: throw isa::Unsupported("internal: a gather reached the texture units");
  }
  Ports coord_ports = ports;
  if (q) {
    lanes.push_back({places_.read(x.source[1]), 0});
    coord_ports.push_back(3);
  }
  op.at = ir::origin(module_, x);
  if (levels()) {
    op.coord = whole_port(lanes, coord_ports, places_.coordinate(x));
    Place whole_result;
    whole_result.kind = Place::Kind::reg;
    whole_result.index = lir_.new_register({1, 2, 4, 8});
    whole_result.lane = {0, 1, 2, 3};
    op.dst = static_cast<int32_t>(whole_result.index);
    op.dst_lane = whole_result.lane;
    emit(op);
    Place& p = places_.at(x.result);
    if (p.kind == Place::Kind::unset)
      p = whole_result;
    else
      move(p, whole(whole_result));
    return;
  }
  op.coord = port(lanes, coord_ports, places_.coordinate(x));
  if (x.tex_kind == ir::TexKind::grad) {
    op.dx = port(coordinates(1), ports, {});
    op.dy = port(coordinates(2), ports, {});
  }
  Place& p = places_.at(x.result);
  if (p.kind == Place::Kind::unset) {
    p.kind = Place::Kind::reg;
    p.index = lir_.new_register({15, 15, 15, 15});
    p.lane = {0, 1, 2, 3};
  }
  op.dst = static_cast<int32_t>(p.index);
  op.dst_lane = p.lane;
  emit(op);
}

void Selector::kill(const ir::Instruction& x) {
  Place t;
  t.kind = Place::Kind::reg;
  if (levels()) {  // all four components are tested
    t.index = lir_.new_register({1, 2, 4, 8});
    t.lane = {0, 1, 2, 3};
  } else {
    t.index = lir_.new_register({scalar_class()});
    t.lane = {0, kNoLane, kNoLane, kNoLane};
  }
  isa::Operand condition = places_.read(x.source[0]);
  condition.swizzle.fill(condition.swizzle[0]);
  cw(AluOp::CND, t, {literal(-1), literal(1), condition}, {});
  Op op;
  op.at = ir::origin(module_, x);
  op.kind = Op::Kind::tex;
  op.inst = TexOp::TEXKILL;
  op.coord.kind = VSource::Kind::reg;
  op.coord.index = t.index;
  op.coord.lane = t.lane;
  if (!levels()) op.coord.lane.fill(0);
  emit(op);
  lir_.kills = true;
}

}  // namespace pumice::compiler::us::select_detail
