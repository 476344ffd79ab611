// SPDX-License-Identifier: MIT
/// Operands and emission: one instruction reads one input and one constant register; chips without clamping or absolute operands.
#include "compiler/pvs/selector.h"

#include <cmath>

#include "compiler/isa/error.h"

namespace pumice::compiler::pvs {

VSource Selector::source(const Operand& o, const Vec<uint8_t>& lanes) {
  VSource s;
  if (o.place.kind == Place::Kind::immediate) return immediate(o, lanes);
  switch (o.place.kind) {
    case Place::Kind::reg: s.kind = VSource::Kind::reg; break;
    case Place::Kind::input: s.kind = VSource::Kind::input; break;
    case Place::Kind::constant: s.kind = VSource::Kind::constant; break;
    default: throw isa::Unsupported("internal: a value is read before it is written");
  }
  s.index = o.place.index;
  s.abs = o.abs;
  for (size_t i = 0; i < lanes.size(); i++) {
    s.lane[i] = o.place.lane[o.swizzle[lanes[i]]];
    if (s.lane[i] > 3) throw isa::Unsupported("internal: an unplaced lane is read");
    if (o.negate) s.negate |= static_cast<uint8_t>(1u << i);
  }
  return s;
}

/// 0 and 1 are swizzles, everything else a constant slot of magnitudes; the sign is a modifier per lane.
VSource Selector::immediate(const Operand& o, const Vec<uint8_t>& lanes) {
  VSource s;
  std::vector<float> rest;
  Vec<size_t> rest_slot;
  for (size_t i = 0; i < lanes.size(); i++) {
    float v = o.place.value[o.place.lane[o.swizzle[lanes[i]]]];
    if (o.abs) v = std::fabs(v);
    if (o.negate) v = -v;
    if (v == 0.0f) {
      s.lane[i] = swz::zero;
      continue;
    }
    if (std::signbit(v)) s.negate |= static_cast<uint8_t>(1u << i);
    v = std::fabs(v);
    if (v == 1.0f) {
      s.lane[i] = swz::one;
    } else {
      rest.push_back(v);
      rest_slot.push_back(i);
    }
  }
  if (rest.empty()) return s;
  const isa::ConstantFile::Immediate imm = constants_.immediate(rest);
  s.kind = VSource::Kind::constant;
  s.index = imm.slot;
  for (size_t i = 0; i < rest.size(); i++) s.lane[rest_slot[i]] = imm.lane[i];
  return s;
}

/// One instruction reads one input and one constant register: the second one of either is copied to a temporary first.
void Selector::emit(Op op) {
  if (!chip_.vertex.absolute) {
    for (unsigned i = 0; i < op.sources; i++)
      if (op.source[i].abs) take_absolute(op, op.source[i]);
  }
  if (op.saturate && !chip_.vertex.saturates) return emit_saturated(op);
  const VSource* input = nullptr;
  const VSource* constant = nullptr;
  for (unsigned i = 0; i < op.sources; i++) {
    VSource& s = op.source[i];
    if (s.kind != VSource::Kind::input && s.kind != VSource::Kind::constant) continue;
    const VSource*& first = s.kind == VSource::Kind::input ? input : constant;
    if (!first) {
      first = &s;
    } else if (first->index != s.index) {
      copy_to_register(s);
    }
  }
  out_.lir.ops.push_back(op);
}

/// Reads max(x, -x) instead; chips without absolute operands.
void Selector::take_absolute(const Op& op, VSource& s) {
  Op m;
  m.op = V::PVS_DST_OPCODE__MAXIMUM;
  m.sources = 2;
  m.source[0] = s;
  m.source[0].abs = false;
  m.source[0].negate = 0;
  m.source[1] = m.source[0];
  for (unsigned k = 0; k < slots_read(op); k++) {
    if (s.lane[k] > 3) continue;
    m.source[0].lane[m.slots] = m.source[1].lane[m.slots] = s.lane[k];
    m.source[1].negate |= static_cast<uint8_t>(1u << m.slots);
    m.dst_lane[m.slots] = m.slots;
    s.lane[k] = m.slots++;
  }
  s.abs = false;
  if (!m.slots) return;
  m.dst = out_.lir.new_register(m.slots);
  s.kind = VSource::Kind::reg;
  s.index = m.dst;
  emit(m);
}

/// The result, then max with 0 and min with 1; chips that cannot clamp results.
void Selector::emit_saturated(Op op) {
  Op low;
  low.op = V::PVS_DST_OPCODE__MAXIMUM;
  low.sources = 2;
  low.slots = op.slots;
  low.dst = op.dst;
  low.dst_kind = op.dst_kind;
  low.dst_lane = op.dst_lane;
  Op high = low;
  high.op = V::PVS_DST_OPCODE__MINIMUM;
  const auto step = [&](Op& from, Op& to) {
    from.dst = out_.lir.new_register(op.slots);
    from.dst_kind = Op::Dst::reg;
    for (uint8_t k = 0; k < op.slots; k++) to.source[0].lane[k] = from.dst_lane[k] = k;
    to.source[0].kind = VSource::Kind::reg;
    to.source[0].index = from.dst;
  };
  op.saturate = false;
  step(op, low);
  step(low, high);
  high.source[1].lane.fill(swz::one);
  emit(op);
  out_.lir.ops.push_back(low);
  out_.lir.ops.push_back(high);
}

/// Copies the whole register (unread lanes are removed later); the next few instructions reuse the copy.
void Selector::copy_to_register(VSource& s) {
  constexpr size_t kWindow = 12;
  const size_t now = out_.lir.ops.size();
  for (Copy& c : copies_) {
    if (c.kind != s.kind || c.index != s.index || now - c.last_use > kWindow) continue;
    c.last_use = now;
    s.kind = VSource::Kind::reg;
    s.index = c.reg;
    return;
  }
  Op mov;
  mov.op = V::PVS_DST_OPCODE__ADD;
  mov.sources = 2;
  mov.source[0].kind = s.kind;
  mov.source[0].index = s.index;
  mov.slots = 4;
  mov.source[0].lane = mov.dst_lane = {0, 1, 2, 3};
  mov.dst = out_.lir.new_register(4);
  copies_.push_back({s.kind, s.index, mov.dst, now + 1});
  s.kind = VSource::Kind::reg;
  s.index = mov.dst;
  out_.lir.ops.push_back(mov);
}

void Selector::cw(uint8_t code, const Place& dst, std::initializer_list<Operand> operands, bool saturate) {
  Op op;
  op.op = code;
  op.sources = static_cast<uint8_t>(operands.size());
  op.dst = dst.index;
  op.saturate = saturate;
  Vec<uint8_t> lanes;
  for (uint8_t l = 0; l < 4; l++) {
    if (dst.lane[l] == kNoLane) continue;
    op.dst_lane[lanes.size()] = dst.lane[l];
    lanes.push_back(l);
  }
  op.slots = static_cast<uint8_t>(lanes.size());
  if (!op.slots) return;
  size_t i = 0;
  for (const Operand& o : operands) op.source[i++] = source(o, lanes);
  emit(op);
}

Place Selector::temp_like(const Place& dst) {
  Place p;
  p.kind = Place::Kind::reg;
  uint8_t n = 0;
  for (unsigned l = 0; l < 4; l++) {
    if (dst.lane[l] != kNoLane) p.lane[l] = n++;
  }
  p.index = out_.lir.new_register(n);
  return p;
}

}  // namespace pumice::compiler::pvs
