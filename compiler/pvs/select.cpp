// SPDX-License-Identifier: MIT
/// Rules of selection (pvs-isa 4, 5, 12): mov = ADD a, 0; sel = COND_MUX_EQ; floor = a - FRC a; dot2/3 = DOT_PRODUCT with 0 in the missing
/// terms; scalar functions in the math engine, IEEE forms. Chips without these (R3xx, select_narrow()) compose them.
#include "compiler/pvs/select.h"

#include <algorithm>
#include <cmath>

#include "compiler/isa/error.h"
#include "compiler/pvs/selector.h"

namespace pumice::compiler::pvs {

Selected Selector::run() {
  collect(module_.body);
  nodes(module_.body);
  for (size_t i = 0; i < outputs_.size(); i++) {
    const OutputTarget& t = outputs_[i];
    const uint8_t missing = t.components & static_cast<uint8_t>(~written_[i]);
    if (!missing) continue;
    Operand o = literal(0);
    o.place.value = t.missing;
    move_to_output(t.reg, missing, o, 0, false);
  }
  return std::move(out_);
}

void Selector::instruction(const ir::Instruction& x) {
  const auto src = [&](unsigned i) { return places_.read(x.source[i]); };
  const auto dst = [&]() -> const Place& { return places_.dest(x.result, 15); };
  const bool sat = x.saturate;
  if (select_narrow(x)) return;
  switch (x.op) {
    case ir::Op::constant: {
      Place& p = places_.at(x.result);
      p.kind = Place::Kind::immediate;
      p.value = x.constant.floats();
      p.lane = {0, 1, 2, 3};
      break;
    }
    case ir::Op::mov: mov(x); break;
    case ir::Op::vec: vec(x); break;
    case ir::Op::add: cw(V::PVS_DST_OPCODE__ADD, dst(), {src(0), src(1)}, sat); break;
    case ir::Op::mul: cw(V::PVS_DST_OPCODE__MULTIPLY, dst(), {src(0), src(1)}, sat); break;
    case ir::Op::mad: cw(V::PVS_DST_OPCODE__MULTIPLY_ADD, dst(), {src(0), src(1), src(2)}, sat); break;
    case ir::Op::min: cw(V::PVS_DST_OPCODE__MINIMUM, dst(), {src(0), src(1)}, sat); break;
    case ir::Op::max: cw(V::PVS_DST_OPCODE__MAXIMUM, dst(), {src(0), src(1)}, sat); break;
    case ir::Op::fract: cw(V::PVS_DST_OPCODE__FRACTION, dst(), {src(0)}, sat); break;
    case ir::Op::slt: cw(V::PVS_DST_OPCODE__SET_LESS_THAN, dst(), {src(0), src(1)}, sat); break;
    case ir::Op::sge: cw(V::PVS_DST_OPCODE__SET_GREATER_THAN_EQUAL, dst(), {src(0), src(1)}, sat); break;
    case ir::Op::seq: cw(V::PVS_DST_OPCODE__SET_EQUAL, dst(), {src(0), src(1)}, sat); break;
    case ir::Op::sne: cw(V::PVS_DST_OPCODE__SET_NOT_EQUAL, dst(), {src(0), src(1)}, sat); break;
    case ir::Op::sel: cw(V::PVS_DST_OPCODE__COND_MUX_EQ, dst(), {src(0), src(2), src(1)}, sat); break;
    case ir::Op::floor: {
      const Place d = dst(), t = temp_like(d);
      cw(V::PVS_DST_OPCODE__FRACTION, t, {src(0)});
      Operand fraction = whole(t);
      fraction.negate = true;
      cw(V::PVS_DST_OPCODE__ADD, d, {src(0), fraction}, sat);
      break;
    }
    case ir::Op::rcp: scalar(x, M::PVS_DST_OPCODE__RECIP_IEEE); break;
    case ir::Op::rsq: scalar(x, M::PVS_DST_OPCODE__RECIP_SQRT_IEEE); break;
    case ir::Op::exp2: scalar(x, M::PVS_DST_OPCODE__EXP_BASE2_FULL_DX); break;
    case ir::Op::log2: scalar(x, M::PVS_DST_OPCODE__LOG_BASE2_IEEE); break;
    case ir::Op::sin: scalar(x, M::PVS_DST_OPCODE__SIN); break;
    case ir::Op::cos: scalar(x, M::PVS_DST_OPCODE__COS); break;
    case ir::Op::dot2: dot(x, 2); break;
    case ir::Op::dot3: dot(x, 3); break;
    case ir::Op::dot4: dot(x, 4); break;
    case ir::Op::load_input: load_input(x); break;
    case ir::Op::load_uniform:
    case ir::Op::load_push:
    case ir::Op::load_param: load_constant(x); break;
    case ir::Op::store_output: store(x); break;
    default: throw isa::Unsupported("internal: operation " + std::string(ir::info(x.op).name) + " reached the vertex back end");
  }
}

/// Comparisons and selection of chips that have only < and >=, with results of 0 and 1.
bool Selector::select_narrow(const ir::Instruction& x) {
  if (chip_.vertex.compares) return false;
  const auto src = [&](unsigned i) { return places_.read(x.source[i]); };
  const auto both = [&](uint8_t compare, uint8_t join) {
    const Place d = places_.dest(x.result, 15), s = temp_like(d), t = temp_like(d);
    cw(compare, s, {src(0), src(1)});
    cw(compare, t, {src(1), src(0)});
    cw(join, d, {whole(s), whole(t)}, x.saturate);
  };
  switch (x.op) {
    case ir::Op::seq: both(V::PVS_DST_OPCODE__SET_GREATER_THAN_EQUAL, V::PVS_DST_OPCODE__MULTIPLY); return true;
    case ir::Op::sne: both(V::PVS_DST_OPCODE__SET_LESS_THAN, V::PVS_DST_OPCODE__ADD); return true;
    case ir::Op::sel: {  // a * c + b * (1 - c): exact, since c is 0 or 1 and a and b are finite
      const Place d = places_.dest(x.result, 15), other = temp_like(d), rest = temp_like(d);
      Operand c = src(0);
      c.negate = true;
      cw(V::PVS_DST_OPCODE__ADD, other, {c, literal(1)});
      cw(V::PVS_DST_OPCODE__MULTIPLY, rest, {src(2), whole(other)});
      cw(V::PVS_DST_OPCODE__MULTIPLY_ADD, d, {src(1), src(0), whole(rest)}, x.saturate);
      return true;
    }
    case ir::Op::rcp: scalar(x, M::PVS_DST_OPCODE__RECIP_DX); return true;
    case ir::Op::rsq: scalar(x, M::PVS_DST_OPCODE__RECIP_SQRT_DX); return true;
    case ir::Op::log2: scalar(x, M::PVS_DST_OPCODE__LOG_BASE2_FULL_DX); return true;
    default: return false;
  }
}

void Selector::scalar(const ir::Instruction& x, uint8_t code) {
  const Place d = places_.dest(x.result, 15);
  for (uint8_t l = 0; l < 4; l++) {
    if (d.lane[l] == kNoLane) continue;
    Op op;
    op.engine = Engine::math;
    op.op = code;
    op.sources = 1;
    op.source[0] = source(places_.read(x.source[0]), {l, l, l, l});
    op.slots = 1;
    op.dst = d.index;
    op.dst_lane[0] = d.lane[l];
    op.replicated = true;
    op.saturate = x.saturate;
    emit(op);
  }
}

void Selector::dot(const ir::Instruction& x, unsigned n) {
  const Place d = places_.dest(x.result, 15);
  if (d.lane[0] == kNoLane) return;
  Vec<uint8_t> lanes;
  for (uint8_t l = 0; l < n; l++) lanes.push_back(l);
  Op op;
  op.op = V::PVS_DST_OPCODE__DOT_PRODUCT;
  op.sources = 2;
  for (unsigned i = 0; i < 2; i++) op.source[i] = source(places_.read(x.source[i]), lanes);
  op.slots = 1;
  op.dst = d.index;
  op.dst_lane[0] = d.lane[0];
  op.replicated = true;
  op.saturate = x.saturate;
  emit(op);
}

void Selector::mov(const ir::Instruction& x) {
  const Operand o = places_.read(x.source[0]);
  Place& p = places_.at(x.result);
  const bool variable =
      o.place.kind == Place::Kind::reg && std::find(loop_registers_.begin(), loop_registers_.end(), o.place.index) != loop_registers_.end();
  if (!x.saturate && !o.abs && !o.negate && p.kind == Place::Kind::unset && !variable) {
    p = o.place;
    for (unsigned l = 0; l < 4; l++) p.lane[l] = o.place.lane[o.swizzle[l]];
    return;
  }
  move(places_.dest(x.result, 15), o, x.saturate);
}

void Selector::vec(const ir::Instruction& x) {
  const Place d = places_.dest(x.result, 15);
  struct Group {
    Operand operand;
    Place dst;
  };
  Vec<Group> groups;
  for (unsigned i = 0; i < x.source_count; i++) {
    if (d.lane[i] == kNoLane || !(places_.used_lanes(x.result) >> i & 1)) continue;
    Operand o = places_.read(x.source[i]);
    const uint8_t from = o.place.lane[o.swizzle[0]];
    const bool is_immediate = o.place.kind == Place::Kind::immediate;
    if (o.place.kind == Place::Kind::reg && o.place.index == d.index && from == d.lane[i] && !o.abs && !o.negate) continue;
    Group* group = nullptr;
    for (Group& g : groups) {
      if (g.operand.place.kind == o.place.kind &&
          (is_immediate || (g.operand.place.index == o.place.index && g.operand.abs == o.abs && g.operand.negate == o.negate)))
        group = &g;
    }
    if (!group) {
      groups.push_back({is_immediate ? literal(0) : o, d});
      group = &groups.back();
      group->dst.lane.fill(kNoLane);
      group->operand.swizzle = {0, 1, 2, 3};
      if (!is_immediate) group->operand.place.lane.fill(0);
    }
    group->dst.lane[i] = d.lane[i];
    if (is_immediate) {
      float v = o.place.value[from];
      if (o.abs) v = std::fabs(v);
      group->operand.place.value[i] = o.negate ? -v : v;
    } else {
      group->operand.place.lane[i] = from;
    }
  }
  for (const Group& g : groups) move(g.dst, g.operand);
}

Selected select(const ir::Module& module, isa::ConstantFile& constants, const std::vector<OutputTarget>& outputs, const ChipLimits& chip,
                bool places) {
  return Selector(module, constants, outputs, chip, places).run();
}

}  // namespace pumice::compiler::pvs
