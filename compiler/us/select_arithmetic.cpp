// SPDX-License-Identifier: MIT
/// Scalar functions, dot products, comparisons, derivatives.
#include "compiler/us/selector.h"

namespace pumice::compiler::us::select_detail {

void Selector::scalar(const ir::Instruction& x, AluOp op) {
  const Place d = places_.dest(x.result, kAlphaChannel);
  for (unsigned l = 0; l < 4; l++) {
    if (d.lane[l] == kNoLane) continue;
    isa::Operand o = places_.read(x.source[0]);
    if (op == AluOp::RSQ) o.abs = true, o.negate = false;
    Op out;
    VUnit a;
    a.op = op;
    a.sources = 1;
    a.source[0] = source(o, {static_cast<uint8_t>(l)});
    finish_scalar(out, a, d, l, AluOp::SOP, x.saturate);
  }
}

/// One-lane result of the alpha unit (or of a dot product): to alpha directly, or to RGB through SOP (or the dot product itself).
void Selector::finish_scalar(Op& out, VUnit a, const Place& d, unsigned lane, AluOp rgb_op, bool clamp) {
  const bool to_alpha = alpha_lane(d, lane);
  VUnit r = out.rgb.value_or(VUnit{});
  r.op = rgb_op;
  r.dot = rgb_op != AluOp::SOP;
  VUnit& writer = to_alpha ? a : r;
  writer.dst = static_cast<int32_t>(d.index);
  writer.slots = 1;
  writer.dst_lane[0] = d.lane[lane];
  writer.clamp = clamp;
  if (!to_alpha || out.rgb) out.rgb = r;
  out.alpha = a;
  alpha_load_++;
  if (out.rgb) rgb_load_++;
  emit(out);
}

void Selector::dot(const ir::Instruction& x, unsigned n) {
  const Place d = places_.dest(x.result, kRgbChannels);
  if (d.lane[0] == kNoLane) return;
  Op out;
  VUnit r;
  r.sources = 2;
  for (unsigned i = 0; i < 2; i++) {
    const isa::Operand o = places_.read(x.source[i]);
    r.source[i] = n == 2 ? source(o, {0, 1}) : source(o, {0, 1, 2});  // missing terms read the swizzle constant 0
  }
  r.dot = true;
  r.op = n == 4 ? AluOp::DP4 : AluOp::DP3;
  if (n == 2 && levels()) {  // no swizzle of the R3xx reads a 0 beside lanes of a register
    r.op = AluOp::D2A;
    r.sources = 3;
    r.source[2] = source(literal(0), {0, 0, 0});
  }
  if (n < 4 && !alpha_lane(d, 0)) {
    r.dst = static_cast<int32_t>(d.index);
    r.slots = 1;
    r.dst_lane[0] = d.lane[0];
    r.clamp = x.saturate;
    out.rgb = r;
    rgb_load_++;
    emit(out);
    return;
  }
  VUnit a;
  a.op = AluOp::DP;
  if (n == 4) {
    a.sources = 2;
    for (unsigned i = 0; i < 2; i++) {
      a.source[i] = source(places_.read(x.source[i]), {3});
      // Literals may have got another sign or constant slot than the RGB lanes; modifiers are per unit, so that is fine.
    }
  }
  out.rgb = r;
  finish_scalar(out, a, d, 0, r.op, x.saturate);
}

namespace {
bool is_literal_zero(const isa::Operand& o, const std::array<uint8_t, 4>& lanes) {
  if (o.place.kind != Place::Kind::immediate) return false;
  for (unsigned l = 0; l < 4; l++) {
    if (lanes[l] != kNoLane && o.place.value[o.place.lane[o.swizzle[l]]] != 0.0f) return false;
  }
  return true;
}
}  // namespace

/// a - b and its sign. NaN: CMP takes B, so >= and == give 0 and != gives 1 by themselves. < uses sat(b - a) > 0, where a NaN
/// saturates to 0; integers and booleans are never NaN and take the short form.
void Selector::compare(const ir::Instruction& x) {
  const Place d = places_.dest(x.result, scalar_class());
  const isa::Operand a = places_.read(x.source[0]), b = places_.read(x.source[1]);
  const bool exact = module_.value(x.source[0].value).type != ir::Type::f32;
  isa::Operand c;
  if (x.op == ir::Op::slt && !exact) {
    const Place t = temp_like(d);
    cw(AluOp::MAD, t, {b, literal(1), negated(a)}, {.clamp = true});
    cw(AluOp::CMP, d, {literal(0), literal(1), negated(whole(t))}, {});
    return;
  }
  if (is_literal_zero(b, d.lane)) {
    c = a;
  } else if (is_literal_zero(a, d.lane)) {
    c = negated(b);
  } else {
    const Place t = temp_like(d);
    cw(AluOp::MAD, t, {a, literal(1), negated(b)}, {});
    c = whole(t);
  }
  switch (x.op) {
    case ir::Op::slt: cw(AluOp::CMP, d, {literal(0), literal(1), c}, {}); break;
    case ir::Op::sge: cw(AluOp::CMP, d, {literal(1), literal(0), c}, {}); break;
    case ir::Op::seq: cw(AluOp::CMP, d, {literal(1), literal(0), negated_abs(c)}, {}); break;
    default: cw(AluOp::CMP, d, {literal(0), literal(1), negated_abs(c)}, {}); break;
  }
}

/// MDH and MDV ignore swizzles: lane by lane the channel of the source is the channel of the result (A5). Registers filled by the
/// rasterizer are read in place, everything else is copied to a register with pinned channels.
void Selector::derivative(const ir::Instruction& x, AluOp code) {
  isa::Operand o = places_.read(x.source[0]);
  const unsigned n = module_.comps(x.result);
  Place from = o.place;
  bool in_place = from.kind == Place::Kind::reg && lir_.registers[from.index].at_entry && !o.abs && !o.negate;
  unsigned seen = 0;
  for (unsigned l = 0; l < n && in_place; l++) {
    const uint8_t lane = from.lane[o.swizzle[l]];
    if (seen >> lane & 1) in_place = false;
    seen |= 1u << lane;
  }
  Vec<uint8_t> channels;
  Place d;
  d.kind = Place::Kind::reg;
  for (unsigned l = 0; l < n; l++) {
    channels.push_back(in_place ? static_cast<uint8_t>(1u << from.lane[o.swizzle[l]])
                       : n == 1 ? static_cast<uint8_t>(scalar_class() == kAlphaChannel ? 8 : 1)
                                : static_cast<uint8_t>(1u << l));
    d.lane[l] = static_cast<uint8_t>(l);
  }
  if (!in_place) {
    from = d;
    from.index = lir_.new_register(channels);
    move(from, o);
    o = whole(from);
  }
  d.index = lir_.new_register(channels);
  cw(code, d, {o, literal(-1), o}, {.clamp = x.saturate, .derivative = true});
  Place& p = places_.at(x.result);
  if (p.kind == Place::Kind::unset) {
    p = d;
  } else {
    move(p, whole(d));
  }
}

}  // namespace pumice::compiler::us::select_detail
