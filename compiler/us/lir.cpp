// SPDX-License-Identifier: MIT
#include "compiler/us/lir.h"

#include <algorithm>
#include <bit>

namespace pumice::compiler::us {
namespace {

unsigned lanes_read(const VUnit& u, bool alpha) { return alpha ? 1 : u.dot ? 3 : u.slots; }

/// `kMost`: of `lanes` where it is called.
template <unsigned kMost>
void add_reads(const VSource& s, unsigned lanes, isa::Small<isa::Lane, 16>& out) {
  const bool reg = s.kind == VSource::Kind::reg;
  for (unsigned i = 0; i < kMost; i++) out.push_back_if(reg & (i < lanes) & (s.lane[i] < 4), {s.index, s.lane[i]});
}

template <bool kAlpha>
void unit_access(const VUnit& u, isa::Point& p) {
  constexpr unsigned kMost = kAlpha ? 1 : 3;
  for (unsigned i = 0; i < u.sources; i++) add_reads<kMost>(u.source[i], lanes_read(u, kAlpha), p.reads);
  if (u.dst < 0) return;
  for (unsigned i = 0; i < 3; i++) p.writes.push_back_if(i < u.slots, {static_cast<uint32_t>(u.dst), u.dst_lane[i]});
}

}  // namespace

void access(const Op& op, isa::Point& p, const Lir* lir) {
  if (lir && !lir->presubtracts.empty()) {
    for (const std::optional<VUnit>* u : {&op.rgb, &op.alpha}) {
      for (unsigned i = 0; *u && i < (*u)->sources; i++) {
        const VSource& s = (*u)->source[i];
        if (s.kind != VSource::Kind::presubtracted) continue;
        for (const VSource& from : lir->presubtracts[s.index].source) add_reads<1>(from, 1, p.reads);
      }
    }
  }
  if (op.rgb) unit_access<false>(*op.rgb, p);
  if (op.alpha) unit_access<true>(*op.alpha, p);
  if (op.kind == Op::Kind::tex) {
    add_reads<4>(op.coord, 4, p.reads);
    // Few have these.
    for (const VSource* s : {&op.dx, &op.dy})
      if (s->kind != VSource::Kind::none) add_reads<4>(*s, 4, p.reads);
    for (const VSource* s : {&op.index, &op.sampler_index})
      if (s->kind != VSource::Kind::none) add_reads<1>(*s, 1, p.reads);
    for (uint8_t lane : op.dst_lane) {
      if (op.dst >= 0 && lane < 4) p.writes.push_back({static_cast<uint32_t>(op.dst), lane});
    }
  }
}

namespace {

/// Does something besides giving a result.
bool has_effect(XOp op) {
  const XOpInfo& o = info(op);
  return o.stores || o.exports || o.kills || o.synchronizes;
}

bool root(const Op& op, const Lir& lir) {
  const auto effect = [](const std::optional<VUnit>& u) { return u && (u->target >= 0 || u->depth || u->condition); };
  return (op.kind != Op::Kind::alu && op.kind != Op::Kind::tex) || effect(op.rgb) || effect(op.alpha) ||
         (op.kind == Op::Kind::tex && (op.inst == TexOp::TEXKILL || (op.x >= 0 && has_effect(lir.slots[size_t(op.x)].say.op))));
}

}  // namespace

uint8_t pinned_channel(const isa::VirtualRegister& r, unsigned lane) {
  const uint8_t own = r.channels[lane];
  if (std::has_single_bit(own)) return static_cast<uint8_t>(std::countr_zero(own));
  if (r.lanes == 1) return 0xFF;
  uint8_t n = 0;
  for (unsigned l = 0; l < lane; l++) n += (r.channels[l] & kRgbChannels) != 0;
  return n;
}

const VSource* copied(const VUnit& u) {
  const VSource& s = u.source[0];
  if (s.kind != VSource::Kind::reg || s.abs || s.negate) return nullptr;
  if (u.op == AluOp::XI) return u.xi == XiOp::MOV ? &s : nullptr;
  constexpr uint8_t kCopyExactly = 7;
  return u.omod == kCopyExactly && u.sources == 2 && u.source[1].kind == VSource::Kind::reg && u.source[1].index == s.index ? &s : nullptr;
}

Vec<isa::Point> points(const Lir& lir) {
  const uint32_t n = static_cast<uint32_t>(lir.ops.size());
  Vec<isa::Point> out(n);
  struct Open {
    uint32_t begin, other = 0;
    Vec<uint32_t> breaks, continues;
  };
  Vec<Open> ifs, loops;
  bool reachable_next = true;
  for (uint32_t i = 0; i < n; i++) {
    const Op& op = lir.ops[i];
    access(op, out[i], &lir);
    reachable_next = true;
    switch (op.kind) {
      case Op::Kind::if_: ifs.push_back({i}); break;
      case Op::Kind::else_:
        ifs.back().other = i;
        out[ifs.back().begin].next.push_back(i + 1);
        reachable_next = false;  // the then arm jumps to endif, set there
        break;
      case Op::Kind::endif:
        out[ifs.back().other ? ifs.back().other : ifs.back().begin].next.push_back(i);
        ifs.pop_back();
        break;
      case Op::Kind::loop: loops.push_back({i}); break;
      case Op::Kind::endloop:
        out[i].next.push_back(loops.back().begin + 1);
        for (uint32_t b : loops.back().breaks) out[b].next.push_back(i + 1);
        for (uint32_t c : loops.back().continues) out[c].next.push_back(i);
        loops.pop_back();
        reachable_next = op.may_exhaust;
        break;
      case Op::Kind::break_: loops.back().breaks.push_back(i), reachable_next = op.conditional; break;
      case Op::Kind::continue_: loops.back().continues.push_back(i), reachable_next = false; break;
      default: break;
    }
    if (reachable_next && i + 1 < n) out[i].next.push_back(i + 1);
  }
  return out;
}

namespace {
/// The written lanes as a bit mask, limited to `slots` (also a mask). Without branches or loops, as the next: they are asked most.
uint8_t lanes_written(const VUnit& u) {
  const auto bit = [&](unsigned k) { return unsigned{k < u.slots} << (u.dst_lane[k] & 7); };
  return static_cast<uint8_t>(bit(0) | bit(1) | bit(2));
}
uint8_t lanes_read(const VSource& s, unsigned slots) {
  const auto bit = [&](unsigned k) { return (slots >> k & 1) << (s.lane[k] & 7); };
  const unsigned m = bit(0) | bit(1) | bit(2) | bit(3);
  return s.kind == VSource::Kind::reg ? m & 15 : 0;
}

/// Which lanes of which registers are needed.
class Needs {
 public:
  explicit Needs(size_t registers) : lanes_(registers + 1) {}
  uint8_t of(int32_t reg) const { return reg < 0 ? uint8_t{0} : lanes_[static_cast<size_t>(reg)]; }
  uint8_t of(uint32_t reg) const { return lanes_[reg]; }
  bool operator()(int32_t reg, uint8_t lane) const { return of(reg) >> lane & 1; }
  /// True when that is new.
  bool read(const VSource& s, unsigned slots) {
    const uint8_t m = lanes_read(s, slots);
    uint8_t& n = lanes_[m ? s.index : lanes_.size() - 1];
    const bool fresh = m & ~n;
    n |= m;
    return fresh;
  }

 private:
  Vec<uint8_t> lanes_;  ///< the last stands for what is no register
};

/// Drops the slots of a componentwise RGB operation whose results are unused; they read no sources then either.
void trim(Op& op, const Needs& needs) {
  if (!op.rgb || op.rgb->dot || op.rgb->dst < 0) return;
  VUnit& u = *op.rgb;
  if (!(lanes_written(u) & ~needs.of(u.dst))) return;
  unsigned to = 0;
  for (unsigned k = 0; k < u.slots; k++) {
    if (!needs(u.dst, u.dst_lane[k])) continue;
    u.dst_lane[to] = u.dst_lane[k];
    for (VSource& s : u.source) s.lane[to] = s.lane[k];
    to++;
  }
  for (unsigned k = to; k < u.slots; k++) {
    for (VSource& s : u.source) s.lane[k] = swz::zero;
  }
  u.slots = static_cast<uint8_t>(to);
}

/// What the operation needs, if something needs the operation.
bool mark(const Op& op, const Lir& lir, Needs& needs, uint8_t& keep) {
  const auto wanted = [&](const std::optional<VUnit>& u) { return u && (needs.of(u->dst) & lanes_written(*u)); };
  bool live = keep || root(op, lir) || wanted(op.rgb) || wanted(op.alpha);
  const bool fetches = op.kind == Op::Kind::tex;
  for (size_t k = 0; fetches && k < op.dst_lane.size(); k++) live |= op.dst_lane[k] < 4 && needs(op.dst, op.dst_lane[k]);
  if (!live) return false;
  keep = true;
  bool fresh = false;
  if (op.rgb) {
    const VUnit& u = *op.rgb;
    unsigned slots = (1u << lanes_read(u, false)) - 1;
    // Componentwise slots with unused results do not read any source.
    if (!u.dot && u.dst >= 0) {
      const unsigned n = needs.of(u.dst);
      const auto idle = [&](unsigned k) { return (~n >> (u.dst_lane[k] & 7) & 1) << k; };
      slots &= ~(idle(0) | idle(1) | idle(2));
    }
    for (unsigned s = 0; s < u.sources; s++) fresh |= needs.read(u.source[s], slots);
  }
  if (op.alpha) {
    for (unsigned s = 0; s < op.alpha->sources; s++) fresh |= needs.read(op.alpha->source[s], 1);
  }
  if (fetches) {
    fresh |= needs.read(op.coord, 15);
    for (const VSource* s : {&op.dx, &op.dy})
      if (s->kind != VSource::Kind::none) fresh |= needs.read(*s, 15);
    for (const VSource* s : {&op.index, &op.sampler_index})
      if (s->kind != VSource::Kind::none) fresh |= needs.read(*s, 1);
  }
  return fresh;
}
}  // namespace

void remove_dead(Lir& lir) {
  Needs needs(lir.registers.size());
  Vec<uint8_t> keep(lir.ops.size());
  // Walking backwards, all uses of a value are seen before its definition, except uses carried around a loop.
  const bool loops = std::any_of(lir.ops.begin(), lir.ops.end(), [](const Op& op) { return op.kind == Op::Kind::loop; });
  bool changed = true;
  for (bool first = true; changed && (first || loops); first = false) {
    changed = false;
    for (size_t i = lir.ops.size(); i-- > 0;) changed |= mark(lir.ops[i], lir, needs, keep[i]);
  }
  size_t kept = 0;
  for (size_t i = 0; i < lir.ops.size(); i++) {
    if (!keep[i]) continue;
    Op& op = lir.ops[i];
    trim(op, needs);
    if (op.kind == Op::Kind::tex) {
      for (uint8_t& lane : op.dst_lane) {
        if (lane < 4 && !needs(op.dst, lane)) lane = 0xFF;
      }
    }
    if (kept != i) lir.ops[kept] = op;
    kept++;
  }
  lir.ops.resize(kept);
  // Registers the rasterizer need not fill.
  const auto idle = [&](uint32_t reg) { return needs.of(reg) == 0; };
  auto& in = lir.inputs;
  erase_if(in.locations, [&](const FixedRegisters::Location& l) { return idle(l.reg); });
  for (std::optional<uint32_t>* r : {&in.position, &in.frag_coord_xy, &in.front_facing, &in.point_coord}) {
    if (*r && idle(**r)) r->reset();
  }
  for (uint32_t r = 0; r < lir.registers.size(); r++) {
    if (idle(r)) lir.registers[r].at_entry = false;
  }
}

std::string print(const Lir& lir) {
  constexpr const char* kKinds[] = {"alu", "tex", "if", "else", "endif", "loop", "endloop", "break", "continue"};
  std::string text;
  const auto source = [](const VSource& s, unsigned lanes) {
    constexpr const char* kFile[] = {"", "v", "c", "#", "literal", "srcp"};
    std::string t = std::string(s.negate ? "-" : "") + (s.abs ? "|" : "") + kFile[static_cast<int>(s.kind)];
    if (s.kind != VSource::Kind::none) t += std::to_string(s.index) + (s.relative ? "+aL." : ".");
    for (unsigned i = 0; i < lanes; i++) t += "xyzw0h1_"[s.lane[i] & 7];
    return t + (s.abs ? "|" : "");
  };
  const auto unit = [&](const VUnit& u, bool alpha) {
    std::string t = std::string(alpha ? " a." : " rgb.") + (u.op == AluOp::XI ? info(u.xi).mnemonic.c_str() : info(u.op).mnemonic.c_str()) +
                    (u.clamp ? ".sat" : "");
    if (u.dst >= 0) t += " v" + std::to_string(u.dst) + ".";
    if (u.target >= 0) t += " out" + std::to_string(u.target) + ".";
    for (unsigned i = 0; i < u.slots; i++) t += "xyzw"[u.dst_lane[i] & 3];
    if (u.depth) t += " depth";
    if (u.condition) t += " cond";
    for (unsigned i = 0; i < u.sources; i++) t += ", " + source(u.source[i], lanes_read(u, alpha));
    return t;
  };
  const auto texture = [&](const Op& op) {
    const XSlot* x = op.x < 0 ? nullptr : &lir.slots[size_t(op.x)];
    std::string t = x ? info(x->say.op).mnemonic.c_str() : info(op.inst).mnemonic.c_str();
    if (op.dst >= 0) {
      t += " v" + std::to_string(op.dst) + ".";
      for (uint8_t lane : op.dst_lane) t += lane < 4 ? "xyzw"[lane] : '_';
    }
    for (const VSource* s : {&op.coord, &op.dx, &op.dy, &op.index, &op.sampler_index})
      if (s->kind == VSource::Kind::reg) t += ", " + source(*s, s == &op.index || s == &op.sampler_index ? 1 : 4);
    if (x)
      t += " imm=" + std::to_string(x->say.immediate) + " set=" + std::to_string(x->say.descriptor.set) + "+" +
           std::to_string(x->say.descriptor.offset);
    return t;
  };
  for (const Op& op : lir.ops) {
    text += kKinds[static_cast<int>(op.kind)];
    if (op.rgb) text += unit(*op.rgb, false);
    if (op.alpha) text += unit(*op.alpha, true);
    if (op.kind == Op::Kind::tex) text += " " + texture(op);
    text += "\n";
  }
  return text;
}

}  // namespace pumice::compiler::us
