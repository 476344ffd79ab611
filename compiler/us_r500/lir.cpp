// SPDX-License-Identifier: MIT
#include "compiler/us_r500/lir.h"

#include <algorithm>

#include "hw/regs_r500.h"

namespace pumice::compiler::us {
namespace {

unsigned lanes_read(const VUnit& u, bool alpha) { return alpha ? 1 : u.dot ? 3 : u.slots; }

void add_reads(const VSource& s, unsigned lanes, isa::Small<isa::Lane, 16>& out) {
  if (s.kind != VSource::Kind::reg) return;
  for (unsigned i = 0; i < lanes; i++) {
    if (s.lane[i] < 4) out.push_back({s.index, s.lane[i]});
  }
}

void unit_access(const VUnit& u, bool alpha, isa::Point& p) {
  for (unsigned i = 0; i < u.sources; i++) add_reads(u.source[i], lanes_read(u, alpha), p.reads);
  if (u.dst < 0) return;
  for (unsigned i = 0; i < u.slots; i++) p.writes.push_back({static_cast<uint32_t>(u.dst), u.dst_lane[i]});
}

}  // namespace

void access(const Op& op, isa::Point& p) {
  if (op.rgb) unit_access(*op.rgb, false, p);
  if (op.alpha) unit_access(*op.alpha, true, p);
  if (op.kind == Op::Kind::tex) {
    add_reads(op.coord, 4, p.reads);
    add_reads(op.dx, 4, p.reads);
    add_reads(op.dy, 4, p.reads);
    for (uint8_t lane : op.dst_lane) {
      if (op.dst >= 0 && lane < 4) p.writes.push_back({static_cast<uint32_t>(op.dst), lane});
    }
  }
}

namespace {

bool root(const Op& op) {
  const auto effect = [](const std::optional<VUnit>& u) { return u && (u->target >= 0 || u->depth || u->condition); };
  return (op.kind != Op::Kind::alu && op.kind != Op::Kind::tex) || effect(op.rgb) || effect(op.alpha) ||
         (op.kind == Op::Kind::tex && op.inst == regs::US_TEX_INST::INST__TEXKILL);
}

/// Drops the slots of a componentwise RGB operation whose result nobody needs; they read nothing either.
template <class Needs>
void trim(Op& op, const Needs& needs) {
  if (!op.rgb || op.rgb->dot || op.rgb->dst < 0) return;
  VUnit& u = *op.rgb;
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

}  // namespace

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
    access(op, out[i]);
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
      case Op::Kind::break_: loops.back().breaks.push_back(i), reachable_next = false; break;
      case Op::Kind::continue_: loops.back().continues.push_back(i), reachable_next = false; break;
      default: break;
    }
    if (reachable_next && i + 1 < n) out[i].next.push_back(i + 1);
  }
  return out;
}

void remove_dead(Lir& lir) {
  Vec<uint8_t> needed(lir.registers.size());
  const auto needs = [&](int32_t reg, uint8_t lane) { return reg >= 0 && (needed[static_cast<size_t>(reg)] >> lane & 1); };
  Vec<bool> keep(lir.ops.size());
  // Backwards everything is known before it is asked for, but for what goes around a loop.
  const bool loops = std::any_of(lir.ops.begin(), lir.ops.end(), [](const Op& op) { return op.kind == Op::Kind::loop; });
  bool changed = true;
  for (bool first = true; changed && (first || loops); first = false) {
    changed = false;
    for (size_t i = lir.ops.size(); i-- > 0;) {
      Op& op = lir.ops[i];
      const auto unit_needed = [&](const std::optional<VUnit>& u) {
        if (!u || u->dst < 0) return false;
        for (unsigned k = 0; k < u->slots; k++) {
          if (needs(u->dst, u->dst_lane[k])) return true;
        }
        return false;
      };
      bool live = root(op) || unit_needed(op.rgb) || unit_needed(op.alpha);
      if (op.kind == Op::Kind::tex) {
        for (uint8_t lane : op.dst_lane) live |= lane < 4 && needs(op.dst, lane);
      }
      if (!live) continue;
      keep[i] = true;
      const auto read = [&](const VSource& s, unsigned slot) {
        if (s.kind != VSource::Kind::reg || s.lane[slot] > 3 || (needed[s.index] >> s.lane[slot] & 1)) return;
        needed[s.index] |= static_cast<uint8_t>(1u << s.lane[slot]);
        changed = true;
      };
      if (op.rgb) {
        const VUnit& u = *op.rgb;
        for (unsigned k = 0; k < lanes_read(u, false); k++) {
          // Componentwise slots whose result nobody needs do not read anything either.
          if (!u.dot && u.dst >= 0 && !needs(u.dst, u.dst_lane[k])) continue;
          for (unsigned s = 0; s < u.sources; s++) read(u.source[s], k);
        }
      }
      if (op.alpha) {
        for (unsigned s = 0; s < op.alpha->sources; s++) read(op.alpha->source[s], 0);
      }
      if (op.kind == Op::Kind::tex) {
        for (unsigned k = 0; k < 4; k++) read(op.coord, k), read(op.dx, k), read(op.dy, k);
      }
    }
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
  const auto idle = [&](uint32_t reg) { return needed[reg] == 0; };
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
    constexpr const char* kFile[] = {"", "v", "c", "#"};
    std::string t = std::string(s.negate ? "-" : "") + (s.abs ? "|" : "") + kFile[static_cast<int>(s.kind)];
    if (s.kind != VSource::Kind::none) t += std::to_string(s.index) + (s.relative ? "+aL." : ".");
    for (unsigned i = 0; i < lanes; i++) t += "xyzw0h1_"[s.lane[i] & 7];
    return t + (s.abs ? "|" : "");
  };
  const auto unit = [&](const VUnit& u, bool alpha) {
    std::string t = std::string(alpha ? " a" : " rgb") + std::to_string(u.op) + (u.clamp ? ".sat" : "");
    if (u.dst >= 0) t += " v" + std::to_string(u.dst) + ".";
    if (u.target >= 0) t += " out" + std::to_string(u.target) + ".";
    for (unsigned i = 0; i < u.slots; i++) t += "xyzw"[u.dst_lane[i] & 3];
    if (u.depth) t += " depth";
    if (u.condition) t += " cond";
    for (unsigned i = 0; i < u.sources; i++) t += ", " + source(u.source[i], lanes_read(u, alpha));
    return t;
  };
  for (const Op& op : lir.ops) {
    text += kKinds[static_cast<int>(op.kind)];
    if (op.rgb) text += unit(*op.rgb, false);
    if (op.alpha) text += unit(*op.alpha, true);
    if (op.kind == Op::Kind::tex) text += " inst" + std::to_string(op.inst) + " v" + std::to_string(op.dst) + ", " + source(op.coord, 4);
    text += "\n";
  }
  return text;
}

}  // namespace pumice::compiler::us
