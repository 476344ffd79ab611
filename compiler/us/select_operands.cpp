// SPDX-License-Identifier: MIT
/// Operands as sources of a unit, literals in their cheapest form, and the componentwise operation everything else is made of.
#include "compiler/us/selector.h"

#include <algorithm>
#include <cmath>

#include "compiler/isa/error.h"

namespace pumice::compiler::us::select_detail {

float Selector::immediate_lane(const isa::Operand& o, unsigned lane) const {
  float v = o.place.value[o.place.lane[o.swizzle[lane]]];
  if (o.abs) v = std::fabs(v);
  return o.negate ? -v : v;
}

/// The operand as a source of a unit whose slot i works on value lane lanes[i].
VSource Selector::source(const isa::Operand& o, const Lanes& lanes, Read read) {
  VSource s;
  if (o.place.kind == Place::Kind::immediate)
    return read.as == OperandClass::real ? immediate(o, lanes) : integer_immediate(o, lanes, read.modifiers);
  if (o.place.kind == Place::Kind::unset) throw isa::Unsupported("internal: a value is read before it is written");
  s.kind = o.place.kind == Place::Kind::reg ? VSource::Kind::reg : VSource::Kind::constant;
  s.index = o.place.index;
  s.relative = o.place.relative;
  s.abs = o.abs;
  s.negate = o.negate;
  for (size_t i = 0; i < lanes.size(); i++) {
    s.lane[i] = o.place.lane[o.swizzle[lanes[i]]];
    if (s.lane[i] > 3) throw isa::Unsupported("internal: an unplaced lane is read");
  }
  return s;
}

/// Cheapest form of literals: swizzle constants 0, 0.5, 1, then one inline float, then the constant file. One sign for all lanes.
VSource Selector::immediate(const isa::Operand& o, const Lanes& lanes) {
  VSource s;
  if (levels()) {  // which form is the cheapest depends on the channels (us_r300/legalize.cpp)
    s.kind = VSource::Kind::literal;
    s.index = static_cast<uint32_t>(lir_.literals.size());
    std::array<float, 4>& row = lir_.literals.emplace_back();
    for (size_t i = 0; i < lanes.size(); i++) {
      row[i] = immediate_lane(o, lanes[i]);
      s.lane[i] = static_cast<uint8_t>(i);
    }
    return s;
  }
  bool positive = false, negative = false;
  isa::Small<float, 4> values;
  for (uint8_t l : lanes) {
    const float v = immediate_lane(o, l);
    values.push_back(v);
    if (v != 0) (std::signbit(v) ? negative : positive) = true;
  }
  if (!positive) negative |= std::all_of(values.begin(), values.end(), [](float v) { return std::signbit(v); });  // -0
  const bool mixed = positive && negative;
  s.negate = negative && !mixed;
  isa::Small<float, 4> rest;
  isa::Small<size_t, 4> rest_slot;
  int code = -1;
  bool one_code = true;
  for (size_t i = 0; i < values.size(); i++) {
    const float m = s.negate ? -values[i] : values[i];
    if (m == 0.0f)
      s.lane[i] = swz::zero;
    else if (m == 0.5f)
      s.lane[i] = swz::half;
    else if (m == 1.0f)
      s.lane[i] = swz::one;
    else {
      rest.push_back(m);
      rest_slot.push_back(i);
      const int c = m > 0 ? inline_float_code(m) : -1;
      if (c < 0 || (code >= 0 && c != code)) one_code = false;
      code = c;
    }
  }
  if (rest.empty()) return s;
  if (one_code) {
    s.kind = VSource::Kind::inline_float;
    s.index = static_cast<uint32_t>(code);
    for (size_t i : rest_slot) s.lane[i] = 3;
    return s;
  }
  return constant(s, {rest.begin(), rest.size()}, {rest_slot.begin(), rest_slot.size()});
}

/// Literals of integers: swizzle constants 0 and 1, an inline number up to 127 (or its negative, where the operand has modifiers), else
/// bits in the constant file.
VSource Selector::integer_immediate(const isa::Operand& o, const Lanes& lanes, bool modifiers) {
  VSource s;
  isa::Small<uint32_t, 4> values;
  bool small = true, small_negative = true;
  uint32_t code = 0, negative_code = 0;
  const auto fits = [](uint32_t v, uint32_t& known) {
    if (v < 2) return true;
    if (v > 127 || (known && known != v)) return false;
    known = v;
    return true;
  };
  for (uint8_t l : lanes) {
    uint32_t v = std::bit_cast<uint32_t>(o.place.value[o.place.lane[o.swizzle[l]]]);
    if (o.abs) v = ~v;
    if (o.negate) v = 0 - v;
    values.push_back(v);
    small &= fits(v, code);
    small_negative &= fits(0 - v, negative_code);
  }
  if (small || (small_negative && modifiers)) {
    s.negate = !small;
    if (!small) code = negative_code;
    for (size_t i = 0; i < values.size(); i++) {
      const uint32_t v = small ? values[i] : 0 - values[i];
      s.lane[i] = v == 0 ? swz::zero : v == 1 ? swz::one : 3;
    }
    if (code) s.kind = VSource::Kind::inline_float, s.index = code;
    return s;
  }
  isa::Small<float, 4> rest;
  isa::Small<size_t, 4> rest_slot;
  for (size_t i = 0; i < values.size(); i++) {
    if (values[i] == 0) {
      s.lane[i] = swz::zero;
    } else {
      rest.push_back(std::bit_cast<float>(values[i]));
      rest_slot.push_back(i);
    }
  }
  return constant(s, {rest.begin(), rest.size()}, {rest_slot.begin(), rest_slot.size()});
}

/// Lanes `slots` of s read the values from the constant file. What operands cannot name is loaded from the program's literals.
VSource Selector::constant(VSource s, std::span<const float> values, std::span<const size_t> slots) {
  const isa::ConstantFile::Immediate imm = constants_.immediate(values);
  s.kind = VSource::Kind::constant;
  s.index = imm.slot;
  for (size_t i = 0; i < values.size(); i++) s.lane[slots[i]] = imm.lane[i];
  if (!options_.chip->memory || imm.slot < kConstantNames) return s;
  Slot load = slot(XOp::LDK);
  load.x.say.components = 3;
  load.x.say.immediate = imm.slot * 16;
  load.op.coord = zero_port();
  load.op.dst = static_cast<int32_t>(lir_.new_register({15, 15, 15, 15}));
  load.op.dst_lane = {0, 1, 2, 3};
  s.kind = VSource::Kind::reg;
  s.index = static_cast<uint32_t>(load.op.dst);
  emit_slot(load);
  return s;
}

bool Selector::alpha_lane(const Place& dst, unsigned lane) {
  uint8_t& channels = lir_.registers[dst.index].channels[dst.lane[lane]];
  // A lane any unit may write (a texture result) becomes one of the unit that writes it now.
  if (channels & kRgbChannels) channels &= kRgbChannels;
  return !(channels & kRgbChannels);
}

/// Componentwise operation on all placed lanes of dst: at most one RGB and some alpha operations.
void Selector::cw(AluOp code, const Place& dst, std::initializer_list<isa::Operand> operands, Modify m) {
  componentwise(code, {}, dst, {operands.begin(), operands.size()}, m);
}

void Selector::componentwise(AluOp code, XiOp xi, const Place& dst, std::span<const isa::Operand> operands, Modify m) {
  Lanes rgb, alpha;
  for (uint8_t l = 0; l < 4; l++) {
    if (dst.lane[l] == kNoLane) continue;
    (alpha_lane(dst, l) ? alpha : rgb).push_back(l);
  }
  if (rgb.size() > 3) {  // a texture result that an edge copy writes too: lane 3 moves to the alpha channel
    lir_.registers[dst.index].channels[dst.lane[rgb[3]]] = kAlphaChannel;
    alpha.push_back(rgb[3]);
    rgb.pop_back();
  }
  // Sources first: they may emit loads of literals.
  const auto unit = [&](const Lanes& lanes) {
    VUnit u;
    u.op = code;
    u.xi = xi;
    u.sources = static_cast<uint8_t>(operands.size());
    u.slots = static_cast<uint8_t>(lanes.size());
    for (size_t i = 0; i < operands.size(); i++) {
      Read read;
      if (code == AluOp::XI) read = {info(xi).classes[i], i < 2 && info(xi).classes[i] != OperandClass::raw};
      u.source[i] = source(operands[i], lanes, read);
    }
    u.dst = static_cast<int32_t>(dst.index);
    for (size_t k = 0; k < lanes.size(); k++) u.dst_lane[k] = dst.lane[lanes[k]];
    u.clamp = m.clamp;
    u.omod = m.omod;
    u.derivative = m.derivative;
    return u;
  };
  if (!rgb.empty()) {
    const VUnit u = unit(rgb);
    Op& op = lir_.ops.emplace_back();
    op.rgb = u;
    op.at = place_;
    rgb_load_++;
  }
  for (uint8_t l : alpha) {
    Lanes one;
    one.push_back(l);
    const VUnit u = unit(one);
    Op& op = lir_.ops.emplace_back();
    op.alpha = u;
    op.at = place_;
    alpha_load_++;
  }
}

/// Bit exact but for `clamp`, which is of floats.
void Selector::move(const Place& dst, const isa::Operand& o, bool clamp) {
  if (clamp) {
    cw(AluOp::MAD, dst, {o, literal(1), literal(0)}, {.clamp = true});
  } else if (options_.chip->memory && !o.abs && !o.negate) {
    xi(XiOp::MOV, dst, {o});
  } else {
    cw(AluOp::MAX, dst, {o, o}, {.omod = kCopy});
  }
}

Place Selector::temp_like(const Place& dst) {
  std::array<uint8_t, 4> channels{};
  uint8_t n = 0;
  Place p;
  p.kind = Place::Kind::reg;
  for (unsigned l = 0; l < 4; l++) {
    if (dst.lane[l] == kNoLane) continue;
    p.lane[l] = n;
    channels[n++] = alpha_lane(dst, l) ? kAlphaChannel : kRgbChannels;
  }
  // Two alpha lanes cannot share a register; cw() copes with lanes of one register only.
  unsigned alphas = 0;
  for (uint8_t& c : channels) {
    if (c == kAlphaChannel && alphas++) c = kRgbChannels;
  }
  p.index = lir_.new_register(std::span(channels).first(n));
  return p;
}

}  // namespace pumice::compiler::us::select_detail
