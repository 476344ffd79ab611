// SPDX-License-Identifier: MIT
/// Selection by operation; values that are only other names for lanes; vectors collected from parts.
#include "compiler/us/selector.h"

#include "compiler/isa/error.h"

namespace pumice::compiler::us::select_detail {

void Selector::instruction(const ir::Instruction& x) {
  const auto src = [&](unsigned i) { return places_.read(x.source[i]); };
  const auto dst = [&]() -> const Place& { return places_.dest(x.result, scalar_class()); };
  const Modify m{.clamp = x.saturate};
  if (options_.chip->memory && extended(x)) return;
  switch (x.op) {
    case ir::Op::constant: {
      Place& p = places_.at(x.result);
      p.kind = Place::Kind::immediate;
      p.value = x.constant.floats();
      if (module_.value(x.result).type == ir::Type::boolean) {
        for (size_t i = 0; i < 4; i++) p.value[i] = std::bit_cast<float>(x.constant.bits[i] ? ~0u : 0u);
      }
      p.lane = {0, 1, 2, 3};
      break;
    }
    case ir::Op::mov: mov(x); break;
    case ir::Op::vec: vec(x); break;
    case ir::Op::add: cw(AluOp::MAD, dst(), {src(0), literal(1), src(1)}, m); break;
    case ir::Op::mul: cw(AluOp::MAD, dst(), {src(0), src(1), literal(0)}, m); break;
    case ir::Op::mad: cw(AluOp::MAD, dst(), {src(0), src(1), src(2)}, m); break;
    case ir::Op::min: cw(AluOp::MIN, dst(), {src(0), src(1)}, m); break;
    case ir::Op::max: cw(AluOp::MAX, dst(), {src(0), src(1)}, m); break;
    case ir::Op::fract: cw(AluOp::FRC, dst(), {src(0)}, m); break;
    case ir::Op::floor: {
      const Place d = dst(), t = temp_like(d);
      cw(AluOp::FRC, t, {src(0)}, {});
      cw(AluOp::MAD, d, {src(0), literal(1), negated(whole(t))}, m);
      break;
    }
    case ir::Op::rcp: scalar(x, AluOp::RCP); break;
    case ir::Op::rsq: scalar(x, AluOp::RSQ); break;
    case ir::Op::exp2: scalar(x, AluOp::EX2); break;
    case ir::Op::log2: scalar(x, AluOp::LN2); break;
    case ir::Op::sin_cycles: scalar(x, AluOp::SIN); break;
    case ir::Op::cos_cycles: scalar(x, AluOp::COS); break;
    case ir::Op::dot2: dot(x, 2); break;
    case ir::Op::dot3: dot(x, 3); break;
    case ir::Op::dot4: dot(x, 4); break;
    case ir::Op::slt:
    case ir::Op::sge:
    case ir::Op::seq:
    case ir::Op::sne: compare(x); break;
    case ir::Op::sel: {
      Modify s = m;
      if (!s.clamp) s.omod = kCopy;
      cw(AluOp::CND, dst(), {src(1), src(2), src(0)}, s);
      break;
    }
    case ir::Op::ddx: derivative(x, AluOp::MDH); break;
    case ir::Op::ddy: derivative(x, AluOp::MDV); break;
    case ir::Op::load_input: load_input(x); break;
    case ir::Op::load_uniform:
    case ir::Op::load_push:
    case ir::Op::load_param: {
      if (x.source_count) return counted_constant(x);
      Place& p = places_.at(x.result);
      p.kind = Place::Kind::constant;
      p.index = constants_.slot(x);
      p.lane = {0, 1, 2, 3};
      break;
    }
    case ir::Op::tex: texture(x); break;
    case ir::Op::kill_if: kill(x); break;
    case ir::Op::store_output: store(x); break;
    default: throw isa::Unsupported("internal: operation " + std::string(ir::info(x.op).name) + " reached the fragment back end");
  }
}

void Selector::mov(const ir::Instruction& x) {
  const isa::Operand o = places_.read(x.source[0]);
  Place& p = places_.at(x.result);
  // Without modifiers the value is another name for lanes of the source; not for loop variables, whose register changes.
  if (!x.saturate && !o.abs && !o.negate && p.kind == Place::Kind::unset && !places_.loop_param(x.source[0].value) &&
      !volatile_registers(o.place)) {
    p = o.place;
    for (unsigned l = 0; l < 4; l++) p.lane[l] = o.place.lane[o.swizzle[l]];
    return;
  }
  move(places_.dest(x.result, scalar_class()), o, x.saturate);
}

/// Registers of loop variables, also when reached through another name.
bool Selector::volatile_registers(const Place& p) const {
  if (p.kind != Place::Kind::reg) return false;
  for (uint32_t r : loop_registers_) {
    if (r == p.index) return true;
  }
  return false;
}

void Selector::vec(const ir::Instruction& x) {
  const Place d = places_.dest(x.result, kAlphaChannel);
  struct Group {
    isa::Operand operand;
    Place dst;
  };
  Vec<Group> groups;
  for (unsigned i = 0; i < x.source_count; i++) {
    if (d.lane[i] == kNoLane || !(places_.used_lanes(x.result) >> i & 1)) continue;
    isa::Operand o = places_.read(x.source[i]);
    const uint8_t from = o.place.lane[o.swizzle[0]];
    if (o.place.kind == Place::Kind::reg && o.place.index == d.index && from == d.lane[i] && !o.abs && !o.negate) continue;
    if (o.place.kind == Place::Kind::immediate) {  // immediates of one vec share one group: value lane i holds lane i
      const float v = immediate_lane(o, 0);
      o = literal(0);
      o.place.value[i] = v;
    }
    Group* group = nullptr;
    for (Group& g : groups) {
      if (g.operand.place.kind == o.place.kind && g.operand.place.index == o.place.index && g.operand.place.relative == o.place.relative &&
          g.operand.abs == o.abs && g.operand.negate == o.negate)
        group = &g;
    }
    if (!group) {
      groups.push_back({o, d});
      group = &groups.back();
      group->dst.lane.fill(kNoLane);
      if (o.place.kind != Place::Kind::immediate) group->operand.place.lane.fill(0);
      group->operand.swizzle = {0, 1, 2, 3};
    }
    group->dst.lane[i] = d.lane[i];
    if (o.place.kind == Place::Kind::immediate) {
      group->operand.place.value[i] = o.place.value[i];
    } else {
      group->operand.place.lane[i] = from;
    }
  }
  for (const Group& g : groups) move(g.dst, g.operand);
}

}  // namespace pumice::compiler::us::select_detail

namespace pumice::compiler::us {

Lir select(const ir::Module& module, isa::ConstantFile& constants, const Options& options) {
  return select_detail::Selector(module, constants, options).run();
}

}  // namespace pumice::compiler::us
