// SPDX-License-Identifier: MIT
/// A register that is spilled has 16 bytes of scratch. Each operation that reads it loads the lanes that it reads into a register of its
/// own, each that writes it stores the lanes that it has written.
#include "compiler/us/spill.h"

#include <algorithm>

#include "compiler/isa/error.h"
#include "compiler/isa/spill_choice.h"

namespace pumice::compiler::us {
namespace {

Vec<isa::Hint> copy_hints(const Lir& lir) {
  Vec<isa::Hint> hints;
  for (const Op& op : lir.ops) {
    if (op.kind != Op::Kind::alu || (op.rgb && op.alpha)) continue;
    const VUnit& u = op.rgb ? *op.rgb : *op.alpha;
    const VSource* s = copied(u);
    if (!s || u.dst < 0) continue;
    for (unsigned k = 0; k < u.slots; k++) {
      if (s->lane[k] < 4) hints.push_back({{static_cast<uint32_t>(u.dst), u.dst_lane[k]}, {s->index, s->lane[k]}});
    }
  }
  return hints;
}

class Spiller {
 public:
  explicit Spiller(Lir& lir) : lir_(lir), never_(lir.registers.size()) {}

  /// False: nothing that could move would help.
  bool spill(uint32_t wanted, uint32_t& scratch_bytes) {
    const Vec<uint32_t> chosen = isa::choose_spills(lir_.registers, points(lir_), costs(), wanted);
    if (chosen.empty()) return false;
    home_.assign(lir_.registers.size(), kNowhere);
    for (uint32_t v : chosen) {
      home_[v] = scratch_bytes;
      scratch_bytes += 16;
    }
    rewrite();
    return true;
  }

 private:
  static constexpr uint32_t kNowhere = ~0u;

  /// How many loads and stores it would take, those in loops counted ten times for each.
  Vec<uint32_t> costs() const {
    Vec<uint32_t> cost(lir_.registers.size());
    uint32_t weight = 1;
    for (const Op& op : lir_.ops) {
      if (op.kind == Op::Kind::loop) weight = std::min(weight * 10, 10000u);
      if (op.kind == Op::Kind::endloop) weight = std::max(weight / 10, 1u);
      isa::Point p;
      access(op, p);
      for (const isa::Lane& l : p.reads) cost[l.reg] += weight;
      for (const isa::Lane& l : p.writes) cost[l.reg] += weight;
    }
    for (uint32_t v = 0; v < cost.size(); v++) {
      if ((v < never_.size() && never_[v]) || lir_.registers[v].at_entry) cost[v] = isa::kNeverSpill;
    }
    return cost;
  }

  uint32_t zero() {
    if (!zero_) {
      zero_ = lir_.new_register({15});
      never_.resize(lir_.registers.size());
      never_[*zero_] = 1;
    }
    return *zero_;
  }

  /// A load or store of lanes first..last of `reg`, at their place in scratch.
  Op slot(XOp op, uint32_t reg, unsigned first, unsigned last, uint32_t home) {
    Op out;
    out.kind = Op::Kind::tex;
    out.inst = TexOp::X;
    XSlot x;
    x.say.op = op;
    x.say.components = static_cast<uint8_t>(last - first);
    x.say.immediate = home + 4 * first;
    out.x = static_cast<int32_t>(lir_.slots.size());
    lir_.slots.push_back(x);
    out.coord.kind = VSource::Kind::reg;
    out.coord.index = zero();
    out.coord.lane.fill(0);
    if (op == XOp::LDP) {
      out.dst = static_cast<int32_t>(reg);
      for (unsigned l = first; l <= last; l++) out.dst_lane[l - first] = static_cast<uint8_t>(l);
    } else {
      out.dx.kind = VSource::Kind::reg;
      out.dx.index = reg;
      out.dx.lane.fill(static_cast<uint8_t>(first));
      for (unsigned l = first; l <= last; l++) out.dx.lane[l - first] = static_cast<uint8_t>(l);
    }
    return out;
  }

  void rewrite() {
    const Vec<Op> before = std::exchange(lir_.ops, {});
    lir_.ops.reserve(before.size() * 2);
    for (Op op : before) {
      isa::Point p;
      access(op, p);
      struct Moved {
        uint32_t from, to;
        unsigned reads, writes;
      };
      isa::Small<Moved, 12> moved;
      const auto touch = [&](const isa::Lane& l, bool write) {
        if (l.reg >= home_.size() || home_[l.reg] == kNowhere) return;
        Moved* m = nullptr;
        for (size_t i = 0; i < moved.size(); i++) {
          if (moved[i].from == l.reg) m = const_cast<Moved*>(&moved[i]);
        }
        if (!m) {
          lir_.add_register(isa::VirtualRegister(lir_.registers[l.reg]));
          never_.resize(lir_.registers.size());
          never_.back() = 1;
          moved.push_back({l.reg, static_cast<uint32_t>(lir_.registers.size()) - 1, 0, 0});
          m = const_cast<Moved*>(&moved[moved.size() - 1]);
        }
        (write ? m->writes : m->reads) |= 1u << l.lane;
      };
      for (const isa::Lane& l : p.reads) touch(l, false);
      for (const isa::Lane& l : p.writes) touch(l, true);
      for (const Moved& m : moved) {
        each_run(m.reads, [&](unsigned first, unsigned last) { lir_.ops.push_back(slot(XOp::LDP, m.to, first, last, home_[m.from])); });
        rename(op, m.from, m.to);
      }
      lir_.ops.push_back(op);
      for (const Moved& m : moved)
        each_run(m.writes, [&](unsigned first, unsigned last) { lir_.ops.push_back(slot(XOp::STP, m.to, first, last, home_[m.from])); });
    }
  }

  /// Runs of lanes without a gap.
  template <class Visit>
  static void each_run(unsigned lanes, const Visit& visit) {
    for (unsigned first = 0; first < 4; first++) {
      if (!(lanes >> first & 1)) continue;
      unsigned last = first;
      while (lanes >> (last + 1) & 1) last++;
      visit(first, last);
      first = last;
    }
  }

  static void rename(Op& op, uint32_t from, uint32_t to) {
    const auto source = [&](VSource& s) {
      if (s.kind == VSource::Kind::reg && s.index == from) s.index = to;
    };
    const auto destination = [&](int32_t& dst) {
      if (dst == static_cast<int32_t>(from)) dst = static_cast<int32_t>(to);
    };
    for (std::optional<VUnit>* u : {&op.rgb, &op.alpha}) {
      if (!*u) continue;
      for (VSource& s : (*u)->source) source(s);
      destination((*u)->dst);
    }
    for (VSource* s : {&op.coord, &op.dx, &op.dy, &op.index, &op.sampler_index}) source(*s);
    destination(op.dst);
  }

  Lir& lir_;
  Vec<uint8_t> never_;  ///< by register: made for spilled ones
  Vec<uint32_t> home_;  ///< by register: byte of scratch, or kNowhere
  std::optional<uint32_t> zero_;
};

}  // namespace

isa::Allocation allocate(const Lir& lir, const Vec<isa::Point>& all, uint32_t spread) {
  return isa::allocate(lir.registers, all, copy_hints(lir), spread);
}

isa::Allocation allocate_or_spill(Lir& lir, uint32_t temps, uint32_t spread, uint32_t& scratch_bytes) {
  isa::Allocation allocation = allocate(lir, points(lir), spread);
  if (allocation.used <= temps) return allocation;
  Spiller spiller(lir);
  // Counting channels is optimistic: a value's lanes must be in one register. Each further round leaves more of them free.
  constexpr unsigned kRounds = 8;
  for (unsigned round = 0; round < kRounds; round++) {
    const uint32_t wanted = temps - temps / 16 - round * (temps / 10);
    if (!spiller.spill(wanted, scratch_bytes) && round + 1 == kRounds) break;
    allocation = allocate(lir, points(lir), 1);
    if (allocation.used <= temps) return allocation;
  }
  throw isa::Unsupported("needs " + std::to_string(allocation.used) + " temporaries even with values in memory, the chip has " +
                         std::to_string(temps));
}

}  // namespace pumice::compiler::us
