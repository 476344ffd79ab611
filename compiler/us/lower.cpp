// SPDX-License-Identifier: MIT
#include "compiler/us/lower.h"

#include <algorithm>

#include "compiler/isa/error.h"
#include "hw/db/regs_r500.h"

namespace pumice::compiler::us {

namespace {
using A = regs::US_ALU_ALPHA_INST;
}

void Lower::op(const Op& op, Operations& out) const {
  const size_t before = out.nodes.size();
  nodes(op, out);
  if (out.nodes.size() > before) out.nodes.back().at = op.at;
}

void Lower::nodes(const Op& op, Operations& out) const {
  if (op.kind == Op::Kind::tex) {
    Node& node = out.nodes.emplace_back();
    node.tex = static_cast<uint32_t>(out.textures.size());
    texture(op, node, out.textures.emplace_back());
    return;
  }
  if (op.rgb && op.alpha) {
    Node& node = out.nodes.emplace_back();
    half(*op.rgb, false, node);
    half(*op.alpha, true, node);
    return;
  }
  const bool alpha = !op.rgb;
  const VUnit& only = alpha ? *op.alpha : *op.rgb;
  if (!self_copy(only)) {
    half(only, alpha, out.nodes.emplace_back());
    return;
  }
  VUnit u = only;
  drop_self_copies(u);
  if (u.slots) half(u, alpha, out.nodes.emplace_back());
}

/// A copy from a register to itself; some lanes may already be in place.
bool Lower::self_copy(const VUnit& u) const {
  const VSource* s = copied(u);
  return s && u.dst >= 0 && temp(s->index) == temp(static_cast<uint32_t>(u.dst));
}
void Lower::drop_self_copies(VUnit& u) const {
  unsigned to = 0;
  for (unsigned k = 0; k < u.slots; k++) {
    const uint8_t from = u.source[0].lane[k];
    if (from < 4 && channel(u.source[0].index, from) == channel(static_cast<uint32_t>(u.dst), u.dst_lane[k])) continue;
    u.dst_lane[to] = u.dst_lane[k];
    u.source[0].lane[to] = u.source[1].lane[to] = from;
    to++;
  }
  u.slots = static_cast<uint8_t>(to);
}

void Lower::half(const VUnit& u, bool alpha, Node& node) const {
  (alpha ? node.has_alpha : node.has_rgb) = true;
  unit(u, alpha, alpha ? node.alpha : node.rgb, node);
}

void Lower::unit(const VUnit& u, bool alpha, Half& half, Node& node) const {
  Unit& out = half.unit;
  out.op = u.op;
  out.omod = u.omod;
  out.clamp = u.clamp;
  half.depth = u.depth;
  half.condition = u.condition;
  half.condition_op = u.condition_op;
  std::array<uint8_t, 3> slot_channel{0, 1, 2};
  if (u.dst >= 0) {
    const uint32_t dst = static_cast<uint32_t>(u.dst);
    out.dest = temp(dst);
    unsigned channels = 0;
    for (unsigned i = 0; i < u.slots; i++) {
      const uint8_t c = channel(dst, u.dst_lane[i]);
      channels |= 1u << c;
      slot_channel[i] = c;
    }
    node.writes.push_back_if(channels != 0, {out.dest, static_cast<uint8_t>(channels)});
    if (channels & (alpha ? 7u : 8u)) throw isa::Unsupported("internal: a lane is in a channel its unit cannot write");
    out.write = static_cast<uint8_t>(alpha ? channels >> 3 : channels);
  }
  if (u.target >= 0) {
    out.target = static_cast<uint8_t>(u.target);
    for (unsigned i = 0; i < u.slots; i++) {
      out.output |= static_cast<uint8_t>(alpha ? 1 : 1 << u.dst_lane[i]);
      slot_channel[i] = u.dst_lane[i];
      node.writes.push_back(touch(static_cast<uint16_t>(kOutputs + out.target * 4 + u.dst_lane[i])));
    }
  }
  if (u.depth) node.writes.push_back(touch(kDepth));
  if (u.condition) node.writes.push_back(touch(kAluResult));
  const unsigned lanes = alpha ? 1 : u.dot ? 3 : u.slots;
  if (alpha || u.dot) slot_channel = {0, 1, 2};
  for (unsigned i = 0; i < u.sources; i++) source(u, i, alpha, lanes, slot_channel, half, node);
  if (u.op == AluOp::XI) out.xi(u.xi);  // it lies in fields that strict operations have for other things
}

/// `position`: where lane i stands in the swizzle.
void Lower::source(const VUnit& u, unsigned index, bool alpha, unsigned lanes, const std::array<uint8_t, 3>& position, Half& half,
                   Node& node) const {
  const VSource& s = u.source[index];
  Operand& text = half.unit.operand[index];
  text.modifier = static_cast<uint8_t>(unsigned{s.negate} | unsigned{s.abs} << 1);
  std::array<uint8_t, 8> code{0, 1, 2, 3, 4, 5, 6, 7};
  uint32_t value = s.index;
  const bool reg = s.kind == VSource::Kind::reg;
  if (reg) {
    value = temp(s.index);
    std::copy(allocation_.of[s.index].channel.begin(), allocation_.of[s.index].channel.end(), code.begin());
  }
  unsigned codes = 0;
  for (unsigned i = 0; i < lanes; i++) {
    const uint8_t c = code[s.lane[i] & 7];
    codes |= 1u << c;
    text.swizzle[position[i]] = c;
    if (u.derivative && index != 1 && c < 4 && c != (alpha ? 3 : position[i]))
      throw isa::Unsupported("internal: a derivative's source is not in its own channel");
  }
  if (!(codes & 15)) return;
  node.reads.push_back_if(reg, {static_cast<uint8_t>(value), static_cast<uint8_t>(codes & 15)});
  if (s.kind == VSource::Kind::presubtracted) {
    half.request_of[index] = Half::kPresubtracted;
    if (half.unit.presubtract == lir_.presubtracts[s.index].op && half.presubtracted) return;  // both operands read it
    half.presubtracted = true;
    const Lir::Presubtract& row = lir_.presubtracts[s.index];
    half.unit.presubtract = row.op;
    for (unsigned n = 0; n < 2; n++) {
      const VSource& from = row.source[n];
      if (from.kind == VSource::Kind::none) continue;
      const bool is_reg = from.kind == VSource::Kind::reg;
      const uint32_t at = is_reg ? temp(from.index) : from.index;
      const uint8_t c = is_reg ? channel(from.index, from.lane[0]) : from.lane[0];
      if (!(codes >> c & 1)) throw isa::Unsupported("internal: a presubtracted source is not in the channel that is read");
      if (is_reg) node.reads.push_back(touch(static_cast<uint16_t>(at * 4 + c)));
      Half::Request& w = half.request[half.requests++];
      w.key = address_key(is_reg ? Address::File::temp : Address::File::constant, at, false);
      w.rgb = c < 3;
      w.alpha = c == 3;
      w.first = n == 0;
      w.second = n == 1;
    }
    return;
  }
  constexpr Address::File kFiles[] = {Address::File::inline_float, Address::File::temp, Address::File::constant,
                                      Address::File::inline_float};
  Half::Request& w = half.request[half.requests++];
  half.request_of[index] = half.requests;
  w.key = address_key(kFiles[static_cast<size_t>(s.kind)], value, s.kind == VSource::Kind::constant && s.relative);
  w.rgb = (codes & 7) != 0;
  w.alpha = (codes & 8) != 0;
  w.first = u.derivative && index != 1;
}

Port Lower::port(const VSource& s, unsigned lanes, Node& node) const {
  Port p;
  p.temp = temp(s.index);
  unsigned channels = 0;
  for (unsigned i = 0; i < lanes; i++) {
    p.swizzle[i] = channel(s.index, s.lane[i]);
    channels |= 1u << p.swizzle[i];
  }
  node.reads.push_back({p.temp, static_cast<uint8_t>(channels)});
  return p;
}

void Lower::texture(const Op& op, Node& node, Instruction& x) const {
  node.is_tex = true;
  x.type = Type::TEXTURE;
  if (op.x >= 0) return slot(op, node, x);
  x.tex.inst = op.inst;
  x.tex.unit = op.unit;
  x.tex.unscaled = op.unscaled;
  x.tex.source = port(op.coord, 4, node);
  if (op.inst == TexOp::DXDY) {
    x.tex.dx = port(op.dx, 4, node);
    x.tex.dy = port(op.dy, 4, node);
  }
  if (op.inst == TexOp::TEXKILL) {
    // All four components are the same one, so it does not matter whether the write mask selects what is tested.
    x.rgb.write = 7;
    x.alpha.write = 1;
    x.tex.dest = x.tex.source;
    return;
  }
  destination(op, node, x);
}

void Lower::destination(const Op& op, Node& node, Instruction& x) const {
  const uint32_t dst = static_cast<uint32_t>(op.dst);
  x.tex.dest.temp = temp(dst);
  unsigned channels = 0;
  for (uint8_t i = 0; i < 4; i++) {
    if (op.dst_lane[i] > 3) continue;
    const uint8_t c = channel(dst, op.dst_lane[i]);
    x.tex.dest.swizzle[c] = i;
    channels |= 1u << c;
  }
  x.rgb.write |= static_cast<uint8_t>(channels & 7);
  x.alpha.write |= static_cast<uint8_t>(channels >> 3);
  node.writes.push_back_if(channels != 0, {x.tex.dest.temp, static_cast<uint8_t>(channels)});
}

void Lower::selector(DescriptorSelector& s, const VSource& index, Node& node) const {
  if (index.kind != VSource::Kind::reg) return;
  s.indirect = true;
  s.temp = temp(index.index);
  s.component = channel(index.index, index.lane[0]);
  node.reads.push_back(touch(static_cast<uint16_t>(s.temp * 4 + s.component)));
}

namespace {

/// What the operation touches besides registers.
void effects(const XOpInfo& op, Node& node) {
  const uint16_t memory = op.local ? kLocal : op.scratch ? kScratch : kMemory;
  if (op.stores) {
    node.writes.push_back(touch(memory));
    if (memory == kMemory) node.reads.push_back(touch(kDiscards));
  } else {
    // Of the others only these read what stores may have changed.
    switch (op.op) {
      case XOp::LDB:
      case XOp::LDI:
      case XOp::LDL:
      case XOp::LDP: node.reads.push_back(touch(memory)); break;
      case XOp::SYS: node.reads.push_back(touch(kDiscards)); break;
      default: break;
    }
  }
  if (op.synchronizes) {
    node.writes.push_back(touch(kMemory));
    node.writes.push_back(touch(kLocal));
  }
  if (op.across) node.reads.push_back(touch(kDiscards));  // lanes that a kill left take no part
  if (op.kills) node.writes.push_back(touch(kDiscards));
  if (op.exports) node.writes.push_back(touch(kExports));
}

}  // namespace

void Lower::slot(const Op& op, Node& node, Instruction& x) const {
  node.is_slot = true;
  const XSlot& s = lir_.slots[static_cast<size_t>(op.x)];
  x.tex.inst = TexOp::X;
  x.tex.x = s.say;
  selector(x.tex.x.descriptor, op.index, node);
  if (s.sampled) {
    DescriptorSelector sampler = s.sampler;
    selector(sampler, op.sampler_index, node);
    x.tex.x.immediate = word_of(sampler);
  }
  const auto source = [&](const VSource& v, Port& p) {
    if (v.kind == VSource::Kind::reg) p = port(v, 4, node);
  };
  source(op.coord, x.tex.source);
  source(op.dx, x.tex.dx);
  source(op.dy, x.tex.dy);
  if (op.dst >= 0) destination(op, node, x);
  if (s.mask) {
    x.rgb.write = s.mask & 7;
    x.alpha.write = s.mask >> 3;
  }
  effects(info(s.say.op), node);
}

}  // namespace pumice::compiler::us
